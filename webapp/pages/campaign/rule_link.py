"""A paragraph as a reader calls it: Hannibal's are kept by word, so that their chapter is said in his language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import lazy_gettext as _l

from webapp.http.language import gettext as _

CHAPTERS: Mapping[str, Any] = {
    "avoid": _l("Avoiding battle"), "battle": _l("Battle"), "check": _l("Worked example"), "cities": _l("Cities"),
    "deal": _l("Dealing the cards"), "edition": _l("Editions"), "elephants": _l("Elephants"),
    "hands": _l("Battle hands"), "interception": _l("Interception"), "isolation": _l("Isolation"),
    "losses": _l("Losses"), "movement": _l("Movement"), "movement.command": _l("Change of command"),
    "movement.land": _l("Movement by land"), "movement.sea": _l("Movement by sea"), "naval": _l("Naval combat"),
    "pursuit": _l("Pursuit"), "reading": _l("Our reading"), "reinforcements": _l("Reinforcements"),
    "retreat": _l("Retreating"), "round": _l("Battle round"), "sequence": _l("Sequence of play"),
    "setup": _l("Set-up"), "siege": _l("Siege"), "strategy": _l("Strategy"), "strategy.event": _l("Events"),
    "strategy.ops": _l("Operations"), "subjugation": _l("Subjugation"),
    "tables.attrition": _l("Attrition table"), "tables.naval": _l("Naval table"),
    "tables.retreat": _l("Retreat table"), "tables.siege": _l("Siege table"), "tribes": _l("Tribes"),
    "victory": _l("Victory"), "winter": _l("Winter"), "withdrawal": _l("Withdrawal"),
}  # fmt: skip


def rule_said(system: str, paragraph: str) -> str:
    """The paragraph's chapter by name with what follows as a number; a paragraph that is a number as it stands."""
    if system != "hannibal":
        return paragraph
    parts = paragraph.split(".")
    for length in range(len(parts), 0, -1):
        chapter = CHAPTERS.get(".".join(parts[:length]))
        if chapter is not None:
            return _said(str(chapter), parts[length:])
    return paragraph


def _said(chapter: str, rest: list[str]) -> str:
    """The chapter and the numbers in it; a part of a table that has only a word is found by the link."""
    numbers = ".".join(part for part in rest if part[:1].isdigit() or len(part) == 1)
    if rest[:1] == ["general"]:
        return _("%(chapter)s, preface %(number)s", chapter=chapter, number=numbers)
    return f"{chapter} {numbers}" if numbers else chapter
