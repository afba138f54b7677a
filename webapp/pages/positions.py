"""Positions by hand: fleets put on the board by tapping, kept as files that others load."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import msgspec
from flask import Blueprint, Response, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import pgettext
from markupsafe import Markup
from shapely import Point as Spot

from tactical import board
from tactical.battle import Battle
from tactical.board import HEADINGS, Hex, from_column_row, neighbours
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import TITLE_LETTERS, BadInput, Input, Record, Title, plain
from tactical.kernel.record import read as read_as
from tactical.position import SHIP_LIMIT, check_ship, measured_off, read_board, read_position, read_ship, read_sides
from tactical.setup import all_scenarios, position_of, prefix
from tactical.ship import CREWS, FIGURES, TYPES, ShipType, complement_of
from webapp.api.errors import answer, answer_in_json
from webapp.files.book import ENCODINGS, check_format, read_book
from webapp.files.book import download as send_sheets
from webapp.files.book import download as sheet_download
from webapp.files.report import Report, Sent, sent_body, sent_file
from webapp.files.scenario import EXAMPLE, read_scenario, scenario_sheets
from webapp.http.forms import GAME_LIMIT, body, parse, read_hex, reason_text
from webapp.http.language import gettext as _
from webapp.http.operations import in_words
from webapp.http.rate_limit import TooMany, slow_down
from webapp.http.seats import allow_new_game, is_organizer, store
from webapp.pages import lobby
from webapp.pages.battle.board import Picture, draw_ship, flags_of, ground, hulls_of
from webapp.pages.battle.marks import frame, hex_path, place
from webapp.pages.battle.open_sea import BASE
from webapp.pages.lobby import position_text
from webapp.presenting.battle_labels import figure_word, heading_word
from webapp.presenting.campaign_labels import field_word
from webapp.presenting.labels import translate, words
from webapp.presenting.refusals import flash_of
from webapp.storage.errors import Barred, NoRoom, Refused, Unknown
from webapp.storage.journal import transfer
from webapp.storage.services import letters

# -- The shelf of what people drew: whose a saved position or campaign is, who takes it away, and it as a file.

OWN = "drawn"  # of the session: the codes of what this browser has saved
KEPT = 40  # of them; who saves more asks the organizer to remove the first


def own() -> list[str]:
    """The codes of what this browser has saved, the newest last."""
    codes: list[str] = session.get(OWN, [])
    return codes


def save_on_shelf(title: str, position: Mapping[str, Any], system: str = letters.SYSTEM) -> letters.Saved:
    """Save a position. It counts for the address that asks, unless the organizer does.

    Raises BadInput, Refused, TooMany.
    """
    if not is_organizer():
        letters.check(store(), position, system)  # what is refused is not counted
        slow_down("saved positions")
        slow_down("saved bytes", len(msgspec.json.encode(position)))
    return letters.save(store(), title, position, system)


def keep(kept: letters.Saved) -> None:
    """Remember that this browser saved it."""
    session[OWN] = [*own(), kept.id][-KEPT:]
    session.permanent = True


def may_remove(id: str) -> bool:
    """Is it this browser's, or does the organizer ask?"""
    return id in own() or is_organizer()


def remove_from_shelf(id: str, why_not: str, *, is_battle: bool) -> None:
    """Forget one.

    Raises:
        Unknown: nothing is saved under this code, or it is of the other kind.
        Forbidden: neither this browser nor the organizer saved it (`why_not` is told).
    """
    letters.load(store(), id, is_battle=is_battle)
    if not may_remove(id):
        abort(403, why_not)
    letters.remove(store(), id)


def scenario_file(system: str, title: str, position: Mapping[str, Any], name: str) -> Response:
    """It as a scenario file: what the API takes for a new game, and what the page opens again."""
    whole = {
        "navarch": transfer.FORMAT,
        "least": transfer.LEAST,
        "system": system,
        "title": title,
        "position": position,
    }
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(msgspec.json.format(msgspec.json.encode(whole)), mimetype="application/json", headers=named)


