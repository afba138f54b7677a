"""G1.5 The players' own table as a photograph to scribble on: kept with the game, seen by its seats alone.

A battle has one photograph; a new one takes its place, and the lines that were drawn go with the old one. Lines are
whole numbers in thousandths of the picture's width.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import BadInput
from webapp.http.photos import Photo, strip_metadata
from webapp.storage.errors import Barred
from webapp.storage.journal.revisions import touch
from webapp.storage.journal.store import Store

LINES, POINTS, ACROSS = 400, 400, 1000
LINE = re.compile(r"[0-9]{1,4},[0-9]{1,4}( [0-9]{1,4},[0-9]{1,4})+")


@dataclass(frozen=True)
class Line:
    """A line that a seat has drawn: points as an SVG says them."""

    seat: str
    points: str
    shape: int


@dataclass(frozen=True)
class Picture:
    """The photograph of the table: how often one was taken, its height in thousandths of its width, its lines."""

    number: int
    height: int
    lines: tuple[Line, ...]


def take(store: Store, game: str, seat: str, data: bytes) -> None:
    """Put a photograph in the place of the one before. Raises BadInput, Barred."""
    may_draw(seat)
    photo = strip_metadata(data)
    with store.write() as db:
        number = db.conn.execute("select max(number) from table_photos where game = ?", (game,)).fetchone()[0] or 0
        db.conn.execute("delete from table_photos where game = ?", (game,))
        db.conn.execute("delete from table_lines where game = ?", (game,))
        db.conn.execute(
            "insert into table_photos (game, number, kind, width, height, data) values (?, ?, ?, ?, ?, ?)",
            (game, number + 1, *photo),
        )
        touch(store, game)


def photo(store: Store, game: str) -> Photo | None:
    """The photograph; None where none was taken."""
    rows = store.file.rows("select kind, width, height, data from table_photos where game = ?", game)
    return Photo(**rows[0]) if rows else None


def picture(store: Store, game: str, shapes: Mapping[str, int]) -> Picture | None:
    """The photograph as the page shows it; `shapes` are the sides' numbers, anybody else draws as the last of four."""
    rows = store.file.rows("select number, width, height from table_photos where game = ?", game)
    if not rows:
        return None
    drawn = store.file.rows("select seat, points from table_lines where game = ? order by id", game)
    lines = tuple(Line(row["seat"], row["points"], shapes.get(row["seat"], 3)) for row in drawn)
    return Picture(rows[0]["number"], round(rows[0]["height"] * ACROSS / rows[0]["width"]), lines)


def draw(store: Store, game: str, seat: str, points: str) -> None:
    """Draw a line. Raises BadInput, Barred."""
    may_draw(seat)
    if LINE.fullmatch(points) is None or points.count(" ") >= POINTS:
        raise BadInput("line", "a line must have from 2 to %(most)s points", most=POINTS)
    with store.write() as db:
        if not db.conn.execute("select 1 from table_photos where game = ?", (game,)).fetchone():
            raise BadInput("line", "there is no photo of the table yet")
        if db.conn.execute("select count(*) from table_lines where game = ?", (game,)).fetchone()[0] >= LINES:
            raise BadInput("line", "at most %(most)s lines can be kept; erase some", most=LINES)
        db.conn.execute("insert into table_lines (game, seat, points) values (?, ?, ?)", (game, seat, points))
        touch(store, game)


def rub_out(store: Store, game: str, seat: str, everything: bool) -> None:
    """Rub out the last line that the seat has drawn, or all lines. Raises Barred."""
    may_draw(seat)
    last = "and id = (select max(id) from table_lines where game = ? and seat = ?)"
    with store.write() as db:
        if everything:
            db.conn.execute("delete from table_lines where game = ?", (game,))
        else:
            db.conn.execute(f"delete from table_lines where game = ? {last}", (game, game, seat))
        touch(store, game)


def may_draw(seat: str) -> None:
    """Barred for who only looks on."""
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot point, draw or leave notes.")
