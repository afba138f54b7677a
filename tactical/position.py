"""Positions that somebody typed in, what contradicts itself in one, and what always holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any

import msgspec
from shapely.validation import explain_validity

from tactical import board
from tactical.battle import HOUSE, Battle, Options, Side, check_types
from tactical.board import Area, Board, Hex, distance, range_of, round_off
from tactical.drawing import at_most, check_bytes, check_drawings, check_shape
from tactical.kernel.options import choose_options
from tactical.kernel.record import BadInput, Record, check_bounds, encode, plain, read
from tactical.offers import view
from tactical.rules.ending import score
from tactical.ship import (
    FASTEST,
    FIGURES,
    MOVEMENT,
    TYPES,
    Ship,
    ShipType,
    complement_of,
    maximum,
    plot_range,
    turn_cycle,
)

# -- G1.6 Positions on the open sea: numbers as they are written down, and what contradicts itself.

SEA_LIMIT = 500  # base lengths
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
        facing = board.turn_by(facing, 0)
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
        if board.overlap(battle.outline(ship), battle.outline(foe)):
            passing[ship.raked_by or ""] = msgspec.structs.replace(foe, passing=name)
    return battle.with_ships(passing)


def check_sea(battle: Battle, at: str) -> None:
    """G1.6 The board and the ships on it: sizes, polygons, ships on the board, on water and not across each other."""
    board = battle.board
    for name, size in zip(("width", "height"), board.size, strict=True):
        if not 1 <= size <= SEA_LIMIT:
            raise BadInput(
                f"{at}board.{name}",
                "a measured sea must be 1 to %(most)s base lengths, not %(size)s",
                most=SEA_LIMIT,
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
    shape = board.shape_of(area)
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
        near = board.apart(ship.at or (0, 0), foe.at or (0, 0)) <= far
        if near and board.overlap(battle.outline(ship), battle.outline(foe)):
            raise BadInput(f"{at}ships.{other}.at", "%(name)s and %(other)s overlap", name=name, other=other)


# -- A position that somebody typed in, and what contradicts itself in one.

SHIP_LIMIT = 240
DRAWN = {"board": check_board, "types": at_most(60)}


def read_position(raw: Mapping[str, Any] | None, options: Mapping[str, Any]) -> Battle:
    """A typed position: defaults filled in, contradictions refused with the path to the field."""
    if not isinstance(raw, Mapping):
        raise BadInput("position", "a position must be an object")
    check_fields(raw, Battle, "position")
    check_drawings({"types": DRAWN["types"]}, raw, None, "position")
    if not isinstance(raw.get("options") or {}, Mapping):
        raise BadInput("position.options", "options must be an object")
    own: dict[str, ShipType] = read(raw.get("types") or {}, dict[str, ShipType], "position.types")
    options_read, house = choose_options({**(raw.get("options") or {}), **options}, Options, HOUSE)
    if house is not None:
        own = {**own, **house.types}
    check_types(own, "position.types")
    raw_ships = raw.get("ships")
    if not isinstance(raw_ships, Mapping) or not raw_ships:
        raise BadInput("position.ships", "a battle needs ships")
    if len(raw_ships) > SHIP_LIMIT:
        raise BadInput(
            "position.ships",
            "%(count)s ships are more than the limit of %(most)s",
            count=len(raw_ships),
            most=SHIP_LIMIT,
        )
    sides = read_sides(raw.get("sides"), raw_ships)
    step = raw.get("step", "plot")
    ships = {str(name): read_ship(ship, sides, own, step, f"position.ships.{name}") for name, ship in raw_ships.items()}
    board = read_board(raw.get("board"))
    rest = {key: value for key, value in raw.items() if key not in ("ships", "sides", "types", "options", "board")}
    if isinstance(rest.get("link"), Mapping) and rest["link"].get("arrivals"):
        rest["link"] = {**rest["link"], "arrivals": arrivals(rest["link"]["arrivals"], sides, own, raw_ships)}
    battle = read({**rest}, Battle, "position")
    battle = msgspec.structs.replace(battle, ships=ships, sides=sides, types=own, options=options_read, board=board)
    battle = measured_off(battle, "position.")
    check(battle, "position.")
    return score(with_passers(battle))


def check_fields(raw: Mapping[str, Any], kind: type[Record], at: str) -> None:
    """Refuse fields that the record does not have."""
    for name in raw:
        if name not in kind.__struct_fields__:
            raise BadInput(f"{at}.{name}", "there is no such field")


def read_board(raw: Any) -> Board:
    """G1.2 The board of a position."""
    if isinstance(raw, Mapping) and raw.get("kind") == "open":
        raw = open_board(raw, "position.board")
    check_board(raw, None, "position.board")
    board: Board = read(raw or {}, Board, "position.board")
    check_fields(raw or {}, Board, "position.board")
    check_bounds(board, "position.board")
    return board


def read_sides(raw: Any, ships: Mapping[str, Any]) -> dict[str, Side]:
    """G2.6 The sides; when they are left out, those that the ships name (rome is a Roman navy)."""
    if raw is None:
        named = [ship["side"] for ship in ships.values() if isinstance(ship, Mapping) and "side" in ship]
        raw = {str(side): {} for side in dict.fromkeys(map(str, named))}
    sides: dict[str, Side] = read(raw, dict[str, Side], "position.sides")
    for name in raw:
        check_fields(raw[name], Side, f"position.sides.{name}")
        if name in ("umpire", "spectator") or not name.strip():
            raise BadInput(f"position.sides.{name}", "this is not a name for a side")
        navy = "roman" if name.startswith("rom") else "hellenistic"
        sides[name] = read(
            {"name": name.replace("_", " ").title(), "navy": navy, **raw[name]}, Side, f"position.sides.{name}"
        )
    if len(sides) < 2:
        raise BadInput("position.sides", "a battle needs two sides")
    return sides


def read_ship(raw: Any, sides: Mapping[str, Side], own: Mapping[str, ShipType], step: str, at: str) -> Ship:
    """G2.1, G2.3 One sheet. Its type's complement is filled in unless one of the six figures is given, be it 0."""
    if not isinstance(raw, Mapping):
        raise BadInput(at, "a ship must be an object")
    check_fields(raw, Ship, at)
    ship: Ship = read(raw, Ship, at)
    if ship.side not in sides:
        raise BadInput(f"{at}.side", "there is no side called %(side)s", side=repr(ship.side))
    kind = own.get(ship.type) or TYPES.get(ship.type)
    if kind is None:
        raise BadInput(
            f"{at}.type",
            "there is no ship type called %(type)s; types are %(types)s",
            type=repr(ship.type),
            types=tuple({**TYPES, **own}),
        )
    if not any(figure in raw for figure in FIGURES):
        crew = complement_of(kind, sides[ship.side].navy)
        if crew is None:
            raise BadInput(
                f"{at}.type",
                "the source gives a %(navy)s navy no %(type)s (G2.1); give the type figures of its own",
                navy=sides[ship.side].navy,
                type=ship.type,
            )
        ship = msgspec.structs.replace(ship, **{figure: getattr(crew, figure) for figure in FIGURES})
    if "straight" not in raw:
        ship = msgspec.structs.replace(ship, straight=turn_cycle(kind, ship))
    if step not in ("plot", "over") and "plot" not in raw and ship.is_afloat and ship.boarding is None:
        ship = msgspec.structs.replace(ship, plot=ship.speed)
    return ship


