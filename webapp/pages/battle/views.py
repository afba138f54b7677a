"""The battle's pages: read the form, call the store, render."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Any

import msgspec
from flask import Blueprint, abort, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from tactical.battle import Battle
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal
from tactical.kernel.record import BadInput, Reason, encode, read
from tactical.offers import to_act
from tactical.rules.plotting import to_plot
from tactical.sequence import can_insist
from webapp.captains.courses import keep
from webapp.http import fragments, operations
from webapp.http.cache import Cache, macro, part
from webapp.http.forms import read_form, read_photo, reason_text, whole
from webapp.http.fragments import Drawing
from webapp.http.seats import REFUSALS, GamePages, NoSeat, current_seat, held_seats, store
from webapp.pages.battle import (
    display,
    journal,
    orders,
    plans,
    replay,
    report,
    results,
    setup,
    side_heads,
    table_reading,
    tags,
)
from webapp.pages.battle import looking as battle_looking
from webapp.pages.battle import table as battle_table
from webapp.pages.battle.looking import Looking, looking, views_of
from webapp.pages.battle.roster import picture_of, qr, ship_drawing, shows
from webapp.pages.battle.sheet import draught
from webapp.pages.battle.table import Refusal, gather, refusal_of
from webapp.post.seating import no_seat, unknown
from webapp.presenting import battle_labels as labels
from webapp.presenting.campaign_labels import field_word
from webapp.presenting.labels import rowers_word, translate, type_word
from webapp.presenting.ships.galley import figure_sign
from webapp.storage.errors import Stale, Unknown
from webapp.storage.journal.records import Table
from webapp.storage.services import letters

bp = Blueprint("battle", __name__, template_folder="templates")
for name, function in {
    "picture_of": picture_of,
    "ship_drawing": ship_drawing,
    "shows": shows,
    "draught": draught,
    "figure_sign": figure_sign,
    "insist_on": orders.insist_on,
    "seat_word": labels.seat_name,
    "undo_word": orders.undo_word,
    "views_of": views_of,
    "qr": qr,
    "csrf_input": fragments.csrf_input,
    "seen_input": fragments.seen_input,
    "part": part,
    "macro": macro,
    "fragment": fragments.fragment,
    "server_now": side_heads.server_now,
    **{
        each.__name__: each
        for each in (
            type_word,
            rowers_word,
            labels.figure_word,
            labels.step_word,
            labels.stage_word,
            labels.level_word,
            labels.level_meaning,
            labels.status_word,
            labels.ship_name,
            labels.side_name,
            labels.hex_name,
            labels.heading_word,
        )
    },
}.items():
    bp.add_app_template_global(function, name)
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)
PARTIAL = "battle/_table.html"
_tables = Cache(single_flight=True)


@bp.before_request
def battles_only() -> None:
    """The pages of a battle are no campaign's."""
    game = (request.view_args or {}).get("game")
    if game is not None and store().game(game).system != "galley":
        abort(404)


# The table --------------------------------------------------------------------------------------------


def page(game: str) -> Any:
    """The battle as this seat may see it."""
    return render(game, "battle/page.html")


def table(game: str) -> Any:
    """The same, as the partial that live updates and taps swap in."""
    return render(game, PARTIAL)


@bp.get("/g/<game>/sheet/<ship>")
def sheet(game: str, ship: str) -> ResponseReturnValue:
    """One ship alone, as a QR code on paper leads to it."""
    current_seat(game)  # a stranger hears nothing of the ships
    if ship not in store().load(game).state.ships:
        raise Unknown("There is no such ship in this battle.")
    return redirect(seen_by(game, ship).url())


@bp.post("/g/<game>/read")
def read_results(game: str) -> ResponseReturnValue:
    """The results on the page have been read."""
    seat = current_seat(game)
    upto = min(whole(request.form.get("upto"), "upto"), store().game(game).version)
    results.mark_read(store(), game, seat.id, upto)
    return again(game)


@bp.post("/g/<game>/course")
def set_course(game: str) -> ResponseReturnValue:
    """Courses for ships, each with its speed in the plot; the helmsman hears of them and makes the steps due."""
    seat, known = current_seat(game).id, store()
    try:
        version, found = whole(request.form.get("seen"), "seen"), known.load(game)
        if found.game.version != version:
            raise Stale(found.game.version, version)
        wanted = plans.orders_of_form(found.state, request.form)
        speeds = [
            {"type": "plot", "ship": name, "speed": order.speed}
            for name, order in wanted.items()
            if order.speed is not None
        ]
        set_now = plans.set_from(found.state, seat, version, wanted)
        if speeds:
            version = known.submit(game, version, seat, {"type": "together", "commands": speeds}).version
        set_now = [msgspec.structs.replace(course, since=version) for course in set_now]
        gone = [course.ship for course in set_now if not course.legs]
        keep(known, game, [course for course in set_now if course.legs], gone)
    except REFUSALS as fault:
        return refuse(game, fault)
    known.looked(game, seat, known.game(game).version)
    return again(game)


