"""Positions by hand: the page on which they are drawn, those that were saved, files out and in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import pgettext

from tactical.kernel.proper_names import TITLE_LETTERS
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput
from tactical.kernel.record import read as read_as
from tactical.setup import all_scenarios, position_of
from tactical.ship import CREWS, FIGURES, TYPES
from webapp.http.error_pages import in_words
from webapp.http.forms import read_hex
from webapp.http.input_words import reason_text
from webapp.http.language import gettext as _
from webapp.http.organizer import allow_new_game, is_organizer
from webapp.http.rate_limit import TooMany, slow_down
from webapp.http.request_body import parse
from webapp.http.seats import store
from webapp.pages.lobby import forms, tiles
from webapp.pages.lobby.views import position_text
from webapp.pages.positions import draft as drafts
from webapp.pages.positions import sheets, shelf
from webapp.pages.positions.draft import Draft
from webapp.pages.positions.picture import draw_board, number_of
from webapp.presenting.battle_labels import figure_word, heading_word
from webapp.presenting.campaign_labels import field_word
from webapp.presenting.flash import flash_of
from webapp.presenting.labels import translate, words
from webapp.spreadsheets.scenario import EXAMPLE, scenario_sheets
from webapp.spreadsheets.writing import check_format
from webapp.spreadsheets.writing import download as send_sheets
from webapp.storage.errors import Barred, NoRoom, Refused, Unknown
from webapp.storage.services import saved_positions

bp = Blueprint(
    "positions", __name__, template_folder="templates", static_folder="static", static_url_path="/positions-files"
)
bp.context_processor(words)
FAULTS = (BadInput, Illegal, Refused, Barred, NoRoom)
FILE = "navarch-position"
BOM = b"\xef\xbb\xbf"
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
        return page(drafts.open_draft(position_of(known), translate(known.title)))
    if saved is not None:
        kept, position = saved_positions.load(store(), saved, is_battle=True)
        return page(drafts.open_draft(position, kept.title))
    return page(Draft(FRESH, tool="ship"))


@bp.post("/positions/draw")
def change() -> ResponseReturnValue:
    """A position that is opened (built, typed, a file), or the next change of one that is being drawn."""
    try:
        if "draft" not in request.form:
            return page(brought())
        before = read_as(parse_field(request.form["draft"]), Draft)
        drafts.read(before)
    except FAULTS as fault:
        return page(Draft(FRESH), flash_of(fault, "galley").text), 422
    try:
        after = do_button(write_fields(before))
        drafts.read(after)
    except FAULTS as fault:
        return page(before, complaint(before, fault)), 422
    return page(after)


def brought() -> Draft:
    """What comes from the fleet builder, from the page of JSON or as a file. Raises BadInput."""
    sent = request.files.get("file")
    text = request.form.get("position", "")
    if sent is not None and sent.filename:
        data = sent.read()
        if not data.lstrip().startswith((b"{", BOM + b"{")):
            slow_down("spreadsheets")
            return sheets.open_sheets(data)
        text = data.decode("utf-8-sig", "replace")
    raw = parse_field(text) if text.strip() else {}
    title = raw.get("title", "") if isinstance(raw, dict) else ""
    return drafts.open_draft(position_text(text), str(request.form.get("title") or title)[:TITLE_LETTERS])


def parse_field(text: str) -> Any:
    """JSON of a form's field. Raises BadInput."""
    return parse(text.encode("utf-8", "surrogatepass"))


def write_fields(draft: Draft) -> Draft:
    """The draft with what stands in the fields of the page: the title, the board, the sides, the ship in hand."""
    form = request.form
    draft = msgspec.structs.replace(
        draft, title=form.get("title", draft.title)[:TITLE_LETTERS], wide=form.get("wide") == "yes"
    )
    if form.get("tool") in drafts.TOOLS:
        draft = msgspec.structs.replace(draft, tool=form["tool"])
    draft = with_settings(draft, form)
    if draft.ship in draft.ships and form.get("ship.id") == draft.ship:
        draft = with_fields(draft, form)
    return draft


