"""losses, retreat, 11.9 After a battle on land: casualties, the retreat table, the way out, the price."""

from __future__ import annotations

import heapq

from msgspec.structs import replace

from strategic.hamilcar.commands import RetreatTo
from strategic.hamilcar.rules.displacement import caught_alone, displace_all, take_trains
from strategic.hamilcar.rules.removal import owe
from strategic.hamilcar.rules.sea import lift_siege, may_land_in
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import as_side, enemy_units, generals_at, has_admiral, is_enemy_ground
from strategic.hamilcar.tables import BATTLE_CARDS, CHART, SIDES, Side, enemy, ground, ports_beside
from strategic.hamilcar.troops import Troops
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]
NOWHERE = ""  # who does not fit inside the city and has no way out is lost


def casualties(state: State, dice: Dice) -> Handled:
    """losses.1 One roll in the column of the rounds played; both sides lose the result."""
    battle = state.fighting()
    if not battle.rounds:
        return state, ()
    (face,) = dice.roll(1, 6, "losses.1", rounds=str(battle.rounds))
    lost, elephant = state.tables.attrition.read(face, battle.rounds)
    units: dict[str, int] = {}
    for side in SIDES:
        units[side] = min(lost, state.spaces[battle.space].outside(side).size)
        state = _lose(state, side, lost, elephant)
    return state, (event("losses.1", "casualties", dice=[face], rounds=battle.rounds, lost=lost, units=units),)


def _lose(state: State, side: Side, lost: int, elephant: bool) -> State:
    battle = state.fighting()
    force = state.spaces[battle.space].outside(side)
    left = force.after_losses(lost, elephant)
    state = state.with_troops(battle.space, side, left)
    return replace(state, battle=battle.with_lost(side, force.size - left.size))


def lost_battle(state: State, loser: Side, by: str | None, rule: str, dice: Dice) -> Handled:
    """losses.2 Casualties for both, the retreat table for the loser, then his retreat."""
    battle = replace(state.fighting(), winner=enemy(loser), won_by=by)
    told = event(rule, "battle_won", side=enemy(loser), by=by, space=battle.space)
    state, events = casualties(replace(state, battle=battle), dice)
    state, more = retreat_table(state, loser, by, dice)
    return state.then(Prompt("retreat", loser, "retreat.1")), (told, *events, *more)


def retreat_table(state: State, loser: Side, by: str | None, dice: Dice) -> Handled:
    """losses.2, losses.3 What the loser loses besides, by the size that he began with; an elephant first.

    losses.9 Generals whom it leaves without CUs are displaced.
    """
    battle = state.fighting()
    force = state.spaces[battle.space].outside(loser)
    if not force.size:
        return state, ()
    plus = BATTLE_CARDS[by].retreat if by else 0
    (face,) = dice.roll(1, 6, "tables.retreat", side=loser)
    lost = state.tables.retreat.read(face + plus, battle.start[loser])
    state = _lose(state, loser, lost, elephant=lost > 0)
    told = event("tables.retreat", "retreat_losses", side=loser, dice=[face], modifier=plus, lost=min(lost, force.size))
    if state.spaces[battle.space].outside(loser).size:
        return state, (told,)
    state, more = displace_all(state, generals_at(state, loser, battle.space, inside=False), "losses.9")
    return state, (told, *more)


def sea_ways(state: State, side: Side) -> tuple[str, ...]:
    """11.9 By sea: an admiral there (11.9.1), supremacy (11.9.3), a lane to a port without enemy PC and CU (11.9.2)."""
    battle = state.fighting()
    names = generals_at(state, side, battle.space, inside=False)
    if state.supremacy != side or not has_admiral(state, names):
        return ()
    force = state.spaces[battle.space].outside(side)
    if force.size > state.tables.sea.units:
        return ()
    leader = battle.commanders[side] or names[0]
    return tuple(
        port for port in ports_beside(battle.space)
        if not is_enemy_ground(state, side, port) and not enemy_units(state, side, port)
        and may_land_in(state, side, battle.space, port, leader)
    )  # fmt: skip