# -- A position while somebody draws it: what each tap does to it. Only the engine says whether it can be played.

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


def draft_fault(draft: Draft) -> BadInput | None:
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
            wrecks = {tuple(each) for each in read(draft).board.wrecks} ^ {here}
            return draft.with_board(wrecks=[list(each) for each in sorted(wrecks)])
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


def tapped_at_sea(draft: Draft, at: tuple[float, float]) -> Draft:
    """A tap on the open sea: a ship's midship, a point of a coast, or a coast that is taken away."""
    here = (round(at[0], 2), round(at[1], 2))
    match draft.tool:
        case "land":
            left = [each for each in read(draft).board.coasts if not board.shape_of(each).covers(Spot(here))]
            return draft.with_board(coast=plain(left))
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


# -- Positions from spreadsheets: what can be drawn is drawn, and each fault names its cell.


def open_sheets(data: bytes, encoding: str = "") -> tuple[Draft, Report]:
    """A draft of the ships and the sea of a spreadsheet, and what was read. Raises BadInput, whose path is a cell.

    A ship without a place lies ashore and is put down by a tap; when all have one, the rules are asked, too.
    """
    found = read_scenario(read_book(data, encoding))
    try:
        draft = open_draft(found.position, found.title[:TITLE_LETTERS])
        fault = None if ships_ashore(draft) else draft_fault(draft)
    except BadInput as wrong:
        fault = wrong
    if fault is not None:
        raise BadInput(found.cell_of(fault.path), fault.why)
    return draft, found.report


# -- The board of a draft, as large as fingers need it: each hex, each ship, the points of a coast that is being drawn.


class Board(NamedTuple):
    """What the page draws: the box, the sea, the ships by id and where they lie, the hexes to tap, a coast's open ring;
    `scale` is a base length of the measured sea."""

    box: tuple[int, int, int, int]
    sea: Markup
    ships: tuple[tuple[str, float, float, Markup], ...]
    cells: tuple[tuple[str, float, float], ...]
    points: tuple[tuple[float, float], ...]
    scale: int = BASE


def draw_board(draft: Draft, battle: Battle) -> Board | None:
    """The board; None for the players' own table."""
    if battle.board.kind == "table":
        return None
    flags, looks = flags_of(battle), Picture(still=True, selected=draft.ship)
    ships = tuple(
        (name, *place(ship.at), Markup(draw_ship(battle, looks, name, ship, flags)))
        for name, ship in battle.ships.items()
        if ship.at is not None
    )
    sea = Markup(ground(battle.board, hulls_of(battle)))
    if battle.board.kind == "open":
        return Board(frame(battle.board), sea, ships, (), tuple((x * BASE, y * BASE) for x, y in draft.ring))
    places = [
        from_column_row(column, row) for row in range(battle.board.rows) for column in range(battle.board.columns)
    ]
    cells = tuple((f"{at[0]},{at[1]}", *place(at)) for at in places)
    return Board(frame(battle.board), sea, ships, cells, ())


def number_of(battle: Battle, name: str) -> str:
    """The printed number of the hex in which a ship lies; her place at sea; empty ashore."""
    at = battle.ships[name].at
    if at is None:
        return ""
    if battle.board.kind == "open":
        return f"{at[0]:g}, {at[1]:g}"
    return hex_number((int(at[0]), int(at[1])))


def hex_number(at: tuple[int, int]) -> str:
    """The number of a hex as boards print it: column and row, two digits each."""
    return f"{at[0] + 1:02d}{at[1] + at[0] // 2 + 1:02d}"


# -- The API of saved positions: everybody lists and reads them, and saves one that the engine accepts.

api_bp = Blueprint("positions_api", __name__, url_prefix="/api/v1/positions")
answer_in_json(api_bp)


