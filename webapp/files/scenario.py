"""A scenario, a fleet, or own ship types as sheets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

import msgspec

from tactical.battle import HOUSE, Options, check_types
from tactical.board import from_column_row
from tactical.kernel.house_rules import OPTION
from tactical.kernel.options import choose_options
from tactical.kernel.record import BadInput, read
from tactical.position import polygon
from tactical.ship import FIGURES, TYPES, Look, Navy, ShipType
from webapp.files.book import (
    Book,
    Cells,
    Row,
    Sheet,
    Table,
    Written,
    cell_name,
    plain_word,
    read_book,
    read_table,
    value_for,
    yes_and_no,
)
from webapp.files.report import Report
from webapp.http.forms import count

# -- G2.0, G2.1 Ship types of a group's own as a sheet, a type a row; with the points that a season gives them.

NAME = "types"  # of the sheet
TYPE_NUMBERS = ("hull", "maximum", "cruise", "turn_cycle", "acceleration", "ram", "length", "beam")
CREWS = {f"{navy} {figure.replace('_', ' ')}": (navy, figure) for navy in get_args(Navy) for figure in FIGURES}
POINTS = "points"
TYPE_HEADS = ("type", *(name.replace("_", " ") for name in TYPE_NUMBERS), *CREWS, POINTS)
MOST = 60  # types
LONGEST = 60  # letters of a type's name


def types_sheet(types: Mapping[str, ShipType], prices: Mapping[str, int] | None = None) -> list[Cells]:
    """The rows of ship types, heads first. Without types it is a template: the types of the program."""
    rows: list[Cells] = [[*TYPE_HEADS[:-1], *([POINTS] if prices is not None else [])]]
    for name, kind in (types or TYPES).items():
        crews = [(getattr(kind.crew[navy], figure) if navy in kind.crew else None) for navy, figure in CREWS.values()]
        points = [prices.get(name)] if prices is not None else []
        rows.append([name, *(getattr(kind, number) for number in TYPE_NUMBERS), *crews, *points])
    return rows


def from_book(data: bytes, encoding: str = "") -> tuple[dict[str, Any], dict[str, int], Report]:
    """Types and points of a file: of its sheet `types`, else the first. Raises BadInput, whose path is a cell."""
    book = read_book(data, encoding)
    types, points, table = read_types(book.sheet_with(NAME, TYPE_HEADS))
    return types, points, book.report([table], types=len(types))


def read_types(sheet: Sheet) -> tuple[dict[str, Any], dict[str, int], Table]:
    """The types of a sheet as house rules write them, and points by type. Raises BadInput, whose path is a cell.

    An empty cell takes what the program's type of this name has, else what every type has by default; a navy without
    a figure has none of these ships. A type of the program may be called by its name in any language.
    """
    rows: dict[str, Row] = {}
    table = read_table(sheet, TYPE_HEADS)
    for row in table.rows:
        name = row.value("type")
        if name in rows or not 0 < len(name) <= LONGEST:
            raise BadInput(
                row.cell("type"),
                "each ship type must have a name of its own, of at most %(most)s characters",
                most=LONGEST,
            )
        if len(rows) >= MOST:
            raise BadInput(row.cell("type"), "there can be at most %(most)s ship types", most=MOST)
        rows[name] = row
    if not rows:
        raise BadInput(cell_name(sheet.name, 1, 2), "there is no ship type in this spreadsheet")
    found = {name: read_type(name, row) for name, row in rows.items()}
    try:
        check_types({name: read(kind, ShipType, f"{NAME}.{name}") for name, kind in found.items()}, NAME)
    except BadInput as fault:
        raise BadInput(cell_of(fault.path, rows, sheet), fault.why) from None
    return found, {name: points_of(row) for name, row in rows.items() if row[POINTS]}, table


def read_type(name: str, row: Row) -> dict[str, Any]:
    """The type of a row."""
    known = TYPES.get(name)
    found: dict[str, Any] = {field: getattr(known, field) for field in TYPE_NUMBERS} if known else {}
    for field in TYPE_NUMBERS:
        if row[head := field.replace("_", " ")]:
            found[field] = row.number_at(head) if field in ("length", "beam") else row.whole_at(head)
    crew: dict[str, dict[str, Any]] = {}
    for head, (navy, figure) in CREWS.items():
        if row[head]:
            crew.setdefault(navy, {})[figure] = row.whole_at(head)
    if not crew and known:
        crew = {navy: msgspec.structs.asdict(each) for navy, each in known.crew.items()}
    return {**found, "crew": crew}


def points_of(row: Row) -> int:
    """What a season's point buy asks for a type."""
    points = row.whole_at(POINTS)
    if not 0 <= points <= 9999:
        raise BadInput(row.cell(POINTS), "this must be a number from 0 to %(most)s", most=9999)
    return points


