"""The campaign's blueprint, alone, so that each of its pages can be a file."""

from __future__ import annotations

from flask import Blueprint, abort, request

from webapp.http.seats import NoSeat, store
from webapp.seating.no_seat import no_seat, unknown
from webapp.storage.errors import Unknown

bp = Blueprint("campaign", __name__, template_folder="templates", static_folder="static", url_prefix="/campaign")
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)


@bp.before_request
def campaigns_only() -> None:
    """A battle has no map."""
    game = (request.view_args or {}).get("game")
    if game is not None and store().game(game).system == "galley":
        abort(404)