class Drawn(Input, frozen=True):
    """A position to save, in the form in which a new game takes it."""

    title: Title
    position: dict[str, Any]
    system: str = letters.SYSTEM
    navarch: int = transfer.FORMAT
    least: Annotated[str, msgspec.Meta(max_length=20)] = ""


@api_bp.get("")
def list_positions() -> Response:
    """The saved positions: code, title, time, number of ships, system."""
    return answer({"positions": [plain(each) for each in letters.all_positions(store())]})


@api_bp.get("/<id>")
def show_position(id: str) -> Response:
    """One of them with its position, which `POST /games` takes."""
    kept, position = letters.load(store(), id)
    return answer({**plain(kept), "position": position})


@api_bp.get("/<id>/file.<format>")
def file(id: str, format: str) -> Response:
    """One of them as a spreadsheet (csv, ods, xlsx); CSV has its ships alone."""
    check_format(format)
    kept, position = letters.load(store(), id, is_battle=True)
    return sheet_download(scenario_sheets(kept.title, position), "navarch-position", format)


@api_bp.get("/template.<format>", endpoint="template")
def template_by_program(format: str) -> Response:
    """A spreadsheet to fill in: two ships and a sea."""
    return sheet_download(scenario_sheets("", EXAMPLE), "navarch-position", format)


@api_bp.post("/read", endpoint="read")
def read_sheet() -> Response:
    """The title and the position of a spreadsheet (the body: CSV, ODS or XLSX); nothing is saved.

    `?report=yes` adds the `report` of what was read; `?encoding=koi8-r` names the letters of a CSV file.
    """
    slow_down("spreadsheets")
    sent = sent_body()
    draft, report = open_sheets(sent.data, sent.encoding)
    more = {"report": report.as_json()} if request.args.get("report") else {}
    return answer({"title": draft.title, "position": draft.position, **more})


@api_bp.post("", endpoint="save")
def save_by_program() -> Response:
    """Save a position, once a game can begin from it; nothing in it is secret."""
    wanted = body(Drawn)
    transfer.check_least({"least": wanted.least, "navarch": wanted.navarch})
    allow_new_game()
    return answer(plain(save_on_shelf(wanted.title, wanted.position, wanted.system)), 201)


# -- Positions by hand: the page on which they are drawn, those that were saved, files out and in.

bp = Blueprint(
    "positions",
    __name__,
    template_folder="templates",
    static_folder="static/positions",
    static_url_path="/positions-files",
)
bp.context_processor(words)
FAULTS = (BadInput, Illegal, Refused, Barred, NoRoom)
FILE = "navarch-position"
FRESH: dict[str, Any] = {
    "board": {"kind": "hexes", "columns": 16, "rows": 12},
    "sides": {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}},
    "ships": {},
}  # what one begins with


# Drawing -------------------------------------------------------------------------------------------------


@bp.get("/positions/draw")
def draw() -> ResponseReturnValue:
    """An empty sea, a scenario or a saved position, to be drawn on."""
    scenario, saved = request.args.get("scenario"), request.args.get("from")
    if scenario is not None:
        known = all_scenarios().get(scenario)
        if known is None:
            raise Unknown(_("There is no such scenario."))
        return page(open_draft(position_of(known), translate(known.title)))
    if saved is not None:
        kept, position = letters.load(store(), saved, is_battle=True)
        return page(open_draft(position, kept.title))
    return page(Draft(FRESH, tool="ship"))


@bp.post("/positions/draw")
def change() -> ResponseReturnValue:
    """A position that is opened (built, typed, a file), or the next change of one that is being drawn."""
    try:
        if "draft" not in request.form:
            return brought()
        before = read_as(parse_field(request.form["draft"]), Draft)
        read(before)
    except FAULTS as fault:
        return page(Draft(FRESH), flash_of(fault, "galley").text), 422
    try:
        after = do_button(write_fields(before))
        read(after)
    except FAULTS as fault:
        return page(before, complaint(before, fault)), 422
    return page(after)


