"""Armies that meet on land: interception, avoiding battle, overrun, pursuit (as in the older game, and 11.7.second)."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import (
    AcceptBattle,
    Done,
    GoBack,
    Intercept,
    Pass,
)
from strategic.hamilcar.rules.battle import begin_battle
from strategic.hamilcar.rules.displacement import caught_alone, displace_all, take_trains
from strategic.hamilcar.rules.forces import check_force, runs, span
from strategic.hamilcar.rules.sea import lift_siege, voyage_prompts
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import (
    as_side,
    enemy_outside,
    enemy_units,
    generals_at,
    rating,
)
from strategic.hamilcar.tables import CHART, Side, enemy
from strategic.hamilcar.troops import Troops
from strategic.hamilcar.undertakings import Voyage
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
    if record.status != "board" or state.leaders[general].side != side or record.space is None:
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
        good, face = attempt(dice, "interception.2", rating(state, name), plus, general=name)
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
        elephants = min(here.elephants, state.tables.movement.units)
        legal = []
        for units in range(min(here.units, state.tables.movement.units - elephants) + 1):
            command = Intercept(name, units, elephants, min(here.trains, state.tables.sea.trains))
            try:
                check_intercept(state, command)
            except Illegal:
                continue
            legal.append(units)
        for low, high in runs(legal):
            fields = {
                "general": name, "units": span(low, high), "elephants": elephants,
                "trains": min(here.trains, state.tables.sea.trains),
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
    return march.force.size >= state.tables.movement.overrun and foe.size == 1


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
        state = lift_siege(state.take(space, other, foe.only_units()), space)
        told = event("movement.land.4", "overrun", side=side, space=space)
        state, more = displace_all(state, generals_at(state, other, space, inside=False), "movement.land.4")
        state, trains = take_trains(state, other, space)
        if enemy_units(state, side, space):
            state = replace(state, march=replace(state.marching(), stopped=True))
        return state, (told, *more, *trains)
    return begin_battle(state, failed_avoid=other if march.failed_avoid else None)


# avoiding battle


# pursuit
