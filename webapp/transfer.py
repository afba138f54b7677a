"""A whole game as one JSON value, and back to the same position byte for byte."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tactical.kernel.dice import Roll
from tactical.kernel.journal import Entry
from tactical.kernel.play import SPECTATOR, UMPIRE, Event, Illegal, Outcome, System
from tactical.kernel.record import BadInput, Input, decode, encode, plain, read
from webapp.records import Game, Waiting, pack, unpack
from webapp.setup import BROKEN, check_usable, unread
from webapp.writing import choice

if TYPE_CHECKING:
    from webapp.store import Store

FORMAT = 1


class SavedGame(Input, frozen=True):
    """A game's own row, without its code's meaning: an import gets a new code."""

    id: str
    system: str
    engine: str
    title: str
    scenario: str | None
    options: dict[str, Any]
    dice: Literal["digital", "physical"]
    hash: str
    created: str
    version: int
    head: int
    waiting: Waiting | None = None


class SavedSeat(Input, frozen=True):
    """A seat and who sat there; its token is not saved."""

    id: str
    name: str = ""


class SavedEntry(Input, frozen=True):
    """A journal entry with the position after it: zlib-compressed JSON in base64, null for an undo."""

    number: int
    parent: int
    seat: str
    time: str
    command: dict[str, Any]
    rolls: tuple[Roll, ...]
    draws: tuple[int, ...]
    events: tuple[Event, ...]
    on_behalf: str | None
    taken_back: int | None
    state: str | None


class Saved(Input, frozen=True):
    """The file: the number of its form, the game, its seats, its journal from the start on."""

    navarch: int
    game: SavedGame
    seats: tuple[SavedSeat, ...]
    entries: tuple[SavedEntry, ...]


def export(store: Store, game: str) -> Saved:
    """The whole game. Raises Unknown."""
    found = store.game(game)
    states = store.stored_states(game)
    entries = [saved_entry(entry, states[entry.number]) for entry in store.entries(game)]
    # A command may have come between the two readings: keep to the version that was read first.
    entries = [_as_of(entry, found.version) for entry in entries if entry.number <= found.version]
    seats = tuple(SavedSeat(seat.id, seat.name) for seat in store.seats(game))
    return Saved(FORMAT, saved_game(found), seats, tuple(entries))


def _as_of(entry: SavedEntry, version: int) -> SavedEntry:
    if entry.taken_back is not None and entry.taken_back > version:
        return msgspec.structs.replace(entry, taken_back=None)
    return entry


def saved_game(game: Game) -> SavedGame:
    """A game's row as it is saved."""
    kept = {name: getattr(game, name) for name in SavedGame.__struct_fields__}
    return SavedGame(**kept)


def saved_entry(entry: Entry, state: bytes | None) -> SavedEntry:
    """An entry as it is saved; `state` is JSON."""
    kept = {name: getattr(entry, name) for name in Entry.__struct_fields__}
    return SavedEntry(**kept, state=None if state is None else base64.b64encode(pack(state)).decode())


def import_(store: Store, raw: object) -> tuple[Game, dict[str, str]]:
    """Write a saved game under a new code with new tokens. BadInput names what is wrong with it."""
    saved: Saved = read(raw, Saved)
    if saved.navarch != FORMAT:
        raise BadInput("navarch", f"this program reads saved games of form {FORMAT}")
    system = store.systems.get(saved.game.system)
    if system is None:
        raise BadInput("game.system", f"there is no system '{saved.game.system}' here")
    check_journal(saved)
    states = [_state(entry, system, f"entries[{entry.number}]") for entry in saved.entries]
    head = states[saved.game.head]
    if head is None:
        raise BadInput("game.head", "this entry has no position")
    _check_seats(saved, system, head)
    _check_usable(saved, system, head)
    written = [
        (_entry(entry), _choice(saved, states, entry, system), None if state is None else encode(state))
        for entry, state in zip(saved.entries, states, strict=True)
    ]
    over = system.is_over(head)
    kept = {name: getattr(saved.game, name) for name in SavedGame.__struct_fields__}
    game = Game(**{**kept, "id": "", "over": over})
    names = {seat.id: seat.name for seat in saved.seats}
    return store.insert(game, system, Outcome(head), written, names)


