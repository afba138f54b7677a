"""The replay as a film, for those who sat at the battle, and for everybody while a battle that is over is shared."""

from __future__ import annotations

from typing import Any

from flask import abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import SPECTATOR
from webapp.http.forms import count
from webapp.http.rate_limit import slow_down
from webapp.http.seats import acting_seat, held_seats, store
from webapp.pages.battle.journal.journal import here
from webapp.pages.battle.replay.film import film
from webapp.presenting.battle_labels import seat_name
from webapp.storage.services import archive


def moment(game: str) -> ResponseReturnValue:
    """A link to a moment (`?at=`); without one, from where this seat looked last."""
    at, table, _battle = here(game)
    last = table.game.version
    number = count(request.args.get("at"))
    if number is None:
        number = min(store().last_look(game, at.seat), last)
    if number > last:
        abort(404)
    return redirect(at.url("battle.replay", number=number), 303)


def replay(game: str, number: int) -> ResponseReturnValue:
    """The film at an entry, as far as the seat may know it."""
    at, table, now = here(game)
    if number > table.game.version:
        abort(404)
    seats = [(each.id, seat_name(now, each.id)) for each in held_seats(game)]
    to = "/".join((at.url("battle.replay", number=0).partition("/replay/")[0], "replay"))
    return draw(
        {**film(game, table, number, at.seat), "at": at, "seats": seats, "asked": f"?seat={at.seat}", "address": to}
    )


def share_film(game: str, number: int = 0) -> ResponseReturnValue:
    """The film for everybody, while a battle that is over is shared: what a spectator knows. 404 for any other."""
    slow_down("public")
    if not store().game(game).is_public:
        abort(404)
    table = store().load(game)
    if number > table.game.version or not table.game.over:
        abort(404)
    address = url_for("battle.shared_start", game=game)
    answer = make_response(
        draw({**film(game, table, number, SPECTATOR), "at": None, "seats": [], "asked": "", "address": address})
    )
    answer.headers["X-Robots-Tag"] = "noindex, nofollow"
    return answer


def draw(found: dict[str, Any]) -> str:
    """The page, or for htmx the part of it that changes."""
    partial = bool(request.headers.get("HX-Request"))
    return render_template("battle/_replay.html" if partial else "battle/replay.html", **found)


def share(game: str) -> ResponseReturnValue:
    """Show the film of a battle that is over to everybody, or to nobody any more.

    404 for spectators, before the end, and for a campaign's battles, whose secrets outlast them.
    """
    seat = acting_seat(game)
    table = store().load(game)
    if seat.id == SPECTATOR or table.state.link is not None or not table.game.over:
        abort(404)
    wanted = "hide" if table.game.is_public else "publish"
    archive.perform(store(), game, wanted, seat.id)
    return redirect(url_for("battle.report", game=game, seat=seat.id) + "#share", 303)
