"""Hannibal's view as a picture: markers, armies with their generals, sieges, provinces; hand, strip and facts."""

from __future__ import annotations

from typing import Any

from flask_babel import ngettext

from strategic.hannibal.rules.house_rules import HOUSE, sheet
from strategic.hannibal.rules.survey import score
from strategic.hannibal.tables import CARDS, CHART, PROVINCES, TABLES, Leader
from strategic.point_to_point.survey import count_spaces
from strategic.point_to_point.tables import SIDES
from tactical.kernel.protocol import BOTH
from webapp.http.language import gettext as _
from webapp.http.signs import with_sign
from webapp.presenting.campaign_labels import phase_word, seat_word
from webapp.presenting.labels import translate
from webapp.presenting.naming import say_value
from webapp.presenting.picture import Asked, Card, Course, Fact, Picture, Strip, View
from webapp.presenting.place_names import place_name
from webapp.presenting.presentation import question
from webapp.systems import land_picture, under_way
from webapp.systems.card_pictures import picture_of

PHASES = ("reinforcements", "deal", "strategy", "winter", "isolation", "victory")


def read(view: View) -> Picture:
    """Who holds what and who stands where."""
    return land_picture.picture("hannibal", view, PROVINCES, leaders(view), _courses(view))


def leaders(view: View) -> dict[str, Leader]:
    """The generals with the ratings in use."""
    return sheet(HOUSE.in_view(view)).leaders


def _courses(view: View) -> tuple[Course, ...]:
    """The army on the march; aboard ship, where it sails."""
    march = view.get("march") or {}
    crossing = march.get("crossing")
    if crossing:
        return (under_way.voyage(march["side"], march["path"][-1], crossing["to"]),)
    return under_way.march(view) or under_way.course_of_other(view)


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
    return Strip(f"{turn} ({years})" if years else str(turn), phases, view.get("active") or "")


def facts(view: View) -> tuple[Fact, ...]:
    """The count of provinces, cards, the card being played, and what cards leave behind."""
    found = [Fact(seat_word(side), _count_of(view, side), "victory.2") for side in SIDES]
    found.append(Fact(_("Cards left in the deck"), str(_count(view.get("deck"))), "deal.2"))
    for side in SIDES:
        found.append(Fact(_("Hand of %(side)s", side=seat_word(side)), str(_count(view["hands"].get(side))), "deal.1"))
    return (*_play(view), *found, *_lasting(view))


def _count_of(view: View, side: str) -> str:
    own = (province for province, owner in land_picture.areas(view, PROVINCES).items() if owner == side)
    return _("%(points)s provinces that count", points=score(own))


def _count(cards: Any) -> int:
    return len(cards) if isinstance(cards, list | tuple) else int(cards or 0)


def _play(view: View) -> list[Fact]:
    """The card being played and the army that moves."""
    found = []
    if view.get("play"):
        card = CARDS.get(view["play"]["card"])
        title = f"{card.number} {translate(card.title)}" if card else _("a card")
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
        holder = land_picture.holders(view).get
        counts = ", ".join(f"{seat_word(side)} {count_spaces(province, side, holder)}" for side in SIDES)
        text = _("%(counts)s; %(needed)s needed", counts=counts, needed=province.needed)
        found.append(Fact(place_name(province.name), text))
    return tuple(found)
