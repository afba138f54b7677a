"""2.2.7 Ships: building, repair, losses, naval stores (26.7), and what losses do to seamanship (11.8.3)."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.state import Handled, State
from strategic.point_to_point.tables import Side
from tactical.kernel.protocol import Event, Illegal, event


def build(state: State, side: Side, count: int, rule: str) -> Handled:
    """2.2.7 Put up to so many ready ships in port, never more than ten a side."""
    count = min(count, state.berths(side))
    before = {ship.name for ship in state.fleet(side)}
    for _ in range(count):
        state = state.built(side)
    names = [ship.name for ship in state.fleet(side) if ship.name not in before]
    return state, (event(rule, "ships_built", side=side, ships=names),) if names else ()


def why_not_repair(state: State, side: Side, name: str) -> Illegal | None:
    """2.2.7.c Only an unready ship of the own side is repaired."""
    if name not in state.unready(side):
        return Illegal("2.2.7.c", "%(name)s is not a ship of %(side)s that needs repair", name=name, side=side)
    return None


def repair(state: State, side: Side, names: tuple[str, ...], rule: str) -> Handled:
    """2.2.7.c Unready ships become ready; their hull damage is cleared (L2.4)."""
    return state.made_ready(side, names), (event(rule, "ships_repaired", side=side, ships=list(names)),)


def lose(state: State, side: Side, names: tuple[str, ...], rule: str, how: str) -> Handled:
    """11.8.3.b Ships leave the map; Roman ones are counted for the turn."""
    if not names:
        return state, ()
    state = state.without_ships(side, names)
    events: tuple[Event, ...] = (event(rule, "ships_lost", side=side, ships=list(names), how=how),)
    if side == "rome":
        state, more = count_losses(state, len(names))
        events += more
    return state, events


def count_losses(state: State, count: int) -> Handled:
    """11.8.3.b Five Roman ships off the map in a turn: seamanship falls one level, at most once a turn (H.fallen).

    11.8.3.example Three lost in battle and two in a storm are five.
    """
    state = replace(state, lost_ships=state.lost_ships + count)
    if state.lost_ships < state.tables.sea.fall or state.seamanship_fell:
        return state, ()
    level = max(state.seamanship - 1, 0)
    state = replace(state, seamanship=level, seamanship_fell=True)
    return state, (event("11.8.3.b", "seamanship", level=state.tables.sea.levels[level], lost=state.lost_ships),)


def improve(state: State, rule: str) -> Handled:
    """11.8.3.a Roman seamanship rises one level."""
    level = min(state.seamanship + 1, len(state.tables.sea.levels) - 1)
    state = replace(state, seamanship=level)
    return state, (event(rule, "seamanship", level=state.tables.sea.levels[level]),)


def is_unskilled(state: State) -> bool:
    """11.7.engage.d Is Roman seamanship poor or fair?"""
    return state.seamanship <= 1


def home(state: State, side: Side, names: tuple[str, ...]) -> Handled:
    """2.2.7.a, 26.7 Ships come back to the port box; with naval stores all who took part unready (26.7.example)."""
    state = state.put_into_port(side, names)
    if not state.options.naval_stores or not names:
        return state, ()
    left = tuple(name for name in names if state.ship(side, name) is not None)
    return state.made_unready(side, left), (event("26.7", "ships_unready", side=side, ships=list(left)),)
