"""A general who marches: where his army wins most, and the next step of the way there."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import data
from strategic.captains import provinces
from tactical.captains.choice import Choice, Considered, best_options, reason
from tactical.kernel.protocol import Offer

MARGIN = 1.5  # how many times the enemy's troops an army has that goes to meet them
FARTHEST = 10  # costs of way beyond which nobody looks
WORTH_IT = 0.5  # what a march must promise
PER_COST = 0.12  # how much less a goal is worth for each cost of way
SIEGES = {"tribe": 0.7, "city": 0.4}  # the share of a gain that a siege brings, which takes its time
CARD_POINT = 0.05  # what a point of the card that is spent on a march is worth otherwise
HOSTILE = 1  # what it costs more to pass a hostile tribe

Ways = dict[str, tuple[tuple[str, int, str], ...]]


class Goal(NamedTuple):
    """Where an army goes, what that promises, and the next space of the way; the space itself when it is there."""

    space: str
    value: float
    next: str


@cache
def ways(system: str) -> Ways:
    """From each space where one can go: the space, its cost, and whether by land or by sea."""
    found: dict[str, list[tuple[str, int, str]]] = {}
    for feature in data.raw_json(f"{system}/map.geojson")["features"]:
        about = feature["properties"]
        if "from" in about:
            for one, other in ((about["from"], about["to"]), (about["to"], about["from"])):
                found.setdefault(one, []).append((other, int(about["cost"]), about["kind"]))
    return {space: tuple(rows) for space, rows in found.items()}


@cache
def cities(system: str) -> frozenset[str]:
    """The walled spaces of a map."""
    features = [feature["properties"] for feature in data.raw_json(f"{system}/map.geojson")["features"]]
    return frozenset(about["id"] for about in features if about.get("city") or about.get("walls"))


def troops(place: Mapping[str, Any], side: str) -> int:
    """The units and elephants of a side that stand in a space, outside the walls."""
    force = place[side]
    return int(force["units"]) + int(force["elephants"])


def enemies(view: Mapping[str, Any], seat: str, space: str) -> int:
    """The enemy's troops in a space, those inside its walls too."""
    place = view["spaces"][space]
    inside = place["inside"]
    walled = int(inside["units"]) + int(inside["elephants"]) if place["control"] != seat else 0
    return sum(troops(place, side) for side in ("rome", "carthage") if side != seat) + walled


def promise(system: str, view: Mapping[str, Any], seat: str, space: str, strength: int) -> float:
    """What an army wins in a space: a marker turned, a tribe or a city besieged; 0 where there is nothing to win."""
    place = view["spaces"][space]
    if place["control"] == seat or enemies(view, seat, space) * MARGIN > strength:
        return 0.0
    gain = provinces.gain(system, view, seat, space)
    if place["tribe"]:
        return gain * SIEGES["tribe"]
    if place["control"] is None:
        return 0.0  # a marker goes there without an army
    return gain * SIEGES["city"] if space in cities(system) else gain


def goal(system: str, view: Mapping[str, Any], seat: str, start: str, strength: int) -> Goal | None:
    """The space that promises most for the way to it; None where no march is worth a card."""
    best: Goal | None = None
    queue: list[tuple[int, str, str]] = [(0, start, start)]
    seen: set[str] = set()
    sails = any(ship["ready"] for ship in (view.get("ships") or {}).get(seat, ()))
    while queue:
        cost, space, via = heapq.heappop(queue)
        if space in seen or cost > FARTHEST:
            continue
        seen.add(space)
        value = promise(system, view, seat, space, strength) / (1 + PER_COST * cost)
        if value > (best.value if best else WORTH_IT):
            best = Goal(space, value, via)
        for other, price, kind in ways(system).get(space, ()):
            if other in seen or (kind == "lane" and not sails):
                continue
            place = view["spaces"].get(other)
            if place is None or enemies(view, seat, other) * MARGIN > strength:
                continue
            hostile = HOSTILE * bool(place["tribe"] and place["control"] != seat)
            heapq.heappush(queue, (cost + price + hostile, other, other if via == start and space == start else via))
    return best


