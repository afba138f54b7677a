"""A world as large as a world may be, or larger: ports about the globe, each with lanes to those that come after it."""

from __future__ import annotations

from math import cos, sin
from typing import Any


def large_world(ports: int = 400, lanes: int = 1500, points: int = 2, number: int = 0) -> dict[str, Any]:
    """So many ports in the Aegean and east of it, lanes of so many points; `number` makes it another one."""
    places = [
        (round(22 + 12 * (at % 25) / 25, 2), round(33 + 6 * (at // 25) / 16 + 0.1 * sin(at + number), 3))
        for at in range(ports)
    ]
    features: list[dict[str, Any]] = [
        {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": list(place)},
            "properties": {"id": f"p{at}", "name": f"Port {at}", "kind": "port", "rank": 80},
        }
        for at, place in enumerate(places)
    ]
    for lane in range(lanes):
        start, end = lane % ports, (lane % ports + 1 + lane // ports) % ports
        (west, south), (east, north) = places[start], places[end]
        line = [
            [
                round(west + (east - west) * part / (points - 1) + 0.02 * sin(7 * part) * (0 < part < points - 1), 3),
                round(south + (north - south) * part / (points - 1) + 0.02 * cos(part) * (0 < part < points - 1), 3),
            ]
            for part in range(points)
        ]
        about = {"from": f"p{start}", "to": f"p{end}", "kind": "lane"}
        features.append(
            {"type": "Feature", "geometry": {"type": "LineString", "coordinates": line}, "properties": about}
        )
    return {"type": "FeatureCollection", "features": features}
