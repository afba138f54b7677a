"""A view of the open campaign as a picture, and its events in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import format_decimal, ngettext

from strategic.open_campaign.rules.money import talents
from strategic.open_campaign.rules.world import chart
from tactical.kernel.protocol import UMPIRE, kinds
from tactical.kernel.record import BadInput
from webapp.http.language import gettext as _
from webapp.presenting import naming, presentation
from webapp.presenting.battle_labels import heading_word
from webapp.presenting.labels import place_name
from webapp.presenting.map.sheet import Feature, Sheet, world_sheet
from webapp.presenting.presentation import (
    Asked,
    Book,
    Course,
    Fact,
    Leader,
    Ledger,
    Picture,
    Request,
    Stack,
    Strip,
    View,
)
from webapp.presenting.sentences import Data, join_parts, sentences
from webapp.presenting.spoken import Case, Speaker
from webapp.systems.open_campaign.dispatch import date_words, side_name, space_by
from webapp.systems.open_campaign.orders import order_line

# -- The events of the open campaign as sentences in the reader's language: data/events/open_campaign.toml.


class Talents(float):
    """An amount that is not whole, which reads with the comma or the point of the reader's language."""

    def __str__(self) -> str:
        return format_decimal(float(self), "0.##")


def say(word: str, field: str, value: Any) -> Any:
    """A field's value in words: a date, a course, money in talents; a fleet, or a port, by its name."""
    if word == "money":
        return Talents(amount) if isinstance(amount := talents(value or 0), float) else amount
    if field == "date":
        try:
            return date_words(str(value or ""))
        except BadInput:  # what is not a date stays as it is
            return str(value or "")
    if field == "course":
        return heading_word(str(value or ""))
    if field == "fleet":
        name = str(value or "")
        return place_name(name.replace("_", " ").title() if name.islower() else name)
    return naming.say("open_campaign", word, field, value)


def damage(it: Mapping[str, Any]) -> str:
    """What bad weather did to a fleet's ships; only what happened is named."""
    lost, hurt, scattered = (int(it.get(name) or 0) for name in ("lost", "hurt", "scattered"))
    parts = (
        lost and ngettext("%(num)d ship lost", "%(num)d ships lost", lost),
        hurt and ngettext("%(num)d ship damaged", "%(num)d ships damaged", hurt),
        scattered and ngettext("%(num)d ship scattered", "%(num)d ships scattered", scattered),
    )
    return join_parts(part for part in parts if part) or _("no damage")


def ships_lost(it: Data) -> str:
    """What a battle cost each side in ships, transports included."""
    losses = zip(it.get("sides") or (), it.get("losses") or (), strict=False)
    return ", ".join(f"{naming.side('open_campaign', side)} {lost}" for side, lost in losses)


KINDS = kinds("open_campaign")
SENTENCES = sentences(KINDS, say, {"damage": damage, "lost": ships_lost})


# -- A view of the open campaign as a picture: ports, one's own fleets, what is known of others; strip and facts.

SYSTEM = "open_campaign"
WALLED = 90  # from this rank upwards a port has walls


def read(view: View) -> Picture:
    """O5.2 Who holds which port, where the fleets lie that the seat knows, and where ships were seen."""
    fleets = {name: fleet for name, fleet in view["fleets"].items() if fleet["ships"]}
    notes: dict[str, tuple[str, ...]] = {}
    for side in view["known"].values():
        for seen in side:
            notes[seen["near"]] = (*notes.get(seen["near"], ()), sighting(view, seen))
    courses = [way for side, orders in view["orders"].items() for way in ways(view, side, orders)]
    return Picture(
        holders=dict(view["ports"]),
        stacks=tuple(stack(view, name, fleet) for name, fleet in fleets.items()),
        notes=notes,
        courses=(*courses, *presentation.course_of_other(view)),
        meeting=presentation.meeting(view),
        sides=tuple(view["sides"]),
        sheet=world_map(view),
    )


def world_map(view: View) -> Sheet:
    """O1.1 The war's own world as its map: its places, its lanes and its roads."""
    world = chart(view["world"])
    places = [
        feature(
            "Point",
            each.lonlat,
            id=each.id,
            name=each.name,
            kind=each.kind,
            port=each.kind == "port",
            walls=each.kind == "port" and each.rank >= WALLED,
        )
        for each in world.spaces.values()
    ]
    ways = [
        feature("LineString", lane.line, **{"from": lane.start, "to": lane.end, "kind": lane.kind})
        for lane in world.lanes.values()
    ]
    for start, roads in world.roads.items():
        for end in (end for end, _miles in roads if start < end):
            line = (world.spaces[start].lonlat, world.spaces[end].lonlat)
            ways.append(feature("LineString", line, **{"from": start, "to": end, "kind": "road"}))
    return world_sheet(SYSTEM, world.digest, places, ways)


def feature(shape: str, at: object, **about: object) -> Feature:
    """A place or a way as GeoJSON."""
    return {"type": "Feature", "geometry": {"type": shape, "coordinates": at}, "properties": about}


