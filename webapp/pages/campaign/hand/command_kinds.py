"""What kind of command it is: a quiet one, one by hand, one that lets be, one that ends something.

The pages order, fold and ask twice by these; nothing here is a rule.
"""

from __future__ import annotations

from flask_babel import lazy_gettext as _l

from strategic import SYSTEMS
from webapp.presenting.campaign_labels import Words, own_word
from webapp.presenting.words import words_of

QUIET = frozenset(("arrange", "discard", "take_command"))
LETTING_BE = frozenset(("concede", "done", "end_action", "finish", "go_back", "halt", "pass", "stand"))
ONLY = frozenset(("take_command",))  # of the quiet ones: an answer, where a question has no other
BESIDE = frozenset(("burn_trains", "drop", "pick_up"))
FINAL: Words = {
    "agree": _l("When all sides have agreed, the war ends here."),
    "concede": _l("The battle is lost at once."),
    "resign": _l("The war ends at once, and the other side wins it."),
}


def is_quiet(system: str, kind: str) -> bool:
    """Always possible and seldom wanted: shown closed, after the rest."""
    return kind in QUIET or kind in ("agree", "resign") or is_by_hand(system, kind)


def is_by_hand(system: str, kind: str) -> bool:
    """Is it the table's pencil, and no move of the game?"""
    return system in SYSTEMS and kind in SYSTEMS[system].by_hand


def lets_be(kind: str) -> bool:
    """Does it give up what else could be done: "no", "nothing more", "the next one"?"""
    return kind in LETTING_BE


def is_beside(kind: str) -> bool:
    """Does it only change the army that is to go on, or the points with which it goes?"""
    return kind in BESIDE


def warning(system: str, kind: str) -> str:
    """What cannot be taken back once this is said, for a second question; empty for all else."""
    return own_word(kind, words_of(system).warnings, FINAL)
