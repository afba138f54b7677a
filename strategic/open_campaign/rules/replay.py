"""O9.1 After the end: the whole war, what happened beside what each side believed."""

from __future__ import annotations

from collections.abc import Iterable

from strategic.coast import Point
from strategic.open_campaign.rules.upkeep import age
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import State
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import Record


class Stood(Record, frozen=True):
    """Where a fleet was: its side, near which space and where in degrees, and how many ships it had."""

    side: str
    name: str
    near: str
    at: Point
    ships: int


class Believed(Record, frozen=True):
    """What a side knew of another: about how many sail, near which space, and how many days that was old."""

    of: str
    number: int
    near: str
    at: Point
    days: int
    rumour: bool


class Moment(Record, frozen=True):
    """The beginning of a turn: where all fleets were, who held the ports, and what each side believed of the others."""

    turn: int
    date: str
    fleets: dict[str, Stood]
    ports: dict[str, str]
    believed: dict[str, tuple[Believed, ...]]


def moments(states: Iterable[State], end: State) -> tuple[Moment, ...]:
    """O9.1 The war turn by turn, from the positions that its journal holds, the first of each turn.

    Raises Illegal (O9.1) while it is fought: before the end nobody sees more than his side.
    """
    if end.result is None:
        raise Illegal("O9.1", "The war can be replayed when it is over.")
    found: dict[int, Moment] = {}
    for state in states:
        if state.turn not in found and state.step == "orders":
            found[state.turn] = moment(state)
    return tuple(found[turn] for turn in sorted(found))


def moment(state: State) -> Moment:
    """O9.1 One position: the truth, and beside it what each side knew."""
    world = chart(state.world)
    fleets = {
        name: Stood(fleet.side, fleet.name, world.near(fleet.at), world.point(fleet.at), len(fleet.ships))
        for name, fleet in ((name, state.fleets[name]) for name in state.at_sea())
    }
    believed = {
        side: tuple(
            Believed(
                each.side, each.number, each.near, (each.lon, each.lat), age(state, each.turn, each.day), each.rumour
            )
            for each in known
        )
        for side, known in state.known.items()
    }
    return Moment(state.turn, state.date, fleets, dict(state.ports), believed)
