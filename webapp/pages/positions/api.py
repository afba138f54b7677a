"""The API of saved positions: everybody lists and reads them, and saves one that the engine accepts."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from tactical.kernel.proper_names import Title
from tactical.kernel.record import Input, plain
from webapp.api.errors import answer, answer_in_json
from webapp.http.organizer import allow_new_game
from webapp.http.rate_limit import slow_down
from webapp.http.request_body import body
from webapp.http.seats import store
from webapp.pages.positions import sheets, shelf
from webapp.spreadsheets.scenario import EXAMPLE, scenario_sheets
from webapp.spreadsheets.writing import check_format, download
from webapp.storage.services import saved_positions

bp = Blueprint("positions_api", __name__, url_prefix="/api/v1/positions")
answer_in_json(bp)


class Drawn(Input, frozen=True):
    """A position to save, in the form in which a new game takes it."""

    title: Title
    position: dict[str, Any]
    system: str = saved_positions.SYSTEM


@bp.get("")
def list_positions() -> Response:
    """The saved positions: code, title, time, number of ships, system."""
    return answer({"positions": [plain(each) for each in saved_positions.all_positions(store())]})


@bp.get("/<id>")
def show_position(id: str) -> Response:
    """One of them with its position, which `POST /games` takes."""
    kept, position = saved_positions.load(store(), id)
    return answer({**plain(kept), "position": position})


@bp.get("/<id>/file.<format>")
def file(id: str, format: str) -> Response:
    """One of them as a spreadsheet (csv, ods, xlsx); CSV has its ships alone."""
    check_format(format)
    kept, position = saved_positions.load(store(), id, is_battle=True)
    return download(scenario_sheets(kept.title, position), "navarch-position", format)


@bp.get("/template.<format>")
def template(format: str) -> Response:
    """A spreadsheet to fill in: two ships and a sea."""
    return download(scenario_sheets("", EXAMPLE), "navarch-position", format)


@bp.post("/read")
def read() -> Response:
    """The title and the position of a spreadsheet (the body: CSV, ODS or XLSX); nothing is saved."""
    slow_down("spreadsheets")
    draft = sheets.open_sheets(request.get_data(cache=False))
    return answer({"title": draft.title, "position": draft.position})


@bp.post("")
def save() -> Response:
    """Save a position, once a game can begin from it; nothing in it is secret."""
    wanted = body(Drawn)
    allow_new_game()
    return answer(plain(shelf.save(wanted.title, wanted.position, wanted.system)), 201)
