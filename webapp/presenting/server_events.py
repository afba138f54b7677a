"""Events of this server rather than of a system, as sentences of every journal: who gave a command, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_word

LEVELS: dict[str, Callable[[], str]] = {
    "raw": lambda: _("raw"),
    "able": lambda: _("able"),
    "seasoned": lambda: _("seasoned"),
    "still": lambda: _("does not attack"),  # the enemy of lessons and puzzles
}


def by_order(it: Mapping[str, Any]) -> str:
    """The mark of a command by standing order in the journal."""
    return _("%(seat)s had given a standing order for this.", seat=seat_word(str(it.get("side", ""))))


def by_one_of_several(it: Mapping[str, Any]) -> str:
    """The mark of a command by one of several people in a seat."""
    name, duty, seat = it.get("name", ""), it.get("duty", ""), seat_word(str(it.get("side", "")))
    if duty:
        return _("%(name)s (%(duty)s) gave this command for %(seat)s.", name=name, duty=duty, seat=seat)
    return _("%(name)s gave this command for %(seat)s.", name=name, seat=seat)


def by_captain(it: Mapping[str, Any]) -> str:
    """The mark of a captain's command in the journal."""
    return _("A captain gave this command (%(level)s).", level=level_name(str(it.get("level", ""))))


def level_name(level: str) -> str:
    """A captain's level in the reader's language."""
    return LEVELS[level]() if level in LEVELS else level


SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "standing_order": by_order,
    "acted": by_one_of_several,
    "captain": by_captain,
}