def brought() -> str:
    """The page of what comes from the fleet builder, from the page of JSON or as a file. Raises BadInput."""
    sent, text = sent_file(GAME_LIMIT), request.form.get("position", "")
    if sent is not None:
        if not re.match(rb"\W*\{", sent.data[:100]):  # no JSON, in UTF-8 or UTF-16, with a mark or without
            slow_down("spreadsheets")
            draft, report = open_sheets(sent.data, sent.encoding)
            return page(draft, report=report, sent=sent)
        text, _letters = sent.text()
    raw = parse_field(text) if text.strip() else {}
    title = raw.get("title", "") if isinstance(raw, dict) else ""
    return page(open_draft(position_text(text), str(request.form.get("title") or title)[:TITLE_LETTERS]))


def parse_field(text: str) -> Any:
    """JSON of a form's field. Raises BadInput."""
    return parse(text.encode("utf-8", "surrogatepass"))


def write_fields(draft: Draft) -> Draft:
    """The draft with what stands in the fields of the page: the title, the board, the sides, the ship in hand."""
    form = request.form
    draft = msgspec.structs.replace(
        draft, title=form.get("title", draft.title)[:TITLE_LETTERS], wide=form.get("wide") == "yes"
    )
    if form.get("tool") in TOOLS:
        draft = msgspec.structs.replace(draft, tool=form["tool"])
    draft = with_settings(draft, form)
    if draft.ship in draft.ships and form.get("ship.id") == draft.ship:
        draft = with_fields(draft, form)
    return draft


def with_settings(draft: Draft, form: Mapping[str, str]) -> Draft:
    """The board's kind and size, the limit of turns, the options and the sides' names. Raises BadInput."""
    if form.get("kind") in ("hexes", "open", "table"):
        draft = on_board(draft, form["kind"], lobby.whole(form, "wide_size", 20), lobby.whole(form, "high_size", 14))
    changed: dict[str, Any] = {}
    if "turn_limit" in form:
        changed["turn_limit"] = lobby.whole(form, "turn_limit", 0) or None
    chosen = dict(draft.position.get("options") or {})
    for option, value in lobby.typed_options(store().systems["galley"], form):
        chosen |= {option.name: value} if value != option.default or option.name in chosen else {}
    sides = {
        side: {
            **known,
            "name": form.get(f"side.{side}", known.get("name", ""))[:60],
            "navy": form.get(f"navy.{side}", known.get("navy", "hellenistic")),
        }
        for side, known in draft.position.get("sides", {}).items()
    }
    changed |= {"options": chosen} if chosen else {}
    changed |= {"sides": sides} if sides else {}
    differs = any(draft.position.get(name) != value for name, value in changed.items())
    return draft.changed(**changed) if differs else draft


def with_fields(draft: Draft, form: Mapping[str, str]) -> Draft:
    """The ship in hand as her fields are written. Raises BadInput."""
    sheet = draft.ships[draft.ship]
    fields: dict[str, Any] = {"name": form.get("ship.name", sheet.get("name", ""))[:60]}
    if form.get("ship.crew") in CREWS:
        fields["crew"] = form["ship.crew"]
    if form.get("ship.type") in TYPES and form["ship.type"] != sheet.get("type"):
        kind, side = form["ship.type"], draft.position["sides"][sheet["side"]]
        fields |= {"type": kind, **dict.fromkeys(FIGURES), **own_figures(side, kind)}
    if form.get("ship.side") in draft.position.get("sides", {}):
        fields["side"] = form["ship.side"]
    place = form.get("ship.at", "").strip()
    if place and draft.kind == "hexes":
        fields["at"] = read_hex(place, "at")
        fields["facing"] = sheet.get("facing") or heading_of(draft, draft.ship)
    same = all(sheet.get(name) == value for name, value in fields.items() if name != "at")
    moved = "at" in fields and fields["at"] != [int(each) for each in sheet.get("at") or ()]
    return draft if same and not moved else draft.with_ship(draft.ship, **fields)