@bp.post("/g/<game>/lesson")
def lesson(game: str) -> ResponseReturnValue:
    """An explanation of the teaching battle has been read, or all are left."""
    current_seat(game)
    battle_table.mark_read(game, request.form.get("name", ""))
    return again(game)


def render(game: str, template: str, refusal: Refusal | None = None, status: int = 200) -> ResponseReturnValue:
    """The table in a template; to a page that says which parts it holds, only the others."""
    seat = current_seat(game).id
    found = store().load(game)
    at = seen_in(found, seat)
    if request.endpoint in ("game.command", "battle.set_course") and refusal is None:
        at = going_on(found, at)
    if at.view == "log" and at.seat != SPECTATOR:
        store().looked(game, at.seat, found.game.version)
    g.page_address = at.url(ship=None)  # where a change of colours or language leads back without scripts
    drawn, version = drawing_of(found, at, refusal), found.game.version
    if template == PARTIAL:
        return drawn.answer(version), status
    has_clocks = bool(side_heads.faces(store(), found.game.id, found.state))
    shown_with = {"title": translate(found.game.title), "at": at, "b": found.state, "has_clocks": has_clocks}
    return drawn.within(template, version, **shown_with), status


def drawing_of(found: Table, at: Looking, refusal: Refusal | None) -> Drawing:
    """The table in fragments; drawn once for all who see the same view, unless a campaign or a refusal has a say."""
    if refusal is not None or found.state.link is not None or not found.kept.chain:
        return draw(found, at, refusal)
    game = found.game.id
    looks = store().looks(game)
    depends = (
        str(store().file.path),
        found.kept.chain,
        encode(found.game),
        at,
        request.args.get("rings"),
        of_browser(game),
        tuple(looks.get(name) for name in (at.seat, results.cursor(at.seat), results.cursor(at.seat, True))),
        battle_looking.marks(store(), game, found.state, at.seat),
        side_heads.faces(store(), game, found.state),
        letters.unread(store(), game, at.seat) if at.seat != SPECTATOR else 0,
    )
    return _tables.get(depends, lambda: draw(found, at, None))


def of_browser(game: str) -> tuple[Hashable, ...]:
    """What a table depends on of the browser that asks."""
    return request.cookies.get("scheme"), tuple(seat.id for seat in held_seats(game)), battle_table.read_by(game)


def draw(found: Table, at: Looking, refusal: Refusal | None) -> Drawing:
    """The table with gaps for what is this browser's alone."""
    page = gather(store(), found, at, refusal)
    return fragments.drawing(PARTIAL, page=page, at=at, b=page.battle)


def seen_by(game: str, ship: str | None = None) -> Looking:
    """Who looks at what in this request."""
    seat = current_seat(game).id
    return seen_in(store().load(game), seat, ship)


def seen_in(found: Table, seat: str, ship: str | None = None) -> Looking:
    """What a seat looks at in this request of its game."""
    asked = request.args
    if request.method == "GET":
        wanted = ship or asked.get("show") or asked.get("ship")
        return looking(found, seat, wanted, asked.get("view"), asked.get("target"), asked.get("to"))
    given = request.values
    return looking(found, seat, ship or given.get("show") or asked.get("ship"), given.get("view"))


def going_on(found: Table, at: Looking) -> Looking:
    """After an act the next ship that has something to do, once the selected one has nothing left to do."""
    ship = found.state.ships.get(at.ship or "")
    if ship is None or found.game.waiting is not None or found.game.over or at.seat not in (ship.side, UMPIRE):
        return at
    state, side = found.state, ship.side
    if state.step == "plot" and len(to_plot(state, side)) > 1 and not has_plotted(state, side) and began_a_turn(found):
        return dataclasses.replace(at, ship=None)  # a new turn begins with the whole fleet
    todo = list(to_act(found.state, ship.side)) if found.state.thrown is None else []
    if not todo or at.ship in todo:
        return at
    if not state.has_places:
        return dataclasses.replace(at, ship=None)  # the roster has them all
    order = list(found.state.ships)
    later = [name for name in todo if order.index(name) > order.index(str(at.ship))]
    return dataclasses.replace(at, ship=(later or todo)[0])


def began_a_turn(found: Table) -> bool:
    """G3.0 Has a turn begun since the page from which this form was sent?"""
    since = whole(request.form.get("seen"), "seen")
    return any(told.type == "turn" for entry in store().entries(found.game.id, since) for told in entry.events)


def has_plotted(battle: Battle, side: str) -> bool:
    """G3.1 Has any ship of the side a speed for this turn?"""
    return any(ship.plot is not None for ship in battle.ships.values() if ship.side == side)