def cell_of(path: str, rows: Mapping[str, Row], sheet: Sheet) -> str:
    """The cell of a fault's path, as types.trireme.crew.roman.archers."""
    parts = path.removeprefix(f"{NAME}.").split(".")
    name = next((name for name in rows if path.startswith(f"{NAME}.{name}")), "")
    if not name:
        return cell_name(sheet.name, 1, 1)
    return rows[name].cell(" ".join(parts[2:] if parts[1:2] == ["crew"] else parts[1:]).replace("_", " "))


# -- A scenario, or a fleet that has no place yet, as sheets: ships, sides, the board, the sea, own ship types.
#
# As CSV it is the sheet of the ships alone; the sides are then those that the ships name.

ID = re.compile(r"[a-z0-9_-]{1,40}")  # of a side
TEXTS = ("name", "type", "crew", "squadron")
SWITCHES = ("flagship", "corvus", "oars_broken")
NUMBERS = ("speed", "damage", "breaches", *FIGURES)
PLACE = {"hexes": ("column", "row"), "open": ("x", "y"), "table": ()}
HEADS = (
    "side",
    "id",
    "column",
    "row",
    "x",
    "y",
    "heading",
    *(each.replace("_", " ") for each in (*TEXTS, *SWITCHES, *NUMBERS)),
)
SETTING_HEADS = ("name", "value")
SIDE_HEADS = ("side", "name", "navy", "look")
SEA_HEADS = ("what", "shape", "ring", "column", "row", "x", "y")
TOLD = {
    "board",
    "sides",
    "ships",
    "types",
    "options",
    "turn_limit",
    "level",
    "turn",
    "step",
    "phase",
    "scenario",
}  # of a position
EXAMPLE: dict[str, Any] = {
    "board": {"kind": "hexes", "columns": 16, "rows": 12},
    "sides": {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}},
    "ships": {
        "r1": {"side": "rome", "type": "quinquereme", "name": "Aquila", "corvus": True, "at": [3, 4], "facing": "NE"},
        "c1": {
            "side": "carthage",
            "type": "quinquereme",
            "name": "Tanit",
            "crew": "elite",
            "at": [12, 0],
            "facing": "SW",
        },
    },
}  # a template to begin with


@dataclass(frozen=True)
class Scenario:
    """What a spreadsheet says: a title, a position as the API takes it, and where each part of it stands."""

    title: str
    position: dict[str, Any]
    ships: Mapping[str, Row]
    report: Report
    parts: Mapping[str, str]  # the cell of each part of the board, of each side and of each option, by its path

    def cell_of(self, path: str) -> str:
        """The cell of a fault's path, as position.ships.r1.type; the first cell for what stands nowhere."""
        parts = path.removeprefix("position.").split(".")
        if parts[0] == "ships" and len(parts) > 1 and parts[1] in self.ships:
            field = " ".join(parts[2:]).replace("_", " ")
            row = self.ships[parts[1]]
            head = {"at": "column" if "column" in row.columns else "x", "facing": "heading"}.get(field, field)
            return row.cell(head)
        known = [name for name in self.parts if f"{path.removeprefix('position.')}.".startswith(f"{name}.")]
        return self.parts[max(known, key=len)] if known else cell_name("", 1, 1)


