"""A paragraph as a reader calls it: where ids are words, their chapter is said in his language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask_babel import lazy_gettext as _l

from webapp.http.language import gettext as _
from webapp.presenting.labels import translate
from webapp.presenting.words import words_of

AT_SEA: Mapping[str, Any] = {  # of ids that count their chapters and call what stands in them by words
    "after": _l("after the battle"),
    "budget": _l("war budget"),
    "burn": _l("burning"),
    "capture": _l("capture"),
    "cards": _l("tactics cards"),
    "choice": _l("choice"),
    "council": _l("the Council"),
    "end": _l("the end"),
    "engage": _l("engagement"),
    "evade": _l("evading"),
    "example": _l("example"),
    "flee": _l("fleeing"),
    "hands": _l("tactics in hand"),
    "leaderless": _l("without a leader"),
    "limit": _l("limit"),
    "manoeuvre": _l("manoeuvre"),
    "note": _l("note"),
    "options": _l("options"),
    "places": _l("where everybody goes"),
    "political": _l("its effect on land"),
    "prizes": _l("prizes"),
    "pursuit": _l("pursuit"),
    "regroup": _l("regrouping"),
    "rounds": _l("rounds"),
    "scoring": _l("scoring"),
    "second": _l("second battle"),
    "size": _l("size"),
    "steps": _l("steps"),
    "supremacy": _l("supremacy"),
    "table": _l("table"),
    "turn": _l("turn"),
}
ASIDE = re.compile(r" \([a-z ]+\)$")  # "19.0 (procedure)": which of several texts of a number it is


def rule_words(system: str, paragraph: str) -> str:
    """The paragraph's chapter by name with what follows as a number; a paragraph that is a number as it stands."""
    if paragraph[:1].isdigit() or paragraph[:2] == "H.":
        return _number_words(ASIDE.sub("", paragraph))
    chapters = words_of(system).chapters
    parts = paragraph.split(".")
    for length in range(len(parts), 0, -1):
        chapter = chapters.get(".".join(parts[:length]))
        if chapter is not None:
            return _chapter_words(translate(chapter), parts[length:])
    return paragraph


def _number_words(paragraph: str) -> str:
    """A number with the words in it in the reader's language: 11.7.engage.c as 11.7 engagement c."""
    parts = paragraph.split(".")
    first = next((place for place, part in enumerate(parts) if part in AT_SEA), None)
    if first is None:
        return paragraph
    words = [str(AT_SEA[part]) if part in AT_SEA else part for part in parts[first:]]
    return " ".join((".".join(parts[:first]), *words))


def _chapter_words(chapter: str, rest: list[str]) -> str:
    """The chapter and the numbers in it; a part of a table that has only a word is found by the link."""
    numbers = ".".join(part for part in rest if part[:1].isdigit() or len(part) == 1)
    if rest[:1] == ["general"]:
        return _("%(chapter)s, preface %(number)s", chapter=chapter, number=numbers)
    return f"{chapter} {numbers}" if numbers else chapter
