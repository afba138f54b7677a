"""The sheet of a hex map: each hex a space with its own ground, each region an area, the coast drawn through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import shapely
from shapely.geometry import Polygon, box
from shapely.ops import unary_union

from webapp.presenting.map.projection import fit
from webapp.presenting.map.sheet import MARGIN, WIDTH, Area, Sheet, Spot, Way, name_place, projected_land


def hex_sheet(system: str, raw: Mapping[str, Any], hexes: Sequence[Mapping[str, Any]]) -> Sheet:
    """A sheet from hexes given as polygons of longitude and latitude."""
    corners = np.array([point for f in hexes for point in f["geometry"]["coordinates"][0]], dtype=float)
    conic, height = fit(corners, WIDTH, MARGIN / 3)
    spots = {}
    for feature in hexes:
        about = feature["properties"]
        cell = Polygon(conic.place(np.array(feature["geometry"]["coordinates"][0], dtype=float)))
        town = about.get("settlement")
        name = town.get("name", "") if isinstance(town, Mapping) else town or ""
        kind = "city" if isinstance(town, Mapping) and "city" in str(town.get("kind", "")) else about["terrain"]
        middle = cell.centroid
        spots[feature["id"]] = Spot(
            feature["id"], name, kind, about.get("region"), False, middle.x, middle.y, cell, about
        )
    ways = tuple(
        Way(about["from"], about["to"], about["kind"], _side(conic, feature), about)
        for feature in raw["features"]
        if (about := feature["properties"])["kind"] == "hexside" and about.get("side") == "ferry"
    )
    paper = box(0, 0, WIDTH, height)
    land = projected_land(conic, paper)
    values = {region["name"]: region["value"] for region in raw.get("regions", [])}
    return Sheet(system, WIDTH, height, conic, land, spots, ways, _regions(spots, values), hexes=True)


def _side(conic: Any, feature: Mapping[str, Any]) -> shapely.LineString:
    return shapely.LineString(conic.place(np.array(feature["geometry"]["coordinates"], dtype=float)))


def _regions(spots: Mapping[str, Spot], values: Mapping[str, int]) -> dict[str, Area]:
    members: dict[str, list[Spot]] = {}
    for spot in spots.values():
        if spot.province is not None:
            members.setdefault(spot.province, []).append(spot)
    found = {}
    for region, own in members.items():
        shape = unary_union([spot.cell.buffer(0.6) for spot in own]).buffer(-0.4)
        found[region] = Area(region, region, shape, name_place(shape), {"value": values.get(region)})
    return found
