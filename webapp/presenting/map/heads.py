"""The heads of generals: a face and a few strokes for each, no two alike in a game (`data/heads.toml`)."""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import product

import msgspec

import data
from tactical.kernel.record import Record


class Pieces(Record, frozen=True):
    """What a head is put together of: one of each list; several strokes are divided by blanks."""

    head: tuple[str, ...]
    chin: tuple[str, ...]
    mark: tuple[str, ...]


class Drawn(Record, frozen=True):
    """The strokes as SVG paths by their names, and the pieces."""

    strokes: dict[str, str]
    pieces: Pieces


DRAWN = data.read("heads.toml", Drawn)
STEP = 47  # among the combinations, so that neighbours in a list do not look like brothers


class _Named(msgspec.Struct):
    id: str


class _Leaders(msgspec.Struct):
    leader: list[_Named] = []


@cache
def combinations() -> tuple[tuple[str, ...], ...]:
    """Every head as the strokes over its face; a veil hides what is under it."""
    found: dict[tuple[str, ...], None] = {}
    for head, chin, mark in product(DRAWN.pieces.head, DRAWN.pieces.chin, DRAWN.pieces.mark):
        if head == "veil" and chin == "long_beard":
            continue
        found[tuple(f"{chin} {mark} {head}".split())] = None
    return tuple(found)


@cache
def order(system: str) -> dict[str, int]:
    """The generals of a system, numbered as its table has them."""
    if not (data.ROOT / system / "leaders.toml").is_file():
        return {}
    return {leader.id: number for number, leader in enumerate(data.read(f"{system}/leaders.toml", _Leaders).leader)}


def head(system: str, leader: str) -> tuple[str, ...]:
    """The strokes over a general's face, by their names. Whoever is in no table has those that follow from his id."""
    number = order(system).get(leader)
    if number is None:
        number = int.from_bytes(hashlib.blake2b(leader.encode(), digest_size=2).digest())
    every = combinations()
    return every[number * STEP % len(every)]
