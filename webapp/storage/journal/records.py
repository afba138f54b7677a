"""What the store keeps and hands out, as records."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace

from tactical.kernel.dice import Asked, Roll
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Offer, System
from tactical.kernel.reason import because
from tactical.kernel.record import Record, decode, encode
from webapp.storage.errors import Refused
from webapp.storage.journal.positions import Position


class Waiting(Record, frozen=True):
    """A command that waits for dice: who gave it, the faces and hidden draws so far, what is asked next."""

    seat: str
    command: dict[str, Any]
    asked: Asked
    faces: tuple[int, ...] = ()
    draws: tuple[int, ...] = ()
    on_behalf: str | None = None


class Game(Record, frozen=True):
    """A game without its position. `version` is the last entry's number, `head` the entry whose state stands.

    `revision` counts everything that may change a page, also what does not change the version (a roll that is
    awaited, a consent). `hash` covers the engine's version and the options. While it is `halted` or `archived` nobody
    commands in it (see `archive`); `is_public`: its umpire shows it to everybody. `behind`: the newest entry that a
    seat knows of, for the seats from which newer ones are secret (docs/decisions/035).
    """

    id: str
    system: str
    engine: str
    title: str
    scenario: str | None
    options: dict[str, Any]
    dice: str
    hash: str
    created: str
    version: int = 0
    head: int = 0
    revision: int = 0
    waiting: Waiting | None = None
    consents: tuple[str, ...] = ()
    over: bool = False
    halted: Literal["", "paused", "ended"] = ""
    archived: bool = False
    is_public: bool = False
    behind: dict[str, int] = {}

    def newest(self, seat: str) -> int:
        """The version of the game as this seat knows it."""
        return self.behind.get(seat, self.version)

    def for_seat(self, seat: str) -> Game:
        """The game as this seat knows it, to be shown to it."""
        return replace(self, version=self.behind[seat]) if seat in self.behind else self

    def behind_after(self, knowers: tuple[str, ...] | None, seats: tuple[str, ...]) -> dict[str, int]:
        """`behind` after a further entry that only these seats know of; None: everybody."""
        return {} if knowers is None else {seat: self.newest(seat) for seat in seats if seat not in knowers}

    @property
    def is_open(self) -> bool:
        """May anybody command in it?"""
        return not self.halted and not self.archived


class Seat(Record, frozen=True):
    """One seat of a game; the token itself is known only to its holder.

    `duty`: what one of several people in it has charge of, where the seat is his; None where it is the seat itself.
    `charge`: the pieces that he alone commands of his side's; none where he commands them all. Where he does not know
    what his side knows he looks on as a spectator (`id`), and his seat is `of` his side.
    """

    game: str
    id: str
    name: str = ""
    duty: str | None = None
    charge: tuple[str, ...] = ()
    of: str = ""

    @property
    def side(self) -> str:
        """Whose affairs the seat commands: its own, unless it looks on as another."""
        return self.of or self.id


@dataclass(frozen=True)
class Table:
    """A game with its system and its position: what a page or an answer is made of.

    `kept` is the position with what has been made of it; what stays the same with it is asked for only once. `tail`
    is the chain of the newest entry (see `anchors`), where the game stands so.
    """

    game: Game
    system: System
    state: Any
    kept: Position
    tail: str | None = None

    def for_seat(self, seat: str) -> Table:
        """The table with the game as this seat knows it; the position is the same, of which it sees its view."""
        game = self.game.for_seat(seat)
        return self if game is self.game else dataclasses.replace(self, game=game)

    @property
    def is_all(self) -> bool:
        """Does the chain of its position cover the whole journal? Not after an undo."""
        return self.game.head == self.game.version and bool(self.kept.chain)

    @property
    def sides(self) -> tuple[str, ...]:
        """The seats besides umpire and spectator."""
        found: tuple[str, ...] = self.kept.once("sides", lambda: self.system.sides(self.state))
        return found

    def knowledge_for(self, side: str, charge: tuple[str, ...]) -> Table:
        """The table with what somebody who has charge of some pieces of a side knows; itself where he knows it all."""
        charges = self.system.charges
        if charges is None or not charge:
            return self
        kept = self.kept.once(("known", side, charge), lambda: Position(charges.knowledge(self.state, side, charge)))
        return self if kept.state is self.state else dataclasses.replace(self, state=kept.state, kept=kept)

    def after_sending(self) -> Table:
        """The table as its sides will know it once the umpire has sent what he holds back."""
        kept = self.kept.once("after sending", lambda: Position(self.system.unsent(self.state).state))
        return self if kept.state is self.state else dataclasses.replace(self, state=kept.state, kept=kept)

    def view(self, seat: str) -> Any:
        """The position as the seat may see it."""
        return self.kept.once(("view", seat), lambda: self.system.view(self.state, seat))

    def offers(self, seat: str) -> list[Offer]:
        """The engine's offers to the seat; nobody may change them."""
        found: list[Offer] = self.kept.once(("offers", seat), lambda: list(self.system.offers(self.state, seat)))
        return found

    @property
    def observers(self) -> tuple[str, ...]:
        """The seats that may know less than the umpire."""
        return (*self.sides, SPECTATOR)

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The seats that must act."""
        found: tuple[str, ...] = self.kept.once("waiting_for", lambda: tuple(self.system.waiting_for(self.state)))
        return found

    @property
    def json(self) -> bytes:
        """The position as it is written."""
        found: bytes = self.kept.once("json", lambda: encode(self.state))
        return found


class RollAsked(Record, frozen=True, omit_defaults=True):
    """The dice that must be thrown next, and where it may be seen the command that waits for them."""

    rule: str
    label: str
    dice: tuple[int, ...]
    about: dict[str, str] = {}
    faces: tuple[int, ...] = ()
    seat: str = ""
    command: dict[str, Any] = {}


class Submitted(Record, frozen=True, omit_defaults=True):
    """The first answer to a command: the new version and its events, or the dice that it waits for."""

    version: int
    events: list[dict[str, Any]] | None = None
    roll_needed: RollAsked | None = None


class TakenBack(Record, frozen=True):
    """The answer to an undo: whether it has happened, which entry it struck, and whose consent is missing."""

    version: int
    undone: bool
    entry: int | None
    missing: tuple[str, ...] = ()


def game_of(row: dict[str, Any]) -> Game:
    """A row of `games` as a record."""
    return Game(
        id=row["id"],
        system=row["system"],
        engine=row["engine"],
        title=row["title"],
        scenario=row["scenario"],
        options=decode(row["options"], dict[str, Any]),
        dice=row["dice"],
        hash=row["hash"],
        created=row["created"],
        version=row["version"],
        head=row["head"],
        revision=row["revision"],
        waiting=decode(row["waiting"], Waiting) if row["waiting"] else None,
        consents=decode(row["consents"], tuple[str, ...]) if row["consents"] else (),
        over=bool(row["over"]),
        halted=row["halted"],
        archived=bool(row["archived"]),
        is_public=bool(row["is_public"]),
        behind=decode(row["behind"], dict[str, int]) if row["behind"] else {},
    )


def seat_of(row: dict[str, str]) -> Seat:
    """A row of `seats` or `people` as a record."""
    return Seat(row["game"], row["seat"], row["name"], row["duty"], tuple(row["charge"].splitlines()))


def entry_of(row: dict[str, Any]) -> Entry:
    """A row of `entries` as a record, without its state."""
    return Entry(
        number=row["number"],
        parent=row["parent"],
        seat=row["seat"],
        time=row["time"],
        command=decode(row["command"], dict[str, Any]),
        rolls=decode(row["rolls"], tuple[Roll, ...]),
        draws=decode(row["draws"], tuple[int, ...]),
        events=decode(row["events"], tuple[Event, ...]),
        on_behalf=row["on_behalf"],
        taken_back=row["taken_back"],
        engine=row["engine"],
    )


def roll_seen_by(waiting: Waiting, seat: str) -> RollAsked | None:
    """The dice that are awaited; the command itself only for the umpire and whoever gave it.

    None where the dice are about `only` some seats, and this is none of them.
    """
    asked = waiting.asked
    may_see = seat in (UMPIRE, waiting.seat, waiting.on_behalf)
    if not may_see and seat not in asked.about.get("only", seat).split():
        return None
    command = waiting.command if may_see else {}
    return RollAsked(asked.rule, asked.label, asked.dice, asked.about, waiting.faces, waiting.seat, command)


def dice_first(waiting: Waiting, seat: str) -> Refused:
    """What a seat is told that wants something while dice are awaited: which dice, or only who throws them."""
    asked = roll_seen_by(waiting, seat)
    label, rule = (waiting.seat, None) if asked is None else (asked.label, asked.rule)
    return Refused(because("Dice must be rolled first: %(label)s.", label=label), rule)
