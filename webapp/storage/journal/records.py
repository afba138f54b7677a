"""What the store keeps and hands out, as records; positions packed and kept."""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from tactical.kernel.cache import Cache
from tactical.kernel.dice import Asked, Roll
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Offer, System
from tactical.kernel.record import BadInput, Record, because, decode, encode
from webapp.storage.errors import Refused
from webapp.storage.file.database import Damaged

# -- Codes of games, tokens of seats: made from `secrets`, stored only as hashes.

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0 O 1 I L, which a table misreads


def code(first: str = LETTERS) -> str:
    """A game's short code, which begins with one of the letters `first`."""
    return secrets.choice(first) + "".join(secrets.choice(LETTERS) for _ in range(7))


def token() -> str:
    """A seat's secret."""
    return secrets.token_urlsafe(24)


def token_hash(secret: str) -> str:
    """What the store keeps of a token; a token has 192 random bits, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


# -- What differs between two positions, as plain JSON: how a saved game keeps thousands of them small.
#
# A change is [path, value] (set it) or [path] (remove it); a path is a list of names and places in lists.

Change = list[Any]


def changes(before: Any, after: Any) -> list[Change]:
    """The changes that lead from one value to the other, to the same bytes."""
    found: list[Change] = []
    _compare(before, after, [], found)
    if encode(apply_changes(before, found)) != encode(after):
        return [[[], after]]  # equal, and yet other bytes: 1 that became true, or names in another order
    return found


def _compare(before: Any, after: Any, path: list[str | int], found: list[Change]) -> None:
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict) and _keeps_order(before, after):
        found += [[[*path, name]] for name in before if name not in after]
        for name, value in after.items():
            if name in before:
                _compare(before[name], value, [*path, name], found)
            else:
                found.append([[*path, name], value])
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after) and before:
        for place, value in enumerate(after):
            _compare(before[place], value, [*path, place], found)
    else:
        found.append([path, after])


def _keeps_order(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Do the names come in the right order when old ones keep their place and new ones come last?"""
    kept = [name for name in before if name in after]
    return [*kept, *(name for name in after if name not in before)] == list(after)


def apply_changes(before: Any, found: list[Change]) -> Any:
    """The value after the changes; what they do not touch is shared. Raises BadInput for changes that do not fit."""
    after = before
    for change in found:
        if not (isinstance(change, list) and len(change) in (1, 2) and isinstance(change[0], list)):
            raise BadInput("", "a change must be [path, value] or [path]")
        after = _apply(after, change[0], change)
    return after


def _apply(value: Any, path: list[Any], change: Change) -> Any:
    if not path:
        if len(change) == 1:
            raise BadInput("", "the whole position cannot be removed")
        return change[1]
    name, last = path[0], len(path) == 1
    if isinstance(value, dict) and isinstance(name, str):
        if last and len(change) == 1:
            if name not in value:
                raise BadInput("", "there is no %(name)s to remove", name=name)
            return {key: part for key, part in value.items() if key != name}
        if not last and name not in value:
            raise BadInput("", "there is no %(name)s", name=name)
        return {**value, name: _apply(value.get(name), path[1:], change)}
    if isinstance(value, list) and type(name) is int and 0 <= name < len(value) and not (last and len(change) == 1):
        return [*value[:name], _apply(value[name], path[1:], change), *value[name + 1 :]]
    raise BadInput("", "the path does not lead anywhere at %(name)s", name=repr(name))


# -- How positions are stored: whole and compressed, or as what is new beside an earlier one that is stored whole.
#
# zlib takes the earlier position as its dictionary, so a plot among forty ships is some hundred bytes. A position that
# stands beside another is read with one row more; after EVERY entries one is stored whole again. Learning a dictionary
# takes zlib as long as packing half of what is new, so a packer that knows one is kept and copied.

