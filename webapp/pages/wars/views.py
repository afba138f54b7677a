"""Campaigns of one's own: the page on which they are drawn, those that were saved, files out and in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from strategic import NAMES
from tactical.kernel import adjusting
from tactical.kernel.house_rules import OPTION, as_file
from tactical.kernel.proper_names import TITLE_LETTERS
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput
from tactical.kernel.record import read as read_as
from webapp.http.error_pages import in_words
from webapp.http.input_words import reason_text
from webapp.http.language import gettext as _
from webapp.http.organizer import allow_new_game, is_organizer
from webapp.http.rate_limit import TooMany
from webapp.http.seats import NoSeat, current_seat, store
from webapp.pages.lobby import forms
from webapp.pages.lobby.views import position_text
from webapp.pages.positions import shelf
from webapp.pages.positions.views import parse_field
from webapp.pages.wars import draft as drafts
from webapp.pages.wars import fields, under_way
from webapp.pages.wars.draft import Draft
from webapp.presenting.flash import flash_of
from webapp.presenting.labels import system_word, translate, words
from webapp.presenting.map.drawing import drawing
from webapp.presenting.map.layout import has_map
from webapp.seating.no_seat import no_seat
from webapp.storage.errors import Barred, NoRoom, Refused, Stale, Unknown
from webapp.storage.journal.records import Table
from webapp.storage.services import saved_positions
from webapp.systems.messages import change_words
from webapp.systems.presentations import presentation

bp = Blueprint("wars", __name__, template_folder="templates", static_folder="static", static_url_path="/wars-files")
bp.context_processor(words)
FAULTS = (BadInput, Illegal, Refused, Barred, NoRoom)
FILE = "navarch-campaign.json"
bp.register_error_handler(NoSeat, no_seat)
bp.add_app_template_global(drafts.beginnings, "wars_begin_with")


# Drawing -------------------------------------------------------------------------------------------------


@bp.get("/wars/draw")
def draw() -> ResponseReturnValue:
    """A scenario as it begins, or a saved campaign, to be changed; without either, the choice of one."""
    scenario, saved = request.args.get("scenario"), request.args.get("from")
    if saved is not None:
        kept, position = saved_positions.load(store(), saved, is_battle=False)
        return page(drafts.open_draft(kept.system, position, kept.title))
    if scenario is None:
        return redirect(url_for("wars.list_page"), 303)
    system = request.args.get("system", NAMES[0])
    known = {each.id: each for each in drafts.system_of(system).scenarios()}
    if scenario not in known:
        raise Unknown(_("There is no such scenario."))
    return page(drafts.from_scenario(system, scenario, translate(known[scenario].title)))


@bp.post("/wars/draw")
def change() -> ResponseReturnValue:
    """A campaign that is opened (a file, a text), or the next change of one that is being drawn."""
    if "draft" not in request.form:
        return opened_file()
    try:
        before = sent_draft("")
    except FAULTS as fault:
        return list_page(flash_of(fault).text), 422
    return change_page(before)


def sent_draft(game: str) -> Draft:
    """The draft that comes back with a tap; of this game, or of none. Raises BadInput."""
    draft = read_as(parse_field(request.form.get("draft", "")), Draft)
    if draft.game != game:
        raise BadInput("draft", "this draft belongs to another game")
    drafts.picture(draft)
    return draft


def change_page(before: Draft) -> ResponseReturnValue:
    """The page after what was tapped or typed."""
    try:
        after = do_button(write_fields(before))
        drafts.picture(after)
        fields.parts_to_change(after, drafts.subject(after))
    except FAULTS as fault:
        return page(before, complaint(before, fault)), 422
    return page(after)


def opened_file() -> ResponseReturnValue:
    """What comes as a file, or back from the page that begins it."""
    try:
        sent = request.files.get("file")
        text = request.form.get("position", "")
        if sent is not None and sent.filename:
            text = sent.read().decode("utf-8", "replace")
        raw = parse_field(text) if text.strip() else {}
        whole = raw if isinstance(raw, dict) else {}
        title, system = request.form.get("title") or whole.get("title", ""), request.form.get("system")
        name = str(system or whole.get("system", ""))
        if name not in NAMES:
            raise BadInput("system", "the file of a campaign must name its rules")
        return page(drafts.open_draft(name, position_text(text), str(title)[:TITLE_LETTERS]))
    except FAULTS as fault:
        return list_page(flash_of(fault).text), 422


def write_fields(draft: Draft) -> Draft:
    """The draft with what stands in the fields of the page. Raises BadInput."""
    form = request.form
    draft = msgspec.structs.replace(draft, title=form.get("title", draft.title)[:TITLE_LETTERS])
    draft = fields.fill_draft(with_options(draft, form), form)
    wanted = form.get("of", "")
    return draft.showing(wanted) if wanted and form.get("shown") not in ("", None, wanted) else draft


def with_options(draft: Draft, form: Mapping[str, str]) -> Draft:
    """The rule options as they are chosen. Raises BadInput."""
    known: dict[str, Any] = draft.position.get("options") or {}
    changes: dict[str, Any] = {}
    for option in drafts.system_of(draft.system).options:
        if (text := form.get(f"option.{option.name}")) and option.name in known:
            is_number = forms.is_number(option)
            value = forms.number(option.name, text) if is_number else forms.choice_of(option, text)
            changes |= {f"options.{option.name}": value} if value != known[option.name] else {}
    return drafts.change_fields(draft, changes) if changes else draft


def do_button(draft: Draft) -> Draft:
    """What the button says that was tapped. Raises BadInput."""
    act, _dot, more = request.form.get("do", "").partition(".")
    match act:
        case "tap":
            return drafts.move_army(draft, more) if draft.army else draft.showing(f"space.{more}")
        case "show":
            return draft.showing(more)
        case "more" | "less":
            return fields.step_number(draft, more, 1 if act == "more" else -1)
        case "bring" if draft.space:
            return drafts.brought(draft, request.form.get("leader", ""), draft.space)
        case "take":
            return msgspec.structs.replace(draft, army=more)
        case "put":
            return msgspec.structs.replace(draft, army="")
        case "strike":
            return drafts.strike_army(draft, more)
        case "build" | "scrap":
            return drafts.change_ships(draft, more, act == "build")
        case "stands":
            return drafts.change_fields(draft, {"groups": []})
        case "clear":
            return drafts.clear_map(draft)
        case "before":
            return drafts.before(draft)
        case "house":
            return with_house(draft)
        case "json":
            return drafts.open_draft(draft.system, position_text(request.form.get("text", "")), draft.title)
    return draft


def with_house(draft: Draft) -> Draft:
    """The group's own values in place of the program's; an empty text takes them back. Raises BadInput."""
    rules, text = drafts.system_of(draft.system).house, request.form.get(OPTION, "")
    if rules is None:
        return draft
    if not text.strip():
        return drafts.without(draft, OPTION) if draft.position.get(OPTION) else draft
    return drafts.change_fields(draft, {OPTION: as_file(rules.from_text(text))})


def house_text(draft: Draft) -> str:
    """The group's own values as their file has them; empty where nothing is replaced."""
    rules = drafts.system_of(draft.system).house
    own = rules.kept(drafts.read(draft)) if rules is not None else None
    return rules.written(own) if rules is not None and own is not None else ""


