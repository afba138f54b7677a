"""O4 How far a fleet goes; wind and weather."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import atan2, cos, degrees, radians

from msgspec.structs import replace

from strategic.coast import Point, apart
from strategic.open_campaign.rules.world import Chart, chart, is_landing
from strategic.open_campaign.state import At, Fleet, Handled, OnLane, Ship, Sky, State, remove_ships, scatter
from strategic.open_campaign.tables import TABLES, WEATHER, Region, Rowers, Tables, parts
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, event

# -- O4.1, O4.2 Wind and weather by region and month, daylight, and what a gale or a storm does to ships at sea.

WINDS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
SEASONS = (
    "winter",
    "winter",
    "spring",
    "spring",
    "spring",
    "summer",
    "summer",
    "summer",
    "autumn",
    "autumn",
    "autumn",
    "winter",
)
ROUGH = ("gale", "storm")
ETESIANS = (7, 8)
OBLIQUE = 60  # degrees from the wind's eye, or from the stern
PORT_NEAR = 10  # nautical miles within which a port or beach helps a fleet into shelter
LAST_LOSS, LAST_WRECK, LAST_OARS, LAST_SCATTER = 3, 5, 7, 9  # O4.2: what two dice come to


def month(state: State) -> int:
    """O3.6 The month of this turn's first day."""
    return parts(state.date)[1]


def daylight(state: State) -> float:
    """O4.1 Hours of light, twilight included."""
    return WEATHER.daylight[month(state) - 1]


def is_closed(state: State) -> bool:
    """O4.2 From November to March the open sea is closed for whoever does not insist."""
    return state.options.weather and month(state) in WEATHER.closed


@cache
def region_at(lon: float, lat: float) -> Region:
    """O4.2 The first region whose box holds a point; the nearest where none does."""
    inside = (each for each in WEATHER.region if any(w <= lon <= e and s <= lat <= n for w, s, e, n in each.boxes))
    return next(inside, None) or min(
        WEATHER.region,
        key=lambda each: min((lon - (w + e) / 2) ** 2 + (lat - (s + n) / 2) ** 2 for w, s, e, n in each.boxes),
    )


def region(state: State, fleet: Fleet) -> Region:
    """O4.2 The region in which a fleet is."""
    lon, lat = chart(state.world).point(fleet.at)
    return region_at(round(lon, 1), round(lat, 1))


def sky(state: State, fleet: Fleet, watch: int) -> str:
    """O4.2 What the weather is where a fleet is, in this watch (1 to 4): calm until the one in which it breaks."""
    found = state.weather.get(region(state, fleet).name)
    return "calm" if found is None or watch < found.hour else found.sky


def wind_at(state: State, fleet: Fleet) -> str:
    """O4.2 Where the wind comes from where a fleet is; empty where there is no weather."""
    found = state.weather.get(region(state, fleet).name)
    return "" if found is None else found.wind


def morning(state: State, dice: Dice) -> State:
    """O4.2 Two dice for each region of the world: white odd, the wind holds; even, red gives it."""
    if not state.options.weather:
        return state
    weather = {}
    for name, where in regions_of(state):
        red, white = dice.roll(2, 6, "O4.2", only=UMPIRE)
        before = state.weather.get(name)
        wind = before.wind if before is not None and white % 2 else row(where, month(state))[red - 1]
        kind = kind_of(red + white + modifier(where, month(state)), where, month(state))
        hour = 1
        if kind in ROUGH:
            (face,) = dice.roll(1, 6, "O4.2", only=UMPIRE)
            hour = max(1, face - 2)
        weather[name] = Sky(wind, kind, hour)
    state = replace(state, weather=weather, skies=(*state.skies[: state.day - 1], weather))
    return keep_in(state, state.at_sea(), dice)


def keep_in(state: State, fleets: Iterable[str], dice: Dice) -> State:
    """O4.2 Which of these fleets the day's weather keeps in."""
    for name in tuple(fleets):
        fleet = state.fleets[name]
        if not fleet.engaged:
            state = state.with_fleet(name, kept=stays(state, fleet, name, dice))
    return state


