"""Clocks by side: how long each has been awaited. No engine knows of them, and nothing in a game hangs on them.

A clock runs while its side is awaited, as the API says it to every seat; it stands while the game is paused or over,
and while the umpire has stopped the clocks. What is kept is what had run off at the last change and who has run since,
in the time of the world: a restart changes nothing. No Flask.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NoReturn

from msgspec.structs import replace

from tactical.kernel.record import BadInput, Record, decode, encode
from webapp.storage.file.database import Connection
from webapp.storage.journal.entries import followers, has
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import touch
from webapp.storage.journal.writing import Repository, why_halted

MOST_MINUTES, MOST_EXTRA = 600, 3600
clock: Callable[[], float] = time.time


class Rule(Record, frozen=True):
    """How long each side has, in seconds (0: time is only counted), and how many more it gets in each new turn."""

    seconds: int = 0
    extra: int = 0

    @property
    def counts_down(self) -> bool:
        """Has a side only so much time?"""
        return self.seconds > 0


class Clocks(Record, frozen=True):
    """The clocks of a game: their rule; who runs since when; what each side had spent then, and what it was given."""

    rule: Rule
    since: float
    runs: tuple[str, ...] = ()
    is_stopped: bool = False
    turn: int = 0
    spent: dict[str, float] = {}
    given: dict[str, float] = {}

    def is_running(self, side: str) -> bool:
        """Does the side's clock run?"""
        return side in self.runs and not self.is_stopped

    def stands_at(self, side: str) -> float:
        """What a side's clock showed at the last change, in seconds: what is left, or what has run off."""
        spent = self.spent.get(side, 0.0)
        return self.rule.seconds + self.given.get(side, 0.0) - spent if self.rule.counts_down else spent

    def shows(self, side: str, now: float) -> float:
        """What it shows now; below nothing when the time has run out."""
        run = max(0.0, now - self.since) if self.is_running(side) else 0.0
        return self.stands_at(side) + (-run if self.rule.counts_down else run)

    def at(self, now: float) -> Clocks:
        """The same with all that has run off until now written to who spent it."""
        run = max(0.0, now - self.since)
        spent = {**self.spent, **{side: self.spent.get(side, 0.0) + run for side in self.runs if self.is_running(side)}}
        return replace(self, since=now, spent=spent)


def checked_rule(minutes: int, extra: int) -> Rule:
    """A rule of so many minutes a side, and seconds more in each turn. Raises BadInput."""
    if not (1 <= minutes <= MOST_MINUTES and 0 <= extra <= MOST_EXTRA):
        _refuse()
    return Rule(minutes * 60, extra)


def _refuse() -> NoReturn:
    raise BadInput(
        "clock",
        "a clock must have from 1 to %(most)s minutes, and at most %(extra)s seconds more in a turn",
        most=MOST_MINUTES,
        extra=MOST_EXTRA,
    )


def clocks(store: Repository, game: str) -> Clocks | None:
    """The clocks of a game; None where it has none."""
    if not has(store.file, game, "clocks"):
        return None
    found = store.file.rows("select state from clocks where game = ?", game)
    return decode(found[0]["state"].encode(), Clocks) if found else None


def set_clocks(store: Repository, game: str, rule: Rule | None) -> None:
    """Give a game clocks, or others, or none; what was spent before stays spent."""
    with store.write(is_move=True) as db:
        known = _read(db, game)
        if rule is None:
            db.conn.execute("delete from clocks where game = ?", (game,))
            touch(store, game)
        else:
            now, table = clock(), store.load(game)
            kept = known.at(now) if known is not None else Clocks(rule, now, turn=turn_of(table))
            _write(store, game, replace(kept, rule=rule, runs=awaited_sides(store, table)))


def stop(store: Repository, game: str, is_stopped: bool) -> None:
    """Stop all clocks of a game, or let them go on."""
    _change(store, game, lambda kept: replace(kept, is_stopped=is_stopped))


def give(store: Repository, game: str, side: str, seconds: int) -> None:
    """Give a side time, or take some; where time is only counted, that much counts less. Raises BadInput."""
    if side not in store.load(game).sides:
        raise BadInput("side", "there is no such side")
    if abs(seconds) > MOST_MINUTES * 60:
        _refuse()

    def add(kept: Clocks) -> Clocks:
        if kept.rule.counts_down:
            return replace(kept, given={**kept.given, side: kept.given.get(side, 0.0) + seconds})
        return replace(kept, spent={**kept.spent, side: max(0.0, kept.spent.get(side, 0.0) - seconds)})

    _change(store, game, add)


class Watchmaker:
    """Lets the clocks of one file of games run and stand, in the thread that brought the change."""

    def __init__(self, store: Repository) -> None:
        self.store = store

    def hear(self, game: str, version: int, revision: int) -> None:
        """A game has changed, or the campaign to which a battle belongs."""
        if version < 0 or not followers(self.store.file, game).clocks:
            return
        sql = "select game from clocks where game = ? or game in (select battle from links where campaign = ?)"
        for row in self.store.file.rows(sql, game, game):
            follow(self.store, row["game"])


def follow(store: Repository, game: str) -> None:
    """Let those clocks run whose sides are awaited now; a new turn brings its seconds, once."""
    with store.write(is_move=True) as db:
        kept = _read(db, game)
        if kept is None:
            return
        table = store.load(game)
        runs, turn = awaited_sides(store, table), max(kept.turn, turn_of(table))
        more = kept.rule.extra * (turn - kept.turn) if kept.rule.counts_down else 0
        if runs == kept.runs and not more:
            return
        given = {side: kept.given.get(side, 0.0) + more for side in table.sides}
        _write(store, game, replace(kept.at(clock()), runs=runs, turn=turn, given=given if more else kept.given))


def awaited_sides(store: Repository, table: Table) -> tuple[str, ...]:
    """The sides that are awaited, as every seat is told; none while nothing can be commanded."""
    game = table.game
    campaigns = store.file.rows("select campaign from links where battle = ?", game.id)
    halted = why_halted(game) or any(why_halted(store.game(row["campaign"])) for row in campaigns)
    if game.over or halted:
        return ()
    seats = (game.waiting.on_behalf or game.waiting.seat,) if game.waiting is not None else table.waiting_for
    return tuple(side for side in table.sides if side in seats)


def turn_of(table: Table) -> int:
    """The turn of a game that counts turns."""
    turn = getattr(table.state, "turn", 0)
    return turn if isinstance(turn, int) else 0


def _change(store: Repository, game: str, change: Callable[[Clocks], Clocks]) -> None:
    with store.write(is_move=True) as db:
        kept = _read(db, game)
        if kept is not None:
            _write(store, game, change(kept.at(clock())))


def _read(db: Connection, game: str) -> Clocks | None:
    found: Any = db.conn.execute("select state from clocks where game = ?", (game,)).fetchone()
    return decode(found[0].encode(), Clocks) if found else None


def _write(store: Repository, game: str, kept: Clocks) -> None:
    with store.write(is_move=True) as db:
        db.conn.execute("insert or replace into clocks (game, state) values (?, ?)", (game, encode(kept).decode()))
        touch(store, game)
