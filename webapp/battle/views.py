"""The battle's pages: read the form, call the store, render. A campaign's pages answer under the same addresses."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, current_app, make_response, redirect, render_template, request

from tactical.kernel.play import Illegal, NotYours
from tactical.kernel.record import BadInput, encode, read
from tactical.sequence import can_insist
from webapp import faults
from webapp.battle import display, look, orders, papers, seating, teaching, telling, wording, words
from webapp.battle.drawing.shape import qr, ship_icon
from webapp.battle.table import Looking, Refusal, looking, refusal_of, shown
from webapp.forms import read_form, whole
from webapp.lobby.words import translated, type_word
from webapp.refusals import Barred, Refused, Stale, Unknown
from webapp.seats import NoSeat, current_seat, store

bp = Blueprint("battle", __name__, template_folder="templates")
bp.app_context_processor(look.look)
bp.add_url_rule("/look", "look", look.choose, methods=["POST"])
for name, function in {
    "picture_of": ship_icon,
    "insisted": orders.insisted,
    "seat_word": words.seat_name,
    "undo_word": wording.undo_word,
    "qr": qr,
    **{
        each.__name__: each
        for each in (
            type_word, words.crew_word, words.figure_word, words.step_word, words.stage_word, words.level_word,
            words.level_meaning, words.status_word, words.ship_name, words.side_name, words.hex_name,
            words.heading_word,
        )
    },
}.items():  # fmt: skip
    bp.add_app_template_global(function, name)
FOR_ALL = ("battle.seats", "battle.seats_change")  # the same page for battles and campaigns
REFUSALS = (Illegal, NotYours, Refused, Stale, BadInput, Barred)


@bp.before_request
def elsewhere() -> Any:
    """A game of another system has pages of its own: `campaign.<the same name>` answers for it."""
    game = (request.view_args or {}).get("game")
    if game is None or request.endpoint in FOR_ALL or store().game(game).system == "galley":
        return None
    view = current_app.view_functions.get(str(request.endpoint).replace("battle.", "campaign.", 1))
    if view is None:
        abort(404)
    return current_app.ensure_sync(view)(**(request.view_args or {}))


@bp.errorhandler(NoSeat)
def no_seat(fault: NoSeat) -> Any:
    """Nobody's page: say how to get a seat. A page that was open is sent there."""
    game = (request.view_args or {}).get("game", "")
    if request.headers.get("HX-Request"):
        answer = make_response("", 204)
        answer.headers["HX-Redirect"] = f"/g/{game}"
        return answer
    known = store().game(game)
    title, watched = translated(known.title), known.system == "galley"  # only battles have a television page
    return render_template("battle/no_seat.html", game=game, title=title, look_on=watched), 401


@bp.errorhandler(Unknown)
def unknown(fault: Unknown) -> Any:
    """No such battle, ship or entry."""
    return faults.not_found(fault)


# The table --------------------------------------------------------------------------------------------


@bp.get("/g/<game>")
def page(game: str) -> Any:
    """The battle as this seat may see it."""
    return render(game, "battle/page.html")


@bp.get("/g/<game>/table")
def table(game: str) -> Any:
    """The same, as the partial that live updates and taps swap in."""
    return render(game, "battle/_table.html")


@bp.get("/g/<game>/sheet/<ship>")
def sheet(game: str, ship: str) -> Any:
    """One ship alone, as a QR code on paper leads to it."""
    if ship not in store().load(game).state.ships:
        raise Unknown("There is no such ship in this battle.")
    return redirect(seen_by(game, ship).url())


@bp.post("/g/<game>/command")
def command(game: str) -> Any:
    """Give one command; what is refused is said beside the table."""
    seat = current_seat(game)
    try:
        form = read_form(request.form)
        store().submit(game, form.seen, seat.id, form.command, form.faces, form.key)
    except REFUSALS as fault:
        return refused(game, fault)
    store().looked(game, seat.id, store().game(game).version)
    return again(game)


@bp.post("/g/<game>/undo")
def undo(game: str) -> Any:
    """Take back the last command, or consent to it."""
    seat = current_seat(game)
    try:
        store().undo(game, whole(request.form.get("seen"), "seen"), seat.id, bool(request.form.get("consent")))
    except REFUSALS as fault:
        return refused(game, fault)
    return again(game)


@bp.post("/g/<game>/cancel-roll")
def cancel_roll(game: str) -> Any:
    """Let go of the command that waits for dice; the umpire's alone."""
    seat = current_seat(game)
    try:
        store().cancel_roll(game, whole(request.form.get("seen"), "seen"), seat.id)
    except REFUSALS as fault:
        return refused(game, fault)
    return again(game)


@bp.post("/g/<game>/lesson")
def lesson(game: str) -> Any:
    """An explanation of the teaching battle has been read, or all are left."""
    current_seat(game)
    teaching.mark_read(game, request.form.get("name", ""))
    return again(game)


def render(game: str, template: str, refusal: Refusal | None = None, status: int = 200) -> Any:
    """The table in a template."""
    at = seen_by(game)
    found = store().load(game)
    page = shown(store(), found, at, refusal)
    return render_template(template, page=page, at=at, b=page.battle), status


def seen_by(game: str, ship: str | None = None) -> Looking:
    """Who looks at what in this request."""
    seat = current_seat(game)
    wanted = ship or request.values.get("show") or request.args.get("ship")
    return looking(store().load(game), seat.id, wanted, request.values.get("view"))


def again(game: str) -> Any:
    """The table after a change: the partial for HTMX, else back to the page."""
    if request.headers.get("HX-Request"):
        return render(game, "battle/_table.html")
    return redirect(seen_by(game).url(), 303)


def refused(game: str, fault: Exception) -> Any:
    """The table with the sentence of a refusal: 409 when it was stale, else 422."""
    template = "battle/_table.html" if request.headers.get("HX-Request") else "battle/page.html"
    state = store().load(game).state
    reason = str(getattr(fault, "reason", None) or fault)
    rule = getattr(fault, "rule", None)
    stale = isinstance(fault, Stale)
    command = ""
    insist = False
    if isinstance(fault, Illegal) and state.level == "advise":
        given = read_form(request.form).command
        typed = read(given, store().load(game).system.command, "command")
        insist = can_insist(state, typed)
        command = encode(given).decode()
    return render(game, template, refusal_of(state, reason, rule, command, insist, stale), 409 if stale else 422)


for part in (display, papers, seating, telling):
    part.add_to(bp)
