"""A position while somebody draws it: what each tap does to it. Only the engine says whether it can be played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from shapely import Point as Spot

from tactical import measured
from tactical.battle import Battle
from tactical.hexes import HEADINGS, Hex, neighbours
from tactical.kernel.record import BadInput, Record, plain
from tactical.kernel.record import read as read_as
from tactical.open_position import measured_off
from tactical.position import SHIP_LIMIT, check_ship, read_board, read_position, read_ship, read_sides
from tactical.setup import prefix
from tactical.ship import FIGURES, TYPES, ShipType, complement_of
from webapp.http.request_body import parse

TOOLS = ("ship", "land", "wreck", "coast")
PAST = 8  # positions that can be gone back to, and
LETTERS = 60_000  # how many letters they may have together
TURN_AT_SEA = 15  # degrees of a tap
MOST_HEXES = 3600  # of a board that a page draws
NEAR = 0.6  # base lengths: so near to its first point a tap closes a coast
COUNTED = ("damage", "breaches", "speed", *FIGURES)


class Draft(Record, frozen=True):
    """The position as it stands, what it was before, and what is in hand: a tool, a ship, the points of a coast.

    A ship without `at` is still ashore. `wide` says that land is laid seven hexes at a time.
    """

    position: dict[str, Any]
    title: str = ""
    past: tuple[str, ...] = ()
    ring: tuple[tuple[float, float], ...] = ()
    ship: str = ""
    tool: str = "ship"
    wide: bool = False

    @property
    def kind(self) -> str:
        """What the board is: hexes, open or table."""
        return str(self.position.get("board", {}).get("kind", "hexes"))

    @property
    def ships(self) -> dict[str, dict[str, Any]]:
        """The sheets by id, as they are written."""
        found: dict[str, dict[str, Any]] = self.position.get("ships", {})
        return found

    def changed(self, **parts: Any) -> Draft:
        """The draft with other parts of its position, and one more to go back to."""
        text = msgspec.json.encode(self.position).decode()
        past = (*self.past, text)[-PAST:]
        while len(past) > 1 and sum(map(len, past)) > LETTERS:
            past = past[1:]
        return msgspec.structs.replace(self, position={**self.position, **parts}, past=past)

    def with_ship(self, ship: str, /, **fields: Any) -> Draft:
        """One ship with other fields; a field that is None is left out again."""
        sheet = {key: value for key, value in {**self.ships[ship], **fields}.items() if value is not None}
        return self.changed(ships={**self.ships, ship: sheet})

    def with_board(self, **fields: Any) -> Draft:
        """The board with other fields."""
        return self.changed(board={**self.position.get("board", {}), **fields})


def open_draft(position: Mapping[str, Any], title: str = "") -> Draft:
    """A draft of a position that was built, loaded or typed. Raises BadInput for what cannot even be drawn."""
    draft = Draft(dict(position), title)
    read(draft)
    ashore = ships_ashore(draft)
    return msgspec.structs.replace(draft, ship=ashore[0] if ashore else "")


def read(draft: Draft) -> Battle:
    """The draft as a battle to be drawn, whatever contradicts itself in it. Raises BadInput."""
    raw = draft.position
    ships = raw.get("ships")
    if not isinstance(ships, Mapping) or not isinstance(raw.get("board", {}), Mapping):
        raise BadInput("position.ships", "a battle needs ships")
    if not isinstance(raw.get("options") or {}, Mapping):
        raise BadInput("position.options", "options must be an object")
    sides = read_sides(raw.get("sides"), ships)
    own: dict[str, ShipType] = read_as(raw.get("types") or {}, dict[str, ShipType], "position.types")
    found = {str(name): read_ship(ship, sides, own, "plot", f"position.ships.{name}") for name, ship in ships.items()}
    board = read_board(raw.get("board"))
    if board.columns * board.rows > MOST_HEXES:
        raise BadInput(
            "position.board", "a board drawn by hand may have at most %(most_hexes)s hexes", most_hexes=MOST_HEXES
        )
    return measured_off(Battle(board=board, sides=sides, ships=found, types=own), "position.")


def fault(draft: Draft) -> BadInput | None:
    """What the engine has against the position; None when it can be played."""
    try:
        read_position(draft.position, {})
    except BadInput as found:
        return found
    return None


def ships_ashore(draft: Draft) -> list[str]:
    """The ships that still lie ashore."""
    if draft.kind == "table":
        return []
    return [name for name, ship in draft.ships.items() if not ship.get("at") and ship.get("status") in (None, "afloat")]


# Taps on the board ----------------------------------------------------------------------------------------


def tap(draft: Draft, at: tuple[float, float]) -> Draft:
    """A tap on the board with the tool that is in hand."""
    if draft.kind == "open":
        return tapped_at_sea(draft, at)
    here = (int(at[0]), int(at[1]))
    match draft.tool:
        case "land":
            return toggle_land(draft, here)
        case "wreck":
            return toggle_wreck(draft, here)
    there = [name for name, ship in draft.ships.items() if tuple(ship.get("at") or ()) == here]
    if there and draft.ship not in there:
        return pick_ship(draft, there[0])
    return place_ship(draft, here)


def place_ship(draft: Draft, at: tuple[float, float]) -> Draft:
    """The ship in hand comes to lie there; then the next one that lies ashore is taken in hand."""
    ashore = ships_ashore(draft)
    name = draft.ship if draft.ship in draft.ships else (ashore[0] if ashore else "")
    if not name:
        return draft
    is_new = name in ashore
    facing = draft.ships[name].get("facing")
    after = draft.with_ship(name, at=list(at), facing=heading_of(draft, name) if facing is None else facing)
    left = ships_ashore(after)
    return msgspec.structs.replace(after, ship=left[0] if is_new and left else name)


def heading_of(draft: Draft, name: str) -> str | float:
    """The heading for a ship that has none: as the last of her side that has one."""
    side = draft.ships[name].get("side")
    fleet = [ship for ship in draft.ships.values() if ship.get("side") == side]
    known = [ship["facing"] for ship in fleet if ship.get("facing") is not None]
    return known[-1] if known else (0 if draft.kind == "open" else "N")


def toggle_land(draft: Draft, at: Hex) -> Draft:
    """Land where there was water, water where there was land; seven hexes at a time where that is wished."""
    board = read(draft).board
    hexes = [each for each in ((at, *neighbours(at)) if draft.wide else (at,)) if board.holds(each)]
    land = set(board.land)
    land = land - set(hexes) if at in land else land | set(hexes)
    wrecks = [list(each) for each in board.wrecks if each not in land]
    return draft.with_board(land=[list(each) for each in sorted(land)], wrecks=wrecks)


def toggle_wreck(draft: Draft, at: Hex) -> Draft:
    """A wreck in the water, or none any more."""
    board = read(draft).board
    wrecks = {tuple(each) for each in board.wrecks}
    return draft.with_board(wrecks=[list(each) for each in sorted(wrecks ^ {at})])


def tapped_at_sea(draft: Draft, at: tuple[float, float]) -> Draft:
    """A tap on the open sea: a ship's midship, a point of a coast, or a coast that is taken away."""
    here = (round(at[0], 2), round(at[1], 2))
    match draft.tool:
        case "land":
            return without_coast(draft, here)
        case "coast":
            if len(draft.ring) >= 3 and Spot(here).distance(Spot(draft.ring[0])) < NEAR:
                return close_coast(draft)
            return msgspec.structs.replace(draft, ring=(*draft.ring, here))
        case "wreck":
            raise BadInput("tool", "on the measured sea only a ship that sinks may leave a wreck")
    return place_ship(draft, here)


