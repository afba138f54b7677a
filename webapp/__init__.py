"""The pages, the API and the command line: the only floor that knows of HTTP, SQLite and the clock."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, current_app, request, session
from flask_babel import Babel
from flask_wtf.csrf import CSRFProtect

from webapp.api import errors
from webapp.limits import Buckets
from webapp.lobby.words import translated
from webapp.seats import bearer
from webapp.store import Store
from webapp.stream import Hub

BLUEPRINTS = (
    "webapp.seats:bp",
    "webapp.trust:bp",
    "webapp.api.views:bp",
    "webapp.api.odds:bp",
    "webapp.lobby.views:bp",
    "webapp.battle.views:bp",
    "webapp.campaign.views:bp",
    "webapp.linked.views:bp",
    "webapp.reference.views:bp",
)
LANGUAGES = ("en", "it", "ru")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The application. `config` may set DATABASE (a path) or STORE (a ready one) and the limits below."""
    app = Flask(__name__)
    app.config.from_mapping(
        DATABASE="navarch.db",
        BLUEPRINTS=BLUEPRINTS,
        GAMES_A_MINUTE=6000,
        BAD_TOKENS_A_MINUTE=1200,
        MAX_CONTENT_LENGTH=4 * 1024 * 1024,
        MAX_FORM_MEMORY_SIZE=4 * 1024 * 1024,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_NAME="navarch",
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        WTF_CSRF_CHECK_DEFAULT=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # it wants a referrer, and our pages send none
        BABEL_DEFAULT_LOCALE="en",
        BABEL_TRANSLATION_DIRECTORIES=str(Path(__file__).parent / "translations"),
    )
    app.config.from_mapping(config or {})
    store = app.config.get("STORE") or Store(app.config["DATABASE"])
    app.secret_key = store.secret("session")
    app.extensions["navarch"] = store
    app.extensions["navarch-hub"] = Hub(store)
    app.extensions["navarch-limits"] = {
        "games": Buckets(app.config["GAMES_A_MINUTE"]),
        "tokens": Buckets(app.config["BAD_TOKENS_A_MINUTE"]),
    }
    app.extensions["navarch-csrf"] = CSRFProtect(app)
    Babel(app, locale_selector=language)
    app.add_template_global(translated)
    app.before_request(protect_pages)
    app.after_request(harden)
    for place in app.config["BLUEPRINTS"]:
        if (blueprint := found(place)) is not None:
            app.register_blueprint(blueprint)
    app.register_blueprint(vendor())
    errors.register(app)
    return app


def found(place: str) -> Blueprint | None:
    """The blueprint at `module:name`; None while nobody has built that module."""
    module, _, name = place.partition(":")
    try:
        blueprint = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as missing:
        if missing.name is not None and (module == missing.name or module.startswith(f"{missing.name}.")):
            return None
        raise
    return blueprint if isinstance(blueprint, Blueprint) else None


def vendor() -> Blueprint:
    """htmx and its extensions, served from the package that carries them (which is never executed)."""
    spec = importlib.util.find_spec("django_htmx")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("htmx is missing: install requirements/run.lock")
    folder = Path(spec.submodule_search_locations[0]) / "static" / "django_htmx"
    return Blueprint("vendor", __name__, static_folder=str(folder), static_url_path="/vendor")


def language() -> str:
    """The reader's language: `?lang=`, then the session's, then the browser's wish, then English."""
    wanted = request.args.get("lang")
    if wanted in LANGUAGES:
        session["lang"] = wanted
    wishes = (tag.split("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in (session.get("lang"), *wishes) if tag in LANGUAGES), "en")


def protect_pages() -> None:
    """A form of a page needs its CSRF token; the API decides for itself, by the kind of seat."""
    if request.method in ("POST", "PUT", "PATCH", "DELETE") and request.endpoint is not None:
        if request.path.startswith("/api/") or bearer() is not None:
            return
        csrf: CSRFProtect = current_app.extensions["navarch-csrf"]
        csrf.protect()


def harden(answer: Response) -> Response:
    """Headers that keep scripts, frames and caches out of the seats' business."""
    answer.headers.setdefault("Content-Security-Policy", POLICY)
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    answer.headers.setdefault("Referrer-Policy", "no-referrer")
    if not (request.endpoint or "").endswith("static"):
        answer.headers.setdefault("Cache-Control", "no-store")
        answer.headers.add("Vary", "HX-Request")
    return answer
