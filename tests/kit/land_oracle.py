"""A second, naive reckoning of the land war, written from the rule books and the map's file; it imports no engine.

It reads a position as JSON: who holds which province, who besieges whom, and from where an army may try to intercept.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "data"
OTHER = {"rome": "carthage", "carthage": "rome"}
CONSULAR = {"hannibal": 5, "hamilcar": 3}  # CUs of a consul's army
AT_MOST = 10  # CUs that move together
BOUND = {"hannibal": {"hanno": "africa", "fabius": "italia"}, "hamilcar": {}}
Raw = dict[str, Any]


class Chart:
    """The map of a war as its file says it."""

    def __init__(self, war: str) -> None:
        raw = json.loads((DATA / war / "map.geojson").read_text())
        points = [each["properties"] for each in raw["features"] if each["geometry"]["type"] == "Point"]
        lines = [each["properties"] for each in raw["features"] if each["geometry"]["type"] != "Point"]
        self.war = war
        self.spaces = {point["id"]: point for point in points}
        self.needed = {each["id"]: each["needed"] for each in raw["provinces"]}
        self.roads = [(line["from"], line["to"]) for line in lines if line["kind"] == "road"]

    def beside(self, space: str) -> set[str]:
        """The spaces one road away."""
        return {b if a == space else a for a, b in self.roads if space in (a, b)}

    def is_city(self, space: str) -> bool:
        """Has the space walls?"""
        return self.spaces[space]["kind"] == "city"


def size(troops: Raw) -> int:
    """The CUs of a stack."""
    return int(troops["units"] + troops["elephants"])


def outside(raw: Raw, side: str, space: str) -> int:
    """CUs of a side before the walls, or in open country."""
    return size(raw["spaces"][space][side])


def all_there(raw: Raw, side: str, space: str) -> int:
    """CUs of a side in a space; those inside belong to who holds the city."""
    place = raw["spaces"][space]
    return outside(raw, side, space) + (size(place["inside"]) if place["control"] == side else 0)


def provinces_of(chart: Chart, raw: Raw, side: str) -> set[str]:
    """The provinces in which a side has as many markers as the province needs."""
    count: dict[str, int] = {}
    for space, point in chart.spaces.items():
        if raw["spaces"][space]["control"] == side:
            count[point["province"]] = count.get(point["province"], 0) + 1
    return {province for province, found in count.items() if found >= chart.needed[province]}


def sieges(chart: Chart, raw: Raw) -> dict[str, str]:
    """Who besieges each city or tribe with points on it: the side that stands there and does not hold it. Where both
    have come to a tribe, the position says whose points they are.
    """
    found: dict[str, str] = {}
    for space, place in raw["spaces"].items():
        if place["siege"] and (chart.is_city(space) or place["tribe"]):
            standing = [side for side in OTHER if side != place["control"] and outside(raw, side, space)]
            found[space] = standing[0] if len(standing) == 1 else place["besieger"]
    return found


def shut_in(chart: Chart, raw: Raw, side: str) -> set[str]:
    """The cities of a side before which enemy CUs stand."""
    return {
        space
        for space, place in raw["spaces"].items()
        if place["control"] == side and chart.is_city(space) and outside(raw, OTHER[side], space)
    }


def moving(raw: Raw) -> int:
    """The CUs of the march."""
    march = raw["march"]
    return size(march.get("force", march))


def interceptors(chart: Chart, raw: Raw, sides: dict[str, str]) -> set[str]:
    """From where the side that does not move may try to intercept the march. `sides` says whose each general is.

    An army with a general one road away, not in a city with the enemy before it, once a space and card; not where
    other CUs of the mover stand, nor into a city. A consul goes with the CUs of a consular army or with all he has;
    a consul who stays keeps so many, any other general one.
    """
    march, lasting = raw["march"], raw.get("lasting", {})
    side, to = OTHER[march["side"]], march["path"][-1]
    if march["inside"] or lasting.get("truce") or all_there(raw, march["side"], to) > moving(raw):
        return set()
    closed = shut_in(chart, raw, side) | set(raw["play"]["intercepted_from"])
    return {
        space
        for space in chart.beside(to) - closed
        if not is_kept_home(chart, lasting, side, space, to) and is_party_there(chart, raw, sides, side, space, to)
    }


def is_kept_home(chart: Chart, lasting: Raw, side: str, space: str, to: str) -> bool:
    """Does a card keep these CUs: Carthage's in Africa (Hanno counsels), Rome's out of it (Cato counsels)?"""
    africa, there = (chart.spaces[each]["region"] == "africa" for each in (space, to))
    if side == "carthage":
        return bool(lasting.get("hanno_counsels")) and africa and not there
    return bool(lasting.get("cato_counsels")) and there and not africa


def is_party_there(chart: Chart, raw: Raw, sides: dict[str, str], side: str, space: str, to: str) -> bool:
    """Can some generals of the space go with some of its CUs, and what stays be enough?"""
    people = {
        name: general["rank"]
        for name, general in raw["generals"].items()
        if general["status"] == "board" and general["space"] == space and sides[name] == side
    }
    bound = BOUND[chart.war]
    free = [name for name in people if bound.get(name, chart.spaces[to]["region"]) == chart.spaces[to]["region"]]
    have, consular = all_there(raw, side, space), CONSULAR[chart.war]
    for count in range(1, len(free) + 1):
        for party in combinations(free, count):
            left = [rank for name, rank in people.items() if name not in party]
            leads_consul = any(people[name] == "consul" for name in party)
            for units in range(1, min(have, AT_MOST) + 1):
                stays = have - units
                enough = units >= consular or not stays or not leads_consul
                kept = stays >= consular if "consul" in left else stays >= 1 if left else True
                if enough and kept:
                    return True
    return False
