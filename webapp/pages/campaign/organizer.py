"""What the organizer sees: all campaigns and battles of this server, their state, and the backups.

Whoever sits at the server itself sees every game; anybody else the games in which his browser has a seat.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from flask_babel import format_datetime

from tactical.kernel.protocol import UMPIRE
from webapp.engagements.ties import battles_of
from webapp.http import error_pages
from webapp.http.language import gettext as _
from webapp.pages.campaign.labels import seat_said
from webapp.pages.campaign.turn_status import Wait, waits, when
from webapp.pages.campaign.webhooks import Call, calls
from webapp.pages.lobby.labels import system_word
from webapp.post import deadlines
from webapp.post.people import people
from webapp.storage import backups, keeping
from webapp.storage.faults import Damaged, trouble
from webapp.storage.games import Store
from webapp.storage.keeping import Kept
from webapp.storage.records import Game


@dataclass(frozen=True)
class Row:
    """One game on the list."""

    game: Game
    title: str
    seats: tuple[tuple[str, str], ...]
    waits: tuple[Wait, ...]
    last: str
    mine: tuple[str, ...]
    failures: tuple[Call, ...]
    trouble: str = ""  # what keeps its position from being read
    until: tuple[str, ...] = ()  # who must have acted until when, as sentences; with `late` those whose time is over
    late: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()  # what was done about it, as sentences
    is_archived: bool = False  # itself, or the campaign whose battle it is

    @property
    def may_keep(self) -> bool:
        """Is it a campaign, which can be paused, copied and archived?"""
        return self.game.system != "galley"

    @property
    def may_export(self) -> bool:
        """Only an umpire may: the file holds every side's secrets."""
        return UMPIRE in self.mine


@dataclass(frozen=True)
class Backup:
    """A rolling backup."""

    name: str
    when: str
    kilobytes: int


def rows(store: Store, held: Mapping[str, Collection[str]], everything: bool) -> list[Row]:
    """The games, the newest first: all, or those in which the browser holds a seat."""
    found = []
    games = store.games()
    archived = {game.id for game in games if game.archived}
    away = archived | {tie.battle for game in archived for tie in battles_of(store, game)}
    for game in games:
        mine = tuple(held.get(game.id, ()))
        if everything or mine:
            try:
                table = store.load(game.id)
            except (sqlite3.DatabaseError, Damaged) as fault:  # one damaged game hides no other
                word = system_word(game.system)
                found.append(Row(game, word, (), (), "", mine, (), error_pages.in_words(str(trouble(fault) or fault)),
                                 is_archived=game.id in away))  # fmt: skip
                continue
            waiting = waits(store, table)
            until, late = due(store, game.id, waiting)
            found.append(
                Row(
                    game, system_word(table.system.name),
                    tuple((seat.id, seat.name) for seat in store.seats(game.id)),
                    waiting, when(store.entry(game.id, game.version).time), mine,
                    tuple(call for call in calls(store, game.id) if call.failure), until=until, late=late,
                    acts=tuple(act_said(act) for act in keeping.acts(store, game.id)), is_archived=game.id in away,
                )
            )  # fmt: skip
    return found


def act_said(act: Kept) -> str:
    """What was done about a game, as a sentence."""
    code, _space, entry = act.about.partition(" ")
    return {
        "pause": _("Paused."), "go_on": _("It goes on."), "end": _("Ended."), "archive": _("Put into the archive."),
        "open_again": _("Taken out of the archive."), "publish": _("Shown to everybody."),
        "hide": _("No longer shown to everybody."),
        keeping.COPIED: _("Copied as it stood after entry %(entry)s: %(code)s.", entry=entry, code=code),
        keeping.COPY: _("A copy of %(code)s as it stood after entry %(entry)s.", entry=entry, code=code),
    }.get(act.act, act.act) + f" ({when(act.time)})"  # fmt: skip


def due(store: Store, game: str, waiting: tuple[Wait, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who must have acted until when, and whose time is over, as sentences."""
    rule = deadlines.deadline(store, game)
    if rule is None:
        return (), ()
    those = people(store, game)
    until: list[str] = []
    late: list[str] = []
    for wait in waiting:
        end = deadlines.due(rule, wait.seat, wait.since, those)
        if end is not None:
            said = _(
                "%(seat)s until %(when)s", seat=seat_said(wait.seat), when=format_datetime(end, "EEE d MMM, HH:mm")
            )
            (late if end < datetime.now(UTC) else until).append(said)
    return tuple(until), tuple(late)


def no_backup(database: Path) -> str | None:
    """Why the last backup could not be made; None when it could."""
    return backups.fault(database)


def go_back(store: Store, backup: Path) -> None:
    """Put a backup in the place of the games while they are served. Raises OSError, with nothing changed."""
    backups.check(backup)
    try:
        backups.back_up(store.file.path)
    except OSError:  # it is damaged: whoever can read something in it finds it as it is
        backups.set_aside(store.file.path, is_served=True)
    backups.put(backup, store.file.path)


def kept(database: Path) -> list[Backup]:
    """The backups, the newest first."""
    return [
        Backup(path.name, when(datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()),
               path.stat().st_size // 1024)
        for path in reversed(backups.backups(database))
    ]  # fmt: skip