def stack(view: View, name: str, fleet: Mapping[str, Any]) -> Stack:
    """A fleet as a counter: its ships, its admiral; without one its own name."""
    rating = f"{fleet['seamanship']}-{fleet['fight']}" if fleet["admiral"] else ""
    admiral = Leader(name, fleet["admiral"] or fleet["name"], rating, has_head=False)
    return Stack(space_by(view, fleet), fleet["side"], str(len(fleet["ships"])), (admiral,))


def ways(view: View, side: str, orders: Mapping[str, Any]) -> tuple[Course, ...]:
    """O4.5 The ways that are ordered."""
    world = chart(view["world"])
    found = []
    for name, order in orders.items():
        if name in view["fleets"] and order["to"] in world.spaces:
            path = world.path(space_by(view, view["fleets"][name]), order["to"])
            found.append(Course(side, path, True, view["fleets"][name]["name"]))
    return tuple(found)


def sighting(view: View, seen: Mapping[str, Any]) -> str:
    """O5.1 What was seen, with its age."""
    return _(
        "About %(number)s sail of %(side)s, seen on day %(day)s of turn %(turn)s",
        number=seen["number"],
        side=side_name(view, seen["side"]),
        day=seen["day"],
        turn=seen["turn"],
    )


def strip(view: View) -> Strip:
    """O3.6 The turn with its date."""
    return Strip(
        _("%(turn)s of %(turns)s: %(date)s", turn=view["turn"], turns=view["turns"], date=date_words(view["date"]))
    )


def facts(view: View) -> tuple[Fact, ...]:
    """O2.2 The seat's fleets, one line each; who is ready."""
    of_others = len({fleet["side"] for fleet in view["fleets"].values()}) > 1
    found = [
        Fact(
            f"{side_name(view, fleet['side'])}: {fleet['name']}" if of_others else fleet["name"],
            fleet_words(view, fleet),
            "O2.2",
        )
        for fleet in view["fleets"].values()
        if fleet["ships"]
    ]
    ready = [side_name(view, side) for side, is_ready in view["ready"].items() if is_ready]
    if ready:
        found.append(Fact(_("Orders ready"), ", ".join(ready), "O3.2"))
    return tuple(found)


def ledger(view: View) -> Ledger:
    """O1.4 The sides by their ports, and by their ships as far as the seat knows all of them."""
    known = {fleet["side"] for fleet in view["fleets"].values()}
    books = []
    for side in view["sides"]:
        ports = sum(holder == side for holder in view["ports"].values())
        ships = sum(len(fleet["ships"]) for fleet in view["fleets"].values() if fleet["side"] == side)
        books.append(Book(side, (str(ports), str(ships) if side in known else "")))
    return Ledger((_("Ports"), _("Ships")), tuple(books))


def fleet_words(view: View, fleet: Mapping[str, Any]) -> str:
    """How many ships, where, and for how many days they have food."""
    ships = ngettext("%(num)d ship", "%(num)d ships", len(fleet["ships"]))
    food = ngettext("food for %(num)d day", "food for %(num)d days", fleet["provisions"])
    return _(
        "%(ships)s near %(place)s, %(food)s",
        ships=ships,
        place=place_name(chart(view["world"]).spaces[space_by(view, fleet)].name),
        food=food,
    )


def space(view: View, where_: str) -> tuple[Fact, ...]:
    """O5.1 What was seen near a space."""
    seen = [each for side in view["known"].values() for each in side if each["near"] == where_]
    return tuple(Fact(_("Seen"), sighting(view, each), "O5.1") for each in seen)


def meeting_question(view: View) -> Asked | None:
    """O6.1 A meeting that waits to be settled."""
    found = view.get("engagement")
    if not found:
        return None
    return Asked("engagement", next(iter(found["fleets"])), "O6.1", {"engagement": found["id"]})


def requests(view: View) -> tuple[Request, ...]:
    """O3.4, O5.4 Free orders that the umpire has not answered, and treaties that wait for the other side's word."""
    free = [
        Request(UMPIRE, side, "letter", {"side": side, "text": letter["text"]})
        for side, letters in view["letters"].items()
        for letter in letters
        if not letter["answer"]
    ]
    proposed = [each for each in view["treaties"] if not each["turn"]]
    return (
        *free,
        *(Request(each["to"], each["by"], "proposed", {"side": each["by"], "of": each["to"]}) for each in proposed),
    )


def order_words(case: Case) -> str:
    """O3.3 An order as a line, once it is chosen."""
    chosen = all(isinstance(case.it.get(name, ""), str) for name in ("do", "to", "stance"))
    return order_line(case.view, case.it) if chosen else ""


SPEAKER = Speaker(
    SYSTEM,
    {
        "fleet": lambda case: case.view["fleets"].get(case.it["fleet"], {}).get("name", case.it["fleet"]),
        "line": order_words,
        "side": lambda case: side_name(case.view, case.it["side"]),
    },
)