# Out -------------------------------------------------------------------------------------------------------


def scenario_sheets(title: str, position: Mapping[str, Any]) -> Written:
    """The sheets of a position that can be drawn. Raises BadInput where it has something that stands in no column."""
    board = position.get("board") or {}
    kind = board.get("kind", "hexes")
    own = dict(position.get("types") or {})
    options = position.get("options") or {}
    house = choose_options(options, Options, HOUSE)[1]  # raises BadInput for what is none of ours
    own |= house.types if house is not None else {}
    limit = read(position.get("turn_limit"), int | None, "position.turn_limit")
    others = {name: value for name, value in position.items() if name not in TOLD and value}
    begun = position.get("step", "plot") != "plot" or position.get("turn", 1) != 1
    if others or begun or board.get("covered"):
        raise BadInput(
            "position", "a spreadsheet cannot hold a battle that has begun: download it as a JSON file instead"
        )
    settings: list[Cells] = [[*SETTING_HEADS], ["title", title], ["board", kind]]
    settings += [[name, board[name]] for name in ("columns", "rows", "width", "height") if name in board]
    settings += [["turn limit", limit]] if limit else []
    settings += [[name, value] for name, value in options.items() if name != OPTION]
    sides = position.get("sides") or {}
    found: Written = {
        "ships": ship_rows(position.get("ships") or {}, kind),
        "sides": [[*SIDE_HEADS], *([id, *(side.get(head) for head in SIDE_HEADS[1:])] for id, side in sides.items())],
        "board": settings,
    }
    if sea := [
        *sea_rows("land", board.get("land")),
        *sea_rows("land", board.get("coast")),
        *sea_rows("wreck", board.get("wrecks")),
    ]:
        found["sea"] = [[*SEA_HEADS], *sea]
    if own:
        found[NAME] = types_sheet(read(own, dict[str, ShipType], "position.types"))
    return found


def ship_rows(ships: Mapping[str, Any], kind: str) -> list[Cells]:
    """The ships, one a row, with the columns that this kind of board has. Raises BadInput for a field without one."""
    place = PLACE[kind]
    heads = [head for head in HEADS if head not in ("column", "row", "x", "y", "heading") or head in place]
    heads = [*heads[:2], *place, *(["heading"] if place else []), *(head for head in heads[2:] if head not in place)]
    rows: list[Cells] = [[*heads]]
    for id, ship in ships.items():
        cells = {name.replace("_", " "): ship.get(name) for name in ("side", *TEXTS, *SWITCHES, *NUMBERS)}
        others = {
            name: value
            for name, value in ship.items()
            if value and name not in ("at", "facing") and name.replace("_", " ") not in cells
        }
        if others.pop("status", "afloat") != "afloat" or others:
            raise BadInput(
                f"ships.{id}", "a spreadsheet cannot hold a battle that has begun: download it as a JSON file instead"
            )
        if at := ship.get("at"):
            cells |= dict(zip(place, column_and_row(at) if kind == "hexes" else at, strict=False))
        rows.append([(cells | {"id": id, "heading": ship.get("facing")}).get(head) for head in heads])
    return rows


def column_and_row(at: Any) -> tuple[int, int]:
    """A hex as it is printed on the board: its column and its row, counted from 1."""
    return int(at[0]) + 1, int(at[1]) + int(at[0]) // 2 + 1


def sea_rows(what: str, areas: Any) -> Iterator[Cells]:
    """Land or wrecks: a hex a row, or a point of a ring a row."""
    for shape, area in enumerate(areas or (), start=1):
        if isinstance(area, Mapping) or not isinstance(area[0], int):
            for ring, points in enumerate(polygon(area, "position.board")["coordinates"], start=1):
                yield from ([what, shape, ring, None, None, x, y] for x, y in points)
        else:
            yield [what, None, None, *column_and_row(area), None, None]


