"""O4.1, O4.4 How far a fleet goes, and where to: reach by type, rowers, hull and hunger; the way of its order."""

from __future__ import annotations

from strategic.open_campaign.rules.world import Chart, chart
from strategic.open_campaign.state import At, Fleet, OnLane, Ship, State
from strategic.open_campaign.tables import TABLES, Rowers, Tables

WATCHES = 4  # O3.1: three hours each
TIRED = 2  # O4.3: from so much weariness the rowers count one quality lower
A_QUALITY = 3
WINTER = (11, 12, 1, 2, 3)  # O4.2: months in which the open sea is closed


def quality(ship: Ship, weary: int = 0) -> str:
    """O2.3 What a ship's rowers count as: poor, average or elite."""
    pips = max(1, ship.pips - (A_QUALITY if weary >= TIRED else 0))
    return next(name for name, each in TABLES.rowers.items() if pips <= each.most)


def rowers(tables: Tables, ship: Ship, weary: int = 0) -> Rowers:
    """O2.3 What her rowers do to reach, knots and value."""
    return tables.rowers[quality(ship, weary)]


def is_lame(ship: Ship) -> bool:
    """O4.1 Has she lost half her hull?"""
    return 2 * ship.damage >= TABLES.hull[ship.type]


def reach(state: State, name: str) -> float:
    """O4.1 The miles that a fleet makes in a day: those of its slowest ship."""
    fleet = state.fleets[name]
    order = state.order_of(name)
    pace = order.pace if order is not None else "cruise"
    ships = [state.ships[each] for each in fleet.ships]
    miles = min(
        float(getattr(state.tables.type[ship.type], pace))
        * rowers(state.tables, ship, fleet.weary).reach
        * (state.tables.hull["half"] if is_lame(ship) else 1)
        for ship in ships
    )
    return miles * (state.tables.food.hungry if fleet.hungry else 1)


def knots(state: State, name: str) -> float:
    """O5.3 The speed of a fleet in a chase: that of its slowest ship."""
    fleet = state.fleets[name]
    ships = [state.ships[each] for each in fleet.ships]
    return min(state.tables.type[ship.type].knots + rowers(state.tables, ship, fleet.weary).knots for ship in ships)


def home(state: State, name: str) -> str | None:
    """O3.2 The nearest port of the fleet's own side or of an ally."""
    fleet = state.fleets[name]
    return chart(state.world).nearest(fleet.at, (port for port in state.ports if state.is_friendly(port, fleet.side)))


def goal(state: State, name: str) -> str | None:
    """O3.2, O3.3 The space that a fleet makes for; None when it stays."""
    fleet = state.fleets[name]
    if fleet.course:
        return fleet.course
    order = state.order_of(name)
    if order is None:
        return home(state, name) or end_of(chart(state.world), fleet.at) if isinstance(fleet.at, OnLane) else None
    if order.do == "escort":
        return chart(state.world).near(state.fleets[order.to].at) if order.to in state.fleets else None
    return order.to or None


def end_of(world: Chart, at: OnLane) -> str:
    """The nearer end of a lane."""
    return world.near(at)


def ahead(state: State, name: str, to: str) -> tuple[str, ...]:
    """O4.5 The spaces still to be passed on the way to a goal: by the way that was ordered, else by the shortest."""
    world, fleet = chart(state.world), state.fleets[name]
    order = state.order_of(name)
    if order is not None and order.way and not fleet.course:
        return by_way(world, fleet.at, order.way)
    if isinstance(fleet.at, str):
        return world.path(fleet.at, to)[1:]
    lane, done = world.lanes[fleet.at.lane], fleet.at.miles
    far = world.from_(to)
    ends = [(done + far[lane.start][0], lane.start), (lane.miles - done + far[lane.end][0], lane.end)]
    return world.path(min(ends)[1], to) if lane.start in far else ()


def by_way(world: Chart, at: At, way: tuple[str, ...]) -> tuple[str, ...]:
    """O3.3 What is left of a way."""
    if isinstance(at, str):
        return way[way.index(at) + 1 :] if at in way else way
    ends = {world.lanes[at.lane].start, world.lanes[at.lane].end}
    for number in range(1, len(way)):
        if {way[number - 1], way[number]} == ends:
            return way[number:]
    return way


def moved(world: Chart, at: At, spaces: tuple[str, ...], miles: int) -> At:
    """O4.1 Where a fleet is after so many miles along these spaces."""
    for space in spaces:
        if isinstance(at, str):
            if space == at:
                continue
            lane, done = world.between(at, space), 0
            left = lane.miles
        else:
            lane, done = world.lanes[at.lane], at.miles
            left = lane.miles - done if space == lane.end else done
        if miles < left:
            if not miles:
                return at
            if isinstance(at, str):
                return OnLane(lane.id, miles if at == lane.start else lane.miles - miles)
            return OnLane(lane.id, done + miles if space == lane.end else done - miles)
        miles -= left
        at = space
    return at


def after_watch(state: State, name: str) -> At:
    """O4.1 Where the fleet is at the end of this watch."""
    fleet = state.fleets[name]
    to = goal(state, name)
    if to is None or to == fleet.at:
        return fleet.at
    whole = reach(state, name)
    miles = round(whole * (state.watch + 1) / WATCHES) - round(whole * state.watch / WATCHES)
    return moved(chart(state.world), fleet.at, ahead(state, name, to), miles)


def lies_in_port(state: State, fleet: Fleet) -> bool:
    """O4.4 Is the fleet in a port of its own side or of an ally?"""
    return isinstance(fleet.at, str) and state.is_friendly(fleet.at, fleet.side)
