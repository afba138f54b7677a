"""The photograph of the players' own table: taken, served to who has a seat, drawn on."""

from __future__ import annotations

from flask import Response, abort

from webapp.http.seats import current_seat, store
from webapp.pages.battle.setup import table_photo


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
