"""Which seats captains hold, until when, and what they thought: kept beside the games. No Flask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, get_args

import msgspec

from tactical.captains import Choice, Level, Orders, Role
from tactical.kernel.protocol import Event, Outcome, event
from tactical.kernel.record import Record, encode, read
from webapp.storage.journal.game_head import has
from webapp.storage.journal.records import Table
from webapp.storage.journal.repository import Repository
from webapp.storage.journal.revisions import touch

Until = Literal["prompt", "turn", "recalled"]
UNTILS: tuple[Until, ...] = get_args(Until)


class Held(Record, frozen=True):
    """A seat in a captain's hands: its level, until when, who handed it over; `fault` says why it stopped.

    `pending` is the choice (as JSON) whose dice the table has still to throw.
    """

    game: str
    seat: str
    level: Level
    until: Until = "recalled"
    turn: str = ""
    roles: dict[str, Role] = {}
    given_by: str = ""
    since: str = ""
    fault: str = ""
    pending: str = ""

    @property
    def orders(self) -> Orders:
        """What the captain is told."""
        return Orders(self.level, self.roles)


class Move(Record, frozen=True):
    """Why a captain gave a command: the entry of the journal, its level, and its choice."""

    entry: int
    seat: str
    level: str
    choice: Choice


_acting: ContextVar[tuple[Held, Choice] | None] = ContextVar("acting", default=None)


@contextmanager
def as_captain(held: Held, choice: Choice) -> Iterator[None]:
    """What is submitted within is the captain's, and is recorded as such."""
    token = _acting.set((held, choice))
    try:
        yield
    finally:
        _acting.reset(token)


def mark_captain(store: Repository, table: Table, seat: str, command: Any, outcome: Outcome[Any]) -> tuple[Event, ...]:
    """Mark a captain's command in its journal entry, in the same transaction, and keep its reasons beside it.

    What follows it in the same thread, the steps of other people's courses, is not the captain's.
    """
    found = _acting.get()
    if found is None or not is_given(table, *found, seat, command):
        found = waiting_move(store, table, seat, command)
    if found is None:
        return ()
    held, choice = found
    with store.write() as db:
        db.table("captain_moves").insert(
            {
                "game": table.game.id,
                "entry": table.game.version + 1,
                "seat": held.seat,
                "level": held.level,
                "choice": encode(choice).decode(),
            },
            replace=True,
        )
    return (event("", "captain", side=held.seat, level=held.level),)


def waiting_move(store: Repository, table: Table, seat: str, command: Any) -> tuple[Held, Choice] | None:
    """A captain's command that has waited for the dice of the table, and now has them."""
    if table.game.waiting is None:
        return None
    for held in held_in(store, table.game.id):
        if held.pending:
            choice = msgspec.json.decode(held.pending, type=Choice)
            if is_given(table, held, choice, seat, command):
                return held, choice
    return None


def is_given(table: Table, held: Held, choice: Choice, seat: str, command: Any) -> bool:
    """Is a seat's command the one that the captain who holds it has chosen?"""
    given: bool = seat == held.seat and read(choice.command, table.system.command) == command
    return given


def remember(store: Repository, held: Held, choice: Choice) -> None:
    """Keep a choice whose dice the table will throw."""
    with store.write() as db:
        db.conn.execute(
            "update captains set pending = ? where game = ? and seat = ?",
            (encode(choice).decode(), held.game, held.seat),
        )


def hand_over(store: Repository, held: Held) -> None:
    """Put a seat into a captain's hands."""
    row = {**msgspec.to_builtins(held), "roles": encode(held.roles).decode()}
    with store.write() as db:
        db.table("captains").insert(row, replace=True)
        touch(store, held.game)


def take_back(store: Repository, game: str, seat: str) -> None:
    """The seat's player plays again."""
    with store.write() as db:
        db.conn.execute("delete from captains where game = ? and seat = ?", (game, seat))
        touch(store, game)


def note_fault(store: Repository, held: Held, fault: str) -> None:
    """A captain whose command was refused plays no more; what was wrong stays to be read."""
    with store.write() as db:
        db.conn.execute("update captains set fault = ? where game = ? and seat = ?", (fault, held.game, held.seat))
        touch(store, held.game)


def held_in(store: Repository, game: str) -> list[Held]:
    """The seats of a game that captains hold."""
    if not has(store.file, game, "captains"):
        return []
    return [held_of(row) for row in store.file.rows("select * from captains where game = ? order by seat", game)]


def games_of_captains(store: Repository) -> list[str]:
    """The games in which a captain holds a seat."""
    return [row["game"] for row in store.file.rows("select distinct game from captains where fault = ''")]


def held_of(row: dict[str, Any]) -> Held:
    """A row as a record."""
    return msgspec.convert({**row, "roles": msgspec.json.decode(row["roles"])}, Held)


def move_of(store: Repository, game: str, entry: int) -> Move | None:
    """Why a captain gave the command of an entry; None where a person gave it."""
    rows = store.file.rows("select * from captain_moves where game = ? and entry = ?", game, entry)
    if not rows:
        return None
    row = rows[0]
    return Move(entry, row["seat"], row["level"], msgspec.json.decode(row["choice"], type=Choice))


def may_ask_hints(store: Repository, game: str) -> bool:
    """May players ask for hints? The umpire says."""
    return not has(store.file, game, "hints_off")


def allow_hints(store: Repository, game: str, on: bool) -> None:
    """Turn hints on or off for a game."""
    with store.write() as db:
        if on:
            db.conn.execute("delete from hints_off where game = ?", (game,))
        else:
            db.table("hints_off").insert({"game": game}, replace=True)
        touch(store, game)