def regions_of(state: State) -> list[tuple[str, Region]]:
    """O4.2 The regions in which a world has spaces, whoever sails there, by name."""
    points = (space.lonlat for space in chart(state.world).spaces.values())
    found = {where.name: where for lon, lat in points for where in (region_at(round(lon, 1), round(lat, 1)),)}
    return sorted(found.items())


def row(where: Region, number: int) -> tuple[str, ...]:
    """O4.2 The winds of a region in a month, by the red die."""
    found: tuple[str, ...] = getattr(where, SEASONS[number - 1])
    return found


def modifier(where: Region, number: int) -> int:
    """O4.2 What a month, and a region in it, add to the dice."""
    return WEATHER.months[number - 1] + where.more.get(str(number), 0)


def kind_of(total: int, where: Region, number: int) -> str:
    """O4.2 Calm, fresh, gale or storm; the Etesians of July and August bring no storm."""
    if total >= WEATHER.storm:
        return "gale" if "aegean" in where.name and number in ETESIANS else "storm"
    return "gale" if total >= WEATHER.gale else "fresh" if total >= WEATHER.fresh else "calm"


def stays(state: State, fleet: Fleet, name: str, dice: Dice) -> bool:
    """O4.2 A fleet ashore stays in when it blows before dawn, or when its pilots see it coming."""
    found = state.weather[region(state, fleet).name]
    order = state.order_of(name)
    if found.sky not in ROUGH or not is_landing(chart(state.world), fleet.at) or (order is not None and order.risk):
        return False
    if found.hour == 1:
        return True
    return sum(dice.roll(2, 6, "O4.2", only=UMPIRE)) + state.skill(name)[0] >= WEATHER.warned


def course(one: Point, other: Point) -> float:
    """The course from one point to another, in degrees from north."""
    east = (other[0] - one[0]) * cos(radians((one[1] + other[1]) / 2))
    return degrees(atan2(east, other[1] - one[1])) % 360


def aspect(wind: str, heading: float) -> int:
    """O4.2 0 with the wind astern, 1 abeam, 2 ahead."""
    off = abs((45 * WINDS.index(wind) - heading + 180) % 360 - 180)
    return 2 if off <= OBLIQUE else 0 if off >= 180 - OBLIQUE else 1


def under_sail(state: State, fleet: Fleet, to: str) -> tuple[float, float | None]:
    """O4.1, O4.2 What the wind does to a galley's reach, and a transport's miles a day under sail."""
    if not state.options.weather:
        return 1.0, None
    found = state.weather.get(region(state, fleet).name)
    if found is None:
        return 1.0, None
    world = chart(state.world)
    here = aspect(found.wind, course(world.point(fleet.at), world.spaces[to].lonlat))
    now = sky(state, fleet, state.watch + 1)
    return WEATHER.galley[now][here], WEATHER.sail[now][here]


def breaking(state: State, fleets: Iterable[str], dice: Dice) -> Handled:
    """O4.2 The gales and storms that break in this watch: who is at sea seeks shelter, then each ship is thrown for."""
    events: list[Event] = []
    world = chart(state.world)
    for name in tuple(fleets):
        fleet = state.fleets[name]
        found = state.weather.get(region(state, fleet).name)
        ashore = is_landing(world, fleet.at)
        if found is None or found.sky not in ROUGH or found.hour != state.watch + 1 or ashore:
            continue
        state, told = storm(state, name, found, dice)
        events += told
    return state, tuple(events)


