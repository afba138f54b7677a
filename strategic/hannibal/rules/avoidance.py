"""Meeting an enemy: avoiding battle, the overrun, and the pursuit."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.commands import Avoid, Done, Pursue, Shelter, Stand
from strategic.hannibal.rules.displacement import caught_alone, lose_train, train_among
from strategic.hannibal.rules.movement import fits, ranges, shifted
from strategic.hannibal.rules.operations import seat_side
from strategic.hannibal.state import March, State, Troops
from strategic.hannibal.survey import (
    commander,
    enemy_units,
    generals_at,
    holding,
    is_enemy_ground,
    keeps_to,
    least_consular,
    may_units_enter,
    rating,
)
from strategic.hannibal.tables import CHART, LEADERS, TABLES, Side, enemy, ground
from strategic.interception import attempt, outs, parties
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

ROADS = ("road",)


def meet(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.land.1d Who is here? Nobody outside the walls: go on. Others may avoid battle.

    cities.3: CUs inside a city are not met. interception.general.5: who has just intercepted finds no refuge.
    """
    state = state.answered()
    march = state.march
    if march is None or march.inside:
        return state, ()
    other = enemy(march.side)
    troops = state.spaces[march.at].outside(other)
    people = generals_at(state, other, march.at, inside=False)
    if not troops.size and not people:
        return state, ()
    if not march.force.size:
        return alone_among(state, march) if troops.size else (state, ())
    if march.intercepted:
        return state.then(Prompt("clash", "", "battle.1")), ()
    return state.then(Prompt("avoid", other, "avoid.1", {"sheltered": False}), Prompt("clash", "", "battle.1")), ()


def alone_among(state: State, march: March) -> tuple[State, tuple[Event, ...]]:
    """movement.land.1d A general whose CUs died on the way steps back where he came from.

    Ruling: attrition hurts no general, and he may not enter among CUs alone. movement.land.1e lets him pass
    generals without CUs.
    """
    back = replace(march, path=march.path[:-1], legs=march.legs[:-1], stopped=True)
    state = shifted(state, march, march.at, march.path[-2])
    told = event("movement.land.1d", "stepped_back", general=march.general, start=march.at, to=back.at)
    return replace(state, march=back), (told,)


# avoiding


def check_shelter(state: State, side: Side, command: Shelter) -> None:
    """avoid.1a, cities.4 Into a friendly city in the space, as far as there is room."""
    space = state.marching().at
    if not ground(space).city or not holding(state, side, space):
        raise Illegal("avoid.1a", "there is no friendly city in the space")
    if state.agenda[-1].about["sheltered"]:
        raise Illegal("avoid.1a", "the gates are closed again")
    force = Troops(command.units, command.elephants)
    if not set(command.generals) <= set(generals_at(state, side, space, inside=False)):
        raise Illegal("avoid.1a", "these generals are not before the walls")
    if command.units < 0 or command.elephants < 0 or not state.spaces[space].outside(side).holds(force):
        raise Illegal("avoid.1a", "there are not so many CUs before the walls")
    if not force.size and not command.generals:
        raise Illegal("avoid.1a", "somebody must go in")
    if force.size > state.room_left(space):
        raise Illegal("cities.2", f"the walls hold {state.room_left(space)} more CUs")


