"""Pings: a seat points at a place of the board for a few seconds, before all or before its own people alone.

They are no command and stand in no journal; a ping for the own side is told to nobody else, the umpire neither. No
Flask.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import Record
from webapp.storage.errors import Barred, Refused
from webapp.storage.journal.game_head import has
from webapp.storage.journal.revisions import touch
from webapp.storage.journal.store import Store

SECONDS = 8.0  # that a ping is shown
FEW = 3  # of one seat at once
clock: Callable[[], float] = time.time


class Ping(Record, frozen=True):
    """Who points where: x and y as the board counts its places; `name` is its own among all pings, ever."""

    name: str
    seat: str
    x: float
    y: float
    is_open: bool  # do all see it?


def ping(store: Store, game: str, seat: str, at: tuple[float, float], is_open: bool) -> None:
    """Point at a place. Raises Barred for a spectator, Refused when the seat has pointed often enough for now."""
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot point, draw or leave notes.")
    now = clock()
    with store.write() as db:
        db.conn.execute("delete from pings where abs(time - ?) >= ?", (now, SECONDS))
        known = "select count(*) from pings where game = ? and seat = ?"
        if db.conn.execute(known, (game, seat)).fetchone()[0] >= FEW:
            raise Refused("You have pointed too often in a short time: wait a few seconds.")
        db.conn.execute(
            "insert into pings (game, seat, x, y, is_open, time) values (?, ?, ?, ?, ?, ?)",
            (game, seat, *at, is_open, now),
        )
        touch(store, game)


def pings(store: Store, game: str, seat: str) -> tuple[Ping, ...]:
    """The pings that a seat sees now, the oldest first."""
    if not has(store.file, game, "pings"):
        return ()
    found = store.file.rows("select id, seat, x, y, is_open, time from pings where game = ? order by id", game)
    now = clock()
    return tuple(
        Ping(f"{row['id']}-{row['time'] * 1000:.0f}", row["seat"], row["x"], row["y"], bool(row["is_open"]))
        for row in found
        if abs(now - row["time"]) < SECONDS and (row["is_open"] or row["seat"] == seat)
    )
