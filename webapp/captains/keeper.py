"""The thread that plays the seats which captains hold: after each change it looks whether one of them must act.

It reads what it needs from the file of games, so a restart goes on where it was. It thinks in a process of its own,
so that the pages stay quick, and it waits between commands, so that people can follow.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from time import sleep

from tactical.captains import Choice
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, decode, encode
from webapp.captains.seats import Held, acting, games_held, held_in, remember, stopped, take_back
from webapp.captains.thinking import think, think_apart
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.games import Store
from webapp.storage.records import Table

IDLE = 60.0  # seconds after which the thinking process is sent home
REFUSALS = (Illegal, NotYours, BadInput, Barred, Refused)


def be_gentle() -> None:
    """Let the pages have the processor first."""
    os.nice(5)


class Keeper:
    """Plays the held seats of one file of games. `pace` is the pause between two commands, in seconds; `apart`
    says whether it thinks in a process of its own.
    """

    def __init__(self, store: Store, pace: float, apart: bool) -> None:
        self.store = store
        self.pace = pace
        self.apart = apart
        self._changed: dict[str, None] = {}
        self._guard = threading.Condition()
        self._thread: threading.Thread | None = None
        self._pool: ProcessPoolExecutor | None = None
        store.listeners.append(self.hear)
        for game in games_held(store):
            self.look_at(game)

    def hear(self, game: str, version: int, pulse: int) -> None:
        """A game has changed: look at it if a captain holds a seat there."""
        if version >= 0 and any(not held.fault for held in held_in(self.store, game)):
            self.look_at(game)

    def look_at(self, game: str) -> None:
        """Look at a game soon."""
        with self._guard:
            self._changed[game] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="captains", daemon=True)
                self._thread.start()
            self._guard.notify()

    def _run(self) -> None:
        try:
            while True:
                with self._guard:
                    if not self._changed and not self._guard.wait(IDLE) and not self._changed:
                        self._thread = None
                        return
                    if not self._changed:
                        continue
                    game = next(iter(self._changed))
                    del self._changed[game]
                if self.play(game):
                    with self._guard:
                        self._changed[game] = None
                    sleep(self.pace)
        finally:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = None
            self.store.file.close()

    def play(self, game: str) -> bool:
        """Give one command for a held seat that must act; was one given? Dice that the table owes are waited for."""
        try:
            table = self.store.load(game)
        except Unknown:
            return False
        if table.game.over or table.game.waiting is not None:
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
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), be_gentle)
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