def storm(state: State, name: str, found: Sky, dice: Dice) -> Handled:
    """O4.2 One fleet in a gale or storm at sea."""
    fleet = state.fleets[name]
    world = chart(state.world)
    here = world.point(fleet.at)
    lane = world.lanes[fleet.at.lane] if isinstance(fleet.at, OnLane) else None
    sheltered = False
    if lane is not None and lane.kind == "lane":
        near = any(apart(here, world.spaces[end].lonlat) <= PORT_NEAR for end in (lane.start, lane.end))
        (face,) = dice.roll(1, 6, "O4.2", only=UMPIRE)
        sheltered = face + state.skill(name)[0] + near >= WEATHER.sheltered
    order = state.order_of(name)
    base = 3 * sheltered + 4 * (found.sky == "gale") - (order is not None and order.risk)
    totals = {}
    for each in fleet.ships:
        first, second = dice.roll(2, 6, "O4.2", only=UMPIRE)
        totals[each] = first + second + base + sturdiness(state.ships[each])
    lost = tuple(each for each, total in totals.items() if total <= LAST_LOSS)
    ships = {each: batter(state.ships[each], total) for each, total in totals.items() if total <= LAST_OARS}
    state = state.with_ships({each: ship for each, ship in ships.items() if each not in lost})
    state = remove_ships(state, lost, "lost")
    astray = tuple(each for each, total in totals.items() if LAST_LOSS < total <= LAST_SCATTER)
    if 0 < len(astray) < len(state.fleets[name].ships) and not fleet.strays_of:
        state = scatter(state, name, astray)
    state = state.with_fleet(name, weary=2)
    told = event(
        "O4.2",
        "storm",
        (fleet.side,),
        True,
        side=fleet.side,
        fleet=fleet.name,
        space=world.near(fleet.at),
        sky=found.sky,
        lost=len(lost),
        hurt=len(ships) - len(lost),
        scattered=len(astray),
    )
    return state, (told,)


def sturdiness(ship: Ship) -> int:
    """O4.2 What a ship and her rowers add to the dice of a storm."""
    lame = 2 * ship.damage >= TABLES.hull[ship.type]
    skill = (ship.pips >= 7) - (ship.pips <= 3)
    return WEATHER.types.get(ship.type, 0) + skill - lame - ship.corvus


def batter(ship: Ship, total: int) -> Ship:
    """O4.2 Oars broken; half her hull gone, too, from a worse sea."""
    half = int(TABLES.hull[ship.type]) // 2
    return replace(ship, oars=True, damage=max(ship.damage, half) if total <= LAST_WRECK else ship.damage)


# -- O4.1, O4.4 How far a fleet goes, and where to: reach by type, rowers, hull and hunger; the way of its order.

WATCHES = 4  # O3.1: three hours each
TIRED = 2  # O4.3: from so much weariness the rowers count one quality lower
A_QUALITY = 3
OARS = 0.7  # O4.1: reach with one side's oars broken
BREACH = 0.8  # O4.1: reach with a breach open
FOLLOWING = ("escort", "join")
SHORT = 3  # tenths of her rowers gone, from which on one side counts as broken
CROWDED, CROWD = 60, 0.9  # more sail together go slower
BY_NIGHT = 0.5  # O4.1: half a day more
TOWED = 20.0  # nautical miles a day of a galley with a transport in tow


def quality(ship: Ship, weary: int = 0) -> str:
    """O2.3 What a ship's rowers count as: poor, average or elite."""
    pips = max(1, ship.pips - (A_QUALITY if weary >= TIRED else 0))
    return next(name for name, each in TABLES.rowers.items() if pips <= each.most)


def rowers(tables: Tables, ship: Ship, weary: int = 0) -> Rowers:
    """O2.3 What her rowers do to reach and knots."""
    return tables.rowers[quality(ship, weary)]


def is_lame(ship: Ship) -> bool:
    """O4.1 Has she lost half her hull?"""
    return 2 * ship.damage >= TABLES.hull[ship.type]


def foul(ship: Ship) -> float:
    """O4.1 What weeds and worms take from her reach, by the weeks since she was hauled out."""
    return 1.0 if ship.weeks <= 4 else 0.95 if ship.weeks <= 8 else 0.9 if ship.weeks <= 16 else 0.85


