"""5, 7, 13, 15, 16 What a seat may change by hand, as offers. Texts (notes, modifiers) are for forms, not offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import by_hand as rules
from strategic.sword_of_rome.rules import turn
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.survey import powers_of, where
from strategic.sword_of_rome.tables import EVENTS, INDEPENDENT, LEADERS, PLAYED, POWERS, SEATS, SPACES
from tactical.kernel.play import Offer

AT_ONCE = 3  # CUs that one offer places


def by_hand(state: State, seat: str) -> Iterator[Offer]:
    """7 Between two actions the pieces, markers and cards of the seat are its own to change."""
    if rules.why_not_by_hand(state, "7") is not None:
        return
    yield from cards(state, seat)
    for power in powers_of(state, seat):
        yield from pieces(state, power)
        yield from politics(state, power)
    yield Offer("set_event", "7", {"event": list(EVENTS), "in_force": [True, False]})
    yield Offer("set_unrest", "20", {"level": {"from": 0, "to": 10}})
    unplayed = [
        power
        for power in POWERS
        if power not in PLAYED and rules.why_not_runner(state, say.SetRunner(power, seat)) is None
    ]
    if unplayed:
        yield Offer("set_runner", "16", {"power": unplayed, "runner": list(SEATS)})
    towns = [space for space in SPACES if SPACES[space].kind in ("walled", "tribal")]
    yield Offer("set_siege", "13", {"space": towns, "level": {"from": 0, "to": 3}})


def cards(state: State, seat: str) -> Iterator[Offer]:
    """6.2, 7 Cards that come, cards that are played for their text."""
    if turn.why_not_take_card(state, say.TakeCard(seat)) is None:
        yield Offer("take_card", "6.2", {"side": seat, "card": [1, 2, 3]})
    hand = sorted(set(state.hands.get(seat, ())))
    if hand:
        yield Offer("discard", "7", {"side": seat, "card": hand})


def pieces(state: State, power: str) -> Iterator[Offer]:
    """5.10, 5.5, 7 CUs and leaders that come, go, or are moved by an event."""
    free = [space for space in SPACES if rules.why_not_place(state, say.Place(power, space, 1)) is None]
    spare = [[name] for name, leader in LEADERS.items() if leader.power == power and where(state, name) is None]
    if free:
        units = {"from": 1, "to": AT_ONCE}
        yield Offer("place", "5.10", {"power": power, "space": free, "units": units, "leaders": [[], *spare]})
    for space in state.forces:
        force = state.force(space, power)
        if not force.total and not force.people:
            continue
        chiefs = [
            name
            for name in force.leaders[1:]
            if rules.why_not_commander(state, say.SetCommander(power, space, name)) is None
        ]
        if chiefs:
            yield Offer("set_commander", "8.2.1", {"power": power, "space": space, "leader": chiefs})
        fields: dict[str, Any] = {"power": power, "space": space, **amount(force)}
        yield Offer("remove", "5.5", fields)
        to = [other for other in free if other != space]
        if to:
            yield Offer("move_by_hand", "7", {**fields, "to": to})


def amount(force: Force) -> dict[str, Any]:
    """How much of a force: some CUs with or without leaders, or leaders alone."""
    people = [[name] for name in force.people]
    if not force.total:
        return {"units": 0, "leaders": people}
    return {"units": {"from": 1, "to": force.total}, "leaders": [[], *people]}


def politics(state: State, power: str) -> Iterator[Offer]:
    """4, 7.3, 15 Markers, points, alliances."""
    spaces = [space for space in SPACES if rules.why_not_control(state, say.SetControl(space, power)) is None]
    yield Offer("set_control", "7.3", {"space": spaces, "power": power})
    others = [INDEPENDENT, *POWERS]
    own = [
        space
        for space in spaces
        if state.controller(space) == power
        and all(rules.why_not_control(state, say.SetControl(space, other)) is None for other in others)
    ]
    if own:
        yield Offer("set_control", "7.3", {"space": own, "power": others})
    if power not in PLAYED:
        return
    yield Offer("set_points", "4", {"power": power, "points": {"from": 0, "to": 12}})
    for allied in (True, False):
        partners = [
            other for other in PLAYED if rules.why_not_alliance(state, say.SetAlliance(power, other, allied)) is None
        ]
        if partners:
            yield Offer("set_alliance", "15", {"power": power, "other": partners, "allied": allied})
