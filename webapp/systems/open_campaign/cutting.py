"""O1.2 Worlds: a part of the great map, and the boards of printed campaigns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import sin
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, box, intersects_xy

import data
from strategic.coast import EARTH, MAP, Laid, Point, apart, feature_of, lay_lanes, on_the_coast, same_spot
from strategic.open_campaign.rules.world import great_map, joined_by
from tactical.kernel.cache import remember
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, Reason, because, encode

# -- O1.2 A part of the great map as a world, filled up from the gazetteer, with what is odd in sentences.

RANK = 80
MOST_CORNERS = 24  # of a line around a part of the map
DIGITS = 3  # of a degree in a corner, as many as places have
TOLD = 8  # names in one sentence
NEAREST = 5.0  # nautical miles between a place of the gazetteer and the next one
KINDS = {"place": "port", "island": "beach", "cape": "cape"}  # of the gazetteer
CLOSE = (2 * sin(NEAREST / EARTH / 2)) ** 2  # the same as a square through the globe
RANKS = {"place": 70, "island": 60, "cape": 60}
Feature = dict[str, Any]
Corners = tuple[Point, ...]
Floats = NDArray[np.float64]


class Cut(NamedTuple):
    """A part of the map as a world: its GeoJSON, written, and what is odd about it."""

    world: bytes
    remarks: tuple[Reason, ...]


def cut_with_remarks(
    corners: Sequence[Sequence[float]], rank: int = RANK, spaces: int | None = None
) -> tuple[dict[str, Any], list[Reason]]:
    """The spaces and lanes of a part of the map as GeoJSON, from a rank upwards, and remarks.

    The part is what lies between two corners (longitude, latitude), or within a line of three or more. Where fewer
    than `spaces` lie there, the next lower ranks are taken, then places of the gazetteer. What the map's lanes do not
    join is joined by lanes that are laid round the land. Raises BadInput for corners that are none, and Illegal (O1.2)
    where nothing lies there.
    """
    found = cut_out(check_corners(corners), rank, spaces)
    return msgspec.json.decode(found.world), list(found.remarks)


@remember
def cut_out(corners: Corners, rank: int, spaces: int | None) -> Cut:
    """The same, kept by its corners. Raises BadInput, Illegal."""
    part = part_of(corners)
    here = [each for each, is_in in zip(great_places(), lies_in(great_places(), part), strict=True) if is_in]
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
    return Cut(encode(world), (*of_ranks(rank, taken, known), *of_places(points, kept, more), *of_lanes(laid)))


def great_places() -> list[Feature]:
    """The places of the great map."""
    return [each for each in great_map()["features"] if each["geometry"]["type"] == "Point"]


def join_places(points: Mapping[str, Feature]) -> tuple[dict[str, Any], set[str], list[Laid]]:
    """O1.2 The places joined by the great map's lanes and by laid ones, as GeoJSON; the places kept; the laid lanes."""
    ways = [each for each in great_map()["features"] if each["geometry"]["type"] == "LineString"]
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
    if wanted <= 0:
        return {}
    found: dict[str, Feature] = {}
    here = all_places().lying_in(part)
    far = np.full(len(here.rows), np.inf if chosen else CLOSE)
    for at in on_globe([at_of(each) for each in chosen.values()]):
        far = np.minimum(far, here.squares(at))
    while len(found) < wanted and far.size and far[first := int(far.argmax())] >= CLOSE:
        place = place_of(here.rows[first])
        found[place["properties"]["id"]] = place
        far = np.minimum(far, here.squares(here.globe[first]))
    return found


class Gazetteer(NamedTuple):
    """Rows of the gazetteer by their ids: id, name, kind, longitude, latitude, Pleiades' number; and where they lie."""

    rows: list[list[Any]]
    at: Floats
    globe: Floats

    def lying_in(self, part: Polygon) -> Gazetteer:
        """Those in a part of the map."""
        is_in = intersects_xy(part, self.at)
        return Gazetteer(
            [row for row, each in zip(self.rows, is_in, strict=True) if each], self.at[is_in], self.globe[is_in]
        )

    def squares(self, at: Floats) -> Floats:
        """The square of the straight way through the globe from a point to each of them."""
        return ((self.globe - at) ** 2).sum(axis=1)


@cache
def all_places() -> Gazetteer:
    """O1.2 The whole gazetteer."""
    rows = sorted(data.raw_json("open_campaign/gazetteer.json")["places"])
    at = [(row[3], row[4]) for row in rows]
    return Gazetteer(rows, np.array(at, dtype=float), on_globe(at))


def on_globe(points: Sequence[Point]) -> Floats:
    """Longitudes and latitudes as points of a globe with the radius 1."""
    lons, lats = np.radians(np.array(points, dtype=float).reshape(-1, 2)).T
    return np.stack([np.cos(lats) * np.cos(lons), np.cos(lats) * np.sin(lons), np.sin(lats)], axis=1)


