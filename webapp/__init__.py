"""The pages, the API and the command line: the only floor that knows of HTTP, SQLite and the clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from babel import Locale
from flask import Flask, Response, current_app, g, request, session, url_for
from flask_babel import Babel
from flask_wtf.csrf import CSRFProtect
from werkzeug.middleware.proxy_fix import ProxyFix

from tactical.kernel.record import learn_types
from webapp.api import errors
from webapp.api import seasons as api_seasons
from webapp.api import table as api_table
from webapp.api import views as api_views
from webapp.api import worlds as api_worlds
from webapp.api.seasons import Recorder
from webapp.captains import api as captains_api
from webapp.captains.courses import Helmsman
from webapp.captains.forecasts import Jobs
from webapp.captains.seats import CaptainRunner
from webapp.http import addresses, operations
from webapp.http import seats as http_seats
from webapp.http.addresses import refuse_foreign_hosts
from webapp.http.forms import GAME_LIMIT, Number, give_back, refuse_long_bodies
from webapp.http.fragments import compress_texts, vary
from webapp.http.language import LANGUAGES, speak
from webapp.http.rate_limit import Buckets, Common, Troubles, buckets_of
from webapp.http.seats import bearer, count_guess, follow_game, look_for_game
from webapp.http.sessions import BrowserSessions
from webapp.http.streams import Hub, Shares
from webapp.pages import captains as captains_pages  # for `webapp.captains` is a room
from webapp.pages import (
    frame,
    game,
    group,
    house_rules,
    learn,
    lobby,
    organizer,
    positions,
    public,
    season,
    seats,
    wars,
)
from webapp.pages.battle import views as battle_views
from webapp.pages.campaign import chronicle, corrections, journal, linked
from webapp.pages.campaign import views as campaign_views
from webapp.pages.open_campaign import desk, dispatches, founding, orders, sea_chart, side_pages, war_replay, worlds
from webapp.pages.reference import views as reference_views
from webapp.post import api as post_api
from webapp.post import seating
from webapp.post.postman import Notifier, Postman
from webapp.presenting.labels import place_name, translate
from webapp.storage.journal import engagements
from webapp.storage.journal.records import LETTERS
from webapp.storage.journal.store import Store
from webapp.storage.services.archive import flowing, settings
from webapp.storage.services.clocks import Watchmaker

BLUEPRINTS = (
    frame.bp,
    http_seats.bp,
    addresses.bp,
    api_views.bp,
    api_views.odds_bp,
    api_worlds.bp,
    api_table.bp,
    captains_api.bp,
    captains_pages.bp,
    post_api.bp,
    post_api.archive_bp,
    post_api.devices_bp,
    group.bp,
    seating.bp,
    api_seasons.bp,
    seats.bp,
    season.bp,
    lobby.bp,
    learn.bp,
    learn.puzzles_bp,
    positions.api_bp,
    positions.bp,
    wars.bp,
    dispatches.bp,
    orders.bp,
    orders.lines_bp,
    side_pages.lists,
    side_pages.relations,
    side_pages.treasury,
    side_pages.models,
    war_replay.bp,
    desk.bp,
    founding.bp,
    worlds.files_bp,
    worlds.bp,
    sea_chart.bp,
    game.bp,
    battle_views.bp,
    campaign_views.bp,
    campaign_views.map_bp,
    campaign_views.calls_bp,
    corrections.bp,
    chronicle.bp,
    journal.bp,
    house_rules.bp,
    linked.bp,
    reference_views.bp,
    reference_views.cases_bp,
    reference_views.handbooks_bp,
    reference_views.offline_bp,
    organizer.bp,
    public.bp,
)
LOCALES = {tag: Locale.parse(tag) for tag in LANGUAGES}  # read once, not for each request
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


@dataclass
class Services:
    """What an application runs beside its pages: `app.extensions["navarch"]`. Blueprints add what they alone need."""

    store: Store
    notifier: Notifier
    hub: Hub
    helmsman: Helmsman
    troubles: Troubles
    limits: dict[str, Buckets]
    csrf: CSRFProtect
    meters: operations.Meters | None = None
    postman: Postman | None = None
    captains: CaptainRunner | None = None
    forecasts: Jobs | None = None


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The application. `config` may set DATABASE (a path) or STORE (a ready one) and the limits below."""
    app = operations.Application(__name__)
    app.session_interface = BrowserSessions()
    app.url_map.converters["int"] = Number  # in place of Flask's, so that no route can forget it
    app.config.from_mapping(
        DATABASE="navarch.db",
        COMMON=None,  # memory with the other processes of this server; None: this one is alone
        PROCESSES=1,  # among which an address's share of streams is divided
        SHOWS_ONLY=False,  # is the file another machine's, which this one follows?
        ELECTION=None,  # among the processes over the file; None: this one is alone
        CODES=LETTERS,  # of which one begins the code of a game that begins here
        BLUEPRINTS=BLUEPRINTS,
        **settings(),  # how much anybody may store or set going
        HOSTS=None,  # the names that the server answers to; None: any
        PUBLIC_URL=None,
        BEHIND_PROXY=False,
        ORGANIZER_PASSWORD=None,  # its hash
        ONLY_ORGANIZER_BEGINS=False,
        MAIL=None,  # the SMTP server as a URL, and
        MAIL_FROM=None,  # the address that its mail comes from
        MAIL_IN=None,  # the Maildir with what was mailed to that address
        MAX_CONTENT_LENGTH=GAME_LIMIT,  # where `bodies` says nothing else
        MAX_FORM_MEMORY_SIZE=GAME_LIMIT,
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
    if app.config["BEHIND_PROXY"]:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1)  # type: ignore[method-assign]
    store = app.config.get("STORE") or Store(app.config["DATABASE"], shows_only=app.config["SHOWS_ONLY"])
    store.file.largest = int(app.config["LARGEST_FILE"])
    store.first_letters = app.config["CODES"]
    store.election = app.config["ELECTION"] or store.election
    app.secret_key = store.secret("session")
    for name in ("feeds", "push key"):  # drawn now, so that no page ever writes them
        store.secret(name)
    engagements.install(store)
    store.drawers["open_campaign"] = worlds.draw_once
    store.count_unknown = count_guess
    store.listeners.append(Watchmaker(store).hear)  # first, so that pages that look again find the clocks set
    Recorder(store)
    common = app.config["COMMON"] or Common(len(flowing()))
    app.extensions["navarch"] = Services(
        store,
        Notifier(app, store),
        Hub(store, Shares().of_one(app.config["PROCESSES"])),
        Helmsman(store),
        Troubles(common),
        buckets_of(app.config, common),
        CSRFProtect(app),
    )
    Babel(app, locale_selector=lambda: LOCALES[language()])
    speak(app)
    app.add_template_global(translate)
    app.add_template_global(place_name)
    app.add_template_global(static_file)
    app.add_template_global(lambda: store.file.shows_only, "shows_only")
    operations.install(app)
    app.before_request(store.file.begin_request_cache)
    app.teardown_request(lambda _: store.file.end_request_cache())
    app.before_request(refuse_foreign_hosts)
    app.before_request(refuse_long_bodies)
    app.before_request(look_for_game)
    app.before_request(protect_pages)
    compress_texts(app)  # after_request runs the last one first
    app.after_request(harden)
    app.after_request(follow_game)
    app.after_request(give_back)
    for blueprint in app.config["BLUEPRINTS"]:
        app.register_blueprint(blueprint)
    errors.register(app)
    learn_types()
    store.file.let_go()
    return app


