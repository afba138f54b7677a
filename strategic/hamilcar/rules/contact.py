"""Armies that meet on land: interception, avoiding battle, overrun, pursuit (as in the older game, and 11.7.second)."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import (
    AcceptBattle,
    Avoid,
    Done,
    GoBack,
    Intercept,
    Pass,
    Pursue,
    Shelter,
    Stand,
)
from strategic.hamilcar.rules.battle import begin_battle
from strategic.hamilcar.rules.displacement import caught_alone, displace_all, take_trains
from strategic.hamilcar.rules.forces import check_force, runs, span
from strategic.hamilcar.rules.sea import lift_siege, voyage_prompts
from strategic.hamilcar.state import State, Troops, Voyage
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
from strategic.hamilcar.tables import CHART, LEADERS, TABLES, Side, enemy, ground
from strategic.interception import attempt
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]
ROADS = ("road",)


# interception


def is_bare(state: State) -> bool:
    """interception.1b Has the mover no other CU standing in the space that he entered?"""
    march = state.marching()
    place = state.spaces[march.at]
    return place.outside(march.side).size <= march.force.size and not place.within(march.side).size


def may_try(state: State, side: Side, general: str) -> bool:
    """interception.1 A general beside the space by road, not shut in, from a space that has not tried on this card."""
    march, record = state.marching(), state.generals[general]
    if record.status != "board" or LEADERS[general].side != side or record.space is None:
        return False
    if record.space not in CHART.neighbours(march.at, ROADS) or record.space in state.playing().intercepted_from:
        return False
    return not (record.inside and enemy_outside(state, side, record.space).size)


def declared(state: State) -> dict[str, list[int]]:
    """interception.1 The tries that have been named: general, and his CUs and trains."""
    found: dict[str, list[int]] = state.agenda[-1].about.get("declared", {})
    return found


def check_intercept(state: State, command: Intercept) -> None:
    """interception.1 Who may try with what: at least 1 CU, and a consul takes and leaves 3 (18.1)."""
    side = as_side(state.agenda[-1].seat)
    if not is_bare(state):
        raise Illegal("interception.1b", "where other CUs of the mover stand nobody intercepts")
    if command.general not in state.generals or not may_try(state, side, command.general):
        raise Illegal("interception.1", f"{command.general} does not stand beside the mover, free to march")
    record = state.generals[command.general]
    assert record.space is not None
    if record.space in (state.generals[name].space for name in declared(state)):
        raise Illegal("interception.1c", f"only one interception from {record.space}")
    force = Troops(command.units, command.elephants, command.trains)
    if not force.size:
        raise Illegal("interception.1", "an interception needs CUs")
    check_force(state, side, record.space, record.inside, force, (command.general,))


def intercept(state: State, command: Intercept, dice: Dice) -> Handled:
    """interception.1 Name one try; all are named before any die."""
    check_intercept(state, command)
    tries = {**declared(state), command.general: [command.units, command.elephants, command.trains]}
    return state.asking(declared=tries), ()


def let_pass(state: State, command: Pass, dice: Dice) -> Handled:
    """interception.1 No interception."""
    return state.answered(), ()


def roll_interceptions(state: State, command: Done, dice: Dice) -> Handled:
    """interception.2 Each rolls at most his rating, +1 where the mover has a PC and the interceptor no CU."""
    side, march = as_side(state.agenda[-1].seat), state.marching()
    tries = declared(state)
    if not tries:
        raise Illegal("interception.1", "nobody has been named to intercept")
    place = state.spaces[march.at]
    plus = int(place.control == march.side and not place.all_of(side).size)
    state = state.answered()
    events: list[Event] = []
    came: list[str] = []
    for name, counts in tries.items():
        record = state.generals[name]
        assert record.space is not None
        play = state.playing()
        state = replace(state, play=replace(play, intercepted_from=(*play.intercepted_from, record.space)))
        good, face = attempt(dice, "interception.2", rating(name), plus, general=name)
        events.append(
            event("interception.2", "interception", side=side, general=name, dice=[face], modifier=plus, success=good)
        )
        if good:
            force = Troops(*counts)
            state = state.take(record.space, side, force, record.inside).add(march.at, side, force)
            state = lift_siege(state.move_generals((name,), march.at), record.space)
            came.append(name)
        else:
            march = replace(march, failed=(*march.failed, record.space))
    state = replace(state, march=march)
    if came:
        prompt = Prompt("intercepted", march.side, "interception.3a", {"generals": came})
        state = replace(state, agenda=_marked(state, came)).then(prompt)
    return state, tuple(events)


def _marked(state: State, came: list[str]) -> tuple[Prompt, ...]:
    """interception.3 The entry that follows knows who came."""
    entry = state.agenda[-1]
    return (*state.agenda[:-1], replace(entry, about={**entry.about, "interceptors": came}))


def intercept_offers(state: State) -> tuple[Offer, ...]:
    """interception.1 Generals and forces who may try; then the dice, or nobody."""
    march = state.march
    if march is None or state.generals[march.general].space != march.at or not is_bare(state):
        return ()
    side = as_side(state.agenda[-1].seat)
    found: list[Offer] = []
    for name in state.generals:
        if not may_try(state, side, name):
            continue
        record = state.generals[name]
        assert record.space is not None
        here = state.troops(record.space, side, record.inside)
        elephants = min(here.elephants, TABLES.movement.units)
        legal = []
        for units in range(min(here.units, TABLES.movement.units - elephants) + 1):
            command = Intercept(name, units, elephants, min(here.trains, TABLES.sea.trains))
            try:
                check_intercept(state, command)
            except Illegal:
                continue
            legal.append(units)
        for low, high in runs(legal):
            fields = {
                "general": name, "units": span(low, high), "elephants": elephants,
                "trains": min(here.trains, TABLES.sea.trains),
            }  # fmt: skip
            found.append(Offer("intercept", "interception.1", fields))
    if declared(state):
        return (*found, Offer("done", "interception.2"))
    return (*found, Offer("pass", "interception.1")) if found else ()


def go_back(state: State, command: GoBack, dice: Dice) -> Handled:
    """interception.3a, 11.7.second.a Back one space by land, or over the last lane (H11: safe with supremacy).

    11.7.second.example From Panormus to Messana without a new naval battle.
    """
    if not may_go_back(state):
        raise Illegal("interception.3a", "there is no way back")
    state = state.answered().answered()  # this question and the entry
    march = state.marching()
    back = march.path[-2]
    told = event("interception.3a", "goes_back", side=march.side, general=march.general, space=back)
    if march.landed():
        ships = tuple(name for name in march.escort if name in state.ready(march.side))
        state = state.put_to_sea(march.side, ships)
        state = replace(state, voyage=Voyage(march.at, back, False, ships, back=True))
        return state.then(*voyage_prompts(enemy(march.side))[1:]), (told,)
    state = state.take(march.at, march.side, march.force).add(back, march.side, march.force)
    state = state.move_generals(march.generals, back)
    state = replace(
        state, march=replace(march, stopped=True, path=(*march.path, back), legs=(*march.legs, march.legs[-1]))
    )
    return state, (told,)


def may_go_back(state: State) -> bool:
    """interception.3a Not where enemy CUs have come to stand outside."""
    march = state.marching()
    return len(march.path) > 1 and not enemy_outside(state, march.side, march.path[-2]).size


def accept_battle(state: State, command: AcceptBattle, dice: Dice) -> Handled:
    """interception.3a The mover fights."""
    return state.answered(), ()


def intercepted_offers(state: State) -> tuple[Offer, ...]:
    """interception.3a Back, or battle."""
    found = [Offer("accept_battle", "interception.3a")]
    return (Offer("go_back", "interception.3a"), *found) if may_go_back(state) else tuple(found)


# entering a space


def entered(state: State, dice: Dice) -> Handled:
    """movement.land.1, 11.3 What happens where the army has come: lone enemies go, enemy CUs stop it or fight."""
    about = state.agenda[-1].about
    state = state.answered()
    march = state.march
    if march is None or state.generals[march.general].space != march.at:
        return state, ()
    side, space = march.side, march.at
    foe = enemy_outside(state, side, space)
    own = state.spaces[space].outside(side)
    events: tuple[Event, ...] = ()
    if not foe.size:
        if own.size:
            state, events = caught_alone(state, enemy(side), space)
        if enemy_units(state, side, space):
            state = replace(state, march=replace(state.marching(), stopped=True))
        return state, events
    if not own.size:
        state, events = caught_alone(state, side, space)
        return replace(state, march=replace(state.marching(), stopped=True)), events
    came = about.get("interceptors", [])
    if came:
        return begin_battle(state, interceptor=enemy(side))
    return state.then(
        Prompt("avoid", enemy(side), "avoid.1"),
        Prompt("meeting", "", "movement.land.4"),
    ), ()


def overruns(state: State) -> bool:
    """movement.land.4 Five CUs or more against the only enemy CU outside."""
    march = state.marching()
    foe = enemy_outside(state, march.side, march.at)
    return march.force.size >= TABLES.movement.overrun and foe.size == 1


def meeting(state: State, dice: Dice) -> Handled:
    """movement.land.4 After any avoidance: overrun, battle, or nobody left to fight."""
    state = state.answered()
    march = state.marching()
    side, space = march.side, march.at
    other = enemy(side)
    foe = enemy_outside(state, side, space)
    if not foe.size:
        state, events = caught_alone(state, other, space)
        if enemy_units(state, side, space):
            state = replace(state, march=replace(state.marching(), stopped=True))
        return state, events
    if overruns(state):
        state = state.take(space, other, foe.only_units())
        told = event("movement.land.4", "overrun", side=side, space=space)
        state, more = displace_all(state, generals_at(state, other, space, inside=False), "movement.land.4")
        state, trains = take_trains(state, other, space)
        if enemy_units(state, side, space):
            state = replace(state, march=replace(state.marching(), stopped=True))
        return state, (told, *more, *trains)
    return begin_battle(state, failed_avoid=other if march.failed_avoid else None)


# avoiding battle


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
    good, face = attempt(dice, "avoid.2", rating(command.general), general=command.general)
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
        elephants = min(here.elephants, TABLES.movement.units)
        for units in range(min(here.units, TABLES.movement.units - elephants) + 1):
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


# pursuit


def pursue(state: State, command: Pursue, dice: Dice) -> Handled:
    """pursuit.2 A die no higher than the rating lets the army move on; else it stops, but may still besiege."""
    state, march = state.answered(), state.marching()
    good, face = attempt(dice, "pursuit.2", rating(march.general), general=march.general)
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
