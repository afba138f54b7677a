"""Campaigns of one's own: a map's armies, leaders, fleets and holders put down by tapping."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from strategic import NAMES, SYSTEMS
from tactical.kernel import corrections
from tactical.kernel.corrections import put
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.house_rules import OPTION, as_file
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours, System
from tactical.kernel.record import TITLE_LETTERS, BadInput, Record, check_fields, encode
from tactical.kernel.record import read as read_as
from tactical.kernel.record import read as read_record
from webapp.files.report import sent_file
from webapp.http.forms import GAME_LIMIT, reason_text
from webapp.http.language import gettext as _
from webapp.http.operations import in_words
from webapp.http.rate_limit import TooMany
from webapp.http.seats import NoSeat, allow_new_game, current_seat, is_organizer, store
from webapp.pages import lobby, positions
from webapp.pages.campaign.corrections import (
    LISTS_OF_LEADERS,
    NOT_BY_HAND,
    OF_LEADERS,
    OF_SPACES,
    PLACED,
    Field,
    Part,
    Walker,
    typed,
    with_deck,
)
from webapp.pages.lobby import position_text
from webapp.pages.positions import parse_field
from webapp.post.seating import no_seat
from webapp.presenting.campaign_labels import field_word, position_word, side_word
from webapp.presenting.labels import system_word, translate, words
from webapp.presenting.map.drawing import drawing
from webapp.presenting.map.sheet import has_map, sheet
from webapp.presenting.naming import records, say_value
from webapp.presenting.presentation import Picture
from webapp.presenting.refusals import flash_of
from webapp.storage.errors import Barred, NoRoom, Refused, Stale, Unknown
from webapp.storage.journal import new_game
from webapp.storage.journal.records import Table
from webapp.storage.services import letters
from webapp.systems import presentation
from webapp.systems.messages import change_words, path_words

# -- A campaign while somebody draws it: what each tap does to it. Only the engine says whether it can be played.
#
# The position is whole but for what the start draws, deals or asks by itself (`System.anew`): so nothing in it is
# secret.

PAST = 30  # taps that can be gone back
ON_MAP = "board"  # the status of a leader who stands in a space


class Draft(Record, frozen=True):
    """The position as it stands, what undoes each of the last taps, what is shown, and an army that is being moved.

    `game` is the game under way that its umpire changes, as he saw it at version `seen`; empty for a new campaign.
    """

    system: str
    position: dict[str, Any]
    title: str = ""
    past: tuple[dict[str, list[Any]], ...] = ()
    of: str = "game"
    army: str = ""
    game: str = ""
    seen: int = 0

    @property
    def space(self) -> str:
        """The space that is shown, if one is."""
        return self.of.removeprefix("space.") if self.of.startswith("space.") else ""

    def showing(self, of: str) -> Draft:
        """The same with something else to change."""
        return msgspec.structs.replace(self, of=of, army="")


def system_of(name: str) -> System:
    """A system with a map. Raises Unknown."""
    if name not in SYSTEMS:
        raise Unknown(f"There is no system '{name}' here.")
    return SYSTEMS[name]


def source() -> Dice:
    """Dice for a try, which nobody sees."""
    below = random_source(random.Random(0).randrange)
    return Dice(source=below, secret=below)


@cache
def first_state(system: str, scenario: str) -> bytes:
    """The position that a scenario begins with, in full."""
    return bytes(encode(system_of(system).start(scenario, None, {}, source()).state))


def without_anew(system: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """A position without what a start finds by itself."""
    return {name: value for name, value in state.items() if name not in SYSTEMS[system].anew}


@cache
def beginnings(system: str) -> tuple[str, ...]:
    """The scenarios that can be drawn on: those on a map that do not begin in the middle of a move."""
    if not has_map(system):
        return ()
    return tuple(
        each.id
        for each in system_of(system).scenarios()
        if draft_fault(Draft(system, without_anew(system, msgspec.json.decode(first_state(system, each.id))))) is None
    )


def open_draft(system: str, position: Mapping[str, Any], title: str = "") -> Draft:
    """A draft of a position that was loaded or typed; what it leaves out the engine fills in. Raises BadInput."""
    draft = Draft(system, dict(position), title)
    if set(position) < set(without_anew(system, first_of(draft))):
        begun = new_game.start(system_of(system), None, position, {}, source()).state
        draft = msgspec.structs.replace(draft, position=msgspec.json.decode(encode(begun)))
    draft = msgspec.structs.replace(draft, position=without_anew(system, draft.position))
    read(draft)
    return draft


def first_of(draft: Draft) -> dict[str, Any]:
    """The scenario that lends a draft the fields that it has not: its own, where it names one, else the first."""
    known = [each.id for each in system_of(draft.system).scenarios()]
    named = str(draft.position.get("scenario", ""))
    found: dict[str, Any] = msgspec.json.decode(first_state(draft.system, named if named in known else known[0]))
    return found


def whole(draft: Draft) -> dict[str, Any]:
    """The position with what is drawn anew as a scenario has it, so that it can be read."""
    return {**first_of(draft), **draft.position}


def read(draft: Draft) -> Any:
    """The position as a record, whatever contradicts itself in it. Raises BadInput."""
    raw = whole(draft)
    state = read_as(raw, system_of(draft.system).state, "position")
    check_fields(draft.position, msgspec.json.decode(encode(state)), "position")
    return state


def draft_fault(draft: Draft) -> BadInput | None:
    """What the engine has against the position; None when a campaign can begin from it, or is under way."""
    if draft.game:
        return None
    try:
        new_game.start(system_of(draft.system), None, draft.position, {}, source())
    except BadInput as found:
        return found
    return None


def draw_draft(draft: Draft) -> Picture:
    """What the map shows of it, as its umpire would see it. Raises BadInput where nothing can be shown."""
    try:
        view = encode(system_of(draft.system).view(read(draft), UMPIRE))
        return presentation(draft.system).picture(msgspec.json.decode(view))
    except new_game.BROKEN as broken:
        raise BadInput("position", "this position cannot be shown (%(error)s)", error=type(broken).__name__) from None


def walker(draft: Draft) -> Walker:
    """What goes through the position, as the umpire's hand does; what is drawn anew is left apart."""
    system = system_of(draft.system)
    apart = NOT_BY_HAND.union(system.internal)
    if not draft.game:
        apart = apart.union(system.anew) - {"deck"}
    state = read(draft)
    return Walker(
        draft.system, tuple(system.sides(state)), msgspec.json.decode(encode(state)), system.state, frozenset(apart)
    )


