"""What the API takes and what it answers, as types; the OpenAPI description is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from tactical.kernel.dice import Roll
from tactical.kernel.proper_names import Title
from tactical.kernel.record import Input, Record
from webapp.storage.journal.battle_links import BattleLink
from webapp.storage.journal.records import RollAsked

Version = Annotated[int, Meta(ge=0, description="The number of the newest journal entry the caller has seen.")]


# What it takes ---------------------------------------------------------------------------------------


class NewGame(Input, frozen=True):
    """A game to create, from a scenario or from a position."""

    system: str
    scenario: str | None = None
    position: dict[str, Any] | None = None
    options: dict[str, Any] = {}
    title: Title | None = None
    dice: Literal["digital", "physical"] = "digital"


class GiveCommand(Input, frozen=True):
    """A command with the version that its giver has seen."""

    command: dict[str, Any]
    seen: Version
    rolls: Annotated[list[int], Meta(max_length=1000)] | Literal["digital"] | None = None
    key: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class TakeBack(Input, frozen=True):
    """Take back the last command, or consent to it."""

    seen: Version
    consent: bool = False


class CancelRoll(Input, frozen=True):
    """Let go of the command that waits for dice."""

    seen: Version


class Abandon(Input, frozen=True):
    """Have the campaign's own table settle a battle in which nobody has plotted for seven days."""

    seen: Version


class Looked(Input, frozen=True):
    """Up to where this seat has read the journal."""

    version: Version


# What it answers -------------------------------------------------------------------------------------


class Problem(Record, frozen=True):
    """Why not: one sentence, the paragraph of the rules, and details such as the path to a field."""

    error: str
    rule: str | None
    detail: dict[str, Any]


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