def do_button(draft: Draft) -> Draft:
    """What the button says that was tapped. Raises BadInput."""
    act, _dot, more = request.form.get("do", "").partition(".")
    match act:
        case "tap":
            return tap(draft, point(more))
        case "pick":
            return pick_ship(draft, more)
        case "tool" if more in TOOLS:
            return msgspec.structs.replace(draft, tool=more)
        case "add":
            side, _slash, kind = more.partition("/")
            return add_ship(draft, side, kind or request.form.get(f"add.{side}", ""))
        case "before":
            return before(draft)
        case "close":
            return close_coast(draft)
        case "clear":
            return all_ashore(draft)
        case "point":
            return msgspec.structs.replace(draft, ring=draft.ring[:-1])
        case "json":
            return open_draft(position_text(request.form.get("text", "")), draft.title)
        case _ if draft.ship not in draft.ships:
            return draft
        case "turn" if more in ("1", "-1"):
            return turn_ship(draft, int(more))
        case "more" | "less":
            return count_on_sheet(draft, more, 1 if act == "more" else -1)
        case "switch":
            return switch_on_sheet(draft, more)
        case "ashore":
            return draft.with_ship(draft.ship, at=None)
        case "remove":
            ships = {name: ship for name, ship in draft.ships.items() if name != draft.ship}
            return msgspec.structs.replace(draft.changed(ships=ships), ship="")
    return draft


def point(text: str) -> tuple[float, float]:
    """A place on the board, such as 3,-1 or 4.5,2. Raises BadInput."""
    x, _comma, y = text.partition(",")
    try:
        found = float(x), float(y)
    except ValueError:
        raise BadInput("at", "this is not a place on the board") from None
    if not all(abs(each) < 1000 for each in found):
        raise BadInput("at", "this is not a place on the board")
    return found


def page(draft: Draft, refusal: str = "", report: Report | None = None, sent: Sent | None = None) -> str:
    """The page, or for htmx the part of it that changes; at first with the report of the spreadsheet that was sent."""
    battle = read(msgspec.structs.replace(draft, position={**draft.position, "ships": draft.ships}))
    fault = draft_fault(draft) if draft.ships else None
    ship = battle.ships.get(draft.ship)
    template = "positions/_draw.html" if request.headers.get("HX-Request") else "positions/draw.html"
    return render_template(
        template,
        draft=draft,
        battle=battle,
        board=draw_board(draft, battle),
        cell=hex_path(),
        refusal=refusal,
        problem=complaint(draft, fault) if fault else "",
        text=msgspec.json.encode(draft).decode(),
        json=msgspec.json.format(msgspec.json.encode(draft.position)).decode(),
        ship=ship,
        kind=battle.kind(ship) if ship else None,
        where=number_of(battle, draft.ship) if ship else "",
        ashore=set(ships_ashore(draft)),
        types=TYPES,
        crews=tuple(CREWS),
        figures=FIGURES,
        figure_word=figure_word,
        heading_word=heading_word,
        system=store().systems["galley"],
        options={name: lobby.form_value(value) for name, value in msgspec.structs.asdict(battle.options).items()}
        | {name: lobby.form_value(value) for name, value in draft.position.get("options", {}).items()},
        written=lobby.form_value,
        report=report,
        sent=sent,
        encodings=ENCODINGS,
    )


def complaint(draft: Draft, fault: Exception) -> str:
    """Why the position cannot be played yet: the ship by her name, the field, and the reason."""
    if not isinstance(fault, BadInput):
        return flash_of(fault, "galley").text
    *path, field = fault.path.removeprefix("position.").split(".")
    named = ""
    if path[:1] == ["ships"] and len(path) > 1:
        named = draft.ships.get(path[1], {}).get("name") or path[1]
    elif path[:1] == ["ships"] or field in draft.ships:
        named, field = draft.ships.get(field, {}).get("name") or field, ""
    parts = [part for part in (named, word(field) if field else "") if part]
    return f"{': '.join([*parts, reason_text(fault.why)])}."