# Taps ------------------------------------------------------------------------------------------------------


def change_fields(draft: Draft, changes: Mapping[str, Any]) -> Draft:
    """Fields set by their paths, and one tap more to go back. Raises BadInput for what a field cannot hold."""
    state, raw = read(draft), msgspec.json.decode(encode(whole(draft)))
    for path, value in changes.items():
        try:
            put(raw, state, path, value)
        except BadInput as wrong:
            raise BadInput(wrong.path.removeprefix("changes."), wrong.why) from None
    after = msgspec.structs.replace(draft, position=raw if draft.game else without_anew(draft.system, raw))
    read(after)
    undoes = dict(undoing(draft.position, after.position))
    return msgspec.structs.replace(after, past=(*draft.past, undoes)[-PAST:]) if undoes else after


def undoing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """What stood in the fields that have changed, one level deep: a list of the value, or of nothing."""
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            for key in dict.fromkeys((*was, *now)):
                if was.get(key) != now.get(key) or (key in was) != (key in now):
                    yield f"{name}.{key}", [was[key]] if key in was else []
        elif was != now:
            yield name, [was] if name in old else []


def before(draft: Draft) -> Draft:
    """The position as it was before the last change. Raises BadInput for a past that fits nothing."""
    if not draft.past:
        return draft
    *past, last = draft.past
    position = dict(draft.position)
    for path, held in last.items():
        name, _dot, key = path.partition(".")
        within = dict(position.get(name) or {}) if key else position
        within.pop(key or name, None)
        if held:
            within[key or name] = held[0]
        position = {**position, name: within} if key else within
    after = msgspec.structs.replace(draft, position=position, past=tuple(past), army="")
    read(after)
    return after


