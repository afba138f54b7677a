"""The umpire's desk: what wants a hand with its answers in the line, the chart with everybody's knowledge, the turn."""

from __future__ import annotations

from typing import Any

from flask import abort, redirect, render_template, request, url_for

from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.forms import count
from webapp.http.game_pages import REFUSALS
from webapp.http.language import gettext as _
from webapp.http.seats import current_seat, store
from webapp.pages.open_campaign.blueprint import SYSTEM, open_blueprint
from webapp.pages.open_campaign.desk_work import TRUTH, desk
from webapp.post.turn_sentence import turn_sentence
from webapp.presenting.flash import Flash, refused
from webapp.storage.services import letters
from webapp.systems.open_campaign.dates import span_said
from webapp.systems.open_campaign.knowledge import days_of

bp = open_blueprint("open_desk")
WAYS = {"dice": "own_table", "table": "battle", "report": "report"}  # what a button means (L1.2)


@bp.get("/<game>/desk")
def page(game: str) -> Any:
    """The desk; the umpire's alone."""
    return shown(game)


def umpires(game: str) -> str:
    """The umpire's seat. Aborts for everybody else, who is not told that there is a desk."""
    seat = current_seat(game).id
    if seat != UMPIRE:
        abort(404)
    return seat


def shown(game: str, flash: Flash | None = None) -> Any:
    """The page, with a refusal where there is one."""
    seat, table = umpires(game), store().load(game)
    near = count(request.values.get("near", "1")) or 0
    found = desk(store(), table, request.values.get("as", TRUTH), near)
    body = render_template(
        "open_campaign/desk.html",
        game=table.game,
        seat=seat,
        desk=found,
        near=near,
        flash=flash,
        sentence=turn_sentence(store(), table, seat),
        dates=span_said(found.view["date"], days_of(found.view)),
        truth=TRUTH,
    )
    return body, flash.status if flash else 200


@bp.post("/<game>/desk")
def act(game: str) -> Any:
    """One tap of the umpire, then the desk again."""
    umpires(game)
    try:
        ACTS.get(request.form.get("act", ""), nothing)(game)
    except REFUSALS as fault:
        return shown(game, refused(fault, SYSTEM))
    looks_as, near = request.form.get("as", TRUTH), request.form.get("near", "1")
    more: dict[str, Any] = {"as": looks_as, "near": near}
    return redirect(url_for(".page", game=game, seat=UMPIRE, **more), 303)


def nothing(game: str) -> None:
    """A form that names no act. Raises BadInput."""
    raise BadInput("act", "tap one of the buttons")


def submit(game: str, command: dict[str, Any]) -> None:
    """A command of the umpire on what he has seen. Raises Stale and what the engine refuses."""
    seen = count(request.form.get("seen", ""))
    version = store().game(game).version if seen is None else seen
    store().submit(game, version, UMPIRE, command)


def run(game: str) -> None:
    """O3.7 The turn runs with the orders that there are, and is sent or held as the campaign says."""
    submit(game, {"type": "run"})


def run_and_hold(game: str) -> None:
    """O3.7 The turn runs, and its dispatches wait for the umpire."""
    dispatches(game, "hold", _("The umpire holds the dispatches of this turn."))
    store().submit(game, store().game(game).version, UMPIRE, {"type": "run"})


def dispatches(game: str, how: str, why: str) -> None:
    """Set what happens with dispatches, where it is not so already."""
    if store().load(game).state.options.dispatches != how:
        submit(game, {"type": "adjust", "changes": {"options.dispatches": how}, "why": why})


def send(game: str) -> None:
    """O3.7 The dispatches that are held go out."""
    submit(game, {"type": "send"})


def settle(game: str) -> None:
    """L1.2 How a meeting is settled, said for every side that is there; a battle on the table is opened at once."""
    way, name = WAYS.get(request.form.get("way", "")), request.form.get("engagement", "")
    if way is None:
        raise BadInput("way", "say how the meeting is settled")
    engagement = store().load(game).state.engagement
    sides = () if engagement is None or engagement.id != name else tuple(engagement.fleets)
    for side in sides:
        waits = store().load(game).state.engagement
        if waits is None or waits.id != name or waits.way is not None:
            break
        command = {"type": "choose_way", "engagement": name, "way": way, "side": side}
        store().submit(game, store().game(game).version, UMPIRE, command)
    if way == "battle":
        store().submit(game, store().game(game).version, UMPIRE, {"type": "open_battle", "engagement": name})


def answer(game: str) -> None:
    """O3.4 A free order is answered, by a button's word or the umpire's own."""
    own, quick = request.form.get("text", "").strip(), request.form.get("quick", "")
    text = own or {"yes": _("Yes."), "no": _("No.")}.get(quick, "")
    side, number = request.form.get("side", ""), count(request.form.get("number", "")) or 0
    if not text:
        raise BadInput("text", "there is nothing written")
    submit(game, {"type": "answer", "side": side, "letter": number, "text": text})


def stand(game: str) -> None:
    """O3.2 A side without orders is ready: its fleets stay, or go home."""
    submit(game, {"type": "ready", "side": request.form.get("side", ""), "ready": True})


def add(game: str) -> None:
    """O11.1 A paragraph for a side's next dispatch: a letter of the umpire."""
    letters.send(store(), game, UMPIRE, request.form.get("side", ""), request.form.get("text", ""))


def take_back(game: str) -> None:
    """O3.7 The last act is taken back, which after a run is the turn."""
    store().undo(game, count(request.form.get("seen", "")) or store().game(game).version, UMPIRE, True)


ACTS = {
    "run": run,
    "run_and_hold": run_and_hold,
    "send": send,
    "settle": settle,
    "answer": answer,
    "stand": stand,
    "add": add,
    "take_back": take_back,
}
