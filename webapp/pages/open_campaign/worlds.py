"""The world of a war as a file: GeoJSON to take out and to put back (O1.1)."""

from __future__ import annotations

from typing import Any

from flask import Response

from strategic.open_campaign.rules.world import ready_made
from tactical.kernel.record import encode, plain
from webapp.http.seats import current_seat, store
from webapp.pages.open_campaign.blueprint import open_blueprint

bp = open_blueprint("open_worlds")


@bp.get("/<game>/world.geojson")
def of_game(game: str) -> Response:
    """The world of a war, which everybody at it may see, for any map program."""
    seat = current_seat(game).id
    return as_file(plain(store().load(game).view(seat))["world"], game)


def as_file(world: str | dict[str, Any], name: str) -> Response:
    """A world as a file to keep."""
    answer = Response(encode(ready_made(world) if isinstance(world, str) else world), mimetype="application/geo+json")
    answer.headers["Content-Disposition"] = f'attachment; filename="world-{name}.geojson"'
    return answer