def set_field(draft: Draft, path: str, value: Any) -> Draft:
    """One field set, with what goes with it; refused when the engine has something against this very field."""
    after = change_fields(draft, {path: value, **going_along(draft, path, value)})
    found = draft_fault(after)
    if found is not None and isinstance(value, int) and (value < 0 or found.path.removeprefix("position.") == path):
        raise BadInput(path, found.why)
    return after


def without(draft: Draft, name: str) -> Draft:
    """A field left out of the position, and one tap more to go back."""
    position = {known: value for known, value in draft.position.items() if known != name}
    past = (*draft.past, dict(undoing(draft.position, position)))[-PAST:]
    return msgspec.structs.replace(draft, position=position, past=past)


def going_along(draft: Draft, path: str, value: Any) -> dict[str, Any]:
    """What follows from a leader's place: who is put in a space is on the map, who is not has no space."""
    family, _dot, rest = path.partition(".")
    leader, _dot, field = rest.rpartition(".")
    record = (draft.position.get(family) or {}).get(leader) if family in OF_LEADERS else None
    if not isinstance(record, Mapping):
        return {}
    at = f"{family}.{leader}."
    if field in PLACED and value is not None:
        return {at + name: put_to for name, put_to in (("status", ON_MAP), ("fate", "")) if name in record}
    is_off = (field == "status" and value != ON_MAP) or (field == "fate" and value)
    return {at + name: None for name in PLACED if name in record} if is_off else {}


def people(draft: Draft) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The leaders who have a record of their own: its path, the leader, the record."""
    for family in OF_LEADERS:
        for leader, record in (draft.position.get(family) or {}).items():
            yield f"{family}.{leader}", leader, record


def troops_of(draft: Draft, space: str, side: str) -> Iterator[tuple[str, str, Any]]:
    """What a side's army in a space is made of: the family of its record, and each count and list by its name."""
    for family in OF_SPACES:
        own = (draft.position.get(family) or {}).get(space)
        force = own.get(side) if isinstance(own, Mapping) else None
        for name, value in force.items() if isinstance(force, Mapping) else ():
            if isinstance(value, int | list) and not isinstance(value, bool):
                yield family, name, value


def led_by(draft: Draft, space: str, side: str) -> set[str]:
    """The leaders of that army."""
    return {leader.id for stack in draw_draft(draft).at(space) if stack.side == side for leader in stack.leaders}


def brought(draft: Draft, leader: str, space: str) -> Draft:
    """A leader comes to a space, from wherever he is. Raises BadInput."""
    for path, each, record in people(draft):
        if each == leader:
            return set_field(draft, f"{path}.{next(name for name in PLACED if name in record)}", space)
    for record in records(draft.system, "leaders"):
        if record.get("id") == leader and "forces" in draft.position:
            forces, power = draft.position["forces"], record["power"]
            known = forces.get(space, {}).get(power, {}).get("leaders", ())
            came = {f"forces.{space}.{power}.leaders": [*known, leader]}
            return change_fields(draft, taken_out(forces, leader, "forces") | came)
    raise BadInput("leader", "there is no such leader")


def taken_out(raw: Any, leader: str, at: str) -> dict[str, Any]:
    """The lists below a path in which a leader stands, without him."""
    found: dict[str, Any] = {}
    for name, value in raw.items() if isinstance(raw, Mapping) else ():
        if name not in LISTS_OF_LEADERS or not isinstance(value, list):
            found |= taken_out(value, leader, f"{at}.{name}")
        elif leader in value:
            found[f"{at}.{name}"] = [each for each in value if each != leader]
    return found


