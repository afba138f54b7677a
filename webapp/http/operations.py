"""For whoever runs the server: health, figures, logs, and error pages."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from time import perf_counter
from types import TracebackType
from typing import Any

from flask import Blueprint, Flask, Response, current_app, g, render_template, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from werkzeug.exceptions import HTTPException, default_exceptions

from tactical.kernel import cache
from webapp.http.language import gettext
from webapp.http.language import gettext as _
from webapp.http.rate_limit import Troubles
from webapp.storage.file.database import trouble
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store

# -- What went wrong, as a page of the house in the reader's language: nothing here, not for you, too much, our fault.


def _l(text: str) -> str:
    """Marks a sentence for the translators' catalogue."""
    return text


LOST_MOVES = _l(
    "The server has lost moves: what you last saw is no longer valid. Check the game, tell the organizer, and re-enter"
    " the missing moves."
)
HOUSE = (
    LOST_MOVES,
    _l("This link is unknown: ask the umpire for a new one."),
    _l("There is no such game."),
    _l("This game is moving to another machine: try again in a moment."),
    _l("This link is unknown: the game may have been deleted."),
    _l("There is no such seat in this game."),
    _l("There is no such request in this game."),
    _l("There is no such position."),
    _l("There is no such entry in the journal."),
    _l("There is no such ship in this battle."),
    _l("There is no such season."),
    _l("There is no such person in this game."),
    _l("There is no such forecast."),
    _l("This seat has no such device."),
    _l("A seat is taken by opening its link."),
    _l("This command was given by a person."),
    _l("This server does not use HTTPS."),
    _l("This battle belongs to no campaign."),
    _l("Only the umpire can give out seats."),
    _l("Only the umpire can adjust the position."),
    _l("Only the umpire can export a game: the file holds every side's secrets."),
    _l("A spectator only watches and cannot take anything back."),
    _l("A spectator only watches and cannot point, draw or leave notes."),
    _l("This token is unknown: it may have been withdrawn."),
    _l("On this server only the organizer can begin games."),
    _l("Too many requests from your network address: wait a minute."),
    _l("The server is reading too many files: try again in a moment."),
    _l("Too much has been saved today from your network address: try again tomorrow."),
    _l("Two forecasts from your network address are still being fought: wait until one has ended, or stop one."),
    _l("This server does not answer to that name: whoever runs it can allow the name."),
    _l("The server's disk is full, so nothing has been saved. The organizer must make room on it."),
    _l("Another program has locked the games file, so nothing was saved. Try again in a moment."),
    _l(
        "The program may only read the games file, so nothing has been saved. The "
        "organizer must let the program write to the file and its folder."
    ),
    _l(
        "This machine only shows the games, so nothing has been saved. Open the game on the machine that accepts"
        " commands."
    ),
    _l(
        "The games file is damaged at this place. The organizer can check it with `navarch verify` "
        "and go back with `navarch restore`."
    ),
    _l("The games file has reached its limit: only moves are written until the organizer makes room."),
    _l("This is not a games file. Name another file with --db, or go back with `navarch restore`."),
    _l("The games file cannot be opened or read. The organizer must check the disk, the path and the permissions."),
)


# The title of a status's page, and what it means.
MEANINGS = {
    400: (
        _l("That cannot be read"),
        _l("The form cannot be read. Go back, load the page again and fill in the form again."),
    ),
    401: (_l("No seat here"), _l("Open the link or the QR code that the umpire gives you.")),
    403: (_l("Not for this seat"), _l("This seat may not do that or see it.")),
    404: (_l("Not found"), _l("There is nothing at this address. A game may have been deleted, or a link mistyped.")),
    405: (_l("That cannot be done"), _l("This page can only be read; go back and use its buttons.")),
    409: (_l("The game has moved on"), _l("Somebody was quicker. Go back and look at the game as it is now.")),
    413: (_l("Too large"), _l("This upload is too large for the server.")),
    429: (_l("Too many requests"), _l("Too many requests came from this tablet: wait a minute.")),
    500: (_l("An error in the program"), _l("The program has made an error. The game is as it was before.")),
}


def page(fault: HTTPException) -> Any:
    """The page of an HTTP error, with the sentence of whoever raised it, and the way home.

    An application without our pages (one that serves the API alone) answers plainly.
    """
    if "battle" not in current_app.blueprints:
        return fault
    code = fault.code or 500
    own = in_words(fault.description or "") if is_own(fault) else ""
    title, meaning = MEANINGS.get(code, (_l("That cannot be done"), ""))
    text = render_template("fault.html", title=_(title), said=own or (meaning and _(meaning)), code=code)
    return current_app.make_response((text, code, fault.get_headers()[1:]))


def plainly(code: int, sentence: str) -> Any:
    """A page for a status that the library knows no exception for, or when the games file cannot be read."""
    said = in_words(sentence)
    if "battle" not in current_app.blueprints:
        return current_app.response_class(said, code, mimetype="text/plain")
    text = render_template("fault.html", title=_("The server cannot do that now"), said=said, code=code)
    headers = {"Retry-After": "10"} if code == 503 else {}
    return current_app.make_response((text, code, headers))


def not_found(fault: Exception) -> Any:
    """The page for a game, ship or entry that does not exist."""
    return render_template("fault.html", title=_("Not found"), said=in_words(str(fault)), code=404), 404


def in_words(sentence: str) -> str:
    """A sentence of the house in the reader's language; one that is not known stays as it is."""
    return gettext(sentence) if sentence in HOUSE else sentence


