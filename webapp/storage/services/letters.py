"""Letters between seats: to everybody, or to one seat; nobody else reads them, the umpire neither. No Flask."""

from __future__ import annotations

from collections.abc import Iterable

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, Record
from webapp.storage.errors import Barred
from webapp.storage.file.tables import HOLDERS
from webapp.storage.journal.game_head import has
from webapp.storage.journal.revisions import touch
from webapp.storage.journal.store import Store
from webapp.storage.services.limits import most

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


def send(store: Store, game: str, seat: str, receiver: str, text: str) -> Letter:
    """Write a letter. Raises BadInput, Barred."""
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
    with store.write() as db:
        made = db.conn.execute(
            "insert into letters (game, sender, receiver, time, entry, text) values (?, ?, ?, ?, ?, ?)",
            (game, seat, receiver, store.now(), entry, text),
        ).lastrowid
        if receiver == ALL:
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
