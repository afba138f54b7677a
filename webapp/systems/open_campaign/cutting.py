"""O1.2 A part of the great map as a world, filled up from the gazetteer, with what is odd in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from shapely import Polygon, box, intersects_xy

import data
from strategic.coast import Laid, Point, apart, feature_of, lay_lanes, same_spot
from strategic.open_campaign.rules.world import joined_by
from tactical.kernel.protocol import Illegal
from tactical.kernel.reason import Reason, because
from tactical.kernel.record import BadInput

RANK = 80
MOST_CORNERS = 24  # of a line around a part of the map
TOLD = 8  # names in one sentence
NEAREST = 5.0  # nautical miles between a place of the gazetteer and the next one
KINDS = {"place": "port", "island": "beach", "cape": "cape"}  # of the gazetteer
RANKS = {"place": 70, "island": 60, "cape": 60}
Feature = dict[str, Any]


def cut_with_remarks(
    corners: Sequence[Sequence[float]], rank: int = RANK, spaces: int | None = None
) -> tuple[dict[str, Any], list[Reason]]:
    """The spaces and lanes of a part of the map as GeoJSON, from a rank upwards, and remarks.

    The part is what lies between two corners (longitude, latitude), or within a line of three or more. Where fewer
    than `spaces` lie there, the next lower ranks are taken, then places of the gazetteer. What the map's lanes do not
    join is joined by lanes that are laid round the land. Raises BadInput for corners that are none, and Illegal (O1.2)
    where nothing lies there.
    """
    part = part_of(corners)
    whole = data.raw_json("open_campaign/map.geojson")
    here = [each for each in whole["features"] if each["geometry"]["type"] == "Point" and lies_in(each, part)]
    taken = rank
    for lower in sorted({each["properties"]["rank"] for each in here}, reverse=True):
        known = sum(each["properties"]["rank"] >= taken for each in here)
        taken = lower if spaces is not None and lower < taken and known < spaces else taken
    chosen = {each["properties"]["id"]: each for each in here if each["properties"]["rank"] >= taken}
    more = gazetteer(part, chosen, (spaces or 0) - len(chosen))
    points = {**chosen, **more}
    if not points:
        raise Illegal(
            "O1.2", "No place of rank %(rank)s or more lies between these corners or within this line.", rank=rank
        )
    world, kept, laid = join_places(points)
    known = sum(each["properties"]["rank"] >= rank for each in here)
    told = [*of_ranks(rank, taken, known), *of_places(points, kept, more), *of_lanes(laid)]
    return world, told


def join_places(points: Mapping[str, Feature]) -> tuple[dict[str, Any], set[str], list[Laid]]:
    """O1.2 The places joined by the great map's lanes and by laid ones, as GeoJSON; the places kept; the laid lanes."""
    whole = data.raw_json("open_campaign/map.geojson")
    ways = [each for each in whole["features"] if each["geometry"]["type"] == "LineString"]
    ways = [each for each in ways if {each["properties"]["from"], each["properties"]["to"]} <= points.keys()]
    laid = lay_lanes({name: at_of(each) for name, each in points.items()}, [way_of(each) for each in ways])
    world = joined_by(points, map(feature_of, laid))
    kept = {each["properties"].get("id") for each in world["features"]}
    return world, kept & points.keys(), laid


def of_ranks(rank: int, taken: int, known: int) -> Iterator[Reason]:
    """That lower ranks were taken."""
    if taken != rank:
        yield because(
            "Too few places are of rank %(rank)s or more (%(known)s): all of rank %(taken)s or more are included.",
            rank=rank,
            known=known,
            taken=taken,
        )


def of_places(points: Mapping[str, Feature], kept: set[str], more: Mapping[str, Feature]) -> Iterator[Reason]:
    """Places of the gazetteer, places that no lane reaches, and two names on one spot."""
    if added := more.keys() & kept:
        yield because("These places are from the gazetteer: %(places)s.", places=names(points, added))
    if lost := points.keys() - kept:
        yield because(
            "No lane inside the chosen part of the map leads to these places, so they are left out: %(places)s.",
            places=names(points, lost),
        )
    for pair in same_spot({name: at_of(points[name]) for name in sorted(kept)}):
        yield because("These places lie at the same spot: %(places)s.", places=names(points, pair))


