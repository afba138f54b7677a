"""The umpire's pages: fields of the position by their paths, and the hand that changes what stands on the map."""

from __future__ import annotations

import json
from typing import Any

from flask import redirect, render_template, request

from tactical.kernel.protocol import UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput, plain
from webapp.http.forms import parsed, whole
from webapp.http.language import gettext as _
from webapp.http.seats import current_seat, store
from webapp.pages.campaign.blueprint import campaign_blueprint
from webapp.pages.campaign.umpire import umpires_hand
from webapp.presenting.flash import Flash, refused
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.records import Table

bp = campaign_blueprint("umpire")
FAULTS = (BadInput, Illegal, NotYours, Barred, Refused, Stale)


@bp.get("/<game>/adjust")
def adjust(game: str, flash: Flash | None = None) -> Any:
    """The umpire's form: a field by its path, its new value, and why."""
    seat, table = current_seat(game), store().load(game)
    if seat.id != UMPIRE:
        raise Barred("Only the umpire adjusts the position.")
    state = json.dumps(plain(table.state), indent=1, ensure_ascii=False)
    body = render_template("campaign/adjust.html", game=table.game, seat=seat.id, state=state, flash=flash)
    return body, flash.status if flash else 200


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
def hand(game: str, flash: Flash | None = None) -> Any:
    """The umpire's hand: the fields of a space, a leader, a side or the game, to be changed."""
    seat, table = umpire_at(game)
    of, subject = request.args.get("of", "game"), umpires_hand.subject(table)
    try:
        found = umpires_hand.parts(subject, of)
    except BadInput as fault:
        found, of, flash = umpires_hand.parts(subject, "game"), "game", flash or refused(fault)
    body = render_template(
        "campaign/hand_of_umpire.html",
        game=table.game,
        seat=seat,
        flash=flash,
        of=of,
        parts=found,
        space=of.removeprefix("space.") if of.startswith("space.") else "",
        targets=umpires_hand.targets(subject),
        form=request.form,
    )
    return body, flash.status if flash else 200


@bp.post("/<game>/hand")
def do_hand(game: str) -> Any:
    """Change the fields that were put otherwise; the engine checks the position and the journal keeps the reason."""
    seat, table = umpire_at(game)
    of = request.args.get("of", "game")
    try:
        changes = umpires_hand.changes(table, umpires_hand.parts(umpires_hand.subject(table), of), request.form)
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