LARGEST_STATE = 16 * 1024 * 1024  # bytes; far above any honest position, and a bound for packed ones
EVERY = 64  # entries after which a position is stored whole
SURELY = 40  # times smaller than the JSON: no position by itself packs to twice that
WINDOW = 32 * 1024  # bytes of the other position that zlib can refer to
PACKERS = 16  # that are kept, of 270 kB each


class Whole(NamedTuple):
    """A position that is stored whole: the number of its entry, and its JSON."""

    number: int
    state: bytes


class Packed(NamedTuple):
    """A position as it is stored, and the number of the entry beside which it stands; None when it is whole."""

    state: bytes
    beside: int | None = None


def pack(state: bytes) -> bytes:
    """A position's JSON, whole."""
    return zlib.compress(state)


def pack_beside(state: bytes, whole: Whole | None, number: int) -> Packed:
    """The position of entry `number` beside an earlier one, where that makes it smaller by half; else whole."""
    if whole is None or not 0 < number - whole.number < EVERY:
        return Packed(pack(state))
    packer = _packer(whole.state).copy()
    new = packer.compress(state) + packer.flush()
    if len(new) * SURELY < len(state):
        return Packed(new, whole.number)
    packed = pack(state)
    return Packed(new, whole.number) if len(new) * 2 < len(packed) else Packed(packed)


@lru_cache(PACKERS)
def _packer(known: bytes) -> zlib._Compress:
    """What packs beside that position; only copies of it are used."""
    return zlib.compressobj(zdict=known[-WINDOW:])


def unpack(stored: bytes, beside: bytes | None = None) -> bytes:
    """The JSON of a stored position, given that of the one beside which it stands.

    Raises Damaged, also when it is too large.
    """
    stream = zlib.decompressobj() if beside is None else zlib.decompressobj(zdict=beside[-WINDOW:])
    try:
        plain = stream.decompress(stored, LARGEST_STATE)
    except zlib.error as error:
        raise Damaged(f"the stored state is damaged ({error})") from None
    if not stream.eof:
        raise Damaged("the stored state is cut off or too large")
    return plain


# -- Positions that were read or written of late, kept with what was made of them. No Flask.
#
# An entry's position never changes, and its chain (see `anchors`) is that of its whole journal; so game, entry and
# chain
# name a position for good, also while another process writes or the file is put back from a backup.

OF_A_POSITION = 20_000  # bytes
TIMES = 8  # so many bytes a position takes with its views and offers for each byte of its JSON
Name = tuple[str, int, str]  # game, entry, chain


@dataclass(frozen=True)
class Position:
    """A position, what its successor may be stored beside, and what was made of it: views and offers by seat.

    `chain` names its journal; it is empty where the entry has none, as in files of long ago.
    """

    state: Any
    whole: Whole | None = None
    chain: str = ""
    made: dict[Any, Any] = field(default_factory=dict)

    def once(self, name: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, made once; `name` holds all that it depends on besides the position."""
        found = self.made.get(name)
        if found is None:
            found = self.made[name] = make()
        return found


class Positions:
    """The positions that were asked for last."""

    def __init__(self) -> None:
        self._known = Cache[Position]()

    def get(self, name: Name) -> Position | None:
        """A position that is kept."""
        return self._known.get(name)

    def keep(self, name: Name, position: Position, written: int) -> Position:
        """Keep a position of so many bytes of JSON; the one that is given back is the one that is kept."""
        return self._known.keep(name, position, OF_A_POSITION + TIMES * written)


# -- What the store keeps and hands out, as records.


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
    awaited, a consent). `consents`: who agrees that the last act is taken back, who asked for it first; `refused`: who
    has said no to that. With `proposed` both are about this command of the umpire's instead. `hash` covers the
    engine's version and the options. While it is `halted` or `archived` nobody commands in it (see `archive`);
    `is_public`: its umpire shows it to everybody. `behind`: the newest entry that a seat knows of, for the seats from
    which newer ones are secret (docs/decisions/035).
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
    refused: str = ""
    proposed: dict[str, Any] = {}
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
        refused=row["refused"],
        proposed=decode(row["proposed"], dict[str, Any]) if row["proposed"] else {},
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
