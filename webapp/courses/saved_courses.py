"""The courses of a game, kept beside it: each is its own side's secret and no part of the position. No Flask."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tactical.courses import Leg
from tactical.kernel.record import Record, encode
from webapp.storage.journal.game_head import has
from webapp.storage.journal.repository import Repository
from webapp.storage.journal.revisions import touch


class Course(Record, frozen=True):
    """What a ship is to do in this turn: the steps that are left, and up to which entry the journal was looked at.

    `seen` are the enemies who were near when it was set; `ended` says why it stopped too soon, `by` through whom.
    """

    ship: str
    side: str
    turn: int
    legs: tuple[Leg, ...]
    since: int
    seen: tuple[str, ...] = ()
    ended: str = ""
    by: str = ""

    def stop(self, why: str, by: str = "") -> Course:
        """The course at its end before its time."""
        return msgspec.structs.replace(self, legs=(), ended=why, by=by)


def courses(store: Repository, game: str) -> dict[str, Course]:
    """All courses of a game by ship."""
    if not has(store.file, game, "courses"):
        return {}
    found = store.file.rows("select course from courses where game = ? order by ship", game)
    read = (msgspec.json.decode(row["course"], type=Course) for row in found)
    return {course.ship: course for course in read}


def keep(store: Repository, game: str, changed: Iterable[Course], gone: Iterable[str] = ()) -> None:
    """Write courses, and forget those of some ships; pages that show them hear of it."""
    with store.write() as db:
        for course in changed:
            row = (game, course.ship, encode(course).decode())
            db.conn.execute("insert or replace into courses (game, ship, course) values (?, ?, ?)", row)
        for ship in gone:
            db.conn.execute("delete from courses where game = ? and ship = ?", (game, ship))
        touch(store, game)
