"""O4.5 What an order means before it is given: each day's halt, miles, hours, provisions, and where one may be seen.

It reckons with the fleets of the side alone and with what that side knows of others, so it tells no secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import inf, prod

from msgspec.structs import replace

from strategic.coast import Point, apart
from strategic.open_campaign.rules.holding import position_for
from strategic.open_campaign.rules.sailing import (
    ROUGH,
    WATCHES,
    after_watch,
    ahead,
    goal,
    kind_of,
    modifier,
    month,
    reach,
    region,
    row,
)
from strategic.open_campaign.rules.sight import DUSK, Eye, eyes_of, is_near, on_the_dice, sees
from strategic.open_campaign.rules.upkeep import age, is_fed, larder
from strategic.open_campaign.rules.world import chart, is_landing
from strategic.open_campaign.state import At, Order, Sighting, Sky, State
from strategic.open_campaign.tables import TABLES, WEATHER, Tables
from tactical.kernel.record import Record

DAYLIGHT = 12  # hours of a day's four watches
CALM_DAY = 5  # the watch in which bad weather breaks on a day that has none
BEFORE_DAWN = 0.5  # how likely bad weather breaks before dawn
FRESH = 2  # days for which a sighting is reckoned with
TWO_DICE = tuple(one + other for one, other in product(range(1, 7), repeat=2))


class Ahead(Record, frozen=True):
    """One day of an order: where the fleet is at its end, `near` which space, how far and how long it has gone.

    `provisions` are days of food left, `is_fed` when a port fills them; `seen_by` is the side that may see it and
    `chance` how likely that is; `track` are the places of the day's watches, for drawing. `weather` is how likely calm,
    fresh, gale and storm are (none where the campaign has no weather). Miles are those of a calm day; `reach` are those
    that the fleet makes on average under each of these, over the winds of the month, `likely` over them all.
    """

    day: int
    at: At
    near: str
    miles: int
    hours: float
    provisions: int
    is_fed: bool
    track: tuple[At, ...] = ()
    seen_by: str = ""
    chance: float = 0.0
    weather: dict[str, float] = {}
    reach: dict[str, int] = {}
    likely: int = 0

    @property
    def is_ashore(self) -> bool:
        """O4.3 Is the night spent at a place, and not at sea?"""
        return isinstance(self.at, str)


def known_position(state: State, side: str) -> State:
    """O5.2 The position with nothing in it but what the side owns and knows."""
    state = position_for(state, side)
    fleets = {name: fleet for name, fleet in state.fleets.items() if fleet.side == side}
    ships = {name: ship for name, ship in state.ships.items() if any(name in fleet.ships for fleet in fleets.values())}
    return replace(
        state,
        fleets=fleets,
        ships=ships,
        orders={side: state.orders[side]} if side in state.orders else {},
        known={side: state.known.get(side, ())},
        letters={},
        goals=(),
        engagement=None,
        pairs=(),
        weather={},
        before=None,
        met=(),
        settled={},
    )


def forecast(state: State, fleet: str, given: Order) -> tuple[Ahead, ...]:
    """O4.5 The days of this turn under an order, as far as its side can reckon them."""
    side = state.fleets[fleet].side
    state = known_position(state, side)
    orders = {**state.orders.get(side, {}), fleet: given}
    state = replace(state, orders={side: orders})
    found = []
    for day in range(1, TABLES.days[state.turn_length] + 1):
        whole, before, track = reach(state, fleet), state.fleets[fleet].at, [state.fleets[fleet].at]
        skies = miles_by_weather(state, fleet) if state.options.weather else {}
        for watch in range(WATCHES):
            state = replace(state, day=day, watch=watch)
            places = {name: after_watch(state, name) for name in state.at_sea()}
            for name, at in places.items():
                state = state.with_fleet(name, at=at)
            track.append(state.fleets[fleet].at)
        state, one = evening(state, fleet, day)
        miles = day_miles(state, fleet, before, whole)
        most = miles if state.fleets[fleet].at == goal(state, fleet) else inf  # the goal may lie nearer
        seen_by, chance = may_see(state, fleet, track, given)
        found.append(
            replace(
                one,
                miles=miles,
                hours=round(miles / whole * DAYLIGHT * 2) / 2 if whole else 0.0,
                track=tuple(track),
                seen_by=seen_by,
                chance=chance,
                weather=weather_chances(state, fleet) if state.options.weather else {},
                reach={kind: round(min(most, far)) for kind, (_, far) in skies.items()},
                likely=round(sum(part * min(most, far) for part, far in skies.values())) if skies else miles,
            )
        )
    return tuple(found)


def evening(state: State, fleet: str, day: int) -> tuple[State, Ahead]:
    """O4.3, O4.4 The fleet at the end of a day: fed by a port, or with a day's food less, or hungry."""
    own = state.fleets[fleet]
    fed = not state.options.provisions or is_fed(state, own)
    left = larder(state, own) if fed else max(0, own.provisions - 1)
    hungry = 0 if fed or own.provisions else own.hungry + 1
    state = state.with_fleet(fleet, provisions=left, hungry=hungry)
    near = chart(state.world).near(own.at)
    return state, Ahead(day=day, at=own.at, near=near, miles=0, hours=0.0, provisions=left, is_fed=fed)


