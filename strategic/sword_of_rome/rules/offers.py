"""What a seat may command now, and the answers to what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations, product
from math import prod
from typing import Any

from strategic.interception import parties
from strategic.naval import settling
from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import avoidance, battle, interception, land, reaction, sea, turn
from strategic.sword_of_rome.rules.moving_army import going, spendable
from strategic.sword_of_rome.rules.survey import carries, may_follow, powers_of, room_inside, seat_of
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import CARTHAGE, CHART, TABLES, ways
from tactical.kernel.protocol import UMPIRE, Offer, Prompt, offer, span
from tactical.kernel.record import plain

# -- 10.3, 11.1 What a seat may declare against a step: whole answers, and any part of one army beside them.
#
# The first offer lists whole answers. Each of the others takes one army in part, by ranges, with the whole answers of
# the
# seat's other armies to choose from.

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
            yield {"power": power, "space": origin, "leader": leader, "units": span(1, most), "companions": company}


def parts_that_leave(state: State, power: str) -> Iterator[dict[str, Any]]:
    """9.3.1, 11.1, 11.1.1 Some behind the walls, some away by land or by sea, the rest in the open."""
    move = state.army
    force = state.force(move.at, power)
    walls = avoidance.own_walls(state, move.at, power)
    room = min(room_inside(state, move.at, power), force.units, TABLES.avoidance.limit)
    behind = [list(party) for party in parties(force.leaders, 0)] if walls else [[]]
    nobody = {"power": power, "leaders": [[]], "units": 0}
    if room:
        yield {**nobody, "inside": span(1, room), "inside_leaders": behind}
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
            yield {**fields, "units": span(1, most)}
        for card, room, ports in voyages(state, power):
            if most >= 1:
                yield {**fields, "units": span(1, min(most, room)), "port": ports, "card": card}


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


# -- 10, 11, 12 The answers to what a seat is asked, as offers.


def of_prompt(state: State, prompt: Prompt) -> Iterator[Offer]:
    """10, 11, 12 What the seat that is asked may say."""
    about = prompt.about
    if prompt.kind == "declare":
        yield from declarations(state, prompt.seat)
    elif prompt.kind == "flank":
        yield Offer("confirm_flank", "9.5.6", {"side": prompt.seat, "allow": [True, False]})
    elif prompt.kind == "order":
        yield Offer("set_order", "10.3", {"players": [list(order) for order in permutations(reaction.players(state))]})
    elif prompt.kind == "commander":
        yield Offer("take_command", "10.4.a", {"leader": list(about["leaders"])})
    elif prompt.kind == "intercepted":
        yield Offer("fight", "10.5.2")
        if interception.why_not_decline(state) is None:
            yield Offer("decline", "10.5.1")
    elif prompt.kind == "permit":
        yield Offer("permit", prompt.rule, {"allow": [True, False]})
    elif prompt.kind == "contest":
        yield Offer("pass", "9.6 (5p)")
        yield Offer("contest", "9.6 (5p)", {"card": sorted(set(spendable(state, prompt.seat)))})
    elif prompt.kind == "engagement" and state.engagement is not None:
        yield from settling.offers(state.engagement, prompt.seat)
    elif prompt.kind == "sea_roll":
        yield Offer("sea_roll", "9.6.4")
    elif prompt.kind == "avoid_to":
        yield Offer("avoid_to", "11.1.a", {"to": list(about["choices"])})
    elif prompt.kind == "foe":
        yield Offer("choose_foe", "9.4.1", {"power": list(about["powers"])})
    elif prompt.kind == "pursue":
        yield Offer("pursue", "11.3")
    elif prompt.kind == "battle":
        yield Offer("roll_battle", "12.2")
    elif prompt.kind == "retreat":
        yield from retreats(state)


def retreats(state: State) -> Iterator[Offer]:
    """12.4 Where a beaten force may go: by land or to its ships, behind its walls, by sea for a card."""
    units, _ = battle.strength(state)
    ends = [*battle.choices(state), *battle.ports(state, None)]
    for inside in range(battle.room(state) + 1):
        yield Offer("retreat", "12.4", {"to": None if inside == units or not ends else ends, "inside": inside})
    for card in battle.cards(state):
        yield Offer("retreat", "12.4.3", {"to": list(battle.ports(state, card)), "inside": 0, "card": card})


# -- What a seat may command now. Each offer is made by the predicates that `apply` uses, so they cannot disagree.


def answers(state: State, seat: str) -> Iterator[Offer]:
    """10, 11, 12 What the seat may answer if it is asked, and the storm that it may throw in."""
    for prompt in state.pending:
        if prompt.seat == seat:
            yield from of_prompt(state, prompt)
    if seat not in state.resigned:
        found = playable(state, seat, lambda card: interception.why_not_storms(state, say.StormsAtSea(seat, card)))
        yield from offer("storms_at_sea", "10.5.1", side=seat, card=choice(found))


def playable(state: State, seat: str, why_not: Callable[[int], object]) -> list[int]:
    """The values of the cards that the seat may spend, and that nothing forbids for this."""
    return [card for card in sorted(set(spendable(state, seat))) if why_not(card) is None]


def actions(state: State, seat: str) -> Iterator[Offer]:
    """5, 9.1 The active player's action; 4 anybody may leave the game."""
    if state.active == seat:
        yield from activations(state, seat)
        yield Offer("end_action", "5")
    if turn.why_not_resign(state, say.Resign(seat)) is None:
        yield Offer("resign", "4", {"side": seat})


