"""What the organizer sees: all campaigns and battles of this server, their state, and the backups.

Whoever sits at the server itself sees every game; anybody else the games in which his browser has a seat.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tactical.kernel.play import UMPIRE
from webapp import backups
from webapp.campaign.calls import Call, calls
from webapp.campaign.waiting import Wait, waits, when
from webapp.lobby.words import system_word
from webapp.records import Game
from webapp.store import Store


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
    for game in store.games():
        mine = tuple(held.get(game.id, ()))
        if everything or mine:
            table = store.load(game.id)
            found.append(
                Row(
                    game, system_word(table.system.name, table.system.title),
                    tuple((seat.id, seat.name) for seat in store.seats(game.id)),
                    waits(store, table), when(store.entry(game.id, game.version).time), mine,
                    tuple(call for call in calls(store, game.id) if call.failure),
                )
            )  # fmt: skip
    return found


def kept(database: Path) -> list[Backup]:
    """The backups, the newest first."""
    return [
        Backup(path.name, when(datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()),
               path.stat().st_size // 1024)
        for path in reversed(backups.backups(database))
    ]  # fmt: skip