def day_miles(state: State, fleet: str, before: At, whole: float) -> int:
    """O4.1 The miles of a day: what its reach allows, less where the goal lies nearer."""
    now = state.fleets[fleet].at
    if now == before:
        return 0
    if now != goal(state, fleet):
        return round(whole)
    world = chart(state.world)
    return min(
        round(whole), max(1, round(apart_by_sea(state, before, now) or apart(world.point(before), world.point(now))))
    )


def apart_by_sea(state: State, one: At, other: At) -> float | None:
    """O4.1 The miles along lanes between two places; None where either lies on a lane."""
    if not (isinstance(one, str) and isinstance(other, str)):
        return None
    found = chart(state.world).from_(other).get(one)
    return None if found is None else float(found[0])


def lookouts(state: State, fleet: str) -> tuple[tuple[Eye, float], ...]:
    """O5.1, O5.2 Who is known to look out, and how far he sees: watchers in hostile ports, fleets that were seen."""
    side = state.fleets[fleet].side
    ports = [(eye, state.tables.sight.watched) for eye in eyes_of(state) if state.are_hostile(eye.side, side)]
    fleets = [
        (Eye(each.side, (each.lon, each.lat), each.near), state.tables.sight.miles) for each in newest(state, side)
    ]
    return (*ports, *fleets)


def may_see(state: State, fleet: str, track: Sequence[At], given: Order) -> tuple[str, float]:
    """O5.1, O5.2 Which side is most likely to see the fleet on this way at least once in the day, and how likely."""
    chances = seen_by(state, fleet, track, given)
    return max(chances.items(), key=lambda each: each[1], default=("", 0.0))


def seen_by(state: State, fleet: str, track: Sequence[At], given: Order) -> dict[str, float]:
    """O5.2 How likely each side sees the fleet in a day: watch by watch, over the day's chances of weather.

    `track` are the places at the day's beginning and after each watch. Watchers ashore look for fleets under way, and
    know of a night ashore within their sight (O4.3) for certain. Nobody is reckoned with whom the side does not know.
    """
    world = chart(state.world)
    points = [world.point(at) for at in track]
    eyes = lookouts(state, fleet)
    skies = hours_of_weather(state, fleet)
    found: dict[str, float] = {}
    for side in dict.fromkeys(eye.side for eye, _ in eyes):
        mine = [(eye, limit) for eye, limit in eyes if eye.side == side]
        unseen = 0.0
        for hour, share in skies.items():
            unseen += share * prod(
                1 - watch_chance(state, fleet, eye, limit, points, watch, given, watch >= hour)
                for eye, limit in mine
                for watch in range(1, len(points))
            )
        if is_landing(world, track[-1]) and any(
            is_near(eye.at, points[-1], state.tables.sight.watched) and sees(state, eye.at, points[-1])
            for eye, _ in mine
            if eye.called in state.ports
        ):
            unseen = 0.0
        if unseen < 1:
            found[side] = 1 - unseen
    return found


def watch_chance(
    state: State, fleet: str, eye: Eye, limit: float, points: Sequence[Point], watch: int, given: Order, rough: bool
) -> float:
    """O5.1 How likely one lookout sees the fleet at the end of a watch."""
    at = points[watch]
    if eye.called in state.ports and at == points[watch - 1] and limit > state.tables.sight.miles:
        return 0.0  # watchers ashore look for fleets under way
    if not is_near(eye.at, at, limit) or not sees(state, eye.at, at):
        return 0.0
    number = len(state.fleets[fleet].ships)
    return chance_of_sight(
        number, apart(eye.at, at), given.stance == "avoid", limit, watch >= DUSK, rough, state.tables
    )


