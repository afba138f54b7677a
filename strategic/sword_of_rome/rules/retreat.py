"""12.4 Retreat: the beaten force goes to the nearest space that will have it, or is lost."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from strategic.sword_of_rome.commands import Retreat
from strategic.sword_of_rome.rules import foes
from strategic.sword_of_rome.rules.crossing import put_out
from strategic.sword_of_rome.rules.hands import spendable
from strategic.sword_of_rome.rules.moving_army import set_down
from strategic.sword_of_rome.rules.survey import (
    carries,
    enemies,
    is_friendly,
    room_inside,
    seat_of,
    strangers,
)
from strategic.sword_of_rome.state import Crossing, Fleeing, State
from strategic.sword_of_rome.tables import CHART, SPACES, TABLES, is_clear, ways
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Handled, Illegal, Prompt, event


@dataclass(frozen=True)
class Way:
    """A way of retreat: the spaces entered, and the CUs it costs."""

    path: tuple[str, ...]
    loss: int


def strength(state: State) -> tuple[int, tuple[str, ...]]:
    """12.4 CUs and leaders of the beaten force."""
    fleeing, move = state.flight, state.move
    if fleeing.attacker:
        assert move is not None
        return move.units, move.leaders
    force = state.force(fleeing.space, fleeing.power)
    return force.units, force.leaders


def choices(state: State) -> dict[str, Way]:
    """12.4, 12.4.1 The nearest spaces to which the force may retreat by land, each with its cheapest way.

    The attacker goes first where he came from, and not back over rough ground or a strait; the defender never there.
    """
    fleeing = state.flight
    if fleeing.attacker and fleeing.by == "sea":
        return {}
    units, _ = strength(state)
    layer = {fleeing.space: Way((), 0)}
    seen = {fleeing.space}
    for distance in range(1, TABLES.retreat.spaces + 1):
        found: dict[str, Way] = {}
        for here, so_far in layer.items():
            for way in ways(here):
                there = way.other(here)
                if there in seen or not is_clear(fleeing.power, way, TABLES.retreat.over):
                    continue
                if (there == fleeing.came_from) != (fleeing.attacker and distance == 1):
                    continue
                reached = Way((*so_far.path, there), so_far.loss + penalty(state, fleeing.power, there))
                if there not in found or reached.loss < found[there].loss:
                    found[there] = reached
        ends = {space: way for space, way in found.items() if may_end(state, fleeing.power, space, units)}
        if ends:
            return ends
        seen.update(found)
        layer = found
    return {}


def penalty(state: State, power: str, space: str) -> int:
    """12.4.5 What entering a space costs: 1 CU if it is an enemy's, and 1 for each enemy CU in it."""
    table = TABLES.retreat
    here = state.forces.get(space, {})
    foes = sum(force.total for other, force in here.items() if enemies(state, power, other))
    return (0 if is_friendly(state, power, space) else table.enemy_space) + foes * table.enemy_unit


def may_end(state: State, power: str, space: str, units: int) -> bool:
    """12.4 Free of enemies and of others, and friendly or held by more of one's own CUs."""
    if any(force.total and enemies(state, power, other) for other, force in state.forces.get(space, {}).items()):
        return False
    if strangers(state, power, space):
        return False
    return is_friendly(state, power, space) or state.force(space, power).units > units


def ports(state: State, card: int | None) -> tuple[str, ...]:
    """12.4.3 The friendly ports to which the force may retreat by sea; an attacker who sailed in has his ships there.

    Ruling: he sails to the port he came from; only if it will not have him, to another.
    """
    fleeing = state.flight
    if not SPACES[fleeing.space].port:
        return ()
    units, _ = strength(state)
    sailed_in = fleeing.attacker and fleeing.by == "sea"
    if not sailed_in and (fleeing.attacker or card is None):
        return ()
    fits = tuple(
        port
        for port in CHART.ports()
        if port != fleeing.space
        and is_friendly(state, fleeing.power, port)
        and may_end(state, fleeing.power, port, units)
        and (sailed_in or units <= carries(state, fleeing.power, card or 0, fleeing.space, port))
        and TABLES.sea.closed_to_others.get(port, fleeing.power) == fleeing.power
    )
    return (fleeing.came_from,) if sailed_in and fleeing.came_from in fits else fits


def cards(state: State) -> tuple[int, ...]:
    """12.4.3 The cards with which the force might buy its way out by sea."""
    fleeing = state.flight
    seat = seat_of(state, fleeing.power)
    if seat is None or fleeing.attacker:
        return ()
    return tuple(card for card in sorted(set(spendable(state, seat))) if ports(state, card))


def room(state: State) -> int:
    """12.4.4 The CUs of a defender that may go behind the walls of his own city."""
    fleeing = state.flight
    if fleeing.attacker:
        return 0
    units, _ = strength(state)
    return min(units, room_inside(state, fleeing.space, fleeing.power))


def begin(state: State, dice: Dice) -> Handled[State]:
    """12.4 The loser chooses; where he has no choice the force goes by itself."""
    fleeing = state.flight
    seat = seat_of(state, fleeing.power)
    ends, harbours = tuple(choices(state)), ports(state, None)
    free = len(ends) + len(harbours) > 1 or room(state) or cards(state)
    if seat is not None and free:
        about = {"power": fleeing.power, "space": fleeing.space, "choices": [*ends, *harbours]}
        return state.asking(Prompt("retreat", seat, "12.4", about)), ()
    to = (*ends, *harbours, None)[0]
    return retreat(state, Retreat(to), dice)


