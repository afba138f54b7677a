"""10, 11, 12 The answers to what a seat is asked, as offers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import prod
from typing import Any

from strategic import settling
from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import avoidance, declining, interception, reaction, retreat
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.survey import may_follow, powers_of, room_inside
from strategic.sword_of_rome.tables import TABLES
from tactical.kernel.play import Offer, Prompt
from tactical.kernel.record import plain

MOST = 48  # whole answers that one offer lists; a page builds others from the preview


def answers(state: State, prompt: Prompt) -> Iterator[Offer]:
    """10, 11, 12 What the seat that is asked may say."""
    about = prompt.about
    if prompt.kind == "declare":
        yield declarations(state, prompt.seat)
    elif prompt.kind == "order":
        names = list(about["powers"])
        orders = [[first, *(name for name in names if name != first)] for first in names]
        yield Offer("set_order", "10.3", {"powers": orders})
    elif prompt.kind == "commander":
        yield Offer("take_command", "10.4.a", {"leader": list(about["leaders"])})
    elif prompt.kind == "intercepted":
        yield Offer("fight", "10.5.2")
        if declining.why_not_decline(state) is None:
            yield Offer("decline", "10.5.1")
    elif prompt.kind == "permit":
        yield Offer("permit", prompt.rule, {"allow": [True, False]})
    elif prompt.kind == "contest":
        yield Offer("pass", "9.6 (5p)")
        yield Offer("contest", "9.6 (5p)", {"card": sorted(set(state.hands[prompt.seat]))})
    elif prompt.kind == "engagement" and state.engagement is not None:
        yield from settling.offers(state.engagement, prompt.seat)
    elif prompt.kind == "sea_roll":
        yield Offer("sea_roll", "9.6.4")
    elif prompt.kind == "avoid_to":
        yield Offer("avoid_to", "11.1.a", {"to": list(about["choices"])})
    elif prompt.kind == "pursue":
        yield Offer("pursue", "11.3")
    elif prompt.kind == "battle":
        yield Offer("roll_battle", "12.2")
    elif prompt.kind == "retreat":
        yield from retreats(state)


def declarations(state: State, seat: str) -> Offer:
    """10.3, 11.1 The seat's whole answers: every army may try, in whole or in part, or stay."""
    move = state.move
    assert move is not None
    tries: list[list[say.Try | None]] = []
    slips: list[list[say.Slip | None]] = []
    for power in powers_of(state, seat):
        for origin in interception.armies(state, power):
            tries.append([None, *attempts(state, power, origin)])
        if reaction.may_answer_in_the_space(state, power):
            slips.append([None, *avoidances(state, power)])
    return Offer(
        "declare", "10.3",
        {"side": seat, "intercepts": combined(tries), "avoids": combined(slips)},
    )  # fmt: skip


def combined(options: list[list[Any]]) -> list[list[Any]]:
    """Every choice of one option from each list, None left out, as plain values.

    Where that would be more than MOST, each army only tries in its first way (as a whole) or not.
    """
    if prod(len(each) for each in options) > MOST:
        options = [each[:2] for each in options]
    found = islice(product(*options), MOST)
    return [[plain(each) for each in group if each is not None] for group in found]


def attempts(state: State, power: str, origin: str) -> Iterator[say.Try]:
    """10.3.a, 10.3.c The whole army, a part of it with its commander, or a subordinate with what he may take."""
    force = state.force(origin, power)
    commander, rest = force.leaders[0], force.leaders[1:]
    parts = [(commander, followers(commander, rest), force.units), (commander, (), force.units), (commander, (), 1)]
    parts += [(leader, (), force.units - 1) for leader in rest] + [(leader, (), 1) for leader in rest]
    for leader, companions, units in dict.fromkeys(parts):
        found = say.Try(power, origin, leader, units, companions)
        if interception.why_not_try(state, reaction.attempt_of(found)) is None:
            yield found


def followers(leader: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """8.2.1 Those of the others who may follow the leader."""
    return tuple(name for name in others if may_follow(leader, (name,)))


def avoidances(state: State, power: str) -> Iterator[say.Slip]:
    """11.1, 9.3.1 Behind the walls, away by land or by sea, or both in part."""
    move = state.move
    assert move is not None
    force = state.force(move.at, power)
    room = min(room_inside(state, move.at, power), force.units, TABLES.avoidance.limit)
    found = list(inside(power, force, room)) + list(away(power, force, room))
    if force.is_army:
        commander = force.leaders[0]
        for port in avoidance.ports_out(state, power, move.at):
            for card in TABLES.cards.values:
                found.append(say.Slip(power, (commander,), 1, port=port, card=card))
                found.append(say.Slip(power, force.leaders, min(force.units, 3), port=port, card=card))
    for slip in dict.fromkeys(found):
        if avoidance.why_not_avoid(state, reaction.avoidance_of(slip)) is None:
            yield slip


def inside(power: str, force: Force, room: int) -> Iterator[say.Slip]:
    """9.3.1 Into the city, with or without the leaders."""
    if room:
        yield say.Slip(power, inside=room)
        yield say.Slip(power, inside=1)
        yield say.Slip(power, inside_leaders=force.leaders, inside=room)


def away(power: str, force: Force, room: int) -> Iterator[say.Slip]:
    """11.1 Away by land: all, a part with the commander, a subordinate; the rest perhaps behind walls."""
    if not force.is_army:
        return
    limit = TABLES.avoidance.limit
    commander, rest = force.leaders[0], force.leaders[1:]
    yield say.Slip(power, (commander, *followers(commander, rest)), min(force.units, limit))
    yield say.Slip(power, (commander,), 1)
    if room and force.units > room:
        yield say.Slip(power, force.leaders, min(force.units - room, limit - room), inside=room)
    for leader in rest:
        yield say.Slip(power, (leader,), max(1, min(force.units - 1, limit)))


def retreats(state: State) -> Iterator[Offer]:
    """12.4 Where a beaten force may go: by land or to its ships, behind its walls, by sea for a card."""
    units, _ = retreat.strength(state)
    ends = [*retreat.choices(state), *retreat.ports(state, None)]
    for inside_walls in range(retreat.room(state) + 1):
        if inside_walls == units or not ends:
            yield Offer("retreat", "12.4", {"to": None, "inside": inside_walls})
        else:
            yield Offer("retreat", "12.4", {"to": ends, "inside": inside_walls})
    for card in retreat.cards(state):
        yield Offer("retreat", "12.4.3", {"to": list(retreat.ports(state, card)), "inside": 0, "card": card})
