"""The pages of a war of one's own: dispatches, orders, the umpire's desk, the set-up; what they have in common."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request

from webapp.http.seats import NoSeat, store
from webapp.post.seating import no_seat, unknown
from webapp.storage.errors import Unknown

# -- What the pages of a war of one's own have in common: their address, their errors, and whose games they are of.

SYSTEM = "open_campaign"


def open_blueprint(name: str, **more: Any) -> Blueprint:
    """A blueprint under /open; its games are of this system alone."""
    bp = Blueprint(name, __name__, **{"url_prefix": "/open", "template_folder": "templates", **more})
    bp.register_error_handler(NoSeat, no_seat)
    bp.register_error_handler(Unknown, unknown)
    bp.before_request(ours_only)
    return bp


def ours_only() -> None:
    """A battle or a printed campaign has none of these pages."""
    game = (request.view_args or {}).get("game")
    if game is not None and store().game(game).system != SYSTEM:
        abort(404)
