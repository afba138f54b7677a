"""Which seats captains hold, what they thought, and who plays for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, Literal

import msgspec

import strategic.captains
from tactical.captains import Choice, Level, Orders, Role, Temper, choose
from tactical.exercises import one_of
from tactical.kernel.corrections import Approve
from tactical.kernel.protocol import Event, Illegal, NotYours, Outcome, System, event, tag_of
from tactical.kernel.record import BadInput, Record, because, decode, encode, read
from webapp.captains.forecasts import worker_pool
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.journal.entries import has
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store, all_systems, touch
from webapp.storage.journal.writing import Repository
from webapp.storage.services.worker import Worker

# -- One question to a captain of any system: a choice for a seat, by that seat's view alone. No Flask.


def think(system: System, state: Any, seat: str, orders: Orders) -> Choice:
    """What a captain would command for the seat now. Raises Refused when nothing waits for the seat."""
    offers = system.offers(state, seat)
    if seat not in system.waiting_for(state) or not offers:
        raise Refused(because("There is nothing for %(seat)s to decide.", seat=seat))
    view = system.view(state, seat)
    if system.name == "galley":
        return choose(view, seat, offers, orders)
    return strategic.captains.choose(system.name, view, seat, offers, orders)


def think_apart(system: str, state: bytes, seat: str, orders: bytes) -> bytes:
    """The same from and to JSON, for a process of its own."""
    rules = all_systems()[system]
    return encode(think(rules, decode(state, rules.state), seat, decode(orders, Orders)))


# -- A captain's word on what a person has set by hand: it agrees once no other person is left to be asked. No Flask.

APPROVE = tag_of(Approve)


def agreement(system: System, state: Any, held: Collection[str]) -> tuple[str, dict[str, Any]] | None:
    """A seat that a captain holds and its word, where only captains can still give it; None where a person can.

    So a person who plays against captains alone is never kept waiting, and among several people no captain decides.
    """
    if not getattr(state, "wishes", None):
        return None
    may_agree = [
        (seat, {"type": APPROVE, **offer.fields, "allow": True})
        for seat in system.sides(state)
        for offer in system.offers(state, seat)
        if offer.type == APPROVE and True in one_of(offer.fields["allow"])
    ]
    asked_of_people = {command["wish"] for seat, command in may_agree if seat not in held}
    return next((each for each in may_agree if each[0] in held and each[1]["wish"] not in asked_of_people), None)


def agree_to_undo(store: Repository, game: str) -> tuple[str, ...]:
    """The seats of a game whose captains agree at once to whatever others ask to take back."""
    return tuple(held.seat for held in held_in(store, game) if not held.fault)


# -- Which seats captains hold, until when, and what they thought: kept beside the games. No Flask.

Until = Literal["prompt", "turn", "recalled"]


class Held(Record, frozen=True):
    """A seat in a captain's hands: its level and temper, until when, who handed it over; `fault` says why it stopped.

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
    temper: Temper | None = None

    @property
    def orders(self) -> Orders:
        """What the captain is told."""
        return Orders(self.level, self.roles, temper=self.temper)


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
    rows = store.file.rows("select * from captains where game = ? order by seat", game)
    return [msgspec.convert({**row, "roles": msgspec.json.decode(row["roles"])}, Held) for row in rows]


def games_of_captains(store: Repository) -> list[str]:
    """The games in which a captain holds a seat."""
    return [row["game"] for row in store.file.rows("select distinct game from captains where fault = ''")]


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


# -- Plays the seats which captains hold: after each change it looks whether one of them must act.
#
# It reads what it needs from the file of games, so a restart goes on where it was. Of several processes over one file
# the elected one plays. It thinks in a process of its own, so that the pages stay quick. Where people only look on, and
# in campaigns, it waits between commands; the page of a battle shows what came at once one after another
# (static/happenings.js).

IDLE = 300.0  # seconds after which the thinking process is sent home
GENTLE = 5  # how far the thinking steps back behind the pages
REFUSALS = (Illegal, NotYours, BadInput, Barred, Refused)


