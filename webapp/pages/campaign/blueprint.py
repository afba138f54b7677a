"""What the blueprints of a campaign's folders have in common: their address, who may not come, and no battles."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request

from webapp.http.seats import NoSeat, store
from webapp.seating.no_seat import no_seat, unknown
from webapp.storage.errors import Unknown


def campaign_blueprint(name: str, module: str = __name__, **more: Any) -> Blueprint:
    """A blueprint under /campaign; its templates lie beside `module`, and `more` is as for any blueprint."""
    bp = Blueprint(name, module, **{"url_prefix": "/campaign", **more})
    bp.register_error_handler(NoSeat, no_seat)
    bp.register_error_handler(Unknown, unknown)
    bp.before_request(campaigns_only)
    return bp


def campaigns_only() -> None:
    """A battle has no map."""
    game = (request.view_args or {}).get("game")
    if game is not None and store().game(game).system == "galley":
        abort(404)