def hours_of_weather(state: State, fleet: str) -> dict[int, float]:
    """O4.2 When a gale or storm breaks in a day (in which watch, 5 for none), and how likely that is."""
    if not state.options.weather:
        return {CALM_DAY: 1.0}
    chances = weather_chances(state, fleet)
    bad = sum(chances[kind] for kind in ROUGH)
    found = {CALM_DAY: 1 - bad}
    for face in range(1, 7):
        hour = max(1, face - 2)
        found[hour] = found.get(hour, 0.0) + bad / 6
    return found


def miles_by_weather(state: State, fleet: str) -> dict[str, tuple[float, float]]:
    """O4.2, O4.5 How likely each kind of weather is, and the miles that the fleet then makes on average.

    Over both dice and the winds of the month; whether yesterday's holds the side does not know, and each is as likely.
    In a gale or storm a fleet ashore stays in where it breaks before dawn or its pilots see it coming.
    """
    own = state.fleets[fleet]
    to = goal(state, fleet)
    way = ahead(state, fleet, to) if to is not None and to != own.at else ()
    where = region(state, own)
    winds = row(where, month(state))
    found: dict[tuple[str, str], float] = {}
    for red, white in product(range(1, 7), repeat=2):
        kind = kind_of(red + white + modifier(where, month(state)), where, month(state))
        for wind in winds if white % 2 else (winds[red - 1],):
            share = 1 / 36 / (len(winds) if white % 2 else 1)
            found[kind, wind] = found.get((kind, wind), 0.0) + share
    sums: dict[str, tuple[float, float]] = {}
    for (kind, wind), share in found.items():
        miles = miles_under(state, fleet, way[0], Sky(wind, kind)) if way else 0.0
        part, whole = sums.get(kind, (0.0, 0.0))
        sums[kind] = (part + share, whole + share * miles)
    return {kind: (part, whole / part) for kind, (part, whole) in sums.items()}


def miles_under(state: State, fleet: str, to: str, today: Sky) -> float:
    """O4.2 The miles of a day towards a space under this wind and weather, on average over whether it puts out."""
    own, order = state.fleets[fleet], state.order_of(fleet)
    state = replace(state, weather={region(state, own).name: today}, watch=WATCHES - 1)
    miles = reach(state, fleet, to)
    if today.sky not in ROUGH or not is_landing(chart(state.world), own.at) or (order is not None and order.risk):
        return miles
    seen = sum(total + state.skill(fleet)[0] >= WEATHER.warned for total in TWO_DICE) / len(TWO_DICE)
    return miles * (1 - BEFORE_DAWN) * (1 - seen)


def weather_chances(state: State, fleet: str) -> dict[str, float]:
    """O4.2, O4.5 How likely calm, fresh, gale and storm are in the region and month in which the fleet is, exactly."""
    where = region(state, state.fleets[fleet])
    more = modifier(where, month(state))
    found = dict.fromkeys(("calm", "fresh", *ROUGH), 0.0)
    for total in TWO_DICE:
        found[kind_of(total + more, where, month(state))] += 1 / len(TWO_DICE)
    return found


def newest(state: State, side: str) -> tuple[Sighting, ...]:
    """O5.2 The newest sighting near each place that is not too old to reckon with."""
    found: dict[tuple[str, str], Sighting] = {}
    for each in state.known.get(side, ()):
        if age(state, each.turn, each.day) <= FRESH and state.are_hostile(side, each.side):
            found[each.side, each.near] = each
    return tuple(found.values())


def chance_of_sight(
    number: int,
    miles: float,
    avoids: bool,
    limit: float = TABLES.sight.miles,
    dusk: bool = False,
    rough: bool = False,
    tables: Tables = TABLES,
) -> float:
    """O5.1 How likely one look at so many sail at that distance sees them, exactly."""
    more = on_the_dice(tables, number, miles, limit, avoids=avoids, dusk=dusk, rough=rough)
    return sum(total + more >= tables.sight.needed for total in TWO_DICE) / len(TWO_DICE)