def move_army(draft: Draft, to: str) -> Draft:
    """The army in hand goes to a space, with its leaders. Raises BadInput."""
    start, _slash, side = draft.army.partition("/")
    there = msgspec.structs.replace(draft, army="", of=f"space.{to}")
    if to == start:
        return there
    changes: dict[str, Any] = {}
    for family, name, value in troops_of(draft, start, side):
        nothing = type(value)()
        known = ((draft.position[family].get(to) or {}).get(side) or {}).get(name) or nothing
        changes |= {f"{family}.{start}.{side}.{name}": nothing, f"{family}.{to}.{side}.{name}": known + value}
    leaders = led_by(draft, start, side)
    for path, leader, record in people(draft):
        if leader in leaders:
            changes |= {f"{path}.{name}": to for name in PLACED if name in record}
    if not changes:
        raise BadInput("army", "nobody stands there")
    return change_fields(there, changes)


def clear_map(draft: Draft) -> Draft:
    """Nobody stands on the map any more, so that it can be filled from nothing."""
    changes: dict[str, Any] = {}
    for family in ("stacks", "forces"):
        changes |= {f"{family}.{space}": None for space in draft.position.get(family) or ()}
    for space, place in (draft.position.get("spaces") or {}).items():
        for side, force in place.items():
            if isinstance(force, Mapping):
                changes |= {f"spaces.{space}.{side}.{name}": 0 for name, count in force.items() if count}
    for path, _leader, record in people(draft):
        if any(record.get(name) for name in PLACED):
            changes |= off_map(record, path)
    return change_fields(draft, changes) if changes else draft


def strike_army(draft: Draft, army: str) -> Draft:
    """The army of a side in a space is taken off the map, its leaders go to the pool. Raises BadInput."""
    space, _slash, side = army.partition("/")
    troops, leaders = troops_of(draft, space, side), led_by(draft, space, side)
    changes = {f"{family}.{space}.{side}.{name}": type(value)() for family, name, value in troops}
    for path, leader, record in people(draft):
        changes |= off_map(record, path) if leader in leaders else {}
    if not changes:
        raise BadInput("army", "nobody stands there")
    return change_fields(draft, changes)


def off_map(record: Mapping[str, Any], at: str) -> dict[str, Any]:
    """The fields of a leader who stands nowhere."""
    off = {"status": "pool"} if "status" in record else {"fate": "pool"}
    return {f"{at}.{name}": value for name, value in ({name: None for name in PLACED if name in record} | off).items()}


def change_ships(draft: Draft, side: str, is_more: bool) -> Draft:
    """One ship more in the port of a side, or its last one fewer. Raises BadInput."""
    fleet = (draft.position.get("ships") or {}).get(side)
    if not isinstance(fleet, list):
        raise BadInput("ships", "there is no such side")
    if not is_more:
        return change_fields(draft, {f"ships.{side}": fleet[:-1]}) if fleet else draft
    built = presentation(draft.system).built(read(draft), side)
    raw = msgspec.json.decode(encode(built))
    return change_fields(draft, {f"ships.{side}": raw["ships"][side], f"named.{side}": raw["named"][side]})


# -- What the page of a drawn campaign shows beside its map: the fields of what was tapped, in groups, as steppers.

OF_A_TURN = frozenset(
    (  # what a turn leaves behind, and what a counter says by itself
        "served_land",
        "served_naval",
        "spent",
        "finished",
        "side",
        "value",
        "built_by",
        "begun",
        "resigned",
        "named",
        "at_sea",
        "last_control",
        "recruited",
        "bids",
        "holders",
    )
)
REGIONS = "regions"


@dataclass(frozen=True)
class Box:
    """Fields that stand together under one title; `open` where there is something in them to see."""

    title: str
    fields: tuple[Field, ...]
    open: bool
    key: str = ""


def parts_to_change(draft: Draft, of: Walker) -> tuple[Part, ...]:
    """The parts of what is to be changed. Raises BadInput."""
    if draft.of == REGIONS:
        return (Part(_("Regions"), tuple(regions(draft, of))),)
    without = frozenset[str]() if draft.game else OF_A_TURN
    found = []
    for part in of.parts(draft.of):
        paths = ((field, field.path.split(".")) for field in part.fields)
        fields = (it for it, path in paths if not without & set(path) and path[-1] not in LISTS_OF_LEADERS[:2])
        found.append(Part(part.title, tuple(fields)))
    return tuple(part for part in found if part.fields)


