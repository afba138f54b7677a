"""What a side may say in Hamilcar besides the land war: the sea, the ships, the Council, the budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import ngettext

from strategic.hamilcar.rules.sieges import siege_results
from strategic.hamilcar.state import State
from webapp.http.language import gettext as _
from webapp.presenting.names import full_name
from webapp.presenting.picture import View
from webapp.presenting.sentences import tell
from webapp.systems import land_answers
from webapp.systems.hamilcar import sea_roll
from webapp.systems.land_answers import Saying, by_die, command_words, name_words
from webapp.systems.land_party import Case, bounds, troops, with_force

SYSTEM = "hamilcar"


def cell_name(cell: Any) -> str:
    """19.5 A place in the Council of Carthage."""
    row, column = cell
    return _("row %(row)s, place %(column)s", row=row, column=column)


def council(case: Case) -> str:
    cell = case.it.get("cell")
    single = isinstance(cell, list | tuple) and len(cell) == 2 and all(isinstance(each, int) for each in cell)
    return _("In the Council: %(cell)s", cell=cell_name(cell)) if single else ""


def hire(case: Case) -> str:
    cells, general = case.it.get("cells") or (), case.it.get("general")
    if not isinstance(general, str) or not isinstance(case.it.get("at"), str):
        return ""
    single = all(isinstance(each, list | tuple) and all(isinstance(n, int) for n in each) for each in cells)
    price = "; ".join(cell_name(each) for each in cells) if single else ""
    words = tell(_("%(general)s at %(place)s"), general=case.name(general), place=full_name(case.place("at")))
    return _("%(deed)s, paid from the Council: %(cells)s", deed=words, cells=price) if price else words


def supply(case: Case) -> str:
    place = case.place("at") or case.place("space")
    if not place:
        return ""
    if case.it.get("inside"):
        return _("A supply train within the walls of %(place)s", place=place)
    return tell(_("Supply train at %(place)s"), place=full_name(place))


def attempt(case: Case, one: Mapping[str, Any]) -> str:
    who = with_force(case.name(one["general"]), troops(one))
    return by_die(who, sea_roll.catching(case.state, str(one["general"])))


def intercept(case: Case) -> str:
    tries, (low, high) = case.it.get("tries"), bounds(case.it.get("ships"))
    ships = (
        ngettext("%(num)d ship", "%(num)d ships", high)
        if low == high
        else _("%(low)s to %(high)s ships", low=low, high=high)
    )
    if isinstance(tries, list | tuple) and all(isinstance(one, Mapping) for one in tries):
        who = "; ".join(attempt(case, one) for one in tries) or _(
            "no general (with naval supremacy they catch the fleet without a roll)"
        )
        return _("%(ships)s put to sea under %(who)s", ships=ships, who=who)
    return ""


def tactic(case: Case) -> str:
    card, use = case.it.get("card"), case.it.get("use")
    if not isinstance(card, str):
        return ""
    if use == "supremacy":
        return _("%(card)s, for naval supremacy", card=case.name(card))
    return _("%(card)s, to take a card from the deck", card=case.name(card)) if use == "draw" else case.name(card)


def aim(case: Case) -> str:
    target = case.it.get("target")
    words = {"ships": _("at the warships"), "transports": _("at the transports")}.get(str(target), "")
    return by_die(words, sea_roll.hits(case.state, str(target))) if case.it.get("type") == "engage" else words


def after_sea(case: Case) -> str:
    voyage = case.view.get("voyage") or {}
    to, start = case.name(voyage.get("to") or ""), case.name(voyage.get("start") or "")
    if not voyage:
        return ""
    if case.it.get("choice") == "land":
        return tell(_("Land at %(place)s"), place=full_name(to))
    if case.prompt.get("about", {}).get("role") == "catcher":
        return _("Go back to where he came from")
    return tell(_("Go back to %(place)s"), place=full_name(start)) if case.it.get("choice") == "home" else ""


def reform(case: Case) -> str:
    words = {
        "seamanship": _("Raise Roman seamanship by a level"),
        "corvus": _("Fit the corvus, or take it off"),
        "ship": _("Build a ship"),
        "repair": _("Repair up to three ships"),
        "none": _("No reform"),
    }
    return words.get(str(case.it.get("kind")), "")


def burn(case: Case) -> str:
    _low, high = bounds(case.it.get("count"))
    return (
        _("Burn %(trains)s for a movement point each", trains=troops({"trains": case.it.get("count")})) if high else ""
    )


def turn_back(case: Case) -> str:
    start = case.name((case.view.get("voyage") or {}).get("start") or "")
    return tell(_("Go back to %(place)s and give up naval supremacy"), place=full_name(start)) if start else ""


def siege_read(state: State, general: str) -> tuple[tuple[int, int], ...]:
    """20.2.3 Siege points and losses for each face, by the colour of the die."""
    march = state.marching()
    return siege_results(state, march.side, march.at)


OWN: Mapping[str, Saying] = {
    "besiege": land_answers.besieging(siege_read),
    "council": council,
    "remove_council": council,
    "hire": hire,
    "supply": supply,
    "spend_train": supply,
    "sea_intercept": intercept,
    "tactic": tactic,
    "engage": aim,
    "target": aim,
    "after_sea": after_sea,
    "reform": reform,
    "burn_trains": burn,
    "turn_back": turn_back,
    "enter": command_words,
    "elect": name_words("general"),
    "repair": name_words("ship"),
    "pick_ship": name_words("ship"),
    "pick_tactic": name_words("card"),
    "catcher": name_words("general"),
    "fight_at_sea": lambda case: _("Accept the battle"),
    "regroup": lambda case: by_die(_("Roll for a tactics card"), sea_roll.lucky(case.state)),
    "flee": lambda case: by_die(_("Roll to leave the battle"), sea_roll.lucky(case.state)),
    "evade": lambda case: _("Leave the battle without a roll; naval supremacy goes to the enemy"),
    "cancel_retreat": lambda case: _("Play Pursuit: they must stay"),
    "hold_out": lambda case: _("Give up a unit and a supply train to remove one siege point"),
    "build_ship": lambda case: _("A new ship"),
    "recruit": lambda case: _("A unit in its own capital"),
}


def answer(view: View, command: Mapping[str, Any], state: State | None = None) -> str:
    """A command of Hamilcar in words."""
    return land_answers.answer(SYSTEM, OWN, view, command, state)


def recount(command: Mapping[str, Any]) -> str:
    """A command of Hamilcar that was given, in words; empty where these would need the position of that moment."""
    return answer({}, command)
