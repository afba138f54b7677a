"""Hamilcar's questions besides the land war: at sea, in winter, over the budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.presenting.picture import Asked
from webapp.presenting.sentences import tell
from webapp.systems import land_questions
from webapp.systems.land_questions import Posed, Question


def fleet(it: Question) -> str:
    """11.6 The fleet at sea: whose, who is aboard, from where, for where, with how many warships."""
    voyage = it.view.get("voyage")
    if not voyage or not it.march:
        return ""
    ships = ngettext("%(num)d warship", "%(num)d warships", len(voyage.get("ships") or ()))
    return tell(
        _("%(side)s at sea: %(army)s, %(ships)s, from %(start)s to %(place)s."),
        side=it.side(it.march["side"]),
        army=it.army,
        ships=ships,
        start=it.name(voyage["start"]),
        place=it.name(voyage["to"]),
    )


def sea_round(it: Question) -> str:
    naval = it.view.get("naval") or {}
    return tell(_("The battle at sea, round %(round)s."), round=naval.get("round", 1)) if naval else ""


def breaking_off(it: Question) -> str:
    return tell(_("%(side)s breaks off the battle at sea."), side=it.side(it.asked.about.get("side")))


def at_space(it: Question) -> str:
    return it.name(it.asked.about.get("space") or "")


OWN: Mapping[str, Posed] = {
    "sea_intercept": fleet,
    "storm": fleet,
    "lookouts": fleet,
    "catcher": fleet,
    "turn_back": fleet,
    "after_sea": fleet,
    "manoeuvre": sea_round,
    "engage": sea_round,
    "regroup": sea_round,
    "hit": sea_round,
    "shallows": sea_round,
    "fair_wind": sea_round,
    "prize_roll": sea_round,
    "sea_pursuit": breaking_off,
    "hold_out": lambda it: tell(
        _("%(place)s, besieged: a unit and a supply train inside may be given up in order to remove a siege point."),
        place=at_space(it),
    ),
    "freeze": lambda it: tell(_("The army at %(place)s must survive the winter."), place=at_space(it)),
    "reform": lambda it: tell(
        _("%(general)s, consul and admiral."), general=it.name(it.asked.about.get("general") or "")
    ),
    "points": lambda it: ngettext(
        "%(num)d point left.",
        "%(num)d points left.",
        it.left,
    ),
    "budget": lambda it: ngettext(
        "%(num)d point left.",
        "%(num)d points left.",
        it.left,
    ),
    "burn": lambda it: ngettext("%(num)d supply train may be burnt.", "%(num)d supply trains may be burnt.", it.left),
    "elect": lambda it: tell(_("Drawn already: %(generals)s."), generals=it.name(it.asked.about.get("elected") or ())),
}


def question_of(view: Any, asked: Asked | None) -> Asked | None:
    """A question of Hamilcar with what it is about."""
    return land_questions.question_of("hamilcar", OWN, view, asked)
