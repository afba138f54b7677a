"""O5.2 Rumours: what ports hear by their rank, true, late or false by a die; never a name that was invented."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.open_campaign.rules.changes import Handled
from strategic.open_campaign.rules.upkeep import weeks
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Sighting, State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, event

NEEDED = {90: 1, 80: 4, 70: 6}  # a rumour a week from this face on, by the port's rank; 100 hears two
GREATEST = 100
TRUE, LATE = 3, 5  # a die up to these faces; beyond it is false


def rumours(state: State, dice: Dice) -> Handled:
    """O5.2 At the end of a week or a month (every seventh turn of a day) each held port may hear of a hostile fleet."""
    if not weeks(state):
        return state, ()
    world = chart(state.world)
    events: list[Event] = []
    for port, side in sorted(state.ports.items()):
        rank = world.spaces[port].rank
        for _ in range(2 if rank >= GREATEST else 1):
            (face,) = dice.roll(1, 6, "O5.2", only=UMPIRE)
            if rank >= min(NEEDED) and face >= next(least for known, least in NEEDED.items() if rank >= known):
                state, told = hear(state, side, port, dice)
                events += told
    return state, tuple(events)


def hear(state: State, side: str, port: str, dice: Dice) -> Handled:
    """O5.2 One rumour: a fleet of another side, by a die as it is, late with its number wrong, or in a wrong port."""
    others = [name for name in state.at_sea() if state.are_hostile(side, state.fleets[name].side)]
    if not others:
        return state, ()
    world = chart(state.world)
    which, kind, days, wrong = dice.roll(4, 6, "O5.2", only=UMPIRE)
    name = others[(which * len(others) // 7) % len(others)]
    fleet = state.fleets[name]
    number, near = len(fleet.ships), world.near(fleet.at)
    if kind > LATE:
        ports = sorted(state.ports)
        near = ports[(wrong * len(ports) // 7) % len(ports)]
    elif kind > TRUE:
        number, days = (2 * number if wrong % 2 else max(1, number // 2)), days + 3
    lon, lat = world.spaces[near].lonlat
    day = max(1, state.tables.days[state.turn_length] + 1 - days)
    seen = Sighting(fleet.side, number, near, lon, lat, state.turn, day, rumour=True)
    known = {**state.known, side: (*state.known.get(side, ()), seen)}
    told = event("O5.2", "rumour", (side,), True, side=side, of=fleet.side, number=number, space=near, port=port)
    return replace(state, known={each: known[each] for each in sorted(known)}), (told,)
