"""The chronicle as a page, for paper (from which a browser makes a PDF), its maps as pictures, and as an Atom feed.

A feed's address holds a key of its own for each who holds a link to the seat: it shows what the seat may read, gives no
command, and ends with that link.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import cache
from pathlib import Path

from flask import Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, plain
from webapp.http.addresses import root
from webapp.http.forms import read_photo, whole
from webapp.http.rate_limit import slow_down
from webapp.http.seats import current_seat, seat_and_table, store
from webapp.pages.campaign.blueprint import campaign_blueprint
from webapp.pages.campaign.history import notes
from webapp.pages.campaign.history.chronicle import Chapter, turn_title
from webapp.pages.campaign.history.chronicle import chronicle as chapters_of
from webapp.presenting.flash import Flash, flash_of
from webapp.presenting.map.drawing import drawing
from webapp.presenting.map.layout import has_map
from webapp.presenting.map.zoom_levels import level_of
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.journal import tokens
from webapp.storage.journal.records import Table
from webapp.systems.presentations import presentation

bp = campaign_blueprint("chronicle")
FAULTS = (BadInput, Illegal, NotYours, Barred, Refused, Stale)
SCHEMES = ("day", "dark", "night")
PAPERS = ("a4", "letter")
SIZE = (900, 560)  # pixels that a chronicle has for its maps
OWN = Path(__file__).parents[1] / "static"
STYLES = (Path(__file__).parents[3] / "static" / "app.css", OWN / "map.css", OWN / "march.css")
ALONE = "default-src 'none'; style-src 'unsafe-inline'"  # a picture brings its own styles and nothing else


@bp.get("/<game>/chronicle")
def chronicle(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """The war as it is told so far; with `paper`, for printing."""
    seat, table = seat_and_table(game)
    paper = request.args.get("paper", "")
    body = render_template(
        "campaign/chronicle.html",
        game=table.game,
        seat=seat,
        flash=flash,
        chapters=titles(table, seat),
        paper=paper if paper in PAPERS else "",
        has_map=has_map(table.game.system),
        is_public=False,
        picture=lambda chapter: url_for("chronicle.picture", game=game, number=chapter.entry, seat=seat),
        feed=url_for("chronicle.feed", game=game, seat=seat, key=key_of(game, seat, tokens.token_hash(g.token))),
        photo=lambda note: url_for("chronicle.photo", game=game, id=note.id, seat=seat),
    )
    return body, flash.status if flash else 200


def titles(table: Table, seat: str) -> list[tuple[str, Chapter]]:
    """The chapters, each with what its turn is called."""
    return [(turn_title(store(), table, each, seat), each) for each in chapters_of(store(), table, seat)]


@bp.post("/<game>/chronicle")
def jot(game: str) -> ResponseReturnValue:
    """Write a note, or strike one out."""
    seat = current_seat(game)
    try:
        if request.form.get("strike"):
            notes.strike(store(), game, seat.id, whole(request.form["strike"], "strike"))
        else:
            slow_down("notes")
            text, seen_by = request.form.get("text", ""), request.form.get("seen_by", "all")
            notes.write(store(), game, seat.id, text, seen_by, read_photo())
    except FAULTS as fault:
        return chronicle(game, flash_of(fault))
    return redirect(url_for("chronicle.chronicle", game=game, seat=seat.id), 303)


@bp.get("/<game>/photo/<int:id>")
def photo(game: str, id: int) -> Response:
    """A note's photo, for those who may read the note."""
    return photo_of(game, id, current_seat(game).id)


def photo_of(game: str, id: int, seat: str) -> Response:
    """The same for a seat. Aborts with 404 where there is none that it may see."""
    found = notes.photo(store(), game, seat, id)
    if found is None:
        abort(404)
    kind, data = found
    return Response(data, mimetype=kind, headers={"Content-Security-Policy": "default-src 'none'"})


# Maps --------------------------------------------------------------------------------------------------


@bp.get("/<game>/chronicle/<int:number>.svg")
def picture(game: str, number: int) -> Response:
    """The map as the seat may know it after an entry, as a picture."""
    return picture_of(game, number, current_seat(game).id)


def picture_of(game: str, number: int, seat: str) -> Response:
    """The same for a seat. Aborts with 404 for an entry that is not there, and where there is no map."""
    record = store().game(game)
    if number > record.newest(seat) or not has_map(record.system):
        abort(404)
    table = store().table_after(game, number)
    drawn = drawing(record.system, presentation(record.system).picture(plain(table.view(seat))))
    near = level_of(drawn.in_play, *SIZE)
    scheme = request.args.get("scheme", "")
    svg = render_template("campaign/_map.html", drawing=drawn, near=near, still=True).strip()
    head, _close, rest = svg[svg.index("<svg") + 4 :].partition(">")
    shown = scheme if scheme in SCHEMES else "day"
    begin = '<svg xmlns="http://www.w3.org/2000/svg" data-scheme="' + shown + '"'
    text = begin + head + "><style><![CDATA[" + styles() + "]]></style>" + rest  # all of it escaped where it was drawn
    answer = Response(text, mimetype="image/svg+xml")
    answer.headers["Content-Security-Policy"] = ALONE
    return answer


@cache
def styles() -> str:
    """The map's own styles, for a picture that stands alone."""
    return "\n".join(path.read_text() for path in STYLES)


# The feed ----------------------------------------------------------------------------------------------


def key_of(game: str, seat: str, token: str) -> str:
    """The secret of a feed for who holds a token of the seat: it follows from its hash and says nothing of it."""
    text = f"{game} {seat} by {token}"
    return hmac.new(store().secret("feeds").encode(), text.encode(), "sha256").hexdigest()[:40]


@bp.get("/<game>/feed/<seat>/<key>.atom")
def feed(game: str, seat: str, key: str) -> Response:
    """The chronicle of a seat as a feed, by its key. A wrong one counts as a guess."""
    if not any([hmac.compare_digest(key_of(game, seat, token), key) for token in store().tokens_of(game, seat)]):
        slow_down("tokens")
        abort(404)
    return feed_of(
        game,
        seat,
        link=url_for("game.page", game=game, seat=seat),
        own=request.path,
        page=url_for("chronicle.chronicle", game=game, seat=seat),
    )


def feed_of(
    game: str, seat: str, *, link: str, own: str, page: str, picture: Callable[[Chapter], str] | None = None
) -> Response:
    """The chapters as an Atom feed, the newest first; addresses are paths of this server."""
    table = store().load(game).for_seat(seat)
    text = render_template(
        "campaign/feed.atom.xml",
        game=table.game,
        chapters=titles(table, seat)[::-1],
        root=root(),
        link=link,
        own=own,
        page=page,
        picture=picture,
        seat=seat,
    )
    return Response(text, mimetype="application/atom+xml")
