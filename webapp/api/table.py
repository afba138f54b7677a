"""The API of photographs of a table: what one says of the ships, and what that would mean for a battle.

No photograph is kept, and nothing changes: a proposal is put on the board by the umpire's `adjust`, or by nobody.
"""

from __future__ import annotations

from flask import Blueprint, Response, request
from msgspec.structs import astuple

from tactical.battle import Battle
from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import BadInput, plain
from tactical.tabletop import Layout, Lies, propose, read_layout
from webapp.api.errors import answer, answer_in_json
from webapp.api.openapi import TableProposed
from webapp.camera.reading import LARGEST, Reading, TableRead, as_answer, read_photo, read_taps
from webapp.http.forms import parse
from webapp.http.rate_limit import reckon_apart
from webapp.http.seats import acting_seat, store
from webapp.storage.errors import Barred

bp = Blueprint("table_api", __name__, url_prefix="/api/v1")
answer_in_json(bp)


@bp.post("/table/read")
@reckon_apart("table photographs")
def read() -> Response:
    """Where the ships in a photograph of a table lie; nothing is stored."""
    return told(as_answer(reading_sent()[1]))


@bp.post("/games/<game>/table")
@reckon_apart("table photographs")
def propose_places(game: str) -> Response:
    """What a photograph of the table would mean for this battle: places, contacts, ranges; nothing is changed."""
    if acting_seat(game).id == SPECTATOR:
        raise Barred("Only the umpire and the sides can read a photograph of their table.")
    state = store().load(game).state
    if not isinstance(state, Battle) or state.board.kind == "hexes":
        raise BadInput("game", "a photograph is read for the measured sea and for the players' own table")
    layout, reading = reading_sent()
    said = as_answer(reading)
    if said.why_not is not None:
        return told(said)
    proposal, doubts = propose(state, layout, {name: Lies(*astuple(ship)) for name, ship in said.ships.items()})
    ask = sorted({*said.ask, *doubts.ask})
    rest = {field: getattr(said, field) for field in said.__struct_fields__}
    rest |= {
        "ask": ask,
        "not_seen": [name for name in doubts.not_seen if name not in ask],
        "warnings": [*said.warnings, *map(str, doubts.reasons)],
    }
    return answer(TableProposed(**rest, proposal=proposal))


def reading_sent() -> tuple[Layout, Reading]:
    """The layout and the reading of what was sent: `photo`, `layout`, perhaps `corners`. Raises BadInput, TooMany."""
    photo = request.files.get("photo")
    if photo is None:
        raise BadInput("photo", "send a photograph as the part 'photo' of a form (multipart/form-data)")
    sent = request.files.get("layout")
    text = sent.stream.read() if sent is not None else request.form.get("layout", "").encode()
    if not text:
        raise BadInput("layout", "send the layout.json of the sheet as the part 'layout'")
    layout = read_layout(parse(text))
    return layout, read_photo(photo.stream.read(LARGEST + 1), layout, read_taps(request.form.get("corners", "")))


def told(said: TableRead) -> Response:
    """The answer: 200, or 422 with `why_not`, which is also the error."""
    if said.why_not is None:
        return answer(said)
    return answer({"error": said.why_not, "rule": None, "detail": {"path": "photo"}, **plain(said)}, 422)
