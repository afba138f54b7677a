"""The API of worlds: ready-made ones and printed maps as GeoJSON, cuts of the ancient sea, files of map programs."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, request
from msgspec import Meta

from strategic import NAMES, atlas
from strategic.open_campaign.rules.world import stock_world
from strategic.open_campaign.tables import WORLDS
from tactical.kernel.record import BadInput, Input
from webapp.api.errors import answer, answer_in_json
from webapp.http.forms import body
from webapp.http.rate_limit import reckon_apart
from webapp.presenting.refusals import refusal_text
from webapp.storage.errors import Unknown
from webapp.systems.open_campaign.cutting import MOST_CORNERS, RANK, cut_with_remarks
from webapp.systems.open_campaign.world_file import LARGEST, read_worlds

bp = Blueprint("worlds_api", __name__, url_prefix="/api/v1/worlds")
answer_in_json(bp)
WHOLE = "mediterranean"
Corner = Annotated[tuple[float, ...], Meta(max_length=3)]


class Cut(Input, frozen=True):
    """What to cut out of a world: two corners or a line of more, the least rank of its places, and how many of them."""

    corners: Annotated[tuple[Corner, ...], Meta(max_length=MOST_CORNERS + 1)]
    world: str = WHOLE
    rank: Annotated[int, Meta(ge=0, le=100)] = RANK
    spaces: Annotated[int, Meta(ge=1, le=300)] | None = None


@bp.get("")
def worlds() -> Response:
    """The ready-made worlds by their ids and titles: cuts of the ancient sea, and the printed maps."""
    printed = [
        {"id": name, "title": str(atlas.geojson(name).get("title", name))} for name in NAMES if name not in WORLDS
    ]
    found = [{"id": id, "title": world.title} for id, world in WORLDS.items()]
    return answer({"worlds": [*found, *printed]})


@bp.get("/<name>")
def world(name: str) -> Response:
    """A ready-made world as GeoJSON."""
    drawn = answer(stock_world(name) if name in WORLDS else printed_map(name))
    drawn.mimetype = "application/geo+json"
    return drawn


def printed_map(name: str) -> dict[str, Any]:
    """The map of a printed system. Raises Unknown."""
    try:
        return atlas.geojson(name)
    except BadInput:
        raise Unknown(f"There is no world '{name}'.") from None


@bp.post("/cut")
@reckon_apart("cuts")
def cut() -> Response:
    """A cut of the ancient Mediterranean with remarks on what is odd about it; nothing is stored."""
    wanted = body(Cut)
    if wanted.world != WHOLE:
        raise BadInput("world", "a part can be cut only from the world 'mediterranean'")
    found, remarks = cut_with_remarks(wanted.corners, wanted.rank, wanted.spaces)
    return answer({"world": found, "remarks": [refusal_text("", each) for each in remarks]})


@bp.post("")
@reckon_apart("cuts")
def read() -> Response:
    """The world of a file, as a position takes it, and a report of what was read and left out; nothing is stored.

    The body is the file (GeoJSON, KML, or a list as CSV, ODS or XLSX), or a form with several of them as `file`.
    """
    sent = [(each.filename or "", each.read(LARGEST + 1)) for each in request.files.getlist("file")]
    found = read_worlds(sent or [("body", request.get_data(cache=False))])
    return answer({"world": found.world, "report": found.report.as_json()})
