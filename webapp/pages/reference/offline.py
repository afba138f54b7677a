"""The web app without a network: the manifest, the service worker, and the page of common odds.

The worker keeps a public shell only: rules, tables, odds, cases, styles and scripts. Pages of games and seats, forms
that are sent, and streams never pass through it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Response, current_app, render_template, url_for
from flask.typing import ResponseReturnValue
from markupsafe import escape

import data
from webapp.http.language import gettext as _
from webapp.pages.reference import common_odds
from webapp.pages.reference.blueprint import reference_blueprint
from webapp.pages.reference.books import books
from webapp.pages.reference.search import index
from webapp.pages.reference.tables import tables
from webapp.pages.reference.told import reading

bp = reference_blueprint("offline")
PUBLIC = ("/reference", "/odds", "/cases", "/static/", "/vendor/", "/reference-files/", "/lobby-files/")
SHIPPED = (".toml", ".json", ".geojson", ".html", ".css", ".js", ".svg", ".py", ".mo")


@bp.get("/odds/common")
def common() -> str:
    """The chances most asked for, all on one page."""
    return render_template(
        "reference/common.html",
        fights=common_odds.fights(),
        rams=common_odds.rams(),
        meetings=common_odds.meetings(),
        volleys=common_odds.volleys(),
        leaks=common_odds.leaks(),
        hulls=common_odds.HULLS,
        shots=common_odds.SHOTS,
        later=common_odds.LATER,
        sizes=common_odds.CREW_SIZES,
    )


@bp.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """What a tablet needs to install the app."""
    told = {
        "id": "/reference",
        "name": "Navarch",
        "short_name": "Navarch",
        "description": _("Galley battles and campaigns: rules, tables and odds, also without a network."),
        "start_url": "/reference",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f1e6",
        "theme_color": "#14303f",
        "icons": [
            {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
        ],
        "shortcuts": [
            {"name": _("Reference"), "url": "/reference"},
            {"name": _("Odds"), "url": "/odds/common"},
        ],
    }
    answer = current_app.json.response(told)
    answer.mimetype = "application/manifest+json"
    return answer


@bp.get("/sw.js")
def service_worker() -> Response:
    """The service worker with its version and the list of what it keeps."""
    text = render_template("reference/sw.js", version=version(), shell=shell(), public=PUBLIC)
    answer = Response(text, mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@bp.get("/reference/words.json")
def words() -> ResponseReturnValue:
    """What the service worker searches without a network, in the language of the page; its texts are HTML."""
    found = index(reading())
    paragraphs = [(system, escape(number), escape(title)) for system, number, title in found.paragraphs]
    nothing = escape(_("Nothing found."))
    return current_app.json.response({"words": found.words, "paragraphs": paragraphs, "nothing": nothing})


def shell() -> list[str]:
    """The addresses that are kept from the first visit on: no game, no seat, nothing of one reader's."""
    found = ["/reference", "/reference/words.json", "/odds", "/odds/common", "/cases"]
    found += [f"/reference/{each.system}" for each in books()]
    found += [f"/reference/galley/table/{name}" for name in tables()]
    found += [url_for("static", filename=name) for name in ("app.css", "app.js", "icons.svg", "icon.svg")]
    found += [url_for("vendor.static", filename="htmx-4.min.js")]
    found += [
        url_for("reference.static", filename=name)
        for name in ("reference.css", "picture.css", "offline.js", "common.js")
    ]
    return found


@cache
def version() -> str:
    """A hash of everything that is shipped: a new release has a new cache, and the old one is dropped."""
    mark = hashlib.sha256()
    for folder in (data.ROOT, Path(__file__).parents[2], Path(__file__).parents[3] / "tactical"):
        for path in sorted(folder.rglob("*")):
            if path.suffix in SHIPPED:
                mark.update(path.name.encode() + path.read_bytes())
    return mark.hexdigest()[:16]
