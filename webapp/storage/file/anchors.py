"""What was acknowledged, in a second small file beside the file of games, so that a lost tail is noticed.

SQLite drops the end of a damaged log without a word. So each entry carries the hash of the one before it, and after
each transaction the newest entry's number and hash of every game in it are appended to `<file>.anchors`. At the start
both are compared: what the anchors know and the file does not is lost, and is said so.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

LOG = logging.getLogger("navarch")
GONE = -1  # the number of a game that was deleted


class End(NamedTuple):
    """The newest entry of a game: its number, and the hash that its whole journal leads to."""

    game: str
    number: int
    chain: str


class Lost(NamedTuple):
    """What a game had when it was last acknowledged, and what it has: -1 when all of it is gone."""

    game: str
    had: int
    has: int

    def __str__(self) -> str:
        if self.has == self.had:
            return f"Game {self.game}: entry {self.had} is not the one that was acknowledged."
        stands = f"it stands at {self.has}" if self.has >= 0 else "nothing of it is left"
        return f"Game {self.game} has lost moves: entry {self.had} was acknowledged, and {stands}."


def chain_hash(before: str | None, parts: Iterable[object]) -> str:
    """The hash of an entry whose predecessor's is `before`; `parts` are its columns."""
    found = hashlib.sha256((before or "").encode())
    for part in parts:
        raw = part if isinstance(part, bytes) else repr(part).encode()
        found.update(len(raw).to_bytes(8, "big"))
        found.update(raw)
    return found.hexdigest()[:32]


def beside(database: Path) -> Path:
    """Where the anchors of a file of games are."""
    return database.with_name(f"{database.name}.anchors")


def drop(database: Path, ends: Iterable[End]) -> None:
    """Append the newest end of each game, on the disk before this returns.

    A fault is logged: what was committed is not undone by it.
    """
    newest = {end.game: end for end in ends}.values()
    text = "".join(f"{end.game} {end.number} {end.chain}\n" for end in newest)
    try:
        file = os.open(beside(database), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, text.encode())
            os.fdatasync(file)
        finally:
            os.close(file)
    except OSError as fault:
        LOG.error("the anchors could not be written: %s", fault)


def read_ends(database: Path) -> dict[str, End]:
    """The last end of each game; half a line at the end of the file, as a crash leaves it, is passed over."""
    found: dict[str, End] = {}
    with suppress(FileNotFoundError):
        for line in beside(database).read_text("utf-8", "replace").splitlines():
            parts = line.split(" ")
            if len(parts) == 3 and parts[1].lstrip("-").isdecimal() and (len(parts[2]) == 32 or parts[1] == str(GONE)):
                found[parts[0]] = End(parts[0], int(parts[1]), parts[2])
    return {game: end for game, end in found.items() if end.number != GONE}


def ends(database: Path) -> dict[str, End | None]:
    """The newest entry of every game in the file; None where the file is damaged and it cannot be read."""
    found: dict[str, End | None] = {}
    with closing(sqlite3.connect(database)) as db:
        for game, version in db.execute("select id, version from games").fetchall():
            try:
                chain = _chain(db, game, version)
            except sqlite3.DatabaseError as fault:
                LOG.error("game %s cannot be read: %s", game, fault)
                found[game] = None
            else:
                if chain is not None:
                    found[game] = End(game, version, chain)
    return found


def _chain(db: sqlite3.Connection, game: str, number: int) -> str | None:
    """The hash of an entry; empty when it was written without one, None when there is no such entry."""
    row = db.execute("select coalesce(chain, '') from entries where game = ? and number = ?", (game, number)).fetchone()
    return None if row is None else str(row[0])


def compare(database: Path, acknowledged: Path | None = None) -> list[Lost]:
    """What is lost of that which was acknowledged; in the order of the games' codes. What cannot be read is no loss.

    `acknowledged`: the file beside which the anchors lie, where that is another one, of another machine.
    """
    standing = ends(database)
    found = []
    with closing(sqlite3.connect(database)) as db:
        for game, end in sorted(read_ends(acknowledged or database).items()):
            known = standing.get(game, End(game, GONE, ""))
            if known is None:
                continue
            if known.number < end.number:
                found.append(Lost(game, end.number, known.number))
                continue
            with suppress(sqlite3.DatabaseError):
                chain = _chain(db, game, end.number)
                if chain is None or (chain and end.chain and chain != end.chain):
                    found.append(Lost(game, end.number, end.number))
    return found


def renew(database: Path) -> None:
    """Write the anchors anew from the file, as after a look at the start, or a backup that was put in its place."""
    before = read_ends(database)
    fresh = beside(database).with_suffix(".fresh")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        for game, now in ends(database).items():
            end = before.get(game) if now is None else now
            if end is not None and end.chain:
                file.write(f"{end.game} {end.number} {end.chain}\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(beside(database))
    folder = os.open(database.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def look(database: Path) -> list[Lost]:
    """Compare, log what is lost, and begin the anchors anew."""
    found = compare(database)
    for each in found:
        LOG.error("%s", each)
    renew(database)
    return found


def broken(rows: Iterable[dict[str, object]], columns: Iterable[str]) -> int | None:
    """The first entry of a journal whose hash is not that of its columns and predecessor; None when all are."""
    before: str | None = None
    named = tuple(columns)
    for row in rows:
        chain = row["chain"]
        if chain and chain != chain_hash(before, (row[name] for name in named)):
            return int(str(row["number"]))
        before = str(chain) if chain else None
    return None
