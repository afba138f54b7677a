"""Why the galley engine, the server or an undo refuses, in the reader's language, with names for ids."""

from __future__ import annotations

from tactical.battle import Battle
from webapp.http.language import gettext as _
from webapp.pages.battle import refusal_text
from webapp.pages.battle.labels import ship_name, side_name, status_word, step_word


def refusal(battle: Battle, reason: str) -> str:
    """An engine's reason in the reader's language, with the ships' names for their ids (the engine knows only ids)."""
    if reason.startswith("Dice are awaited first"):
        return _("Dice are awaited first.")
    known = refusal_text.understood(reason)
    if known is not None:
        form, parts = known
        said = refusal_text.translated(form, {key: named(battle, key, value) for key, value in parts.items()})
    else:
        said = " ".join(named_word(battle, word) for word in reason.split(" "))
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")


def named(battle: Battle, key: str, value: str) -> str:
    """What fills a gap of a refusal: names for ids, words for the engine's own."""
    if key in ("status", "weapon", "crew", "crew2", "step"):
        words = {
            "status": status_word, "weapon": weapon_word, "crew": quality_word, "crew2": quality_word,
            "step": step_word,
        }  # fmt: skip
        return words[key](value)
    return ", ".join(named_word(battle, part.strip("'")) for part in value.split(", "))


def named_word(battle: Battle, word: str) -> str:
    """A word of a refusal; an id of a ship or a side becomes its name."""
    bare = word.strip(".,;:()'")
    bare = bare[:-2] if bare.endswith("'s") else bare
    if bare in battle.ships:
        return word.replace(bare, ship_name(battle, bare))
    return word.replace(bare, side_name(battle, bare)) if bare in battle.sides else word


def weapon_word(weapon: str) -> str:
    """One of a weapon."""
    known = {"archer": _("archer"), "catapult": _("catapult"), "stone thrower": _("stone thrower")}
    return known.get(weapon, weapon)


def quality_word(crew: str) -> str:
    """A crew's quality."""
    return {"elite": _("elite"), "average": _("average"), "poor": _("poor")}.get(crew, crew)


def undo_word(reason: str) -> str:
    """Why undo is barred, in the reader's language; the house's sentences are known by their beginnings."""
    known = (
        ("There is nothing", _("There is nothing to take back.")),
        (
            "The last act was by",
            _("The last act was another's: only the umpire, or all sides together, can take it back."),
        ),
        ("Dice have fallen", _("Dice have fallen: only the umpire, or all sides together, can take this back.")),
        (
            "Something hidden",
            _("Something hidden was shown: only the umpire, or all sides together, can take this back."),
        ),
        ("Dice are awaited", _("Dice are awaited first.")),
        ("A spectator", _("A spectator looks on and takes nothing back.")),
    )
    return next((said for start, said in known if reason.startswith(start)), reason)
