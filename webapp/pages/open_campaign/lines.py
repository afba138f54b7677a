"""Orders as plain lines (O3.3.a): written or pasted, read back as they are understood, then given."""

from __future__ import annotations

from typing import Any

from flask import redirect, render_template, request, url_for

from tactical.kernel.record import plain
from webapp.http.game_pages import REFUSALS
from webapp.http.seats import seat_and_knowledge
from webapp.pages.open_campaign.blueprint import SYSTEM, open_blueprint
from webapp.pages.open_campaign.ordering import fleets_of
from webapp.pages.open_campaign.orders import side_of, submit
from webapp.presenting.flash import Flash, flash_of
from webapp.presenting.presentation import OrderLine
from webapp.systems.open_campaign.order_lines import read_lines
from webapp.systems.open_campaign.side_names import side_name

bp = open_blueprint("open_lines")
LONGEST = 20_000  # letters of all lines


@bp.get("/<game>/lines")
def page(game: str) -> Any:
    """An empty form."""
    return lines_page(game, ())


@bp.post("/<game>/lines")
def read_or_give(game: str) -> Any:
    """Read the lines back; or, where they have been read, give them. Lines that are not understood are left out."""
    seat, table = seat_and_knowledge(game)
    side = side_of(table.sides, seat.side)
    lines = read_lines(plain(table.view(side)), side, request.form.get("text", "")[:LONGEST])
    if request.form.get("act") != "give":
        return lines_page(game, lines)
    try:
        for line in lines:
            if line.command is not None:
                submit(game, seat.side, dict(line.command))
    except REFUSALS as fault:
        return lines_page(game, lines, flash_of(fault, SYSTEM))
    return redirect(url_for("open_orders.page", game=game, seat=seat.id, side=side), 303)


def lines_page(game: str, lines: tuple[OrderLine, ...], flash: Flash | None = None) -> Any:
    """The page, with the lines as they were read."""
    seat, table = seat_and_knowledge(game)
    side = side_of(table.sides, seat.side)
    view = plain(table.view(side))
    body = render_template(
        "open_campaign/lines.html",
        game=table.game,
        seat=seat.id,
        side=side,
        side_name=side_name(view, side),
        turn=view["turn"],
        text=request.form.get("text", "")[:LONGEST],
        lines=lines,
        flash=flash,
        fleets=[view["fleets"][each]["name"] for each in fleets_of(table, side, seat.charge)],
    )
    return body, flash.status if flash else 200
