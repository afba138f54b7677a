"""Seats: codes, links and QR codes for the umpire to hand out, withdraw and give anew."""

from __future__ import annotations

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import UMPIRE
from webapp.http.addresses import link, root
from webapp.http.seats import current_seat, must_exist, remember, store
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.labels import translate
from webapp.storage.errors import Barred


def page(game: str, fresh: dict[str, str] | None = None) -> str:
    """All seats; a link is shown only when it has just been given, for the house keeps no tokens."""
    umpire_only(game)
    record = store().game(game)
    return render_template(
        "battle/seats.html",
        game=game,
        title=translate(record.title),
        seats=store().seats(game),
        record=record,
        fresh=fresh or {},
        root=root(),
        system=record.system,
        seat_word=seat_word,
        is_campaign=record.system != "galley",
        is_public=record.is_public,
    )


def change(game: str) -> ResponseReturnValue:
    """Give a seat a new link (the old one is withdrawn), withdraw it, or write who sits there."""
    umpire_only(game)
    seat = request.form.get("seat", "")
    must_exist(seat, game)
    match request.form.get("act"):
        case "reissue":
            token = store().reissue(game, seat)
            if seat == UMPIRE:
                remember(next(each for each in store().seats(game) if each.id == seat), token)
            return page(game, {seat: link("seats.join", token=token)})
        case "withdraw" if seat != UMPIRE:
            store().withdraw(game, seat)
        case "name":
            store().name_seat(game, seat, request.form.get("name", ""))
    return redirect(url_for("battle.seats", game=game, seat=UMPIRE), 303)


def umpire_only(game: str) -> None:
    """Barred for everybody else."""
    if current_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can give out seats.")
