"""G1.6 Positions on the open sea: numbers as they are written down, and what contradicts itself."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import msgspec
from shapely.validation import explain_validity

from tactical import measured
from tactical.battle import Battle
from tactical.drawing import at_most, check_bytes, check_shape
from tactical.kernel.record import BadInput
from tactical.measured import round_off
from tactical.places import Area
from tactical.ship import Ship

BOARD_LIMIT = 500  # base lengths
FEWEST = 4  # points of a closed ring
HEXES = 120 * 120  # of the largest board
AREAS, CORNERS, MOST_BYTES = 300, 6000, 300 << 10  # of all coasts that come in: outlines, their corners, JSON
SEA = (-500.0, -500.0, 1000.0, 1000.0)  # base lengths: the largest sea, and as much about it


def open_board(raw: Mapping[str, Any], at: str) -> dict[str, Any]:
    """G1.6 The board as written, its polygons as GeoJSON's; rings or lists of rings alone are understood, too."""
    board = {"width": 20, "height": 14, "coast": [], **raw}
    for name in ("coast", "wrecks", "covered"):
        if isinstance(board.get(name), list | tuple):
            board[name] = [polygon(each, f"{at}.{name}[{number}]") for number, each in enumerate(board[name])]
    return board


def check_board(raw: object, before: object, at: str) -> None:
    """G1.2, G1.6 Raises BadInput for a board with more land, coasts or wrecks than one may come in with."""
    if not isinstance(raw, Mapping):
        return
    known = before if isinstance(before, Mapping) else {}
    for name in ("land", "coast", "wrecks", "covered"):
        drawn = raw.get(name)
        if not isinstance(drawn, list | tuple) or drawn == known.get(name):
            continue
        if raw.get("kind") != "open":
            at_most(HEXES)(drawn, known.get(name), f"{at}.{name}")
            continue
        areas = [each for each in drawn if isinstance(each, Mapping)]
        rings = [ring for each in areas for ring in each.get("coordinates") or ()]
        if len(drawn) > AREAS or len(rings) > AREAS or sum(map(corners_of, rings)) > CORNERS:
            raise BadInput(
                f"{at}.{name}",
                "the coasts or wrecks of a sea may have at most %(areas)s outlines, with %(corners)s corners together",
                areas=AREAS,
                corners=CORNERS,
            )
        check_bytes(drawn, MOST_BYTES, f"{at}.{name}")
        for number, each in enumerate(areas):
            check_shape(each, f"{at}.{name}[{number}]", SEA, CORNERS + 1)


def corners_of(ring: object) -> int:
    """The corners of a ring, whether it is closed or not."""
    return len(ring) - (ring[:1] == ring[-1:] and len(ring) > 1) if isinstance(ring, list | tuple) else 0


def polygon(raw: Any, at: str) -> Any:
    """One polygon as GeoJSON writes it."""
    if isinstance(raw, Mapping):
        if raw.get("type") != "Polygon":
            raise BadInput(f"{at}.type", "a coast or a wreck must be a Polygon")
        return raw
    if not isinstance(raw, list | tuple) or not raw or not isinstance(raw[0], list | tuple) or not raw[0]:
        raise BadInput(at, "a coast or a wreck must be a polygon: rings of [x, y]")
    rings = raw if isinstance(raw[0][0], list | tuple) else [raw]
    return {"type": "Polygon", "coordinates": rings}


def measured_off(battle: Battle, at: str = "") -> Battle:
    """G1.6 The position with each number as it is written down, and each ring closed; hexes are left as they are."""
    if battle.board.kind != "open":
        return battle
    for name, ship in battle.ships.items():
        if isinstance(ship.facing, str):
            raise BadInput(
                f"{at}ships.{name}.facing", "on the measured sea a heading must be in degrees, clockwise from north"
            )
    ships = {name: round_ship(ship) for name, ship in battle.ships.items()}
    board = battle.board
    parts = {
        name: tuple(map(round_area, getattr(board, name))) for name in ("wrecks", "covered") if getattr(board, name)
    }
    size = {name: round_off(value) for name, value in zip(("width", "height"), board.size, strict=True)}
    board = msgspec.structs.replace(board, coast=tuple(map(round_area, board.coasts)), **parts, **size)
    return msgspec.structs.replace(battle, ships=ships, board=board)


def round_ship(ship: Ship) -> Ship:
    """A ship with its numbers as they are written down."""
    at, facing, stood = ship.at, ship.facing, ship.stood
    if at is not None:
        at = (round_off(at[0]), round_off(at[1]))
    if stood is not None:
        stood = (round_off(stood[0]), round_off(stood[1]))
    if isinstance(facing, int | float):
        facing = measured.turn_by(facing, 0)
    return msgspec.structs.replace(ship, at=at, facing=facing, stood=stood)


