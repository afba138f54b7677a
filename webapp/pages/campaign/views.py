"""The campaign's page, its map as text, and where a seat is called."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import get_locale
from werkzeug.wrappers import Response as BaseResponse

from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain
from webapp.api import errors
from webapp.http import fragments, operations
from webapp.http.addresses import root
from webapp.http.cache import Cache
from webapp.http.forms import whole
from webapp.http.fragments import Drawing
from webapp.http.rate_limit import slow_down
from webapp.http.seats import REFUSALS, GamePages, current_seat, held_seats, seat_and_knowledge, seat_and_table, store
from webapp.pages.campaign import chronicle, display
from webapp.pages.campaign import corrections as umpire
from webapp.pages.campaign import journal as campaign_journal
from webapp.pages.campaign import screen as campaign_screen
from webapp.pages.campaign.journal import chapters, filter_lines
from webapp.pages.campaign.journal import journal as journal_lines
from webapp.pages.campaign.screen import Screen
from webapp.pages.campaign.screen import screen as screen_of
from webapp.pages.frame import campaign_blueprint
from webapp.post import seating
from webapp.post.deadlines import when
from webapp.post.postman import Notifier
from webapp.post.webhooks import call_of, keep
from webapp.presenting import campaign_labels as labels
from webapp.presenting.acts import lost_words
from webapp.presenting.campaign_labels import field_word
from webapp.presenting.map.sheet import has_map, sheet
from webapp.presenting.meetings import engagement_in
from webapp.presenting.naming import say_value
from webapp.presenting.refusals import Flash, flash_of, rule_words
from webapp.presenting.sides import side_number, side_sign, sign_at
from webapp.storage.journal import records
from webapp.storage.journal.records import Seat
from webapp.storage.services import letters
from webapp.systems import presentation

# -- The map as text: every space in words.

map_bp = campaign_blueprint("map")


@map_bp.get("/<game>/spaces")
def spaces(game: str) -> str:
    """Every space in words: the alternative to the picture."""
    seat, table = current_seat(game), store().load(game)
    system = table.game.system
    picture = presentation(system).picture(plain(table.view(seat.id)))
    paper = picture.sheet or (sheet(system) if has_map(system) else None)
    spots = paper.spots.values() if paper else ()
    named = [spot for spot in spots if spot.name or picture.at(spot.id)]
    return render_template(
        "campaign/spaces.html",
        space=field_word(system, "space"),
        spaces=field_word(system, "spaces"),
        game=table.game,
        seat=seat.id,
        spots=named,
        picture=picture,
        areas=paper.areas if paper else {},
    )


# -- Where a seat is called when it is its turn.

calls_bp = campaign_blueprint("calls")


@calls_bp.get("/<game>/calls")
def calls(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """Where this seat is called, and how the last call went."""
    seat = current_seat(game)
    body = render_template(
        "campaign/calls.html",
        game=store().game(game),
        seat=seat.id,
        flash=flash,
        call=call_of(store(), game, seat.id),
        said_when=when,
    )
    return body, flash.status if flash else 200


@calls_bp.post("/<game>/calls")
def set_call(game: str) -> ResponseReturnValue:
    """Say where this seat is to be called; an empty address ends it."""
    seat = current_seat(game)
    notifier: Notifier = current_app.extensions["navarch"].notifier
    form = request.form
    slow_down("calls")
    try:
        keep(
            store(),
            game,
            seat.id,
            form.get("url", ""),
            bool(form.get("at_once")),
            bool(form.get("daily")),
            root(),
            notifier.near,
            str(get_locale() or "en"),
            records.token_hash(g.token),
        )
    except REFUSALS as fault:
        return calls(game, flash_of(fault))
    notifier.start()
    return redirect(url_for("calls.calls", game=game, seat=seat.id), 303)


# -- The campaign's page: the game as a seat sees it, or the parts of it that change.

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
        "lost": lost_words,
        "extra": labels.extra_words,
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
    seen = screen_of(store(), table, seat.id, space, card)
    g.page_address = f"/g/{game}?seat={seat.id}"  # where a change of colours or language leads back
    drawn, version = drawing_of(seen, flash), table.game.version
    status = flash.status if flash else 200
    if not request.headers.get("HX-Request"):
        return drawn.within("campaign/page.html", version, game=table.game), status
    return drawn.answer(version), status


def drawing_of(seen: Screen, flash: Flash | None) -> Drawing:
    """The page in fragments; drawn once for all who see the same view, unless a battle or a refusal has a say in it."""
    held = tuple(held_seats(seen.game.id))
    asking = seating.waiting_in(store(), seen.game.id) if seen.seat == UMPIRE else ()
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
        "campaign/_table.html",
        screen=seen,
        game=seen.game,
        flash=flash,
        here=f"/g/{seen.game.id}",
        chosen=seen.place.spot.id if seen.place else None,
        hot=seen.hot,
        held=held,
    )


@bp.post("/<game>/march")
def march(game: str) -> ResponseReturnValue:
    """March to a goal, step by step, as far as nobody interferes; a question to another seat leaves the goal chosen."""
    seat = current_seat(game).id
    try:
        waits = campaign_screen.go(
            store(), game, whole(request.form.get("seen"), "seen"), seat, campaign_screen.orders_of(request.form)
        )
    except REFUSALS as fault:
        return refuse(game, fault)
    return again(game, is_done=not waits)


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


def again(game: str, is_done: bool = True) -> ResponseReturnValue:
    """After a change: the new parts for htmx, else the page again; with the space that is chosen unless it is done."""
    if request.headers.get("HX-Request"):
        return show(game, is_done=is_done)
    if is_done:
        return back(game)
    seat, space = current_seat(game).id, request.args.get("space")
    return redirect(url_for("game.page", game=game, seat=seat, space=space), 303)


def back(game: str, endpoint: str | None = None) -> BaseResponse:
    """Redirect to a page of the game, for the same seat."""
    seat = current_seat(game).id
    where = url_for(endpoint, game=game, seat=seat) if endpoint else f"/g/{game}?seat={seat}"
    return redirect(where, 303)


def log(game: str) -> Any:
    """The journal, newest first, with every paragraph a link."""
    seat = current_seat(game)
    table = store().load(game)
    entries = journal_lines(store(), table, seat.id)
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
        return operations.plainly(errors.refusal(fault).status_code, flash_of(fault).text)
    return refuse(game, fault)


for place in (bp, calls_bp, chronicle.bp, campaign_journal.bp, map_bp, umpire.bp):
    for kind in REFUSALS:
        place.register_error_handler(kind, refuse_here)


PAGES = GamePages(page, page, again, refuse, log, display.page, display.table, home=home)