def of_lanes(laid: Sequence[Laid]) -> Iterator[Reason]:
    """How many lanes were laid."""
    if laid:
        yield because(
            "The map has no lanes to some places here: %(number)s %(number|lane was|lanes were)s laid along the coast.",
            number=len(laid),
        )


def names(points: Mapping[str, Feature], some: Iterable[str]) -> str:
    """The names of some places, not too many of them."""
    found = sorted(points[name]["properties"]["name"] for name in some)
    return ", ".join(found[:TOLD]) + (", …" if len(found) > TOLD else "")


def gazetteer(part: Polygon, chosen: Mapping[str, Feature], wanted: int) -> dict[str, Feature]:
    """So many places of the gazetteer in a part of the map, each as far as may be from all before it."""
    found: dict[str, Feature] = {}
    here = [each for each in map(place_of, all_places()) if lies_in(each, part)] if wanted > 0 else []
    far = {each["properties"]["id"]: min((miles(each, it) for it in chosen.values()), default=NEAREST) for each in here}
    by_id = {each["properties"]["id"]: each for each in here}
    while far and len(found) < wanted:
        name = max(sorted(far), key=lambda each: far[each])
        if far.pop(name) < NEAREST:
            break
        found[name] = by_id[name]
        far = {other: min(way, miles(by_id[name], by_id[other])) for other, way in far.items()}
    return found


@cache
def all_places() -> list[list[Any]]:
    """O1.2 The gazetteer: id, name, kind, longitude, latitude and Pleiades' number of each place."""
    found: list[list[Any]] = data.raw_json("open_campaign/gazetteer.json")["places"]
    return found


def place_of(row: Sequence[Any]) -> Feature:
    """A place of the gazetteer as GeoJSON: a small port, an island's beach, or a cape."""
    id, name, kind, lon, lat, number = row
    about = {"id": id, "name": name, "kind": KINDS[kind], "rank": RANKS[kind], "source": "pleiades", "pleiades": number}
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": [lon, lat]}, "properties": about}


def at_of(feature: Feature) -> Point:
    """Where a place lies."""
    lon, lat = feature["geometry"]["coordinates"][:2]
    return float(lon), float(lat)


def miles(one: Feature, other: Feature) -> float:
    """Nautical miles between two places."""
    return apart(at_of(one), at_of(other))


def way_of(feature: Feature) -> tuple[str, str, int]:
    """The ends of a lane, and its length."""
    about = feature["properties"]
    return about["from"], about["to"], about["cost"]


def lies_in(feature: Feature, part: Polygon) -> bool:
    """Does a place lie in a part of the map, or on its edge?"""
    return bool(intersects_xy(part, *at_of(feature)))


def part_of(corners: Sequence[Sequence[float]]) -> Polygon:
    """O1.2 What lies between two corners, or within the line of three or more. Raises BadInput."""
    if not 2 <= len(corners) <= MOST_CORNERS or any(len(each) != 2 for each in corners):
        raise BadInput("corners", "give 2 to %(most)s corners, each as [longitude, latitude]", most=MOST_CORNERS)
    for lon, lat in corners:
        if not (-180 <= lon <= 180 and -90 <= lat <= 90):
            raise BadInput("corners", "a corner must be a longitude and a latitude in degrees")
    if len(corners) > 2:
        line = Polygon(corners)
        if not line.is_valid:
            raise BadInput("corners", "a line around a part of the map must not cross or touch itself")
        return line
    (west, south), (east, north) = corners
    if west == east or south == north:
        raise BadInput("corners", "two corners of a rectangle must differ in longitude and in latitude")
    return box(min(west, east), min(south, north), max(west, east), max(south, north))