def close_coast(draft: Draft) -> Draft:
    """The points that were tapped become a coast. Raises BadInput for fewer than three."""
    if len(draft.ring) < 3:
        raise BadInput("coast", "a coast must have at least three points")
    ring = [list(each) for each in (*draft.ring, draft.ring[0])]
    coasts = [*plain(list(read(draft).board.coasts)), {"type": "Polygon", "coordinates": [ring]}]
    return msgspec.structs.replace(draft.with_board(coast=coasts), ring=())


def without_coast(draft: Draft, at: tuple[float, float]) -> Draft:
    """The coast that lies there is taken away."""
    kept = [each for each in read(draft).board.coasts if not measured.shape_of(each).covers(Spot(at))]
    return draft.with_board(coast=plain(kept))


# Buttons ---------------------------------------------------------------------------------------------------


def pick_ship(draft: Draft, name: str) -> Draft:
    """Take a ship in hand."""
    return msgspec.structs.replace(draft, ship=name if name in draft.ships else "", tool="ship")


def turn_ship(draft: Draft, by: int) -> Draft:
    """The ship in hand turns by so many hex sides, or by so many times fifteen degrees at sea; above 0 to starboard."""
    known = draft.ships[draft.ship].get("facing")
    facing = heading_of(draft, draft.ship) if known is None else known
    if draft.kind == "open":
        return draft.with_ship(draft.ship, facing=(float(facing) + by * TURN_AT_SEA) % 360)
    place = HEADINGS.index(facing) if facing in HEADINGS else 0
    return draft.with_ship(draft.ship, facing=HEADINGS[(place + by) % 6])


