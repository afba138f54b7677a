"""What the sides of a war of one's own are called, and their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.presenting.campaign_labels import seat_word, side_word
from webapp.presenting.labels import translate
from webapp.presenting.sides import side_number


def side_name(view: Mapping[str, Any], side: str) -> str:
    """A side by its word in the reader's language, else by the name that its organizer gave it."""
    own = view["sides"].get(side)
    return side_word(side) or (translate(own["name"]) if own else seat_word(side))


def number_in(view: Mapping[str, Any], side: str) -> int:
    """A side's number, by which it has its colour and its sign."""
    return side_number("open_campaign", view["sides"], side)