def regions(draft: Draft, of: Walker) -> Iterator[Field]:
    """14.11 Whose each region is, where regions stand by a side."""
    held: Mapping[str, str] = draft.position.get("alignment") or {}
    values = dict.fromkeys((*of.sides, "neutral", *held.values()))
    choices = tuple((value, position_word(draft.system, value) or side_word(value) or value) for value in values)
    for region, value in held.items():
        yield Field(f"alignment.{region}", translate(region), value, "choice", choices)


def boxes(draft: Draft, part: Part, of: Walker) -> tuple[Box, ...]:
    """A part's fields, those of each side or ship in a box of their own."""
    found: dict[str, list[Field]] = {}
    for field in part.fields:
        found.setdefault(apart(draft, field, of), []).append(field)
    made = (
        Box(
            part_title(draft.system, key, fields, of) if key else part.title,
            tuple(short(field, bool(key)) for field in fields),
            not key or any(field.value not in ("", "0", "false", "none") for field in fields),
            key,
        )
        for key, fields in found.items()
    )
    return tuple(sorted(made, key=lambda box: 1 if not box.key else 0 if box.open else 2))


def apart(draft: Draft, field: Field, of: Walker) -> str:
    """What a field belongs to within its part: a side, the walls, a ship; empty for the space itself."""
    family, *words = field.path.split(".")
    if family == "ships" and len(words) > 2:
        return ".".join((family, *words[:2]))
    if draft.space and len(words) > 2 and words[0] == draft.space:
        return words[1]
    return ""


def part_title(system: str, key: str, fields: list[Field], of: Walker) -> str:
    """What such a box is called: a ship by her name, else the side."""
    if key.startswith("ships."):
        _family, side, number = key.split(".")
        return str(of.state["ships"][side][int(number)].get("name") or number)
    return position_word(system, key) or side_word(key) or say_value(system, key)


def short(field: Field, is_apart: bool) -> Field:
    """A field in a box of its own without what its title says."""
    label = field.label.rpartition(", ")[2] if is_apart else field.label
    return Field(field.path, label[:1].upper() + label[1:], field.value, field.kind, field.choices)


def lists(draft: Draft, of: Walker) -> dict[str, dict[str, str]]:
    """All that can be chosen by list, for keyboard and screen reader: the game, sides, regions, leaders, spaces."""
    found = of.targets()
    if draft.position.get("alignment"):
        found[_("The game")][REGIONS] = _("Regions")
    spots = sheet(draft.system).spots.values()
    named = {
        f"space.{spot.id}": say_value(draft.system, spot.id) for spot in spots if spot.name or spot.id == draft.space
    }
    found[field_word(draft.system, "spaces")] = dict(sorted(named.items(), key=lambda known: known[1]))
    return {title: those for title, those in found.items() if those}


def leaders(draft: Draft) -> tuple[tuple[str, str], ...]:
    """The leaders who can be brought to the space that is shown: all who are not there."""
    here = {leader.id for stack in draw_draft(draft).at(draft.space) for leader in stack.leaders}
    known = [leader for family in OF_LEADERS for leader in draft.position.get(family) or ()]
    if "forces" in draft.position:
        known = [record["id"] for record in records(draft.system, "leaders")]
    return tuple(sorted(((id, say_value(draft.system, id)) for id in known if id not in here), key=lambda one: one[1]))


# -- The umpire's hand upon a game under way: the page of campaigns by hand, whose changes go in as one adjustment.

TRIED = "-"  # the reason while nobody has written one


def draft_of(table: Table, of: str = "game") -> Draft:
    """A game as it stands, to be changed."""
    position = msgspec.json.decode(table.json)
    return Draft(table.game.system, position, of=of, game=table.game.id, seen=table.game.version)


