"""The umpire's pages: fields of the position by their paths, and the hand that changes what stands on the map."""

from __future__ import annotations

import json
from typing import Any

from flask import redirect, render_template, request
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput, plain
from webapp.http.forms import parse_field, whole
from webapp.http.language import gettext as _
from webapp.http.seats import current_seat, store
from webapp.pages.campaign.blueprint import campaign_blueprint
from webapp.pages.campaign.umpire import players_hand, umpires_hand
from webapp.presenting.campaign_labels import field_word
from webapp.presenting.flash import Flash, flash_of
from webapp.storage.errors import Barred, Refused, Stale

bp = campaign_blueprint("umpire")
FAULTS = (BadInput, Illegal, NotYours, Barred, Refused, Stale)


@bp.get("/<game>/adjust")
def adjust(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """The umpire's form: a field by its path, its new value, and why."""
    seat, table = current_seat(game), store().load(game)
    if seat.id != UMPIRE:
        raise Barred("Only the umpire can adjust the position.")
    state = json.dumps(plain(table.state), indent=1, ensure_ascii=False)
    body = render_template("campaign/adjust.html", game=table.game, seat=seat.id, state=state, flash=flash)
    return body, flash.status if flash else 200


@bp.post("/<game>/adjust")
def do_adjust(game: str) -> ResponseReturnValue:
    """Set the fields; the engine checks the position and the journal keeps the reason."""
    seat, form = current_seat(game), request.form
    paths, values = form.getlist("path"), form.getlist("value")
    changes = {path.strip(): read_value(value) for path, value in zip(paths, values, strict=False) if path.strip()}
    try:
        if not changes:
            raise BadInput("path", _("choose a field to change"))
        command = {"type": "adjust", "changes": changes, "why": form.get("why", "").strip()}
        store().submit(game, whole(form.get("seen"), "seen"), seat.id, command)
    except FAULTS as fault:
        return adjust(game, flash_of(fault, store().game(game).system))
    return redirect(f"/g/{game}?seat={seat.id}", 303)


@bp.get("/<game>/hand")
def hand(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """The umpire's hand, or a side's own: the fields of a space, a leader, a side or the game, to be changed."""
    form = hand_at(game)
    of, beside = request.args.get("of", "game"), request.args.get("and", "")
    try:
        found = form.parts(of, beside)
    except BadInput as fault:
        found, of, flash = form.parts("game", ""), "game", flash or flash_of(fault)
    body = render_template(
        "campaign/hand_of_umpire.html",
        game=form.table.game,
        seat=form.seat,
        is_umpire=form.seat == UMPIRE,
        flash=flash,
        of=of,
        beside=beside,
        parts=found,
        space=of.removeprefix("space.") if of.startswith("space.") else "",
        targets=form.targets(),
        spaces=field_word(form.table.game.system, "spaces"),
        form=request.form,
        waits_for="" if form.seat == UMPIRE else players_hand.waits_for(form.table.state),
    )
    return body, flash.status if flash else 200


@bp.post("/<game>/hand")
def do_hand(game: str) -> ResponseReturnValue:
    """Change the fields that were put otherwise; the engine checks the position and the journal keeps the reason."""
    form = hand_at(game)
    of = request.args.get("of", "game")
    try:
        command = form.command(form.parts(of, request.args.get("and", "")), request.form)
        store().submit(game, whole(request.form.get("seen"), "seen"), form.seat, command)
    except FAULTS as fault:
        return hand(game, flash_of(fault, form.table.game.system))
    space = of.removeprefix("space.") if of.startswith("space.") else ""
    return redirect(f"/g/{game}?seat={form.seat}" + (f"&space={space}" if space else ""), 303)


def hand_at(game: str) -> umpires_hand.Hand:
    """The form by which the seat changes the game by hand. Raises Barred for a seat that may not."""
    seat, table = current_seat(game).id, store().load(game)
    if seat == UMPIRE:
        return umpires_hand.Hand(table, seat)
    if table.system.settable is None or seat not in table.sides:
        raise Barred("Only the umpire can adjust the position.")
    return players_hand.Hand(table, seat)


def read_value(text: str) -> Any:
    """A value as JSON where it is JSON, else the text itself."""
    try:
        return parse_field(text, "value")
    except BadInput:
        return text
