"""O4.1, O4.2 Wind and weather by region and month, daylight, and what a gale or a storm does to ships at sea."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import atan2, cos, degrees, radians

from msgspec.structs import replace

from strategic.calendar import parts
from strategic.coast import Point, apart
from strategic.open_campaign.rules.changes import Handled, remove_ships, scatter
from strategic.open_campaign.rules.world import chart, is_landing
from strategic.open_campaign.state import Fleet, OnLane, Ship, Sky, State
from strategic.open_campaign.tables import TABLES, WEATHER, Region
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, event

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


def sky(state: State, fleet: Fleet) -> str:
    """O4.2 What the weather is where a fleet is, in this watch."""
    found = state.weather.get(region(state, fleet).name)
    return "calm" if found is None or state.watch + 1 < found.hour else found.sky


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
    now = sky(state, fleet)
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