def army(view: Mapping[str, Any], seat: str, general: str) -> tuple[str, int] | None:
    """Where a general stands outside the walls, and with how many."""
    his = view["generals"].get(general) or {}
    space = his.get("space")
    if space is None or his.get("inside"):
        return None
    return space, troops(view["spaces"][space], seat)


def march(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer], first: Any) -> Choice | None:
    """A march begun or carried on; None where nothing is offered of it, or nothing is worth it."""
    kinds = {offer.type for offer in offers}
    if "activate" in kinds:
        return begin(system, view, seat, [offer for offer in offers if offer.type == "activate"], first)
    if kinds & {"step", "sail", "besiege"} and "halt" in kinds and view.get("march"):
        return go_on(system, view, seat, offers, first)
    return None


def begin(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer], first: Any) -> Choice | None:
    """The card and the general whose march promises most, if it is more than what markers bring."""
    options: list[tuple[dict[str, Any], float]] = []
    leads_to: dict[str, str] = {}
    for offer in offers:
        if offer.fields.get("use", "ops") != "ops":
            continue
        names = offer.fields["general"]
        for general in [names] if isinstance(names, str) else names:
            at = army(view, seat, general)
            found = goal(system, view, seat, *at) if at is not None and at[1] > 1 else None
            if at is None or found is None:
                continue
            command = {name: first(value) for name, value in offer.fields.items()} | {"general": general}
            leads_to[general] = found.space
            price = CARD_POINT * provinces.card_points(system, command.get("card"))
            options.append(({"type": "activate", **command}, found.value - price))
    if not options:
        return None
    command, value = max(options, key=lambda option: option[1])
    if value <= max(markers(system, view, seat), 0.0):
        return None
    general = command["general"]
    why = reason("aim_march", rule=offers[0].rule, general=general, space=leads_to[general])
    return Choice(command, (why,), best_options(options), round(value, 3))


def markers(system: str, view: Mapping[str, Any], seat: str) -> float:
    """The most that a marker brings which can be placed without a march."""
    return max(
        (
            provinces.gain(system, view, seat, space)
            for space, place in view["spaces"].items()
            if not place["tribe"] and may_take(system, place, seat, space) and not enemies(view, seat, space)
        ),
        default=0.0,
    )


def may_take(system: str, place: Mapping[str, Any], seat: str, space: str) -> bool:
    """Is it nobody's, or the enemy's under one's own troops and without walls?"""
    if place["control"] is None:
        return True
    return place["control"] != seat and troops(place, seat) > 0 and space not in cities(system)


def go_on(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer], first: Any) -> Choice | None:
    """The next step on the way to where the army wins most; a siege there, or a halt."""
    at = army(view, seat, view["march"]["general"])
    if at is None:
        return None
    found = goal(system, view, seat, *at)
    on, there = [], []
    if found is not None and found.space != at[0]:
        on = [fill_offer(offer, found.next, first) for offer in offers if leads(offer, found.next)]
    elif found is not None:
        there = [fill_offer(offer, "", first) for offer in offers if offer.type == "besiege"]
    halts = [fill_offer(offer, "", first) for offer in offers if offer.type == "halt"]
    options = [*on, *there, *halts]
    command, general = options[0], view["march"]["general"]
    rule = next(offer.rule for offer in offers if offer.type == command["type"])
    kind = "aim_march" if on else "aim_siege" if there else "aim_march_ends"
    why = reason(kind, rule=rule, general=general, space=found.space if found else at[0])
    rest = tuple(Considered(other, 0.0) for other in options[1:7])
    return Choice(command, (why,), rest, round(found.value, 3) if found else 0.0)


def leads(offer: Offer, to: str) -> bool:
    """Does a step or a passage lead there?"""
    if offer.type not in ("step", "sail"):
        return False
    there = offer.fields["to"]
    return there == to if isinstance(there, str) else to in there


def fill_offer(offer: Offer, to: str, first: Any) -> dict[str, Any]:
    """The offer with all who may come, to this space."""
    command = {"type": offer.type, **{name: first(value) for name, value in offer.fields.items()}}
    return {**command, "to": to} if to and "to" in command else command
