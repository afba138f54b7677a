"""Types are learned before threads may read them; numbers have the bounds of their types."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import inspect

from tactical.kernel.record import (
    BadInput,
    Record,
    bounded,
    bounds_at,
    check_bounds,
    decode,
    encode,
    learn_types,
    so_many,
)


def test_every_type_is_learned_once_it_is_defined():
    class Late(Record, frozen=True):
        other: str = ""

    before = learn_types()

    class Later(Late, frozen=True):
        more: tuple[Late, ...] = ()

    class Strange(Record, frozen=True):
        of: object = None
        does: type[object] | None = None

    assert learn_types() == before + 2
    assert Later.__mro__[1] is Late and Strange.__mro__[1] is Record


Small = Annotated[int, bounded(1, 3)]


class Boat(Record, frozen=True):
    oars: Small = 1
    rams: Small | None = None
    odds: Annotated[tuple[Small, ...], so_many(2)] = (1, 1)
    rows: Annotated[tuple[Annotated[tuple[Small, ...], so_many(2)], ...], so_many(2)] | None = None


class Fleet(Record, frozen=True):
    boats: dict[str, Boat] = {}
    line: tuple[Boat, ...] = ()


@pytest.mark.parametrize(
    ("fleet", "path", "reason"),
    [
        (Fleet({"r1": Boat(oars=4)}), "boats.r1.oars", "this must be a number from 1 to 3"),
        (Fleet(line=(Boat(), Boat(rams=0))), "line[1].rams", "this must be a number from 1 to 3"),
        (Fleet({"r1": Boat(odds=(1, 9))}), "boats.r1.odds", "2 numbers of 1 to 3"),
        (Fleet({"r1": Boat(odds=(1,))}), "boats.r1.odds", "2 numbers of 1 to 3"),
        (Fleet({"r1": Boat(rows=((1, 1),))}), "boats.r1.rows", "2 rows of 2 numbers"),
        (Fleet({"r1": Boat(rows=((1, 1), (1,)))}), "boats.r1.rows[1]", "2 numbers of 1 to 3"),
    ],
)
def test_a_number_out_of_bounds_is_refused_by_its_path_but_an_older_game_still_opens(
    fleet: Fleet, path: str, reason: str
):
    assert decode(encode(fleet), Fleet) == fleet
    with pytest.raises(BadInput) as refused:
        check_bounds(fleet, "game")
    assert (refused.value.path, refused.value.reason) == (f"game.{path}", reason)


def test_what_is_in_bounds_is_taken_and_the_bounds_of_a_path_are_known():
    check_bounds(Fleet({"r1": Boat(3, 1, (1, 3), ((1, 2), (3, 1)))}, (Boat(),)))
    kind = inspect.type_info(Fleet)
    known = {path: bounds_at(kind, path.split(".")) for path in ("boats.r1.oars", "boats.r1.rows.0.1", "boats.r1")}
    assert known == {"boats.r1.oars": (1, 3), "boats.r1.rows.0.1": (1, 3), "boats.r1": None}
