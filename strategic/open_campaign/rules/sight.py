"""O5.1 Seeing: a die by numbers, distance, weather and stance; what is seen is told with its error and its age."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from strategic.coast import Point, apart, is_hidden
from strategic.open_campaign.rules.sailing import is_on_patrol
from strategic.open_campaign.rules.weather import ROUGH, sky
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Fleet, Sighting, State
from strategic.open_campaign.tables import Tables
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, event

CLOSE = 3  # nautical miles within which ships are counted well
STEP = 0.1  # of the error, by a pip of the die
LEAST = 0.75
DUSK = 4  # O5.1: in the last watch the light fails
DEGREE = 60.0  # nautical miles of a degree of latitude
WIDEST = 0.5  # a degree of longitude is never shorter than this part of one of latitude, in these seas


class Eye(NamedTuple):
    """Who looks out: a side, from a fleet or from a space with watchers."""

    side: str
    at: Point
    called: str
    scouts: bool = False


def eyes_of(state: State) -> tuple[Eye, ...]:
    """O5.1 Watchers ashore: in every port that a side holds."""
    world = chart(state.world)
    return tuple(
        Eye(side, world.spaces[port].lonlat, port)
        for port, side in sorted(state.ports.items())
        if not state.sides[side].resigned
    )


def is_near(one: Point, other: Point, miles: float) -> bool:
    """May two points be so near each other? A cheap question before the exact one."""
    return (
        abs(one[1] - other[1]) * DEGREE <= miles
        and abs(one[0] - other[0]) * DEGREE * WIDEST <= miles
        and apart(one, other) <= miles
    )


def sees(state: State, one: Point, other: Point) -> bool:
    """O5.1 Is the line between two points free of land? Only the great map knows where land is."""
    if not isinstance(state.world, str):
        return True
    first, last = sorted(((round(one[0], 2), round(one[1], 2)), (round(other[0], 2), round(other[1], 2))))
    return not is_hidden(first, last)


def modifier(state: State, target: str, miles: float, limit: float, scouts: bool) -> int:
    """O5.1 What numbers, distance, stance, scouts and weather do to the dice."""
    order = state.order_of(target)
    return on_the_dice(
        state.tables,
        len(state.fleets[target].ships),
        miles,
        limit,
        avoids=order is not None and order.stance == "avoid",
        dusk=state.watch >= DUSK,
        rough=sky(state, state.fleets[target]) in ROUGH,
        scouts=scouts,
    )


def on_the_dice(
    tables: Tables,
    number: int,
    miles: float,
    limit: float,
    *,
    avoids: bool = False,
    dusk: bool = False,
    rough: bool = False,
    scouts: bool = False,
) -> int:
    """O5.1 The same of plain facts: so many sail, so far, by a lookout who sees so far."""
    found = next(row.more for row in tables.sight.number if number <= row.most)
    return found + (2 * miles <= limit) - avoids - dusk + scouts + tables.sight.gale * rough


def look(
    state: State, eye: Eye, target: str, miles: float, limit: float, dice: Dice
) -> tuple[State, tuple[Event, ...], bool]:
    """O5.1 A fleet or a watcher looks out for a fleet: what its side, and who shares its eyes, then knows of it."""
    more = modifier(state, target, miles, limit, eye.scouts)
    if sum(dice.roll(2, 6, "O5.1", only=UMPIRE)) + more < state.tables.sight.needed:
        return state, (), False
    number = len(state.fleets[target].ships)
    if miles > CLOSE:
        (face,) = dice.roll(1, 6, "O5.1", only=UMPIRE)
        number = about(number, LEAST + STEP * (face - 1))
    return *note_sighting(state, eye, target, number), True


def note_sighting(state: State, eye: Eye, target: str, number: int, quiet: int = 1) -> tuple[State, tuple[Event, ...]]:
    """O5.1, O5.4 A sighting in the books of the side, and of those that have a treaty to share what they see.

    A fleet that was told as strong from the same place within `quiet` days is not told again.
    """
    world = chart(state.world)
    fleet = state.fleets[target]
    lon, lat = world.point(fleet.at)
    near = world.near(fleet.at)
    seen = Sighting(fleet.side, number, near, round(lon, 2), round(lat, 2), state.turn, state.day, fleet.heading)
    known = dict(state.known)
    days = state.tables.days[state.turn_length]
    now = state.turn * days + state.day
    if any(
        (each.side, each.near) == (fleet.side, near)
        and now - each.turn * days - each.day < quiet
        and each.number >= number
        for each in known.get(eye.side, ())
    ):
        return state, ()
    for side in (eye.side, *(other for other in state.sides if state.has_treaty(eye.side, other, "seeing"))):
        if side != fleet.side:
            known[side] = (*known.get(side, ()), seen)
    told = event(
        "O5.1",
        "sighted",
        (eye.side,),
        True,
        side=eye.side,
        of=seen.side,
        number=number,
        space=near,
        day=state.day,
        course=seen.course,
        fleet=eye.called,
    )
    return replace(state, known={name: known[name] for name in sorted(known)}), (told,)


def about(number: int, error: float) -> int:
    """O5.1 So many sail as they are told: larger numbers to the nearest five."""
    told = max(1, round(number * error))
    return told if told < 10 else 5 * round(told / 5)


def eye_of(state: State, name: str, fleet: Fleet, at: Point) -> Eye:
    """O3.3, O5.1 The lookouts of a fleet; a fleet that scouts, or patrols at its station, sees more."""
    order = state.order_of(name)
    scouts = order is not None and order.do == "scout"
    return Eye(fleet.side, at, name, scouts or is_on_patrol(state, name))
