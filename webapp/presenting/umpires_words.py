"""What the fields of a campaign's position and their values are called, for the umpire's hand."""

from __future__ import annotations

from flask_babel import lazy_gettext as _l

from webapp.presenting.campaign_labels import FIELDS, PHASES, Words, own_word
from webapp.presenting.words import words_of

FIELDS_OF_STATES: Words = {
    "active": _l("Who acts"),
    "opening": _l("Card that opened the turn"),
    "discard": _l("Discarded cards"),
    "removed": _l("Cards out of the game"),
    "preferred": _l("Preferred provinces"),
    "hands": _l("Hand"),
    "status": _l("Where he is"),
    "board": _l("on the map"),
    "dead": _l("dead"),
    "displaced": _l("displaced"),
    "pool": _l("in the pool"),
    "waiting": _l("still to come"),
    "rank": _l("Rank"),
    "consul": _l("consul"),
    "proconsul": _l("proconsul"),
    "siege": _l("Siege points"),
    "besieger": _l("Besieger"),
}
WORDS: Words = FIELDS | PHASES | FIELDS_OF_STATES


def position_word(system: str, field: str) -> str:
    """A field of a position, or one of its values; empty when it has no word."""
    return own_word(field, words_of(system).position, WORDS)