def round_area(area: Any) -> Any:
    """A polygon with rounded numbers and closed rings."""
    if not isinstance(area, Area):
        return area
    rings = []
    for ring in area.coordinates:
        points = tuple((round_off(x), round_off(y)) for x, y in ring)
        rings.append(points if points and points[0] == points[-1] else (*points, *points[:1]))
    return Area(tuple(rings))


def with_rakers(battle: Battle) -> Battle:
    """G7.2 Of two that lie across each other after a rake the raker is the one who rows through."""
    passing = {}
    for name, ship in battle.ships.items():
        foe = battle.ships.get(ship.raked_by or "")
        if foe is None or not foe.is_afloat or foe.passing is not None or ship.at is None or foe.at is None:
            continue
        if measured.overlap(battle.outline(ship), battle.outline(foe)):
            passing[ship.raked_by or ""] = msgspec.structs.replace(foe, passing=name)
    return battle.with_ships(passing)


def check_sea(battle: Battle, at: str) -> None:
    """G1.6 The board and the ships on it: sizes, polygons, ships on the board, on water and not across each other."""
    board = battle.board
    for name, size in zip(("width", "height"), board.size, strict=True):
        if not 1 <= size <= BOARD_LIMIT:
            raise BadInput(
                f"{at}board.{name}",
                "a measured sea must be 1 to %(most)s base lengths, not %(size)s",
                most=BOARD_LIMIT,
                size=f"{size:g}",
            )
    if board.land:
        raise BadInput(f"{at}board.land", "the measured sea has no hexes; give its land as coast")
    if battle.link is not None and battle.link.deploying:
        raise BadInput(f"{at}link.deploying", "ships can be deployed by hand on hexes only")
    for name in ("coast", "wrecks", "covered"):
        for number, area in enumerate(board.coasts if name == "coast" else getattr(board, name)):
            check_area(area, f"{at}board.{name}[{number}]")
    for name, ship in battle.ships.items():
        check_place(battle, ship, f"{at}ships.{name}")
    check_apart(battle, at)
    for number, wreck in enumerate(board.covered):
        if not battle.is_covered(wreck):
            raise BadInput(f"{at}board.covered[{number}]", "this wreck is marked as covered, but no ship is on it")


def check_area(area: Any, at: str) -> None:
    """A polygon whose outline does not cross itself."""
    if not isinstance(area, Area):
        raise BadInput(at, "on the measured sea a wreck must be a polygon")
    for number, ring in enumerate(area.coordinates):
        if len(ring) < FEWEST:
            raise BadInput(f"{at}.coordinates[{number}]", "a ring must have at least three corners")
    if not area.coordinates:
        raise BadInput(f"{at}.coordinates", "a polygon must have an outline")
    shape = measured.shape_of(area)
    if not shape.is_valid or not shape.area:
        raise BadInput(f"{at}.coordinates", "this is not a polygon (%(why)s)", why=explain_validity(shape).lower())


def check_place(battle: Battle, ship: Ship, at: str) -> None:
    """A ship afloat or a prize lies on the board, heads somewhere, and its hull is clear of land and wrecks."""
    if ship.status in ("sunk", "withdrawn"):
        if ship.at is not None:
            raise BadInput(f"{at}.at", "a ship that is %(status)s cannot be on the board", status=ship.status)
        return
    if ship.at is None:
        raise BadInput(f"{at}.at", "a ship on the measured sea must have a place")
    if ship.facing is None:
        raise BadInput(f"{at}.facing", "a ship on the measured sea must have a heading")
    width, height = battle.board.size
    if not (0 <= ship.at[0] <= width and 0 <= ship.at[1] <= height):
        raise BadInput(
            f"{at}.at",
            "%(at)s is not on a sea of %(width)s by %(height)s",
            at=str(list(ship.at)),
            width=f"{width:g}",
            height=f"{height:g}",
        )
    hull = battle.hull(ship)
    if battle.board.coasts and battle.board.shore.intersects(hull):
        raise BadInput(f"{at}.at", "her hull lies on land")
    if battle.board.wrecks and battle.board.closed.intersects(hull):
        raise BadInput(f"{at}.at", "her hull lies on a wreck")


def check_apart(battle: Battle, at: str) -> None:
    """G7.2 No two hulls lie across each other but a raker's and its target's."""
    lying = [(name, ship) for name, ship in battle.ships.items() if ship.at is not None]
    for (name, ship), (other, foe) in combinations(lying, 2):
        if ship.raked_by == other or foe.raked_by == name:
            continue
        far = (battle.kind(ship).length + battle.kind(foe).length + battle.kind(ship).beam + battle.kind(foe).beam) / 2
        near = measured.apart(ship.at or (0, 0), foe.at or (0, 0)) <= far
        if near and measured.overlap(battle.outline(ship), battle.outline(foe)):
            raise BadInput(f"{at}ships.{other}.at", "%(name)s and %(other)s overlap", name=name, other=other)
