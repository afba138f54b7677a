"""The organizer's page: all campaigns and battles, what may be done about each, imports and backups."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.addresses import seat_path
from webapp.http.forms import whole
from webapp.http.game_pages import REFUSALS
from webapp.http.language import gettext as _
from webapp.http.organizer import allow_new_game, has_password, is_organizer, log_in, log_out
from webapp.http.request_body import parse
from webapp.http.seats import NoSeat, held_games, held_seats, remember, store
from webapp.pages.lobby import links
from webapp.pages.organizer import overview as organizer
from webapp.post.archive_api import by_whom, perform
from webapp.presenting.flash import Flash, flash_of
from webapp.seating.no_seat import no_seat, unknown
from webapp.storage.errors import Barred, Refused, Unknown
from webapp.storage.journal import losses, transfer
from webapp.storage.journal.records import Game
from webapp.storage.services import archive, backups

bp = Blueprint("organizer", __name__, template_folder="templates", url_prefix="/organizer")
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)


@bp.get("")
def organizer_page(flash: Flash | None = None) -> ResponseReturnValue:
    """The campaigns and battles, a page of them, with their state, exports and backups; `?game=` finds its page."""
    local = is_organizer()
    games, archived = organizer.lists(store(), None if local else held_games())
    code = request.values.get("game", "")
    shown = organizer.page_of(games, number("page"), code)
    archive = organizer.page_of(archived, number("archive"), code)
    body = render_template(
        "organizer/organizer.html",
        rows=[found for game in shown.games if (found := organizer.row(store(), game, mine(game))).mine or local],
        page=shown,
        archive=[organizer.archive_row(game, mine(game)) for game in archive.games if local or mine(game)],
        archive_page=archive,
        local=local,
        asks=has_password(),
        troubles=current_app.extensions["navarch-troubles"].newest()[::-1] if local else [],
        backups=organizer.list_backups(store().file.path) if local else [],
        lost=losses.read(store()) if local else [],
        no_backup=organizer.no_backup(store().file.path) if local else None,
        flash=flash,
    )
    return body, flash.status if flash else 200


def number(field: str) -> int:
    """The page that is asked for; the first where none is."""
    return whole(request.args.get(field) or "1", field)


def mine(game: Game) -> tuple[str, ...]:
    """This browser's seats in a game."""
    return tuple(seat.id for seat in held_seats(game.id))


@bp.post("/login")
def log_in_page() -> ResponseReturnValue:
    """The organizer's password makes this browser his; empty, it is his no more."""
    if not has_password():
        raise Refused(_("This server does not ask for a password: the organizer is the person who sits at it."))
    given = request.form.get("password", "")
    if not given:
        log_out()
    elif not log_in(given):
        return organizer_page(Flash(_("That password is wrong.")))
    return redirect("/organizer", 303)


@bp.post("/known")
def known_page() -> ResponseReturnValue:
    """The organizer knows of the moves that were lost."""
    if not is_organizer():
        raise Barred("Only the organizer can acknowledge the lost moves.")
    losses.clear(store())
    return redirect("/organizer", 303)


@bp.post("/restore")
def restore_page() -> ResponseReturnValue:
    """Go back to a backup, after a last one of what is there; the organizer's alone."""
    if not is_organizer():
        raise Barred("Only the organizer can go back to a backup.")
    path = store().file.path
    wanted = next((each for each in backups.backups(path) if each.name == request.form.get("backup")), None)
    if wanted is None:
        return organizer_page(Flash(_("There is no such backup.")))
    try:
        organizer.go_back(store(), wanted)
    except OSError as fault:
        return organizer_page(
            Flash(_("The backup could not be restored: %(why)s. Nothing has changed.", why=str(fault)))
        )
    return redirect("/organizer", 303)


@bp.post("/keep")
def keep_page() -> ResponseReturnValue:
    """Pause, end, archive or show a campaign; its umpire's and the organizer's."""
    game, act = request.form.get("game", ""), request.form.get("act", "")
    try:
        by = by_whom(game)  # first, so that a stranger does not learn which codes there are
        perform(store(), game, act, by)
    except REFUSALS as fault:
        return organizer_page(flash_of(fault))
    if request.form.get("back") == "seats":
        return redirect(f"/g/{game}/seats?seat={UMPIRE}#public", 303)
    return redirect(f"/organizer?game={game}#game-{game}", 303)


@bp.post("/copy")
def copy_page() -> ResponseReturnValue:
    """A new game from one as it stood after an entry; this browser becomes its umpire."""
    form = request.form
    game, entry = form.get("game", ""), form.get("entry", "").strip()
    try:
        by = by_whom(game)  # first, as above
        store().game(game)
        allow_new_game("imports")
        number = whole(entry, "entry") if entry else None
        made, tokens = archive.copy(store(), game, by, number, form.get("title", ""))
    except REFUSALS as fault:
        return organizer_page(flash_of(fault))
    links.keep(made, tokens)
    return redirect(f"/seats/{made.id}", 303)


@bp.post("/import")
def import_page() -> ResponseReturnValue:
    """Bring in an exported game; this browser becomes its umpire."""
    allow_new_game("imports")
    sent = request.files.get("file")
    try:
        if sent is None or not sent.filename:
            raise BadInput("file", _("choose a file"))
        game, tokens = transfer.import_(store(), parse(sent.read()), is_strangers=not is_organizer())
    except REFUSALS as fault:
        return organizer_page(flash_of(fault))
    seat = store().seat_of(tokens[UMPIRE])
    if seat is not None:
        remember(seat, tokens[UMPIRE])
    return redirect(seat_path(game.id, UMPIRE), 303)
