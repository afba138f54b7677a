"""What the API takes and answers, as types, and the OpenAPI 3.1 description made from them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from flask import Flask
from msgspec import Meta

from tactical.kernel.dice import Roll
from tactical.kernel.protocol import System
from tactical.kernel.record import Input, Record, Title
from tactical.tabletop import Proposal
from webapp.api.fleets import FleetsDrawn, FleetsWanted
from webapp.camera.reading import TableRead
from webapp.storage.journal import transfer
from webapp.storage.journal.records import RollAsked, Submitted, TakenBack
from webapp.storage.journal.store import BattleLink
from webapp.storage.services.letters import Mark

# -- What the API takes and what it answers, as types; the OpenAPI description is made from them.

Version = Annotated[int, Meta(ge=0, description="The number of the newest journal entry the caller has seen.")]


# What it takes ---------------------------------------------------------------------------------------


class NewGame(Input, frozen=True):
    """A game to create, from a scenario or from a position. `navarch` and `least` are those of a scenario file."""

    system: str
    scenario: str | None = None
    position: dict[str, Any] | None = None
    options: dict[str, Any] = {}
    title: Title | None = None
    dice: Literal["digital", "physical"] = "digital"
    navarch: int = transfer.FORMAT
    least: Annotated[str, Meta(max_length=20)] = ""


class GiveCommand(Input, frozen=True):
    """A command with the version that its giver has seen."""

    command: dict[str, Any]
    seen: Version
    rolls: Annotated[list[int], Meta(max_length=1000)] | Literal["digital"] | None = None
    key: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class TakeBack(Input, frozen=True):
    """Take back the last command, or consent to it; or refuse what others ask to take back."""

    seen: Version
    consent: bool = False
    refuse: bool = False


class CancelRoll(Input, frozen=True):
    """Let go of the command that waits for dice."""

    seen: Version


class Abandon(Input, frozen=True):
    """Have the campaign's own table settle a battle in which nobody has plotted for seven days."""

    seen: Version


class Looked(Input, frozen=True):
    """Up to where this seat has read the journal."""

    version: Version


class NewMark(Input, frozen=True):
    """A name for a moment of the journal, the newest where none is named, and who may read it."""

    name: Annotated[str, Meta(max_length=300)]
    entry: Version | None = None
    seen_by: Literal["all", "side"] = "all"


# What it answers -------------------------------------------------------------------------------------


class Problem(Record, frozen=True):
    """Why not: one sentence, the paragraph of the rules, and details such as the path to a field."""

    error: str
    rule: str | None
    detail: dict[str, Any]


class MarksShown(Record, frozen=True):
    """The named marks in a journal, in the order of their entries."""

    marks: list[Mark]


class OptionShown(Record, frozen=True):
    """A rule option."""

    name: str
    default: Any
    meaning: str
    choices: list[Any]
    rule: str


class ScenarioShown(Record, frozen=True):
    """A starting position on offer."""

    id: str
    title: str
    history: str
    sources: list[str]
    sides: list[str]
    seats: list[str]


class SystemShown(Record, frozen=True):
    """A rule system."""

    name: str
    title: str
    version: str
    scenarios: list[ScenarioShown]
    options: list[OptionShown]
    seats: list[str]


class SystemsShown(Record, frozen=True):
    """All systems."""

    systems: list[SystemShown]


class SeatGiven(Record, frozen=True):
    """A seat with its secret, shown once."""

    id: str
    token: str
    join_url: str


class Created(Record, frozen=True):
    """A new game."""

    id: str
    version: int
    seats: list[SeatGiven]


class OfferShown(Record, frozen=True):
    """A command that the seat may give now."""

    type: str
    rule: str
    fields: dict[str, Any]


