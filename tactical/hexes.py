"""G1.1, G1.3 Flat-top hexes in whole numbers: axial (q, r), six headings, distance, lines, offset columns.

Every hex map of the house uses these functions; nothing here knows a ship or a leader.
"""

from __future__ import annotations

from collections.abc import Iterator

Hex = tuple[int, int]

HEADINGS: tuple[str, ...] = ("N", "NE", "SE", "S", "SW", "NW")
STEPS: dict[str, Hex] = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
NUMBER: dict[str, int] = {heading: number for number, heading in enumerate(HEADINGS)}
TURNED: dict[tuple[str, str], str] = {
    (heading, turn): HEADINGS[(number + change) % 6]
    for number, heading in enumerate(HEADINGS)
    for turn, change in (("left", -1), ("none", 0), ("right", 1))
}
OPPOSITE: dict[str, str] = {heading: HEADINGS[(number + 3) % 6] for number, heading in enumerate(HEADINGS)}


def ahead(at: Hex, heading: str) -> Hex:
    """The next hex in a direction."""
    step = STEPS[heading]
    return (at[0] + step[0], at[1] + step[1])


def astern(at: Hex, heading: str) -> Hex:
    """The next hex behind a ship with this heading."""
    step = STEPS[heading]
    return (at[0] - step[0], at[1] - step[1])


def is_parallel(one: str, other: str) -> bool:
    """Are two headings the same or opposite?"""
    return one == other or OPPOSITE[one] == other


def distance(one: Hex, other: Hex) -> int:
    """The number of hex steps between two hexes."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six hexes around, from north clockwise."""
    q, r = at
    return ((q, r - 1), (q + 1, r - 1), (q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r))


def within(at: Hex, reach: int) -> Iterator[Hex]:
    """All hexes at most `reach` steps away, the centre too."""
    for q in range(-reach, reach + 1):
        for r in range(max(-reach, -q - reach), min(reach, -q + reach) + 1):
            yield (at[0] + q, at[1] + r)


def column_row(at: Hex) -> tuple[int, int]:
    """Offset coordinates: column = q, row = r + floor(q / 2)."""
    return at[0], at[1] + at[0] // 2


def from_column_row(column: int, row: int) -> Hex:
    """The axial hex at an offset column and row."""
    return column, row - column // 2


def is_on_board(at: Hex, columns: int, rows: int) -> bool:
    """Is the hex on a board of so many columns and rows?"""
    return 0 <= at[0] < columns and 0 <= at[1] + at[0] // 2 < rows


def rotate(at: Hex, sixths: int) -> Hex:
    """The hex turned about (0, 0) by so many times 60 degrees clockwise."""
    q, r = at
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return q, r


def bearing(one: Hex, other: Hex) -> str:
    """The heading that points best from one hex to another; between two, the first clockwise from north."""
    if one == other:
        raise ValueError("a hex has no bearing to itself")
    q, r = other[0] - one[0], other[1] - one[1]
    return max(HEADINGS, key=lambda heading: _along(STEPS[heading], (q, r)))


def is_forward(at: Hex, heading: str, other: Hex) -> bool:
    """Does the other hex lie abeam or before the beam of a ship at `at`?"""
    return _along(STEPS[heading], (other[0] - at[0], other[1] - at[1])) >= 0


def _along(step: Hex, way: Hex) -> int:
    """Twice the scalar product of two axial vectors (their cube coordinates)."""
    return step[0] * way[0] + step[1] * way[1] + (step[0] + step[1]) * (way[0] + way[1])
