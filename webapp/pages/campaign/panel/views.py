"""The campaign's page: the game as a seat sees it, or the parts of it that change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from flask import redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from webapp.api import errors
from webapp.http import error_pages, gaps
from webapp.http.game_pages import REFUSALS, GamePages
from webapp.http.kept import large_part
from webapp.http.seats import current_seat, held_seats, store
from webapp.pages.campaign.blueprint import campaign_blueprint
from webapp.pages.campaign.calls import views as calls
from webapp.pages.campaign.history import chronicle_pages, replay
from webapp.pages.campaign.history.journal import chapters, filtered, journal
from webapp.pages.campaign.map import views as map_views
from webapp.pages.campaign.panel import display
from webapp.pages.campaign.panel.screen import Screen, screen
from webapp.pages.campaign.umpire import views as umpire
from webapp.presenting import campaign_labels as labels
from webapp.presenting.flash import Flash, refused
from webapp.presenting.naming import said
from webapp.presenting.rule_link import rule_said

bp = campaign_blueprint("campaign", template_folder="templates", static_folder="static")


bp.add_app_template_global(large_part, "large_part")


@bp.app_template_global()
def form_part(name: str, screen: Screen, *values: Hashable, caller: Callable[[], Markup]) -> Markup:
    """In a template: a part of a screen with forms, kept for all who see the same; this browser's fields filled in."""

    def drawn() -> Markup:
        with gaps.left():
            return caller()

    return gaps.filled(large_part(name, screen.stamp, *values, caller=drawn), screen.game.version)


@bp.app_template_global()
def campaign_words(system: str = "") -> dict[str, Any]:
    """The functions that put a system's ids into words, for the templates."""
    return {
        "seat": labels.seat_said,
        "prompt": partial(labels.prompt_word, system),
        "field": partial(labels.field_word, system),
        "colour": labels.colour,
        "said": said,
        "rule": rule_said,
    }


def page(game: str) -> Any:
    """At /g/<game>: the campaign as this seat sees it; for htmx only the parts that change."""
    return shown(game)


def shown(game: str, flash: Flash | None = None, is_done: bool = False) -> Any:
    """The page or its changing parts, with a flash and its status; when something `is_done`, no card is picked."""
    seat = current_seat(game)
    table = store().load(game)
    space, card = request.args.get("space"), request.args.get("pick")
    if is_done and card and card.isdigit():
        card = None  # the next card of the same points has not been picked; a leader who marches goes on
    seen = screen(store(), table, seat.id, space, card)
    swapped = request.headers.get("HX-Request") and not request.headers.get("HX-History-Restore-Request")
    template = "campaign/_parts.html" if swapped else "campaign/page.html"
    body = render_template(
        template,
        screen=seen,
        game=table.game,
        flash=flash,
        here=f"/g/{game}",
        chosen=seen.place.spot.id if seen.place else None,
        hot=seen.hot,
        held=held_seats(game),
    )
    return body, flash.status if flash else 200


def again(game: str) -> Any:
    """After a change: the new parts for htmx, else the page again."""
    if request.headers.get("HX-Request"):
        return shown(game, is_done=True)
    return back(game)


def back(game: str, endpoint: str | None = None) -> BaseResponse:
    """Redirect to a page of the game, for the same seat."""
    seat = current_seat(game).id
    where = url_for(endpoint, game=game, seat=seat) if endpoint else f"/g/{game}?seat={seat}"
    return redirect(where, 303)


def log(game: str) -> Any:
    """The journal, newest first, with every paragraph a link."""
    seat = current_seat(game)
    table = store().load(game)
    entries = journal(store(), table, seat.id)
    system, side, chapter = table.game.system, request.args.get("side", ""), request.args.get("chapter", "")
    return render_template(
        "campaign/log.html",
        game=table.game,
        seat=seat.id,
        entries=filtered(system, entries, side, chapter),
        side=side,
        sides=table.sides,
        chapter=chapter,
        chapters=chapters(system, entries),
    )


def refuse(game: str, fault: Exception) -> Any:
    """A refusal stands on the page, beside what was tried; nothing has changed."""
    return shown(game, refused(fault, store().game(game).system))


def refuse_here(fault: Exception) -> Any:
    """The same from any other page of a campaign; a page of no game has no table to say it on."""
    game = (request.view_args or {}).get("game")
    if game is None:
        return error_pages.plainly(errors.refusal(fault).status_code, refused(fault).text)
    return refuse(game, fault)


for place in (bp, calls.bp, chronicle_pages.bp, replay.bp, map_views.bp, umpire.bp):
    for kind in REFUSALS:
        place.register_error_handler(kind, refuse_here)


PAGES = GamePages(page, page, again, refuse, log, display.page, display.table)