class GameShown(Record, frozen=True):
    """A game as one seat may see it."""

    id: str
    system: str
    title: str
    version: int
    seat: str
    over: bool
    state: Any
    offers: list[OfferShown]
    waiting_for: list[str]
    roll_needed: RollAsked | None
    undo_barred: str | None
    consents: list[str]
    dice: str
    options: dict[str, Any]
    scenario: str | None
    engine: str
    hash: str
    last_look: int
    settles: BattleLink | None
    battles: list[BattleLink]
    halted: str = ""
    archived: bool = False
    is_public: bool = False
    refused: str = ""
    proposed: dict[str, Any] = {}


class EntryShown(Record, frozen=True):
    """A journal entry as one seat may see it."""

    number: int
    parent: int
    seat: str
    on_behalf: str | None
    time: str
    command: dict[str, Any]
    dice: list[Roll]
    events: list[dict[str, Any]]
    taken_back: int | None
    engine: str


class JournalShown(Record, frozen=True):
    """The journal, or a page of it: `next` is what to ask for as `after` for more."""

    version: int
    start: EntryShown | None
    entries: list[EntryShown]
    next: int | None


class Done(Record, frozen=True):
    """The version after a change that has no events."""

    version: int


class TableProposed(TableRead, frozen=True, kw_only=True):
    """What a photograph of a table says, and what that would mean for a battle; nothing has changed."""

    proposal: Proposal


# -- The OpenAPI 3.1 description of the API, generated from the code's own types.

Schema = dict[str, Any]
SHAPES = "#/components/schemas/{name}"
MEANINGS = {
    400: "Not JSON, or not of the shape; detail.path leads to the field.",
    401: "No token, or an unknown one.",
    403: "Not this seat's to do or to see.",
    404: "Unknown.",
    409: "`seen` is stale; detail.version is the current one.",
    413: "The body is too large.",
    422: "Against the rules, with the paragraph; nothing has changed.",
    429: "Too many from this network address.",
}


@dataclass(frozen=True)
class Call:
    """One method of one address. `takes` and `gives` are types, or a media type for what is not ours."""

    method: str
    path: str
    summary: str
    gives: Any
    takes: Any = None
    status: int = 200
    errors: tuple[int, ...] = ()
    public: bool = False
    query: tuple[tuple[str, Schema], ...] = ()
    form: tuple[tuple[str, Schema], ...] = ()  # parts of a form, in place of JSON; the last of them may be left out


