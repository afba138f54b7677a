"""Hannibal's view as a picture: markers, armies with their generals, sieges, provinces; hand, strip and facts."""

from __future__ import annotations

from typing import Any

from strategic.hannibal.tables import CARDS, CHART, LEADERS, PROVINCES, TABLES
from webapp.http.language import gettext as _
from webapp.pages.campaign.labels import phase_word, seat_said
from webapp.pages.lobby.labels import translated
from webapp.systems.picture import Card, Fact, Leader, Picture, Siege, Stack, Strip, View

SIDES = ("rome", "carthage")
PHASES = ("reinforcements", "deal", "strategy", "winter", "isolation", "victory")


def read(view: View) -> Picture:
    """Who holds what and who stands where, field by field from the view."""
    places: dict[str, dict[str, Any]] = view.get("spaces", {})
    holders = {space: place["control"] for space, place in places.items() if place.get("control")}
    return Picture(
        holders=holders,
        areas=_areas(holders),
        stacks=tuple(_stacks(view, places)),
        sieges={
            space: Siege(space, place.get("besieger"), place["siege"])
            for space, place in places.items()
            if place.get("siege")
        },
    )


def _areas(holders: dict[str, str]) -> dict[str, str]:
    """The provinces with the side that has the needed majority, as the engine counts it."""
    found = {}
    for province in PROVINCES.values():
        for side in SIDES:
            if sum(holders.get(space) == side for space in province.spaces) >= province.needed:
                found[province.id] = side
    return found


def _stacks(view: View, places: dict[str, dict[str, Any]]) -> list[Stack]:
    people: dict[tuple[str, str, bool], list[Leader]] = {}
    for name, general in view.get("generals", {}).items():
        if general.get("status") == "board" and general.get("space"):
            leader = LEADERS[name]
            key = (general["space"], str(leader.side), bool(general.get("inside")))
            rating = f"{leader.strategy}-{leader.battle}"
            people.setdefault(key, []).append(Leader(name, translated(leader.name), rating))
    found = []
    for space, place in places.items():
        for side in SIDES:
            found += _stack(space, side, place.get(side, {}), people.get((space, side, False), []), False)
            inside = place.get("inside", {}) if place.get("control") == side else {}
            found += _stack(space, side, inside, people.get((space, side, True), []), True)
    return found


def _stack(space: str, side: str, troops: dict[str, int], leaders: list[Leader], inside: bool) -> list[Stack]:
    units, elephants = troops.get("units", 0), troops.get("elephants", 0)
    if not (units or elephants or leaders):
        return []
    extras = (("E", elephants),) if elephants else ()
    return [Stack(space, side, str(units), tuple(leaders), extras, inside)]


def hand(view: View, seat: str) -> tuple[Card, ...]:
    """The own strategy cards; a hand that lies on the table (0) is not drawn."""
    held = view.get("hands", {}).get(seat)
    return tuple(_card(CARDS[number]) for number in held if number) if isinstance(held, list) else ()


def _card(card: Any) -> Card:
    ship = " ⚓" if card.ship else ""
    return Card(card.number, card.title, f"{card.ops}{ship}", card.effect, "" if card.side == "both" else card.side)


def strip(view: View) -> Strip:
    """The turn with its years, and the phases of the turn track."""
    turn, now = view["turn"], "deal" if view["phase"] == "first" else view["phase"]
    years = TABLES.turns.years[turn - 1] if 0 < turn <= len(TABLES.turns.years) else ""
    phases = tuple((phase, phase_word(phase), phase == now) for phase in PHASES)
    return Strip(f"{turn} ({years})" if years else str(turn), phases, view.get("active") or "")


def facts(view: View) -> tuple[Fact, ...]:
    """The count of provinces, cards, the card being played, and what cards leave behind."""
    found = [Fact(seat_said(side), _counted(view, side), "victory.2") for side in SIDES]
    found.append(Fact(_("Cards left in the deck"), str(_count(view.get("deck"))), "deal.2"))
    for side in SIDES:
        found.append(Fact(_("Hand of %(side)s", side=seat_said(side)), str(_count(view["hands"].get(side))), "deal.1"))
    return (*_play(view), *found, *_lasting(view))


def _counted(view: View, side: str) -> str:
    held = _areas({space: place["control"] for space, place in view["spaces"].items() if place.get("control")})
    scored = sum(PROVINCES[province].scores for province, owner in held.items() if owner == side)
    return _("%(points)s provinces that count", points=scored)


def _count(cards: Any) -> int:
    return len(cards) if isinstance(cards, list | tuple) else int(cards or 0)


def _play(view: View) -> list[Fact]:
    """The card being played and the army that moves."""
    found = []
    if view.get("play"):
        card = CARDS.get(view["play"]["card"])
        title = f"{card.number} {translated(card.title)}" if card else _("a card")
        found.append(Fact(_("Being played"), f"{seat_said(view['play']['side'])}: {title}"))
    if view.get("march"):
        march = view["march"]
        name, where = translated(LEADERS[march["general"]].name), CHART.spaces[march["path"][-1]].name
        text = _("%(general)s at %(place)s, %(points)s points left", general=name, place=where, points=march["points"])
        found.append(Fact(_("On the march"), text, "movement.land.1"))
    return found


def _lasting(view: View) -> list[Fact]:
    lasting = view.get("lasting", {})
    said = {
        "naval_victory": _("Naval victory of Rome"),
        "truce": _("Truce"),
        "hanno_counsels": _("Hanno counsels Carthage"),
        "cato_counsels": _("Cato counsels Rome"),
    }
    found = [Fact(text, _("in force"), "strategy.event.1") for name, text in said.items() if lasting.get(name)]
    if lasting.get("macedon") == "allied":
        found.append(Fact(_("Macedon"), _("allied with Carthage"), "strategy.event.1"))
    if lasting.get("siege_train"):
        found.append(Fact(_("Siege train"), translated(LEADERS[lasting["siege_train"]].name), "strategy.event.1"))
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
        found.append(Fact(_("Port modifier"), f"{about['port_modifier']:+d}", "tables.naval.ports"))
    province = PROVINCES.get(about["province"])
    if province:
        holders = [view["spaces"][each].get("control") for each in province.spaces]
        counts = ", ".join(f"{seat_said(side)} {holders.count(side)}" for side in SIDES)
        found.append(Fact(province.name, _("%(counts)s; %(needed)s needed", counts=counts, needed=province.needed)))
    return tuple(found)
