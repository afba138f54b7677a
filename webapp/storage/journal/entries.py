"""The rows of a game and its journal, and how positions are packed."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from typing import Any, Literal, get_args

import msgspec
from sqlite_utils import Database

from tactical.kernel.journal import Entry
from tactical.kernel.record import encode
from webapp.storage.errors import Unknown
from webapp.storage.file.anchors import End, chain_hash
from webapp.storage.file.database import Connection, File, rows
from webapp.storage.journal import records
from webapp.storage.journal.records import Game, Submitted, Table, entry_of, game_of

# -- The rows of a game and of its journal: each is written here, and an entry is chained to the one before it.

CHAINED = (  # what never changes of an entry
    "game",
    "number",
    "parent",
    "seat",
    "time",
    "command",
    "rolls",
    "draws",
    "events",
    "on_behalf",
    "state",
    "engine",
    "beside",
)


def change(db: Database, table: Table, **columns: Any) -> bool:
    """Write columns of the game's row, and its next revision, if it and its journal's end are as they were read.

    The revision stays where an entry is secret (`behind` is not empty): no page of others changes by it.
    """
    game = table.game
    more = 0 if columns.get("behind") else 1
    changes = ", ".join(f"{name} = :new_{name}" for name in columns)
    known = {"id": game.id, "version": game.version, "revision": game.revision, "tail": table.tail}
    done = db.conn.execute(
        f"update games set {changes}, revision = revision + {more} where id = :id and version = :version"
        " and revision = :revision and :tail is (select chain from entries where game = :id and number = :version)",
        {**known, **{f"new_{name}": value for name, value in columns.items()}},
    )
    if done.rowcount:
        return True
    if not rows(db, "select id from games where id = ?", game.id):
        raise Unknown("There is no such game.")
    return False


def behind_column(behind: dict[str, int]) -> str | None:
    """`Game.behind` as it stands in the row."""
    return encode(behind).decode() if behind else None


def note_look(db: Database, game: str, seat: str, version: int) -> None:
    """Write up to where a seat, or whatever else has a cursor, has read the journal."""
    db.conn.execute("insert or replace into cursors (game, seat, version) values (?, ?, ?)", (game, seat, version))


def first_answer(db: Database, game: str, seat: str, key: str) -> Submitted | None:
    """The answer that this seat's key got when its command was applied."""
    found = rows(db, "select answer from keys where game = ? and seat = ? and key = ?", game, seat, key)
    return msgspec.json.decode(found[0]["answer"], type=Submitted) if found else None


def last_taken_back(db: Database, game: str, same: str) -> Entry | None:
    """The newest entry that made this choice and was taken back."""
    found = rows(
        db,
        "select * from entries where game = ? and choice = ? and taken_back is not null order by number desc limit 1",
        game,
        same,
    )
    return entry_of(found[0]) if found else None


def choice(state: bytes, command: Any) -> str:
    """A fingerprint of a command in a position: the same choice has the same one, in whichever branch."""
    return hashlib.sha256(state + b"\n" + encode(command)).hexdigest()


def insert_game(db: Database, game: Game) -> None:
    """Write a game's row."""
    row = {
        **{name: getattr(game, name) for name in game.__struct_fields__},
        "options": encode(game.options).decode(),
        "waiting": encode(game.waiting).decode() if game.waiting else None,
        "consents": encode(game.consents).decode() if game.consents else None,
        "proposed": encode(game.proposed).decode() if game.proposed else None,
        "over": int(game.over),
        "archived": int(game.archived),
        "is_public": int(game.is_public),
        "behind": behind_column(game.behind),
    }
    names = ", ".join(row)
    marks = ", ".join(f":{name}" for name in row)
    db.conn.execute(f"insert into games ({names}) values ({marks})", row)


def insert_with_free_code(db: Database, game: Game, first: str) -> Game:
    """Write a game's row under a new code that begins with a letter of `first`, and return the game with it."""
    while True:
        game = msgspec.structs.replace(game, id=records.code(first))
        try:
            insert_game(db, game)
        except sqlite3.IntegrityError:
            continue  # one code in 887 million is taken: draw again
        return game


