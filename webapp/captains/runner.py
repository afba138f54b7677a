"""Plays the seats which captains hold: after each change it looks whether one of them must act.

It reads what it needs from the file of games, so a restart goes on where it was. Of several processes over one file
the elected one plays. It thinks in a process of its own, so that the pages stay quick, and it waits between commands,
so that people can follow.
"""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from time import sleep

from tactical.captains import Choice
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, decode, encode
from webapp.captains.agreeing import agreement
from webapp.captains.seats import Held, as_captain, games_of_captains, held_in, note_fault, remember, take_back
from webapp.captains.thinking import think, think_apart
from webapp.captains.worker_pool import worker_pool
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services.worker import Worker

IDLE = 60.0  # seconds after which the thinking process is sent home
GENTLE = 5  # how far the thinking steps back behind the pages
REFUSALS = (Illegal, NotYours, BadInput, Barred, Refused)


class CaptainRunner:
    """Plays the held seats of one file of games. `pace` is the pause between two commands, in seconds; `apart`
    says whether it thinks in a process of its own.
    """

    def __init__(self, store: Store, pace: float, apart: bool) -> None:
        self.store = store
        self.pace = pace
        self.apart = apart
        self._pool: ProcessPoolExecutor | None = None
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
        """Give one command in a game, and look at it again."""
        if self.play(game):
            self._worker.put(game)
            sleep(self.pace)

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
                remember(self.store, held, choice)
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
