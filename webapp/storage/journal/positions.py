"""Positions that were read or written of late, kept with what was made of them. No Flask.

An entry's position never changes, and its chain (see `anchors`) is that of its whole journal; so game, entry and chain
name a position for good, also while another process writes or the file is put back from a backup.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tactical.kernel.cache import Cache
from webapp.storage.journal.packing import Whole

OF_A_POSITION = 20_000  # bytes
TIMES = 8  # so many bytes a position takes with its views and offers for each byte of its JSON
Name = tuple[str, int, str]  # game, entry, chain


@dataclass(frozen=True)
class Position:
    """A position, what its successor may be stored beside, and what was made of it: views and offers by seat.

    `chain` names its journal; it is empty where the entry has none, as in files of long ago.
    """

    state: Any
    whole: Whole | None = None
    chain: str = ""
    made: dict[Any, Any] = field(default_factory=dict)

    def once(self, name: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, made once; `name` holds all that it depends on besides the position."""
        found = self.made.get(name)
        if found is None:
            found = self.made[name] = make()
        return found


class Positions:
    """The positions that were asked for last."""

    def __init__(self) -> None:
        self._known = Cache[Position]()

    def get(self, name: Name) -> Position | None:
        """A position that is kept."""
        return self._known.get(name)

    def keep(self, name: Name, position: Position, written: int) -> Position:
        """Keep a position of so many bytes of JSON; the one that is given back is the one that is kept."""
        return self._known.keep(name, position, OF_A_POSITION + TIMES * written)
