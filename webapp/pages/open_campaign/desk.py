"""The umpire's desk: what wants a hand with its answers in the line, the chart with everybody's knowledge, the turn."""

from __future__ import annotations

from typing import Any

from flask import abort, redirect, render_template, request, url_for

from tactical.kernel.protocol import UMPIRE
from webapp.http.forms import count
from webapp.http.game_pages import REFUSALS
from webapp.http.seats import current_seat, store
from webapp.pages.open_campaign.blueprint import SYSTEM, open_blueprint
from webapp.pages.open_campaign.desk_acts import ACTS, nothing
from webapp.pages.open_campaign.desk_work import TRUTH, desk
from webapp.pages.open_campaign.sea_chart import tap_of
from webapp.pages.open_campaign.world_sheet import BEYOND
from webapp.post.turn_sentence import turn_sentence
from webapp.presenting.flash import Flash, flash_of
from webapp.systems.open_campaign.dates import span_words
from webapp.systems.open_campaign.goal_words import KINDS
from webapp.systems.open_campaign.knowledge import days_of

bp = open_blueprint("open_desk")


@bp.get("/<game>/desk")
def page(game: str) -> Any:
    """The desk; the umpire's alone."""
    return desk_page(game)


def umpires(game: str) -> str:
    """The umpire's seat. Aborts for everybody else, who is not told that there is a desk."""
    seat = current_seat(game).id
    if seat != UMPIRE:
        abort(404)
    return seat


def desk_page(game: str, flash: Flash | None = None) -> Any:
    """The page, with a refusal where there is one."""
    seat, table = umpires(game), store().load(game)
    near = count(request.values.get("near", "1")) or 0
    looks_as, moves = request.values.get("as", TRUTH), (request.values.get("fleet", ""), request.values.get("to", ""))
    found = desk(store(), table, looks_as, near, *moves, tap_of(request.args))
    body = render_template(
        "open_campaign/desk.html",
        game=table.game,
        seat=seat,
        desk=found,
        near=near,
        flash=flash,
        sentence=turn_sentence(store(), table, seat),
        dates=span_words(found.view["date"], days_of(found.view)),
        truth=TRUTH,
        beyond=BEYOND,
        goal_kinds=tuple((kind, str(word)) for kind, word in KINDS.items()),
    )
    return body, flash.status if flash else 200


@bp.post("/<game>/desk")
def act(game: str) -> Any:
    """One tap of the umpire, then the desk again."""
    umpires(game)
    try:
        ACTS.get(request.form.get("act", ""), nothing)(game)
    except REFUSALS as fault:
        return desk_page(game, flash_of(fault, SYSTEM))
    looks_as, near = request.form.get("as", TRUTH), request.form.get("near", "1")
    more: dict[str, Any] = {"as": looks_as, "near": near}
    return redirect(url_for(".page", game=game, seat=UMPIRE, **more), 303)
