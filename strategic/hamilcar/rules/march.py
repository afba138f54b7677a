"""movement.land An activated general on land: steps, straits, trains burnt, going inside walls, sorties."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from strategic.atlas import Connection
from strategic.hamilcar.commands import BurnTrains, Enter, Halt, Sortie, Step
from strategic.hamilcar.rules.battle import begin_battle
from strategic.hamilcar.rules.forces import check_force, check_party, choices, span
from strategic.hamilcar.rules.sea import lift_siege, sail_offers
from strategic.hamilcar.rules.sieges import besiege_offers
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import enemy_outside, enemy_units
from strategic.hamilcar.tables import CHART, enemy, ground
from strategic.hamilcar.troops import Troops
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]
T = TypeVar("T")
MESSANA = frozenset({"messana", "regium"})


def check_way(state: State, to: str) -> Connection:
    """movement.land.1, movement.land.2c The connection by land to a space, if it is open and paid for."""
    march = state.marching()
    if march.stopped:
        raise Illegal("movement.land.1", f"{march.general} has ended his move")
    if march.inside and enemy_outside(state, march.side, march.at).size:
        raise Illegal("siege.6", "the enemy stands before the walls: only a sortie leads out")
    way = CHART.between(march.at, to) if to in CHART.spaces else None
    if way is None:
        raise Illegal("movement.land.1", f"no way by land leads from {march.at} to {to}")
    if way.cost > march.points:
        raise Illegal("movement.land.1", f"this way costs {way.cost} points, and {march.points} are left")
    if {way.start, way.end} == MESSANA and not all(state.spaces[end].control == march.side for end in MESSANA):
        raise Illegal("movement.land.2c", "the strait of Messana is marched over only by who holds both its cities")
    return way


def check_step(state: State, command: Step) -> Connection:
    """movement.land.1 What forbids this step."""
    march = state.marching()
    way = check_way(state, command.to)
    check_party(state, march.side, march.general, command.companions)
    force = Troops(command.units, command.elephants, command.trains)
    check_force(state, march.side, march.at, march.inside, force, (march.general, *command.companions))
    if force.trains and not force.size:
        raise Illegal("8.2.1", "trains move only with CUs")
    if not force.size and enemy_units(state, march.side, command.to):
        raise Illegal("movement.land.1d", f"a general needs an army to enter {command.to}, where enemy CUs stand")
    return way


def step(state: State, command: Step, dice: Dice) -> Handled:
    """movement.land.1 One space by land; interception, avoidance and battle may follow."""
    way = check_step(state, command)
    march = state.marching()
    force = Troops(command.units, command.elephants, command.trains)
    state = state.take(march.at, march.side, force, march.inside).add(command.to, march.side, force)
    state = state.move_generals((march.general, *command.companions), command.to)
    state = lift_siege(state, march.at)
    state = replace(
        state,
        march=replace(
            march, points=march.points - way.cost, path=(*march.path, command.to), legs=(*march.legs, way.kind),
            force=force, companions=command.companions, inside=False, acted=True, failed_avoid=False, failed=(),
        ),
    )  # fmt: skip
    told = event(
        "movement.land.1", "moves", side=march.side, general=march.general, start=march.at, to=command.to,
        units=force.units, elephants=force.elephants, trains=force.trains,
    )  # fmt: skip
    prompts = (
        Prompt("intercept", enemy(march.side), "interception.1"),
        Prompt("entered", "", "movement.land.1"),
    )
    return state.then(*prompts), (told,)


def burn_trains(state: State, command: BurnTrains, dice: Dice) -> Handled:
    """8.2.1.burn The commander destroys trains where he stands, 1 movement point each."""
    march = state.marching()
    if not 1 <= command.count <= most_burnt(state):
        raise Illegal("8.2.1.burn", f"{most_burnt(state)} trains can be destroyed here with the points that are left")
    state = state.take(march.at, march.side, Troops(0, 0, command.count), march.inside)
    march = replace(march, points=march.points - command.count * state.tables.movement.burn)
    told = event("8.2.1.burn", "trains_destroyed", side=march.side, space=march.at, trains=command.count)
    return replace(state, march=march), (told,)


def most_burnt(state: State) -> int:
    """8.2.1.burn How many trains can be destroyed: those here, within the points."""
    march = state.marching()
    here = state.troops(march.at, march.side, march.inside).trains
    return 0 if march.stopped else min(here, march.points // state.tables.movement.burn)


def check_enter(state: State, command: Enter) -> Troops:
    """cities.4 Into an own city with room, from outside."""
    march = state.marching()
    place = state.spaces[march.at]
    if march.stopped:
        raise Illegal("movement.land.1", f"{march.general} has ended his move")
    if march.inside or place.control != march.side or not ground(march.at).city:
        raise Illegal("cities.4", f"{march.at} is no own city that he could enter")
    check_party(state, march.side, march.general, command.companions)
    force = Troops(command.units, command.elephants, command.trains)
    check_force(state, march.side, march.at, False, force, (march.general, *command.companions))
    if force.size > state.room_left(march.at):
        raise Illegal("cities.2", f"only {state.room_left(march.at)} more CUs fit inside")
    if force.trains > state.train_room(march.at):
        raise Illegal("8.2.1.limit", f"only {state.train_room(march.at)} more trains fit inside")
    return force


def enter(state: State, command: Enter, dice: Dice) -> Handled:
    """cities.4 The army goes inside the walls, and its move is over."""
    force, march = check_enter(state, command), state.marching()
    state = state.take(march.at, march.side, force).add(march.at, march.side, force, inside=True)
    state = state.move_generals((march.general, *command.companions), march.at, inside=True)
    march = replace(march, inside=True, stopped=True, companions=command.companions, force=force)
    told = event("cities.4", "enters_city", side=march.side, general=march.general, space=march.at, units=force.size)
    return replace(state, march=march), (told,)


def check_sortie(state: State, command: Sortie) -> Troops:
    """siege.6 From inside, with CUs, against enemies before the walls."""
    march = state.marching()
    if march.stopped or not march.inside or not enemy_outside(state, march.side, march.at).size:
        raise Illegal("siege.6", "a sortie needs an army inside and enemies before the walls")
    check_party(state, march.side, march.general, command.companions)
    force = Troops(command.units, command.elephants, command.trains)
    if not force.size:
        raise Illegal("siege.6", "a sortie needs CUs")
    check_force(state, march.side, march.at, True, force, (march.general, *command.companions))
    return force


def sortie(state: State, command: Sortie, dice: Dice) -> Handled:
    """siege.6 The army comes out and fights."""
    force, march = check_sortie(state, command), state.marching()
    state = state.take(march.at, march.side, force, inside=True).add(march.at, march.side, force)
    state = state.move_generals((march.general, *command.companions), march.at)
    march = replace(march, inside=False, stopped=True, companions=command.companions, force=force, acted=True)
    state = replace(state, march=march)
    told = event("siege.6", "sortie", side=march.side, general=march.general, space=march.at, units=force.size)
    state, more = begin_battle(state, sortie=True)
    return state, (told, *more)


def halt(state: State, command: Halt, dice: Dice) -> Handled:
    """movement.land.1 The move is over."""
    return move_over(state, dice)


def move_over(state: State, dice: Dice) -> Handled:
    """movement.land.1 Nothing more can be done."""
    return replace(state.answered(), march=None), ()


def is_there(state: State) -> bool:
    """movement.land.5 Is the general still with his march?"""
    march = state.march
    if march is None:
        return False
    record = state.generals[march.general]
    return record.status == "board" and record.space == march.at


def offers(state: State) -> tuple[Offer, ...]:
    """movement.land.1 Steps, lanes, sieges, walls, or the end of the move."""
    if not is_there(state):
        return ()
    march = state.marching()
    found: list[Offer] = []
    if not march.stopped:
        found += _steps(state)
        found += sail_offers(state)
        if most_burnt(state):
            found.append(Offer("burn_trains", "8.2.1.burn", {"count": span(1, most_burnt(state))}))
        found += _walls(state)
    found += besiege_offers(state)
    return (*found, Offer("halt", "movement.land.1"))


def _steps(state: State) -> list[Offer]:
    march = state.marching()
    found = []
    for to in dict.fromkeys(CHART.neighbours(march.at)):
        try:
            check_way(state, to)
        except Illegal:
            continue
        for fields in choices(state, march.side, march.at, march.inside, march.general):
            if not fields["units"] and not fields["elephants"] and enemy_units(state, march.side, to):
                continue
            found.append(Offer("step", "movement.land.1", {"to": to, **fields}))
    return found


def _walls(state: State) -> list[Offer]:
    march = state.marching()
    found = []
    for fields in choices(state, march.side, march.at, march.inside, march.general, bare=False):
        units = fields["units"]
        options = range(units["from"], units["to"] + 1) if isinstance(units, dict) else (units,)
        rest = (fields["elephants"], fields["trains"], tuple(fields["companions"][0]))
        entering = [count for count in options if _may(check_enter, state, Enter(count, *rest))]
        coming = [count for count in options if _may(check_sortie, state, Sortie(count, *rest))]
        if entering:
            found.append(Offer("enter", "cities.4", {**fields, "units": entering}))
        if coming:
            found.append(Offer("sortie", "siege.6", {**fields, "units": coming}))
    return found


def _may(check: Callable[[State, T], object], state: State, command: T) -> bool:
    """Is this command allowed?"""
    try:
        check(state, command)
    except Illegal:
        return False
    return True
