"""Hamilcar's view as a picture: armies with their trains, sieges, provinces, the fleets and who rules the sea."""

from __future__ import annotations

from typing import Any

import data
from strategic.hamilcar.rules.preview import sea_preview
from tactical.kernel.protocol import UMPIRE, Illegal
from webapp.http.language import gettext as _
from webapp.pages.campaign import naming
from webapp.pages.campaign.labels import phase_word, seat_said
from webapp.pages.lobby.labels import translated
from webapp.systems.picture import Card, Fact, Leader, Picture, Preview, Siege, Stack, Strip, View

SIDES = ("rome", "carthage")
LETTERS = (("elephants", "E"), ("trains", "T"))


def read(view: View) -> Picture:
    """Who holds what and who stands where, field by field from the view."""
    places: dict[str, dict[str, Any]] = view.get("spaces", {})
    holders = {space: place["control"] for space, place in places.items() if place.get("control")}
    return Picture(
        holders=holders,
        areas=areas(holders),
        stacks=tuple(_stacks(view, places)),
        sieges={
            space: Siege(space, place.get("besieger"), place["siege"])
            for space, place in places.items()
            if place.get("siege")
        },
    )


def areas(holders: dict[str, str]) -> dict[str, str]:
    """The provinces in which a side holds as many spaces as the map says are needed."""
    raw = data.raw_json("hamilcar/map.geojson")
    members: dict[str, list[str]] = {}
    for feature in raw["features"]:
        if feature["geometry"]["type"] == "Point" and feature["properties"].get("province"):
            members.setdefault(feature["properties"]["province"], []).append(feature["properties"]["id"])
    found = {}
    for province in raw["provinces"]:
        for side in SIDES:
            if sum(holders.get(space) == side for space in members.get(province["id"], ())) >= province["needed"]:
                found[province["id"]] = side
    return found


def _stacks(view: View, places: dict[str, dict[str, Any]]) -> list[Stack]:
    known = {record["id"]: record for record in naming.records("hamilcar", "leaders") if "id" in record}
    people: dict[tuple[str, str, bool], list[Leader]] = {}
    for name, general in view.get("generals", {}).items():
        if general.get("status") == "board" and general.get("space") and name in known:
            record = known[name]
            rating = f"{record.get('strategy', '')}-{record.get('battle', '')}".strip("-")
            key = (general["space"], str(record.get("side")), bool(general.get("inside")))
            people.setdefault(key, []).append(Leader(name, translated(str(record.get("name", name))), rating))
    found = []
    for space, place in places.items():
        for side in SIDES:
            found += _stack(space, side, place.get(side, {}), people.get((space, side, False), []), False)
            inside = place.get("inside", {}) if place.get("control") == side else {}
            found += _stack(space, side, inside, people.get((space, side, True), []), True)
    return found


def _stack(space: str, side: str, troops: dict[str, int], leaders: list[Leader], inside: bool) -> list[Stack]:
    extras = tuple((letter, troops[name]) for name, letter in LETTERS if troops.get(name))
    if not (troops.get("units") or extras or leaders):
        return []
    return [Stack(space, side, str(troops.get("units", 0)), tuple(leaders), extras, inside)]


def hand(view: View, seat: str) -> tuple[Card, ...]:
    """The own strategy cards, with what the tables know of them."""
    held = view.get("hands", {}).get(seat)
    known = naming.cards("hamilcar")
    found = []
    for number in held if isinstance(held, list | tuple) else ():
        if number:
            card = known.get(number, {})
            value = str(card.get("ops", card.get("value", "")))
            side = card.get("side", "")
            found.append(Card(number, str(card.get("title", number)), value, str(card.get("effect", "")), side))
    return tuple(found)


def strip(view: View) -> Strip:
    """The turn and its phase."""
    phase = str(view.get("phase", ""))
    return Strip(str(view.get("turn", "")), ((phase, phase_word(phase), True),), view.get("active") or "")


def facts(view: View) -> tuple[Fact, ...]:
    """Supremacy, seamanship, the corvus, and the fleets in port and at sea."""
    found = [
        Fact(_("Supremacy at sea"), seat_said(view["supremacy"]) if view.get("supremacy") else _("nobody")),
        Fact(_("Roman seamanship"), str(view.get("seamanship", 0))),
        Fact(_("Corvus"), _("in use") if view.get("corvus") else _("not in use")),
    ]
    for side in SIDES:
        ships = view.get("ships", {}).get(side, ())
        ready = sum(bool(ship.get("ready")) for ship in ships)
        at_sea = sum(bool(ship.get("at_sea")) for ship in ships)
        text = _("%(all)s ships, %(ready)s ready, %(sea)s at sea", all=len(ships), ready=ready, sea=at_sea)
        found.append(Fact(_("Fleet of %(side)s", side=seat_said(side)), text))
    return tuple(found)


def previews(state: Any, seat: str, where: str | None) -> tuple[Preview, ...]:
    """11.1 The voyages of the own generals in a space: lanes, points, storms, and the chance to come through."""
    sides = {record["id"]: record.get("side") for record in naming.records("hamilcar", "leaders") if "id" in record}
    found = []
    for name, general in state.generals.items():
        if where is None or general.space != where or general.status != "board":
            continue
        if seat not in (sides.get(name), UMPIRE):
            continue
        try:
            routes = sea_preview(state, name).routes
        except Illegal:
            continue
        lines = tuple(_voyage(route) for route in routes)
        title = _("Voyages of %(general)s", general=naming.said("hamilcar", name))
        found.append(Preview(title, "11.1", lines or (_("Nowhere."),)))
    return tuple(found)


def _voyage(route: Any) -> str:
    """One way by sea as a line."""
    port = naming.said("hamilcar", route.to)
    if not route.open:
        why = next((lane.why for lane in route.lanes if lane.why), "")
        return _("%(port)s: closed (%(why)s)", port=port, why=why)
    stormy = " ≈" if any(lane.stormy for lane in route.lanes) else ""
    return _("%(port)s: %(lanes)s lanes%(storm)s, uncaught %(chance)s", port=port, lanes=len(route.lanes), storm=stormy,
             chance=f"{route.uncaught_as} ({round(100 * route.uncaught)} %)")  # fmt: skip
