"""G2.3 The umpire's hand on a ship's sheet: a field for each value, empty where nothing is to change."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.hexes import HEADINGS
from tactical.ship import FIGURES, Ship
from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.presenting.battle_labels import box_word, heading_word, hex_name, status_word

NUMBERS = (*FIGURES, "damage", "breaches", "speed", "sprints", "straight")
STATUSES = ("afloat", "sunk", "captured", "withdrawn")


@dataclass(frozen=True)
class Field:
    """One value that the umpire may set: the form's name for it, a label, what it is now, and the choices, if any."""

    name: str
    label: str
    now: str
    choices: tuple[tuple[str, str], ...] = ()


def fields(ship: Ship, has_hexes: bool) -> list[Field]:
    """G2.3 Everything on a sheet that the umpire may set, as the form asks for it."""
    found = [Field(f"changes.{name}:int", box_word(name), minus(getattr(ship, name))) for name in NUMBERS]
    for name in ("corvus", "oars_broken"):
        yes_no = (("true", _("yes")), ("false", _("no")))
        found.append(
            Field(f"changes.{name}:bool", box_word(name), _("yes") if getattr(ship, name) else _("no"), yes_no)
        )
    if isinstance(ship.facing, float) and ship.at is not None:
        found.append(Field("changes.at:json", _("place, [x, y]"), f"[{ship.at[0]:g}, {ship.at[1]:g}]"))
        found.append(Field("changes.facing:json", _("heading in degrees"), f"{ship.facing:g}"))
    if has_hexes:
        headings = tuple((way, heading_word(way)) for way in HEADINGS)
        found.append(Field("changes.at:hex", box_word("at"), hex_name(ship.at)))
        found.append(Field("changes.facing", box_word("facing"), heading_word(ship.facing), headings))
    statuses = tuple((status, status_word(status)) for status in STATUSES)
    return [*found, Field("changes.status", box_word("status"), status_word(ship.status), statuses)]
