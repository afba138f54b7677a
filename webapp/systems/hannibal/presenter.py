"""Hannibal's view as a picture, its previews, answers and march; its events in words."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from flask_babel import ngettext

from strategic.hannibal.rules import preview as engine
from strategic.hannibal.rules.attrition import pass_losses
from strategic.hannibal.rules.sea import sail_offers
from strategic.hannibal.rules.siege_roll import siege_results
from strategic.hannibal.rules.survey import score, side_of
from strategic.hannibal.state import State
from strategic.hannibal.tables import CARDS, CHART, HOUSE, PROVINCES, TABLES, Leader, ground, sheet
from strategic.point_to_point.meeting import watchers_at
from strategic.point_to_point.state import SIDES
from strategic.point_to_point.survey import commander, companions_of, count_spaces, generals_at
from tactical.kernel.protocol import BOTH, kinds
from webapp.http.language import gettext as _
from webapp.http.language import percent, with_sign
from webapp.presenting import presentation
from webapp.presenting.campaign_labels import phase_word, seat_word
from webapp.presenting.labels import place_name
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import (
    Asked,
    Card,
    Course,
    Fact,
    Picture,
    Preview,
    Strip,
    View,
    picture_of,
    question,
)
from webapp.presenting.refusals import refusal_text
from webapp.presenting.spoken import Speaker
from webapp.systems import land_answers, land_war
from webapp.systems.land_march import Stage, Voyages, march

# -- What a side may say in Hannibal besides the land war: its siege table.


def siege_read(state: State, general: str) -> tuple[tuple[int, int], ...]:
    """tables.siege Siege points and losses for each face, where the march stands."""
    return siege_results(state, general, state.marching().at)


SPEAKER = Speaker("hannibal", {**land_answers.GAPS, "siege": land_answers.besieging(siege_read)})


# -- Hannibal's previews: the engine's own answers, put into lines. Nothing in them is hidden from either side.

MOST = 14  # reasons why not that are listed; the map shows the rest


def previews(state: State, seat: str, where: str | None) -> tuple[Preview, ...]:
    """For the war: who would be isolated, and the count. For a space: reach, voyages, interceptors."""
    found: list[Preview] = []
    if where is not None:
        for side in SIDES:
            general = commander(state, generals_at(state, side, where))
            if general is not None:
                found += [_reach(state, general), *_voyages(state, general, where)]
        if state.march is not None:
            found += _interceptors(state, where)
    return (*found, _isolation(state), _political_count(state))


def _leaders(general: str) -> str:
    return say_value("hannibal", general)


def _name(space: str) -> str:
    return place_name(CHART.spaces[space].name)


def _reach(state: State, general: str) -> Preview:
    """Where he could go, and for the spaces next to those why not."""
    reached = engine.army_reach(state, general)
    near = sorted(reached.cost, key=lambda space: (reached.cost[space], space))
    lines = []
    for cost in sorted(set(reached.cost.values()) - {0}):
        places = ", ".join(_name(space) for space in near if reached.cost[space] == cost)
        lines.append(ngettext("%(num)d point: %(places)s", "%(num)d points: %(places)s", cost, places=places))
    closed = list(reached.why_not.items())[:MOST]
    barred = [f"{_name(space)}: {refusal_text('hannibal', reason)}" for space, reason in closed]
    if barred:
        lines.append(_("He cannot go to these spaces – %(reasons)s", reasons="; ".join(barred)))
    title = _("Reach of %(general)s", general=_leaders(general))
    return Preview(title, "movement.land.1", tuple(lines), tuple(near))


def _voyages(state: State, general: str, where: str) -> list[Preview]:
    """The naval roll for each port: only Carthage meets it."""
    if side_of(general) != "carthage" or not ground(where).port:
        return []
    size, march = engine.army(state, general).size, state.march
    with_him = march.companions if march is not None and march.general == general else companions_of(state, general)
    lines = []
    for port in CHART.ports():
        if port != where:
            odds = engine.naval_odds(state, where, port, size, (general, *with_him))
            lines.append(
                _(
                    "%(port)s: lands %(lands)s, returns %(returns)s, sinks %(sunk)s",
                    port=_name(port),
                    lands=share(odds.passes),
                    returns=share(odds.returns),
                    sunk=share(odds.sunk),
                )
            )
    return [Preview(_("The naval roll of %(general)s", general=_leaders(general)), "tables.naval", tuple(lines))]


def _interceptors(state: State, where: str) -> list[Preview]:
    """Who could try to intercept the marching army here."""
    watchers = watchers_at(state, where)
    lines = tuple(
        _(
            "%(general)s from %(place)s: %(chance)s",
            general=_leaders(watcher.general),
            place=_name(watcher.space),
            chance=share(watcher.success),
        )
        for watcher in watchers
    )
    return [Preview(_("Who may intercept here"), "interception.general.1", lines or (_("Nobody."),))]


def _isolation(state: State) -> Preview:
    gone = engine.isolated_now(state)
    lines = tuple(
        _("%(side)s: %(places)s", side=seat_word(side), places=", ".join(map(_name, gone[side])) or _("none"))
        for side in SIDES
    )
    return Preview(_("Who would be isolated now"), "isolation.2", lines)


def _political_count(state: State) -> Preview:
    counted = engine.count(state)
    total = _("Rome %(rome)s, Carthage %(carthage)s", rome=counted.rome, carthage=counted.carthage)
    lines = [
        _(
            "%(province)s: Rome %(rome)s, Carthage %(carthage)s of %(needed)s",
            province=place_name(one.name),
            rome=one.rome,
            carthage=one.carthage,
            needed=one.needed,
        )
        + ("" if one.scores else " " + _("(does not count)"))
        for one in counted.provinces
    ]
    return Preview(_("The count of provinces"), "victory.2", (total, *lines))


def share(chance: Fraction) -> str:
    """A chance in sixths as a fraction with its percentage."""
    return f"{chance.numerator}/{chance.denominator} ({percent(round(100 * float(chance)))})"


# -- The march of Hannibal by its goal: the land war's, with passes and voyages.


def voyages(state: State, seat: str) -> Voyages:
    """movement.sea.3 The ports that the largest party may sail to, with the naval roll that waits for it."""
    offers = [offer for offer in sail_offers(state) if not offer.fields["inside"]]
    best: dict[str, dict[str, Any]] = {}
    for offer in offers:
        for port in offer.fields["to"]:
            if port not in best or size(offer.fields) > size(best[port]):
                best[port] = offer.fields
    cost = state.tables.movement.sea

    def stages(goal: str) -> tuple[Stage, ...]:
        fields = best[goal]
        units, party = fields["units"]["to"], fields["companions"][0]
        order = {"type": "sail", "to": goal, "inside": False, "units": units, "elephants": fields["elephants"]}
        odds = naval_odds(state, goal, units + fields["elephants"], party)
        told = naval_roll(odds) if odds else ()
        return (Stage(goal, cost, told, {**order, "companions": party}, odds is not None and odds.sunk == 1),)

    return Voyages(dict.fromkeys(best, cost), stages, best.__getitem__)


def size(fields: dict[str, Any]) -> tuple[int, int]:
    """How large a party of an offer is."""
    return len(fields["companions"][0]), fields["units"]["to"] + fields["elephants"]


def naval_odds(state: State, goal: str, units: int, party: list[str]) -> engine.NavalOdds | None:
    """tables.naval What comes of a voyage of Carthage, at what chance; None for Rome, which nobody meets."""
    going = state.marching()
    if going.side != "carthage":
        return None
    return engine.naval_odds(state, going.at, goal, units, (going.general, *party))


def naval_roll(odds: engine.NavalOdds) -> tuple[str, ...]:
    """tables.naval The roll that meets a voyage of Carthage."""
    return (
        _(
            "The naval roll: lands %(lands)s, returns %(returns)s, sinks %(sunk)s",
            lands=share(odds.passes),
            returns=share(odds.returns),
            sunk=share(odds.sunk),
        ),
    )


walk = partial(march, "hannibal", pass_losses, voyages)


# -- Hannibal's events as sentences in the reader's language: data/events/hannibal.toml and the land war's.

KINDS = kinds("point_to_point", "hannibal")
SENTENCES = land_war.sentences_of("hannibal", KINDS, {})


# -- Hannibal's view as a picture: markers, armies with their generals, sieges, provinces; hand, strip and facts.

PHASES = ("reinforcements", "deal", "strategy", "winter", "isolation", "victory")


def read(view: View) -> Picture:
    """Who holds what and who stands where."""
    return land_war.picture("hannibal", view, PROVINCES, leaders(view), _courses(view))


def leaders(view: View) -> dict[str, Leader]:
    """The generals with the ratings in use."""
    return sheet(HOUSE.in_view(view)).leaders


def _courses(view: View) -> tuple[Course, ...]:
    """The army on the march; aboard ship, where it sails."""
    march = view.get("march") or {}
    crossing = march.get("crossing")
    if crossing:
        return (presentation.voyage(march["side"], march["path"][-1], crossing["to"]),)
    return presentation.march(view) or presentation.course_of_other(view)


def hand(view: View, seat: str) -> tuple[Card, ...]:
    """The own strategy cards; a hand that lies on the table (0) is not drawn."""
    held = view.get("hands", {}).get(seat)
    return tuple(_card(CARDS[number]) for number in held if number) if isinstance(held, list) else ()


def _card(card: Any) -> Card:
    ship = " ⚓" if card.ship else ""
    side = "" if card.side == "both" else card.side
    picture = picture_of(card.event, battle=card.battle, ship=card.ship and not card.campaign)
    return Card(card.number, card.title, f"{card.ops}{ship}", card.effect, side, picture)


def prompt(view: View) -> Asked | None:
    """The question that waits: while two fleets have met how that is settled, else the newest on the agenda."""
    return Asked("engagement", BOTH, "L1.1", {}) if view.get("engagement") else question(view)


def strip(view: View) -> Strip:
    """The turn with its years, and the phases of the turn track."""
    turn, now = view["turn"], "deal" if view["phase"] == "first" else view["phase"]
    years = TABLES.turns.years[turn - 1] if 0 < turn <= len(TABLES.turns.years) else ""
    phases = tuple((phase, phase_word("hannibal", phase), phase == now) for phase in PHASES)
    said, last = f"{turn} ({years})" if years else str(turn), TABLES.turns.last
    counted, tally = _("Provinces that count:"), tuple(provinces_that_count(view).items())
    return Strip(said, phases, view.get("active") or "", "", turn, last, years, counted, tally)


def provinces_that_count(view: View) -> dict[str, int]:
    """victory.2 How many provinces that count each side controls."""
    owners = list(land_war.areas(view, PROVINCES).items())
    return {side: score(province for province, owner in owners if owner == side) for side in SIDES}


def facts(view: View) -> tuple[Fact, ...]:
    """The count of provinces, cards, the card being played, and what cards leave behind."""
    found = [
        Fact(seat_word(side), _("%(points)s provinces that count", points=points), "victory.2")
        for side, points in provinces_that_count(view).items()
    ]
    found.append(Fact(_("Cards left in the deck"), str(_count(view.get("deck"))), "deal.2"))
    for side in SIDES:
        found.append(Fact(_("Hand of %(side)s", side=seat_word(side)), str(_count(view["hands"].get(side))), "deal.1"))
    return (*_play(view), *found, *_lasting(view))


def _count(cards: Any) -> int:
    return len(cards) if isinstance(cards, list | tuple) else int(cards or 0)


def _play(view: View) -> list[Fact]:
    """The card being played and the army that moves."""
    found = []
    if view.get("play"):
        number = view["play"]["card"]
        title = say_value("hannibal", number, "card") if number in CARDS else _("a card")
        found.append(Fact(_("Being played"), f"{seat_word(view['play']['side'])}: {title}"))
    if view.get("march"):
        march = view["march"]
        name, where = say_value("hannibal", march["general"]), say_value("hannibal", march["path"][-1])
        points = ngettext("%(num)d point left", "%(num)d points left", march["points"])
        text = _("%(general)s at %(place)s, %(points)s", general=name, place=where, points=points)
        found.append(Fact(_("On the march"), text, "movement.land.1"))
    return found


def _lasting(view: View) -> list[Fact]:
    lasting = view.get("lasting", {})
    counsels = {
        "naval_victory": _("Naval victory of Rome"),
        "truce": _("Truce"),
        "hanno_counsels": _("Hanno counsels Carthage"),
        "cato_counsels": _("Cato counsels Rome"),
    }
    found = [Fact(text, _("in force"), "strategy.event.1") for name, text in counsels.items() if lasting.get(name)]
    if lasting.get("macedon") == "allied":
        found.append(Fact(_("Macedon"), _("allied with Carthage"), "strategy.event.1"))
    if lasting.get("siege_train"):
        found.append(Fact(_("Siege train"), say_value("hannibal", lasting["siege_train"]), "strategy.event.1"))
    return found


def space(view: View, where: str) -> tuple[Fact, ...]:
    """Walls, room, siege, the tribe, and what the province needs."""
    place, about = view["spaces"][where], CHART.spaces[where].about
    found = []
    if about.get("walls") is not None:
        found.append(Fact(_("Walls"), _("room for %(count)s units", count=about["walls"]), "cities.2"))
    if place.get("siege"):
        found.append(Fact(_("Siege points"), str(place["siege"]), "siege.1"))
    if about.get("port_modifier"):
        found.append(Fact(_("Port modifier"), with_sign(about["port_modifier"]), "tables.naval.ports"))
    province = PROVINCES.get(about["province"])
    if province:
        holder = land_war.holders(view).get
        counts = ", ".join(f"{seat_word(side)} {count_spaces(province, side, holder)}" for side in SIDES)
        text = _("%(counts)s; %(needed)s needed", counts=counts, needed=province.needed)
        found.append(Fact(place_name(province.name), text))
    return tuple(found)
