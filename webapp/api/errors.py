"""Every refusal as {"error", "rule", "detail"} with its status."""

from __future__ import annotations

import logging
import sqlite3
from typing import Any

from flask import Blueprint, Flask, Response, current_app, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, default_exceptions

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, encode
from webapp.api.openapi import Problem
from webapp.http import operations
from webapp.http.forms import reason_text
from webapp.http.rate_limit import TooMany
from webapp.http.seats import NoSeat
from webapp.storage.errors import Barred, NoRoom, Refused, Stale, Unknown
from webapp.storage.file.database import Damaged, ShowsOnly, trouble
from webapp.storage.journal.store import Store
from webapp.storage.journal.writing import sentence

LOG = logging.getLogger("navarch")
REFUSALS = (BadInput, NoSeat, NotYours, Barred, Unknown, Stale, Illegal, Refused, TooMany, NoRoom, CSRFError)
TROUBLES = (
    sqlite3.Error,
    OSError,
    Damaged,
    ShowsOnly,
)  # of the disk and the file; what they mean is in `storage.file.faults`


def answer(value: object, status: int = 200) -> Response:
    """The value as JSON."""
    return Response(encode(value), status, mimetype="application/json")


def problem(status: int, error: str, rule: str | None = None, **detail: Any) -> Response:
    """A refusal as JSON."""
    return answer(Problem(error, rule, detail), status)


def refusal(fault: Exception) -> Response:
    """The answer to what the house refuses."""
    match fault:
        case BadInput(path=path, reason=reason):
            said = f"{path}: {reason}".rstrip(".") + "." if path else sentence(reason)
            return problem(400, said, path=path)
        case CSRFError():
            return problem(400, "A browser's command needs the CSRF token of its page: load the page again.")
        case NoSeat():
            refused = problem(401, str(fault))
            refused.headers["WWW-Authenticate"] = "Bearer"
            return refused
        case NotYours():
            return problem(403, fault.reason)
        case Barred():
            return problem(403, str(fault), None, **_without_empty(missing=list(fault.missing)))
        case Unknown():
            return problem(404, str(fault))
        case Stale():
            return problem(409, str(fault), version=fault.version)
        case Illegal():
            return problem(422, sentence(fault.reason), fault.rule)
        case Refused():
            return problem(422, str(fault), fault.rule, **_without_empty(path=fault.path))
        case NoRoom():
            return problem(507, str(fault))
        case TooMany():
            refused = problem(429, str(fault))
            refused.headers["Retry-After"] = str(fault.seconds)
            return refused
    raise fault


def storage_trouble(fault: Exception) -> Response:
    """The answer to a fault of the disk or the file: a sentence with what to do, for the organizer's page as well."""
    found = trouble(fault)
    if found is None:
        raise fault
    LOG.error("%s %s: %s", request.method, request.endpoint, fault)
    current_app.extensions["navarch"].troubles.add(Store.now(), str(found))
    answered = problem(found.status, str(found))
    if found.status == 503:
        answered.headers["Retry-After"] = "10"
    return answered


def _without_empty(**detail: Any) -> dict[str, Any]:
    """Those details that say something."""
    return {name: value for name, value in detail.items() if value}


def http_problem(fault: HTTPException) -> Response:
    """What Flask and Werkzeug refuse (404, 405, 413, …), and 500, in the same form."""
    status = fault.code or 500
    sentences = {
        404: "There is nothing at this address.",
        405: "This address does not take that method.",
        413: "The body is too large.",
        500: "The server met an error of its own; the game is as it was before.",
    }
    refused = problem(status, sentences.get(status, fault.description or fault.name))
    if fault.get_response().headers.get("Allow"):
        refused.headers["Allow"] = fault.get_response().headers["Allow"]
    return refused


def answer_in_json(blueprint: Blueprint) -> None:
    """Let a blueprint of the API answer its refusals in JSON."""
    for kind in REFUSALS:
        blueprint.register_error_handler(kind, refusal)
    for kind in TROUBLES:
        blueprint.register_error_handler(kind, storage_trouble)
    blueprint.register_error_handler(HTTPException, http_problem)


def register(app: Flask) -> None:
    """Below /api all is JSON, also what no route knows; elsewhere a refusal becomes a page in the reader's language.

    A blueprint of pages may register handlers of its own, for these exceptions or for HTTPException.
    """

    def refuse(fault: Exception) -> Any:
        answered = refusal(fault)
        if request.path.startswith("/api/"):
            return answered
        if answered.status_code not in default_exceptions:
            return operations.plainly(answered.status_code, _sentence(fault))
        page: HTTPException = default_exceptions[answered.status_code](_sentence(fault))
        return app.handle_http_exception(page)

    def report_trouble(fault: Exception) -> Any:
        answered = storage_trouble(fault)
        if request.path.startswith("/api/"):
            return answered
        return operations.plainly(answered.status_code, str(trouble(fault)))

    def fail(fault: HTTPException) -> Any:
        if request.path.startswith("/api/") or (fault.code or 500) < 400:
            return http_problem(fault) if request.path.startswith("/api/") else fault
        return operations.page(fault)

    for kind in REFUSALS:
        app.register_error_handler(kind, refuse)
    for kind in TROUBLES:
        app.register_error_handler(kind, report_trouble)
    app.register_error_handler(HTTPException, fail)


def _sentence(fault: Exception) -> str:
    """The sentence of a refusal; a form whose page is too old is told of by the page of faults itself."""
    if isinstance(fault, CSRFError):
        return ""
    if isinstance(fault, BadInput):
        return sentence(reason_text(fault.why))
    return sentence(str(getattr(fault, "reason", None) or fault))
