"""5, 7, 13, 15, 16 What a seat may change by hand, as offers. Texts (notes, modifiers) are for forms, not offers.

Who stands where is looked at once; each range and list is what the chapter's own predicates let pass. Pieces come and
go so many CUs at a time with one leader at most: more leaders go one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import by_hand as rules
from strategic.sword_of_rome.rules import turn
from strategic.sword_of_rome.rules.survey import may_follow, powers_of
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import EVENTS, INDEPENDENT, LEADERS, PLAYED, POWERS, SEATS, SPACES, is_city
from tactical.kernel.protocol import Offer

ALL = tuple(SPACES)
TOWNS = tuple(space for space in SPACES if SPACES[space].kind in ("walled", "tribal"))
CITIES = frozenset(space for space in SPACES if is_city(space))
LEADERS_OF = {power: tuple(name for name in LEADERS if LEADERS[name].power == power) for power in POWERS}


@dataclass(frozen=True)
class Board:
    """The map at a glance: by space, the powers with CUs in the open and those behind the walls; leaders in play."""

    standing: dict[str, set[str]]
    walled: dict[str, set[str]]
    people: frozenset[str]
    own: dict[str, list[tuple[str, Force]]]

    def free(self, power: str) -> list[str]:
        """9.4, 15.3 The spaces without another power's CUs in the open."""
        taken = {space for space, powers in self.standing.items() if powers - {power}}
        return [space for space in ALL if space not in taken]


def look(state: State) -> Board:
    """One look at the map."""
    standing: dict[str, set[str]] = {}
    walled: dict[str, set[str]] = {}
    own: dict[str, list[tuple[str, Force]]] = {}
    people: list[str] = []
    for space, here in state.forces.items():
        for power, force in here.items():
            own.setdefault(power, []).append((space, force))
            people += force.people
            if force.units:
                standing.setdefault(space, set()).add(power)
            if force.inside or force.inside_leaders:
                walled.setdefault(space, set()).add(power)
    return Board(standing, walled, frozenset(people), own)


def by_hand(state: State, seat: str) -> Iterator[Offer]:
    """7 Between two actions the pieces, markers and cards of the seat are its own to change."""
    yield Offer("set_event", "7", {"event": list(EVENTS), "in_force": [True, False]})
    yield Offer("set_unrest", "20", {"level": {"from": 0, "to": 10}})
    if turn.why_not_take_card(state, say.TakeCard(seat)) is None:
        yield Offer("take_card", "6.2", {"side": seat, "card": [1, 2, 3, None]})
    cards = sorted(set(state.hands.get(seat, ())))
    hand = [card for card in cards if turn.why_not_discard(state, say.Discard(seat, card)) is None]
    if hand:
        yield Offer("discard", "7", {"side": seat, "card": hand})
    for power in powers_of(state, seat):
        if power in PLAYED:
            yield Offer("set_points", "4", {"power": power, "points": {"from": 0, "to": 12}})
    if rules.why_not_by_hand(state, "7") is not None:
        return
    board = look(state)
    for power in powers_of(state, seat):
        yield from pieces(state, board, power)
        yield from control(state, board, power)
        yield from alliances(state, power)
    of: dict[tuple[str | None, ...], list[str]] = {}
    for power in (power for power in POWERS if power not in PLAYED):
        seats = (*SEATS, None)
        of.setdefault(
            tuple(each for each in seats if rules.why_not_runner(state, say.SetRunner(power, each)) is None), []
        ).append(power)
    for runners, powers in of.items():
        if runners:
            yield Offer("set_runner", "16", {"power": powers, "runner": list(runners)})
    yield Offer("set_siege", "13", {"space": list(TOWNS), "level": {"from": 0, "to": 9}})
    if state.sieges:
        yield Offer("set_siege", "13", {"space": sorted(state.sieges), "level": None})


def pieces(state: State, board: Board, power: str) -> Iterator[Offer]:
    """5.10, 5.5, 7 CUs and leaders that come, go, or are moved by an event."""
    free = board.free(power)
    spare = [[name] for name in LEADERS_OF[power] if name not in board.people]
    room = rules.room_on_the_map(state, power)
    if free and room:
        units = {"from": 1, "to": room} if room > 1 else 1
        yield Offer("place", "5.10", {"power": power, "space": free, "units": units, "leaders": [[], *spare]})
    if free and spare:
        yield Offer("place", "5.10", {"power": power, "space": free, "units": 0, "leaders": spare})
    for space, force in board.own.get(power, ()):
        chiefs = [name for name in force.leaders[1:] if may_follow(name, force.leaders)]
        if chiefs:
            yield Offer("set_commander", "8.2.1", {"power": power, "space": space, "leader": chiefs})
        to = [other for other in free if other != space]
        for fields in amounts(force):
            yield Offer("remove", "5.5", {"power": power, "space": space, **fields})
            if to:
                yield Offer("move_by_hand", "7", {"power": power, "space": space, **fields, "to": to})


def amounts(force: Force) -> Iterator[dict[str, Any]]:
    """How much of a force: some CUs with a leader or without, or a leader alone."""
    people = [[name] for name in force.people]
    if force.total:
        units = {"from": 1, "to": force.total} if force.total > 1 else 1
        yield {"units": units, "leaders": [[], *people]}
    if people:
        yield {"units": 0, "leaders": people}


def control(state: State, board: Board, power: str) -> Iterator[Offer]:
    """7.3 Who controls a space, and a city's loyalty."""
    spaces = [space for space in ALL if not board.walled.get(space, set()) - {power}]
    yield Offer("set_control", "7.3", {"space": spaces, "power": power})
    cities = [space for space in spaces if space in CITIES]
    if cities:
        yield Offer("set_control", "7.3", {"space": cities, "power": power, "loyalty": {"from": 0, "to": 9}})
    own = [space for space in spaces if space not in board.walled and state.controller(space) == power]
    if own:
        others = [INDEPENDENT, *POWERS]
        yield Offer("set_control", "7.3", {"space": own, "power": others})
        walls = [space for space in own if space in CITIES]
        if walls:
            yield Offer("set_control", "7.3", {"space": walls, "power": others, "loyalty": {"from": 0, "to": 9}})


def alliances(state: State, power: str) -> Iterator[Offer]:
    """15 With whom the power may ally, and with whom it may part."""
    if power not in PLAYED:
        return
    for allied in (True, False):
        partners = [
            other for other in PLAYED if rules.why_not_alliance(state, say.SetAlliance(power, other, allied)) is None
        ]
        if partners:
            yield Offer("set_alliance", "15", {"power": power, "other": partners, "allied": allied})
