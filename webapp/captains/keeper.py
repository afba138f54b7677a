"""The thread that plays the seats which captains hold: after each change it looks whether one of them must act.

It reads what it needs from the file of games, so a restart goes on where it was. Of several processes over one file
the elected one plays. It thinks in a process of its own, so that the pages stay quick, and it waits between commands,
so that people can follow.
"""

from __future__ import annotations

import threading
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from time import sleep

from tactical.captains import Choice
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, decode, encode
from webapp.captains.apart import gentle
from webapp.captains.seats import Held, acting, games_held, held_in, remember, stopped, take_back
from webapp.captains.thinking import think, think_apart
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.games import Store
from webapp.storage.records import Table
from webapp.storage.standing import awaited

IDLE = 60.0  # seconds after which the thinking process is sent home
GENTLE = 5  # how far the thinking steps back behind the pages
REFUSALS = (Illegal, NotYours, BadInput, Barred, Refused)


class Keeper:
    """Plays the held seats of one file of games. `pace` is the pause between two commands, in seconds; `apart`
    says whether it thinks in a process of its own.
    """

    def __init__(self, store: Store, pace: float, apart: bool) -> None:
        self.store = store
        self.pace = pace
        self.apart = apart
        self._changed: dict[str, None] = {}
        self._playing = False
        self._guard = threading.Condition()
        self._thread: threading.Thread | None = None
        self._pool: ProcessPoolExecutor | None = None
        store.listeners.append(self.hear)
        store.election.serve(lambda: games_held(store), self.look_at)
        store.election.when_ours(self._begin)

    def _begin(self) -> None:
        """Go on with every game in which a seat is held."""
        for game in games_held(self.store):
            self.look_at(game)

    def hear(self, game: str, version: int, revision: int) -> None:
        """A game has changed: look at it if a captain holds a seat there."""
        if version >= 0 and awaited(self.store.file, game).captains:
            self.look_at(game)

    @property
    def is_at_rest(self) -> bool:
        """Has every change been looked at, with all that followed from it?"""
        with self._guard:
            return not (self._changed or self._playing)

    def look_at(self, game: str) -> None:
        """Look at a game soon; where another process is elected, it does."""
        if not self.store.election.is_ours:
            return
        with self._guard:
            self._changed[game] = None
            if self._thread is None:
                self._start()
            self._guard.notify()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="captains", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        """Play what has changed, until nothing does for a while. A fault ends this thread, never the next one."""
        try:
            while (game := self._next()) is not None:
                if self.play(game):
                    with self._guard:
                        self._changed[game] = None
                    sleep(self.pace)
        finally:
            with self._guard:
                pool, self._pool, self._thread, self._playing = self._pool, None, None, False
                if self._changed:
                    self._start()
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
            self.store.file.close()

    def _next(self) -> str | None:
        """The next game to look at; None when none has changed for a while."""
        with self._guard:
            self._playing = False
            if not self._changed:
                self._guard.wait(IDLE)
            game = next(iter(self._changed), None)
            if game is not None:
                del self._changed[game]
                self._playing = True
            return game

    def play(self, game: str) -> bool:
        """Give one command for a held seat that must act; was one given? Dice that the table owes are waited for."""
        try:
            table = self.store.load(game)
        except Unknown:
            return False
        if table.game.over or not table.game.is_open or table.game.waiting is not None:
            return False
        waiting = table.system.waiting_for(table.state)
        for held in held_in(self.store, game):
            if held.until == "turn" and held.turn != turn_of(table):
                take_back(self.store, game, held.seat)
            elif held.seat in waiting and not held.fault:
                return self._command(table, held)
        return False

    def _command(self, table: Table, held: Held) -> bool:
        """Think, and give the command; a refusal is a fault of the captain's and ends its watch."""
        try:
            choice = self._thought(table, held)
            if held not in held_in(self.store, held.game):
                return True  # taken back meanwhile
            if table.game.dice == "physical":
                remember(self.store, held, choice)
            with acting(held, choice):
                self.store.submit(held.game, table.game.version, held.seat, choice.command)
        except Stale:
            return True
        except REFUSALS as fault:
            stopped(self.store, held, str(fault))
            return False
        if held.until == "prompt":
            take_back(self.store, held.game, held.seat)
        return True

    def _thought(self, table: Table, held: Held) -> Choice:
        if not self.apart:
            return think(table.system, table.state, held.seat, held.orders)
        if self._pool is None:
            self._pool = gentle(1, GENTLE)
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