def changes(table: Table, draft: Draft) -> dict[str, Any]:
    """What was changed, by path, with the deck that goes with other hands. Raises Stale when the game has moved on."""
    if table.game.version != draft.seen:
        raise Stale(table.game.version, draft.seen)
    put = dict(differences(msgspec.json.decode(table.json), draft.position))
    return with_deck(table, put) | put


def differences(old: Mapping[str, Any], new: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, Any]]:
    """Each field that differs, as deep as mappings go, with what stands there now; None where nothing does."""
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            yield from differences(was, now, f"{at}{name}.")
        elif was != now:
            yield f"{at}{name}", now


def changes_fault(table: Table, draft: Draft) -> Exception | None:
    """What the engine has against the changes; None when they may be put, or there are none."""
    try:
        put = changes(table, draft)
        if put:
            adjust = read_record({"type": "adjust", "changes": put, "why": TRIED}, table.system.command)
            table.system.apply(table.state, UMPIRE, adjust, source())
    except (BadInput, Illegal, NotYours, Stale) as found:
        return found
    return None


# -- Campaigns of one's own: the page on which they are drawn, those that were saved, files out and in.

bp = Blueprint(
    "wars", __name__, template_folder="templates", static_folder="static/wars", static_url_path="/wars-files"
)
bp.context_processor(words)
FAULTS = (BadInput, Illegal, Refused, Barred, NoRoom)
FILE = "navarch-campaign.json"
bp.register_error_handler(NoSeat, no_seat)
bp.add_app_template_global(beginnings, "wars_begin_with")


# Drawing -------------------------------------------------------------------------------------------------


@bp.get("/wars/draw")
def draw() -> ResponseReturnValue:
    """A scenario as it begins, or a saved campaign, to be changed; without either, the choice of one."""
    scenario, saved = request.args.get("scenario"), request.args.get("from")
    if saved is not None:
        kept, position = letters.load(store(), saved, is_battle=False)
        return page(open_draft(kept.system, position, kept.title))
    if scenario is None:
        return redirect(url_for("wars.list_page"), 303)
    system = request.args.get("system", NAMES[0])
    title = {each.id: each.title for each in system_of(system).scenarios()}.get(scenario)
    if title is None or scenario not in beginnings(system):
        raise Unknown(_("There is no such scenario."))
    begun = without_anew(system, msgspec.json.decode(first_state(system, scenario)))
    return page(Draft(system, begun, translate(title)))


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
    draw_draft(draft)
    return draft


def change_page(before: Draft) -> ResponseReturnValue:
    """The page after what was tapped or typed."""
    try:
        after = do_button(write_fields(before))
        draw_draft(after)
        parts_to_change(after, walker(after))
    except FAULTS as fault:
        return page(before, complaint(before, fault)), 422
    return page(after)


def opened_file() -> ResponseReturnValue:
    """What comes as a file, or back from the page that begins it."""
    try:
        sent = sent_file(GAME_LIMIT)
        text = request.form.get("position", "") if sent is None else sent.text()[0]
        raw = parse_field(text) if text.strip() else {}
        whole = raw if isinstance(raw, dict) else {}
        title, system = request.form.get("title") or whole.get("title", ""), request.form.get("system")
        name = str(system or whole.get("system", ""))
        if name not in NAMES:
            raise BadInput("system", "the file of a campaign must name its rules")
        return page(open_draft(name, position_text(text), str(title)[:TITLE_LETTERS]))
    except FAULTS as fault:
        return list_page(flash_of(fault).text), 422


def write_fields(draft: Draft) -> Draft:
    """The draft with what stands in the fields of the page. Raises BadInput."""
    form = request.form
    draft = msgspec.structs.replace(draft, title=form.get("title", draft.title)[:TITLE_LETTERS])
    known = draft.position.get("options") or {}
    options = lobby.typed_options(system_of(draft.system), form)
    changes = {f"options.{it.name}": value for it, value in options if value != known.get(it.name, value)}
    draft = change_fields(draft, changes) if changes else draft
    for path, value in typed(parts_to_change(draft, walker(draft)), form) if form.get("shown") == draft.of else ():
        draft = set_field(draft, path, value)
    wanted = form.get("of", "")
    return draft.showing(wanted) if wanted and form.get("shown") not in ("", None, wanted) else draft


