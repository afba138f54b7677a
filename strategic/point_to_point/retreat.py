"""The loser's retreat: where he may go, what it costs, who comes along."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from strategic.interception import parties
from strategic.point_to_point.battle import CITY
from strategic.point_to_point.commands import RetreatTo
from strategic.point_to_point.movement import spend
from strategic.point_to_point.rulebook import book_of, box
from strategic.point_to_point.state import ROADS, Battle, Campaign, Handled, S, Side, Troops, enemy, replace
from strategic.point_to_point.survey import (
    catch_alone,
    displace_all,
    enemy_outside,
    enemy_units,
    generals_at,
    holding,
    is_enemy_ground,
    is_met_alone,
    is_own_city,
    keep_to,
    side_of_prompt,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, event, refuse


@dataclass(frozen=True)
class Way:
    """A way of retreat and the CUs that it costs."""

    cost: int
    path: tuple[str, ...]
    by_sea: bool = False

    def ending(self, cost: int) -> Way:
        """retreat.8 The way with what its last space costs who stops there."""
        return Way(self.cost + cost, self.path, self.by_sea)


def entry_cost(state: Campaign, side: Side, space: str, stops: bool) -> int:
    """retreat.8 One CU on hostile ground; retreat.9: one for each enemy CU passed outside the walls (cities.3)."""
    return int(is_enemy_ground(state, side, space)) + (0 if stops else enemy_outside(state, side, space).size)


def is_goal(state: Campaign, side: Side, space: str, size: int) -> bool:
    """retreat.1 A friendly PC, or more friendly CUs than retreat; never with enemy CUs (retreat.9), of which those
    inside walls bar nobody from the camp before them (cities.3); nor generals alone with one of the enemy's.
    """
    if enemy_outside(state, side, space).size or (not size and is_met_alone(state, side, space)):
        return False
    return holding(state, side, space) or state.spaces[space].all_of(side).size > size


def routes(state: Campaign, battle: Battle, side: Side) -> Iterator[dict[str, Way]]:
    """retreat.3 By road only, not through the battle: for each number of spaces the cheapest way to each space."""
    reached: dict[str, Way] = {battle.space: Way(0, ())}
    for _ in range(state.tables.retreat.spaces):
        following: dict[str, Way] = {}
        for here, way in reached.items():
            toll = entry_cost(state, side, here, stops=False) if way.path else 0
            for there in dict.fromkeys(book_of(state).chart.neighbours(here, ROADS)):
                if _is_open(state, battle, side, here, there):
                    on = Way(way.cost + toll, (*way.path, there))
                    if there not in following or on.cost < following[there].cost:
                        following[there] = on
        yield {there: way.ending(entry_cost(state, side, there, stops=True)) for there, way in following.items()}
        reached = following


def ways(state: Campaign, battle: Battle, side: Side) -> dict[str, Way]:
    """retreat.1, retreat.2 The goals open to those on the field: all the nearest (reading.4), and farther ones that
    cost less. Of a split retreat the part that goes is on the field (`divide`).

    How near a goal is says its shortest way; what it costs, the way that is taken. A nearest goal is reached by its
    shortest way, or by a longer one that costs less than any of those. retreat.4: the attacker first back where he
    came from; retreat.5: the defender never there; retreat.6, round.1c.5: after a landing or a sortie nowhere by land.
    11.9 Where the game knows of it, by sea.
    """
    size = state.spaces[battle.space].outside(side).size
    ports = [port for port in book_of(state).sea_ways(state, side) if size or not is_met_alone(state, side, port)]
    by_sea = {port: Way(0, (port,), True) for port in ports}
    if side == battle.attacker and (battle.landed or battle.sortie or battle.came_from is None):
        return by_sea
    found: list[dict[str, Way]] = []
    for reached in routes(state, battle, side):
        found.append({there: way for there, way in reached.items() if is_goal(state, side, there, size)})
    nearest = next((goals for goals in found if goals), {})
    open_ways = dict(nearest)
    cheapest = min((way.cost for way in nearest.values()), default=0)
    for goals in found:
        for there, way in goals.items():
            if way.cost < cheapest and way.cost < open_ways.get(there, Way(cheapest, ())).cost:
                open_ways[there] = way
    return {**open_ways, **by_sea}


def _is_open(state: Campaign, battle: Battle, side: Side, here: str, there: str) -> bool:
    if there == battle.space:
        return False
    if here == battle.space and side == battle.attacker and there != battle.came_from:
        return False
    if side == battle.defender and there == battle.came_from:
        return False
    if not state.spaces[battle.space].outside(side).size and enemy_units(state, side, there):
        return False
    return keep_to(state, people(state, battle, side), there)


def people(state: Campaign, battle: Battle, side: Side) -> tuple[str, ...]:
    """retreat.1 The generals of a side on the field."""
    return generals_at(state, side, battle.space, inside=False)


# the city


def divide(state: S, side: Side, inside: Troops, group: tuple[str, ...]) -> S:
    """retreat.12 The battle's space when this part of the loser has gone into the city."""
    space = state.fighting().space
    return state.enter_walls(space, side, inside).move_generals(group, space, inside=True)