def marches(state: State, seat: str) -> Iterator[Offer]:
    """9.2 What the moving army may do next; 7.1 what Carthage and the Samnites may throw in."""
    if state.move is not None and seat_of(state, state.move.power) == seat:
        yield from moves(state)
    yield from interruptions(state, seat)


def cards(state: State, seat: str) -> Iterator[Offer]:
    """6.2, 7 The cards that come into the hand of a seat, and those that it lays away."""
    if state.is_over or seat in state.resigned:
        return
    if turn.why_not_take_card(state, say.TakeCard(seat)) is None:
        yield Offer("take_card", "6.2", {"side": seat, "card": [1, 2, 3, None]})
    held = sorted(set(state.hands.get(seat, ())))
    held = [card for card in held if turn.why_not_discard(state, say.Discard(seat, card)) is None]
    yield from offer("discard", "7", side=seat, card=held)


def to_umpire(state: State) -> tuple[Offer, ...]:
    """9.5.6, 10.3 What the umpire alone may say now."""
    if state.is_over:
        return ()
    if state.engagement is not None and state.engagement.is_umpires():
        return settling.offers(state.engagement, UMPIRE)
    if state.asks("flank"):
        return (Offer("confirm_flank", "9.5.6", {"side": UMPIRE, "allow": [True, False]}),)
    return (Offer("close_declarations", "10.3"),) if state.asks("declare") else ()


def choice(found: Sequence[Any]) -> Any:
    """A field's only value, or its choices; a value that is a list stands in a list of choices."""
    alone = len(found) == 1 and not isinstance(found[0], list)
    return found[0] if alone else list(found)


def groups(leader: str, present: tuple[str, ...]) -> list[list[str]]:
    """8.2.1 The companions who may go with a leader."""
    others = [name for name in present if name != leader]
    return [list(party) for party in parties(others, 0) if may_follow(leader, party) and going(present, leader, party)]


def activations(state: State, seat: str) -> Iterator[Offer]:
    """9.1 Each leader of the seat, with the cards that move him, and who may go with him."""
    hand = sorted(set(state.hands.get(seat, ())))
    for space, power in product(state.forces, powers_of(state, seat)):
        force = state.force(space, power)
        for leader in force.leaders:
            cards = [card for card in hand if land.why_not_activate(state, say.Activate(card, leader, 0)) is None]
            yield from offer(
                "activate",
                "9.1",
                card=choice(cards),
                leader=leader,
                units=span(0, min(force.units, TABLES.movement.limit)),
                companions=choice(groups(leader, force.leaders)),
                flank=[False, True],
            )


def moves(state: State) -> Iterator[Offer]:
    """9.2, 9.6.3 What the moving army may do next."""
    move = state.army
    there = dict.fromkeys(way.other(move.at) for way in ways(move.at))
    yield from offer("step", "9.2", to=choice([to for to in there if land.why_not_step(state, to) is None]))
    yield from offer("sail", "9.6.3", to=choice([to for to in CHART.ports() if sea.why_not_sail(state, to) is None]))
    if land.why_not_stay(state) is None:
        yield from amounts("drop", move.units, [list(party) for party in parties(move.companions, 0)])
    force = state.force(move.at, move.power)
    joining = [list(party) for party in parties(force.leaders, 0) if may_follow(move.leader, party)]
    yield from amounts("pick_up", min(force.units, TABLES.movement.limit - move.units), joining)
    if land.why_not_halt(state) is None:
        yield Offer("halt", "9.2")


def amounts(kind: str, most: int, people: list[list[str]]) -> Iterator[Offer]:
    """9.1.2 Some CUs with leaders or without, or leaders alone."""
    if most > 0:
        yield Offer(kind, "9.1.2", {"units": span(1, most), "companions": people})
    yield from offer(kind, "9.1.2", units=0, companions=[party for party in people if party])


def interruptions(state: State, seat: str) -> Iterator[Offer]:
    """7.1 What a seat may throw in while an army marches: ships, the Forks."""
    if CARTHAGE in powers_of(state, seat):
        lent = playable(state, seat, lambda card: sea.why_not_lend(state, say.LendShips(card)))
        yield from offer("lend_ships", "9.6.3", card=choice(lent))
    cards = sorted(set(spendable(state, seat)))
    if interception.SAMNITES not in powers_of(state, seat) or not cards:
        return
    for space in interception.samnite_armies(state):
        force = state.force(space, interception.SAMNITES)
        for leader in force.leaders:
            if interception.why_not_caudine_forks(state, say.CaudineForks(cards[0], space, leader, 1)) is None:
                fields = {
                    "card": choice(cards),
                    "space": space,
                    "leader": leader,
                    "units": span(1, force.units),
                    "companions": choice(groups(leader, force.leaders)),
                }
                yield Offer("caudine_forks", "10.5.2 (note)", fields)
