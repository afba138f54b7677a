"""The ruler: how far it is from a ship to every other and to any place, which way, in which arc, in sight or not."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import msgspec
from flask import render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import format_decimal

from tactical.battle import Battle
from tactical.geometry import geometry
from tactical.hexes import distance
from tactical.kernel.record import BadInput
from tactical.places import Place
from tactical.rules import missiles
from tactical.ship import Ship
from webapp.http.input_words import reason_text
from webapp.http.seats import current_seat, store
from webapp.pages.battle.board.bearings import bearing_word
from webapp.pages.battle.board.looking import looking
from webapp.pages.battle.board.pointing import place_text, read_place
from webapp.presenting.battle_labels import ship_name, side_name
from webapp.presenting.labels import translate
from webapp.storage.errors import Unknown


@dataclass(frozen=True)
class Measured:
    """What the ruler says of one ship or place; `reach` is the range of G1.3, `straight` from middle to middle."""

    name: str
    side: str
    reach: int
    straight: str
    bearing: str
    in_arc: bool
    seen: bool


def ruler(game: str) -> ResponseReturnValue:
    """From one ship to all others, the nearest first, and to a place that is typed."""
    seat = current_seat(game)
    table = store().load(game)
    battle: Battle = table.view(seat.id)
    there = {name: ship for name, ship in battle.ships.items() if ship.at is not None}
    name = request.args.get("ship", "")
    if name and name not in battle.ships:
        raise Unknown("There is no such ship in this battle.")
    name = name if name in there else next(iter(there), "")
    wanted, problem, place = request.args.get("place", "").strip()[:30], "", None
    if (wanted or "at" in request.args) and name:
        try:
            at = read_place(battle, request.args.get("at", ""), wanted)
            wanted = wanted or place_text(battle, at)
            place = to_place(battle, there[name], at, wanted)
        except BadInput as fault:
            problem = reason_text(fault.why)
    found = [to_ship(battle, there[name], each) for each in there if each != name] if name else []
    return render_template(
        "battle/ruler.html",
        at=looking(table, seat.id, name, None),
        b=battle,
        ship=name,
        wanted=wanted,
        place=place,
        problem=problem,
        found=sorted(found, key=lambda each: (each.reach, each.name)),
        title=translate(table.game.title),
        ships=[(each, ship_name(battle, each)) for each in there],
    ), 422 if problem else 200


def to_ship(battle: Battle, here: Ship, name: str) -> Measured:
    """What lies between two ships."""
    there = battle.ships[name]
    return measure(battle, here, there, ship_name(battle, name), side_name(battle, there.side))


def to_place(battle: Battle, here: Ship, at: Place, said: str) -> Measured:
    """What lies between a ship and a place: as to another of her like that lay there."""
    return measure(battle, here, msgspec.structs.replace(here, at=at), said, "")


def measure(battle: Battle, here: Ship, there: Ship, name: str, side: str) -> Measured:
    """The engine's own range, arc and line of sight."""
    return Measured(
        name,
        side,
        missiles.range_between(battle, here, there),
        straight(battle, here, there),
        bearing_word(here, there),
        geometry(battle).in_arc(here, there),
        missiles.sees(battle, here, there),
    )


def straight(battle: Battle, here: Ship, there: Ship) -> str:
    """From middle to middle: in hexes, or in base lengths with a decimal."""
    if here.at is None or there.at is None:
        return ""
    if battle.has_hexes:
        return str(distance((int(here.at[0]), int(here.at[1])), (int(there.at[0]), int(there.at[1]))))
    return str(format_decimal(hypot(there.at[0] - here.at[0], there.at[1] - here.at[1]), "0.0"))
