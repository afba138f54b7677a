"""Movement by land: what may go where, the step itself, and the end of a move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from strategic.atlas import Connection
from strategic.interception import parties
from strategic.point_to_point.commands import Halt, Step
from strategic.point_to_point.displacement import catch_alone
from strategic.point_to_point.fatigue import check_fresh, come_to_rest, set_out
from strategic.point_to_point.offering import fits, forces, least
from strategic.point_to_point.pieces import Troops, replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, March, S
from strategic.point_to_point.survey import (
    check_consular,
    check_keep_to,
    companions_of,
    enemy_units,
    generals_at,
    holding,
    is_shut_in,
)
from strategic.point_to_point.tables import enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event


def check_moving(march: March) -> None:
    """pursuit.2c After a failed pursuit, or going back, the army stops."""
    if march.stopped:
        raise Illegal("pursuit.2c", "this army has stopped and moves no further")


def check_party(
    state: Campaign, march: March, companions: Iterable[str], force: Troops, alone: bool = False
) -> None:
    """movement.land.1a, movement.land.1c, movement.general.2, movement.land.3 Who and what may leave this space."""
    book = book_of(state)
    place, here = state.spaces[march.at], generals_at(state, march.side, march.at)
    group = tuple(companions)
    if len(set(group)) != len(group) or not set(group) <= set(here) - {march.general}:
        raise Illegal("movement.land.1b", "companions must be other generals in the same space")
    if not set(group) <= set(companions_of(state, march.general)):
        raise Illegal("movement.land.1c", f"{march.general} cannot take along a general of higher standing")
    if not force.is_counted or not place.all_of(march.side).holds(force):
        raise Illegal("movement.general.1", f"there are not so many CUs in {march.at}")
    if force.size > state.tables.movement.units:
        raise Illegal(book.cite("movement.land.1a"), f"a general moves with at most {state.tables.movement.units} CUs")
    book.check_load(state, force)
    party = (march.general, *group)
    staying = [name for name in here if name not in party]
    check_consular(state, party, force, staying, place.all_of(march.side), alone)
    rest = place.all_of(march.side).size - force.size
    if set(group) & set(march.detached) or rest < march.detached_size:
        raise Illegal("siege.2", "whoever was detached for the siege stays with his CUs")


def check_entry(
    state: Campaign, march: March, to: str, companions: Iterable[str], force: Troops, points: int
) -> None:
    """movement.land.1d CUs are needed against CUs; movement.land.1e a general alone may pass one of the enemy's, but
    not stop with him, so he needs some of the `points` that he has left there; the regions of Hanno and Fabius.
    """
    if not force.size and enemy_units(state, march.side, to):
        raise Illegal("movement.land.1d", f"enemy CUs are in {to}: a general without CUs may not enter")
    if not force.size and points < 1 and is_met_alone(state, march, to):
        raise Illegal("movement.land.1e", f"a general without CUs passes the enemy's general at {to}, but cannot stop")
    check_keep_to(state, (march.general, *companions), to)
    book_of(state).check_entry(state, march, to)


def is_met_alone(state: Campaign, march: March, space: str) -> bool:
    """movement.land.1e Does an enemy general stand outside the walls there?"""
    return bool(generals_at(state, enemy(march.side), space, inside=False))


def check_way(state: Campaign, march: March, to: str) -> Connection:
    """movement.land.2 A connection, enough points, and for Messana's strait both its ends (movement.land.2c)."""
    chart = book_of(state).chart
    way = chart.between(march.at, to) if to in chart.spaces else None
    if way is None:
        raise Illegal("movement.land.1", f"no road leads from {march.at} to {to}")
    if is_shut_in(state, march.side, march.at):
        raise Illegal("siege.6", f"enemies are before the walls of {march.at}: only a sortie leads out")
    if way.cost > march.points:
        rule = "movement.land.2" if way.cost > 1 else "movement.land.1"
        raise Illegal(rule, f"this step costs {way.cost} and {march.points} points are left")
    if not all(holding(state, march.side, end) for end in way.about.get("needs_control", ())):
        raise Illegal("movement.land.2c", "this strait is open only to a side that controls both its ends")
    return way


def check_step(state: Campaign, march: March, command: Step) -> Connection:
    """movement.land.1 One step by land."""
    check_moving(march)
    way = check_way(state, march, command.to)
    check_party(state, march, command.companions, command.force)
    check_fresh(state, march, command.companions, command.force.size, way.cost)
    check_entry(state, march, command.to, command.companions, command.force, march.points - way.cost)
    return way


def step(state: S, command: Step, dice: Dice) -> Handled[S]:
    """movement.land.1 Move one space; what the way costs is paid at once; then the enemy may answer."""
    march, force = state.marching(), command.force
    way = check_step(state, march, command)
    told = event(
        "movement.land.1", "stepped", side=march.side, general=march.general, start=march.at, to=command.to,
        kind=way.kind, companions=list(command.companions), **told_of(force),
    )  # fmt: skip
    state = set_out(state, march, command.companions, force.size, way.cost)
    moved = replace(state.marching(), companions=command.companions, inside=False, detached=(), detached_size=0)
    moved = moved.with_force(force)
    state = put(state, moved, march.at, command.to)
    moved = replace(moved, path=(*march.path, command.to), legs=(*march.legs, way.kind), points=march.points - way.cost)
    state, events = book_of(state).on_step(replace(state, march=moved), way.kind, False, dice)
    return arrive(state), (told, *events)


def told_of(force: Troops) -> dict[str, Any]:
    """The CUs, and the trains if there are any, as facts of an event."""
    counts = {"units": force.units, "elephants": force.elephants}
    return {**counts, "trains": force.trains} if force.trains else counts


