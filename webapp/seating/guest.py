"""The page of whoever knows a game's code and has no seat: look on, or ask for one and see what is answered."""

from __future__ import annotations

from typing import Any

from flask import render_template, session
from flask_babel import get_locale

from tactical.kernel.protocol import SPECTATOR
from webapp.http.addresses import root
from webapp.http.language import gettext as _
from webapp.http.seats import held_seats, store
from webapp.presenting import campaign_labels
from webapp.presenting.battle_labels import seat_name
from webapp.presenting.labels import translate
from webapp.seating import requests
from webapp.seating.requests import Guest, Request

PLACE = "asked"  # of the session: [game, secret] for each game in which this browser has asked
KEPT = 6  # of them


def secret_of(game: str) -> str:
    """The secret with which this browser has asked for a seat of the game; empty when it never did."""
    return next((secret for code, secret in reversed(session.get(PLACE, [])) if code == game), "")


def remember_secret(game: str, secret: str) -> None:
    """Keep what this browser has asked with."""
    others = [pair for pair in session.get(PLACE, []) if pair[0] != game]
    session[PLACE] = [*others, [game, secret]][-KEPT:]
    session.permanent = True


def guest(game: str) -> Guest:
    """Who asks in this request."""
    return Guest(str(get_locale() or "en"), root(), secret_of(game))


def page_values(game: str, problem: str = "") -> dict[str, Any]:
    """What the page shows: the game, its sides and who sits there, and how the own request stands."""
    table = store().load(game).for_seat(SPECTATOR)
    secret = secret_of(game)
    request = requests.mine(store(), game, secret) if secret else None
    return {
        "game": table.game,
        "title": translate(table.game.title),
        "problem": problem,
        "request": request,
        "seat": title_of(game, request.seat) if request else "",
        "sides": [(side, title_of(game, side), requests.sitters(store(), game, side)) for side in table.sides],
        "held": [(seat.id, title_of(game, seat.id)) for seat in held_seats(game)],
        "name": request.name if request else "",
    }


def page(game: str, problem: str = "") -> str:
    """The whole page."""
    return render_template("seating/ask.html", **page_values(game, problem))


def title_of(game: str, seat: str) -> str:
    """What a seat is called on pages."""
    table = store().load(game)
    if table.game.system == "galley":
        return seat_name(table.view(SPECTATOR), seat)
    return campaign_labels.seat_name(table.state, seat)


def request_sentence(request: Request) -> str:
    """A request in words, for who answers it."""
    return _("%(name)s asks for the seat %(seat)s.", name=request.name, seat=title_of(request.game, request.seat))
