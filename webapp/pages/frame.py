"""The frame of every page: navigation, colour scheme, language; what the blueprints of a folder have in common."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, current_app, g, redirect, request, session
from flask.typing import ResponseReturnValue
from flask_babel import get_locale

from webapp.files.book import CONTROL
from webapp.http.addresses import local_path
from webapp.http.language import gettext as _
from webapp.http.seats import NoSeat, store
from webapp.pages.reference.tables import words
from webapp.post.seating import no_seat, unknown
from webapp.storage.errors import Unknown

# -- The frame of every page (templates/base.html): the navigation, the colour scheme (a cookie) and the language.

SCHEMES = ("day", "dark", "night")
LANGUAGES = (("en", "English"), ("it", "Italiano"), ("ru", "Русский"))
YEAR = 365 * 24 * 3600
bp = Blueprint("frame", __name__)


@bp.app_context_processor
def look() -> dict[str, Any]:
    """What base.html needs on every page."""
    scheme = request.cookies.get("scheme", "day")
    words = {"day": _("Day"), "dark": _("Dark"), "night": _("Night")}
    places = (
        ("/", _("Play")),
        ("/reference", _("Reference")),
        ("/odds", _("Odds")),
        ("/cases", _("Cases")),
        ("/organizer", _("Organizer")),
    )
    return {
        "look": {
            "scheme": scheme if scheme in SCHEMES else "day",
            "schemes": [(name, words[name]) for name in SCHEMES],
            "lang": str(get_locale() or "en"),
            "languages": LANGUAGES,
            "places": places,
            "here": next((path for path, _word in places[1:] if request.path.startswith(path)), request.path),
            "back": page_address(),
            "has_manifest": "manifest.webmanifest" in _rules(),
        }
    }


def page_address() -> str:
    """The address of the page that is being shown, also while only a part of it is sent or after a form's answer."""
    if (known := g.get("page_address")) is not None:
        return str(known)
    if shown := request.headers.get("HX-Current-URL"):
        parts = urlsplit(shown)
        return local_path(parts.path + (f"?{parts.query}" if parts.query else ""))
    return local_path(request.full_path.rstrip("?")) if request.method == "GET" else "/"


@bp.post("/look")
def choose() -> ResponseReturnValue:
    """Keep the scheme or the language that somebody chose, and go back to the page."""
    language = request.form.get("lang")
    if language in dict(LANGUAGES):
        session["lang"] = language
    answer = redirect(local_path(request.form.get("back", "/")), 303)
    scheme = request.form.get("scheme")
    if scheme in SCHEMES:
        answer.set_cookie("scheme", scheme, max_age=YEAR, samesite="Lax", httponly=True, secure=request.is_secure)
    return answer


def _rules() -> set[str]:
    found = current_app.extensions.get("navarch-places")
    if found is None:
        found = {str(rule).lstrip("/") for rule in current_app.url_map.iter_rules()}
        current_app.extensions["navarch-places"] = found
    return found


# -- What the blueprints of a campaign's folders have in common: their address, who may not come, and no battles.


def campaign_blueprint(name: str, module: str = "webapp.pages.campaign", **more: Any) -> Blueprint:
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


# -- What the blueprints of the reference have in common: its templates and its words.


def reference_blueprint(name: str, **more: Any) -> Blueprint:
    """A blueprint for pages of the reference; `more` as for any blueprint."""
    bp = Blueprint(name, "webapp.pages.reference", template_folder="templates", **more)
    bp.context_processor(words)
    return bp


# -- A feed: of a chronicle, of a season's journal.


def feed_file(text: str) -> Response:
    """A feed (RFC 4287) without the letters that XML has not: texts of before may hold some."""
    return Response(CONTROL.sub("", text), mimetype="application/atom+xml")
