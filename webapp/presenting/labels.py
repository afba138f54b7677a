"""The lobby's names of things in the reader's language."""

from __future__ import annotations

from flask_babel import lazy_gettext as _l

from webapp.http.language import gettext as _
from webapp.presenting.place_names import place_name
from webapp.presenting.words import words_of

BETWEEN = " · "


def translate(text: str) -> str:
    """A text of a data file, such as a scenario's title; whatever has no translation stays as it is.

    A battle of a campaign bears its place before the campaign's title: each is told.
    """
    if BETWEEN in text:
        return BETWEEN.join(place_name(_(part)) for part in text.split(BETWEEN) if part)
    return _(text) if text else ""


def system_word(name: str) -> str:
    """A rule system, or the book of campaign and battle, by its short name."""
    return translate(words_of(name).title)


def nation_word(name: str, title: str) -> str:
    """A nation of the fleet builder."""
    known = {
        "romans": _("Romans"),
        "carthaginians": _("Carthaginians"),
        "greeks": _("Greeks"),
        "macedonians": _("Macedonians"),
        "rhodians": _("Rhodians"),
        "athenians": _("Athenians"),
        "asiatics": _("Asiatics (Persians)"),
    }
    return known.get(name, title)


TYPES = {
    "bireme": _l("bireme"),
    "trireme": _l("trireme"),
    "quadrireme": _l("quadrireme"),
    "quinquereme": _l("quinquereme"),
    "hepteres": _l("hepteres"),
    "transport": _l("transport"),
}
CREWS = {"elite": _l("elite"), "average": _l("average"), "poor": _l("poor")}


def type_word(kind: str) -> str:
    """A ship type."""
    return str(TYPES.get(kind, kind))


def crew_word(crew: str) -> str:
    """The quality of the rowers."""
    return str(CREWS.get(crew, crew))


def rowers_word(crew: str) -> str:
    """The quality of the rowers where nothing beside it says that they are meant."""
    return {"elite": _("elite rowers"), "average": _("average rowers"), "poor": _("poor rowers")}.get(crew, crew)


def coast_word(coast: str) -> str:
    """Where the builder's land lies."""
    known = {
        "open": _("open sea"),
        "west": _("coast to the west"),
        "east": _("coast to the east"),
        "both": _("strait between two coasts"),
        "island": _("island in the middle"),
    }
    return known.get(coast, coast)


def seat_word(seat: str) -> str:
    """A seat that is no side."""
    return {"umpire": _("Umpire"), "spectator": _("Spectator")}.get(seat, seat)


def option_word(name: str, meaning: str) -> str:
    """What an option means, or its name where its system does not say."""
    return translate(meaning) or name.replace("_", " ")


def choice_word(choice: str, option: str = "") -> str:
    """A choice of an option; some are said differently for this option than for others."""
    known = {
        "withdraw": _("leaves the battle"),
        "wall": _("wall"),
        "above_cruise": _("all above cruise"),
        "maximum": _("only the maximum"),
        "free": _("any order"),
        "initiative": _("initiative by die"),
        "false": _("no"),
        "true": _("yes"),
        "all_round": _("all round"),
        "forward": _("forward of the beam"),
        "ship": _("one ship"),
        "squadron": _("squadron of five"),
        "always": _("always"),
        "held": _("only if you hold one"),
        "open": _("does not block it"),
        "blocked": _("blocks it"),
        "defender_attacks": _("the defender attacks"),
        "defender_chooses": _("the defender chooses"),
        "none": _("none"),
        "province": _("one for the province"),
        "dealt": _("dealt by the program"),
        "entered": _("entered by the players"),
        "deck": _("dealt by the program"),
        "ask": _("may fight in this program"),
        "table": _("in this program"),
        "naval_battles.table": _("never in this program"),
        "by_hand.at_once": _("it counts at once"),
        "by_hand.one": _("one other player must agree"),
        "by_hand.all": _("all other players must agree"),
        "by_hand.umpire": _("the umpire must agree"),
        "sea_battles.table": _("On the table."),
        "sea_battles.dice": _("By dice."),
        "sea_battles.both": _("Both must choose."),
        "sea_battles.umpire": _("The umpire."),
    }
    return known.get(f"{option}.{choice}") or known.get(choice) or choice.replace("_", " ")


def decided_word(choice: str) -> str:
    """L1.2 What it means where battles at sea are decided."""
    known = {
        "table": _("Fleets that meet fight with galleys; both sides together may still leave it to the dice."),
        "dice": _("The campaign's own rules settle each meeting at once; no galley is moved."),
        "both": _(
            "At each meeting both sides must choose the same: a battle in this "
            "program, the dice, or a report from elsewhere."
        ),
        "umpire": _("At each meeting the umpire says how it is settled."),
    }
    return known.get(choice, "")


def words() -> dict[str, object]:
    """All of them, for templates."""
    return {
        each.__name__: each
        for each in (
            translate,
            system_word,
            nation_word,
            type_word,
            crew_word,
            rowers_word,
            coast_word,
            seat_word,
            option_word,
            choice_word,
            decided_word,
        )
    }