def reach(state: State, name: str, to: str | None = None) -> float:
    """O4.1, O4.2 The miles that a fleet makes in a day towards a space: its slowest ship's, by daylight and wind."""
    fleet, order = state.fleets[name], state.order_of(name)
    pace = order.pace if order is not None else "cruise"
    wind, sail = (1.0, None) if to is None else under_sail(state, fleet, to)
    ships = [state.ships[each] for each in fleet.ships]
    towed = TOWED if 2 * sum(not ship.is_warship for ship in ships) <= len(ships) else 0.0
    miles = min(ships_reach(state, fleet, ship, pace, wind, sail, towed) for ship in ships)
    miles *= min(1.0, daylight(state) / WEATHER.hours[pace])
    miles *= CROWD if len(ships) > CROWDED else 1
    miles *= 1 + BY_NIGHT * (order is not None and order.by_night)
    return (
        miles * (state.tables.food.hungry if fleet.hungry else 1) * (state.tables.food.thirsty if fleet.thirsty else 1)
    )


def ships_reach(
    state: State, fleet: Fleet, ship: Ship, pace: str, wind: float, sail: float | None, towed: float
) -> float:
    """O4.1 The miles of one ship: a galley under oars, by rowers, hull and weeds; a transport under sail, or in tow."""
    row = state.tables.type[ship.type]
    miles = float(getattr(row, pace))
    if not ship.is_warship:
        return miles if sail is None else max(sail * miles / row.cruise, towed)
    broken = (OARS if ship.oars or ship.short >= SHORT else 1) * (BREACH if ship.breaches else 1)
    lame = TABLES.hull["half"] if is_lame(ship) else 1
    return miles * wind * rowers(state.tables, ship, fleet.weary).reach * lame * broken * foul(ship)


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
        ashore = is_landing(chart(state.world), fleet.at)
        return None if ashore else home(state, name) or end_of(chart(state.world), fleet.at)
    if order.unmet_by and state.day >= order.unmet_by and not fleet.has_met and order.then == "home":
        return home(state, name)
    if order.do in FOLLOWING:
        leader = led_by(state, name)
        if leader != name and state.fleets[leader].at == fleet.at and order.do == "escort":
            return goal(state, leader)
        return chart(state.world).near(state.fleets[order.to].at) if order.to in state.fleets else None
    return order.to or None


def led_by(state: State, name: str) -> str:
    """O3.3 Whom a fleet follows in the end: of escorts of escorts the first; itself where they go round in a circle."""
    seen = [name]
    while (order := state.order_of(seen[-1])) is not None and order.do in FOLLOWING and order.to in state.fleets:
        if order.to in seen or not state.fleets[order.to].ships:
            return name
        seen.append(order.to)
    return seen[-1]


def end_of(world: Chart, at: At) -> str:
    """The nearer end of a lane; a space itself."""
    return world.near(at)


def ahead(state: State, name: str, to: str) -> tuple[str, ...]:
    """O4.5 The spaces still to be passed on the way to a goal: by the way that was ordered, else by the shortest.

    In winter the shortest way along the coasts, unless the order takes the risk (O4.2).
    """
    world, fleet = chart(state.world), state.fleets[name]
    order = state.order_of(name)
    closed = is_closed(state) and not (order is not None and order.risk)
    if order is not None and order.way and not fleet.course:
        way = by_way(world, fleet.at, order.way)
        return way if not closed or not isinstance(fleet.at, str) or is_open(world, fleet.at, way) else ()
    if isinstance(fleet.at, str):
        return (world.coastal if closed else world).path(fleet.at, to)[1:]
    lane, done = world.lanes[fleet.at.lane], fleet.at.miles
    net = world.coastal if closed and to in world.coastal.from_(lane.start) else world
    far = net.from_(to)
    if lane.start not in far or lane.end not in far:
        return world.path(world.near(fleet.at), to)
    ends = [(done + far[lane.start][0], lane.start), (lane.miles - done + far[lane.end][0], lane.end)]
    return net.path(min(ends)[1], to)


