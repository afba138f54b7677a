"""Why the galley engine, the server or an undo refuses, in the reader's language, with names for ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tactical.battle import Battle
from tactical.kernel.reason import EITHER, Reason
from webapp.http.language import gettext
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import ship_name, side_name, status_word, step_word
from webapp.presenting.names import full_name
from webapp.presenting.sentences import Either, Several, Values


def refusal(battle: Battle, why: Reason) -> str:
    """A reason as a sentence in the reader's language, with the ships' names for their ids."""
    if "label" in why.values:  # of the roll that must come first
        return _("Dice must be rolled first.")
    said = gettext(why.form)
    if why.values:
        said %= Values(lambda name: gap_text(battle, name, why.values[name]))
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")


def gap_text(battle: Battle, gap: str, value: Any) -> Any:
    """What fills a gap of a refusal: a number as it is, names for ids, words for the engine's own."""
    words = {
        "status": status_word,
        "weapon": weapon_word,
        "crew": quality_word,
        "crew2": quality_word,
        "step": step_word,
    }
    if isinstance(value, int):
        return value
    word = words.get(gap) or (lambda each: name_of(battle, each))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return (Either if gap == EITHER else Several)(word(str(each)) for each in value)
    return word(str(value))


def name_of(battle: Battle, id: str) -> str:
    """The name of a ship or a side; anything else as it is."""
    bare = id.strip("'")
    if bare in battle.ships:
        return ship_name(battle, bare)
    return full_name(side_name(battle, bare)) if bare in battle.sides else bare


def weapon_word(weapon: str) -> str:
    """One of a weapon."""
    known = {"archer": _("archer"), "catapult": _("catapult"), "stone thrower": _("stone thrower")}
    return known.get(weapon, weapon)


def quality_word(crew: str) -> str:
    """A crew's quality."""
    return {"elite": _("elite"), "average": _("average"), "poor": _("poor")}.get(crew, crew)


def undo_word(why: Reason) -> str:
    """Why undo is barred, in the reader's language, without the codes of seats and rolls that a program is told."""
    if "seat" in why.values:
        return _("The last action was not yours: only the umpire, or all sides together, can take it back.")
    if "label" in why.values:
        return _("Dice must be rolled first.")
    return gettext(why.form, **why.values)