def arrivals(raw: Any, sides: Mapping[str, Side], own: Mapping[str, ShipType], there: Collection[str]) -> list[Any]:
    """L2.5 Who comes in later: sheets are filled in as those of the ships that are there."""
    at = "position.link.arrivals"
    if not isinstance(raw, list | tuple) or not all(isinstance(each, Mapping) for each in raw):
        raise BadInput(at, "this must be a list of the forces that come in later")
    found = []
    for number, each in enumerate(raw):
        ships = each.get("ships")
        if not isinstance(ships, Mapping) or each.get("side") not in sides:
            raise BadInput(f"{at}.{number}", "a side must come in with ships, in a turn of the battle")
        read_ = {
            str(name): read_ship(ship, sides, own, "plot", f"{at}.{number}.ships.{name}")
            for name, ship in ships.items()
        }
        if not read_.keys().isdisjoint(there) or len(there) + len(read_) > SHIP_LIMIT:
            raise BadInput(f"{at}.{number}.ships", "these ships are already there, or there are too many of them")
        there = {*there, *read_}
        found.append({**each, "ships": {name: plain(ship) for name, ship in read_.items()}})
    return found


def with_passers(battle: Battle) -> Battle:
    """G7.2 Two in a hex, or lying across each other at sea: the raker is the one who rows through."""
    if battle.board.kind == "open":
        return with_rakers(battle)
    passing = {}
    for there in battle.by_hex.values():
        for ship in there:
            names = [name for name, other in battle.ships.items() if other.at == ship.at and other is not ship]
            for name in names:
                other = battle.ships[name]
                mine = next(key for key, each in battle.ships.items() if each is ship)
                if other.raked_by == mine and ship.passing is None and ship.is_afloat:
                    passing[mine] = msgspec.structs.replace(ship, passing=name)
    return battle.with_ships(passing)


