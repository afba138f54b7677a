"""The loser's retreat: where he may go, what it costs, who comes along."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from strategic.hannibal.commands import RetreatTo
from strategic.hannibal.rules.displacement import caught_alone, displace_all, lose_train, train_among
from strategic.hannibal.rules.operations import seat_side
from strategic.hannibal.state import Battle, State, Troops
from strategic.hannibal.survey import (
    enemy_units,
    generals_at,
    holding,
    is_enemy_ground,
    keeps_to,
)
from strategic.hannibal.tables import CHART, TABLES, Side, enemy, ground
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, event

ROADS = ("road",)
CITY = "city"


@dataclass(frozen=True)
class Way:
    """A way of retreat and the CUs that it costs."""

    cost: int
    path: tuple[str, ...]


def entry_cost(state: State, side: Side, space: str, stops: bool) -> int:
    """retreat.8 One CU on hostile ground; retreat.9: one for each enemy CU passed."""
    return int(is_enemy_ground(state, side, space)) + (0 if stops else enemy_units(state, side, space))


def is_goal(state: State, side: Side, space: str, size: int) -> bool:
    """retreat.1 A friendly PC, or more friendly CUs than retreat; never with enemy CUs (retreat.9)."""
    if enemy_units(state, side, space):
        return False
    return holding(state, side, space) or state.spaces[space].all_of(side).size > size


def ways(state: State, battle: Battle, side: Side) -> dict[str, Way]:
    """retreat.1, retreat.2 The goals open to the loser: all the nearest (reading.4), and farther ones that cost less.

    retreat.3: by road only, not through the battle; retreat.4: the attacker first back where he came from;
    retreat.5: the defender never there; retreat.6, round.1c.5: after a landing or a sortie nowhere.
    """
    if side == battle.attacker and (battle.landed or battle.sortie or battle.came_from is None):
        return {}
    size = state.spaces[battle.space].outside(side).size
    reached: dict[str, Way] = {battle.space: Way(0, ())}
    goals: dict[str, tuple[int, Way]] = {}
    for length in range(1, TABLES.retreat.spaces + 1):
        following: dict[str, Way] = {}
        for here, way in reached.items():
            for there in dict.fromkeys(CHART.neighbours(here, ROADS)):
                if not _open(state, battle, side, here, there):
                    continue
                path = (*way.path, there)
                stop = Way(way.cost + entry_cost(state, side, there, stops=True), path)
                if is_goal(state, side, there, size) and (there not in goals or stop.cost < goals[there][1].cost):
                    goals[there] = (length, stop)
                on = Way(way.cost + entry_cost(state, side, there, stops=False), path)
                if there not in following or on.cost < following[there].cost:
                    following[there] = on
        reached = following
    if not goals:
        return {}
    nearest = min(length for length, _ in goals.values())
    near = {space: way for space, (length, way) in goals.items() if length == nearest}
    cheapest = min(way.cost for way in near.values())
    return near | {space: way for space, (_, way) in goals.items() if way.cost < cheapest}


def _open(state: State, battle: Battle, side: Side, here: str, there: str) -> bool:
    if there == battle.space:
        return False
    if here == battle.space and side == battle.attacker and there != battle.came_from:
        return False
    if side == battle.defender and there == battle.came_from:
        return False
    if not state.spaces[battle.space].outside(side).size and enemy_units(state, side, there):
        return False
    return all(keeps_to(name, there) for name in _people(state, battle, side))


def _people(state: State, battle: Battle, side: Side) -> tuple[str, ...]:
    return generals_at(state, side, battle.space, inside=False)


def city_room(state: State, battle: Battle, side: Side) -> int:
    """retreat.11 CUs that may go inside: a friendly city in the space, not besieged; a sortie may return anyway."""
    if not ground(battle.space).city or not holding(state, side, battle.space):
        return 0
    left = state.room_left(battle.space)
    if state.spaces[battle.space].besieged():
        return min(left, battle.sortie_size if side == battle.attacker else 0)
    return left


def check_retreat(state: State, side: Side, command: RetreatTo) -> None:
    """retreat.12 All together, or part into the city and the rest one way."""
    battle = state.fighting()
    force, inside = state.spaces[battle.space].outside(side), Troops(command.units_inside, command.elephants_inside)
    space_inside = city_room(state, battle, side)
    if command.units_inside < 0 or command.elephants_inside < 0 or not force.holds(inside):
        raise Illegal("retreat.12", "there are not so many CUs")
    if inside.size > space_inside:
        raise Illegal("retreat.11", f"{space_inside} CUs may go into the city")
    open_ways = ways(state, battle, side)
    if command.to == CITY:
        if not may_shut_in(state, battle, side):
            raise Illegal("retreat.11", "there is no city here to retreat into")
        if inside.size != min(force.size, space_inside):
            raise Illegal("retreat.12", "all who fit go inside")
        if inside.size < force.size and open_ways:
            raise Illegal("retreat.7", "nobody may be left behind: the rest must retreat")
    elif command.to not in open_ways:
        raise Illegal("retreat.1", f"{command.to} is no goal of this retreat")
    elif inside.size and inside.size == force.size:
        raise Illegal("retreat.12", "if all go into the city, retreat to the city")


def may_shut_in(state: State, battle: Battle, side: Side) -> bool:
    """retreat.11 Is there a city to go into (a general alone too)?"""
    if not ground(battle.space).city or not holding(state, side, battle.space):
        return False
    besieged = state.spaces[battle.space].besieged()
    if besieged and not (side == battle.attacker and battle.sortie_size):
        return False
    return city_room(state, battle, side) > 0 or not state.spaces[battle.space].outside(side).size


def retreat(state: State, command: RetreatTo, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """retreat.1 The loser leaves."""
    side = seat_side(state)
    check_retreat(state, side, command)
    battle, names = state.fighting(), _people(state, state.fighting(), side)
    goals = ways(state, battle, side)
    state = state.answered()
    inside = Troops(command.units_inside, command.elephants_inside)
    events: tuple[Event, ...] = ()
    if train_among(state, names):
        state, events = lose_train(state)
    if inside.size:
        state = state.enter_walls(battle.space, side, inside)
        events += (event("retreat.11", "into_city", side=side, units=inside.size),)
    if command.to == CITY:
        state = state.move_generals(names, battle.space, inside=True)
        left = state.spaces[battle.space].outside(side)
        state = _eliminated(state, side, left)
        told = event("retreat.11", "retreated", side=side, to=CITY, eliminated=left.size)
        return state, (*events, told)
    way = goals[command.to]
    state, more = march_off(state, side, names, way)
    return state, (*events, *more)


def _eliminated(state: State, side: Side, force: Troops) -> State:
    battle = state.fighting()
    if force.size:
        state = state.set_outside(battle.space, side, Troops())
        state = replace(state, battle=state.fighting().with_lost(side, force.size))
    return state


def march_off(state: State, side: Side, names: tuple[str, ...], way: Way) -> tuple[State, tuple[Event, ...]]:
    """retreat.7, retreat.8, retreat.9 Space by space: losses, and friends met on the way come along."""
    battle = state.fighting()
    force = state.spaces[battle.space].outside(side)
    state = state.set_outside(battle.space, side, Troops())
    events: tuple[Event, ...] = ()
    lost, had = 0, force.size
    for space in way.path:
        last = space == way.path[-1]
        due = min(entry_cost(state, side, space, stops=last), force.size)
        force, lost = force.after_losses(due, False), lost + due
        if force.size and not enemy_units(state, side, space):
            state, more = caught_alone(state, enemy(side), space)
            events += more
        friends = state.spaces[space].outside(side)
        if not last and 0 < friends.size <= force.size:
            state = state.set_outside(space, side, Troops())
            force, names = force.plus(friends), (*names, *generals_at(state, side, space, inside=False))
            had += friends.size
    goal = way.path[-1]
    state = replace(state, battle=state.fighting().with_lost(side, lost))
    told = event("retreat.1", "retreated", side=side, to=goal, path=list(way.path), lost=lost)
    if had and not force.size:
        state, more = displace_all(state, names, "losses.8")
        return state, (*events, told, *more)
    return state.add(goal, side, force).move_generals(names, goal), (*events, told)


def retreat_open(state: State) -> bool:
    """retreat.1 Is anybody left who has a way?"""
    battle, side = state.fighting(), seat_side(state)
    if not state.spaces[battle.space].outside(side).size and not _people(state, battle, side):
        return False
    return bool(ways(state, battle, side)) or may_shut_in(state, battle, side)


def no_retreat(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """retreat.10 Who has no way is eliminated, generals displaced; who is already gone goes nowhere."""
    battle, side = state.fighting(), seat_side(state)
    state = state.answered()
    force, names = state.spaces[battle.space].outside(side), _people(state, battle, side)
    if not force.size and not names:
        return state, ()
    state = _eliminated(state, side, force)
    rule = "retreat.6" if side == battle.attacker and battle.landed else "retreat.10"
    told = event(rule, "eliminated", side=side, space=battle.space, units=force.size)
    state, events = displace_all(state, names, "losses.8")
    return state, (told, *events)


def retreat_offers(state: State) -> tuple[Offer, ...]:
    """retreat.1 The goals, with every split between city and way."""
    battle, side = state.fighting(), seat_side(state)
    goals, force = list(ways(state, battle, side)), state.spaces[battle.space].outside(side)
    offers, most = [], city_room(state, battle, side)
    if goals:
        offers.append(_offer(goals, 0, 0, 0))
    for elephants in range(min(force.elephants, most) + 1):
        if goals:
            low, high = int(elephants == 0), min(force.units, most - elephants, force.size - 1 - elephants)
            if high >= low:
                offers.append(_offer(goals, low, high, elephants))
        units = min(force.size, most) - elephants
        if may_shut_in(state, battle, side) and 0 <= units <= force.units and (not goals or most >= force.size):
            offers.append(_offer([CITY], units, units, elephants))
    return tuple(offers)


def _offer(to: list[str], low: int, high: int, elephants: int) -> Offer:
    units = {"from": low, "to": high}
    return Offer("retreat", "retreat.1", {"to": to, "units_inside": units, "elephants_inside": elephants})
