"""What commands, undo and the link to battles ask of the store, without knowing how it keeps anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from tactical.kernel.dice import Source
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Event, Outcome
from tactical.kernel.reason import Reason
from webapp.storage.file.database import Connection, File
from webapp.storage.journal.new_game import Draw
from webapp.storage.journal.positions import Positions
from webapp.storage.journal.records import Game, Seat, Table

Faces = Sequence[int] | Literal["digital"] | None


class Repository(Protocol):
    """The games of one file (`games.Store`)."""

    file: File
    source: Source
    positions: Positions
    transaction_hooks: list[TransactionHook]
    bars: list[Bar]
    drawers: dict[str, Draw]

    def load(self, game: str) -> Table:
        """A game with its newest position."""

    def table_after(self, game: str, number: int) -> Table:
        """A game as it stood after an entry."""

    def game(self, game: str) -> Game:
        """A game's record."""

    def entry(self, game: str, number: int) -> Entry:
        """An entry of its journal."""

    def taken_back(self, table: Table, choice: str) -> Entry | None:
        """The newest entry of the game that made this choice and was taken back."""

    def seats(self, game: str) -> list[Seat]:
        """A game's seats."""

    def create(
        self,
        system: str,
        scenario: str | None,
        position: Mapping[str, Any] | None,
        options: Mapping[str, Any] | None,
        title: str | None,
        dice: str,
    ) -> tuple[Game, dict[str, str]]:
        """A new game and the tokens of its seats."""

    def write(self, is_move: bool = False) -> AbstractContextManager[Connection]:
        """A transaction that writes (see `File.write`)."""

    def announce(self, game: str, version: int, revision: int) -> None:
        """Tell of a change that is on the disk."""

    @staticmethod
    def now() -> str:
        """This moment, as journals write it."""


TransactionHook = Callable[
    [Repository, Table, str, Any, Outcome[Any]], tuple[Event, ...]
]  # with the seat that commands
Bar = Callable[[Repository, str, Entry], Reason | None]  # why the last entry of a game cannot be taken back