def check(battle: Battle, at: str = "") -> None:
    """Refuse a battle that contradicts itself; the path leads to the field."""
    check_types(battle.types, f"{at}types")
    if battle.step in ("plot", "end", "over"):
        if battle.phase is not None:
            raise BadInput(f"{at}phase", "the %(step)s step has no phase", step=battle.step)
    elif battle.phase not in range(1, 7):
        raise BadInput(f"{at}phase", "the %(step)s step must be in one of the phases 1 to 6", step=battle.step)
    if battle.turn < 1:
        raise BadInput(f"{at}turn", "the first turn is turn 1")
    if battle.turn_limit is not None and battle.turn_limit < battle.turn:
        raise BadInput(
            f"{at}turn_limit", "turn %(turn)s is past the limit of %(limit)s", turn=battle.turn, limit=battle.turn_limit
        )
    if battle.first is not None and battle.first not in battle.sides:
        raise BadInput(f"{at}first", "there is no side called %(side)s", side=repr(battle.first))
    if battle.board.kind == "open":
        check_sea(battle, at)
    for name in (*battle.board.land, *battle.board.wrecks, *battle.board.covered):
        if battle.has_hexes and not battle.board.holds(name):
            raise BadInput(f"{at}board", "hex %(hex)s is not on the board", hex=str(list(name)))
    for name_, ship in battle.ships.items():
        check_ship(battle, name_, ship, f"{at}ships.{name_}")
    check_hexes(battle, at)
    check_near(battle, at)


def check_near(battle: Battle, at: str) -> None:
    """G4.6, G7.2, G8.1 Ships in contact or in a fight lie beside each other; a raker lies where it raked.

    Its target may have rowed on meanwhile, if it has had the turns for that.
    """
    if not battle.has_places:
        return
    places = battle.places()
    for name, ship in battle.ships.items():
        for field in ("contact", "boarding"):
            other = getattr(ship, field)
            if other is not None and other != name and gap(battle, places, name, other) > 1:
                raise BadInput(f"{at}ships.{name}.{field}", "%(ship)s is not beside %(other)s", ship=name, other=other)
        if ship.passing is None or battle.ships[ship.passing].at is None:
            continue
        if battle.ships[ship.passing].raked_by != name and battle.level == "adjudicate":
            raise BadInput(
                f"{at}ships.{name}.passing",
                "%(ship)s has not broken the oars of %(other)s",
                ship=name,
                other=ship.passing,
            )
        most = FASTEST * battle.turn if battle.has_hexes or ship.rowed_clear else 1
        if gap(battle, places, name, ship.passing) > most:
            raise BadInput(
                f"{at}ships.{name}.passing", "%(ship)s is not beside %(other)s", ship=name, other=ship.passing
            )


def gap(battle: Battle, places: Mapping[str, Any], one: str, other: str) -> int:
    """G1.3, G6.10 How far two ships lay apart when this step began; 1 where one of them is gone."""
    if one not in places or other not in places:
        return 1
    if battle.has_hexes:
        return distance(places[one], places[other])
    hulls = [battle.hull(msgspec.structs.replace(battle.ships[name], at=places[name])) for name in (one, other)]
    return range_of(*hulls)