def city_room(state: Campaign, battle: Battle, side: Side) -> int:
    """retreat.11 CUs that may go inside: a friendly city in the space, not besieged; a sortie may return anyway."""
    if not is_own_city(state, side, battle.space):
        return 0
    left = state.room_left(battle.space)
    if state.spaces[battle.space].besieged():
        return min(left, battle.sortie_size if side == battle.attacker else 0)
    return left


def may_shut_in(state: Campaign, battle: Battle, side: Side) -> bool:
    """retreat.11 Is there a city to go into (a general alone too)?"""
    if not is_own_city(state, side, battle.space):
        return False
    besieged = state.spaces[battle.space].besieged()
    if besieged and not (side == battle.attacker and battle.sortie_size):
        return False
    return city_room(state, battle, side) > 0 or not state.spaces[battle.space].outside(side).size


# the command


def into_city(state: Campaign, command: RetreatTo) -> bool:
    """retreat.11 Do all go into the city? Besides "city", the battle's own space or nothing says so."""
    return command.to in (CITY, "", state.fighting().space)


def why_not_retreat(state: Campaign, side: Side, command: RetreatTo) -> Illegal | None:
    """retreat.12 All together, or part into the city and the rest one way; each general goes where his owner says."""
    battle, inside = state.fighting(), command.inside
    force, here = state.spaces[battle.space].outside(side), people(state, battle, side)
    fit = city_room(state, battle, side)
    if not inside.is_counted or not force.holds(inside):
        return Illegal("retreat.12", "there are not that many CUs")
    if inside.size > fit:
        return Illegal("retreat.11", "at most %(fit)s %(fit|CU|CUs)s may go into the city", fit=fit)
    group = command.generals_inside
    if len(set(group)) != len(group) or not set(group) <= set(here):
        return Illegal("retreat.12", "these generals are not on the field")
    open_ways = ways(divide(state, side, inside, group), battle, side)
    if into_city(state, command):
        if not may_shut_in(state, battle, side):
            return Illegal("retreat.11", "there is no city here to retreat into")
        if inside.size != min(force.size, fit):
            return Illegal("retreat.12", "as many CUs as there is room for must go inside")
        if inside.size < force.size and open_ways:
            return Illegal("retreat.7", "nobody may be left behind: those who do not go inside must retreat")
    elif command.to not in open_ways:
        return Illegal("retreat.1", "this retreat cannot end in %(to)s", to=command.to)
    elif inside.size and inside.size == force.size:
        return Illegal("retreat.12", "the whole force goes into the city: choose the city as the place of retreat")
    elif group and not inside.size:
        return Illegal("retreat.12", "a general can go into the city only with CUs")
    return None


def retreat(state: S, command: RetreatTo, dice: Dice) -> Handled[S]:
    """retreat.1 The loser leaves."""
    side = side_of_prompt(state)
    refuse(why_not_retreat(state, side, command))
    battle, names, book = state.fighting(), people(state, state.fighting(), side), book_of(state)
    inside = command.inside
    goals = ways(divide(state, side, inside, command.generals_inside), battle, side)
    state, events = book.leave_behind(state.answered(), side, names, battle.space, "retreat")
    if inside.size:
        state = state.enter_walls(battle.space, side, inside)
        events += (event("retreat.11", "into_city", side=side, units=inside.size),)
    if into_city(state, command):
        state = state.move_generals(names, battle.space, inside=True)
        left = state.spaces[battle.space].outside(side)
        state = _eliminate(state, side, left)
        state = _tire(state, side, inside, names)
        told = event(
            "retreat.11", "retreated", side=side, to=CITY, lost=0, eliminated=left.size, elephants_lost=left.elephants
        )
        return state, (*events, told)
    state = state.move_generals(command.generals_inside, battle.space, inside=True)
    state = _tire(state, side, inside, command.generals_inside)
    going = tuple(name for name in names if name not in command.generals_inside)
    state, more = march_off(state, side, going, goals[command.to])
    return state, (*events, *more)


def _tire(state: S, side: Side, inside: Troops, names: tuple[str, ...]) -> S:
    """movement.command.5 Whoever of the moving side has gone back into the city moves no more on this card."""
    battle = state.fighting()
    return spend(state, battle.space, inside.size, names) if side == battle.attacker else state


def _eliminate(state: S, side: Side, force: Troops) -> S:
    battle = state.fighting()
    if force.size:
        state = state.set_outside(battle.space, side, Troops())
        state = replace(state, battle=state.fighting().with_lost(side, force.size))
    return state


