"""Why an engine or the server refuses, and events of the server, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import lazy_gettext as _l

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import EITHER, BadInput, Reason
from webapp.http.forms import reason_text
from webapp.http.language import gettext
from webapp.http.language import gettext as _
from webapp.http.operations import LOST_MOVES
from webapp.presenting.campaign_labels import field_word, seat_word
from webapp.presenting.labels import translate, words_of
from webapp.presenting.naming import data_text, say_value
from webapp.presenting.sentences import Either, Several, Values, full_name
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.journal.writing import sentence

# -- Why an engine or the server refuses, in the reader's language, with names for ids that know their grammar.

SEATS = (
    "active",
    "seat",
    "others",
    "asked",
    "side",
    "sides",
    "phasing",
    "winner",
    "loser",
    "power",
    "runner",
    "player",
)
PERSONS = ("general", "commander", "leader", "generals", "leaders")  # gaps that hold persons


def refusal_text(system: str, why: Reason) -> str:
    """A reason in the reader's language; `system` says whose ids are in it, "" that nobody knows."""
    form = gettext(why.form)
    return form % Values(lambda name: gap_text(system, name, why.values[name])) if why.values else form


def gap_text(system: str, name: str, value: Any) -> Any:
    """What fills a gap: a number as it is, a reason in the reader's language, the names of what the engine knows by
    id, several as a list."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, Reason):
        return refusal_text(system, value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return (Either if name == EITHER else Several)(gap_text(system, name, each) for each in value)
    return one(system, name, str(value))


def one(system: str, name: str, value: str) -> str:
    """One thing by its name."""
    value = value.strip("'")
    if name in SEATS and value.islower():
        return full_name(seat_word(value))
    if value.replace("_", "").isalnum() and value == value.lower():
        return full_name(say_value(system, value) if system else value, name in PERSONS)
    return full_name(data_text(system, value.removeprefix("the ")))


# -- A paragraph as a reader calls it: where ids are words, their chapter is said in his language.

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
    """The paragraph's chapter by name with what follows as a number; of a paragraph that is a number, all of it.

    The chapters are in the system's words.toml, those of the link to battles in data/linking.
    """
    parts = ASIDE.sub("", paragraph).split(".")
    bare = paragraph.partition(" (")[0].split(".")
    heads = [".".join(bare[:length]) for length in range(len(bare), 0, -1)]
    heads += re.findall(r"^[A-Z]+(?=\d)", heads[-1])  # "P23" is a paragraph of the chapter P
    chapters = {**words_of("linking").chapters, **words_of(system).chapters}
    head = next((head for head in heads if head in chapters), None)
    is_number = paragraph[:1].isdigit() or paragraph[:1].isupper()
    said = _number_words(".".join(parts)) if is_number else paragraph
    if head is None:
        return said
    chapter = translate(chapters[head])
    return f"{chapter} {said}" if is_number else _chapter_words(chapter, parts[head.count(".") + 1 :])


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


# -- A refusal as the page says it: one sentence, its paragraph, and the status that goes with it.


@dataclass(frozen=True)
class Flash:
    """What the page says above its offers."""

    text: str
    rule: str = ""
    status: int = 422
    kind: str = "refused"


def flash_of(fault: Exception, system: str = "") -> Flash:
    """A refusal as a flash, in the reader's language; `system` says whose engine refused."""
    match fault:
        case Stale(is_lost=True):
            return Flash(_(LOST_MOVES), status=409)
        case Stale():
            return Flash(_("The game has moved on: look again, then decide."), status=409)
        case BadInput(path=path, why=why):
            name = field_word(system, path.removeprefix("command.")) if path else ""
            said = reason_text(why)
            return Flash(_("%(field)s: %(reason)s.", field=name, reason=said) if name else sentence(said))
        case Illegal(rule=rule, why=why) | Refused(rule=rule, why=why):
            return Flash(reason_sentence(system, why), rule or "")
        case Barred(missing=missing, why=why) if missing:
            sides = ", ".join(seat_word(side) for side in missing)
            return Flash(f"{reason_sentence(system, why)} " + _("Consent is missing from: %(sides)s.", sides=sides))
        case NotYours(why=why) | Barred(why=why):
            return Flash(reason_sentence(system, why))
        case _:
            return Flash(reason_sentence(system, Reason(str(fault))))


def reason_sentence(system: str, why: Reason) -> str:
    """A reason as a sentence in the reader's language."""
    return sentence(refusal_text(system, why))


# -- Events of this server rather than of a system, as sentences of every journal: who gave a command, and how.

LEVELS: dict[str, Callable[[], str]] = {
    "raw": lambda: _("raw"),
    "able": lambda: _("able"),
    "seasoned": lambda: _("seasoned"),
    "still": lambda: _("does not attack"),  # the enemy of lessons and puzzles
}


TEMPERS: dict[str, Callable[[], str]] = {
    "careful": lambda: _("careful"),
    "boarder": lambda: _("boarder"),
    "rammer": lambda: _("rammer"),
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


def level_name(mind: str) -> str:
    """A captain's level, and its temper if it has one ("able-boarder"), in the reader's language."""
    level, _dash, temper = mind.partition("-")
    said = LEVELS[level]() if level in LEVELS else level
    return f"{said}, {TEMPERS[temper]()}" if temper in TEMPERS else said


SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "standing_order": by_order,
    "acted": by_one_of_several,
    "captain": by_captain,
}


# -- Where a journal goes on by another version of the rules.


def mark(before: str, now: str) -> str:
    """What stands at the first entry that another version made than the one before it; nothing at the others."""
    if not before or before == now:
        return ""
    return _("From here on version %(now)s of the rules applies; before, version %(before)s.", now=now, before=before)