def insert_entry(
    db: Database,
    game: str,
    entry: Entry,
    same: str | None,
    state: bytes | None,
    beside: int | None = None,
    *,
    before: str | None,
) -> str:
    """Write an entry's row with its packed position (see `packing`), chained to the one before it (see `anchors`).

    `before` is that one's chain; the entry's own is given back.
    """
    row = {
        "game": game,
        "number": entry.number,
        "parent": entry.parent,
        "seat": entry.seat,
        "time": entry.time,
        "command": encode(entry.command).decode(),
        "rolls": encode(entry.rolls).decode(),
        "draws": encode(entry.draws).decode(),
        "events": encode(entry.events).decode(),
        "on_behalf": entry.on_behalf,
        "taken_back": entry.taken_back,
        "choice": same,
        "state": state,
        "engine": entry.engine,
        "beside": beside,
    }
    row["chain"] = chain_hash(before, (row[name] for name in CHAINED))
    marks = ", ".join(f":{name}" for name in row)
    db.conn.execute(f"insert into entries ({', '.join(row)}) values ({marks})", row)
    if isinstance(db, Connection):
        db.ends.append(End(game, entry.number, str(row["chain"])))
    return str(row["chain"])


# -- A game's row and the end of its journal in one query; and which services follow its changes.

ROW = (
    "select games.*, head.chain as chain, last.chain as tail from games"
    " left join entries as head on head.game = games.id and head.number = games.head"
    " left join entries as last on last.game = games.id and last.number = games.version where games.id = ?"
)
FOLLOWERS = (
    "select exists(select 1 from courses where game = ?1) as courses,"
    " exists(select 1 from captains where game = ?1) as captains,"
    " exists(select 1 from calls where game = ?1) as calls,"
    " exists(select 1 from people where game = ?1) or exists(select 1 from deadlines where game = ?1)"
    " or exists(select 1 from orders where game = ?1) or exists(select 1 from devices where game = ?1) as post,"
    " exists(select 1 from clocks where game = ?1)"
    " or exists(select 1 from links join clocks on clocks.game = links.battle where links.campaign = ?1) as clocks"
)
Beside = Literal["courses", "captains", "hints_off", "pings", "clocks", "letters"]
BESIDE = "select " + ", ".join(f"exists(select 1 from {name} where game = ?1) as {name}" for name in get_args(Beside))


@dataclass(frozen=True)
class GameHead:
    """A game, the chain of the entry whose position stands, and that of the newest one (see `anchors`)."""

    game: Game
    chain: str | None
    tail: str | None


@dataclass(frozen=True)
class Followers:
    """What a game has that must hear of its changes: courses, captains, calls, people or deadlines or orders
    or devices, clocks (its own, or those of its battles)."""

    courses: bool
    captains: bool
    calls: bool
    post: bool
    clocks: bool


def head_of(file: File, game: str) -> GameHead:
    """The head of a game. Raises Unknown."""
    return file.read_once(("head", game), lambda: _read(file, game))


def prime(file: File, found: GameHead) -> None:
    """What this thread has just written need not be read again."""
    file.prime(("head", found.game.id), found)


def _read(file: File, game: str) -> GameHead:
    found = file.rows(ROW, game)
    if not found:
        raise Unknown("There is no such game.")
    return GameHead(game_of(found[0]), found[0]["chain"], found[0]["tail"])


def has(file: File, game: str, what: Beside) -> bool:
    """Has the game any of this beside its journal? A page asks of all that it may show in one read."""
    return bool(file.rows(BESIDE, game)[0][what])


def followers(file: File, game: str) -> Followers:
    """Who must hear of the game's changes, in one read."""
    found = file.rows(FOLLOWERS, game)[0]
    return Followers(**{name: bool(value) for name, value in found.items()})