# In --------------------------------------------------------------------------------------------------------


def read_scenario(book: Book) -> Scenario:
    """The scenario of a spreadsheet, as far as its cells say: no rule is asked. Raises BadInput, whose path is a cell.

    The ships stand on the sheet of this name, or on the first one.
    """
    tables = [read_table(book.sheet_with("ships", HEADS), HEADS)]
    ships = ships_by_id(tables[0])
    parts: dict[str, str] = {}
    title, position = "", dict[str, Any](board={})
    if (sheet := book.sheet("board")) is not None:
        tables.append(read_table(sheet, SETTING_HEADS))
        title, position = read_board(tables[-1], parts)
    kind = position["board"].get("kind", "hexes")
    if kind not in PLACE:
        raise BadInput(parts["board"], "%(value)s is not one of %(names)s", value=kind, names=tuple(PLACE))
    sides = Sides(position, parts)
    if (sheet := book.sheet("sides")) is not None:
        tables.append(read_table(sheet, SIDE_HEADS))
        position["sides"] = {}
        for row in tables[-1].rows:
            sides.read(row)
        sides.are_all = True
    if (sheet := book.sheet("sea")) is not None:
        tables.append(read_table(sheet, SEA_HEADS))
        position["board"] |= read_sea(tables[-1], kind)
    own: dict[str, Any] = {}
    if (sheet := book.sheet(NAME)) is not None and sheet is not tables[0].sheet:
        own, _points, table = read_types(sheet)
        position["types"] = own
        tables.append(table)
    position["ships"] = {id: {"side": sides.id_of(row), **read_ship(row, kind, own)} for id, row in ships.items()}
    named = {ship["side"] for ship in position["ships"].values()} | set(position.get("sides", ()))
    counts = {"ships": len(ships), "sides": len(named)} | ({"types": len(own)} if own else {})
    return Scenario(title, position, ships, book.report(tables, **counts), parts)


class Sides:
    """The sides of a spreadsheet by what its cells call them: an id, or any name in any letters."""

    def __init__(self, position: dict[str, Any], parts: dict[str, str]) -> None:
        self.position, self.parts, self.ids, self.are_all = position, parts, dict[str, str](), False

    def id_of(self, row: Row) -> str:
        """The id of the side in a row's cell; one that is called by a name gets an id, and keeps its name.

        Raises BadInput for an empty cell.
        """
        text = row["side"]
        if not text:
            raise BadInput(row.cell("side"), "write which side this is, also in each row of one side")
        word = plain_word(text)
        if (known := self.ids.get(word)) is not None:
            return known
        if self.are_all:
            raise BadInput(row.cell("side"), "there is no side called %(side)s", side=repr(text))
        id = text if ID.fullmatch(text) else text.casefold() if ID.fullmatch(text.casefold()) else ""
        if not id:
            id = value_for("side", text)
            id = id if ID.fullmatch(id) else f"side{len(self.ids) + 1}"
            self.position.setdefault("sides", {}).setdefault(id, {})["name"] = text
        self.ids[word] = id
        self.parts.setdefault(f"sides.{id}", row.cell("side"))
        return id

    def read(self, row: Row) -> None:
        """Learn a side of the sheet of sides. Raises BadInput."""
        id = self.id_of(row)
        for head, known in (("navy", get_args(Navy)), ("look", get_args(Look))):
            if row[head] and row.value(head) not in known:
                raise BadInput(row.cell(head), "%(value)s is not one of %(names)s", value=row[head], names=known)
        said = {head: row[head] if head == "name" else row.value(head) for head in SIDE_HEADS[1:] if row[head]}
        self.position["sides"][id] = {**self.position["sides"].get(id, {}), **said}  # its id may have been a name
        self.ids.setdefault(plain_word(said.get("name", "")), id)