def is_own(fault: HTTPException) -> bool:
    """Is the sentence one of ours, and not the library's English for the code?"""
    usual = default_exceptions.get(fault.code or 500)
    return bool(fault.description) and (usual is None or fault.description != usual.description)


# -- For whoever runs the server: is it well (/healthz), what does it do (/metrics), and logs without secrets.
#
# Paths hold codes, tokens and names, so neither the metrics nor the logs ever hold a path: a request is named by its
# route, as in `/join/<token>`.

bp = Blueprint("operations", __name__)
LOG = logging.getLogger("navarch.requests")
COUNTS = "PROMETHEUS_MULTIPROC_DIR"  # the variable that names the folder of the counts of several processes
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
NAMES = ("method", "route", "status", "milliseconds")  # what a line of the log says of a request


Fault = tuple[type, BaseException, TracebackType | None] | tuple[None, None, None]


class Application(Flask):
    """Flask, which names a request by its route where something went wrong: its path may be a link to a seat."""

    def log_exception(self, exc_info: Fault) -> None:
        """Log an exception that nobody has caught."""
        self.logger.error("Exception at %s [%s]", route_of_request(), request.method, exc_info=exc_info)


def route_of_request() -> str:
    """The route of the request, as `/join/<token>`; "none" where there is none."""
    return request.url_rule.rule if request.url_rule is not None else "none"


class Meters:
    """What is counted, for one application."""

    def __init__(self, app: Flask) -> None:
        store: Store = app.extensions["navarch"].store
        self.registry = CollectorRegistry()
        if COUNTS in os.environ:  # the counts lie in files that all processes of the server read
            values.ValueClass = values.get_value_class()
            MultiProcessCollector(self.registry)
        own = None if COUNTS in os.environ else self.registry
        self.requests = Counter("navarch_requests", "Requests answered.", ("method", "route", "status"), registry=own)
        self.seconds = Histogram(
            "navarch_request_seconds", "Time to answer.", ("route",), buckets=SECONDS, registry=own
        )
        self.entries = Counter("navarch_changes", "Changes of games that are on the disk.", registry=own)
        troubles: Troubles = app.extensions["navarch"].troubles
        gauges = {
            "navarch_games": ("Games in the file.", lambda: _count(store)),
            "navarch_file_bytes": ("The games file with its log.", store.file.size),
            "navarch_cache_bytes": ("What is kept so that it need not be made twice.", cache.bytes_in_use),
            "navarch_lost_games": (
                "Games with moves lost, not yet acknowledged.",
                lambda: len(journal_store.read(store)),
            ),
            "navarch_troubles": ("Faults of disk or file of late.", lambda: len(troubles.newest())),
        }
        self.registry.register(Gauges(gauges))
        store.listeners.append(lambda game, version, revision: self.entries.inc())
        self._of: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}  # by method, route, status

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        name = (method, route, status)
        if name not in self._of:
            self._of[name] = (self.requests.labels(method, route, status), self.seconds.labels(route))
        answered, took = self._of[name]
        answered.inc()
        took.observe(seconds)


class Gauges(Collector):
    """What is looked up whenever somebody asks: by its name, what it says and the look."""

    def __init__(self, looks: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        self._looks = looks

    def describe(self) -> Iterable[Metric]:
        """Nothing is looked up before."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """All of them, now."""
        return [GaugeMetricFamily(name, said, value=look()) for name, (said, look) in self._looks.items()]


def _count(store: Store) -> int:
    return int(store.file.rows("select count(*) as n from games")[0]["n"])


def install(app: Flask) -> None:
    """Count and log every request of the application."""
    app.extensions["navarch"].meters = Meters(app)
    app.before_request(_begin)
    app.after_request(_end)
    app.register_blueprint(bp)


def _begin() -> None:
    g.began = perf_counter()


def _end(answer: Response) -> Response:
    meters: Meters = current_app.extensions["navarch"].meters
    route = route_of_request()
    seconds = perf_counter() - g.get("began", perf_counter())
    meters.count(request.method, route, answer.status_code, seconds)
    if LOG.isEnabledFor(logging.INFO):
        said = dict(zip(NAMES, (request.method, route, answer.status_code, round(seconds * 1000, 1)), strict=True))
        LOG.info("request", extra=said)
    return answer


@bp.get("/healthz")
def health() -> Response:
    """Can the games file be read? 200 with "well", else 503 with what is wrong."""
    store: Store = current_app.extensions["navarch"].store
    store.file.rows("select 1 from games limit 1")
    return Response(json.dumps({"well": True}), mimetype="application/json")


@bp.errorhandler(sqlite3.Error)
@bp.errorhandler(OSError)
def unwell(fault: Exception) -> Response:
    """What keeps the file from being read, in a sentence."""
    known = trouble(fault)
    if known is None:
        raise fault
    return Response(json.dumps({"well": False, "error": str(known)}), 503, mimetype="application/json")


@bp.get("/metrics")
def metrics() -> Response:
    """The counts in Prometheus's text form; they hold no codes, names or tokens."""
    meters: Meters = current_app.extensions["navarch"].meters
    return Response(generate_latest(meters.registry), content_type=CONTENT_TYPE_LATEST)


class Lines(logging.Formatter):
    """A line of JSON for each thing that is logged: time, level, what, and of a request its route and status."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {"time": time, "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()}
        said |= {name: getattr(record, name) for name in NAMES if hasattr(record, name)}
        if record.exc_info:
            said["fault"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def log_lines() -> None:
    """Log to the standard error in lines of JSON, requests as well."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    logging.getLogger("navarch").setLevel(logging.INFO)
