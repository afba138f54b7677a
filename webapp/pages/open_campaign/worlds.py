"""The world of a war as a file: GeoJSON to take out and to put back (O1.1)."""

from __future__ import annotations

from typing import Any

from flask import Response, redirect, request, url_for

from strategic.open_campaign.rules.world import check_world, stock_world
from tactical.drawing import check_size
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, encode, plain
from webapp.http.forms import parse_field
from webapp.http.game_pages import REFUSALS
from webapp.http.seats import current_seat, store
from webapp.pages.open_campaign import desk, desk_acts
from webapp.pages.open_campaign.blueprint import SYSTEM, open_blueprint
from webapp.presenting.flash import flash_of

bp = open_blueprint("open_worlds")
LARGEST = 1000 << 10  # bytes of a file, which may be spaced out: a world has fewer


@bp.get("/<game>/world.geojson")
def of_game(game: str) -> Response:
    """The world of a war, which everybody at it may see, for any map program."""
    seat = current_seat(game).id
    return as_file(plain(store().load(game).view(seat))["world"], game)


@bp.post("/<game>/world")
def put_back(game: str) -> Any:
    """O1.1, O1.3 The umpire puts the world back as he has edited it in a map program, with a reason."""
    desk.umpires(game)
    try:
        why = request.form.get("why", "").strip()[:200]
        if not why:
            raise BadInput("why", "give a reason for this change to the world")
        desk_acts.submit(game, {"type": "adjust", "changes": {"world": read_upload()}, "why": why})
    except REFUSALS as fault:
        return desk.desk_page(game, flash_of(fault, SYSTEM))
    return redirect(url_for("open_desk.page", game=game, seat=UMPIRE), 303)


def read_upload() -> dict[str, Any]:
    """The world of an uploaded file. Raises BadInput for what is no GeoJSON."""
    file = request.files.get("file")
    written = file.read(LARGEST + 1) if file else b""
    check_size(len(written), LARGEST, "world")
    given = parse_field(written.decode("utf-8", "replace"), "world")
    if not isinstance(given, dict):
        raise BadInput("world", "this must be GeoJSON with a list of features")
    check_world(given, None, "world")
    return given


def as_file(world: str | dict[str, Any], name: str) -> Response:
    """A world as a file to keep."""
    answer = Response(encode(stock_world(world) if isinstance(world, str) else world), mimetype="application/geo+json")
    answer.headers["Content-Disposition"] = f'attachment; filename="world-{name}.geojson"'
    return answer