def ships_by_id(table: Table) -> dict[str, Row]:
    """The rows of ships by their ids: as written, else by the row. Raises BadInput for one that stands twice."""
    found: dict[str, Row] = {}
    for row in table.rows:
        id = row["id"] or f"ship{row.number}"
        if id in found or "." in id:
            raise BadInput(row.cell("id"), "each ship must have an id of its own, without a full stop")
        found[id] = row
    if not found:
        raise BadInput(cell_name(table.sheet.name, 1, 2), "there is no ship in this spreadsheet")
    return found


def read_ship(row: Row, kind: str, own: Collection[str]) -> dict[str, Any]:
    """A ship as the API takes it, without her side; `own` are the types of the file. An empty cell says nothing."""
    found: dict[str, Any] = {name: row[name] for name in TEXTS if row[name]}
    found["type"] = row["type"] if row["type"] in own else row.value("type")
    if row["crew"]:
        found["crew"] = row.value("crew")
    for name in SWITCHES:
        if row[head := name.replace("_", " ")]:
            found[name] = row.is_yes(head)
    found |= {name: row.whole_at(head) for name in NUMBERS if row[head := name.replace("_", " ")]}
    place = PLACE[kind]
    if place and any(row[head] for head in place):
        found["at"] = hex_of(row) if kind == "hexes" else [row.number_at(head) for head in place]
    if row["heading"]:
        found["facing"] = row.number_at("heading") if kind == "open" else row.value("heading").upper()
    return found


def hex_of(row: Row) -> list[int]:
    """The hex of a row's column and row, as printed on the board. Raises BadInput."""
    column, line = (row.whole_at(head) for head in PLACE["hexes"])
    return list(from_column_row(column - 1, line - 1))


def read_board(table: Table, parts: dict[str, str]) -> tuple[str, dict[str, Any]]:
    """The title, and the board and options of a position; `parts` learns where each stands."""
    title = ""
    board: dict[str, Any] = {}
    position: dict[str, Any] = {"board": board, "options": {}}
    for row in table.rows:
        name, text = value_for("setting", plain_word(row["name"])), row["value"]
        cell = row.cell("value")
        match name:
            case "title":
                title = text
            case "board":
                parts["board"] = cell
                board["kind"] = value_for("board", text).casefold()
            case "columns" | "rows" | "width" | "height":
                parts[f"board.{name}"] = cell
                board[name] = row.number_at("value")
            case "turn limit":
                parts["turn_limit"] = cell
                position["turn_limit"] = row.number_at("value") if text else None
            case _:
                option = name.replace(" ", "_")
                parts[f"options.{option}"] = cell
                position["options"][option] = option_value(text)
    return title, position


def option_value(text: str) -> Any:
    """An option's choice as it is typed: yes or no in any language, a whole number, or a word."""
    number = count(text)
    if number is not None:
        return number
    return yes_and_no().get(plain_word(text), text) if len(text) > 1 else text


def read_sea(table: Table, kind: str) -> dict[str, Any]:
    """Land and wrecks of the board."""
    hexes: dict[str, list[Any]] = {"land": [], "wreck": []}
    shapes: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for row in table.rows:
        what = row.value("what")
        if what not in hexes:
            raise BadInput(row.cell("what"), "%(value)s is not one of %(names)s", value=row["what"], names=tuple(hexes))
        if kind == "open":
            point = [row.number_at(head) for head in PLACE[kind]]
            shapes.setdefault((what, row["shape"]), {}).setdefault(row["ring"], []).append(point)
        else:
            hexes[what].append(hex_of(row))
    if kind != "open":
        return {"land": hexes["land"], "wrecks": hexes["wreck"]}
    areas: dict[str, list[Any]] = {"land": [], "wreck": []}
    for (what, _shape), rings in shapes.items():
        areas[what].append({"type": "Polygon", "coordinates": list(rings.values())})
    return {"coast": areas["land"], "wrecks": areas["wreck"]}