def again(game: str) -> ResponseReturnValue:
    """The table after a change: the partial for HTMX, else back to the page."""
    if request.headers.get("HX-Request"):
        return render(game, PARTIAL)
    return redirect(seen_by(game).url(), 303)


def refuse(game: str, fault: Exception) -> ResponseReturnValue:
    """The table with the sentence of a refusal: 409 when it was stale, else 422."""
    template = PARTIAL if request.headers.get("HX-Request") else "battle/page.html"
    state = store().load(game).state
    if isinstance(fault, Stale):
        said = operations.in_words(operations.LOST_MOVES)
        if not fault.is_lost:
            seen = whole(request.form.get("seen"), "seen")
            said = battle_table.overtaken(store(), game, current_seat(game).id, seen)
        return render(game, template, Refusal(said, stale=True), 409)
    why: Reason = getattr(fault, "why", None) or Reason(str(fault))
    if isinstance(fault, BadInput):
        reason = reason_text(fault.why)
        field = field_word("galley", fault.path.removeprefix("command."))
        why = Reason(f"{field}: {reason}" if fault.path else reason)
    rule = getattr(fault, "rule", None)
    command = ""
    insist = False
    if isinstance(fault, Illegal) and state.level == "advise" and request.endpoint != "battle.set_course":
        given = read_form(request.form).command
        typed = read(given, store().load(game).system.command, "command")
        insist = can_insist(state, typed)
        command = encode(given).decode()
    return render(game, template, refusal_of(state, why, rule, command, insist), 422)


@bp.post("/g/<game>/ping")
def ping(game: str) -> ResponseReturnValue:
    """Point at a place: everybody sees it, or one's own side alone."""
    seat = current_seat(game).id
    battle: Battle = store().load(game).view(seat)
    if not battle.has_places:
        abort(404)
    try:
        place = battle_looking.read_place(battle, request.form.get("at", ""), request.form.get("place", ""))
        letters.ping(store(), game, seat, place, request.form.get("to") == "all")
    except REFUSALS as fault:
        return refuse(game, fault)
    return again(game)


@bp.post("/g/<game>/table-photo")
def take_photo(game: str) -> ResponseReturnValue:
    """Keep a photograph of the players' own table, and go back to it."""
    seat = current_seat(game).id
    try:
        setup.own_table(game)
        setup.take(store(), game, seat, read_photo())
    except REFUSALS as fault:
        return refuse(game, fault)
    return redirect(url_for("game.page", game=game, seat=seat, view="photo"), 303)


@bp.post("/g/<game>/table-photo/lines")
def draw_line(game: str) -> ResponseReturnValue:
    """Draw a line on the photograph, or rub out."""
    seat, out = current_seat(game).id, request.form.get("out", "")
    try:
        setup.own_table(game)
        if out:
            setup.rub_out(store(), game, seat, out == "all")
        else:
            setup.draw(store(), game, seat, request.form.get("points", ""))
    except REFUSALS as fault:
        return refuse(game, fault)
    return again(game)


# the views of the battle's folders
for method, path, endpoint, view in (
    ("GET", "/g/<game>/print", "print_choice", report.page),
    ("GET", "/g/<game>/journal", "journal", journal.short),
    ("GET", "/g/<game>/replay", "moment", replay.moment),
    ("GET", "/g/<game>/replay/<int:number>", "replay", replay.replay),
    ("POST", "/g/<game>/share", "share", replay.share),
    ("GET", "/shared/<game>", "shared_start", replay.share_film),
    ("GET", "/shared/<game>/<int:number>", "shared", replay.share_film),
    ("GET", "/g/<game>/report", "report", report.report),
    ("GET", "/g/<game>/report.txt", "report_text", report.report_text),
    ("GET", "/g/<game>/report.csv", "report_csv", report.report_csv),
    ("GET", "/g/<game>/ruler", "ruler", battle_looking.ruler),
    ("GET", "/g/<game>/clocks", "clocks", side_heads.page),
    ("POST", "/g/<game>/clocks", "set_clocks", side_heads.change),
    ("GET", "/g/<game>/table-photo", "table_photo", setup.photo),
    ("GET", "/g/<game>/table/read", "reading", table_reading.page),
    ("POST", "/g/<game>/table/read", "read_table", table_reading.read_table),
    ("POST", "/g/<game>/table/confirm", "confirm_table", table_reading.confirm),
    ("GET", "/g/<game>/table/sheet", "tags", tags.page),
    ("POST", "/g/<game>/table/sheet", "keep_tags", tags.change),
    ("GET", "/g/<game>/table/sheet.<kind>", "tags_file", tags.file),
):
    bp.add_url_rule(path, endpoint, view, methods=[method])
PAGES = GamePages(
    page,
    table,
    again,
    refuse,
    journal.log,
    display.page,
    display.table,
    results.read,
    lambda game, seat, seen, command: battle_table.is_still_shown(store(), game, seat, seen, command),
)