def with_settings(draft: Draft, form: Mapping[str, str]) -> Draft:
    """The board's kind and size, the limit of turns, the options and the sides' names. Raises BadInput."""
    if form.get("kind") in ("hexes", "open", "table"):
        draft = drafts.on_board(draft, form["kind"], number(form, "wide_size", 20), number(form, "high_size", 14))
    changed: dict[str, Any] = {}
    if "turn_limit" in form:
        changed["turn_limit"] = forms.whole(form, "turn_limit", 0) or None
    chosen = dict(draft.position.get("options") or {})
    for option in store().systems["galley"].options:
        if text := form.get(f"option.{option.name}"):
            value = forms.choice_of(option, text)
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
        fields |= {"type": kind, **dict.fromkeys(FIGURES), **drafts.own_figures(side, kind)}
    if form.get("ship.side") in draft.position.get("sides", {}):
        fields["side"] = form["ship.side"]
    place = form.get("ship.at", "").strip()
    if place and draft.kind == "hexes":
        fields["at"] = read_hex(place, "at")
        fields["facing"] = sheet.get("facing") or drafts.heading_of(draft, draft.ship)
    same = all(sheet.get(name) == value for name, value in fields.items() if name != "at")
    moved = "at" in fields and fields["at"] != [int(each) for each in sheet.get("at") or ()]
    return draft if same and not moved else draft.with_ship(draft.ship, **fields)


def number(form: Mapping[str, str], name: str, default: float) -> float:
    """A size of the board. Raises BadInput."""
    return forms.whole(form, name, int(default))


def do_button(draft: Draft) -> Draft:
    """What the button says that was tapped. Raises BadInput."""
    act, _dot, more = request.form.get("do", "").partition(".")
    if act == "tap":
        return drafts.tap(draft, point(more))
    if act == "pick":
        return drafts.pick_ship(draft, more)
    if act == "tool" and more in drafts.TOOLS:
        return msgspec.structs.replace(draft, tool=more)
    if act == "add":
        side, _slash, kind = more.partition("/")
        return drafts.add_ship(draft, side, kind or request.form.get(f"add.{side}", ""))
    plain_acts = {"before": drafts.before, "close": drafts.close_coast, "clear": drafts.all_ashore}
    if act in plain_acts:
        return plain_acts[act](draft)
    if act == "point":
        return msgspec.structs.replace(draft, ring=draft.ring[:-1])
    if act == "json":
        return drafts.open_draft(position_text(request.form.get("text", "")), draft.title)
    if draft.ship not in draft.ships:
        return draft
    if act == "turn" and more in ("1", "-1"):
        return drafts.turn_ship(draft, int(more))
    if act in ("more", "less"):
        return drafts.count_on_sheet(draft, more, 1 if act == "more" else -1)
    of_ship = {"ashore": drafts.ashore, "remove": drafts.remove_ship}
    if act == "switch":
        return drafts.switch_on_sheet(draft, more)
    return of_ship[act](draft) if act in of_ship else draft


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


def page(draft: Draft, refusal: str = "") -> str:
    """The page, or for htmx the part of it that changes."""
    battle = drafts.read(draft) if draft.ships else drafts.read(with_nobody(draft))
    fault = drafts.fault(draft) if draft.ships else None
    ship = battle.ships.get(draft.ship)
    template = "positions/_draw.html" if request.headers.get("HX-Request") else "positions/draw.html"
    return render_template(
        template,
        draft=draft,
        battle=battle,
        board=draw_board(draft, battle),
        refusal=refusal,
        problem=complaint(draft, fault) if fault else "",
        text=msgspec.json.encode(draft).decode(),
        json=msgspec.json.format(msgspec.json.encode(draft.position)).decode(),
        ship=ship,
        kind=battle.kind(ship) if ship else None,
        where=number_of(battle, draft.ship) if ship else "",
        ashore=set(drafts.ships_ashore(draft)),
        types=TYPES,
        crews=tuple(CREWS),
        figures=FIGURES,
        figure_word=figure_word,
        heading_word=heading_word,
        system=store().systems["galley"],
        options={name: forms.form_value(value) for name, value in msgspec.structs.asdict(battle.options).items()}
        | {name: forms.form_value(value) for name, value in draft.position.get("options", {}).items()},
        written=forms.form_value,
    )