def do_button(draft: Draft) -> Draft:
    """What the button says that was tapped. Raises BadInput."""
    act, _dot, more = request.form.get("do", "").partition(".")
    match act:
        case "tap":
            return move_army(draft, more) if draft.army else draft.showing(f"space.{more}")
        case "show":
            return draft.showing(more)
        case "more" | "less":
            shown = (field for part in parts_to_change(draft, walker(draft)) for field in part.fields)
            field = next((field for field in shown if field.path == more and field.kind == "number"), None)
            if field is None:
                raise BadInput(more, _("there is nothing of that name to change"))
            return set_field(draft, more, int(field.value or 0) + (1 if act == "more" else -1))
        case "bring" if draft.space:
            return brought(draft, request.form.get("leader", ""), draft.space)
        case "take":
            return msgspec.structs.replace(draft, army=more)
        case "put":
            return msgspec.structs.replace(draft, army="")
        case "strike":
            return strike_army(draft, more)
        case "build" | "scrap":
            return change_ships(draft, more, act == "build")
        case "stands":
            return change_fields(draft, {"groups": []})
        case "clear":
            return clear_map(draft)
        case "before":
            return before(draft)
        case "house":
            return with_house(draft)
        case "json":
            return open_draft(draft.system, position_text(request.form.get("text", "")), draft.title)
    return draft


def with_house(draft: Draft) -> Draft:
    """The group's own values in place of the program's; an empty text takes them back. Raises BadInput."""
    rules, text = system_of(draft.system).house, request.form.get(OPTION, "")
    if rules is None:
        return draft
    if not text.strip():
        return without(draft, OPTION) if draft.position.get(OPTION) else draft
    return change_fields(draft, {OPTION: as_file(rules.from_text(text))})


def page(draft: Draft, refusal: str = "") -> str:
    """The page, or for htmx the parts of it that change."""
    of, picture = walker(draft), draw_draft(draft)
    table = store().load(draft.game) if draft.game else None
    fault = changes_fault(table, draft) if table else draft_fault(draft)
    try:
        parts = parts_to_change(draft, of)
    except BadInput:
        draft = draft.showing("game")
        parts = parts_to_change(draft, of)
    system = system_of(draft.system)
    own = system.house.kept(read(draft)) if system.house is not None else None
    ships = draft.position.get("ships")
    old = msgspec.json.decode(table.json) if table else {}
    changed = differences(old, draft.position) if table else ()
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
        parts=[(part, boxes(draft, part, of)) for part in parts],
        lists=lists(draft, of),
        leaders=leaders(draft) if draft.space else (),
        fleets={side: len(fleet) for side, fleet in ships.items()} if isinstance(ships, Mapping) else {},
        written=lobby.form_value,
        may_build=presentation(draft.system).built(read(draft), of.sides[0]) is not None,
        hot=frozenset(),
        chosen=draft.space or None,
        house=system.house.written(own) if system.house is not None and own is not None else "",
        changes=[change_words(draft.system, path, corrections.found(old, path), new) for path, new in changed],
        is_stale=isinstance(fault, Stale),
    )


def complaint(draft: Draft, fault: Exception) -> str:
    """Why it cannot be played yet, or not be done: the field in words, and the reason."""
    if not isinstance(fault, BadInput):
        return flash_of(fault, draft.system).text
    words = path_words(draft.system, fault.path).split(", ")
    field = ", ".join(word[:1].upper() + word[1:] for word in words)
    return f"{field}: {reason_text(fault.why)}." if field else f"{reason_text(fault.why)}."


# A game under way -----------------------------------------------------------------------------------------


@bp.get("/wars/game/<game>")
def umpires_hand(game: str) -> ResponseReturnValue:
    """The umpire's hand: the map of a game under way, to be changed by taps. Raises Barred for everybody else."""
    table, of = umpires_table(game), request.args.get("of", "game")
    return page(draft_of(table, of))