def page(draft: Draft, refusal: str = "") -> str:
    """The page, or for htmx the parts of it that change."""
    of, picture = drafts.subject(draft), drafts.picture(draft)
    table = store().load(draft.game) if draft.game else None
    fault = under_way.fault(table, draft) if table else drafts.fault(draft)
    try:
        parts = fields.parts_to_change(draft, of)
    except BadInput:
        draft = draft.showing("game")
        parts = fields.parts_to_change(draft, of)
    system = drafts.system_of(draft.system)
    written_down = change_lines(draft, table) if table else ()
    template = "wars/_changed.html" if request.headers.get("HX-Request") else "wars/draw.html"
    return render_template(
        template,
        draft=draft,
        drawing=drawing(draft.system, picture),
        picture=picture,
        refusal=refusal,
        problem=complaint(draft, fault) if fault else "",
        text=msgspec.json.encode(draft).decode(),
        json=msgspec.json.format(msgspec.json.encode(draft.position)).decode(),
        system=system,
        of=of,
        parts=[(part, fields.boxes(draft, part, of)) for part in parts],
        lists=fields.lists(draft, of),
        leaders=fields.leaders(draft) if draft.space else (),
        fleets=fields.ship_counts(draft),
        written=forms.form_value,
        may_build=presentation(draft.system).built(drafts.read(draft), of.sides[0]) is not None,
        hot=frozenset(),
        chosen=draft.space or None,
        house=house_text(draft),
        changes=written_down,
        is_stale=isinstance(fault, Stale),
    )


def change_lines(draft: Draft, table: Table) -> tuple[str, ...]:
    """What was changed of a game under way, as the journal will tell it."""
    old = msgspec.json.decode(table.json)
    found = under_way.differences(old, draft.position)
    return tuple(change_words(draft.system, path, adjusting.found(old, path), new) for path, new in found)


def complaint(draft: Draft, fault: Exception) -> str:
    """Why it cannot be played yet, or not be done: the field in words, and the reason."""
    if not isinstance(fault, BadInput):
        return flash_of(fault, draft.system).text
    field = fields.said_of(draft.system, fault.path)
    return f"{field}: {reason_text(fault.why)}." if field else f"{reason_text(fault.why)}."


# A game under way -----------------------------------------------------------------------------------------