def with_nobody(draft: Draft) -> Draft:
    """A draft without ships, as it can be read: its sides stand in it."""
    return msgspec.structs.replace(draft, position={**draft.position, "ships": {}})


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
    found = [each for each in saved_positions.all_positions(store()) if each.system == saved_positions.SYSTEM]
    return render_template("positions/listed.html", found=found, mine=shelf.own(), local=is_organizer())


@bp.get("/positions/<id>")
def position_page(id: str) -> str:
    """One of them: its picture, to start, to change or to download."""
    kept, position = saved_positions.load(store(), id, is_battle=True)
    return render_template(
        "positions/shown.html",
        kept=kept,
        drawn=tiles.picture_of_position(position),
        may_remove=shelf.may_remove(id),
        text=msgspec.json.encode(position).decode(),
    )


@bp.post("/positions")
def save() -> ResponseReturnValue:
    """Save what is drawn, for others to load; or give it as a file, or go on to start it."""
    draft = read_as(parse_field(request.form.get("draft", "")), Draft)
    drafts.read(draft)
    draft = write_fields(draft)
    act, _dot, format = request.form.get("do", "").partition(".")
    if act == "file":
        try:
            return file_of(draft.title, draft.position, format)
        except BadInput as fault:
            return page(draft, complaint(draft, fault)), 422
    if request.form.get("do") == "start":
        return start_page(draft)
    try:
        allow_new_game()
        kept = shelf.save(draft.title or _("A position"), draft.position)
    except (*FAULTS, TooMany) as fault:
        return page(draft, in_words(str(fault)) if isinstance(fault, TooMany) else complaint(draft, fault)), 422
    shelf.keep(kept)
    return redirect(url_for("positions.position_page", id=kept.id), 303)


def start_page(draft: Draft) -> ResponseReturnValue:
    """On with what is drawn to the choice of dice."""
    try:
        saved_positions.check(store(), draft.position)
    except FAULTS as fault:
        return page(draft, complaint(draft, fault)), 422
    kept = saved_positions.Saved("", draft.title or _("A position"), store().now(), len(draft.ships))
    return render_template(
        "positions/shown.html",
        kept=kept,
        drawn=tiles.picture_of_position(draft.position),
        may_remove=False,
        text=msgspec.json.encode(draft.position).decode(),
    )


@bp.get("/positions/<id>/file")
@bp.get("/positions/<id>/file.<format>")
def download(id: str, format: str = "") -> Response:
    """One of them as a file that this page opens again: what the API takes for a new game, or a spreadsheet."""
    kept, position = saved_positions.load(store(), id, is_battle=True)
    return file_of(kept.title, position, format)


@bp.get("/positions/template.<format>")
def template(format: str) -> Response:
    """A spreadsheet to fill in: two ships and a sea."""
    return file_of(_("A position"), EXAMPLE, format)


@bp.post("/positions/file.<format>")
def send_fleets(format: str) -> ResponseReturnValue:
    """The fleets of the builder as a spreadsheet."""
    draft = drafts.open_draft(position_text(request.form.get("position", "")), request.form.get("title", ""))
    return file_of(draft.title[:TITLE_LETTERS], draft.position, format)


def file_of(title: str, position: Mapping[str, Any], format: str) -> Response:
    """A position as a scenario file, or as a spreadsheet. Raises BadInput for one that no spreadsheet can hold."""
    if not format:
        return shelf.file_of(saved_positions.SYSTEM, title, position, f"{FILE}.json")
    check_format(format)
    return send_sheets(scenario_sheets(title, position), FILE, format)


@bp.post("/positions/<id>/remove")
def remove(id: str) -> ResponseReturnValue:
    """Forget one; whoever saved it in this browser, and the organizer."""
    shelf.remove(id, _("Only the person who saved a position, or the organizer, may remove it."), is_battle=True)
    return redirect(url_for("positions.list_page"), 303)
