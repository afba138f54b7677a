"""The journal: what was commanded, what fell, what happened; replay and the limits of undo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tactical.kernel.dice import Dice, Roll
from tactical.kernel.protocol import ADJUSTED, UMPIRE, Event, Outcome, System
from tactical.kernel.record import Reason, Record, because, encode, read

BINDING = ("settled", "result")  # events by which what sides have agreed on enters a campaign or a season


class Entry(Record, frozen=True):
    """One entry: `number` is also the game's version after it; `parent` the entry whose state it was applied to.

    `draws` are hidden draws and never leave the server. `taken_back` is the number of the undo that struck it.
    `on_behalf` is the side for which an umpire acted. `engine` is the version of the rules that made it.
    """

    number: int
    parent: int
    seat: str
    time: str
    command: dict[str, Any]
    rolls: tuple[Roll, ...] = ()
    draws: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    on_behalf: str | None = None
    taken_back: int | None = None
    engine: str = ""

    @property
    def faces(self) -> tuple[int, ...]:
        """All open faces, in order."""
        return tuple(face for roll in self.rolls for face in roll.faces)


def may_undo(last: Entry | None, seat: str) -> Reason | None:
    """Why this seat may not take back the last entry by itself; None when it may.

    Free until dice fell, something hidden was shown, what sides agreed on counts, or another seat acted; the umpire
    always may.
    """
    if last is None:
        return Reason("There is nothing to take back.")
    if seat == UMPIRE:
        return None
    if last.seat != seat:
        return because(
            "The last action was by %(seat)s: only the umpire, or all sides together, can take it back.", seat=last.seat
        )
    if last.rolls:
        return Reason("Dice have been rolled: only the umpire, or all sides together, can take this back.")
    if any(happened.type in BINDING for happened in last.events):
        return Reason(
            "What came of this counts for all sides: only the umpire, or all sides together, can take it back."
        )
    if last.draws or any(happened.reveals for happened in last.events):
        return Reason("Something hidden was shown: only the umpire, or all sides together, can take this back.")
    return None


def knowers(system: System, entry: Entry) -> tuple[str, ...] | None:
    """The seats that know of an entry, beside the umpire; None where everybody does.

    Of a kind that the system keeps secret they are who gave it and who sees one of its events; the undo of such an
    entry names them itself (`only`).
    """
    kind = entry.command.get("type")
    if kind == "undo":
        only = entry.command.get("only")
        return tuple(only) if isinstance(only, list) else None
    if (
        not isinstance(kind, str)
        or kind not in system.secret
        or not entry.events
        or any(not happened.only for happened in entry.events)
    ):
        return None
    seats = {seat for happened in entry.events for seat in happened.only} | {entry.seat, entry.on_behalf}
    return tuple(sorted(seat for seat in seats if seat not in (UMPIRE, None)))


def is_known_to(system: System, entry: Entry, seat: str) -> bool:
    """Does this seat know of an entry?"""
    seats = knowers(system, entry)
    return seats is None or seat == UMPIRE or seat in seats


def rolls_seen_by(entry: Entry, seat: str) -> tuple[Roll, ...]:
    """The dice that a seat may see: those about `only` some seats (names with spaces) are theirs and the umpire's."""
    return tuple(roll for roll in entry.rolls if seat in (UMPIRE, *roll.about.get("only", seat).split()))


def command_seen_by(entry: Entry, seat: str) -> dict[str, Any]:
    """The command as a seat may read it: whole, or only its kind when an event of it is hidden from the seat.

    Of an adjustment it may read what the events tell it: the open fields, and the paths of the hidden ones.
    """
    if seat in (UMPIRE, entry.seat) or all(happened.seen_by(seat) for happened in entry.events):
        return entry.command
    kind = entry.command.get("type")
    told = [each for each in entry.events if each.type == ADJUSTED and each.seen_by(seat) and "changes" in each.data]
    if kind != "adjust" or not told:
        return {"type": kind}
    changes = {path: value for each in told for path, value in each.data["changes"].items()}
    return {"type": kind, "changes": changes, "why": told[0].data["why"]}


def replay(system: System, state: Any, entries: Iterable[Entry]) -> Iterable[tuple[Entry, Outcome[Any]]]:
    """Apply the entries that stand, with their own dice, and yield each with its outcome."""
    for entry in entries:
        if entry.taken_back is not None:
            continue
        dice = Dice(entry.faces, drawn=entry.draws)
        command = read(entry.command, system.command)
        outcome = system.apply(state, entry.seat, command, dice)
        state = outcome.state
        yield entry, outcome


def differs(stored: Any, replayed: Any) -> bool:
    """Do two states differ in any byte?"""
    return encode(stored) != encode(replayed)
