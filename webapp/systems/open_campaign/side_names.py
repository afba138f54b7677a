"""What the sides of a war of one's own are called, and their colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.presenting.campaign_labels import colour, seat_word, side_word
from webapp.presenting.labels import translate

UNNAMED = 5  # the colour of a side that no book knows
COLOURS = 6


def side_name(view: Mapping[str, Any], side: str) -> str:
    """A side by its word in the reader's language, else by the name that its organizer gave it."""
    own = view["sides"].get(side)
    return side_word(side) or (translate(own["name"]) if own else seat_word(side))


def side_colour(view: Mapping[str, Any], side: str) -> int:
    """A side's colour by number: its own where a book gives it one, else the next that no other side has."""
    known = {name: colour(name) for name in view["sides"]}
    if known.get(side, UNNAMED) != UNNAMED:
        return known[side]
    unnamed = [name for name in view["sides"] if known[name] == UNNAMED]
    free = [each for each in range(COLOURS) if each not in known.values() or each == UNNAMED]
    return free[unnamed.index(side) % len(free)] if side in unnamed else UNNAMED
