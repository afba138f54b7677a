"""O4.5 What an order means before it is given: each day's halt, miles, hours, provisions, and where one may be seen.

It reckons with the fleets of the side alone and with what that side knows of others, so it tells no secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from msgspec.structs import replace

from strategic.open_campaign.rules.sailing import WATCHES, after_watch, goal, reach
from strategic.open_campaign.rules.upkeep import age, is_fed, larder
from strategic.open_campaign.rules.world import apart, chart
from strategic.open_campaign.state import At, Order, Sighting, State
from strategic.open_campaign.tables import TABLES
from tactical.kernel.record import Record

DAYLIGHT = 12  # hours of a day's four watches
FRESH = 2  # days for which a sighting is reckoned with
TWO_DICE = tuple(one + other for one, other in product(range(1, 7), repeat=2))


class Ahead(Record, frozen=True):
    """One day of an order: where the fleet is at its end, `near` which space, how far and how long it has gone.

    `provisions` are days of food left, `is_fed` when a port fills them; `seen_by` is the side that may see it and
    `chance` how likely that is; `track` are the places of the day's watches, for drawing.
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

    @property
    def is_ashore(self) -> bool:
        """O4.3 Is the night spent at a place, and not at sea?"""
        return isinstance(self.at, str)


def as_known(state: State, side: str) -> State:
    """O5.2 The position with nothing in it but what the side owns and knows."""
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
        met=(),
        settled={},
    )


def forecast(state: State, fleet: str, given: Order) -> tuple[Ahead, ...]:
    """O4.5 The days of this turn under an order, as far as its side can reckon them."""
    side = state.fleets[fleet].side
    state = as_known(state, side)
    orders = {**state.orders.get(side, {}), fleet: given}
    state = replace(state, orders={side: orders})
    found = []
    for day in range(1, TABLES.days[state.turn_length] + 1):
        whole, before, track = reach(state, fleet), state.fleets[fleet].at, [state.fleets[fleet].at]
        for watch in range(WATCHES):
            state = replace(state, day=day, watch=watch)
            places = {name: after_watch(state, name) for name in state.at_sea()}
            for name, at in places.items():
                state = state.with_fleet(name, at=at)
            track.append(state.fleets[fleet].at)
        state, one = evening(state, fleet, day)
        miles = gone(state, fleet, before, whole)
        seen_by, chance = may_see(state, fleet, track, given)
        found.append(
            replace(
                one,
                miles=miles,
                hours=round(miles / whole * DAYLIGHT * 2) / 2 if whole else 0.0,
                track=tuple(track),
                seen_by=seen_by,
                chance=chance,
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


def gone(state: State, fleet: str, before: At, whole: float) -> int:
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


def may_see(state: State, fleet: str, track: Iterable[At], given: Order) -> tuple[str, float]:
    """O5.1, O5.2 Who is known to be near enough to see the fleet on this way, and how likely at least once."""
    world, side = chart(state.world), state.fleets[fleet].side
    points = [world.point(at) for at in track][1:]
    number = len(state.fleets[fleet].ships)
    best = ("", 0.0)
    for known in newest(state, side):
        misses = []
        for point in points:
            miles = apart(point, (known.lon, known.lat))
            if miles <= TABLES.sight.miles:
                misses.append(1 - chance_of_sight(number, miles, given.stance == "avoid"))
        chance = 1 - prod(misses) if misses else 0.0
        if chance > best[1]:
            best = (known.side, chance)
    return best


def newest(state: State, side: str) -> tuple[Sighting, ...]:
    """O5.2 The newest sighting near each place that is not too old to reckon with."""
    found: dict[tuple[str, str], Sighting] = {}
    for each in state.known.get(side, ()):
        if age(state, each.turn, each.day) <= FRESH and state.are_hostile(side, each.side):
            found[each.side, each.near] = each
    return tuple(found.values())


def chance_of_sight(number: int, miles: float, avoids: bool) -> float:
    """O5.1 How likely one look at so many sail at that distance sees them, exactly."""
    more = next(row.more for row in TABLES.sight.number if number <= row.most)
    more += (2 * miles <= TABLES.sight.miles) - avoids
    return sum(total + more >= TABLES.sight.needed for total in TWO_DICE) / len(TWO_DICE)