def shelter(state: State, command: Shelter, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """avoid.1a No roll, and no pursuit roll either."""
    side, space = seat_side(state), state.marching().at
    check_shelter(state, side, command)
    force = Troops(command.units, command.elephants)
    state = state.asking(sheltered=True).enter_walls(space, side, force)
    state = state.move_generals(command.generals, space, inside=True)
    told = event("avoid.1a", "sheltered", side=side, space=space, units=force.size, generals=list(command.generals))
    return state, (told,)


def avoid_targets(state: State, side: Side) -> tuple[str, ...]:
    """avoid.3b, avoid.4 By road, not onto enemy PCs, CUs or foreign tribes, nor where the attacker came from."""
    march = state.marching()
    return outs(
        CHART,
        march.at,
        ROADS,
        march.came_from(),
        lambda there: not is_enemy_ground(state, side, there) and not enemy_units(state, side, there),
    )


def check_avoid(state: State, side: Side, command: Avoid) -> None:
    """avoid.3 One space, up to 10 CUs; some may stay (avoid.3a)."""
    march = state.marching()
    if command.to not in avoid_targets(state, side):
        raise Illegal("avoid.3b", f"one may not avoid into {command.to}")
    check_avoiders(state, side, command.generals, Troops(command.units, command.elephants))
    for name in command.generals:
        if not keeps_to(name, command.to):
            raise Illegal("movement.command.6", f"{name} may not leave {LEADERS[name].keeps_to}")
    if command.units + command.elephants and not may_units_enter(state, side, march.at, command.to):
        raise Illegal("strategy.event.1", "cards 57 and 58 keep these CUs out of there")


def check_avoiders(state: State, side: Side, group: tuple[str, ...], force: Troops) -> None:
    """avoid.3a Who goes and what stays. interception.general.6: who failed to stop this army cannot avoid it."""
    march = state.marching()
    here = generals_at(state, side, march.at, inside=False)
    if not group or len(set(group)) != len(group) or not set(group) <= set(here):
        raise Illegal("avoid.1", "CUs avoid battle only under a general who is here")
    if set(group) & set(march.failed):
        raise Illegal("interception.general.6", "who failed to intercept this army may not avoid it")
    outside = state.spaces[march.at].outside(side)
    if force.units < 0 or force.elephants < 0 or not outside.holds(force):
        raise Illegal("avoid.3", "there are not so many CUs here")
    if force.size > TABLES.movement.units:
        raise Illegal("avoid.3", f"at most {TABLES.movement.units} CUs avoid together")
    staying = [name for name in here if name not in group]
    if force.size and outside.size - force.size < least_consular(state, staying):
        raise Illegal("movement.general.2", "a consul who stays keeps at least 5 CUs")


def avoid(state: State, command: Avoid, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """avoid.2 No higher than the battle rating of their commander; Fabius 5, Gisgo 3."""
    side = seat_side(state)
    check_avoid(state, side, command)
    state = state.answered()
    march = state.marching()
    leader = commander(state, command.generals)
    limit = (LEADERS[leader].avoid if leader else 0) or rating(leader)
    good, face = attempt(dice, "avoid.2", limit, general=leader or "", to=command.to)
    told = event(
        "avoid.2a",
        "avoid",
        side=side,
        general=leader,
        start=march.at,
        to=command.to,
        dice=[face],
        rating=limit,
        success=good,
    )
    if not good:
        return replace(state, march=replace(march, failed_avoid=True)), (told,)
    force = Troops(command.units, command.elephants)
    place = state.spaces[march.at]
    state = state.with_place(march.at, place.with_outside(side, place.outside(side).minus(force)))
    state = state.add(command.to, side, force).move_generals(command.generals, command.to)
    state, events = caught_alone(state, march.side, command.to) if force.size else (state, ())
    if train_among(state, command.generals) and not state.options.siege_train_survives:
        state, more = lose_train(state)
        events += more
    return replace(state, march=replace(march, chased=True)), (told, *events)


def stand(state: State, command: Stand, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """avoid.1 They stay."""
    return state.answered(), (event("avoid.1", "stood", side=seat_side(state), space=state.marching().at),)


def avoid_open(state: State) -> bool:
    """avoid.1 Can they do anything but stand?"""
    march = state.march
    if march is None or not _somebody(state, march):
        return False
    return len(avoid_offers(state)) > 1


def _somebody(state: State, march: March) -> bool:
    other = enemy(march.side)
    return bool(state.spaces[march.at].outside(other).size or generals_at(state, other, march.at, inside=False))


def avoid_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """avoid.1 There is no choice."""
    return state.answered(), ()


def avoid_offers(state: State) -> tuple[Offer, ...]:
    """avoid.1 Into the walls, away, or stand."""
    side = seat_side(state)
    return (*_shelter_offers(state, side), *_avoid_offers(state, side), Offer("stand", "avoid.1"))


def _shelter_offers(state: State, side: Side) -> list[Offer]:
    space = state.marching().at
    out, found = state.spaces[space].outside(side), []
    people = generals_at(state, side, space, inside=False)
    for group in parties(people, least=0):
        for elephants in range(out.elephants + 1):

            def may_enter(units: int, elephants: int = elephants, group: tuple[str, ...] = group) -> bool:
                return fits(lambda: check_shelter(state, side, Shelter(group, units, elephants)))

            for low, high in ranges(0, out.units, may_enter):
                fields = {"generals": [list(group)], "elephants": elephants, "units": {"from": low, "to": high}}
                found.append(Offer("shelter", "avoid.1a", fields))
    return found


def _avoid_offers(state: State, side: Side) -> list[Offer]:
    march = state.marching()
    out, found = state.spaces[march.at].outside(side), []
    targets = avoid_targets(state, side)
    for group in parties(generals_at(state, side, march.at, inside=False)) if targets else ():
        to = [t for t in targets if all(keeps_to(name, t) for name in group)]
        to = [t for t in to if may_units_enter(state, side, march.at, t)]
        for elephants in range(min(out.elephants, TABLES.movement.units) + 1) if to else ():

            def may_go(units: int, elephants: int = elephants, group: tuple[str, ...] = group) -> bool:
                return fits(lambda: check_avoiders(state, side, group, Troops(units, elephants)))

            top = min(out.units, TABLES.movement.units - elephants)
            for low, high in ranges(0, top, may_go):
                fields = {
                    "to": to,
                    "generals": [list(group)],
                    "elephants": elephants,
                    "units": {"from": low, "to": high},
                }
                found.append(Offer("avoid", "avoid.2", fields))
    return found


# the clash


def clash(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.land.4 What is left is caught alone, overrun, or fights."""
    state = state.answered()
    march = state.march
    if march is None:
        return state, ()
    other = enemy(march.side)
    state, events = caught_alone(state, other, march.at)
    troops = state.spaces[march.at].outside(other)
    if troops.size == 1 and march.force.size >= TABLES.movement.overrun:
        state, more = overrun(state, march, other, troops)
        events += more
    elif troops.size:
        return opened(state), events
    return (state.then(Prompt("pursuit", march.side, "pursuit.1")) if march.chased else state), events


def overrun(state: State, march: March, other: Side, troops: Troops) -> tuple[State, tuple[Event, ...]]:
    """movement.land.4 Five CUs ride down one (reading.2); its general is then alone (movement.land.5a)."""
    state = state.set_outside(march.at, other, Troops())
    told = event("movement.land.4", "overrun", side=other, space=march.at, elephants=troops.elephants)
    state, events = caught_alone(state, other, march.at)
    return state, (told, *events)


def opened(state: State) -> State:
    """battle.1 A battle comes, unless the weather (card 41) prevents it."""
    march = state.marching()
    return state.then(
        Prompt("counter", enemy(march.side), "strategy.event.2", {"moment": "weather"}),
        Prompt("battle", "", "battle.1", {"space": march.at}),
    )


# the pursuit


def pursuit_limit(state: State, march: March) -> int:
    """pursuit.2a The battle rating of the active army's commander; Flaminius 4."""
    return LEADERS[march.general].pursue or rating(march.general)


def pursuit_open(state: State) -> bool:
    """pursuit.3 Only with points left to go on with."""
    return state.march is not None and state.march.points > 0


def pursue(state: State, command: Pursue, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """pursuit.2 After a success the army moves on (pursuit.2b), after a failure it stops (pursuit.2c)."""
    state = state.answered()
    march = state.marching()
    limit = pursuit_limit(state, march)
    good, face = attempt(dice, "pursuit.2", limit, general=march.general)
    told = event("pursuit.2a", "pursuit", general=march.general, dice=[face], rating=limit, success=good)
    return replace(state, march=replace(march, chased=False, stopped=not good)), (told,)


def give_up(state: State, command: Done, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """pursuit.1 No pursuit: the army stops."""
    state = state.answered()
    return replace(state, march=replace(state.marching(), chased=False, stopped=True)), (
        event("pursuit.1", "no_pursuit", general=state.marching().general),
    )


def no_pursuit(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """pursuit.3 No points are left."""
    state = state.answered()
    if state.march is None:
        return state, ()
    return replace(state, march=replace(state.march, chased=False, stopped=True)), ()


def pursuit_offers(state: State) -> tuple[Offer, ...]:
    """pursuit.1 Roll, or stop."""
    return (Offer("pursue", "pursuit.2"), Offer("done", "pursuit.1"))
