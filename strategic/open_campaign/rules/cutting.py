"""O1.2 A cut of the great map between two corners, with what is odd about it in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import data
from strategic.open_campaign.rules.world import Point, cut
from tactical.kernel.protocol import Illegal
from tactical.kernel.reason import Reason, because
from tactical.kernel.record import BadInput

RANK = 80
TOLD = 8  # names in one sentence


def cut_with_remarks(
    corners: Sequence[Sequence[float]], rank: int = RANK, spaces: int | None = None
) -> tuple[dict[str, Any], list[Reason]]:
    """The spaces and lanes between two corners (longitude, latitude) as GeoJSON, from a rank upwards, and remarks.

    Where fewer than `spaces` lie there, the next lower ranks are taken, too. Raises BadInput for corners that are
    none, and Illegal (O1.2) where nothing lies between them.
    """
    between = box(corners)
    here = places(between)
    ranks = sorted({about["rank"] for about in here}, reverse=True)
    taken = rank
    for lower in ranks:
        if spaces is not None and lower < taken and sum(about["rank"] >= taken for about in here) < spaces:
            taken = lower
    world = cut(between, taken)
    kept = {each["properties"]["id"] for each in world["features"] if each["geometry"]["type"] == "Point"}
    if not kept:
        raise Illegal("O1.2", "No place of rank %(rank)s or more lies between these corners.", rank=rank)
    return world, list(remarks(here, kept, rank, taken))


def remarks(here: list[dict[str, Any]], kept: set[str], rank: int, taken: int) -> list[Reason]:
    """What an organizer should know of a cut: lower ranks that were taken, places that no lane reaches."""
    found = []
    if taken != rank:
        known = sum(about["rank"] >= rank for about in here)
        found.append(
            because(
                "Too few places are of rank %(rank)s or more (%(known)s): all of rank %(taken)s or more are included.",
                rank=rank,
                known=known,
                taken=taken,
            )
        )
    lost = sorted(about["name"] for about in here if about["rank"] >= taken and about["id"] not in kept)
    if lost:
        said = ", ".join(lost[:TOLD]) + (", …" if len(lost) > TOLD else "")
        found.append(
            because(
                "No lane inside the chosen part of the map leads to these places, so they are left out: %(places)s.",
                places=said,
            )
        )
    return found


def box(corners: Sequence[Sequence[float]]) -> tuple[Point, Point]:
    """Two corners as they were given. Raises BadInput."""
    if len(corners) != 2 or any(len(each) != 2 for each in corners):
        raise BadInput("corners", "give two corners, each as [longitude, latitude]")
    for lon, lat in corners:
        if not (-180 <= lon <= 180 and -90 <= lat <= 90):
            raise BadInput("corners", "a corner must be a longitude and a latitude in degrees")
    (west, south), (east, north) = corners
    if west == east or south == north:
        raise BadInput("corners", "two corners of a rectangle must differ in longitude and in latitude")
    return (float(west), float(south)), (float(east), float(north))


def places(between: tuple[Point, Point]) -> list[dict[str, Any]]:
    """The places of the great map between two corners."""
    (west, east), (south, north) = (sorted(each) for each in zip(*between, strict=True))
    found = []
    for feature in data.raw_json("open_campaign/map.geojson")["features"]:
        if feature["geometry"]["type"] == "Point":
            lon, lat = feature["geometry"]["coordinates"][:2]
            if west <= lon <= east and south <= lat <= north:
                found.append(feature["properties"])
    return found
