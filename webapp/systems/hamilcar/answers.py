"""What a side may say and is asked in Hamilcar, and its marches and goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask_babel import ngettext

from strategic.hamilcar.rules.land import siege_results
from strategic.hamilcar.rules.naval_battle import engage_hits, luck
from strategic.hamilcar.rules.reinforcements import price
from strategic.hamilcar.rules.sea import Lane, sail_offers, sea_preview
from strategic.hamilcar.rules.sea import modifier as to_catch
from strategic.hamilcar.rules.survey import XANTHIPPUS, council_counts
from strategic.hamilcar.state import State
from strategic.point_to_point.state import as_side
from strategic.point_to_point.survey import rating
from tactical.kernel.protocol import Illegal, Offer
from webapp.http.language import gettext as _
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import Goals, at_most, by_face
from webapp.presenting.sentences import tell
from webapp.presenting.spoken import Case, Gap, Speaker
from webapp.systems import land_answers, land_march
from webapp.systems.land_answers import bounds, by_die, troops, with_force
from webapp.systems.land_march import Command, Fields, Naming, Price, Stage, Voyages, march, no_wear, trains

# -- 11.6, 11.7 The rolls at sea before they are thrown. Only what is open on the table is used.


def catching(state: State | None, general: str) -> str:
    """11.6.2 The die of a general who tries to catch the fleet."""
    if state is None or not state.agenda or general not in state.generals:
        return ""
    return at_most(rating(state, general), to_catch(state, as_side(state.agenda[-1].seat)))


def hits(state: State | None, target: str) -> str:
    """11.7.engage How many hits each face of the die makes in this round."""
    if state is None or state.naval is None or not state.agenda:
        return ""
    made = engage_hits(state, as_side(state.agenda[-1].seat), target)
    return _(
        "hits for each roll – %(hits)s",
        hits="; ".join(_("%(faces)s: %(points)s", faces=faces, points=count) for faces, count in by_face(made)),
    )


def lucky(state: State | None) -> str:
    """6.5.3.a The die by which a fleet regroups or flees."""
    if state is None or state.naval is None or not state.agenda:
        return ""
    return at_most(luck(state.naval.fleets[as_side(state.agenda[-1].seat)]))


# -- What fills the sentences of Hamilcar besides those of the land war: the sea, the Council, the budget.

SYSTEM = "hamilcar"


def cell_name(cell: Any) -> str:
    """19.5 A place in the Council of Carthage."""
    row, column = cell
    return _("row %(row)s, place %(column)s", row=row, column=column)


def fleet(case: Case) -> str:
    """11.6 The fleet at sea: whose, who is aboard, from where, for where, with how many warships."""
    voyage, moving = case.view.get("voyage"), land_answers.march_of(case)
    if case.kind == "sail":
        return land_answers.fleet(case)
    if not voyage or not moving:
        return ""
    return tell(
        _("%(side)s at sea: %(army)s, %(ships)s, from %(start)s to %(place)s."),
        side=case.side(moving["side"]),
        army=land_answers.army(moving, case.name),
        ships=ngettext("%(num)d warship", "%(num)d warships", len(voyage.get("ships") or ())),
        start=case.name(voyage["start"]),
        place=case.name(voyage["to"]),
    )


def sea_port(end: str) -> Gap:
    """A port of the voyage, the "start" or the goal."""
    return lambda case: case.name(voyage[end]) if (voyage := case.view.get("voyage")) else ""


def cell(case: Case) -> str:
    """19.5 A place in the Council, once it is chosen."""
    found = case.it.get("cell")
    single = isinstance(found, list | tuple) and len(found) == 2 and all(isinstance(each, int) for each in found)
    return cell_name(found) if single else ""


def cells(case: Case) -> str:
    """6.1.2 The places in the Council that pay, once they are chosen."""
    found = case.it.get("cells") or ()
    single = all(isinstance(each, list | tuple) and all(isinstance(n, int) for n in each) for each in found)
    return "; ".join(cell_name(each) for each in found) if single else ""


def attempt(case: Case, one: Mapping[str, Any]) -> str:
    """11.6.2 Who tries to catch the fleet, with what and with which die."""
    if not isinstance(one.get("general"), str):
        return ""
    return by_die(with_force(case.name(one["general"]), troops(one)), catching(case.state, str(one["general"])))


def attempts(case: Case) -> str:
    """11.6.2 All who try, with those named before; empty while that is still to be chosen."""
    found = case.it.get("tries")
    if not isinstance(found, list | tuple) or not all(isinstance(one, Mapping) for one in found):
        return ""
    before = (case.view.get("voyage") or {}).get("attempts", ())
    named = [{"general": one["general"], **one["force"]} for one in before]
    told = "; ".join(attempt(case, one) for one in (*named, *found))
    return told or _("no general (with naval supremacy they catch the fleet without a roll)")


def named_ships(case: Case) -> str:
    """L2.4 Ships by name, each with the damage to its hull."""
    names = case.it.get("ships")
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        return ""
    ships = [ship for fleet in (case.view.get("ships") or {}).values() for ship in fleet]
    damage = {ship["name"]: ship["damage"] for ship in ships}
    hurt = [(name, damage.get(name, 0)) for name in names]
    return ", ".join(_("%(ship)s (hull −%(damage)s)", ship=name, damage=lost) if lost else name for name, lost in hurt)


def putting(case: Case) -> str:
    """11.6.2 How many ships put to sea."""
    low, high = bounds(case.it.get("ships"))
    if low == high:
        return ngettext("%(num)d ship", "%(num)d ships", high)
    return _("%(low)s to %(high)s ships", low=low, high=high)


def siege_read(state: State, general: str) -> tuple[tuple[int, int], ...]:
    """20.2.3 Siege points and losses for each face, by the colour of the die."""
    march = state.marching()
    return siege_results(state, march.side, march.at)


SPEAKER = Speaker(
    SYSTEM,
    {
        **land_answers.GAPS,
        "attempt": lambda case: attempt(case, case.it),
        "attempts": attempts,
        "burnt": lambda case: troops({"trains": case.it.get("count")}) if bounds(case.it.get("count"))[1] else "",
        "cell": cell,
        "cells": cells,
        "fleet": fleet,
        "hits": lambda case: hits(case.state, str(case.it.get("target"))),
        "luck": lambda case: lucky(case.state),
        "named_ships": named_ships,
        "putting": putting,
        "role": lambda case: (case.prompt.get("about") or {}).get("role"),
        "sea_goal": sea_port("to"),
        "sea_round": lambda case: naval.get("round", 1) if (naval := case.view.get("naval")) else 0,
        "sea_start": sea_port("start"),
        "siege": land_answers.besieging(siege_read),
    },
)


# -- 6.1.2, 8.2.d, 22.2.a The goals of Hamilcar besides the land war: captains that are hired, supply trains.


def train(state: State, command: Command) -> str:
    """A supply train outside or inside the walls."""
    return _("Supply train within the walls") if command["inside"] else _("Supply train")


def follow_spending(state: State, command: Command) -> tuple[str, ...]:
    """22.2.a Who stands where the train is given up."""
    return land_march.standing(SYSTEM, state, state.agenda[-1].seat, command["space"])


def council_price(state: State, command: Command) -> Price:
    """6.1.2 The markers of the Council that a captain costs."""
    cost = price(state)
    return Price(str(cost), ngettext("%(num)d marker of the Council", "%(num)d markers of the Council", cost))


def council_words(state: State, cells: Sequence[Any]) -> str:
    """19.5 What these markers of the Council give."""
    units, generals, war = council_counts(state, [(row, column) for row, column in cells])
    told = [
        ngettext("%(num)d unit", "%(num)d units", units) if units else "",
        ngettext("%(num)d general", "%(num)d generals", generals) if generals else "",
        _("a victory point") if war else "",
    ]
    return ", ".join(part for part in told if part) or _("nothing")


def paying(state: State, fields: Fields) -> list[tuple[Any, str]]:
    """6.1.2, 19.5 With which markers a captain is paid: for each of what the Council may give afterwards one set of
    them, that which leaves most first.
    """

    def rest(cells: Sequence[Any]) -> list[tuple[int, int]]:
        return [cell for cell in state.council if list(cell) not in [list(each) for each in cells]]

    found: dict[tuple[int, int, bool], Any] = {}
    for cells in fields["cells"]:
        found.setdefault(council_counts(state, rest(cells)), cells)
    best = sorted(found, key=lambda counts: (counts[2], counts[1] + counts[0], counts[1]), reverse=True)
    return [(found[counts], _("leaves %(what)s", what=council_words(state, rest(found[counts])))) for counts in best]


def follow_hiring(state: State, command: Command) -> tuple[str, ...]:
    """6.1.2, 6.1.3.a What a captain brings, what he is paid with, and whom he finds."""
    brings = _("He brings an elephant unit.") if command["general"] == XANTHIPPUS else _("He brings a unit.")
    now = _("The Council now gives: %(what)s.", what=council_words(state, state.council))
    return (
        brings,
        now,
        _("Hiring him counts as playing a card."),
        *land_march.standing(SYSTEM, state, "carthage", command["at"]),
    )


HIRING = {
    "hire": Naming(
        "at",
        ("general",),
        lambda state, command: say_value(SYSTEM, command["general"]),
        price=council_price,
        follows=follow_hiring,
        among="cells",
        options=paying,
    )
}
NAMINGS: Mapping[str, Naming] = {
    "supply": Naming("at", ("inside",), train, follows=partial(land_march.follow_placing, SYSTEM)),
    "spend_train": Naming("space", ("inside",), train, follows=follow_spending),
}


def answer_goals(
    state: State, seat: str, offers: Sequence[Offer], picked: str | None, where: str | None
) -> Goals | None:
    """The goals of what a side is asked; beside a card that is to be played, those of a captain who may be hired."""
    asked = land_march.answer_goals(SYSTEM, NAMINGS, state, seat, offers, picked, where)
    return asked or land_march.answer_goals(SYSTEM, HIRING, state, seat, offers, picked, where, True)


# -- The march of Hamilcar by its goal: the land war's, with voyages lane by lane (11.1).


def voyages(state: State, seat: str) -> Voyages:
    """11.1 The ports that the largest party may sail to with all ready ships, lane by lane."""
    try:
        routes = {route.to: route for route in sea_preview(state) if route.open}
    except Illegal:
        routes = {}
    best: dict[str, dict[str, Any]] = {}  # by the first port of the way
    for offer in sail_offers(state):
        port = offer.fields["to"][0] if isinstance(offer.fields["to"], list) else offer.fields["to"]
        if offer.fields["inside"] in (False, [False]) and (port not in best or size(offer.fields) > size(best[port])):
            best[port] = offer.fields
    routes = {to: route for to, route in routes.items() if route.lanes[0].to in best}

    def stages(goal: str) -> tuple[Stage, ...]:
        route = routes[goal]
        order = largest(best[route.lanes[0].to])
        return tuple(
            Stage(lane.to, number, dangers(lane), {**order, "to": lane.to})
            for number, lane in enumerate(route.lanes, 1)
        )

    return Voyages(
        {to: len(route.lanes) for to, route in routes.items()},
        stages,
        lambda goal: best[routes[goal].lanes[0].to],
    )


def largest(fields: dict[str, Any]) -> dict[str, Any]:
    """The command of the whole party of an offer."""
    companions = fields["companions"]
    order = {"type": "sail", "inside": False, "ships": most(fields["ships"]), "units": most(fields["units"])}
    return {
        **order,
        "elephants": most(fields["elephants"]),
        "trains": trains(fields) if isinstance(fields.get("trains"), list) else most(fields.get("trains", 0)),
        "companions": companions[0] if companions and isinstance(companions[0], list) else companions,
    }


def most(value: Any) -> int:
    """The most that a field may be."""
    return int(value["to"] if isinstance(value, dict) else max(value) if isinstance(value, list) else value)


def size(fields: dict[str, Any]) -> tuple[int, int, int]:
    """How large a party of an offer is."""
    order = largest(fields)
    return len(order["companions"]), order["units"] + order["elephants"], order["ships"]


def dangers(lane: Lane) -> tuple[str, ...]:
    """11.6, 21.1 Who may catch the fleet on a lane, and whether a storm may strike."""
    found = [
        _(
            "%(general)s may intercept from %(place)s: %(good)s in 6",
            general=say_value("hamilcar", one.general),
            place=say_value("hamilcar", one.space),
            good=one.good,
        )
        for one in lane.interceptors
        if one.good
    ]
    if lane.automatic:
        found.append(_("The enemy intercepts the fleet even if his roll fails."))
    if lane.stormy:
        found.append(_("A stormy lane."))
    return tuple(found)


walk = partial(march, "hamilcar", no_wear, voyages)