def check_type(battle: Battle, ship: Ship, at: str) -> None:
    """G2.0 Raises BadInput for a ship of a type that the battle does not know."""
    if ship.type not in battle.types and ship.type not in TYPES:
        raise BadInput(f"{at}.type", "there is no ship type called %(type)s", type=repr(ship.type))


def check_ship(battle: Battle, name: str, ship: Ship, at: str) -> None:
    """G2.3 A sheet that agrees with itself, its board and the other ships."""
    check_bounds(ship, at)
    if ship.side not in battle.sides:
        raise BadInput(f"{at}.side", "there is no side called %(side)s", side=repr(ship.side))
    check_type(battle, ship, at)
    kind = battle.kind(ship)
    fastest = maximum(kind, ship) if battle.level == "adjudicate" else FASTEST  # else a player may insist
    if not -1 <= ship.speed <= fastest:
        raise BadInput(
            f"{at}.speed",
            "the speed of this ship must be -1 to %(most)s, not %(speed)s",
            most=fastest,
            speed=ship.speed,
        )
    if ship.status == "afloat" and ship.damage >= kind.hull and battle.step not in ("fire", "end"):
        raise BadInput(
            f"{at}.damage",
            "%(damage)s damage on a hull of %(hull)s: she is sunk, not afloat",
            damage=ship.damage,
            hull=kind.hull,
        )
    if (ship.captured_by is not None) and ship.captured_by not in battle.sides:
        raise BadInput(f"{at}.captured_by", "there is no side called %(side)s", side=repr(ship.captured_by))
    if ship.is_prize and ship.captured_by is None:
        raise BadInput(f"{at}.captured_by", "a captured ship must have a captor")
    if battle.step == "plot" and ship.plot is not None and ship.is_afloat:
        low, high = plot_range(kind, ship, battle.options.sprint)
        if not low <= ship.plot <= high and battle.level == "adjudicate":
            raise BadInput(f"{at}.plot", "this ship may plot %(low)s to %(high)s (G3.1)", low=low, high=high)
    if ship.plot is not None and not -1 <= ship.plot <= max(fastest, maximum(kind, ship) + 1):
        raise BadInput(f"{at}.plot", "no ship of this type can be plotted at %(plot)s", plot=ship.plot)
    for field in ("contact", "raked_by", "boarding", "passing", "waited_on"):
        other = getattr(ship, field)
        if isinstance(other, str) and other not in battle.ships:
            raise BadInput(f"{at}.{field}", "there is no ship called %(ship)s", ship=repr(other))
    for field in ("may_board", "touching"):
        for other in getattr(ship, field):
            if other not in battle.ships:
                raise BadInput(f"{at}.{field}", "there is no ship called %(ship)s", ship=repr(other))
    if ship.contact is not None and battle.ships[ship.contact].side == ship.side:
        raise BadInput(f"{at}.contact", "%(ship)s is on the same side as this ship", ship=ship.contact)
    if ship.boarding is not None and ship.boarding != name:
        boarded = battle.ships[ship.boarding]
        if boarded.side == ship.side:
            raise BadInput(f"{at}.boarding", "%(ship)s is on the same side as this ship", ship=ship.boarding)
        if boarded.boarding != ship.boarding:
            raise BadInput(f"{at}.boarding", "%(ship)s is not in that fight", ship=ship.boarding)
    if ship.boarding == name and not battle.boarders_of(name):
        raise BadInput(f"{at}.boarding", "nobody boards this ship")
    if ship.boarding is not None and not ship.is_afloat:
        raise BadInput(f"{at}.boarding", "a ship that is %(status)s cannot be in a fight", status=ship.status)


