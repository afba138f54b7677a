"""A whole game as one JSON value and back, and journals replayed against their positions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from tactical.drawing import Check, check_drawings
from tactical.kernel.dice import BadFace, Dice, Roll
from tactical.kernel.journal import Entry, knowers
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Illegal, NotYours, Outcome, System
from tactical.kernel.record import (
    NAME_LETTERS,
    TITLE_LETTERS,
    BadInput,
    Input,
    check_fields,
    clean_name,
    decode,
    encode,
    plain,
    read,
)
from webapp.storage.file.anchors import broken
from webapp.storage.journal.entries import CHAINED, choice
from webapp.storage.journal.new_game import (
    BROKEN,
    Draw,
    check_names,
    check_usable,
    find_system,
    may_bring_names,
    unread,
)
from webapp.storage.journal.records import Game, Waiting, apply_changes, changes, pack, unpack
from webapp.storage.journal.store import Store as store_Store

# -- A whole game as one JSON value, and back to the same position byte for byte.
#
# The start has its whole position, every later entry what its command changed in its parent's.

if TYPE_CHECKING:
    from webapp.storage.journal.store import Store as store_Store

FORMAT = 1
LEAST = "0.3.0"  # the oldest program that reads what this one writes: raise it with FORMAT or a system's version
LARGEST = 512 * 1024 * 1024  # bytes of all positions together, written out
Id = Annotated[str, msgspec.Meta(max_length=100)]
Title = Annotated[str, msgspec.Meta(max_length=2 * TITLE_LETTERS)]  # a battle's was made of its campaign's and a place


class SavedGame(Input, frozen=True):
    """A game's own row; an import gets a new code."""

    id: Id
    system: Id
    engine: Id
    title: Title
    scenario: Id | None
    options: dict[str, Any]
    dice: Literal["digital", "physical"]
    hash: Id
    created: Id
    version: int
    head: int
    waiting: Waiting | None = None


class SavedSeat(Input, frozen=True):
    """A seat and who sat there; its token is not saved."""

    id: Id
    name: Title = ""


class SavedEvent(Input, frozen=True, omit_defaults=True):
    """An event of the journal."""

    rule: str
    type: str
    data: dict[str, Any] = {}
    only: tuple[str, ...] = ()
    reveals: bool = False
    again: bool | msgspec.UnsetType = msgspec.UNSET


class SavedEntry(Input, frozen=True, omit_defaults=True):
    """A journal entry. The start has its `state`; later ones have `changes` to their parent's, an undo neither."""

    number: int
    parent: int
    seat: str
    time: str
    command: dict[str, Any]
    rolls: tuple[Roll, ...] = ()
    draws: tuple[int, ...] = ()
    events: tuple[SavedEvent, ...] = ()
    on_behalf: str | None = None
    taken_back: int | None = None
    engine: str = ""
    state: Any = None
    changes: list[Any] | None = None


class Saved(Input, frozen=True):
    """The file: the number of its form, the game, its seats, its journal from the start on.

    `least` is the oldest program that reads it; files of before have none.
    """

    navarch: int
    game: SavedGame
    seats: tuple[SavedSeat, ...]
    entries: tuple[SavedEntry, ...]
    least: Id = LEAST


def export(store: store_Store, game: str) -> Saved:
    """The whole game. Raises Unknown."""
    found = store.game(game)
    # A command may come between the readings: keep to the version that was read first.
    entries = [_as_of(entry, found.version) for entry in store.entries(game) if entry.number <= found.version]
    seats = tuple(SavedSeat(seat.id, seat.name) for seat in store.seats(game))
    rows = saved_entries(entries, lambda number: store.stored_state(game, number))
    return Saved(FORMAT, saved_game(found), seats, tuple(rows))


def cut(saved: Saved, last: int, title: str) -> Saved:
    """The game as it was when the entry `last` was its newest, under a title; nothing is awaited then."""
    kept = [entry for entry in saved.entries if entry.number <= last]
    entries = tuple(
        msgspec.structs.replace(entry, taken_back=None) if (entry.taken_back or 0) > last else entry for entry in kept
    )
    game = msgspec.structs.replace(saved.game, title=title, version=last, head=head_of(entries), waiting=None)
    return Saved(saved.navarch, game, saved.seats, entries, saved.least)


def _as_of(entry: Entry, version: int) -> Entry:
    if entry.taken_back is not None and entry.taken_back > version:
        return msgspec.structs.replace(entry, taken_back=None)
    return entry


