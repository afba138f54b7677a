"""What a side may set by hand: the paths, whose they are, and what may stand there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from strategic.sword_of_rome.rules.survey import pair, powers_of, seat_of
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import (
    EVENTS,
    INDEPENDENT,
    LEADERS,
    MOST,
    PLAYED,
    POWERS,
    SEATS,
    SPACES,
    TABLES,
    is_city,
)
from tactical.kernel.protocol import Settable

Owners = Callable[[State, list[str]], tuple[str | None, ...] | None]
CITIES = tuple(space for space in SPACES if is_city(space))
NAMES: dict[str, tuple[str, ...]] = {
    "SPACE": tuple(SPACES),
    "CITY": CITIES,
    "TOWN": tuple(space for space in SPACES if SPACES[space].kind in ("walled", "tribal")),
    "POWER": POWERS,
    "PLAYED": tuple(power for power in POWERS if power in PLAYED),
    "OTHER": tuple(power for power in POWERS if power in PLAYED),
    "UNPLAYED": tuple(power for power in POWERS if power not in PLAYED),
    "EVENT": tuple(EVENTS),
}


def anybody(state: State, names: list[str]) -> None:
    """Any side's."""
    return None


def of_power(state: State, names: list[str]) -> tuple[str | None, ...]:
    """The seat's that decides for the power in the path."""
    return tuple(seat_of(state, name) for name in names if name in POWERS)[:1]


def of_holder(state: State, names: list[str]) -> tuple[str | None, ...]:
    """The seat's that decides for the power that controls the space; a new holder is asked in `owners`."""
    return (seat_of(state, state.controller(names[1])),)


@dataclass(frozen=True)
class Row:
    """Fields of one kind: the path with names in capitals for what they stand for, the paragraph, whose they are.

    `values` may stand there: a range, choices, or names of which several may be given (`several`); None empties the
    field. `anytime`: in the midst of an action too.
    """

    path: str
    rule: str
    owners: Owners
    values: Sequence[Any]
    several: bool = False
    anytime: bool = False

    @property
    def parts(self) -> list[str]:
        """The path's names, one by one."""
        return self.path.split(".")

    def fits(self, path: str) -> bool:
        """Is this path one of these fields?"""
        names = path.split(".")
        pairs = zip(names, self.parts, strict=False)
        return len(names) == len(self.parts) and all(name in NAMES.get(part, (part,)) for name, part in pairs)

    def takes(self, value: Any) -> bool:
        """May this value stand there?"""
        if self.several:
            return isinstance(value, list | tuple) and all(name in self.values for name in value)
        return value in self.values and isinstance(value, bool) == isinstance(self.values[0], bool)


ROWS = (
    Row("forces.SPACE.POWER.units", "5.10", of_power, range(MOST + 1)),
    Row("forces.SPACE.POWER.leaders", "5.10", of_power, tuple(LEADERS), several=True),
    Row("forces.CITY.POWER.inside", "5.10", of_power, range(TABLES.avoidance.in_city + 1)),
    Row("forces.CITY.POWER.inside_leaders", "5.10", of_power, tuple(LEADERS), several=True),
    Row("control.SPACE", "7.3", of_holder, (INDEPENDENT, *POWERS)),
    Row("loyalty.CITY", "7.3", of_holder, range(10)),
    Row("sieges.TOWN", "13", anybody, (None, *range(10))),
    Row("alliances.PLAYED.OTHER", "15", of_power, (True, False)),
    Row("runners.UNPLAYED", "16", anybody, (None, *SEATS)),
    Row("vp.PLAYED", "4", of_power, range(13), anytime=True),
    Row("unrest", "20", anybody, range(11), anytime=True),
    Row("events.EVENT", "7", anybody, (True, False), anytime=True),
)


def row_of(path: str) -> Row | None:
    """The row of a path; None when nobody sets it by hand."""
    return next((row for row in ROWS if row.fits(path)), None)


def owners(state: State, changes: dict[str, Any], path: str) -> tuple[str | None, ...] | None:
    """Whose field it is, None for anybody's; 7.3 who gets a space may take it, and set its loyalty with it."""
    row = row_of(path)
    if row is None:
        return None
    found = row.owners(state, path.split("."))
    new = changes.get(f"control.{path.rpartition('.')[2]}") if row.owners is of_holder else None
    return found if found is None or new not in POWERS else (*found, seat_of(state, str(new)))


def settable(state: State, seat: str) -> Iterator[Settable]:
    """Every field that the seat may set now; a space that it does not hold it may take."""
    busy = bool(state.pending) or state.move is not None
    mine = powers_of(state, seat)
    for row in ROWS if not state.is_over and seat not in state.resigned else ():
        for names in product(*(NAMES.get(part, (part,)) for part in row.parts)) if row.anytime or not busy else ():
            if names[0] == "alliances" and PLAYED[names[1]] == PLAYED[names[2]]:
                continue
            whose = row.owners(state, list(names))
            if whose is None or seat in whose:
                values = of_leaders(names[2]) if row.several else row.values
                yield Settable(".".join(names), value_of(state, names), values, row.several)
            elif row.owners is of_holder and names[0] == "control" and mine:
                yield Settable(".".join(names), value_of(state, names), (state.controller(names[1]), *mine))


def of_leaders(power: str) -> tuple[str, ...]:
    """8.1 The leaders of a power."""
    return tuple(name for name, leader in LEADERS.items() if leader.power == power)


def value_of(state: State, names: tuple[str, ...]) -> Any:
    """What stands in a field; a wish for an alliance is as good as the alliance."""
    match names:
        case ("forces", space, power, field):
            return getattr(state.force(space, power), field)
        case ("control", space):
            return state.controller(space)
        case ("loyalty", space):
            return state.loyalty_of(space)
        case ("alliances", power, other):
            return pair(power, other) in state.alliances or (power, other) in state.proposals
        case ("events", name):
            return name in state.events
        case (field, name):
            return getattr(state, field).get(name, 0 if field == "vp" else None)
        case _:
            return getattr(state, names[0])