def count_on_sheet(draft: Draft, field: str, by: int) -> Draft:
    """One more or less of something on the sheet of the ship in hand, as far as the engine has nothing against it."""
    if field not in COUNTED:
        raise BadInput(field, "there is no such field")
    ship = read(draft).ships[draft.ship]
    figures = {figure: getattr(ship, figure) for figure in FIGURES} if field in FIGURES else {}
    after = draft.with_ship(draft.ship, **{**figures, field: int(getattr(ship, field)) + by})
    battle = read(after)
    try:
        check_ship(battle, draft.ship, battle.ships[draft.ship], f"position.ships.{draft.ship}")
    except BadInput as found:  # what else still contradicts itself is said beside the board
        if found.path.endswith(f".{field}"):
            raise
    return after


def switch_on_sheet(draft: Draft, field: str) -> Draft:
    """Yes instead of no, or no instead of yes; a side has one flagship."""
    if field not in ("oars_broken", "corvus", "flagship"):
        raise BadInput(field, "there is no such field")
    ship = draft.ships[draft.ship]
    value = not ship.get(field)
    if field == "flagship" and value:
        others = {
            name: {**other, "flagship": False} if other.get("side") == ship.get("side") else other
            for name, other in draft.ships.items()
        }
        draft = msgspec.structs.replace(draft, position={**draft.position, "ships": others})
    return draft.with_ship(draft.ship, **{field: value})


def ashore(draft: Draft) -> Draft:
    """The ship in hand is taken off the board."""
    return draft.with_ship(draft.ship, at=None)


def all_ashore(draft: Draft) -> Draft:
    """All ships are taken off the board, and the first is taken in hand."""
    ships = {name: {key: value for key, value in ship.items() if key != "at"} for name, ship in draft.ships.items()}
    return msgspec.structs.replace(draft.changed(ships=ships), ship=next(iter(ships), ""), tool="ship")


def add_ship(draft: Draft, side: str, kind: str) -> Draft:
    """One more ship, ashore and in hand. Raises BadInput."""
    sides = draft.position.get("sides", {})
    if side not in sides:
        raise BadInput("side", "there is no side called %(side)s", side=repr(side))
    if kind not in TYPES:
        raise BadInput(
            "type", "there is no ship type called %(type)s; types are %(types)s", type=repr(kind), types=tuple(TYPES)
        )
    if len(draft.ships) >= SHIP_LIMIT:
        raise BadInput(
            "ships", "%(count)s ships are more than the limit of %(most)s", count=len(draft.ships) + 1, most=SHIP_LIMIT
        )
    short = prefix(side, sides)
    name = next(f"{short}{n}" for n in range(1, SHIP_LIMIT + 2) if f"{short}{n}" not in draft.ships)
    new = {"side": side, "type": kind, "name": "", **own_figures(sides[side], kind)}
    return pick_ship(draft.changed(ships={**draft.ships, name: new}), name)


def own_figures(side: Mapping[str, Any], kind: str) -> dict[str, int]:
    """G2.1 Figures for a ship of a type that the source gives her navy none of: nobody aboard, until somebody says."""
    known = complement_of(TYPES[kind], str(side.get("navy", "hellenistic")))
    return dict.fromkeys(FIGURES, 0) if known is None else {}


def remove_ship(draft: Draft) -> Draft:
    """The ship in hand is struck off the fleet."""
    ships = {name: ship for name, ship in draft.ships.items() if name != draft.ship}
    return msgspec.structs.replace(draft.changed(ships=ships), ship="")


def before(draft: Draft) -> Draft:
    """The position as it was before the last change."""
    if not draft.past:
        return draft
    position = parse(draft.past[-1].encode("utf-8", "surrogatepass"))
    if not isinstance(position, dict):
        raise BadInput("position", "a position must be an object")
    return msgspec.structs.replace(draft, position=position, past=draft.past[:-1], ring=())


def on_board(draft: Draft, kind: str, wide: float, high: float) -> Draft:
    """Another kind or size of board; what another kind has no place for is taken away."""
    board = draft.position.get("board", {})
    if kind == draft.kind:
        sizes = {"width": wide, "height": high} if kind == "open" else {"columns": int(wide), "rows": int(high)}
        after = {**board, **sizes}
        if kind == "hexes":
            inside = read_board({**sizes, "kind": kind})
            for part in ("land", "wrecks"):
                after[part] = [each for each in board.get(part) or [] if inside.holds((each[0], each[1]))]
        return draft if after == board else draft.changed(board=after)
    sizes = {"width": 20, "height": 14} if kind == "open" else {"columns": 20, "rows": 14}
    ships = {
        name: {key: value for key, value in ship.items() if key not in ("at", "facing")}
        for name, ship in draft.ships.items()
    }
    return msgspec.structs.replace(draft.changed(board={"kind": kind, **sizes}, ships=ships), ring=(), tool="ship")
