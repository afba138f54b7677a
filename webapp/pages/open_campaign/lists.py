"""Fleets, ships and ports as lists, as the seat knows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import render_template

from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.tables import TABLES
from tactical.kernel.record import plain
from webapp.http.seats import current_seat, store
from webapp.pages.open_campaign.blueprint import open_blueprint
from webapp.pages.open_campaign.orders import side_of
from webapp.presenting.labels import type_word
from webapp.presenting.place_names import place_named
from webapp.systems.open_campaign.dispatch import afloat, fleet_line
from webapp.systems.open_campaign.side_names import side_named

bp = open_blueprint("open_lists")


@dataclass(frozen=True)
class Sheet:
    """A ship in words; `hull` is what is left of it, and of how much."""

    name: str
    type: str
    fleet: str
    pips: int
    hull: str
    status: str


@bp.get("/<game>/lists")
def page(game: str) -> Any:
    """The lists of the seat's side; the umpire names a side."""
    seat, table = current_seat(game).id, store().load(game)
    side = side_of(table.sides, seat)
    view = plain(table.view(side))
    world = chart(view["world"])
    return render_template(
        "open_campaign/lists.html",
        game=table.game,
        seat=seat,
        side=side,
        side_name=side_named(view, side),
        fleets=[fleet_line(view, view, id) for id, fleet in afloat(view) if fleet["side"] == side],
        ships=sheets(view, side),
        ports=sorted(
            (place_named(world.spaces[id].name), side_named(view, holder))
            for id, holder in view["ports"].items()
            if id in world.spaces
        ),
    )


def sheets(view: Mapping[str, Any], side: str) -> list[Sheet]:
    """The side's ships, by fleet."""
    fleets = {ship: str(fleet["name"]) for fleet in view["fleets"].values() for ship in fleet["ships"]}
    found = []
    for id, ship in view["ships"].items():
        if ship["side"] == side:
            whole = int(TABLES.hull[ship["type"]])
            hull = f"{max(0, whole - ship['damage'])}/{whole}"
            found.append(
                Sheet(
                    ship["name"] or id, type_word(ship["type"]), fleets.get(id, ""), ship["pips"], hull, ship["status"]
                )
            )
    return sorted(found, key=lambda each: (each.fleet == "", each.fleet, each.type, each.name))