@bp.get("/wars/game/<game>")
def umpires_hand(game: str) -> ResponseReturnValue:
    """The umpire's hand: the map of a game under way, to be changed by taps. Raises Barred for everybody else."""
    table, of = umpires_table(game), request.args.get("of", "game")
    return page(under_way.draft_of(table, of))


@bp.post("/wars/game/<game>/draw")
def change_game(game: str) -> ResponseReturnValue:
    """The next change of a game that its umpire has in hand; nothing is put yet."""
    table = umpires_table(game)
    try:
        before = sent_draft(game)
    except FAULTS as fault:
        return page(under_way.draft_of(table), flash_of(fault, table.game.system).text), 422
    return change_page(before)


@bp.post("/wars/game/<game>")
def put_into_game(game: str) -> ResponseReturnValue:
    """Put what was changed into the game, with a reason; the engine checks it and the journal keeps it."""
    table = umpires_table(game)
    draft = under_way.draft_of(table)
    try:
        sent = sent_draft(game)
        draft = msgspec.structs.replace(sent, title=request.form.get("title", "")[:TITLE_LETTERS])
        store().submit(game, draft.seen, UMPIRE, under_way.command(table, draft, request.form))
    except (*FAULTS, NotYours, Stale) as fault:
        return page(draft, complaint(draft, fault)), 409 if isinstance(fault, Stale) else 422
    space = f"&space={draft.space}" if draft.space else ""
    return redirect(f"/g/{game}?seat={UMPIRE}{space}", 303)


def umpires_table(game: str) -> Table:
    """A game with a map, for its umpire. Raises Barred, Unknown, NoSeat."""
    if current_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can adjust the position.")
    table = store().load(game)
    if table.game.system not in NAMES or not has_map(table.game.system):
        raise Unknown(_("This game has no map to change."))
    return table


# Kept, out and in ------------------------------------------------------------------------------------------


@bp.get("/wars")
def list_page(refusal: str = "") -> str:
    """The campaigns that people have saved on this server, and the scenarios that one may begin with."""
    found = [each for each in saved_positions.all_positions(store()) if each.system != saved_positions.SYSTEM]
    return render_template(
        "wars/listed.html",
        found=found,
        mine=shelf.own(),
        local=is_organizer(),
        refusal=refusal,
        systems=[
            (name, [each for each in drafts.system_of(name).scenarios() if each.id in drafts.beginnings(name)])
            for name in filter(has_map, NAMES)
        ],
    )


@bp.get("/wars/<id>")
def war_page(id: str) -> str:
    """One of them: its map, to start, to change or to download."""
    kept, position = saved_positions.load(store(), id, is_battle=False)
    return begin(kept, position, shelf.may_remove(id))


def begin(kept: saved_positions.Saved, position: Mapping[str, Any], may_remove: bool) -> str:
    """The page that begins one."""
    draft = drafts.open_draft(kept.system, position, kept.title)
    return render_template(
        "wars/shown.html",
        kept=kept,
        drawing=drawing(kept.system, drafts.picture(draft)),
        may_remove=may_remove,
        text=msgspec.json.encode(position).decode(),
        chosen=None,
        hot=frozenset(),
    )


@bp.post("/wars")
def save() -> ResponseReturnValue:
    """Save what is drawn, for others to load; or give it as a file, or go on to start it."""
    draft = read_as(parse_field(request.form.get("draft", "")), Draft)
    drafts.read(draft)
    draft = msgspec.structs.replace(draft, title=request.form.get("title", draft.title)[:TITLE_LETTERS])
    title = draft.title.strip() or _("A campaign of our own")
    if request.form.get("do") == "file":
        return shelf.file_of(draft.system, title, draft.position, FILE)
    try:
        if request.form.get("do") == "start":
            saved_positions.check(store(), draft.position, draft.system)
            kept = saved_positions.Saved("", title, store().now(), 0, draft.system)
            return begin(kept, draft.position, False)
        allow_new_game()
        kept = shelf.save(title, draft.position, draft.system)
    except (*FAULTS, TooMany) as fault:
        return page(draft, in_words(str(fault)) if isinstance(fault, TooMany) else complaint(draft, fault)), 422
    shelf.keep(kept)
    return redirect(url_for("wars.war_page", id=kept.id), 303)


@bp.get("/wars/<id>/file")
def download(id: str) -> Response:
    """One of them as a file: what the API takes for a new game, and what this page opens again."""
    kept, position = saved_positions.load(store(), id, is_battle=False)
    return shelf.file_of(kept.system, kept.title, position, FILE)


@bp.post("/wars/<id>/remove")
def remove(id: str) -> ResponseReturnValue:
    """Forget one; whoever saved it in this browser, and the organizer."""
    shelf.remove(id, _("Only the person who saved a campaign, or the organizer, may remove it."), is_battle=False)
    return redirect(url_for("wars.list_page"), 303)


@bp.app_template_global()
def war_title(name: str) -> str:
    """Whose rules a saved campaign follows, in words."""
    return str(system_word(name))
