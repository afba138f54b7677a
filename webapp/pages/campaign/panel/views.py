"""The campaign's page: the game as a seat sees it, or the parts of it that change."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as BaseResponse

from tactical.kernel.protocol import UMPIRE
from webapp.api import errors
from webapp.http import error_pages, fragments
from webapp.http.cache import Cache
from webapp.http.forms import whole
from webapp.http.fragments import Drawing
from webapp.http.game_pages import REFUSALS, GamePages
from webapp.http.seats import current_seat, held_seats, seat_and_knowledge, seat_and_table, store
from webapp.pages.campaign.blueprint import campaign_blueprint
from webapp.pages.campaign.calls import views as calls
from webapp.pages.campaign.history import chronicle_pages, replay
from webapp.pages.campaign.history.journal import chapters, filter_lines, journal
from webapp.pages.campaign.map import views as map_views
from webapp.pages.campaign.panel import display, march_orders
from webapp.pages.campaign.panel.screen import Screen, screen
from webapp.pages.campaign.umpire import views as umpire
from webapp.presenting import campaign_labels as labels
from webapp.presenting.engagement_meetings import engagement_in
from webapp.presenting.flash import Flash, flash_of
from webapp.presenting.naming import say_value
from webapp.presenting.rule_link import rule_words
from webapp.presenting.sides import side_number, side_sign, sign_at
from webapp.seating import requests
from webapp.storage.journal.records import Seat
from webapp.storage.services import letters
from webapp.systems.presentations import presentation

bp = campaign_blueprint("campaign", template_folder="templates", static_folder="static")
_tables = Cache(single_flight=True)


bp.add_app_template_global(side_number)
bp.add_app_template_global(side_sign)
bp.add_app_template_global(sign_at)


@bp.app_template_global()
def campaign_words(system: str = "", game: str = "") -> dict[str, Any]:
    """The functions that put a system's ids into words, for the templates; a game's seats by their own names."""
    table = store().load(game) if game else None
    return {
        "seat": partial(labels.seat_name, table.state) if table else labels.seat_word,
        "prompt": partial(labels.prompt_word, system),
        "field": partial(labels.field_word, system),
        "number": partial(side_number, table.game.system, table.sides) if table else partial(side_number, system, ()),
        "value": say_value,
        "rule": rule_words,
    }


def home(game: str) -> str:
    """Where a seat's link leads: to the page that its system names for it, else to the campaign's."""
    seat, table = seat_and_knowledge(game)
    how = presentation(table.game.system)
    first = how.umpires_page if seat.id == UMPIRE else how.players_page if seat.side in table.sides else ""
    return url_for(first or "game.page", game=game, seat=seat.id)


def page(game: str) -> Any:
    """At /g/<game>: the campaign as this seat sees it; for htmx only the parts that change."""
    return show(game)


def show(game: str, flash: Flash | None = None, is_done: bool = False) -> ResponseReturnValue:
    """The page or the fragments that a page of it lacks, with a flash and its status; when something `is_done`, no
    space and no card is chosen: the panel begins at what is to be done next."""
    seat = current_seat(game)
    table = store().load(game).for_seat(seat.id)
    space, card = request.args.get("space"), request.args.get("pick")
    if is_done:
        space = None
    if is_done and card and card.isdigit():
        card = None  # the next card of the same points has not been picked; a leader who marches goes on
    seen = screen(store(), table, seat.id, space, card)
    g.page_address = f"/g/{game}?seat={seat.id}"  # where a change of colours or language leads back
    drawn, version = drawing_of(seen, flash), table.game.version
    status = flash.status if flash else 200
    if not request.headers.get("HX-Request"):
        return render_template("campaign/page.html", table=drawn.whole(version), game=table.game), status
    said = request.headers.get(fragments.HEADER)
    return drawn.whole(version) if said is None else drawn.changed(said, version), status


def drawing_of(seen: Screen, flash: Flash | None) -> Drawing:
    """The page in fragments; drawn once for all who see the same view, unless a battle or a refusal has a say in it."""
    held = tuple(held_seats(seen.game.id))
    asking = requests.waiting_in(store(), seen.game.id) if seen.seat == UMPIRE else ()
    if flash is not None or asking or seen.battles or engagement_in(seen.view) is not None:
        return draw(seen, held, flash)
    depends = (
        seen.stamp,
        seen.sentence,
        held,
        request.cookies.get("scheme"),
        letters.unread(store(), seen.game.id, seen.seat),
    )
    return _tables.get(depends, lambda: draw(seen, held, None))


def draw(seen: Screen, held: tuple[Seat, ...], flash: Flash | None) -> Drawing:
    """The page with gaps for what is this browser's alone."""
    return fragments.drawing(
        lambda: render_template(
            "campaign/_table.html",
            screen=seen,
            game=seen.game,
            flash=flash,
            here=f"/g/{seen.game.id}",
            chosen=seen.place.spot.id if seen.place else None,
            hot=seen.hot,
            held=held,
        )
    )


@bp.post("/<game>/march")
def march(game: str) -> ResponseReturnValue:
    """March to a goal: the steps in turn, as far as nobody interferes."""
    seat = current_seat(game).id
    try:
        march_orders.go(
            store(), game, whole(request.form.get("seen"), "seen"), seat, march_orders.orders_of(request.form)
        )
    except REFUSALS as fault:
        return refuse(game, fault)
    return again(game)


@bp.post("/<game>/switches")
def switch(game: str) -> ResponseReturnValue:
    """Answer leader by leader: the command that the switches come to."""
    seat, table = seat_and_table(game)
    try:
        command = presentation(table.game.system).command_of(table.state, seat, request.form)
        store().submit(game, whole(request.form.get("seen"), "seen"), seat, command)
    except REFUSALS as fault:
        return refuse(game, fault)
    return again(game)


def again(game: str) -> ResponseReturnValue:
    """After a change: the new parts for htmx, else the page again."""
    if request.headers.get("HX-Request"):
        return show(game, is_done=True)
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
        entries=filter_lines(system, entries, side, chapter),
        side=side,
        sides=table.sides,
        chapter=chapter,
        chapters=chapters(system, entries),
    )


def refuse(game: str, fault: Exception) -> ResponseReturnValue:
    """A refusal stands on the page, beside what was tried; nothing has changed."""
    return show(game, flash_of(fault, store().game(game).system))


def refuse_here(fault: Exception) -> Any:
    """The same from any other page of a campaign; a page of no game has no table to say it on."""
    game = (request.view_args or {}).get("game")
    if game is None:
        return error_pages.plainly(errors.refusal(fault).status_code, flash_of(fault).text)
    return refuse(game, fault)


for place in (bp, calls.bp, chronicle_pages.bp, replay.bp, map_views.bp, umpire.bp):
    for kind in REFUSALS:
        place.register_error_handler(kind, refuse_here)


PAGES = GamePages(page, page, again, refuse, log, display.page, display.table, home=home)
