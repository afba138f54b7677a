"""10.3, 11.1 What a seat may declare against a step: whole answers, and any part of one army beside them.

The first offer lists whole answers. Each of the others takes one army in part, by ranges, with the whole answers of the
seat's other armies to choose from.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import prod
from typing import Any

from strategic.interception import parties
from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import avoidance, interception, reaction
from strategic.sword_of_rome.rules.survey import carries, may_follow, powers_of, room_inside, seat_of
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import TABLES
from tactical.kernel.protocol import Offer
from tactical.kernel.record import plain

MOST = 48  # whole answers that one offer lists
Choices = list[Any]


def declarations(state: State, seat: str) -> Iterator[Offer]:
    """10.3, 11.1 The seat's whole answers: every army may try, in whole or in part, or stay."""
    tries: dict[tuple[str, str], Choices] = {}
    slips: dict[str, Choices] = {}
    for power in powers_of(state, seat):
        for origin in interception.armies(state, power):
            tries[power, origin] = [None, *attempts(state, power, origin)]
        if reaction.may_answer_in_the_space(state, power):
            slips[power] = [None, *avoidances(state, power)]
    every = {"side": seat, "intercepts": combinations(tries.values()), "avoids": combinations(slips.values())}
    yield Offer("declare", "10.3", every)
    for army in tries:
        others = combinations(each for other, each in tries.items() if other != army)
        for fields in parts_that_try(state, *army):
            yield Offer("declare", "10.3.c", {**every, "intercepts": others, **fields})
    for power in slips:
        others = combinations(each for other, each in slips.items() if other != power)
        for fields in parts_that_leave(state, power):
            yield Offer("declare", "11.1", {**every, "avoids": others, **fields})


def combinations(options: Any) -> Choices:
    """Every choice of one option from each list, None left out, as plain values.

    Where that would be more than MOST, each army only tries in its first way (as a whole) or not.
    """
    lists = list(options)
    if prod(len(each) for each in lists) > MOST:
        lists = [each[:2] for each in lists]
    found = islice(product(*lists), MOST)
    return [[plain(each) for each in group if each is not None] for group in found]


def up_to(least: int, most: int) -> Any:
    """A field's only number, or its range."""
    return least if least == most else {"from": least, "to": most}


def companies(leader: str, present: tuple[str, ...]) -> list[list[str]]:
    """8.2.1, 10.3.a The companions who may go with a leader: a commander stays when a subordinate goes."""
    others = [name for name in present if name != leader and (leader == present[0] or name != present[0])]
    return [list(party) for party in parties(others, 0) if may_follow(leader, party)]


def parts_that_try(state: State, power: str, origin: str) -> Iterator[dict[str, Any]]:
    """10.3.a, 10.3.c Any leader of an army with so many CUs as he may take."""
    force = state.force(origin, power)
    for leader in force.leaders:
        most = force.units - (0 if leader == force.leaders[0] else TABLES.interception.commander_keeps)
        if most >= 1:
            company = companies(leader, force.leaders)
            yield {"power": power, "space": origin, "leader": leader, "units": up_to(1, most), "companions": company}


def parts_that_leave(state: State, power: str) -> Iterator[dict[str, Any]]:
    """9.3.1, 11.1, 11.1.1 Some behind the walls, some away by land or by sea, the rest in the open."""
    move = state.army
    force = state.force(move.at, power)
    walls = avoidance.own_walls(state, move.at, power)
    room = min(room_inside(state, move.at, power), force.units, TABLES.avoidance.limit)
    behind = [list(party) for party in parties(force.leaders, 0)] if walls else [[]]
    nobody = {"power": power, "leaders": [[]], "units": 0}
    if room:
        yield {**nobody, "inside": up_to(1, room), "inside_leaders": behind}
    if len(behind) > 1:
        yield {**nobody, "inside": 0, "inside_leaders": [party for party in behind if party]}
    if avoidance.why_not_at_all(state, power) is not None:
        return
    for leader in force.leaders:
        for company in companies(leader, force.leaders):
            for inside in range(room + 1):
                yield from away(state, power, [leader, *company], inside, walls)


def away(state: State, power: str, leaders: list[str], inside: int, walls: bool) -> Iterator[dict[str, Any]]:
    """11.1, 11.1.1 These leaders leave while so many CUs go behind the walls: by land, or to a port for a card."""
    move = state.army
    force = state.force(move.at, power)
    for who, most in behind_the_walls(force, leaders, inside, walls):
        fields = {"power": power, "leaders": [leaders], "inside": inside, "inside_leaders": who}
        if most >= 1 and avoidance.ways_out(state, power, move.at):
            yield {**fields, "units": up_to(1, most)}
        for card, room, ports in voyages(state, power):
            if most >= 1:
                yield {**fields, "units": up_to(1, min(most, room)), "port": ports, "card": card}


def behind_the_walls(force: Force, leaders: list[str], inside: int, walls: bool) -> Iterator[tuple[Choices, int]]:
    """11.1 Who of the others may be inside, and the most CUs that then leave: the commander keeps one where he is."""
    commander = force.leaders[0]
    rest = [name for name in force.leaders if name not in leaders and name != commander]
    parties_of_rest = [list(party) for party in parties(rest, 0)] if walls else [[]]
    most = min(TABLES.avoidance.limit, force.units) - inside
    if commander in leaders:
        yield parties_of_rest, min(most, force.units - inside)
        return
    keeps = avoidance.keeps()
    yield parties_of_rest, min(most, force.units - inside - keeps)
    if walls and inside + force.inside >= keeps:
        yield [[commander, *party] for party in parties_of_rest], min(most, force.units - inside)


def voyages(state: State, power: str) -> Iterator[tuple[int, int, list[str]]]:
    """11.1.1 By card and room in the ships: the ports to which an army may leave."""
    move, seat = state.move, seat_of(state, power)
    assert move is not None and seat is not None
    ports = avoidance.ports_out(state, power, move.at)
    for card in sorted(set(state.hands.get(seat, ()))) if ports else ():
        rooms = {port: carries(state, power, card, move.at, port) for port in ports}
        for room in sorted({room for room in rooms.values() if room}):
            yield card, room, [port for port in ports if rooms[port] == room]


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
    """11.1, 9.3.1 The usual ways: behind the walls, all away by land, a subordinate away, all away by sea."""
    move = state.army
    force = state.force(move.at, power)
    limit = TABLES.avoidance.limit
    room = min(room_inside(state, move.at, power), force.units, limit)
    found: list[say.Slip] = []
    if room:
        found += [say.Slip(power, inside=room), say.Slip(power, inside_leaders=force.leaders, inside=room)]
    if force.is_army:
        commander, rest = force.leaders[0], force.leaders[1:]
        found.append(say.Slip(power, (commander, *followers(commander, rest)), min(force.units, limit)))
        if room and force.units > room:
            found.append(say.Slip(power, force.leaders, min(force.units - room, limit - room), inside=room))
        found += [say.Slip(power, (leader,), max(1, min(force.units - 1, limit))) for leader in rest]
        for card, carried, ports in voyages(state, power):
            for port in ports:
                found.append(say.Slip(power, force.leaders, min(force.units, carried, limit), port=port, card=card))
    for slip in dict.fromkeys(found):
        if avoidance.why_not_avoid(state, reaction.avoidance_of(slip)) is None:
            yield slip
