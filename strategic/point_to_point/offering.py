"""What offers are made of: groups of generals, and the runs of numbers that are legal together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from strategic.point_to_point.pieces import Troops


def ranges(start: int, stop: int, allowed: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """The unbroken runs of allowed numbers from start to stop."""
    low: int | None = None
    for number in range(start, stop + 2):
        good = number <= stop and allowed(number)
        if good and low is None:
            low = number
        if not good and low is not None:
            yield low, number - 1
            low = None


def forces(here: Troops, most: int, may: Callable[[Troops], bool]) -> Iterator[dict[str, Any]]:
    """Every force that may be taken of the troops here, at most so many CUs, as fields of offers.

    For each number of elephants the runs of ordinary units; where trains are, the numbers of trains that may go with
    each run. A force without CUs stands apart, for it may do less.
    """
    for elephants in range(min(here.elephants, most) + 1):
        top = min(here.units, most - elephants)
        for trains, low, high in _runs(here, elephants, top, may):
            for first, last in [(0, 0), (1, high)] if elephants == 0 and low == 0 else [(low, high)]:
                if first <= last:
                    fields: dict[str, Any] = {"elephants": elephants, "units": {"from": first, "to": last}}
                    if here.trains:
                        fields["trains"] = list(trains)
                    yield fields


def _runs(
    here: Troops, elephants: int, top: int, may: Callable[[Troops], bool]
) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Runs of units with the numbers of trains that all of them may have along."""
    start: tuple[tuple[int, ...], int] | None = None
    for units in range(top + 2):
        trains = () if units > top else _trains(here, units, elephants, may)
        if start is not None and trains != start[0]:
            yield start[0], start[1], units - 1
            start = None
        if start is None and trains:
            start = (trains, units)


def _trains(here: Troops, units: int, elephants: int, may: Callable[[Troops], bool]) -> tuple[int, ...]:
    return tuple(trains for trains in range(here.trains + 1) if may(Troops(units, elephants, trains)))


def least(fields: dict[str, Any]) -> Troops:
    """The smallest force of an offer's fields, with as many trains as it may have."""
    return Troops(fields["units"]["from"], fields["elephants"], max(fields.get("trains", (0,))))
