"""For whoever runs the server: is it well (/healthz), what does it do (/metrics), and logs without secrets.

Paths hold codes, tokens and names, so neither the metrics nor the logs ever hold a path: a request is named by its
route, as in `/join/<token>`.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from time import perf_counter
from types import TracebackType

from flask import Blueprint, Flask, Response, current_app, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from tactical.kernel import cache
from webapp.http.shared_memory import Troubles
from webapp.storage.file.faults import trouble
from webapp.storage.journal import losses
from webapp.storage.journal.store import Store

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
        store: Store = app.extensions["navarch"]
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
        troubles: Troubles = app.extensions["navarch-troubles"]
        gauges = {
            "navarch_games": ("Games in the file.", lambda: _count(store)),
            "navarch_file_bytes": ("The games file with its log.", store.file.size),
            "navarch_cache_bytes": ("What is kept so that it need not be made twice.", cache.bytes_in_use),
            "navarch_lost_games": ("Games with moves lost, not yet acknowledged.", lambda: len(losses.read(store))),
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
    app.extensions["navarch-meters"] = Meters(app)
    app.before_request(_begin)
    app.after_request(_end)
    app.register_blueprint(bp)


def _begin() -> None:
    g.began = perf_counter()


def _end(answer: Response) -> Response:
    meters: Meters = current_app.extensions["navarch-meters"]
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
    store: Store = current_app.extensions["navarch"]
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
    meters: Meters = current_app.extensions["navarch-meters"]
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