def why_not_retreat(state: State, command: Retreat) -> Illegal | None:
    """12.4 Why the beaten force may not go so."""
    units, _ = strength(state)
    if command.inside > room(state):
        return Illegal(
            "12.4.4",
            "There is room inside the walls for only %(room_inside)s %(room_inside|CU|CUs)s.",
            room_inside=room(state),
        )
    if command.card is not None:
        if command.inside or command.card not in cards(state) or command.to not in ports(state, command.card):
            return Illegal("12.4.3", "With that card the force cannot retreat there by sea.")
        return None
    ends = (*choices(state), *ports(state, None))
    if command.to is not None and command.to not in ends:
        if not ends:
            return Illegal("12.4", "The force cannot retreat to any space.")
        return Illegal("12.4", "The force may retreat only to %(either)s.", either=ends)
    if command.to is None and ends and command.inside < units:
        return Illegal("12.4", "Say where the force goes: %(either)s.", either=ends)
    if command.to is not None and command.inside == units:
        return Illegal("12.4.4", "All CUs of that force are inside the walls, so none can retreat.")
    return None


def retreat(state: State, command: Retreat, dice: Dice) -> Handled[State]:
    """12.4 Behind the walls, by land, by sea; who can go nowhere is lost."""
    fleeing = state.flight
    state = state.asking()
    events: tuple[Event, ...] = ()
    ways_by_land = choices(state)  # by the whole force, before a part of it goes behind walls
    if command.card is not None:
        seat = seat_of(state, fleeing.power)
        assert seat is not None
        state = state.discarding(seat, command.card)
    if command.inside:
        state, events = behind_walls(state, command.inside, alone=command.to is None)
        if not strength(state)[0]:
            state, more = over(state)
            return state, (*events, *more)
    units, _ = strength(state)
    if command.to is None:
        state, more = eliminate(state)
    elif command.card is None and command.to in ways_by_land:
        state, more = march(state, fleeing, ways_by_land[command.to])
    else:
        start = fleeing.space
        state, more = put_out(state, "retreat", fleeing.power, units, start, command.to, True)
    return state, (*events, *more)


def behind_walls(state: State, units: int, alone: bool) -> tuple[State, tuple[Event, ...]]:
    """12.4.4 CUs go into the city. Ruling: the leaders go with those who retreat, if anybody does."""
    fleeing = state.flight
    force = state.force(fleeing.space, fleeing.power)
    leaders = force.leaders if alone else ()
    state = state.with_force(fleeing.space, fleeing.power, force.sheltering(units, leaders))
    return state, (
        event("12.4.4", "sheltered", power=fleeing.power, space=fleeing.space, units=units, leaders=list(leaders)),
    )


def lift(state: State) -> tuple[State, int, tuple[str, ...]]:
    """The beaten force leaves the space: the position without it, its CUs and leaders."""
    fleeing = state.flight
    units, leaders = strength(state)
    if fleeing.attacker:
        return state.with_move(None), units, leaders
    return state.moved_out(fleeing.space, fleeing.power, units, leaders), units, leaders


def march(state: State, fleeing: Fleeing, way: Way) -> Handled[State]:
    """12.4.2, 12.4.5 The force sweeps up own CUs on its way unless they outnumber it, and pays for enemies.

    10.2.g: nobody intercepts a retreat.
    """
    state, units, leaders = lift(state)
    for space in way.path[:-1]:
        force = state.force(space, fleeing.power)
        if force.units and force.units <= units:
            state = state.moved_out(space, fleeing.power, force.units, force.leaders)
            units, leaders = units + force.units, (*leaders, *force.leaders)
    gone = min(units, way.loss)
    state = state.counted(fleeing.power, removed=gone)
    events = (
        event(
            "12.4",
            "retreated",
            power=fleeing.power,
            start=fleeing.space,
            path=list(way.path),
            units=units - gone,
            lost=gone,
        ),
    )
    if gone < units:
        state = state.moved_in(way.path[-1], fleeing.power, units - gone, leaders)
    else:
        state = state.displacing(leaders)
    state, more = over(state)
    return state, (*events, *more)


def eliminate(state: State) -> Handled[State]:
    """12.4.5 A force that cannot retreat is eliminated, its leaders displaced."""
    fleeing = state.flight
    state, units, leaders = lift(state)
    state = state.counted(fleeing.power, removed=units).displacing(leaders)
    happened = event(
        "12.4.5", "eliminated", power=fleeing.power, space=fleeing.space, units=units, leaders=list(leaders)
    )
    state, more = over(state)
    return state, (happened, *more)


def by_sea(state: State, crossing: Crossing, arrived: bool, gone: int) -> Handled[State]:
    """9.6 (5p), 12.4.3 A retreat by sea has met the fleet.

    Ruling: a Return leaves the beaten force on the shore, where it is lost.
    """
    if not arrived:
        return eliminate(state)
    state, units, leaders = lift(state)
    gone = min(gone, units)
    state = state.counted(crossing.power, removed=gone)
    if gone < units:
        state = state.moved_in(crossing.end, crossing.power, units - gone, leaders)
    else:
        state = state.displacing(leaders)
    happened = event(
        "12.4.3",
        "retreated",
        power=crossing.power,
        start=crossing.start,
        path=[crossing.end],
        units=units - gone,
        lost=gone,
    )
    state, more = over(state)
    return state, (happened, *more)


def over(state: State) -> Handled[State]:
    """9.4.1 The battle is done: a victorious attacker goes on in the space (`hold`)."""
    return hold(replace(state, fleeing=None))


def hold(state: State) -> Handled[State]:
    """9.4.1 The moving army, if any is left, attacks the next enemy there; after the last it is set down."""
    if foes.foes(state):
        return foes.face(state)
    if state.move is not None:
        return set_down(state)
    return replace(state, reaction=None, crossing=None, battle=None, fleeing=None, pending=()), ()