def static_file(name: str) -> str:
    """The address of a file of ours, made once a request: a page draws a hundred icons from one file."""
    known: dict[str, str] = g.setdefault("static_files", {})
    if name not in known:
        known[name] = url_for("static", filename=name)
    return known[name]


def language() -> str:
    """The reader's language: `?lang=`, then the session's, then the browser's wish, then English."""
    wanted = request.args.get("lang")
    if wanted in LANGUAGES and request.headers.get("Sec-Fetch-Dest", "document") in ("document", "empty"):
        session["lang"] = wanted
    wishes = (tag.split("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in (session.get("lang"), *wishes) if tag in LANGUAGES), "en")


def protect_pages() -> None:
    """A form of a page needs its CSRF token; the API decides for itself, by the kind of seat."""
    if request.method in ("POST", "PUT", "PATCH", "DELETE") and request.endpoint is not None:
        if request.path.startswith(("/api/", "/post/stop/")) or bearer() is not None:
            return  # the API decides for itself; a mail's own link is its secret
        csrf: CSRFProtect = current_app.extensions["navarch"].csrf
        csrf.protect()


def harden(answer: Response) -> Response:
    """Headers that keep scripts, frames and caches out of the seats' business."""
    wanted = {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
    if request.is_secure and (age := current_app.config.get("HSTS_SECONDS")):
        wanted["Strict-Transport-Security"] = f"max-age={age}"
    if not (request.endpoint or "").endswith("static"):
        wanted["Cache-Control"] = "no-store"
        vary(answer, "HX-Request")
    given = {name.lower() for name, _ in answer.headers}
    answer.headers.extend([(name, value) for name, value in wanted.items() if name.lower() not in given])
    return answer