class CaptainRunner:
    """Plays the held seats of one file of games. `pace` is the pause between two commands that people look on at, in
    seconds; `apart` says whether it thinks in a process of its own.
    """

    def __init__(self, store: Store, pace: float, apart: bool) -> None:
        self.store = store
        self.pace = pace
        self.apart = apart
        self._pool: ProcessPoolExecutor | None = None
        self._not_before: dict[str, float] = {}  # when the next command may be given, by game
        self._worker = Worker("captains", self._work, self._end_pool, IDLE, lasting=False, end=store.file.close)
        self._worker.follow(store, "captains", lambda: games_of_captains(store))
        store.election.when_ours(self._begin)

    def _begin(self) -> None:
        """Go on with every game in which a seat is held."""
        for game in games_of_captains(self.store):
            self.look_at(game)

    @property
    def is_at_rest(self) -> bool:
        """Has every change been looked at, with all that followed from it?"""
        return self._worker.is_at_rest

    def look_at(self, game: str) -> None:
        """Look at a game soon; where another process is elected, it does."""
        if self.store.election.is_ours:
            self._worker.put(game)

    def _work(self, game: str) -> None:
        """Give one command in a game, if it is time for it, and look at it again."""
        early = self._not_before.get(game, 0.0) - monotonic()
        if early > 0:
            self._worker.put(game, early)
        elif self.play(game):
            self._not_before[game] = monotonic() + self._pause(game)
            self._worker.put(game)
        else:
            self._not_before.pop(game, None)

    def _pause(self, game: str) -> float:
        """The seconds until the next command: none in a battle in which a person waits for his turn."""
        table = self.store.load(game)
        plays = set(table.system.sides(table.state)) - {held.seat for held in held_in(self.store, game)}
        return 0.0 if plays and table.game.system == "galley" else self.pace

    def _end_pool(self) -> None:
        """Send the thinking process home."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def play(self, game: str) -> bool:
        """Give one command for a held seat that must act; was one given? Dice that the table owes are waited for."""
        try:
            table = self.store.load(game)
        except Unknown:
            return False
        if table.game.over or not table.game.is_open or table.game.waiting is not None:
            return False
        if self._agree(table):
            return True
        waiting = table.system.waiting_for(table.state)
        for held in held_in(self.store, game):
            if held.until == "turn" and held.turn != turn_of(table):
                take_back(self.store, game, held.seat)
            elif held.seat in waiting and not held.fault:
                return self._command(table, held)
        return False

    def _agree(self, table: Table) -> bool:
        """Give a captain's word on what a person has set by hand, where no other person is there to give his."""
        captains = {held.seat: held for held in held_in(self.store, table.game.id)}
        found = agreement(table.system, table.state, captains)
        if found is None:
            return False
        seat, command = found
        try:
            with as_captain(captains[seat], Choice(command)):
                self.store.submit(table.game.id, table.game.version, seat, command)
        except Stale:
            return True
        except REFUSALS:
            return False
        return True

    def _command(self, table: Table, held: Held) -> bool:
        """Think, and give the command; a refusal is a fault of the captain's and ends its watch."""
        try:
            choice = self._thought(table, held)
            if held not in held_in(self.store, held.game):
                return True  # taken back meanwhile
            if table.game.dice == "physical":
                with self.store.write() as db:  # until the table has thrown its dice
                    db.conn.execute(
                        "update captains set pending = ? where game = ? and seat = ?",
                        (encode(choice).decode(), held.game, held.seat),
                    )
            with as_captain(held, choice):
                self.store.submit(held.game, table.game.version, held.seat, choice.command)
        except Stale:
            return True
        except REFUSALS as fault:
            note_fault(self.store, held, str(fault))
            return False
        if held.until == "prompt":
            take_back(self.store, held.game, held.seat)
        return True

    def _thought(self, table: Table, held: Held) -> Choice:
        if not self.apart:
            return think(table.system, table.state, held.seat, held.orders)
        if self._pool is None:
            self._pool = worker_pool(1, GENTLE)
        try:
            asked = self._pool.submit(
                think_apart, table.system.name, encode(table.state), held.seat, encode(held.orders)
            )
            return decode(asked.result(), Choice)
        except BrokenExecutor:
            self._pool = None
            return think(table.system, table.state, held.seat, held.orders)


def turn_of(table: Table) -> str:
    """The turn of a game, as far as its system counts turns."""
    return str(getattr(table.state, "turn", ""))