def check_journal(saved: Saved) -> None:
    """BadInput unless the entries are a tree that grows from the start and leads to the head."""
    entries, game = saved.entries, saved.game
    if [entry.number for entry in entries] != list(range(game.version + 1)):
        raise BadInput("entries", "the numbers must run from 0 to the game's version without a gap")
    for entry in entries:
        at = f"entries[{entry.number}]"
        if not 0 <= entry.parent < max(entry.number, 1):
            raise BadInput(f"{at}.parent", "an entry comes after its parent")
        if (entry.state is None) != is_undo(entry.command):
            raise BadInput(f"{at}.state", "every entry has its position, except an undo")
        if entry.taken_back is not None and not _strikes(entries, entry):
            raise BadInput(f"{at}.taken_back", "no such undo follows")
    head = head_of(entries)
    if game.head != head:
        raise BadInput("game.head", f"the journal leads to entry {head}")


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
                raise BadInput(f"{at}.command", "an undo strikes the entry that stands last")
            if entries[head].taken_back != entry.number:
                raise BadInput(f"entries[{head}].taken_back", f"entry {entry.number} strikes this one")
            head = entry.parent
        else:
            if entry.parent != head:
                raise BadInput(f"{at}.parent", f"entry {head} stood when this was commanded")
            head = entry.number
    return head


def is_undo(command: Mapping[str, Any]) -> bool:
    """Is it the journal's own record of an undo?"""
    return command.get("type") == "undo" and "entry" in command


def _state(entry: SavedEntry, system: System, at: str) -> Any:
    if entry.state is None:
        return None
    try:
        packed = base64.b64decode(entry.state, validate=True)
        return decode(unpack(packed), system.state)
    except BadInput as fault:
        raise BadInput(f"{at}.state.{fault.path}".rstrip("."), fault.reason) from None
    except (binascii.Error, ValueError) as fault:
        raise BadInput(f"{at}.state", str(fault)) from None


def _check_seats(saved: Saved, system: System, head: Any) -> None:
    known = {*system.sides(head), UMPIRE, SPECTATOR}
    for entry in saved.entries:
        if entry.seat not in known:
            raise BadInput(f"entries[{entry.number}].seat", f"there is no seat '{entry.seat}' in this game")
    for place, seat in enumerate(saved.seats):
        if seat.id not in known:
            raise BadInput(f"seats[{place}].id", f"there is no seat '{seat.id}' in this game")


def _check_usable(saved: Saved, system: System, head: Any) -> None:
    """BadInput when the engine cannot show the position or what may be done in it."""
    waiting = saved.game.waiting
    if waiting is not None:
        read(waiting.command, system.command, "game.waiting.command")
        if waiting.seat not in (*system.sides(head), UMPIRE):
            raise BadInput("game.waiting.seat", f"there is no seat '{waiting.seat}' in this game")
    try:
        check_usable(system, head)
    except (*BROKEN, Illegal) as fault:
        raise unread(system, f"entries[{saved.game.head}].state", fault) from None


def _entry(entry: SavedEntry) -> Entry:
    return Entry(**{name: getattr(entry, name) for name in Entry.__struct_fields__})


def _choice(saved: Saved, states: Sequence[Any], entry: SavedEntry, system: System) -> str | None:
    """The fingerprint of the entry's choice; None for the start and an undo."""
    if entry.number == 0 or entry.state is None:
        return None
    parent = states[entry.parent]
    command = read(entry.command, system.command, f"entries[{entry.number}].command")
    return choice(encode(parent), plain(command))
