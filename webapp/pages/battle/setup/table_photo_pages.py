"""The photograph of the players' own table: taken, served to who has a seat, drawn on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.http.forms import read_photo
from webapp.http.game_pages import REFUSALS
from webapp.http.seats import current_seat, store
from webapp.pages.battle.setup import table_photo

Refuse = Callable[[str, Exception], Any]
Again = Callable[[str], Any]


def add_to(bp: Blueprint, again: Again, refused: Refuse) -> None:
    """The photograph's addresses; `again` and `refused` are the battle's own answers."""

    def take(game: str) -> ResponseReturnValue:
        """Keep a photograph, and go back to it."""
        seat = current_seat(game).id
        try:
            own_table(game)
            table_photo.take(store(), game, seat, read_photo())
        except REFUSALS as fault:
            return refused(game, fault)
        return redirect(url_for("game.page", game=game, seat=seat, view="photo"), 303)

    def draw(game: str) -> ResponseReturnValue:
        """Draw a line, or rub out."""
        seat, out = current_seat(game).id, request.form.get("out", "")
        try:
            own_table(game)
            if out:
                table_photo.rub_out(store(), game, seat, out == "all")
            else:
                table_photo.draw(store(), game, seat, request.form.get("points", ""))
        except REFUSALS as fault:
            return refused(game, fault)
        return again(game)

    bp.add_url_rule("/g/<game>/table-photo", "table_photo", photo)
    bp.add_url_rule("/g/<game>/table-photo", "take_photo", take, methods=["POST"])
    bp.add_url_rule("/g/<game>/table-photo/lines", "draw_line", draw, methods=["POST"])


def photo(game: str) -> Response:
    """The photograph itself, for those who have a seat at this battle."""
    current_seat(game)
    found = table_photo.photo(store(), game)
    if found is None:
        abort(404)
    headers = {"Content-Security-Policy": "default-src 'none'", "Cache-Control": "private, max-age=86400"}
    return Response(found.data, mimetype=found.kind, headers=headers)


def own_table(game: str) -> None:
    """Aborts with 404 for a battle that has a board of its own."""
    if store().load(game).state.has_places:
        abort(404)