def is_open(world: Chart, at: str, way: tuple[str, ...]) -> bool:
    """O4.2 Does the next leg of a way keep to the coast?"""
    return not way or world.between(at, way[0]).kind != "sea_lane"


def by_way(world: Chart, at: At, way: tuple[str, ...]) -> tuple[str, ...]:
    """O3.3 What is left of a way."""
    if isinstance(at, str):
        return way[way.index(at) + 1 :] if at in way else way
    ends = {world.lanes[at.lane].start, world.lanes[at.lane].end}
    for number in range(1, len(way)):
        if {way[number - 1], way[number]} == ends:
            return way[number:]
    return way


def move_along(world: Chart, at: At, spaces: tuple[str, ...], miles: int, halt: bool = False) -> At:
    """O4.1 Where a fleet is after so many miles along these spaces; with a `halt` it ends at the last one."""
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
            if not miles or (halt and is_landing(world, at)):
                return at
            if isinstance(at, str):
                return OnLane(lane.id, miles if at == lane.start else lane.miles - miles)
            return OnLane(lane.id, done + miles if space == lane.end else done - miles)
        miles -= left
        at = space
    return at


def after_watch(state: State, name: str) -> At:
    """O4.1, O4.3 Where the fleet is at the end of this watch; in the last one it halts for the night where it can."""
    fleet = state.fleets[name]
    to = goal(state, name)
    if fleet.kept:
        return fleet.at
    beside = draw_near(state, name, to)
    if beside is not None or to is None or to == fleet.at:
        return beside or fleet.at
    spaces = ahead(state, name, to)
    if not spaces:
        return fleet.at
    leader, order = led_by(state, name), state.order_of(name)
    whole = reach(state, name, spaces[0])
    if leader != name and state.fleets[leader].at == fleet.at:  # an escort keeps with its charge
        spaces = ahead(state, leader, to) or spaces
        whole = min(whole, reach(state, leader, spaces[0]))
    miles = miles_in_watch(state, whole)
    on = order is not None and (order.nights_at_sea or order.by_night)
    return move_along(chart(state.world), fleet.at, spaces, miles, state.watch + 1 == WATCHES and not on)


def miles_in_watch(state: State, whole: float) -> int:
    """O3.1 The miles of this watch, of so many in a day."""
    return round(whole * (state.watch + 1) / WATCHES) - round(whole * state.watch / WATCHES)


def draw_near(state: State, name: str, to: str | None) -> At | None:
    """O2.2 Where a fleet is that sails along a lane up to the fleet on it that it joins or escorts; else None."""
    world, order, fleet = chart(state.world), state.order_of(name), state.fleets[name]
    other = state.fleets.get(order.to) if order is not None and order.do in FOLLOWING else None
    if other is None or not other.ships or not isinstance(other.at, OnLane) or to != world.near(other.at):
        return None
    lane, there = world.lanes[other.at.lane], other.at.miles
    on_lane = isinstance(fleet.at, OnLane) and fleet.at.lane == lane.id
    here = fleet.at.miles if isinstance(fleet.at, OnLane) else {lane.start: 0, lane.end: lane.miles}.get(fleet.at)
    if here is None or here == there or not (on_lane or isinstance(fleet.at, str)):
        return None
    miles = miles_in_watch(state, reach(state, name, lane.end if here < there else lane.start))
    at = max(here - miles, there) if here > there else min(here + miles, there)
    return fleet.at if at == here else OnLane(lane.id, at)


def lies_in_port(state: State, fleet: Fleet) -> bool:
    """O4.4 Is the fleet in a port of its own side or of an ally?"""
    return isinstance(fleet.at, str) and state.is_friendly(fleet.at, fleet.side)


def is_on_patrol(state: State, name: str) -> bool:
    """O3.3 Is the fleet under oars at the station that it was ordered to patrol?"""
    fleet, order = state.fleets[name], state.order_of(name)
    is_free = not (fleet.kept or fleet.course or fleet.pursuit)
    return is_free and order is not None and order.do == "patrol" and fleet.at == order.to
