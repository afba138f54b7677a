"""Asking for a seat and answering, on pages: the same for battles and campaigns."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.addresses import seat_path
from webapp.http.forms import whole
from webapp.http.rate_limit import slow_down
from webapp.http.seats import NoSeat, current_seat, held_seats, is_organizer, remember, store
from webapp.pages.game import kind
from webapp.post import seating
from webapp.post.api import by_whom
from webapp.post.seating import Request, no_seat, unknown
from webapp.presenting.refusals import flash_of
from webapp.storage.errors import Barred, Refused, Unknown

bp = Blueprint("seating", __name__, template_folder="templates")
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)
BACK = {"seats": "/seats/{game}", "organizer": "/organizer"}  # whence it came


# The guest --------------------------------------------------------------------------------------------


@bp.get("/g/<game>/ask")
def ask_page(game: str) -> ResponseReturnValue:
    """The game's page for whoever has no seat, or wants another."""
    return sit_down(game) or seating.page(game)


@bp.post("/g/<game>/ask")
def ask(game: str) -> ResponseReturnValue:
    """Ask for a seat by a name, or ask no more."""
    store().game(game)
    secret = seating.secret_of(game)
    if request.form.get("act") == "withdraw":
        seating.withdraw(store(), game, secret)
        return redirect(url_for("seating.ask_page", game=game), 303)
    slow_down("seats")
    try:
        _made, secret = seating.ask_for_seat(
            store(), game, request.form.get("wanted", ""), request.form.get("name", ""), seating.guest(game)
        )
    except (BadInput, Refused) as fault:
        return seating.page(game, flash_of(fault).text), 422
    seating.remember_secret(game, secret)
    return redirect(url_for("seating.ask_page", game=game), 303)


@bp.get("/g/<game>/asked")
def asked(game: str) -> ResponseReturnValue:
    """How the own request stands, for live updates; when the answer is yes the page goes to the seat by itself."""
    found = sit_down(game)
    if found is None:
        return render_template("seating/_waiting.html", **seating.page_values(game))
    if not request.headers.get("HX-Request"):
        return found
    answer = make_response("", 204)
    answer.headers["HX-Redirect"] = found.location
    return answer


def sit_down(game: str) -> Any:
    """Sit down where this browser's request was granted, once; None where it was not."""
    secret = seating.secret_of(game)
    found = seating.mine(store(), game, secret) if secret else None
    seat = store().seat_of(secret) if found is not None and found.state == "given" else None
    if seat is None or any(held.id == seat.id for held in held_seats(game)):
        return None
    remember(seat, secret)
    return redirect(seat_path(game, seat.id), 303)


# The umpire and the organizer --------------------------------------------------------------------------


@bp.app_template_global()
def seat_requests(game: str, seat: str) -> tuple[tuple[Request, str, str], ...]:
    """The requests that wait, for the umpire: each in words, and who sits there already; nothing for others."""
    return waiting(game) if seat == UMPIRE else ()


def waiting(game: str) -> tuple[tuple[Request, str, str], ...]:
    """The same, for whoever may see it."""
    return tuple(
        (each, seating.request_sentence(each), seating.sitters(store(), game, each.seat))
        for each in seating.waiting_in(store(), game)
    )


@bp.get("/g/<game>/requests")
def listed(game: str) -> str:
    """The requests that wait, as the part of a page of seats that live updates swap in."""
    if current_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can give out seats.")
    return render_template("seating/_listed.html", game=game, record=store().game(game), back=request.args.get("back"))


@bp.post("/g/<game>/answer")
def answer(game: str) -> ResponseReturnValue:
    """Say yes or no to a request."""
    store().game(game)
    by_whom(game)
    back = BACK.get(request.form.get("back", ""))
    try:
        seating.answer(store(), game, whole(request.form.get("request"), "request"), request.form.get("say") == "yes")
    except (BadInput, Refused) as fault:
        if back is None:
            return kind(store().game(game).system).refused(game, fault)
        raise
    if back is None:
        return kind(store().game(game).system).again(game)
    return redirect(back.format(game=game), 303)


@bp.get("/organizer/asked")
def of_all_games() -> Response:
    """The requests of every game that this browser keeps, for the organizer's page."""
    return make_response(render_template("seating/_organizer.html"))


@bp.app_template_global()
def seat_requests_everywhere() -> list[tuple[str, tuple[Request, str, str]]]:
    """The requests that wait in any game: of all for the organizer, else of those where this browser is the umpire."""
    local = is_organizer()
    found = seating.games_waiting(store())
    kept = [game for game in found if local or any(seat.id == UMPIRE for seat in held_seats(game))]
    return [(game, each) for game in kept for each in waiting(game)]
