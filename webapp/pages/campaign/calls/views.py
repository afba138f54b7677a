"""Where a seat is called when it is its turn."""

from __future__ import annotations

from flask import current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import get_locale

from webapp.http.addresses import root
from webapp.http.game_pages import REFUSALS
from webapp.http.rate_limit import slow_down
from webapp.http.seats import current_seat, store
from webapp.pages.campaign.blueprint import campaign_blueprint
from webapp.post.notifier import Notifier
from webapp.post.turn_status import when
from webapp.post.webhooks import call_of, keep
from webapp.presenting.flash import Flash, flash_of
from webapp.storage.journal import tokens

bp = campaign_blueprint("calls")


@bp.get("/<game>/calls")
def calls(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """Where this seat is called, and how the last call went."""
    seat = current_seat(game)
    body = render_template(
        "campaign/calls.html",
        game=store().game(game),
        seat=seat.id,
        flash=flash,
        call=call_of(store(), game, seat.id),
        said_when=when,
    )
    return body, flash.status if flash else 200


@bp.post("/<game>/calls")
def set_call(game: str) -> ResponseReturnValue:
    """Say where this seat is to be called; an empty address ends it."""
    seat = current_seat(game)
    notifier: Notifier = current_app.extensions["navarch-notifier"]
    form = request.form
    slow_down("calls")
    try:
        keep(
            store(),
            game,
            seat.id,
            form.get("url", ""),
            bool(form.get("at_once")),
            bool(form.get("daily")),
            root(),
            notifier.near,
            str(get_locale() or "en"),
            tokens.token_hash(g.token),
        )
    except REFUSALS as fault:
        return calls(game, flash_of(fault))
    notifier.start()
    return redirect(url_for("calls.calls", game=game, seat=seat.id), 303)
