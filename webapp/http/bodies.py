"""How long the body of a request may be: by its route, known before a byte of it is read."""

from __future__ import annotations

from typing import NamedTuple

from flask import Flask, abort, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

MEGA = 1024 * 1024
COMMAND_LIMIT = MEGA  # bytes of a body of the API
GAME_LIMIT = 4 * MEGA  # a position, or a form of a page with a photo
EXPORT_LIMIT = 24 * MEGA  # a whole campaign with its journal and positions
READING = ("GET", "HEAD", "OPTIONS")
LIMITS = {
    "api.create": GAME_LIMIT,
    "positions_api.save": GAME_LIMIT,
    "api.import_": EXPORT_LIMIT,
    "seasons_api.import_": EXPORT_LIMIT,
    "organizer.import_page": EXPORT_LIMIT + 65_536,  # and what wraps the file
}  # by endpoint


def limit(endpoint: str | None, path: str) -> int:
    """How many bytes a body to that endpoint may have."""
    return LIMITS.get(endpoint or "", COMMAND_LIMIT if path.startswith("/api/") else GAME_LIMIT)


class Route(NamedTuple):
    """Where a request leads: its endpoint, none where there is no route; and whether a game is part of the address."""

    endpoint: str | None = None
    has_game: bool = False


def find_route(app: Flask, method: str, path: str) -> Route:
    """Where a request will lead, before a byte of its body is read."""
    try:
        endpoint, values = app.url_map.bind("localhost").match(path, method)
    except (HTTPException, RequestRedirect):
        return Route()
    return Route(endpoint, "game" in values)


def room(route: Route, method: str, path: str) -> int:
    """How many bytes of a body to read; none where nobody wants it: for a page, and where there is no route."""
    return 0 if route.endpoint is None or method in READING else limit(route.endpoint, path)


def refuse_long_bodies() -> None:
    """413 for a body that is longer than its route's limit, by what its head says or by what has come of it."""
    request.max_content_length = limit(request.endpoint, request.path)
    if (request.content_length or 0) > request.max_content_length:
        abort(413)