READS = (401, 403, 404)
WRITES = (400, 401, 403, 404, 409, 413, 422)
WHOLE = {"type": "integer", "minimum": 0}
TEXT = {"type": "string"}
JSON = "application/json"
PHOTOGRAPH = (
    ("photo", {"type": "string", "format": "binary", "description": "A JPEG, PNG or WebP file."}),
    ("layout", {"type": "string", "description": "The layout.json of the sheet."}),
    ("corners", {"type": "string", "description": "The table's corners as x,y x,y x,y x,y in pixels."}),
)
CALLS = (
    Call("get", "/systems", "The systems with their scenarios, options and seats.", SystemsShown, public=True),
    Call("post", "/games", "Create a game.", Created, NewGame, 201, (400, 413, 422, 429), True),
    Call(
        "post",
        "/games/import",
        "Read an exported game.",
        Created,
        transfer.Saved,
        201,
        (400, 413, 429),
        True,
    ),
    Call(
        "post",
        "/fleets",
        "A position from nations and numbers (G2.5).",
        FleetsDrawn,
        FleetsWanted,
        errors=(400, 413),
        public=True,
    ),
    Call(
        "post",
        "/table/read",
        "Where the ships in a photograph of a table lie.",
        TableRead,
        errors=(400, 413, 422, 429),
        public=True,
        form=PHOTOGRAPH,
    ),
    Call(
        "post",
        "/games/{game}/table",
        "What a photograph of the table would mean for a battle; nothing changes.",
        TableProposed,
        errors=(400, 401, 403, 404, 413, 422, 429),
        form=PHOTOGRAPH,
    ),
    Call("get", "/games/{game}", "A game as this seat may see it.", GameShown, errors=READS),
    Call("post", "/games/{game}/commands", "Give one command.", Submitted, GiveCommand, errors=WRITES),
    Call(
        "post",
        "/games/{game}/cancel-roll",
        "Let go of the command that waits for dice.",
        Done,
        CancelRoll,
        errors=WRITES,
    ),
    Call(
        "post",
        "/games/{game}/undo",
        "Take back the last command, or consent to it; or refuse what others ask to take back.",
        TakenBack,
        TakeBack,
        errors=WRITES,
    ),
    Call(
        "post",
        "/games/{game}/abandoned",
        "Leave a campaign's battle in which nobody has plotted for seven days to the campaign's own table.",
        Done,
        Abandon,
        errors=WRITES,
    ),
    Call(
        "get",
        "/games/{game}/journal",
        "The journal as this seat may see it.",
        JournalShown,
        errors=(400, *READS),
        query=(("after", WHOLE), ("limit", WHOLE)),
    ),
    Call("get", "/games/{game}/marks", "The named marks that this seat may read.", MarksShown, errors=READS),
    Call(
        "post",
        "/games/{game}/marks",
        "Mark a moment of the journal by a name.",
        Mark,
        NewMark,
        201,
        (400, 401, 403, 404, 413, 422, 429),
    ),
    Call("delete", "/games/{game}/marks/{mark}", "Remove a mark.", Done, errors=READS),
    Call(
        "post",
        "/games/{game}/looked",
        "Remember up to where this seat has read.",
        Done,
        Looked,
        errors=(400, 401, 403, 404, 413),
    ),
    Call(
        "get",
        "/games/{game}/stream",
        "One `version` event for each change; resumes from Last-Event-ID.",
        "text/event-stream",
        errors=(400, *READS),
        query=(("after", WHOLE), ("revision", WHOLE)),
    ),
    Call(
        "post",
        "/games/{game}/seats/{seat}/reissue",
        "Withdraw a seat's token and give a new one.",
        SeatGiven,
        errors=READS,
    ),
    Call("get", "/games/{game}/export", "The whole game, for the umpire.", transfer.Saved, errors=READS),
    Call("get", "/maps/{system}", "The strategic map.", "application/geo+json", errors=(404,), public=True),
    Call(
        "get",
        "/maps/{system}/routes",
        "The cheapest route and its cost.",
        "application/json",
        errors=(400, 404),
        public=True,
        query=(("from", TEXT), ("to", TEXT), ("by", {"enum": ["sea", "land", "any"]})),
    ),
    Call("get", "/openapi.json", "This description.", JSON, public=True),
)

# From the answers of these calls one goes on: where the game's code stands, and its version.
NAMED, OF_REQUEST, VERSION = "$response.body#/id", "$request.path.game", "$response.body#/version"
LEADING = {
    "post /games": NAMED,
    "post /games/import": NAMED,
    "get /games/{game}": NAMED,
    "post /games/{game}/commands": OF_REQUEST,
    "post /games/{game}/undo": OF_REQUEST,
}
FOLLOWING: dict[str, Schema] = {  # to these, with what their body takes of the answer
    "get /games/{game}": {},
    "get /games/{game}/journal": {},
    "get /games/{game}/export": {},
    "post /games/{game}/commands": {"seen": VERSION},
    "post /games/{game}/undo": {"seen": VERSION},
    "post /games/{game}/cancel-roll": {"seen": VERSION},
    "post /games/{game}/looked": {"version": VERSION},
}


def others(app: Flask) -> list[Call]:
    """The calls of the API that other modules serve, by their routes and the first lines of their docstrings."""
    known = {(call.method, f"/api/v1{call.path}") for call in CALLS}
    found = []
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        told = (app.view_functions[rule.endpoint].__doc__ or rule.endpoint).splitlines()[0]
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if path.startswith("/api/v1/") and (method.lower(), path) not in known:
                short = path.removeprefix("/api/v1")
                public = not path.startswith("/api/v1/games/")
                errors = (400, 404) if public else WRITES
                found.append(Call(method.lower(), short, told, JSON, errors=errors, public=public))
    return found


