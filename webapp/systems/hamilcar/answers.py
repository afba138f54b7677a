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
from webapp.presenting.presentation import Asked, Goals, View, at_most, by_face
from webapp.presenting.sentences import full_name, tell
from webapp.systems import land_answers, land_march, land_questions
from webapp.systems.land_answers import Case, Saying, bounds, by_die, command_words, name_words, troops, with_force
from webapp.systems.land_march import Command, Fields, Naming, Price, Stage, Voyages, march, no_wear, span, trains
from webapp.systems.land_questions import Posed, Question

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


# -- Hamilcar's questions besides the land war: at sea, in winter, over the budget.


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


OWN_QUESTIONS: Mapping[str, Posed] = {
    "sea_intercept": fleet,
    "storm": fleet,
    "lookouts": fleet,
    "catcher": fleet,
    "turn_back": fleet,
    "after_sea": fleet,
    "ships_sail": fleet,
    "ships_catch": fleet,
    "ships_wrecked": fleet,
    "ships_struck": sea_round,
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
    return land_questions.question_of("hamilcar", OWN_QUESTIONS, view, asked)


# -- What a side may say in Hamilcar besides the land war: the sea, the ships, the Council, the budget.

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
    return by_die(who, catching(case.state, str(one["general"])))


def part(case: Case) -> str:
    return attempt(case, case.it) if isinstance(case.it.get("general"), str) else ""


def chosen_ships(case: Case) -> str:
    names = case.it.get("ships")
    told = isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
    return ", ".join(ship_words(case, str(name)) for name in names or ()) if told else ""


def ship_words(case: Case, name: str) -> str:
    """A ship with the damage to its hull."""
    fleets = (case.view.get("ships") or {}).values()
    damage = next((ship["damage"] for fleet in fleets for ship in fleet if ship["name"] == name), 0)
    return _("%(ship)s (hull −%(damage)s)", ship=name, damage=damage) if damage else name


def intercept(case: Case) -> str:
    tries, (low, high) = case.it.get("tries"), bounds(case.it.get("ships"))
    ships = (
        ngettext("%(num)d ship", "%(num)d ships", high)
        if low == high
        else _("%(low)s to %(high)s ships", low=low, high=high)
    )
    if isinstance(tries, list | tuple) and all(isinstance(one, Mapping) for one in tries):
        before = (case.view.get("voyage") or {}).get("attempts", ())
        named = [{"general": one["general"], **one["force"]} for one in before]
        who = "; ".join(attempt(case, one) for one in (*named, *tries)) or _(
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
    return by_die(words, hits(case.state, str(target))) if case.it.get("type") == "engage" else words


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


OWN_ANSWERS: Mapping[str, Saying] = {
    "besiege": land_answers.besieging(siege_read),
    "council": council,
    "remove_council": council,
    "hire": hire,
    "supply": supply,
    "spend_train": supply,
    "sea_intercept": intercept,
    "sea_try": part,
    "choose_ships": chosen_ships,
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
    "regroup": lambda case: by_die(_("Roll for a tactics card"), lucky(case.state)),
    "flee": lambda case: by_die(_("Roll to leave the battle"), lucky(case.state)),
    "evade": lambda case: _("Leave the battle without a roll; naval supremacy goes to the enemy"),
    "cancel_retreat": lambda case: _("Play Pursuit: they must stay"),
    "hold_out": lambda case: _("Give up a unit and a supply train to remove one siege point"),
    "build_ship": lambda case: _("A new ship"),
    "recruit": lambda case: _("A unit in its own capital"),
}


def answer(view: View, command: Mapping[str, Any], state: State | None = None) -> str:
    """A command of Hamilcar in words."""
    return land_answers.answer(SYSTEM, OWN_ANSWERS, view, command, state)


def recount(command: Mapping[str, Any]) -> str:
    """A command of Hamilcar that was given, in words; empty where these would need the position of that moment."""
    return answer({}, command)


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
        routes = {route.to: route for route in sea_preview(state).routes if route.open}
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
        lambda goal: span(best[routes[goal].lanes[0].to]["units"]),
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
