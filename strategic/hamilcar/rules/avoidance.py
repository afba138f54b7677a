"""Avoiding battle: into the walls or away, and the pursuit (as in the older game)."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import (
    Avoid,
    Pass,
    Pursue,
    Shelter,
    Stand,
)
from strategic.hamilcar.rules.forces import check_force, runs, span
from strategic.hamilcar.rules.sea import lift_siege
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import (
    as_side,
    commander,
    enemy_outside,
    enemy_units,
    generals_at,
    is_enemy_ground,
    least_consular,
    rating,
    standing,
)
from strategic.hamilcar.tables import CHART, Side, ground
from strategic.hamilcar.troops import Troops
from strategic.interception import attempt
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]
ROADS = ("road",)


def check_shelter(state: State, command: Shelter) -> Troops:
    """avoid.1a Into the own city in the space, as many as fit."""
    side, space = as_side(state.agenda[-1].seat), state.marching().at
    place = state.spaces[space]
    if place.control != side or not ground(space).city or place.besieged():
        raise Illegal("avoid.1a", f"there is no own city at {space} to go into")
    force = Troops(command.units, command.elephants, command.trains)
    for name in command.generals:
        if name not in generals_at(state, side, space, inside=False):
            raise Illegal("avoid.1a", f"{name} does not stand before the walls")
    if force.size < 1 and not command.generals:
        raise Illegal("avoid.1a", "nobody would go in")
    here = place.outside(side)
    if not here.holds(force) or min(force.units, force.elephants, force.trains) < 0:
        raise Illegal("avoid.1a", "so many do not stand there")
    staying = [name for name in generals_at(state, side, space, inside=False) if name not in command.generals]
    least = least_consular(state, staying)
    if force.size and here.size - force.size < least <= here.size:
        raise Illegal("18.1", f"a consul is left with at least {least} CUs")
    if force.size > state.room_left(space) or force.trains > max(state.train_room(space), 0):
        raise Illegal("cities.2", f"only {state.room_left(space)} CUs and {state.train_room(space)} trains fit inside")
    return force


def shelter(state: State, command: Shelter, dice: Dice) -> Handled:
    """avoid.1a No roll, and no pursuit."""
    force = check_shelter(state, command)
    side, space = as_side(state.agenda[-1].seat), state.marching().at
    state = state.take(space, side, force).add(space, side, force, inside=True)
    state = state.move_generals(command.generals, space, inside=True)
    told = event("avoid.1a", "shelters", side=side, space=space, units=force.size, generals=list(command.generals))
    return state, (told,)


def ways_out(state: State, side: Side) -> tuple[str, ...]:
    """avoid.2a Next spaces by road without enemy PC, enemy CUs or a tribe that is no friend, not the attacker's way."""
    march = state.marching()
    return tuple(
        there for there in dict.fromkeys(CHART.neighbours(march.at, ROADS))
        if there != march.came_from() and not is_enemy_ground(state, side, there)
        and not enemy_units(state, side, there)
    )  # fmt: skip


def check_avoid(state: State, command: Avoid) -> Troops:
    """avoid.2 A general outside the walls with 10 CUs at most, by an open way; not after a failed interception."""
    side, march = as_side(state.agenda[-1].seat), state.marching()
    if command.general not in generals_at(state, side, march.at, inside=False):
        raise Illegal("avoid.2", f"{command.general} is not there to lead the way")
    if state.agenda[-1].about.get("tried"):
        raise Illegal("avoid.2", "one try to avoid this battle has failed")
    if march.at in march.failed:
        raise Illegal("interception.1e", "who failed to intercept this army cannot avoid it")
    if command.to not in ways_out(state, side):
        raise Illegal("avoid.2a", f"the army cannot slip away to {command.to}")
    force = Troops(command.units, command.elephants, command.trains)
    check_force(state, side, march.at, False, force, (command.general, *_followers(state, side, command.general)))
    return force


def _followers(state: State, side: Side, leader: str) -> tuple[str, ...]:
    here = generals_at(state, side, state.marching().at, inside=False)
    return tuple(name for name in here if name != leader and standing(state, name) <= standing(state, leader))


