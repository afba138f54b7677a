"""What a seat may command now. Each offer is made by the predicates that `apply` uses, so they cannot disagree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from strategic.interception import parties
from strategic.naval import settling
from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import declining, forks, land, sea, turn
from strategic.sword_of_rome.rules.hands import spendable
from strategic.sword_of_rome.rules.moving_army import going
from strategic.sword_of_rome.rules.offers_of_answers import of_prompt
from strategic.sword_of_rome.rules.survey import may_follow, powers_of, seat_of
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import CARTHAGE, CHART, TABLES, ways
from tactical.kernel.protocol import UMPIRE, Offer


def answers(state: State, seat: str) -> Iterator[Offer]:
    """10, 11, 12 What the seat may answer if it is asked, and the storm that it may throw in."""
    for prompt in state.pending:
        if prompt.seat == seat:
            yield from of_prompt(state, prompt)
    found = [
        card
        for card in sorted(set(spendable(state, seat)))
        if declining.why_not_storms(state, say.StormsAtSea(seat, card)) is None
    ]
    if found and seat not in state.resigned:
        yield Offer("storms_at_sea", "10.5.1", {"side": seat, "card": choice(found)})


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


def cards(state: State, seat: str) -> tuple[Offer, ...]:
    """6.2, 7 The cards that come into the hand of a seat, and those that it lays away."""
    if state.is_over or seat in state.resigned:
        return ()
    found: tuple[Offer, ...] = ()
    if turn.why_not_take_card(state, say.TakeCard(seat)) is None:
        found += (Offer("take_card", "6.2", {"side": seat, "card": [1, 2, 3, None]}),)
    held = sorted(set(state.hands.get(seat, ())))
    held = [card for card in held if turn.why_not_discard(state, say.Discard(seat, card)) is None]
    return (*found, Offer("discard", "7", {"side": seat, "card": held})) if held else found


def umpires(state: State) -> tuple[Offer, ...]:
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


def up_to(least: int, most: int) -> Any:
    """A field's only number, or its range."""
    return least if least == most else {"from": least, "to": most}


def groups(leader: str, present: tuple[str, ...]) -> list[list[str]]:
    """8.2.1 The companions who may go with a leader."""
    others = [name for name in present if name != leader]
    return [list(party) for party in parties(others, 0) if may_follow(leader, party) and going(present, leader, party)]


def activations(state: State, seat: str) -> Iterator[Offer]:
    """9.1 Each leader of the seat, with the cards that move him, and who may go with him."""
    mine = powers_of(state, seat)
    for space in state.forces:
        for power in mine:
            force = state.force(space, power)
            for leader in force.leaders:
                cards = [
                    card
                    for card in sorted(set(state.hands.get(seat, ())))
                    if land.why_not_activate(state, say.Activate(card, leader, 0)) is None
                ]
                if cards:
                    most = min(force.units, TABLES.movement.limit)
                    yield Offer(
                        "activate",
                        "9.1",
                        {
                            "card": choice(cards),
                            "leader": leader,
                            "units": up_to(0, most),
                            "companions": choice(groups(leader, force.leaders)),
                            "flank": [False, True],
                        },
                    )


def moves(state: State) -> Iterator[Offer]:
    """9.2, 9.6.3 What the moving army may do next."""
    move = state.army
    there = [way.other(move.at) for way in ways(move.at)]
    steps = [space for space in dict.fromkeys(there) if land.why_not_step(state, space) is None]
    if steps:
        yield Offer("step", "9.2", {"to": choice(steps)})
    sails = [port for port in CHART.ports() if sea.why_not_sail(state, port) is None]
    if sails:
        yield Offer("sail", "9.6.3", {"to": choice(sails)})
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
        yield Offer(kind, "9.1.2", {"units": up_to(1, most), "companions": people})
    alone = [party for party in people if party]
    if alone:
        yield Offer(kind, "9.1.2", {"units": 0, "companions": alone})


def interruptions(state: State, seat: str) -> Iterator[Offer]:
    """7.1 What a seat may throw in while an army marches: ships, the Forks."""
    cards = sorted(set(spendable(state, seat)))
    if CARTHAGE in powers_of(state, seat):
        lent = [card for card in cards if sea.why_not_lend(state, say.LendShips(card)) is None]
        if lent:
            yield Offer("lend_ships", "9.6.3", {"card": choice(lent)})
    if forks.SAMNITES in powers_of(state, seat):
        for space in forks.armies(state):
            force = state.force(space, forks.SAMNITES)
            for leader in force.leaders if cards else ():
                if forks.why_not_caudine_forks(state, say.CaudineForks(cards[0], space, leader, 1)) is None:
                    fields = {
                        "card": choice(cards),
                        "space": space,
                        "leader": leader,
                        "units": up_to(1, force.units),
                        "companions": choice(groups(leader, force.leaders)),
                    }
                    yield Offer("caudine_forks", "10.5.2 (note)", fields)
