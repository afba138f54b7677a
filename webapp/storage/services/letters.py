"""What is kept beside the games: letters, named marks in a journal, pings, saved positions, an umpire's notes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import TITLE_LETTERS, BadInput, Record, because, clean_name, encode
from webapp.storage.errors import Barred, Refused, Unknown
from webapp.storage.file.database import HOLDERS, rows
from webapp.storage.journal import new_game, records
from webapp.storage.journal.entries import has
from webapp.storage.journal.store import Store, touch
from webapp.storage.services.archive import most

# -- Letters between seats: to everybody, or to one seat; nobody else reads them, the umpire neither. No Flask.

ALL = "all"
LONGEST = 4000  # letters of a letter
MOST = most("kept letters")  # letters of a game


class Letter(Record, frozen=True):
    """A letter: by which seat, to which seat or to all, when, and after which entry of the journal."""

    id: int
    sender: str
    receiver: str
    time: str
    entry: int
    text: str

    def readable(self, seat: str) -> bool:
        """May this seat read it?"""
        return self.receiver == ALL or seat in (self.sender, self.receiver)


def send(store: Store, game: str, seat: str, receiver: str, text: str, key: str = "") -> Letter:
    """Write a letter, once for each `key` that is not empty. Raises BadInput, Barred."""
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot write letters.")
    text = text.strip()
    if not text:
        raise BadInput("text", "nothing is written here")
    if len(text) > LONGEST:
        raise BadInput("text", "a letter may have at most %(most)s characters", most=LONGEST)
    if receiver not in receivers(store, game, seat):
        raise BadInput("to", "there is nobody of that name to write to")
    if store.file.rows("select count(*) as many from letters where game = ?", game)[0]["many"] >= MOST:
        raise BadInput("text", "this game already has %(most)s letters, the most that it can have", most=MOST)
    entry = store.game(game).newest(SPECTATOR)
    known = "select id from letters where game = ? and sender = ? and key = ? and key != ''"
    with store.write() as db:
        old = rows(db, known, game, seat, key)
        made = (
            old[0]["id"]
            if old
            else db.conn.execute(
                "insert into letters (game, sender, receiver, time, entry, text, key) values (?, ?, ?, ?, ?, ?, ?)",
                (game, seat, receiver, store.now(), entry, text, key),
            ).lastrowid
        )
        if receiver == ALL and not old:
            touch(store, game)  # a letter to one seat is told to its streams alone (see `http.streams`)
    return next(each for each in letters(store, game, seat) if each.id == made)


def receivers(store: Store, game: str, seat: str) -> tuple[str, ...]:
    """Whom a seat may write to: everybody at once, or one of the others.

    Where letters go by ship (O11.2), a side writes only to the umpire here; its other letters sail.
    """
    options = getattr(store.load(game).state, "options", None)
    if seat != UMPIRE and getattr(options, "letters", "") == "by_ship":
        return (UMPIRE,)
    return (ALL, *(each.id for each in store.seats(game) if each.id not in (seat, SPECTATOR)))


def letters(store: Store, game: str, seat: str, after: int = 0) -> tuple[Letter, ...]:
    """The letters that a seat may read, the oldest first."""
    rows = store.file.rows(
        "select id, sender, receiver, time, entry, text from letters where game = ? and id > ? order by id", game, after
    )
    return tuple(letter for row in rows if (letter := Letter(**row)).readable(seat))


def unread(store: Store, game: str, seat: str) -> int:
    """How many letters of others a seat has not opened."""
    if not has(store.file, game, "letters"):
        return 0
    return sum(letter.sender != seat for letter in letters(store, game, seat, last_read(store, game, seat)))


def last_read(store: Store, game: str, seat: str) -> int:
    """The newest letter that a seat has opened."""
    rows = store.file.rows("select letter from letters_read where game = ? and seat = ?", game, seat)
    return int(rows[0]["letter"]) if rows else 0


def mark_read(store: Store, game: str, seat: str) -> None:
    """A seat has opened all its letters."""
    those = letters(store, game, seat)
    if those and those[-1].id > last_read(store, game, seat):
        with store.write() as db:
            db.table("letters_read").insert({"game": game, "seat": seat, "letter": those[-1].id}, replace=True)


def newest_of_holders(store: Store, games: Iterable[str], hashes: Iterable[str]) -> dict[tuple[str, str | None], int]:
    """The newest letter to one seat alone, by its game and the hash of a token that gives the like-named seat."""
    wanted, held = list(games), list(hashes)
    if not wanted or not held:
        return {}
    of_games, of_hashes = (", ".join("?" * len(each)) for each in (wanted, held))
    seats = " union all ".join(f"select token, seat from {table} where token in ({of_hashes})" for table in HOLDERS)
    found = store.file.rows(
        f"select letters.game, token, max(letters.id) as newest from ({seats}) as held"
        f" join letters on letters.receiver = held.seat and letters.game in ({of_games}) group by 1, 2",
        *held * len(HOLDERS),
        *wanted,
    )
    return {(row["game"], row["token"]): row["newest"] for row in found}


# -- Pings: a seat points at a place of the board for a few seconds, before all or before its own people alone.
#
# They are no command and stand in no journal; a ping for one's own side is told to nobody else, the umpire neither. No
# Flask.

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


# -- Positions that somebody drew and saved, so that others can load them; nothing in them is secret. No Flask.

MOST_SAVED = most("shelf")  # saved positions of one server
SYSTEM = "galley"


class Saved(Record, frozen=True):
    """A saved position: its code, title, since when it is as it is, how many ships it has, whose rules it follows."""

    id: str
    title: str
    time: str
    ships: int
    system: str = SYSTEM


def save(store: Store, title: str, position: Mapping[str, Any], system: str = SYSTEM) -> Saved:
    """Save a position that its engine accepts, under a new code. Raises BadInput, Refused, Unknown."""
    title = clean_name(title)
    if not 1 <= len(title) <= TITLE_LETTERS:
        raise BadInput("title", "a title must have 1 to %(longest)s characters", longest=TITLE_LETTERS)
    check(store, position, system)
    if len(all_positions(store)) >= MOST_SAVED:
        raise Refused(
            because(
                "This server already keeps %(most)s %(most|position|positions)s: its organizer must remove one first.",
                most=MOST_SAVED,
            )
        )
    ships = position.get("ships") if system == SYSTEM else None
    found = Saved(records.code(), title, store.now(), len(ships) if isinstance(ships, Mapping) else 0, system)
    row = {**msgspec.structs.asdict(found), "text": encode(dict(position)).decode()}
    with store.write() as db:
        db.table("positions").insert(row)
    return found


def check(store: Store, position: Mapping[str, Any], system: str = SYSTEM) -> None:
    """BadInput, with the path to the field, unless a game can begin from the position."""
    source = Dice(source=lambda sides: 1, secret=lambda sides: 1)
    new_game.start(new_game.find_system(store.systems, system), None, position, {}, source, store.drawers.get(system))


def all_positions(store: Store) -> list[Saved]:
    """All of them, the newest first."""
    rows = store.file.rows("select id, title, time, ships, system from positions order by time desc, id")
    return [Saved(**row) for row in rows]


def load(store: Store, id: str, *, is_battle: bool | None = None) -> tuple[Saved, dict[str, Any]]:
    """One of them, with the position; a battle, a campaign, or either. Raises Unknown."""
    rows = store.file.rows("select id, title, time, ships, system, text from positions where id = ?", id)
    if not rows or is_battle not in (None, rows[0]["system"] == SYSTEM):
        raise Unknown("There is no such position.")
    text = rows[0].pop("text")
    return Saved(**rows[0]), msgspec.json.decode(text, type=dict[str, Any])


def remove(store: Store, id: str) -> None:
    """Forget one."""
    with store.write() as db:
        db.conn.execute("delete from positions where id = ?", (id,))


# -- Named marks: a moment of the journal under a name, to be found again in chronicle and replay. No Flask.

LONGEST_MARK = 80  # letters
MOST_MARKS = most("kept marks")  # of a game
MARK_READERS = (ALL, "side")


class Mark(Record, frozen=True):
    """A mark: the entry after which the marked moment stands, who made it when, who may read it, and its name.

    `seen_by` is "all" or "side" (who made it, and the umpire).
    """

    id: int
    entry: int
    seat: str
    seen_by: str
    name: str
    time: str


def set_mark(store: Store, game: str, seat: str, entry: int | None, name: str, seen_by: str) -> Mark:
    """Mark an entry of the journal, the newest that the seat knows where none is named.

    Raises BadInput for no name, too long a one, or an entry that the seat does not know; Barred for a spectator.
    """
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot mark anything.")
    name, newest = clean_name(name), store.game(game).newest(seat)
    if not 1 <= len(name) <= LONGEST_MARK:
        raise BadInput("name", "the name of a mark must have 1 to %(most)s characters", most=LONGEST_MARK)
    entry = newest if entry is None else entry
    if not 0 <= entry <= newest:
        raise BadInput("entry", "there is no such entry")
    if seen_by not in MARK_READERS:
        raise BadInput("seen_by", "choose all or side")
    if store.file.rows("select count(*) as many from marks where game = ?", game)[0]["many"] >= MOST_MARKS:
        raise BadInput("name", "this game already has %(most)s marks, the most that it can have", most=MOST_MARKS)
    now = store.now()
    with store.write() as db:
        id = db.conn.execute(
            "insert into marks (game, entry, seat, seen_by, name, time) values (?, ?, ?, ?, ?, ?)",
            (game, entry, seat, seen_by, name, now),
        ).lastrowid
    return Mark(int(id or 0), entry, seat, seen_by, name, now)


def strike_mark(store: Store, game: str, seat: str, id: int) -> None:
    """Remove a mark; who made it may, and the umpire. Raises Unknown for any other."""
    with store.write() as db:
        gone = db.conn.execute(
            "delete from marks where game = ? and id = ? and (seat = ? or ? = ?)", (game, id, seat, seat, UMPIRE)
        ).rowcount
    if not gone:
        raise Unknown("There is no such mark.")


def marks(store: Store, game: str, seat: str) -> tuple[Mark, ...]:
    """The marks that a seat may read, in the order of their entries; none of an entry that is still secret from it."""
    newest = store.game(game).newest(seat)
    rows = store.file.rows(
        "select id, entry, seat, seen_by, name, time from marks where game = ? and entry <= ?"
        " and (seen_by = ? or seat = ? or ? = ?) order by entry, id",
        *(game, newest, ALL, seat, seat, UMPIRE),
    )
    return tuple(Mark(**row) for row in rows)


# -- What an umpire adds to a side's dispatch of a turn; the side reads it with the dispatch, and not before. No Flask.

LONGEST_WORDS = 1200  # letters, so that a dispatch remains two pages


def put(store: Store, game: str, side: str, turn: int, text: str) -> None:
    """Write the paragraph of a side's dispatch of a turn, in place of an earlier one; none for an empty text.

    Raises BadInput for one that is too long.
    """
    text = text.strip()
    if len(text) > LONGEST_WORDS:
        raise BadInput("text", "a paragraph may have at most %(most)s characters", most=LONGEST_WORDS)
    with store.write() as db:
        db.conn.execute("delete from umpire_words where game = ? and side = ? and turn = ?", (game, side, turn))
        if text:
            db.table("umpire_words").insert({"game": game, "side": side, "turn": turn, "text": text})


def words_of(store: Store, game: str, side: str, turn: int) -> str:
    """The paragraph of a side's dispatch of a turn; empty where there is none."""
    sql = "select text from umpire_words where game = ? and side = ? and turn = ?"
    found = store.file.rows(sql, game, side, turn)
    return str(found[0]["text"]) if found else ""
