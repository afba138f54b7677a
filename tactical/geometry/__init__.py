"""G1 Boards: hexes, the players' own table. The rules ask `geometry(battle)` and nothing else where a ship lies."""

from __future__ import annotations

from tactical.battle import Battle
from tactical.geometry.hexes import Hexes
from tactical.geometry.own_table import OwnTable
from tactical.geometry.places import Geometry

GEOMETRIES: dict[str, Geometry] = {"hexes": Hexes(), "table": OwnTable()}


def geometry(battle: Battle) -> Geometry:
    """The geometry of the battle's board."""
    return GEOMETRIES[battle.board.kind]
