"""Who comes without a seat, or to a game that does not exist: how to get in."""

from __future__ import annotations

from typing import Any

from flask import make_response, render_template, request

from webapp.http import error_pages
from webapp.http.seats import NoSeat, store
from webapp.pages.lobby.labels import translated
from webapp.storage.errors import Unknown


def no_seat(fault: NoSeat) -> Any:
    """Nobody's page: say how to get a seat. A page that was open is sent there."""
    game = (request.view_args or {}).get("game", "")
    if request.headers.get("HX-Request"):
        answer = make_response("", 204)
        answer.headers["HX-Redirect"] = f"/g/{game}"
        return answer
    known = store().game(game)
    return render_template("battle/no_seat.html", game=game, title=translated(known.title), look_on=True), 401


def unknown(fault: Unknown) -> Any:
    """No such game, ship or entry."""
    return error_pages.not_found(fault)