def put(state: S, march: March, start: str, to: str, inside: bool = False) -> S:
    """movement.general.1 The army's CUs and generals taken from one space and put into another."""
    state = state.take(start, march.side, march.force)
    state = state.add(to, march.side, march.force, inside=inside)
    return state.move_generals(march.generals, to, inside=inside)


def lessen(state: S, left: Troops) -> S:
    """tables.attrition.when The moving army after losses, in its space."""
    march = state.marching()
    place = state.spaces[march.at]
    gone = march.force.minus(left)
    state = state.set_outside(march.at, march.side, place.outside(march.side).minus(gone))
    return replace(state, march=march.with_force(left))


def arrive(state: S, rule: str = "interception.1") -> S:
    """movement.general.3 What happens on every entry, in order: hostile tribes, interception, a meeting.

    `rule` is the paragraph by which the enemy may intercept now.
    """
    march = state.marching()
    state = replace(state, march=replace(march, intercepted=(), failed_avoid=False))
    return state.then(
        *book_of(state).moments(state, "tribes"),
        Prompt("intercept", enemy(march.side), rule, {"declared": []}),
        Prompt("meet", "", "movement.land.1d"),
    )


def check_halt(state: Campaign, march: March) -> None:
    """movement.land.1e Raises Illegal for a general without CUs who stands with one of the enemy's."""
    if not march.force.size and march.legs and is_met_alone(state, march, march.at):
        raise Illegal("movement.land.1e", "a general without CUs cannot stop with a general of the enemy")


def halt_offers(state: Campaign) -> tuple[Offer, ...]:
    """movement.land.1 The move may end, but not beside a general of the enemy alone."""
    march = state.marching()
    return (Offer("halt", "movement.land.1"),) if fits(lambda: check_halt(state, march)) else ()


def halt(state: S, command: Halt, dice: Dice) -> Handled[S]:
    """movement.land.1 The move ends here."""
    march = state.marching()
    check_halt(state, march)
    return halting(state), (event("movement.land.1", "halted", side=march.side, space=march.at),)


def is_there(state: Campaign, march: March) -> bool:
    """movement.land.5 Is the general still with his march?"""
    record = state.generals[march.general]
    return record.status == "board" and record.space == march.at


def halting(state: S) -> S:
    """movement.land.1 The weather may still turn (card 41); then the move is over."""
    return state.then(*book_of(state).moments(state, "weather"), Prompt("halted", "", "movement.land.1"))


def halted(state: S, dice: Dice) -> Handled[S]:
    """movement.land.1 The move is over. movement.land.1e: a general without CUs who is left with one of the enemy's,
    and can go nowhere, steps back.
    """
    state = state.answered()
    march = state.march
    events: tuple[Event, ...] = ()
    if march is None or not is_there(state, march):
        return replace(state, march=None), ()
    if not fits(lambda: check_halt(state, march)):
        state, events = step_back(state, march)
    state = come_to_rest(state, state.marching().stopped)
    state, more = book_of(state).after_move(state)
    return replace(state, march=None), (*events, *more)


def step_back(state: S, march: March) -> Handled[S]:
    """movement.land.1d A general without CUs steps back where he came from, or is displaced where enemies are there.

    Ruling: attrition hurts no general, and he may not enter among CUs alone, nor stop with another general alone
    (movement.land.1e).
    """
    back = replace(march, path=march.path[:-1], legs=march.legs[:-1], stopped=True)
    state = replace(put(state, march, march.at, march.path[-2]), march=back)
    told = event("movement.land.1d", "stepped_back", general=march.general, start=march.at, to=back.at)
    state, events = catch_alone(state, march.side, back.at) if enemy_units(state, march.side, back.at) else (state, ())
    return state, (told, *events)


def march_over(state: S, dice: Dice) -> Handled[S]:
    """movement.land.1 Nothing more to do: the army halts by itself."""
    return (halting(state) if state.march is not None else state.answered()), ()


# offers


def loads(state: Campaign, march: March, most: int, cost: int = 0) -> Iterator[dict[str, Any]]:
    """movement.land.1b Every party that may leave together, as fields: companions, elephants, runs of units, trains.

    `cost` is what the next step takes of their points.
    """
    here = state.spaces[march.at].all_of(march.side)
    for companions in parties(companions_of(state, march.general), least=0):

        def may_leave(force: Troops, companions: tuple[str, ...] = companions) -> None:
            check_party(state, march, companions, force)
            check_fresh(state, march, companions, force.size, cost)

        for fields in forces(here, most, may_leave):
            yield {"companions": [list(companions)], **fields}


def step_offers(state: Campaign) -> tuple[Offer, ...]:
    """movement.land.1 For each party the spaces that it may enter; an empty one apart, for it may enter fewer."""
    march, chart = state.marching(), book_of(state).chart
    if march.stopped:
        return ()
    near = dict.fromkeys(chart.neighbours(march.at))
    ways = {to: chart.between(march.at, to) for to in near if fits(partial(check_way, state, march, to))}
    offers = []
    for cost in sorted({way.cost for way in ways.values() if way}):
        ends = [to for to, way in ways.items() if way and way.cost == cost]
        for fields in loads(state, march, state.tables.movement.units, cost):
            party, force, left = tuple(fields["companions"][0]), least(fields), march.points - cost
            to = [end for end in ends if fits(partial(check_entry, state, march, end, party, force, left))]
            if to:
                offers.append(Offer("step", "movement.land.1", {"to": to, **fields}))
    return tuple(offers)