def march_off(state: S, side: Side, names: tuple[str, ...], way: Way) -> Handled[S]:
    """retreat.7, retreat.8, retreat.9 Space by space: losses, and friends met on the way come along.

    11.9.4 By sea nothing is lost.
    """
    battle = state.fighting()
    force = state.spaces[battle.space].outside(side)
    state = state.set_outside(battle.space, side, Troops())
    events: tuple[Event, ...] = ()
    lost, elephants, had, goal = 0, 0, force.size, way.path[-1]
    for space in () if way.by_sea else way.path:
        due = min(entry_cost(state, side, space, stops=space == goal), force.size)
        left = force.after_losses(due, False)
        force, lost, elephants = left, lost + due, elephants + force.elephants - left.elephants
        if force.size:
            state, more = catch_alone(state, enemy(side), space)
            events += more
        friends = state.spaces[space].outside(side)
        if space != goal and 0 < friends.size <= force.size:
            state = state.set_outside(space, side, Troops())
            force, names = force.plus(friends), (*names, *generals_at(state, side, space, inside=False))
            had += friends.size
    state = replace(state, battle=state.fighting().with_lost(side, lost))
    rule = "11.9" if way.by_sea else "retreat.1"
    told = event(
        rule,
        "retreated",
        side=side,
        to=goal,
        path=list(way.path),
        units=force.size,
        lost=lost,
        elephants_lost=elephants,
    )
    if had and not force.size:
        state, more = displace_all(state, names, "losses.8")
        return state, (*events, told, *more)
    state = state.add(goal, side, force).move_generals(names, goal)
    if side == battle.attacker:
        state = spend(state, goal, force.size, names)
    return state, (*events, told)


def retreat_open(state: Campaign) -> bool:
    """retreat.1 Is anybody left who has a way?"""
    battle, side = state.fighting(), side_of_prompt(state)
    if not state.spaces[battle.space].outside(side).size and not people(state, battle, side):
        return False
    return bool(ways(state, battle, side)) or may_shut_in(state, battle, side)


def no_retreat(state: S, dice: Dice) -> Handled[S]:
    """retreat.10 Who has no way is eliminated, generals displaced; who is already gone goes nowhere."""
    battle, side = state.fighting(), side_of_prompt(state)
    state = state.answered()
    force, names = state.spaces[battle.space].outside(side), people(state, battle, side)
    if not force.size and not names:
        return state, ()
    state, events = book_of(state).leave_behind(state, side, names, battle.space, "retreat")
    state = _eliminate(state, side, force)
    rule = "retreat.6" if side == battle.attacker and battle.landed else "retreat.10"
    told = event(rule, "eliminated", side=side, space=battle.space, units=force.size, elephants_lost=force.elephants)
    state, more = displace_all(state, names, "losses.8")
    return state, (*events, told, *more)


def retreat_offers(state: Campaign) -> tuple[Offer, ...]:
    """retreat.1 The goals, with every split of CUs and generals between city and way."""
    battle, side = state.fighting(), side_of_prompt(state)
    goals, force = list(ways(state, battle, side)), state.spaces[battle.space].outside(side)
    offers, most = [], city_room(state, battle, side)
    if goals:
        offers.append(_offer(goals, 0, 0, 0))
    for elephants in range(min(force.elephants, most) + 1):
        for units in range(int(elephants == 0), min(force.units, most - elephants, force.size - 1 - elephants) + 1):
            offers += _splits(state, side, Troops(units, elephants))
        units = min(force.size, most) - elephants
        if may_shut_in(state, battle, side) and 0 <= units <= force.units:
            inside = Troops(units, elephants)
            if inside.size == force.size or not ways(divide(state, side, inside, ()), battle, side):
                offers.append(_offer([CITY], units, units, elephants))
    return tuple(offers)


def _splits(state: Campaign, side: Side, inside: Troops) -> Iterator[Offer]:
    """retreat.12 This part into the city, with each party of generals, and where the rest may go."""
    battle, found = state.fighting(), dict[tuple[str, ...], list[list[str]]]()
    for group in parties(people(state, battle, side), least=0):
        goals = tuple(ways(divide(state, side, inside, group), battle, side))
        if goals:
            found.setdefault(goals, []).append(list(group))
    for goals, groups in found.items():
        yield _offer(list(goals), inside.units, inside.units, inside.elephants, groups)


def _offer(to: list[str], low: int, high: int, elephants: int, groups: list[list[str]] | None = None) -> Offer:
    fields = {"to": to, "units_inside": {"from": low, "to": high}, "elephants_inside": elephants}
    return Offer("retreat", "retreat.1", {**fields, "generals_inside": groups} if groups else fields)


BOX = box("retreat", "retreat.1", {RetreatTo: retreat}, retreat_offers, retreat_open, no_retreat)