def ways(state: State, side: Side) -> dict[str, int]:
    """retreat.1, retreat.4 Where the loser may retreat by land, and the CUs that the way costs.

    The nearest of the spaces with an own PC and no enemy CU, or with more own CUs than retreat; a farther one only
    when it costs fewer CUs. By road, 4 spaces at most.
    """
    battle = state.fighting()
    size = state.spaces[battle.space].outside(side).size
    best: dict[str, tuple[int, int]] = {}
    queue = [(0, 0, battle.space)]
    seen: set[tuple[str, int]] = set()
    while queue:
        steps, cost, here = heapq.heappop(queue)
        if (here, steps) in seen:
            continue
        seen.add((here, steps))
        if here != battle.space and _may_stop(state, side, here, size):
            best[here] = min(best.get(here, (steps, cost)), (steps, cost))
        if steps == state.tables.retreat.spaces:
            continue
        for there in dict.fromkeys(CHART.neighbours(here, ("road",))):
            if there == battle.space or (here == battle.space and not _first_step(state, side, there)):
                continue
            heapq.heappush(queue, (steps + 1, cost + _toll(state, side, there), there))
    found = {there: value for there, value in best.items() if value[1] < max(size, 1)}
    if not found:
        return {}
    nearest = min(steps for steps, _ in found.values())
    cheapest = min(cost for steps, cost in found.values() if steps == nearest)
    return {there: cost for there, (steps, cost) in found.items() if steps == nearest or cost < cheapest}


def land_ways(state: State, side: Side) -> dict[str, int]:
    """retreat.1 None by land for an attacker who landed (11.9 may save him) or came out of a city."""
    battle = state.fighting()
    if side == battle.attacker and (battle.sortie or battle.landed):
        return {}
    return ways(state, side)


def _first_step(state: State, side: Side, there: str) -> bool:
    """retreat.2 The first attacker goes back where he came from, the defender never there."""
    battle = state.fighting()
    return (there == battle.came_from) == (side == battle.attacker)


def _may_stop(state: State, side: Side, there: str, size: int) -> bool:
    place = state.spaces[there]
    if place.outside(enemy(side)).size or place.all_of(enemy(side)).size:
        return False
    return place.control == side or place.all_of(side).size > size


def _toll(state: State, side: Side, there: str) -> int:
    """retreat.4 One CU for an enemy PC or a tribe that is no friend, one for each enemy CU passed."""
    return int(is_enemy_ground(state, side, there)) + enemy_units(state, side, there)


def may_retreat_inside(state: State, side: Side) -> bool:
    """retreat.5, 11.9.5 The own city in the battle space, if it is not besieged (a sortie may always go back in)."""
    battle = state.fighting()
    place = state.spaces[battle.space]
    if place.control != side or not ground(battle.space).city:
        return False
    return (battle.sortie and side == battle.attacker) or not place.besieged()


def check_retreat(state: State, command: RetreatTo) -> int:
    """retreat.1, 11.9 Is this a way out? Returns the CUs that the way costs; the battle space itself means the city."""
    side, battle = as_side(state.agenda[-1].seat), state.fighting()
    force = state.spaces[battle.space].outside(side)
    inside = Troops(command.units_inside, command.elephants_inside)
    if min(inside.units, inside.elephants) < 0 or not force.holds(inside):
        raise Illegal("retreat.5", "so many CUs are not there to go inside")
    if inside.size and (not may_retreat_inside(state, side) or inside.size > state.room_left(battle.space)):
        raise Illegal("retreat.5", "the CUs cannot go into the city")
    if command.to == battle.space:
        if inside.size != force.size or not may_retreat_inside(state, side):
            raise Illegal("retreat.5", "only a whole army that fits inside stays in the city")
        return 0
    if command.to in sea_ways(state, side):
        return 0
    costs = land_ways(state, side)
    if command.to == NOWHERE and inside.size and not costs and not sea_ways(state, side):
        return force.size
    if command.to not in costs:
        raise Illegal("retreat.1", f"the army cannot retreat to {command.to}")
    return costs[command.to]


def retreat(state: State, command: RetreatTo, dice: Dice) -> Handled:
    """retreat.1, 11.9.4, 11.9.6 The loser goes, and no further; his trains stay and are captured (8.2.1.capture)."""
    cost = check_retreat(state, command)
    side, battle = as_side(state.agenda[-1].seat), state.fighting()
    space = battle.space
    by_sea = command.to != space and command.to in sea_ways(state, side)
    names = generals_at(state, side, space, inside=False)
    state, trains = take_trains(state.answered(), side, space)
    inside = Troops(command.units_inside, command.elephants_inside)
    force = state.spaces[space].outside(side).minus(inside)
    state = (
        state.with_troops(space, side, Troops()).add(space, side, inside, inside=True)
        if inside.size
        else (state.with_troops(space, side, Troops()))
    )
    lost = min(cost, force.size)
    left = force.after_losses(lost)
    state = replace(state, battle=state.fighting().with_lost(side, lost))
    if command.to in (space, NOWHERE):
        state = state.move_generals(names, space, inside=True)
    else:
        state = state.add(command.to, side, left).move_generals(names, command.to)
    told = event(
        "11.9" if by_sea else "retreat.1", "retreats", side=side, to=command.to, units=left.size, lost=lost,
        inside=inside.size, generals=list(names),
    )  # fmt: skip
    state = lift_siege(state, space)
    return after_battle(state, (*trains, told))


