"""Changes of a world by one tap (O1.3), each a GeoJSON like the one before it, with a place or a lane more or less."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from math import cos, pi, sin
from typing import Any

from strategic.coast import Point, apart
from strategic.open_campaign.rules.world import Chart, chart, largest, stock_world
from tactical.kernel.record import BadInput

World = dict[str, Any]
KINDS = ("port", "beach", "cape", "sea", "town")
RANKS = (100, 90, 80, 70, 60)
LONGEST = 60
TOLD = 6  # remarks of each kind
MIDDLE, MILES_ACROSS = (-40.0, 36.0), 240.0  # of an empty sea: far from every coast that the program knows


def editable(world: str | Mapping[str, Any]) -> World:
    """A world to change: its own copy, and a ready-made one written out."""
    return stock_world(world) if isinstance(world, str) else copy.deepcopy(dict(world))


def place(world: World, id: str) -> dict[str, Any]:
    """The feature of a place. Raises BadInput where there is none."""
    found = next((each for each in world["features"] if is_place(each) and each["properties"].get("id") == id), None)
    if found is None:
        raise BadInput("space", "there is no such place")
    return dict(found)


def is_place(feature: Mapping[str, Any]) -> bool:
    """Is it a place, and not a way?"""
    return bool(feature["geometry"]["type"] == "Point")


def free_id(world: World, name: str) -> str:
    """An id for a new place, by its name where that has plain letters."""
    taken = {str(each["properties"].get("id")) for each in world["features"]}
    stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:32] or "place"
    return next(
        id for number in range(1, len(taken) + 3) if (id := stem if number == 1 else f"{stem}_{number}") not in taken
    )


def about(name: str, kind: str, rank: int) -> dict[str, Any]:
    """What a place says of itself. Raises BadInput for a name that is empty or too long, and for what there is not."""
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST:
        raise BadInput("name", "a place must have a name of at most %(most)s letters", most=LONGEST)
    if kind not in KINDS or rank not in RANKS:
        raise BadInput("kind", "choose what kind of place this is, and its rank")
    return {"name": name, "kind": kind, "rank": rank}


def add(world: World, at: Point, name: str, kind: str, rank: int) -> World:
    """A place more, joined by a lane to the nearest one. Raises BadInput."""
    own = {"id": free_id(world, name), **about(name, kind, rank)}
    near = min(chart(world).spaces.values(), key=lambda each: apart(each.lonlat, at))
    new = {"type": "Feature", "properties": own, "geometry": {"type": "Point", "coordinates": list(at)}}
    return join({**world, "features": [*world["features"], new]}, own["id"], near.id, "lane")


def change(world: World, id: str, name: str, kind: str, rank: int) -> World:
    """A place with another name, kind or rank. Raises BadInput."""
    own = place(world, id)
    own["properties"] = {**own["properties"], **about(name, kind, rank)}
    return {**world, "features": [own if is_it(each, id) else each for each in world["features"]]}


def is_it(feature: Mapping[str, Any], id: str) -> bool:
    """Is the feature this place?"""
    return is_place(feature) and feature["properties"].get("id") == id


def move(world: World, id: str, at: Point) -> World:
    """A place elsewhere; the ways that end there follow, and their lengths are measured anew. Raises BadInput."""
    place(world, id)
    features = []
    for each in world["features"]:
        if is_it(each, id):
            each = {**each, "geometry": {"type": "Point", "coordinates": list(at)}}
        elif not is_place(each) and id in ends(each):
            line = [list(point) for point in each["geometry"]["coordinates"]]
            line[0 if each["properties"].get("from") == id else -1] = list(at)
            own = {name: value for name, value in each["properties"].items() if name != "cost"}
            each = {**each, "properties": own, "geometry": {**each["geometry"], "coordinates": line}}
        features.append(each)
    return {**world, "features": features}


def ends(feature: Mapping[str, Any]) -> tuple[str, str]:
    """The two ends of a way."""
    return str(feature["properties"].get("from")), str(feature["properties"].get("to"))


def remove(world: World, id: str) -> World:
    """A place less, with the ways that end there. Raises BadInput."""
    place(world, id)
    left = [each for each in world["features"] if not is_it(each, id) and (is_place(each) or id not in ends(each))]
    return {**world, "features": left}


def join(world: World, one: str, other: str, kind: str) -> World:
    """A straight lane between two places, in the place of the one that there was. Raises BadInput."""
    if one == other or kind not in ("lane", "sea_lane"):
        raise BadInput("to", "a lane must lead from one place to another")
    line = [place(world, id)["geometry"]["coordinates"][:2] for id in (one, other)]
    own = {"from": one, "to": other, "kind": kind}
    lane = {"type": "Feature", "properties": own, "geometry": {"type": "LineString", "coordinates": line}}
    return {**world, "features": [*part(world, one, other)["features"], lane]}


def part(world: World, one: str, other: str) -> World:
    """The world without the lanes between two places; a road stays."""

    def is_lane(each: Mapping[str, Any]) -> bool:
        road = each["properties"].get("kind") == "road"
        return not is_place(each) and not road and set(ends(each)) == {one, other}

    return {**world, "features": [each for each in world["features"] if not is_lane(each)]}


def alone(world: Chart) -> list[str]:
    """The places that no lane joins to the largest net, by name; towns inland need none."""
    needy = {id for id, space in world.spaces.items() if space.kind != "town"}
    ways = [(lane.start, lane.end) for lane in world.lanes.values() if {lane.start, lane.end} <= needy]
    return sorted(world.spaces[id].name for id in needy - largest(needy, ways))


def empty_sea(ports: int) -> World:
    """O1.2 A sea with nothing on it but so many ports in a ring, each with a lane to the next, to be drawn by hand."""
    lon, lat = MIDDLE
    high = MILES_ACROSS / 120
    wide = high / cos(lat * pi / 180)
    features: list[Any] = []
    for number in range(ports):
        angle = 2 * pi * number / ports
        at = [round(lon + wide * sin(angle), 2), round(lat + high * cos(angle), 2)]
        own = {"id": f"port_{number + 1}", "name": f"Port {number + 1}", "kind": "port", "rank": 90}
        features.append({"type": "Feature", "properties": own, "geometry": {"type": "Point", "coordinates": at}})
    world: World = {"type": "FeatureCollection", "features": features}
    for number in range(ports):
        if ports > 2 or number == 0:
            world = join(world, f"port_{number + 1}", f"port_{(number + 1) % ports + 1}", "lane")
    return world
