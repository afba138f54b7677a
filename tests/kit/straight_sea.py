"""A straight sea with ports in a row, as a world of one's own."""

from __future__ import annotations

from typing import Any

STEP = 0.5  # degrees of longitude between two ports: 24 nautical miles on the 36th parallel


def row(ports: int = 6) -> dict[str, Any]:
    """Ports p0, p1 … from west to east, each a lane of 24 miles from the next."""
    places = [(round(20 + STEP * number, 2), 36.0) for number in range(ports)]
    spaces = [
        {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": list(at)},
            "properties": {"id": f"p{number}", "name": f"Port {number}", "kind": "port", "rank": 80},
        }
        for number, at in enumerate(places)
    ]
    lanes = [
        {
            "type": "Feature",
            "geometry": {"type": "LineString", "coordinates": [list(places[number]), list(places[number + 1])]},
            "properties": {"from": f"p{number}", "to": f"p{number + 1}", "kind": "lane", "cost": 24},
        }
        for number in range(ports - 1)
    ]
    return {"type": "FeatureCollection", "features": [*spaces, *lanes]}