def eliminated(state: State, dice: Dice) -> Handled:
    """retreat.3 With no way out the army is lost, and its generals are displaced; or nothing is left to retreat."""
    side, battle = as_side(state.agenda[-1].seat), state.fighting()
    state = state.answered()
    state, trains = take_trains(state, side, battle.space)
    force = state.spaces[battle.space].outside(side)
    names = generals_at(state, side, battle.space, inside=False)
    events: tuple[Event, ...] = trains
    state = state.with_troops(battle.space, side, Troops())
    state = replace(state, battle=state.fighting().with_lost(side, force.size))
    if force.size:
        events += (event("retreat.3", "army_lost", side=side, units=force.size),)
    state = lift_siege(state, battle.space)
    state, after = after_battle(state, ())
    state, more = displace_all(state, names, "retreat.3")
    return state, (*events, *more, *after)


def retreat_offers(state: State) -> tuple[Offer, ...]:
    """retreat.1, 11.9 The ways out: the city, the nearest own spaces, the sea."""
    side, battle = as_side(state.agenda[-1].seat), state.fighting()
    force = state.spaces[battle.space].outside(side)
    names = generals_at(state, side, battle.space, inside=False)
    if not force.size and not names:
        return ()
    found = []
    room = min(state.room_left(battle.space), force.size) if may_retreat_inside(state, side) else 0
    elephants = min(force.elephants, room)
    units = min(force.units, room - elephants)
    sea, land = list(sea_ways(state, side)), list(land_ways(state, side))
    if may_retreat_inside(state, side) and force.size <= room:
        fields = {"to": battle.space, "units_inside": force.units, "elephants_inside": force.elephants}
        found.append(Offer("retreat", "retreat.5", fields))
    for to in dict.fromkeys((*land, *sea)):
        found.append(Offer("retreat", "retreat.1", {"to": to, "units_inside": 0, "elephants_inside": 0}))
        if room and room < force.size:
            fields = {"to": to, "units_inside": units, "elephants_inside": elephants}
            found.append(Offer("retreat", "11.9.5", fields))
    if not found and room:
        found.append(
            Offer("retreat", "retreat.5", {"to": NOWHERE, "units_inside": units, "elephants_inside": elephants})
        )
    return tuple(found)


def after_battle(state: State, events: tuple[Event, ...]) -> Handled:
    """losses.6 The loser's price: half the CUs lost, rounded down, in PCs. Then the field is the winner's."""
    battle = state.fighting()
    loser = enemy(battle.winner) if battle.winner else None
    state, more = caught(state, battle.space)
    events += more
    state = lift_siege(replace(state, battle=None), battle.space)
    price = battle.lost.get(loser, 0) // 2 if loser else 0
    if loser and price:
        state = state.then(owe(loser, price, "losses.6", "battle"))
    return state, events


def caught(state: State, space: str) -> Handled:
    """movement.land.5a Generals and trains left without CUs where enemy CUs hold the field."""
    events: tuple[Event, ...] = ()
    for side in SIDES:
        if state.spaces[space].outside(enemy(side)).size:
            state, more = caught_alone(state, side, space)
            events += more
    return state, events


def withdrawn(state: State, side: Side, to: str) -> Handled:
    """round.1c, 11.9 The army goes to the next space with its trains; no retreat table, no price."""
    battle = state.fighting()
    space = battle.space
    force = state.spaces[space].outside(side)
    names = generals_at(state, side, space, inside=False)
    state = state.with_troops(space, side, Troops()).add(to, side, force).move_generals(names, to)
    by_sea = to in ports_beside(space) and to not in CHART.neighbours(space, ("road",))
    told = event("11.9" if by_sea else "round.1c", "withdrew", side=side, to=to, units=force.size)
    state = lift_siege(state, space)
    state = replace(state, battle=replace(state.fighting(), winner=None))
    return after_battle(state, (told,))
