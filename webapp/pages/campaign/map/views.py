"""The map as text: every space in words."""

from __future__ import annotations

from flask import render_template

from tactical.kernel.record import plain
from webapp.http.seats import current_seat, store
from webapp.pages.campaign.blueprint import campaign_blueprint
from webapp.presenting.campaign_labels import field_word
from webapp.presenting.map.layout import has_map, sheet
from webapp.systems.presentations import presentation

bp = campaign_blueprint("map")


@bp.get("/<game>/spaces")
def spaces(game: str) -> str:
    """Every space in words: the alternative to the picture."""
    seat, table = current_seat(game), store().load(game)
    system = table.game.system
    picture = presentation(system).picture(plain(table.view(seat.id)))
    paper = picture.sheet or (sheet(system) if has_map(system) else None)
    spots = paper.spots.values() if paper else ()
    named = [spot for spot in spots if spot.name or picture.at(spot.id)]
    return render_template(
        "campaign/spaces.html",
        space=field_word(system, "space"),
        spaces=field_word(system, "spaces"),
        game=table.game,
        seat=seat.id,
        spots=named,
        picture=picture,
        areas=paper.areas if paper else {},
    )