def saved_game(game: Game) -> SavedGame:
    """A game's row as it is saved."""
    return SavedGame(**{name: getattr(game, name) for name in SavedGame.__struct_fields__})


def saved_entries(entries: Iterable[Entry], position: Callable[[int], bytes | None]) -> Iterator[SavedEntry]:
    """Entries as they are saved; `position` gives the JSON after an entry, None for an undo."""
    last: tuple[int, Any] = (-1, None)
    for entry in entries:
        kept = {name: getattr(entry, name) for name in Entry.__struct_fields__}
        kept["events"] = tuple(SavedEvent(**_fields(event)) for event in entry.events)
        state = position(entry.number)
        if state is None:
            yield SavedEntry(**kept)
            continue
        after = msgspec.json.decode(state)
        if entry.number == 0:
            yield SavedEntry(**kept, state=after)
        else:
            before = last[1] if last[0] == entry.parent else msgspec.json.decode(position(entry.parent) or b"null")
            yield SavedEntry(**kept, changes=changes(before, after))
        last = (entry.number, after)


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def import_(store: store_Store, raw: object, *, is_strangers: bool = False) -> tuple[Game, dict[str, str]]:
    """Write a saved game under a new code with new tokens. BadInput names what is wrong with it.

    What a stranger's file draws is bounded like what he posts; the organizer brings in games of before there were
    limits.
    """
    if not isinstance(raw, dict) or "navarch" not in raw:
        raise BadInput("navarch", "this file is not a saved game of this program")
    check_age(raw, store.rules)
    saved: Saved = read(raw, Saved)
    if saved.navarch != FORMAT:
        raise BadInput("navarch", "this program reads saved games in format %(form)s only", form=FORMAT)
    system = store.rules.get(saved.game.system)
    if system is None:
        raise BadInput("game.system", "there is no system called '%(system)s' here", system=saved.game.system)
    check_journal(saved)
    written = list(_entries_written_out(saved, system, system.drawn if is_strangers else {}))
    packed = written[saved.game.head][2]
    if packed is None:
        raise BadInput("game.head", "this entry has no position")
    head = decode(unpack(packed), system.state)
    _check_seats(saved, system, head)
    _check_usable(saved, system, head, store.drawers.get(system.name) if is_strangers else None)
    kept = {name: getattr(saved.game, name) for name in SavedGame.__struct_fields__}
    kept["title"] = clean_name(saved.game.title)[:TITLE_LETTERS] or system.title
    game = Game(**{**kept, "id": "", "over": system.is_over(head)})
    for entry, _choice, _state in written:
        game = msgspec.structs.replace(game, behind=_behind_after(game, system, head, entry))
    names = {seat.id: clean_name(seat.name)[:NAME_LETTERS] for seat in saved.seats}
    return store.insert(game, system, Outcome(head), written, names)


def check_least(raw: Mapping[str, Any]) -> None:
    """BadInput for a file that says by its `least` or its `navarch` that it wants a newer program than this one."""
    wanted, own = str(raw.get("least") or "")[:20], version("navarch")
    if numbers(wanted) > max(numbers(LEAST), numbers(own)):
        raise BadInput(
            "least",
            "this file was written by a newer Navarch: it wants version %(wanted)s or later, and this is %(own)s",
            wanted=wanted,
            own=own,
        )

    form = raw.get("navarch")
    if isinstance(form, int) and form > FORMAT:
        raise BadInput(
            "navarch",
            "this file was written by a newer Navarch, in format %(form)s; this program reads format %(known)s",
            form=form,
            known=FORMAT,
        )