def avoid(state: State, command: Avoid, dice: Dice) -> Handled:
    """avoid.2 A die no higher than the battle rating; who fails fights with a card less."""
    force = check_avoid(state, command)
    side, march = as_side(state.agenda[-1].seat), state.marching()
    good, face = attempt(dice, "avoid.2", rating(state, command.general), general=command.general)
    told = event("avoid.2", "avoids", side=side, general=command.general, to=command.to, dice=[face], success=good)
    if not good:
        state = replace(state.asking(tried=True), march=replace(march, failed_avoid=True))
        return state.answered(), (told,)
    party = (command.general, *_followers(state, side, command.general))
    state = state.take(march.at, side, force).add(command.to, side, force).move_generals(party, command.to)
    state = lift_siege(state, march.at)
    if enemy_outside(state, march.side, march.at).size:
        return state, (told,)  # some stayed, and may yet go inside
    return state.answered().then(Prompt("pursue", march.side, "pursuit.2")), (told,)


def stand(state: State, command: Stand, dice: Dice) -> Handled:
    """avoid.1 They wait for the attack."""
    return state.answered(), ()


def avoid_offers(state: State) -> tuple[Offer, ...]:
    """avoid.1 Walls, ways out, or battle."""
    side, march = as_side(state.agenda[-1].seat), state.marching()
    here = state.spaces[march.at].outside(side)
    if not here.size:
        return ()
    found = [*_shelters(state, side, march.at)]
    leader = commander(state, generals_at(state, side, march.at, inside=False))
    if leader is not None:
        outs = ways_out(state, side)
        legal = []
        elephants = min(here.elephants, state.tables.movement.units)
        for units in range(min(here.units, state.tables.movement.units - elephants) + 1):
            try:
                check_avoid(state, Avoid(outs[0] if outs else "", leader, units, elephants, min(here.trains, 10)))
            except Illegal:
                continue
            legal.append(units)
        for low, high in runs(legal):
            fields = {
                "to": list(outs), "general": leader, "units": span(low, high), "elephants": elephants,
                "trains": min(here.trains, 10),
            }  # fmt: skip
            found.append(Offer("avoid", "avoid.2", fields))
    return (*found, Offer("stand", "avoid.1"))


def _shelters(state: State, side: Side, space: str) -> list[Offer]:
    here = state.spaces[space].outside(side)
    room = min(state.room_left(space), here.size)
    if room < 1:
        return []
    elephants = min(here.elephants, room)
    units = min(here.units, room - elephants)
    trains = max(min(here.trains, state.train_room(space)), 0)
    everyone = here.size <= room
    generals = generals_at(state, side, space, inside=False)
    command = Shelter(units, elephants, trains, generals if everyone else ())
    try:
        check_shelter(state, command)
    except Illegal:
        return []
    fields = {"units": units, "elephants": elephants, "trains": trains, "generals": [list(command.generals)]}
    return [Offer("shelter", "avoid.1a", fields)]


def pursue(state: State, command: Pursue, dice: Dice) -> Handled:
    """pursuit.2 A die no higher than the rating lets the army move on; else it stops, but may still besiege."""
    state, march = state.answered(), state.marching()
    good, face = attempt(dice, "pursuit.2", rating(state, march.general), general=march.general)
    told = event("pursuit.2", "pursues", side=march.side, general=march.general, dice=[face], success=good)
    return replace(state, march=replace(march, stopped=not good)), (told,)


def no_pursuit(state: State, command: Pass, dice: Dice) -> Handled:
    """pursuit.1 The army stays."""
    return replace(state.answered(), march=replace(state.marching(), stopped=True)), ()


def pursue_offers(state: State) -> tuple[Offer, ...]:
    """pursuit.1 Roll or stay; with no points left there is nothing to roll for."""
    if not state.marching().points:
        return ()
    return (Offer("pursue", "pursuit.2"), Offer("pass", "pursuit.1"))


def stays(state: State, dice: Dice) -> Handled:
    """pursuit.3 Without points the army stops."""
    return replace(state.answered(), march=replace(state.marching(), stopped=True)), ()
