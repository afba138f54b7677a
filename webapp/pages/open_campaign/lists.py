"""Fleets, ships and ports as lists, as the seat knows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import render_template
from flask_babel import ngettext

from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.tables import TABLES
from tactical.kernel.record import plain
from webapp.http.language import gettext as _
from webapp.http.language import with_sign
from webapp.http.seats import seat_and_table
from webapp.pages.open_campaign import open_blueprint
from webapp.pages.open_campaign.orders import side_of
from webapp.presenting.labels import place_name, type_word
from webapp.systems.open_campaign.dispatch import View, afloat, fleet_line, goal_line, side_name, where

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
    needs: str


@dataclass(frozen=True)
class Admiral:
    """An admiral: his fleet, where it is, his ratings for seamanship and for the fight, and whether he is ill."""

    name: str
    fleet: str
    where: str
    seamanship: int
    fight: int
    is_ill: bool


def admirals(view: Mapping[str, Any], side: str) -> list[Admiral]:
    """O2.4 The admirals of a side who have ships, the best first."""
    found = [
        Admiral(each["admiral"], each["name"], where(view, each), each["seamanship"], each["fight"], each["ill"])
        for _id, each in afloat(view)
        if each["side"] == side and each["admiral"]
    ]
    return sorted(found, key=lambda each: (-each.seamanship - each.fight, each.name))


@bp.get("/<game>/lists")
def page(game: str) -> Any:
    """The lists of the seat's side; the umpire names a side."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    view = plain(table.view(side))
    world = chart(view["world"])
    return render_template(
        "open_campaign/lists.html",
        signed=with_sign,
        game=table.game,
        seat=seat,
        side=side,
        side_name=side_name(view, side),
        money=view["options"]["money"],
        fleets=[fleet_line(view, view, id) for id, fleet in afloat(view) if fleet["side"] == side],
        ships=sheets(view, side),
        admirals=admirals(view, side),
        goals=goals(view, side),
        points=view["stopped_now"][side],
        ports=sorted(
            (place_name(world.spaces[id].name), side_name(view, holder))
            for id, holder in view["ports"].items()
            if id in world.spaces
        ),
    )


def goals(view: View, side: str) -> list[str]:
    """O9.1 The goals of which a side knows: its own first, then those of others by their names."""
    mine = [goal_line(view, each) for each in view["goals"] if each["side"] == side]
    others = [
        f"{side_name(view, each['side'])}: {goal_line(view, each)}" for each in view["goals"] if each["side"] != side
    ]
    return [*mine, *others]


def needs(ship: Mapping[str, Any]) -> str:
    """O2.1 What a yard or a beach has to mend in a ship, and how long she has not been hauled out."""
    found = [_("oars broken")] if ship["oars"] else []
    if ship["breaches"]:
        found.append(str(ngettext("%(num)d breach", "%(num)d breaches", ship["breaches"])))
    if ship["weeks"]:
        found.append(str(ngettext("%(num)d week in the water", "%(num)d weeks in the water", ship["weeks"])))
    return ", ".join(found)


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
                    ship["name"] or id,
                    type_word(ship["type"]),
                    fleets.get(id, ""),
                    ship["pips"],
                    hull,
                    ship["status"],
                    needs(ship),
                )
            )
    return sorted(found, key=lambda each: (each.fleet == "", each.fleet, each.type, each.name))
