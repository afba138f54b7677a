"""O5.1 Seeing: a die by numbers, distance and stance; what is seen is told with its error and its age."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Sighting, State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, event

CLOSE = 3  # nautical miles within which ships are counted well
STEP = 0.1  # of the error, by a pip of the die
LEAST = 0.75


def look(state: State, looker: str, target: str, miles: float, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """O5.1 One fleet looks out for another: what its side then knows of it."""
    number = len(state.fleets[target].ships)
    modifier = next(row.more for row in state.tables.sight.number if number <= row.most)
    order = state.order_of(target)
    modifier += (2 * miles <= state.tables.sight.miles) - (order is not None and order.stance == "avoid")
    if sum(dice.roll(2, 6, "O5.1", only=UMPIRE)) + modifier < state.tables.sight.needed:
        return state, ()
    if miles >= CLOSE:
        (face,) = dice.roll(1, 6, "O5.1", only=UMPIRE)
        number = about(number, LEAST + STEP * (face - 1))
    side = state.fleets[looker].side
    world = chart(state.world)
    at = state.fleets[target].at
    lon, lat = world.point(at)
    seen = Sighting(
        state.fleets[target].side, number, world.near(at), round(lon, 2), round(lat, 2), state.turn, state.day
    )
    known = {**state.known, side: (*state.known.get(side, ()), seen)}
    told = event(
        "O5.1", "sighted", (side,), True, side=side, of=seen.side, number=number, space=seen.near, day=state.day,
        fleet=looker,
    )  # fmt: skip
    return replace(state, known={name: known[name] for name in sorted(known)}), (told,)


def about(number: int, error: float) -> int:
    """O5.1 So many sail as they are told: larger numbers to the nearest five."""
    told = max(1, round(number * error))
    return told if told < 10 else 5 * round(told / 5)
