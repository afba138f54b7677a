"""O1.2 The board of a printed campaign as a world: its ports, with the great map's landings and lanes between them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from shapely import box

import data
from strategic.coast import apart, on_the_coast
from webapp.systems.open_campaign.cutting import Feature, at_of, great_places, join_places, lies_in

SAME = 40  # nautical miles within which a printed port may be a place of the great map: boards are drawn roughly
BEYOND = 0.5  # degrees about the printed ports from which landings are taken
CITIES = ("city", "walled")  # what boards call their greater places
RANKS = {True: 90, False: 80}


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
        kind = {"kind": "port", "rank": RANKS[about["kind"] in CITIES], "source": system}
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
