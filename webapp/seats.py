"""Who is asking: a bearer token, or the seats that this browser has joined.

A browser's session holds [game, seat, token] for each seat it has joined, so that several seats can share
one tablet; `?seat=` says which of them is meant, else it is the one joined last. A seat taken by session
needs a CSRF token to write.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, current_app, g, redirect, request, session

from webapp.limits import slow_down
from webapp.links import campaign_of, seat_in
from webapp.records import Seat
from webapp.refusals import Barred, Unknown
from webapp.store import Store

bp = Blueprint("seats", __name__)
KEPT = 32  # seats a browser remembers: a cookie holds 4 KB


class NoSeat(Exception):
    """No token, or one that is nobody's."""


def store() -> Store:
    """The store of this application."""
    found: Store = current_app.extensions["navarch"]
    return found


def bearer() -> str | None:
    """The token of the Authorization header, if there is one."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def current_seat(game: str) -> Seat:
    """The seat that asks. Raises Unknown (no such game), NoSeat, Barred (a seat of another game)."""
    store().game(game)
    token = bearer()
    if token is not None:
        named = store().seat_of(token)
        if named is None:
            slow_down("tokens")
            raise NoSeat("This token is not known: it may have been withdrawn.")
        seat = seat_in(store(), game, named)
        if seat is None:
            raise Barred("This token is for a seat in another game.")
        return _chosen(seat)
    held = held_seats(game)
    if not held:
        raise NoSeat("Name your seat with 'Authorization: Bearer TOKEN', or open its join link.")
    wanted = request.args.get("seat")
    return _chosen(next((seat for seat in held if seat.id == wanted), held[0]))


def seat_or_none(game: str) -> Seat | None:
    """The seat that asks, or None for a stranger; for pages that greet both. Raises Unknown."""
    try:
        return current_seat(game)
    except (NoSeat, Barred):
        return None


def held_seats(game: str) -> list[Seat]:
    """The seats of the game that this browser has joined and that still stand, the newest first.

    A seat in a campaign is one in its battles too (L1.4).
    """
    tie = campaign_of(store(), game)
    games = {game, tie.campaign} if tie else {game}
    tokens = [token for code, _, token in reversed(session.get("seats", [])) if code in games]
    named = [seat for seat in map(store().seat_of, tokens) if seat is not None]
    found = [seat for seat in (seat_in(store(), game, seat) for seat in named) if seat is not None]
    return list({seat.id: seat for seat in reversed(found)}.values())[::-1]


def _chosen(seat: Seat) -> Seat:
    g.seat = seat
    return seat


def remember(seat: Seat, token: str) -> None:
    """Keep the seat in this browser's session, as the one last joined."""
    others = [held for held in session.get("seats", []) if held[:2] != [seat.game, seat.id]]
    session["seats"] = [*others, [seat.game, seat.id, token]][-KEPT:]
    session.permanent = True


@bp.get("/join/<token>")
def join(token: str) -> Any:
    """Take the seat of a link and go to its game."""
    seat = store().seat_of(token)
    if seat is None:
        slow_down("tokens")
        abort(404, "This link is not known: ask the umpire for a new one.")
    remember(seat, token)
    return redirect(f"/g/{seat.game}?seat={seat.id}")


@bp.post("/leave/<game>")
def leave(game: str) -> Any:
    """Forget the seats of a game on this browser, as on a tablet that is handed back."""
    session["seats"] = [held for held in session.get("seats", []) if held[0] != game]
    return redirect("/")


def must_exist(seat: str, game: str) -> None:
    """Unknown unless the game has that seat."""
    if seat not in {known.id for known in store().seats(game)}:
        raise Unknown("There is no such seat in this game.")