def place_of(row: Sequence[Any]) -> Feature:
    """A place of the gazetteer as GeoJSON: a small port, an island's beach, or a cape."""
    id, name, kind, lon, lat, number = row
    about = {"id": id, "name": name, "kind": KINDS[kind], "rank": RANKS[kind], "source": "pleiades", "pleiades": number}
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": [lon, lat]}, "properties": about}


def at_of(feature: Feature) -> Point:
    """Where a place lies."""
    lon, lat = feature["geometry"]["coordinates"][:2]
    return float(lon), float(lat)


def way_of(feature: Feature) -> tuple[str, str, int]:
    """The ends of a lane, and its length."""
    about = feature["properties"]
    return about["from"], about["to"], about["cost"]


def lies_in(features: Iterable[Feature], part: Polygon) -> NDArray[np.bool_]:
    """Of each of these places: does it lie in a part of the map, or on its edge?"""
    return intersects_xy(part, np.array([at_of(each) for each in features]))


def check_corners(corners: Sequence[Sequence[float]], least: int = 2) -> Corners:
    """Corners as fine as places are. Raises BadInput for too few, too many, and those that are not on the map."""
    west, south, east, north = MAP
    if not least <= len(corners) <= MOST_CORNERS or any(len(each) not in (2, 3) for each in corners):
        raise BadInput("corners", "give 2 to %(most)s corners, each as [longitude, latitude]", most=MOST_CORNERS)
    corners = [each[:2] for each in corners]  # a third number is a height
    if not all(west <= lon <= east and south <= lat <= north for lon, lat in corners):
        raise BadInput(
            "corners",
            "a corner must lie on the map, between %(west)s and %(east)s degrees of longitude and between %(south)s and"
            " %(north)s degrees of latitude",
            west=west,
            south=south,
            east=east,
            north=north,
        )
    return tuple((round(float(lon), DIGITS), round(float(lat), DIGITS)) for lon, lat in corners)


def part_of(corners: Corners) -> Polygon:
    """O1.2 What lies between two corners, or within the line of three or more. Raises BadInput."""
    if len(corners) > 2:
        line = Polygon(corners)
        if not line.is_valid:
            raise BadInput("corners", "a line around a part of the map must not cross or touch itself")
        return line
    (west, south), (east, north) = corners
    if west == east or south == north:
        raise BadInput("corners", "two corners of a rectangle must differ in longitude and in latitude")
    return box(min(west, east), min(south, north), max(west, east), max(south, north))


# -- O1.2 The board of a printed campaign as a world: its ports, with the great map's landings and lanes between them.

SAME = 40  # nautical miles within which a printed port may be a place of the great map: boards are drawn roughly
BEYOND = 0.5  # degrees about the printed ports from which landings are taken
CITIES = ("city", "walled")  # what boards call their greater places
PORT_RANKS = {True: 90, False: 80}


@cache
def printed_world(system: str) -> Feature:
    """The world of a printed campaign's board as GeoJSON; its ports that a lane reaches, by their printed names.

    Every port of the board is a port; what else of the great map lies between them is a beach or a cape, for the night.
    """
    ports = {each["properties"]["id"]: each for each in ports_of(system)}
    lons, lats = zip(*map(at_of, ports.values()), strict=True)
    window = box(min(lons) - BEYOND, min(lats) - BEYOND, max(lons) + BEYOND, max(lats) + BEYOND)
    great = great_places()
    points = {
        each["properties"]["id"]: landing(each)
        for each, is_in in zip(great, lies_in(great, window), strict=True)
        if is_in
    }
    near = sorted(
        (points[there]["properties"]["name"] != port["properties"]["name"], round(far, 1), name, there)
        for name, port in ports.items()
        for there in points
        if (far := apart(at_of(points[there]), at_of(port))) <= SAME
    )
    taken: dict[str, str] = {}
    for _, _, name, there in near:
        if name not in taken and there not in taken.values():
            taken[name] = there
    for name, port in ports.items():
        id = taken.get(name, f"{system}-{name}")
        at = at_of(points[there]) if (there := taken.get(name)) else on_the_coast(at_of(port))
        shape = {"type": "Point", "coordinates": list(at)}
        points[id] = {"type": "Feature", "geometry": shape, "properties": {**port["properties"], "id": id}}
    world, _, _ = join_places(points)
    return {**world, "id": f"printed-{system}"}


def ports_of(system: str) -> Iterator[Feature]:
    """The ports of a board: spaces that are ports, or named hexes on the coast."""
    for each in data.raw_json(f"{system}/map.geojson")["features"]:
        about = each["properties"]
        if not about.get("name") or not (about.get("port") or about.get("coast")):
            continue
        at = about["lonlat"] if "lonlat" in about else each["geometry"]["coordinates"]
        kind = {"kind": "port", "rank": PORT_RANKS[about["kind"] in CITIES], "source": system}
        yield {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": list(at)},
            "properties": {"id": about["id"], "name": about["name"], **kind},
        }


def landing(place: Feature) -> Feature:
    """A place of the great map as one where a fleet may spend the night, and no more."""
    about = place["properties"]
    kind = "beach" if about["kind"] == "port" else about["kind"]
    return {**place, "properties": {**about, "kind": kind, "rank": min(about["rank"], 60)}}
