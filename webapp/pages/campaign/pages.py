"""The quieter pages of a campaign: the map as text, the chronicle, calls, the umpire's adjustments; the organizer."""

from __future__ import annotations

import json
from typing import Any

from flask import current_app, redirect, render_template, request, url_for
from flask_babel import get_locale

from tactical.kernel.protocol import UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput, plain
from webapp.api.request_body import EXPORT_LIMIT, parse
from webapp.http.addresses import root
from webapp.http.forms import parsed, whole
from webapp.http.language import gettext as _
from webapp.http.organizer import allow_new_game, has_password, is_organizer, log_in, log_out
from webapp.http.seats import current_seat, held_seats, remember, store
from webapp.pages.campaign import notes, organizer, umpires_hand
from webapp.pages.campaign.blueprint import bp
from webapp.pages.campaign.chronicle import chronicle as chapters_of
from webapp.pages.campaign.flash import Notice, refused
from webapp.pages.campaign.map_layout import has_map, sheet
from webapp.pages.campaign.notifier import Caller
from webapp.pages.campaign.turn_status import when
from webapp.pages.campaign.webhooks import call_of, keep
from webapp.storage import backups, transfer
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.records import Table
from webapp.systems.presentations import presentation

FAULTS = (BadInput, Illegal, NotYours, Barred, Refused, Stale)


@bp.get("/<game>/spaces")
def spaces(game: str) -> Any:
    """Every space in words: the alternative to the picture."""
    seat, table = current_seat(game), store().load(game)
    system = table.game.system
    picture = presentation(system).picture(plain(table.view(seat.id)))
    spots = sheet(system).spots.values() if has_map(system) else ()
    named = [spot for spot in spots if spot.name or picture.at(spot.id)]
    return render_template("campaign/spaces.html", game=table.game, seat=seat.id, spots=named, picture=picture,
                           areas=sheet(system).areas if spots else {})  # fmt: skip


@bp.get("/<game>/chronicle")
def chronicle(game: str, notice: Notice | None = None) -> Any:
    """The war as it is told so far."""
    seat, table = current_seat(game), store().load(game)
    body = render_template("campaign/chronicle.html", game=table.game, seat=seat.id, notice=notice,
                           chapters=chapters_of(store(), table, seat.id))  # fmt: skip
    return body, notice.status if notice else 200


@bp.post("/<game>/chronicle")
def jot(game: str) -> Any:
    """Write a note, or strike one out."""
    seat = current_seat(game)
    try:
        if request.form.get("strike", "").isdecimal():
            notes.strike(store(), game, seat.id, whole(request.form["strike"], "strike"))
        else:
            notes.write(store(), game, seat.id, request.form.get("text", ""), request.form.get("seen_by", "all"))
    except FAULTS as fault:
        return chronicle(game, refused(fault))
    return redirect(url_for("campaign.chronicle", game=game, seat=seat.id), 303)


@bp.get("/<game>/calls")
def calls(game: str, notice: Notice | None = None) -> Any:
    """Where this seat is called, and how the last call went."""
    seat = current_seat(game)
    body = render_template("campaign/calls.html", game=store().game(game), seat=seat.id, notice=notice,
                           call=call_of(store(), game, seat.id), said_when=when)  # fmt: skip
    return body, notice.status if notice else 200


@bp.post("/<game>/calls")
def set_call(game: str) -> Any:
    """Say where this seat is to be called; an empty address ends it."""
    seat = current_seat(game)
    caller: Caller = current_app.extensions["navarch-caller"]
    form = request.form
    try:
        keep(store(), game, seat.id, form.get("url", ""), bool(form.get("at_once")), bool(form.get("daily")),
             root(), caller.near, str(get_locale() or "en"))  # fmt: skip
    except FAULTS as fault:
        return calls(game, refused(fault))
    caller.start()
    return redirect(url_for("campaign.calls", game=game, seat=seat.id), 303)


@bp.get("/<game>/adjust")
def adjust(game: str, notice: Notice | None = None) -> Any:
    """The umpire's form: a field by its path, its new value, and why."""
    seat, table = current_seat(game), store().load(game)
    if seat.id != UMPIRE:
        raise Barred("Only the umpire adjusts the position.")
    state = json.dumps(plain(table.state), indent=1, ensure_ascii=False)
    body = render_template("campaign/adjust.html", game=table.game, seat=seat.id, state=state, notice=notice)
    return body, notice.status if notice else 200


@bp.post("/<game>/adjust")
def do_adjust(game: str) -> Any:
    """Set the fields; the engine checks the position and the journal keeps the reason."""
    seat, form = current_seat(game), request.form
    paths, values = form.getlist("path"), form.getlist("value")
    changes = {path.strip(): valued(value) for path, value in zip(paths, values, strict=False) if path.strip()}
    try:
        if not changes:
            raise BadInput("path", _("name a field"))
        command = {"type": "adjust", "changes": changes, "why": form.get("why", "").strip()}
        store().submit(game, whole(form.get("seen"), "seen"), seat.id, command)
    except FAULTS as fault:
        return adjust(game, refused(fault, store().game(game).system))
    return redirect(f"/g/{game}?seat={seat.id}", 303)


