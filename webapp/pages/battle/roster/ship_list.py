"""The text board: all ships as a list with bearing and range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactical.battle import Battle
from tactical.geometry import geometry
from webapp.pages.battle.board.bearings import bearing_word
from webapp.pages.battle.roster.strip import Chip
from webapp.presenting.battle_labels import heading_word, hex_name, ship_state, side_name
from webapp.presenting.labels import type_word


@dataclass(frozen=True)
class Row:
    """A ship in the list: where it is, and how it lies from the ship that looks."""

    chip: Chip
    side: str
    type: str
    hex: str
    facing: str
    heading: str
    bearing: str
    range: str
    state: str


def rows(battle: Battle, found: Sequence[Chip], looker: str | None) -> list[Row]:
    """All ships with bearing and range from one of them, the nearest first."""
    here = battle.ships.get(looker or "")
    listed = []
    for chip in found:
        ship = battle.ships[chip.id]
        both = here is not None and here.at is not None and ship.at is not None
        far = geometry(battle).range_between(battle, here, ship) if here is not None and both else None
        state = ship_state(ship)
        row = Row(
            chip,
            side_name(battle, ship.side),
            type_word(ship.type),
            hex_name(ship.at),
            ship.facing or "",
            heading_word(ship.facing),
            bearing_word(here, ship) if here is not None and far is not None else "",
            str(far) if far is not None and chip.id != looker else "",
            state,
        )
        listed.append((-1 if chip.id == looker else 999 if far is None else far, chip.gone, row))
    listed.sort(key=lambda each: (each[1], each[0]))
    return [row for _far, _gone, row in listed]
