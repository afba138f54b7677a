"""G1 Boards: hexes, the players' own table, the open sea. Where ships lie the rules ask `geometry(battle)` alone."""

from __future__ import annotations

from tactical.battle import Battle
from tactical.geometry.hexes import Hexes
from tactical.geometry.open_sea import OpenSea
from tactical.geometry.own_table import OwnTable
from tactical.geometry.places import Geometry

GEOMETRIES: dict[str, Geometry] = {"hexes": Hexes(), "table": OwnTable(), "open": OpenSea()}


def geometry(battle: Battle) -> Geometry:
    """The geometry of the battle's board."""
    return GEOMETRIES[battle.board.kind]