@bp.get("/<game>/hand")
def hand(game: str, notice: Notice | None = None) -> Any:
    """The umpire's hand: the fields of a space, a leader, a side or the game, to be changed."""
    seat, table = umpire_at(game)
    of = request.args.get("of", "game")
    try:
        found = umpires_hand.parts(table, of)
    except BadInput as fault:
        found, of, notice = umpires_hand.parts(table, "game"), "game", notice or refused(fault)
    body = render_template(
        "campaign/hand_of_umpire.html", game=table.game, seat=seat, notice=notice, of=of, parts=found,
        space=of.removeprefix("space.") if of.startswith("space.") else "", targets=umpires_hand.targets(table),
        form=request.form,
    )  # fmt: skip
    return body, notice.status if notice else 200


@bp.post("/<game>/hand")
def do_hand(game: str) -> Any:
    """Change the fields that were put otherwise; the engine checks the position and the journal keeps the reason."""
    seat, table = umpire_at(game)
    of = request.args.get("of", "game")
    try:
        changes = umpires_hand.changes(table, umpires_hand.parts(table, of), request.form)
        if not changes:
            raise BadInput("", _("nothing was changed"))
        command = {"type": "adjust", "changes": changes, "why": request.form.get("why", "").strip()}
        store().submit(game, whole(request.form.get("seen"), "seen"), seat, command)
    except FAULTS as fault:
        return hand(game, refused(fault))
    space = of.removeprefix("space.") if of.startswith("space.") else ""
    return redirect(f"/g/{game}?seat={seat}" + (f"&space={space}" if space else ""), 303)


def umpire_at(game: str) -> tuple[str, Table]:
    """The umpire's seat and the game. Raises Barred for everybody else."""
    seat = current_seat(game)
    if seat.id != UMPIRE:
        raise Barred("Only the umpire adjusts the position.")
    return seat.id, store().load(game)


def valued(text: str) -> Any:
    """A value as JSON where it is JSON, else the text itself."""
    try:
        return parsed(text, "value")
    except BadInput:
        return text


# The organizer ---------------------------------------------------------------------------------------------


def organizer_page(notice: Notice | None = None) -> Any:
    """All campaigns and battles, their state, exports and backups."""
    held = {game.id: tuple(seat.id for seat in held_seats(game.id)) for game in store().games()}
    local = is_organizer()
    body = render_template(
        "campaign/organizer.html",
        rows=organizer.rows(store(), held, local),
        local=local,
        asks=has_password(),
        troubles=list(current_app.extensions["navarch-troubles"])[::-1] if local else [],
        backups=organizer.kept(store().file.path) if local else [],
        lost=store().lost() if local else [],
        no_backup=organizer.no_backup(store().file.path) if local else None,
        notice=notice,
    )
    return body, notice.status if notice else 200


def log_in_page() -> Any:
    """The organizer's password makes this browser his; empty, it is his no more."""
    if not has_password():
        raise Refused(_("This server asks for no password: the organizer is whoever sits at it."))
    given = request.form.get("password", "")
    if not given:
        log_out()
    elif not log_in(given):
        return organizer_page(Notice(_("That is not the password.")))
    return redirect("/organizer", 303)


def known_page() -> Any:
    """The organizer knows of the moves that were lost."""
    if not is_organizer():
        raise Barred("Only the organizer can say that.")
    store().forget_losses()
    return redirect("/organizer", 303)


def restore_page() -> Any:
    """Go back to a backup, after a last one of what is there; the organizer's alone."""
    if not is_organizer():
        raise Barred("Only the organizer can go back to a backup.")
    path = store().file.path
    wanted = next((each for each in backups.backups(path) if each.name == request.form.get("backup")), None)
    if wanted is None:
        return organizer_page(Notice(_("There is no such backup.")))
    try:
        organizer.go_back(store(), wanted)
    except OSError as fault:
        return organizer_page(Notice(_("It could not be restored: %(why)s. Nothing has changed.", why=str(fault))))
    return redirect("/organizer", 303)


def import_page() -> Any:
    """Bring in an exported game; this browser becomes its umpire."""
    allow_new_game("imports")
    sent = request.files.get("file")
    try:
        if sent is None or not sent.filename:
            raise BadInput("file", _("choose a file"))
        game, tokens = transfer.import_(store(), parse(sent.read()))
    except FAULTS as fault:
        return organizer_page(refused(fault))
    seat = store().seat_of(tokens[UMPIRE])
    if seat is not None:
        remember(seat, tokens[UMPIRE])
    return redirect(f"/g/{game.id}?seat={UMPIRE}", 303)


@bp.app_url_value_preprocessor
def roomy(endpoint: str | None, values: Any) -> None:
    """A whole game is longer than other forms; this must be known before its token is read."""
    if endpoint == "campaign.import_game":
        request.max_content_length = EXPORT_LIMIT + 65_536  # and what wraps the file


@bp.record_once
def install(state: Any) -> None:
    """The organizer's page has its own address; the caller is part of the application."""
    app = state.app
    app.add_url_rule("/organizer", "campaign.organizer", organizer_page, methods=["GET"])
    app.add_url_rule("/organizer/import", "campaign.import_game", import_page, methods=["POST"])
    app.add_url_rule("/organizer/login", "campaign.log_in", log_in_page, methods=["POST"])
    app.add_url_rule("/organizer/known", "campaign.known", known_page, methods=["POST"])
    app.add_url_rule("/organizer/restore", "campaign.restore", restore_page, methods=["POST"])
    app.extensions["navarch-caller"] = Caller(app, app.extensions["navarch"])
