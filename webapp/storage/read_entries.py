"""Entries of journals that were read of late, kept: nothing of an entry changes but that it is taken back."""

from __future__ import annotations

from typing import Any

from tactical.kernel.journal import Entry
from webapp.storage.records import entry_of

MOST = 4096  # each of some hundred bytes; a page looks at the last thirty of its game
Name = tuple[str, int, str, int | None]  # game, entry, chain (see `anchors`), which entry took it back


class Entries:
    """The entries that were read last, by all that they depend on."""

    def __init__(self) -> None:
        self._known: dict[Name, Entry] = {}

    def entry(self, row: dict[str, Any]) -> Entry:
        """The entry of a row, read once; each time where it has no chain, as in files of long ago."""
        if not row["chain"]:
            return entry_of(row)
        name = (row["game"], row["number"], row["chain"], row["taken_back"])
        found = self._known.get(name)
        if found is None:
            if len(self._known) >= MOST:
                self._known.clear()
            found = self._known[name] = entry_of(row)
        return found

    def known(self, game: str, listed: list[dict[str, Any]]) -> list[Entry]:
        """The first of these entries, as far as they were read before; each is told by number, chain, taken_back."""
        found: list[Entry] = []
        for row in listed:
            entry = self._known.get((game, row["number"], row["chain"], row["taken_back"]))
            if entry is None:
                break
            found.append(entry)
        return found
