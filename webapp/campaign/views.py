"""The campaign's pages. The battle's blueprint hands /g/<game>… of a strategic system to the view of that name here."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from tactical.kernel.play import Illegal, NotYours
from tactical.kernel.record import BadInput
from webapp.campaign import words
from webapp.campaign.journal import journal
from webapp.campaign.naming import said
from webapp.campaign.notice import Notice, refused
from webapp.campaign.ruling import rule_said
from webapp.campaign.screen import screen
from webapp.forms import read_form
from webapp.refusals import Barred, Refused, Stale
from webapp.seats import NoSeat, current_seat, held_seats, store

bp = Blueprint("campaign", __name__, template_folder="templates", static_folder="static", url_prefix="/campaign")


@bp.app_template_global()
def campaign_words() -> dict[str, Any]:
    """The functions that put ids into words, for the templates."""
    return {
        "seat": words.seat_said, "prompt": words.prompt_word, "field": words.field_word, "command": words.command_title,
        "phase": words.phase_word, "colour": words.colour, "said": said,
        "rule": rule_said,
    }  # fmt: skip


@bp.get("/<game>")
def page(game: str) -> Any:
    """At /g/<game>: the campaign as this seat sees it; for htmx only the parts that change."""
    return shown(game)


def shown(game: str, notice: Notice | None = None) -> Any:
    """The page or its changing parts, with a notice and its status."""
    seat = current_seat(game)
    table = store().load(game)
    space, card = request.args.get("space"), request.args.get("pick")
    seen = screen(store(), table, seat.id, space, card)
    swapped = request.headers.get("HX-Request") and not request.headers.get("HX-History-Restore-Request")
    template = "campaign/_parts.html" if swapped else "campaign/page.html"
    body = render_template(
        template,
        screen=seen,
        game=table.game,
        notice=notice,
        here=f"/g/{game}",
        chosen=seen.place.spot.id if seen.place else None,
        hot=seen.hot,
        held=held_seats(game),
    )
    return body, notice.status if notice else 200


@bp.post("/<game>/command")
def command(game: str) -> Any:
    """Give one command."""
    seat = current_seat(game)
    form = read_form(request.form)
    faces = form.faces
    waiting = store().game(game).waiting
    if waiting is not None and isinstance(faces, list):
        faces = [*waiting.faces, *faces]  # the page asks only for the dice that are missing
    store().submit(game, form.seen, seat.id, form.command, faces, form.key)
    return done(game)


@bp.post("/<game>/undo")
def undo(game: str) -> Any:
    """Take back the last command, or consent to it."""
    seat = current_seat(game)
    store().undo(game, int(request.form.get("seen", -1)), seat.id, consent=bool(request.form.get("consent")))
    return done(game)


@bp.post("/<game>/cancel-roll")
def cancel_roll(game: str) -> Any:
    """The umpire lets go of a command that waits for dice."""
    store().cancel_roll(game, int(request.form.get("seen", -1)), current_seat(game).id)
    return done(game)


def done(game: str) -> Any:
    """After a change: the new parts for htmx, else the page again."""
    if request.headers.get("HX-Request"):
        return shown(game)
    return back(game)


def back(game: str, endpoint: str | None = None) -> BaseResponse:
    """Redirect to a page of the game, for the same seat."""
    seat = current_seat(game).id
    where = url_for(endpoint, game=game, seat=seat) if endpoint else f"/g/{game}?seat={seat}"
    return redirect(where, 303)


@bp.get("/<game>/log")
def log(game: str) -> Any:
    """The journal, newest first, with every paragraph a link."""
    seat = current_seat(game)
    table = store().load(game)
    return render_template("campaign/log.html", game=table.game, seat=seat.id, entries=journal(store(), table, seat.id))


@bp.errorhandler(NoSeat)
def no_seat(fault: NoSeat) -> Any:
    """Nobody's page: say how to get a seat."""
    game = (request.view_args or {}).get("game", "")
    return render_template("battle/no_seat.html", game=game, title=store().game(game).title), 401


@bp.errorhandler(BadInput)
@bp.errorhandler(Illegal)
@bp.errorhandler(NotYours)
@bp.errorhandler(Barred)
@bp.errorhandler(Refused)
@bp.errorhandler(Stale)
def refuse(fault: Exception) -> Any:
    """A refusal stands on the page, beside what was tried; nothing has changed."""
    game = (request.view_args or {}).get("game")
    if game is None:
        raise fault
    return shown(game, refused(fault))

from webapp.campaign import house, pages  # noqa: E402, F401 - the other pages of this blueprint