def check_age(raw: Mapping[str, Any], systems: Mapping[str, System]) -> None:
    """BadInput for a file of a newer program, which says what it wants; before its fields are read, which may be new.

    A number that is no number is left to the reader of the fields.
    """
    check_least(raw)
    game, entries = raw.get("game"), raw.get("entries")
    system = systems.get(str(game.get("system"))) if isinstance(game, Mapping) else None
    if system is None or not isinstance(entries, list):
        return
    for at, each in (("game", game), *((f"entries[{number}]", entry) for number, entry in enumerate(entries))):
        engine = str(each.get("engine") or "")[:20] if isinstance(each, Mapping) else ""
        if numbers(engine) > numbers(system.version):
            raise BadInput(
                f"{at}.engine",
                "this file was written by a newer Navarch: it wants version %(engine)s of the rules of %(system)s, and"
                " this program has version %(known)s",
                engine=engine,
                system=system.name,
                known=system.version,
            )


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, by which versions are compared.

    >>> numbers("0.3.0") < numbers("0.12")
    True
    """
    return tuple(int(part) for part in re.findall(r"[0-9]{1,6}", version))


def _behind_after(game: Game, system: System, head: Any, entry: Entry) -> dict[str, int]:
    """What each seat knows of after one more entry of the journal."""
    before = msgspec.structs.replace(game, version=entry.number - 1)
    return before.behind_after(knowers(system, entry), (*system.sides(head), SPECTATOR))


def _entries_written_out(
    saved: Saved, system: System, drawn: Mapping[str, Check]
) -> Iterator[tuple[Entry, str | None, bytes | None]]:
    """The entries with the fingerprint of each choice and each position as it is stored."""
    positions: dict[int, Any] = {}  # plain; what changes do not touch is shared between them
    last: tuple[int, bytes] = (-1, b"")  # the newest position as the engine writes it, which most entries begin with
    room = LARGEST
    for entry in saved.entries:
        at = f"entries[{entry.number}]"
        if is_undo(entry.command):
            yield _entry(entry, saved.game.engine), None, None
            continue
        raw, before, same = entry.state, None, None
        if entry.number > 0:
            before = positions[entry.parent]
            command = read(entry.command, system.command, f"{at}.command")
            stood = last[1] if last[0] == entry.parent else _canonical(before, system, at)
            same = choice(stood, plain(command))
            try:
                raw = apply_changes(before, entry.changes or [])
            except BadInput as fault:
                raise BadInput(f"{at}.changes", fault.why) from None
        if isinstance(raw, Mapping):
            check_drawings(drawn, raw, before, f"{at}.state")
        positions[entry.number] = raw
        state = _canonical(raw, system, at)
        if (entry.engine or saved.game.engine) == system.version:  # an older one had fields that are no more
            check_fields(raw, msgspec.json.decode(state), f"{at}.state", before)
        last = (entry.number, state)
        if may_bring_names(raw, before):
            check_names(system, state, f"{at}.state")
        room -= len(state)
        if room < 0:
            raise BadInput("entries", "the positions of this game are too large")
        yield _entry(entry, saved.game.engine), same, pack(state)


def _canonical(raw: Any, system: System, at: str) -> bytes:
    """The position's JSON as the engine writes it. BadInput leads to the field."""
    try:
        return encode(decode(encode(raw), system.state))
    except BadInput as fault:
        raise BadInput(f"{at}.state.{fault.path}".rstrip("."), fault.why) from None


def check_journal(saved: Saved) -> None:
    """BadInput unless the entries are a tree that grows from the start and leads to the head."""
    entries, game = saved.entries, saved.game
    if len(entries) != game.version + 1 or any(entry.number != place for place, entry in enumerate(entries)):
        raise BadInput("entries", "the numbers must run from 0 to the game's version without a gap")
    for entry in entries:
        at = f"entries[{entry.number}]"
        if not 0 <= entry.parent < max(entry.number, 1):
            raise BadInput(f"{at}.parent", "an entry must come after its parent")
        if (entry.state is not None) != (entry.number == 0):
            raise BadInput(
                f"{at}.state", "the entry for the start must have a position, and no other entry may have one"
            )
        if (entry.changes is not None) != (entry.number > 0 and not is_undo(entry.command)):
            raise BadInput(
                f"{at}.changes",
                "an entry for a command must list its changes; "
                "the entries for the start and for an undo must list none",
            )
        if entry.taken_back is not None and not _strikes(entries, entry):
            raise BadInput(f"{at}.taken_back", "no later undo takes this entry back")
    head = head_of(entries)
    if game.head != head:
        raise BadInput("game.head", "the journal's last entry is %(head)s", head=head)


def _strikes(entries: Sequence[SavedEntry], entry: SavedEntry) -> bool:
    number = entry.taken_back or 0
    if not entry.number < number < len(entries) or entry.number == 0:
        return False
    striking = entries[number]
    return is_undo(striking.command) and striking.command.get("entry") == entry.number