def word(field: str) -> str:
    """A field of a sheet or of the position in words."""
    known = {
        "at": pgettext("location", "Place"),
        "facing": _("Heading"),
        "damage": _("Damage"),
        "speed": _("Speed"),
        "type": _("Type"),
        "title": _("Title"),
        "ships": _("The ships"),
        "board": _("The board"),
        "coast": _("Coast"),
        "breaches": _("Breaches"),
        "position": _("Position"),
        "turn_limit": _("Turn limit"),
    }
    return known.get(field) or field_word("galley", field)


# Kept, out and in ------------------------------------------------------------------------------------------


@bp.get("/positions")
def list_page() -> str:
    """The positions that people have saved on this server."""
    found = [each for each in letters.all_positions(store()) if each.system == letters.SYSTEM]
    return render_template("positions/listed.html", found=found, mine=own(), local=is_organizer())


@bp.get("/positions/<id>")
def position_page(id: str) -> str:
    """One of them: its picture, to start, to change or to download."""
    return begin(*letters.load(store(), id, is_battle=True), may_remove(id))


def begin(kept: letters.Saved, position: Mapping[str, Any], may_remove: bool) -> str:
    """The page that begins one, with the choice of dice."""
    drawn, text = lobby.picture_of_position(dict(position)), msgspec.json.encode(position).decode()
    return render_template(
        "positions/shown.html", kept=kept, drawn=drawn, may_remove=may_remove, text=text, sides=position["sides"]
    )


@bp.post("/positions")
def save() -> ResponseReturnValue:
    """Save what is drawn, for others to load; or give it as a file, or go on to start it."""
    draft = read_as(parse_field(request.form.get("draft", "")), Draft)
    read(draft)
    draft = write_fields(draft)
    act, _dot, format = request.form.get("do", "").partition(".")
    title = draft.title or _("A position")
    try:
        if act == "file":
            return file_of(draft.title, draft.position, format)
        if act == "start":
            letters.check(store(), draft.position)
            return begin(letters.Saved("", title, store().now(), len(draft.ships)), draft.position, False)
        allow_new_game()
        kept = save_on_shelf(title, draft.position)
    except (*FAULTS, TooMany) as fault:
        return page(draft, in_words(str(fault)) if isinstance(fault, TooMany) else complaint(draft, fault)), 422
    keep(kept)
    return redirect(url_for("positions.position_page", id=kept.id), 303)


@bp.get("/positions/<id>/file")
@bp.get("/positions/<id>/file.<format>")
def download(id: str, format: str = "") -> Response:
    """One of them as a file that this page opens again: what the API takes for a new game, or a spreadsheet."""
    kept, position = letters.load(store(), id, is_battle=True)
    return file_of(kept.title, position, format)


@bp.get("/positions/template.<format>")
def template(format: str) -> Response:
    """A spreadsheet to fill in: two ships and a sea."""
    return file_of(_("A position"), EXAMPLE, format)


@bp.post("/positions/file.<format>")
def send_fleets(format: str) -> ResponseReturnValue:
    """The fleets of the builder as a spreadsheet."""
    draft = open_draft(position_text(request.form.get("position", "")), request.form.get("title", ""))
    return file_of(draft.title[:TITLE_LETTERS], draft.position, format)


def file_of(title: str, position: Mapping[str, Any], format: str) -> Response:
    """A position as a scenario file, or as a spreadsheet. Raises BadInput for one that no spreadsheet can hold."""
    if not format:
        return scenario_file(letters.SYSTEM, title, position, f"{FILE}.json")
    check_format(format)
    return send_sheets(scenario_sheets(title, position), FILE, format)


@bp.post("/positions/<id>/remove")
def remove(id: str) -> ResponseReturnValue:
    """Forget one; whoever saved it in this browser, and the organizer."""
    remove_from_shelf(id, _("Only the person who saved a position, or the organizer, may remove it."), is_battle=True)
    return redirect(url_for("positions.list_page"), 303)
