"""What static/parts.js does: a page holds the parts of its table and puts the next one together."""

from __future__ import annotations

import re

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