def head_of(entries: Sequence[SavedEntry]) -> int:
    """The entry whose position stands at the end. BadInput where an entry does not follow what stood."""
    head = 0
    for entry in entries[1:]:
        at = f"entries[{entry.number}]"
        if is_undo(entry.command):
            struck = entry.command.get("entry")
            if struck != head or head == 0 or entry.parent != entries[head].parent:
                raise BadInput(f"{at}.command", "an undo must take back the last entry that still stands")
            if entries[head].taken_back != entry.number:
                raise BadInput(
                    f"entries[{head}].taken_back",
                    "this entry must be marked as taken back by entry %(number)s",
                    number=entry.number,
                )
            head = entry.parent
        else:
            if entry.parent != head:
                raise BadInput(
                    f"{at}.parent",
                    "this command must come directly after entry %(head)s, "
                    "which was the newest when the command was given",
                    head=head,
                )
            head = entry.number
    return head


def is_undo(command: Mapping[str, Any]) -> bool:
    """Is it the journal's own record of an undo?"""
    return command.get("type") == "undo" and "entry" in command


def _check_seats(saved: Saved, system: System, head: Any) -> None:
    known = {*system.sides(head), UMPIRE, SPECTATOR}
    for entry in saved.entries:
        if entry.seat not in known:
            raise BadInput(
                f"entries[{entry.number}].seat", "there is no seat called '%(seat)s' in this game", seat=entry.seat
            )
    for place, seat in enumerate(saved.seats):
        if seat.id not in known:
            raise BadInput(f"seats[{place}].id", "there is no seat called '%(seat)s' in this game", seat=seat.id)


def _check_usable(saved: Saved, system: System, head: Any, draw: Draw | None) -> None:
    """BadInput when the engine cannot show the position or what may be done in it."""
    waiting = saved.game.waiting
    if waiting is not None:
        read(waiting.command, system.command, "game.waiting.command")
        if waiting.seat not in (*system.sides(head), UMPIRE):
            raise BadInput("game.waiting.seat", "there is no seat called '%(seat)s' in this game", seat=waiting.seat)
    try:
        check_usable(system, head, draw)
    except (*BROKEN, Illegal) as fault:
        raise unread(system, f"entries[{saved.game.head}].state", fault) from None


def _entry(entry: SavedEntry, engine: str) -> Entry:
    """The entry; one of a file that does not say so was made by the version of its game."""
    kept = {name: getattr(entry, name) for name in Entry.__struct_fields__}
    kept["engine"] = entry.engine or engine
    return Entry(**{**kept, "events": tuple(Event(**_fields(event)) for event in entry.events)})


# -- Replaying journals against their stored positions.


def verify(store: store_Store, game: str) -> list[str]:
    """What differs between a game's journal and its stored positions, also where it was taken back.

    Entries that another version of the rules made stand as they are: they must only be readable.
    """
    system = find_system(store.rules, store.game(game).system)
    found = []
    journal = store.file.rows("select * from entries where game = ? order by number", game)
    if (first := broken(journal, CHAINED)) is not None:
        found.append(f"entry {first}: it is not what was written, or what stood before it is not (its hash differs)")
    for entry in store.entries(game)[1:]:
        if not is_undo(entry.command):
            before, after = (store.stored_state(game, number) for number in (entry.parent, entry.number))
            if before is None or after is None:
                found.append(f"entry {entry.number}: a position is missing")
            elif entry.engine != system.version:
                if (fault := unreadable(system, entry, after)) is not None:
                    found.append(f"entry {entry.number}: {fault}")
            elif (fault := differs(system, entry, before, after)) is not None:
                found.append(f"entry {entry.number}: {fault}")
    return found


def unreadable(system: System, entry: Entry, after: bytes) -> str | None:
    """Why an entry of another version of the rules cannot be read now; None when it can."""
    try:
        read(entry.command, system.command)
        decode(after, system.state)
    except BadInput as fault:
        return f"written by version {entry.engine} of the rules, and not readable now ({fault})"
    return None


def differs(system: System, entry: Entry, before: bytes, after: bytes) -> str | None:
    """How the entry, applied again with its own dice, differs from what is stored; None when it does not."""
    state = decode(before, system.state)
    try:
        command = read(entry.command, system.command)
        outcome = system.apply(state, entry.seat, command, Dice(entry.faces, drawn=entry.draws))
    except (Illegal, NotYours, BadInput, BadFace) as refusal:
        return f"refused now ({refusal})"
    # Written by the same program or an older one: compare what the present one makes of it.
    if encode(outcome.state) != encode(decode(after, system.state)):
        return "gives another position now"
    # What hooks added stands after the engine's own events.
    if encode(outcome.events) != encode(entry.events[: len(outcome.events)]):
        return "gives other events now"
    return None