def check_hexes(battle: Battle, at: str) -> None:
    """G1.1, G1.2, G7.2 One ship to a hex, except a raker and its target; afloat on water; gone when sunk."""
    if battle.board.kind == "open":
        return
    if not battle.has_hexes:
        for name, ship in battle.ships.items():
            if ship.at is not None:
                raise BadInput(f"{at}ships.{name}.at", "on the players' own table ships cannot have a hex")
        return
    taken: dict[Hex, str] = {}
    for name, ship in battle.ships.items():
        path = f"{at}ships.{name}.at"
        if ship.status in ("sunk", "withdrawn"):
            if ship.at is not None:
                raise BadInput(path, "a ship that is %(status)s cannot be on a hex", status=ship.status)
            continue
        if ship.at is None:
            raise BadInput(path, "on a hex map every ship needs a position")
        if ship.facing is None:
            raise BadInput(f"{at}ships.{name}.facing", "a ship on hexes must have a heading")
        if not isinstance(ship.facing, str):
            raise BadInput(
                f"{at}ships.{name}.facing", "on a board of hexes a heading must be one of N, NE, SE, S, SW and NW"
            )
        if not all(isinstance(number, int) for number in ship.at):
            raise BadInput(path, "the numbers of a hex must be whole")
        if not battle.board.holds(ship.at):
            raise BadInput(path, "hex %(hex)s is not on the board", hex=str(list(ship.at)))
        if ship.at in battle.board.dry:
            raise BadInput(path, "hex %(hex)s is land", hex=str(list(ship.at)))
        if ship.at in battle.board.wrecks and ship.passing is None and not ship.is_prize:
            raise BadInput(path, "hex %(hex)s is closed by a wreck", hex=str(list(ship.at)))
        if ship.at in taken:
            other = taken[ship.at]
            first, second = battle.ships[other], ship
            if first.raked_by != name and second.raked_by != other:
                raise BadInput(path, "%(name)s and %(other)s are in the same hex", name=name, other=other)
        taken[ship.at] = name
    for at_hex in battle.board.covered:
        if at_hex not in taken:
            raise BadInput(
                f"{at}board.covered",
                "the wreck in hex %(hex)s is marked as covered, but no ship is on it",
                hex=str(list(at_hex)),
            )


# -- What must hold in every battle; random play asks after each command.


def invariants(battle: Battle) -> tuple[str, ...]:
    """Complaints about a state: contradictions, ships without a place, debts without a debtor, leaks."""
    return tuple(complaint for part in (contradictions, sheets, fights, leaks) for complaint in part(battle))


def contradictions(battle: Battle) -> list[str]:
    """G1.1, G2.3 The state would be refused as a position."""
    try:
        check(battle)
    except BadInput as error:
        return [str(error)]
    return []


def sheets(battle: Battle) -> list[str]:
    """G2.3, G3.3, G9.3 Hulls, sprints and places agree with the status."""
    found = []
    for name, ship in battle.ships.items():
        hull = battle.kind(ship).hull
        if ship.status == "sunk" and ship.damage < hull:
            found.append(f"{name} is sunk with {ship.damage} damage on a hull of {hull}")
        if ship.sprints > MOVEMENT.sprints:
            found.append(f"{name} has made {ship.sprints} sprints")
        if battle.step == "plot" and ship.contact is not None:
            found.append(f"{name} keeps a contact past its ram step")
        if ship.must_back and ship.free_turn == "any":
            found.append(f"{name} owes a backing and has the freedom of the rammed")
    return found


def fights(battle: Battle) -> list[str]:
    """G8.2 A fight has one boarded ship, boarders of one side, and none of them moves."""
    found = []
    for name, ship in battle.ships.items():
        if ship.boarding == name:
            sides = {battle.ships[other].side for other in battle.boarders_of(name)}
            if len(sides) != 1 or ship.side in sides:
                found.append(f"the fight on {name} is between {sorted(sides)} and {ship.side}")
        if ship.boarding is not None and ship.speed:
            found.append(f"{name} is in a fight and moves")
    return found


def leaks(battle: Battle) -> list[str]:
    """G3.1 Nothing of a plot that is not shown is in the bytes of another seat."""
    if battle.step != "plot":
        return []
    blank = battle.with_ships(
        {
            name: type(ship)(**{**{field: getattr(ship, field) for field in ship.__struct_fields__}, "plot": None})
            for name, ship in battle.ships.items()
        }
    )
    return [
        f"{side} can tell a secret plot of another"
        for side in battle.sides
        if encode({name: ship for name, ship in view(battle, side).ships.items() if ship.side != side})
        != encode({name: ship for name, ship in view(blank, side).ships.items() if ship.side != side})
    ]
