"""The orders page: by taps on the chart, with the way, the halts and the dangers before an order is given (O4.5)."""

from __future__ import annotations

from dataclasses import asdict as fields_of
from typing import Any

from flask import abort, redirect, render_template, request, url_for

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.forms import count
from webapp.http.game_pages import REFUSALS
from webapp.http.seats import current_seat, store
from webapp.pages.open_campaign.blueprint import SYSTEM, open_blueprint
from webapp.pages.open_campaign.ordering import (
    DO,
    MOST_BACK,
    NEAREST,
    Screen,
    Wanted,
    command_of,
    fleets_said,
    screen,
)
from webapp.post.turn_sentence import turn_sentence
from webapp.presenting.flash import Flash, refused
from webapp.storage.errors import Stale
from webapp.systems.open_campaign.dates import span_said
from webapp.systems.open_campaign.knowledge import days_of
from webapp.systems.open_campaign.order_words import DO as DO_WORDS
from webapp.systems.open_campaign.order_words import PACE, STANCE, STANCE_MEANS

bp = open_blueprint("open_orders")
KEPT = ("do", "to", "stance", "pace", "more_than", "note", "near", "about", "back")


@bp.get("/<game>/orders")
def page(game: str) -> Any:
    """The orders of the seat's side; the umpire names a side."""
    return shown(game)


def shown(game: str, flash: Flash | None = None) -> Any:
    """The page, with a refusal where there is one."""
    seat, table = current_seat(game).id, store().load(game)
    side = side_of(table.sides, seat)
    found = screen(table, side, wanted())
    body = render_template(
        "open_campaign/orders.html",
        game=table.game,
        seat=seat,
        screen=found,
        flash=flash,
        sentence=turn_sentence(store(), table, seat),
        dates=span_said(found.view["date"], days_of(found.view)),
        ready_fleets=fleets_said(sum(not each.is_idle for each in found.fleets), len(found.fleets)),
        here=lambda **changes: address(game, seat, found, **changes),
        do_words=[(name, DO_WORDS[name]) for name in DO],
        stances=[(name, STANCE[name], STANCE_MEANS[name]) for name in STANCE],
        paces=list(PACE.items()),
        nearest=NEAREST,
        most_back=MOST_BACK,
    )
    return body, flash.status if flash else 200


def side_of(sides: tuple[str, ...], seat: str) -> str:
    """Whose orders are written: the seat's own; the umpire may write for any side. Aborts for who only looks on."""
    side = request.values.get("side", "") if seat == UMPIRE else seat
    if seat == SPECTATOR or side not in sides:
        abort(404)
    return side


def wanted() -> Wanted:
    """What the address or the form says."""
    given = request.values
    return Wanted(
        fleet=given.get("fleet", "")[:40],
        do=given.get("do", "") if given.get("do") in DO else "",
        to=given.get("to", "")[:40],
        stance=given.get("stance", "") if given.get("stance") in STANCE else "accept",
        pace=given.get("pace", "") if given.get("pace") in PACE else "cruise",
        more_than=min(count(given.get("more_than", "")) or 0, 999),
        note=given.get("note", "")[:2000],
        near=min(count(given.get("near", "1")) or 0, NEAREST),
        about=given.get("about", "")[:40],
        back=min(count(given.get("back", "")) or 0, MOST_BACK),
    )


def address(game: str, seat: str, found: Screen, **changes: Any) -> str:
    """The page's address with something changed; another fleet begins anew."""
    kept = fields_of(found.wanted)
    if "fleet" in changes:
        kept = {name: kept[name] for name in ("near", "about", "back")}
    plain = fields_of(Wanted())
    values = {name: value for name, value in {**kept, **changes}.items() if value != plain.get(name)}
    if seat == UMPIRE:
        values["side"] = found.side
    return url_for(".page", game=game, seat=seat, **values)


@bp.post("/<game>/orders")
def give(game: str) -> Any:
    """Give the order in hand, cancel one, or say that the orders stand; then the fleet that wants one next.

    Others write their orders at the same time, so a form is out of date only when its turn is over.
    """
    seat, table = current_seat(game).id, store().load(game)
    side = side_of(table.sides, seat)
    try:
        submit(game, seat, said(side))
    except REFUSALS as fault:
        return shown(game, refused(fault, SYSTEM))
    more: dict[str, Any] = {"side": side} if seat == UMPIRE else {}
    if request.form.get("act") != "order":
        more["fleet"] = request.form.get("fleet", "")
    return redirect(url_for(".page", game=game, seat=seat, near=request.form.get("near", "1"), **more), 303)


def said(side: str) -> dict[str, Any]:
    """The form as a command. Raises BadInput for one that says nothing."""
    act, asked = request.form.get("act", ""), wanted()
    if act == "ready":
        return {"type": "ready", "side": side, "ready": request.form.get("ready") == "true"}
    if act == "cancel":
        return {"type": "cancel_order", "side": side, "fleet": asked.fleet}
    if act == "write":
        return {"type": "write", "side": side, "text": request.form.get("text", "")}
    order = command_of(side, asked)
    if act != "order" or order is None:
        raise BadInput("do", "tap one of the six orders, and its goal")
    fields = ("fleet", "do", "to", "stance", "pace", "more_than", "note")
    return {"type": "order", "side": side, **{name: getattr(order, name) for name in fields}}


def submit(game: str, seat: str, command: dict[str, Any]) -> None:
    """Give a command of this turn, whatever others have written meanwhile. Raises Stale when the turn is over."""
    turn = count(request.form.get("turn", ""))
    while True:
        table = store().load(game)
        if table.state.turn != turn:
            raise Stale(table.game.version)
        try:
            store().submit(game, table.game.version, seat, command)
            return
        except Stale as stale:
            if stale.is_lost:
                raise
