"""Movement by land: what may go where, the step itself, and the end of a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from msgspec.structs import replace

from strategic.atlas import Connection
from strategic.hannibal.commands import Halt, Step
from strategic.hannibal.rules.attrition import attrition
from strategic.hannibal.rules.displacement import lose_train, train_among
from strategic.hannibal.rules.operations import companions_of
from strategic.hannibal.state import March, State, Troops
from strategic.hannibal.survey import (
    enemy_units,
    generals_at,
    holding,
    is_shut_in,
    keeps_to,
    least_consular,
    region_of,
)
from strategic.hannibal.tables import CHART, LEADERS, TABLES, enemy, ground, is_pass
from strategic.interception import parties
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event


def check_moving(state: State, march: March) -> None:
    """pursuit.2c After a failed pursuit, or going back, the army stops."""
    if march.stopped:
        raise Illegal("pursuit.2c", "this army has stopped and moves no further")


def check_party(state: State, march: March, companions: Iterable[str], force: Troops) -> None:
    """movement.land.1a, movement.land.1c, movement.general.2, movement.land.3 Who and what may leave this space."""
    place, here = state.spaces[march.at], generals_at(state, march.side, march.at)
    group = tuple(companions)
    if len(set(group)) != len(group) or not set(group) <= set(here) - {march.general}:
        raise Illegal("movement.land.1b", "companions must be other generals in the same space")
    if not set(group) <= set(companions_of(state, march.general)):
        raise Illegal("movement.land.1c", f"{march.general} cannot take along a general of higher standing")
    if force.units < 0 or force.elephants < 0 or not place.all_of(march.side).holds(force):
        raise Illegal("movement.general.1", f"there are not so many CUs in {march.at}")
    if force.size > TABLES.movement.units:
        raise Illegal("movement.land.1a", f"a general moves with at most {TABLES.movement.units} CUs")
    party = (march.general, *group)
    if force.size and force.size < least_consular(state, party):
        raise Illegal("movement.land.3", f"a consular army moves with at least {TABLES.movement.consular} CUs")
    staying = [name for name in here if name not in party]
    rest = place.all_of(march.side).size - force.size
    if set(group) & set(march.detached) or rest < march.detached_size:
        raise Illegal("siege.2", "whoever was detached for the siege stays with his CUs")
    if force.size and rest < least_consular(state, staying):
        raise Illegal("movement.general.2", f"a consul who stays keeps at least {TABLES.movement.consular} CUs")


def check_entry(state: State, march: March, to: str, companions: Iterable[str], force: Troops) -> None:
    """movement.land.1d CUs are needed against CUs; the truce; and the regions of Hanno and Fabius."""
    side = march.side
    if not force.size and enemy_units(state, side, to):
        raise Illegal("movement.land.1d", f"enemy CUs are in {to}: a general without CUs may not enter")
    if state.lasting.truce and (enemy_units(state, side, to) or holding(state, enemy(side), to)):
        raise Illegal("strategy.event.1", "the truce (card 64) closes spaces with an enemy PC or CU")
    for name in (march.general, *companions):
        if not keeps_to(name, to):
            raise Illegal("movement.command.6", f"{name} may not leave {LEADERS[name].keeps_to}")


def check_way(state: State, march: March, to: str) -> Connection:
    """movement.land.2 A connection, enough points, and for Messana's strait both its ends (movement.land.2c)."""
    way = CHART.between(march.at, to) if to in CHART.spaces else None
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


def check_step(state: State, march: March, command: Step) -> Connection:
    """movement.land.1 One step by land."""
    check_moving(state, march)
    way = check_way(state, march, command.to)
    force = Troops(command.units, command.elephants)
    check_party(state, march, command.companions, force)
    check_entry(state, march, command.to, command.companions, force)
    return way