def description(systems: Mapping[str, System], calls: Sequence[Call]) -> Schema:
    """The description as plain values: the calls, their types, and every system's commands and position."""
    kinds = [kind for call in calls for kind in (call.takes, call.gives) if isinstance(kind, type)]
    kinds = [*dict.fromkeys([*kinds, Problem])]
    shown, components = msgspec.json.schema_components(kinds, ref_template=SHAPES)
    found: Schema = dict(components)
    refs = dict(zip(kinds, shown, strict=True))
    for system in systems.values():
        found |= system_schemas(system)
    tie_in(found, systems)
    paths: Schema = {}
    for call in calls:
        paths.setdefault(f"/api/v1{call.path}", {})[call.method] = operation(call, refs)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Navarch", "version": "1", "description": "Galley battles and their campaigns."},
        "paths": paths,
        "components": {
            "schemas": found,
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}},
        },
    }


def system_schemas(system: System) -> Schema:
    """A system's commands and position, their names prefixed with the system's."""
    template = f"#/components/schemas/{system.name}.{{name}}"
    (command, state), parts = msgspec.json.schema_components([system.command, system.state], ref_template=template)
    own = {f"{system.name}.{name}": schema for name, schema in parts.items()}
    return {**own, f"{system.name}-command": command, f"{system.name}-state": state}


def tie_in(schemas: Schema, systems: Mapping[str, System]) -> None:
    """Say where a request or an answer holds a command or a position of one of the systems."""
    commands = [{"$ref": f"#/components/schemas/{name}-command"} for name in systems]
    if commands:
        schemas["GiveCommand"]["properties"]["command"] = {"anyOf": commands}
    names = ", ".join(f"{name}-state" for name in systems)
    told = f"The umpire sees the whole position ({names}), other seats what they may see of it."
    schemas["GameShown"]["properties"]["state"] = {"description": told}


def operation(call: Call, refs: Mapping[Any, Schema]) -> Schema:
    """One call as OpenAPI writes it."""
    within = [part[1:-1] for part in call.path.split("/") if part.startswith("{")]
    parameters = [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in within]
    parameters += [{"name": name, "in": "query", "schema": schema} for name, schema in call.query]
    kind = call.gives if isinstance(call.gives, str) else "application/json"
    gives = {kind: {} if isinstance(call.gives, str) else {"schema": refs[call.gives]}}
    answers: Schema = {str(call.status): {"description": call.summary, "content": gives}}
    name = f"{call.method} {call.path}"
    if name in LEADING:
        answers[str(call.status)]["links"] = {_link_name(to): link(LEADING[name], to) for to in FOLLOWING}
    for status in call.errors:
        told = {"application/json": {"schema": refs[Problem]}}
        answers[str(status)] = {"description": MEANINGS[status], "content": told}
    found: Schema = {
        "operationId": name,
        "summary": call.summary,
        "parameters": parameters,
        "responses": answers,
        "security": [] if call.public else [{"seat": []}],
    }
    if call.takes is not None:
        taken = {"application/json": {"schema": refs[call.takes]}}
        found["requestBody"] = {"required": True, "content": taken}
    if call.form:
        parts = {"type": "object", "properties": dict(call.form), "required": [name for name, _ in call.form[:-1]]}
        found["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": parts}}}
    return found


def link(game: str, to: str) -> Schema:
    """How the answer of a call leads to another call about the same game."""
    found: Schema = {"operationId": to, "parameters": {"game": game}}
    body = FOLLOWING[to]
    return {**found, "requestBody": body} if body else found


def _link_name(to: str) -> str:
    """A link's name: what one does there."""
    method, _, path = to.partition(" ")
    return path.removeprefix("/games/{game}").strip("/") or method