@bp.post("/wars/game/<game>/draw")
def change_game(game: str) -> ResponseReturnValue:
    """The next change of a game that its umpire has in hand; nothing is put yet."""
    table = umpires_table(game)
    try:
        before = sent_draft(game)
    except FAULTS as fault:
        return page(draft_of(table), flash_of(fault, table.game.system).text), 422
    return change_page(before)


@bp.post("/wars/game/<game>")
def put_into_game(game: str) -> ResponseReturnValue:
    """Put what was changed into the game, with a reason; the engine checks it and the journal keeps it."""
    table = umpires_table(game)
    draft = draft_of(table)
    try:
        sent = sent_draft(game)
        draft = msgspec.structs.replace(sent, title=request.form.get("title", "")[:TITLE_LETTERS])
        put = changes(table, draft)
        if not put:
            raise BadInput("", "nothing was changed")
        command = {"type": "adjust", "changes": put, "why": request.form.get("title", "").strip()}
        store().submit(game, draft.seen, UMPIRE, command)
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
    found = [each for each in letters.all_positions(store()) if each.system != letters.SYSTEM]
    return render_template(
        "wars/listed.html",
        found=found,
        mine=positions.own(),
        local=is_organizer(),
        refusal=refusal,
        systems=[
            (name, [each for each in system_of(name).scenarios() if each.id in beginnings(name)])
            for name in filter(has_map, NAMES)
        ],
    )


@bp.get("/wars/<id>")
def war_page(id: str) -> str:
    """One of them: its map, to start, to change or to download."""
    kept, position = letters.load(store(), id, is_battle=False)
    return begin(kept, position, positions.may_remove(id))


def begin(kept: letters.Saved, position: Mapping[str, Any], may_remove: bool) -> str:
    """The page that begins one."""
    draft = open_draft(kept.system, position, kept.title)
    return render_template(
        "wars/shown.html",
        kept=kept,
        drawing=drawing(kept.system, draw_draft(draft)),
        may_remove=may_remove,
        text=msgspec.json.encode(position).decode(),
        chosen=None,
        hot=frozenset(),
    )


@bp.post("/wars")
def save() -> ResponseReturnValue:
    """Save what is drawn, for others to load; or give it as a file, or go on to start it."""
    draft = read_as(parse_field(request.form.get("draft", "")), Draft)
    read(draft)
    draft = msgspec.structs.replace(draft, title=request.form.get("title", draft.title)[:TITLE_LETTERS])
    title = draft.title.strip() or _("A campaign of our own")
    if request.form.get("do") == "file":
        return positions.scenario_file(draft.system, title, draft.position, FILE)
    try:
        if request.form.get("do") == "start":
            letters.check(store(), draft.position, draft.system)
            kept = letters.Saved("", title, store().now(), 0, draft.system)
            return begin(kept, draft.position, False)
        allow_new_game()
        kept = positions.save_on_shelf(title, draft.position, draft.system)
    except (*FAULTS, TooMany) as fault:
        return page(draft, in_words(str(fault)) if isinstance(fault, TooMany) else complaint(draft, fault)), 422
    positions.keep(kept)
    return redirect(url_for("wars.war_page", id=kept.id), 303)


@bp.get("/wars/<id>/file")
def download(id: str) -> Response:
    """One of them as a file: what the API takes for a new game, and what this page opens again."""
    kept, position = letters.load(store(), id, is_battle=False)
    return positions.scenario_file(kept.system, kept.title, position, FILE)


@bp.post("/wars/<id>/remove")
def remove(id: str) -> ResponseReturnValue:
    """Forget one; whoever saved it in this browser, and the organizer."""
    positions.remove_from_shelf(
        id, _("Only the person who saved a campaign, or the organizer, may remove it."), is_battle=False
    )
    return redirect(url_for("wars.list_page"), 303)


@bp.app_template_global()
def war_title(name: str) -> str:
    """Whose rules a saved campaign follows, in words."""
    return str(system_word(name))
