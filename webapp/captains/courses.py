"""What a player has planned for a ship for the rest of the turn, and who makes the steps."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import msgspec

from tactical.battle import Battle
from tactical.courses import Leg, enemies_in_sight, is_behind_friend, is_open
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput, Record, encode
from tactical.rules.movement import may_move_now
from webapp.storage.errors import Barred, Refused, Unknown
from webapp.storage.journal.entries import followers, has
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store, touch
from webapp.storage.journal.writing import Repository

# -- The courses of a game, kept beside it: each is its own side's secret and no part of the position. No Flask.


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


# -- Who makes the steps of courses: after each change of a game those that are due, each as an entry of its own.
#
# A course ends when something new is seen: she is fired at, rammed or boarded, she or somebody meets her, an enemy
# comes
# near, or her way is no open water any more; and when her player takes something back, or moves her by hand.

REFUSALS = (Illegal, NotYours, BadInput, Barred, Refused)
ATTACKS = frozenset(("fire", "ram", "bow_to_bow", "rake", "board", "captured"))
AT_ONCE = 60  # steps in one transaction: the whole turn of a squadron, and a twentieth of a second


class Helmsman:
    """Makes the steps of the courses of one file of games, in the thread that brought the change."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._guard = threading.Lock()
        self._at_work: set[str] = set()
        self._again: set[str] = set()
        store.listeners.append(self.hear)

    def hear(self, game: str, version: int, revision: int) -> None:
        """A game has changed: go on with its courses. What this brings about itself is looked at when it is done."""
        if version < 0 or not followers(self.store.file, game).courses:
            return
        with self._guard:
            self._again.add(game)
            if game in self._at_work:
                return
            self._at_work.add(game)
        while self._needs_look(game):
            try:
                self.steer(game)
            except BaseException:
                with self._guard:
                    self._at_work.discard(game)
                raise

    def _needs_look(self, game: str) -> bool:
        """Has the game changed since it was looked at? If not, whoever changes it next is at work."""
        with self._guard:
            if game in self._again:
                self._again.discard(game)
                return True
            self._at_work.discard(game)
            return False

    def steer(self, game: str) -> None:
        """Make the steps that are due and go through open water, many in one transaction; write down what is left."""
        goes_on = True
        while goes_on:
            with self.store.write(is_move=True):
                goes_on = self._some_steps(game)

    def _some_steps(self, game: str) -> bool:
        """So many steps that others who write need not wait for long; are there more?"""
        kept = courses(self.store, game)
        now, mine = dict(kept), set[int]()
        try:
            while self._one_step(game, now, mine):
                pass
        except Unknown:
            return False
        changed = [
            course for name, course in now.items() if course != msgspec.structs.replace(kept[name], since=course.since)
        ]
        gone = [name for name in kept if name not in now]
        if changed or gone:
            keep(self.store, game, changed, gone)
        return len(mine) == AT_ONCE

    def _one_step(self, game: str, now: dict[str, Course], mine: set[int]) -> bool:
        """Look at what is new in the journal, then make one step; was there one to make, and time for it?"""
        table = self.store.load(game)
        self._look(table, now, mine)
        battle: Battle = table.state
        if len(mine) == AT_ONCE:
            return False
        if table.game.over or table.game.waiting is not None or battle.step != "move" or battle.thrown is not None:
            return False
        for name, course in list(now.items()):
            if not course.legs or not battle.is_due(battle.ships[name]) or not may_move_now(battle, course.side):
                continue
            leg = course.legs[0]
            now[name] = course = thought_over(battle, course)
            if not course.legs or not is_open(battle, name, leg):
                continue
            command = {key: value for key, value in msgspec.to_builtins(leg).items() if value is not None}
            try:
                done = self.store.submit(
                    game, table.game.version, course.side, {"type": "step", "ship": name, **command}
                )
            except REFUSALS:
                now[name] = course.stop("blocked")
                continue
            if done.version == table.game.version:
                return False  # the step waits for dice that follow it
            mine.add(done.version)
            now[name] = msgspec.structs.replace(course, legs=course.legs[1:])
            return True
        return False

    def _look(self, table: Table, now: dict[str, Course], mine: set[int]) -> None:
        """End the courses that the newest entries speak against."""
        version = table.game.version
        oldest = min((course.since for course in now.values()), default=version)
        if oldest < version:
            for entry in self.store.entries(table.game.id, oldest):
                for name, course in list(now.items()):
                    told = after_entry(course, entry, entry.number in mine) if entry.number > course.since else course
                    if told is None:
                        del now[name]
                    else:
                        now[name] = told
        for name, course in list(now.items()):
            if course.turn != table.state.turn or (not course.legs and not course.ended):
                del now[name]
            else:
                now[name] = msgspec.structs.replace(course, since=version)


def after_entry(course: Course, entry: Entry, is_mine: bool) -> Course | None:
    """What an entry makes of a course: it goes on, it has stopped, or (None) nobody speaks of it any more."""
    if entry.command.get("type") == "undo":
        return None if entry.seat in (course.side, UMPIRE) or entry.command.get("consents") else course
    for happened in entry.events:
        ship, target = happened.data.get("ship"), happened.data.get("target")
        if course.ship not in (ship, target):
            continue
        if happened.type == "step" and not is_mine:  # made by hand, or with dice that it had to wait for
            foreseen = course.legs and course.legs[0].turn == happened.data.get("turn")
            return msgspec.structs.replace(course, legs=course.legs[1:]) if foreseen else None
        if course.legs and happened.type == "contact":
            return course.stop("contact", str(ship if target == course.ship else target))
        if course.legs and happened.type in ATTACKS and target == course.ship:
            return course.stop("attack", str(ship))
    return course


def thought_over(battle: Battle, course: Course) -> Course:
    """The course before its next step: it stops before an enemy who has come near, and where the way is closed."""
    new = [foe for foe in enemies_in_sight(battle, course.ship) if foe not in course.seen]
    if new:
        return course.stop("near", new[0])
    if is_open(battle, course.ship, course.legs[0]) or is_behind_friend(battle, course.ship, course.legs[0]):
        return course
    return course.stop("blocked")