def step(state: State, command: Step, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.land.1 Move one space; a pass wears the army at once; then the enemy may answer."""
    march = state.marching()
    way = check_step(state, march, command)
    force = Troops(command.units, command.elephants)
    told = event(
        "movement.land.1",
        "stepped",
        general=march.general,
        start=march.at,
        to=command.to,
        kind=way.kind,
        units=command.units,
        elephants=command.elephants,
        companions=list(command.companions),
    )
    moved = replace(march, companions=command.companions, inside=False, detached=(), detached_size=0)
    moved = moved.with_force(force)
    state = shifted(state, moved, march.at, command.to)
    moved = replace(moved, path=(*march.path, command.to), legs=(*march.legs, way.kind), points=march.points - way.cost)
    state, events = crossed(replace(state, march=moved), way.kind, dice)
    state, more = charmed(state)
    return arrival(state), (told, *events, *more)


def shifted(state: State, march: March, start: str, to: str, inside: bool = False) -> State:
    """movement.general.1 The army's CUs and generals taken from one space and put into another."""
    state = state.take(start, march.side, march.force)
    state = state.add(to, march.side, march.force, inside=inside)
    return state.move_generals(march.generals, to, inside=inside)


def crossed(state: State, kind: str, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.land.2a Attrition at a pass; outside the Alps at -2 (movement.land.2b). Native Guide: -3 more."""
    march = state.marching()
    events: tuple[Event, ...] = ()
    if not is_pass(kind):
        return state, ()
    if kind == "alpine_pass" and train_among(state, march.generals):
        state, events = lose_train(state)
    table = TABLES.attrition
    modifier = table.alpine_pass if kind == "alpine_pass" else table.other_pass
    if state.play is not None and state.play.use == "native_guide":
        modifier += table.native_guide
    left, more = attrition(
        dice, "movement.land.2a", march.force, modifier, side=march.side, space=march.at, general=march.general
    )
    return lessened(state, left), (*events, *more)


def lessened(state: State, left: Troops) -> State:
    """tables.attrition.when The moving army after losses, in its space."""
    march = state.marching()
    gone = march.force.minus(left)
    place = state.spaces[march.at]
    state = state.set_outside(march.at, march.side, place.outside(march.side).minus(gone))
    return replace(state, march=march.with_force(left))


def charmed(state: State) -> tuple[State, tuple[Event, ...]]:
    """strategy.event.1 Card 28: Hannibal charms each Italian space that he enters and no Roman CU holds."""
    march = state.marching()
    if state.playing().use != "charm" or region_of(march.at) != "italia":
        return state, ()
    return cleared(state, march.at, 28)


def cleared(state: State, space: str, card: int | None) -> tuple[State, tuple[Event, ...]]:
    """movement.command.6 A Roman PC that is no city goes where no Roman CU stands."""
    place = state.spaces[space]
    if place.control != "rome" or ground(space).city or place.rome.size:
        return state, ()
    told = event("movement.command.6", "pc_removed", side="rome", space=space, why=card or "hanno")
    return state.with_place(space, replace(place, control=None)), (told,)


def arrival(state: State) -> State:
    """movement.general.3 What happens on every entry, in order: hostile tribes, interception, a meeting."""
    march = state.marching()
    other = enemy(march.side)
    state = replace(state, march=replace(march, intercepted=(), failed_avoid=False))
    return state.then(
        Prompt("counter", other, "strategy.event.2", {"moment": "tribes"}),
        Prompt("intercept", other, "interception.1", {"declared": []}),
        Prompt("meet", "", "movement.land.1d"),
    )


def halt(state: State, command: Halt, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.land.1 The move ends here."""
    return halting(state), (event("movement.land.1", "halted", space=state.marching().at),)


def halting(state: State) -> State:
    """movement.land.1 The weather may still turn (card 41); then the move is over."""
    other = enemy(state.marching().side)
    return state.then(
        Prompt("counter", other, "strategy.event.2", {"moment": "weather"}),
        Prompt("halted", "", "movement.land.1"),
    )


def halted(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.command.6 Where Hanno ends a move without a battle on a Roman PC that is no city, it goes."""
    state = state.answered()
    events: tuple[Event, ...] = ()
    march = state.march
    if march is None:
        return state, ()
    if LEADERS[march.general].clears_pc and march.general not in state.playing().fought:
        state, events = cleared(state, march.at, None)
    return replace(state, march=None), events


def march_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.land.1 Nothing more to do: the army halts by itself."""
    return (halting(state) if state.march is not None else state.answered()), ()


# offers


def ranges(start: int, stop: int, allowed: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """The unbroken runs of allowed numbers from start to stop."""
    low: int | None = None
    for number in range(start, stop + 2):
        good = number <= stop and allowed(number)
        if good and low is None:
            low = number
        if not good and low is not None:
            yield low, number - 1
            low = None


def fits(check: Callable[[], object]) -> bool:
    """Does this check let the thing through?"""
    try:
        check()
    except Illegal:
        return False
    return True


Loads = list[tuple[tuple[str, ...], int, int, int]]


def loads(state: State, march: March, most: int) -> Loads:
    """movement.land.1b Every party: companions, elephants and a run of units that may leave together."""
    here = state.spaces[march.at].all_of(march.side)
    found: Loads = []
    for companions in parties(companions_of(state, march.general), least=0):
        for elephants in range(min(here.elephants, most) + 1):

            def may_leave(units: int, elephants: int = elephants, companions: tuple[str, ...] = companions) -> bool:
                force = Troops(units, elephants)
                return fits(lambda: check_party(state, march, companions, force))

            top = min(here.units, most - elephants)
            found += [(companions, elephants, low, high) for low, high in ranges(0, top, may_leave)]
    return found


def step_offers(state: State) -> tuple[Offer, ...]:
    """movement.land.1 For each party the spaces that it may enter; an empty one apart, for it may enter fewer."""
    march = state.marching()
    if march.stopped:
        return ()
    ways = [to for to in dict.fromkeys(CHART.neighbours(march.at)) if fits(partial(check_way, state, march, to))]
    if not ways:
        return ()
    offers = []
    for companions, elephants, low, high in loads(state, march, TABLES.movement.units):
        runs = [(0, 0), (1, high)] if elephants == 0 and low == 0 else [(low, high)]
        for first, last in runs:
            force = Troops(first, elephants)
            to = [way for way in ways if fits(partial(check_entry, state, march, way, companions, force))]
            if to and first <= last:
                fields = {
                    "to": to,
                    "companions": [list(companions)],
                    "elephants": elephants,
                    "units": {"from": first, "to": last},
                }
                offers.append(Offer("step", "movement.land.1", fields))
    return tuple(offers)
