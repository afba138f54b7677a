"""What static/parts.js does: a page holds the parts of its table and puts the next one together."""

from __future__ import annotations

import json
import re
import secrets

MARK = re.compile(r"<!--([+=~])([\w.,]+)-->")
Held = list[tuple[str, str]]  # digest and text of each part


def told(text: str, held: Held) -> Held:
    """The parts of the new table, from an answer and from what was held."""
    pieces = MARK.split(text)
    found: Held = []
    for kind, value, following in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        said = value.split(",")
        if kind == "+":
            found.append((value, following))
        elif kind == "~":
            place, first, last = map(int, said[:3])
            old = held[place][1]
            found.append((said[3], old[:first] + following + old[len(old) - last :]))
        else:
            first, end = map(int, said)
            found += held[first:end]
    return found


def asking(held: Held) -> str:
    """The header that says what is held."""
    return " ".join(digest for digest, _text in held) or "none"


class Following:
    """A page with a stream: what it holds, and the tables that its stream may go on from, by their names."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(12)
        self._held: Held = []
        self._tables: dict[str, Held] = {}

    def asking(self) -> dict[str, str]:
        """The headers with which it asks for its table."""
        held = asking(self._held)
        return {"HX-Request": "true", "Accept-Encoding": "gzip", "X-Live": self.name, "X-Held": held}

    def answered(self, text: str, name: str | None) -> None:
        """It was told parts, by an answer that says how its stream calls the table."""
        self._held = told(text, self._held)
        if name:
            self._tables = {name: self._held}

    def brought(self, data: str) -> bool:
        """Its stream has brought parts; False where it must look by itself."""
        said = json.loads(data)
        before = self._tables.get(said["on"])
        if before is None:
            return False
        self._held = told(said["text"], before)
        self._tables = {said["to"]: self._held}
        return True
