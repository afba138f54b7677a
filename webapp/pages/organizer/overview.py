"""What the organizer sees: all campaigns and battles of this server, their state, and the backups.

Whoever sits at the server itself sees every game; anybody else the games in which his browser has a seat.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from webapp.http import error_pages
from webapp.http.language import gettext as _
from webapp.post import deadlines
from webapp.post.clock_words import said_until
from webapp.post.people import people
from webapp.post.turn_sentence import turn_sentence
from webapp.post.turn_status import Wait, waits, when
from webapp.post.webhooks import Call, calls
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.labels import system_word
from webapp.storage.file.faults import Damaged, trouble
from webapp.storage.journal.battle_links import archived_battles
from webapp.storage.journal.records import Game
from webapp.storage.journal.store import Store
from webapp.storage.services import archive, backups
from webapp.storage.services.archive import ArchiveEntry

ON_PAGE = 50  # games


@dataclass(frozen=True)
class Row:
    """One game on the list."""

    game: Game
    title: str
    mine: tuple[str, ...]
    seats: tuple[tuple[str, str], ...] = ()
    sentence: str = ""  # who must do what
    last: str = ""
    failures: tuple[Call, ...] = ()
    trouble: str = ""  # what keeps its position from being read
    until: tuple[str, ...] = ()  # who must have acted until when, as sentences; with `late` those whose time is over
    late: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()  # what was done about it, as sentences

    @property
    def may_keep(self) -> bool:
        """Is it a campaign, which can be paused, copied and archived?"""
        return self.game.system != "galley"

    @property
    def may_export(self) -> bool:
        """Only an umpire may: the file holds every side's secrets."""
        return UMPIRE in self.mine


@dataclass(frozen=True)
class Page:
    """A page of a list of games: these games, its number from 1 on, and how many pages there are."""

    games: tuple[Game, ...]
    number: int
    pages: int


@dataclass(frozen=True)
class Backup:
    """A rolling backup."""

    name: str
    when: str
    kilobytes: int


def page_of(games: Sequence[Game], wanted: int, code: str = "") -> Page:
    """The wanted page of the games, or the one on which the game of that code stands; the nearest that there is."""
    pages = max(1, -(-len(games) // ON_PAGE))
    place = next((place for place, game in enumerate(games) if game.id == code), None)
    number = min(max(1, wanted), pages) if place is None else place // ON_PAGE + 1
    return Page(tuple(games[(number - 1) * ON_PAGE : number * ON_PAGE]), number, pages)


def lists(store: Store, codes: Collection[str] | None) -> tuple[list[Game], list[Game]]:
    """The games with these codes, or all, the newest first: those that go on or are over, and the archive's campaigns.

    A battle goes with its campaign.
    """
    games = [game for game in store.games() if codes is None or game.id in codes]
    away = {game.id for game in games if game.archived} | archived_battles(store)
    archive = [game for game in games if game.id in away and game.system != "galley"]
    return [game for game in games if game.id not in away], archive


def archive_row(game: Game, mine: tuple[str, ...]) -> Row:
    """A campaign of the archive."""
    return Row(game, system_word(game.system), mine)


def row(store: Store, game: Game, mine: tuple[str, ...]) -> Row:
    """A game on the list, with what this browser's seats in it are; one that cannot be read says why."""
    try:
        table = store.load(game.id)
    except (sqlite3.DatabaseError, Damaged) as fault:  # one damaged game hides no other
        return Row(game, system_word(game.system), mine, trouble=error_pages.in_words(str(trouble(fault) or fault)))
    waiting = waits(store, table)
    until, late = due(store, game.id, waiting)
    known = game.for_seat(UMPIRE if UMPIRE in mine else next(iter(mine), SPECTATOR))
    return Row(
        known,
        system_word(table.system.name),
        mine,
        tuple((seat.id, seat.name) for seat in store.seats(game.id)),
        turn_sentence(store, table, waiting=waiting).text,
        when(store.entry(game.id, known.version).time),
        tuple(call for call in calls(store, game.id) if call.failure),
        until=until,
        late=late,
        acts=tuple(act_text(act) for act in archive.acts(store, game.id)),
    )


def act_text(act: ArchiveEntry) -> str:
    """What was done about a game, as a sentence."""
    code, _space, entry = act.about.partition(" ")
    return {
        "pause": _("Paused."),
        "go_on": _("Resumed."),
        "end": _("Ended."),
        "archive": _("Put into the archive."),
        "open_again": _("Taken out of the archive."),
        "publish": _("Shown to everybody."),
        "hide": _("No longer shown to everybody."),
        archive.COPIED: _("Copied as it stood after entry %(entry)s: %(code)s.", entry=entry, code=code),
        archive.COPY: _("A copy of %(code)s as it stood after entry %(entry)s.", entry=entry, code=code),
    }.get(act.act, act.act) + f" ({when(act.time)})"


def due(store: Store, game: str, waiting: tuple[Wait, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who must have acted until when, and whose time is over, as sentences."""
    rule = deadlines.deadline(store, game)
    if rule is None:
        return (), ()
    those = people(store, game)
    until: list[str] = []
    late: list[str] = []
    for wait in waiting:
        end = deadlines.due(rule, wait, those)
        if end is not None:
            said = _(
                "%(seat)s until %(when)s", seat=seat_word(wait.seat), when=said_until(deadlines.in_zone(end, rule))
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


def list_backups(database: Path) -> list[Backup]:
    """The backups, the newest first."""
    return [
        Backup(
            path.name, when(datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()), path.stat().st_size // 1024
        )
        for path in reversed(backups.backups(database))
    ]
