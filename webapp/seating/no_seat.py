"""Who comes without a seat, or to a game that does not exist: how to get in."""

from __future__ import annotations

from typing import Any

from flask import make_response, request

from webapp.http import error_pages
from webapp.http.seats import NoSeat
from webapp.seating import guest
from webapp.storage.errors import Unknown


def no_seat(fault: NoSeat) -> Any:
    """Nobody's page: say how to get a seat. A page that was open is sent there."""
    game = (request.view_args or {}).get("game", "")
    if request.headers.get("HX-Request"):
        answer = make_response("", 204)
        answer.headers["HX-Redirect"] = f"/g/{game}"
        return answer
    return guest.page(game), 401


def unknown(fault: Unknown) -> Any:
    """No such game, ship or entry."""
    return error_pages.not_found(fault)
