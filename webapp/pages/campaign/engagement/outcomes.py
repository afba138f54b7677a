"""L3.1 A naval outcome in words: what each side lost, by name, and what it will mean for the campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from strategic.naval.engagement import Engagement, NavalOutcome
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import UMPIRE, Event, Illegal, NotYours
from tactical.kernel.record import plain, read
from webapp.presenting.campaign_labels import prompt_word, seat_word
from webapp.presenting.engagement_meetings import side_name
from webapp.storage.journal.records import Table
from webapp.systems.messages import Told, lines_of
from webapp.systems.presentations import presentation

MOST_LINES = 14
PRICES = ("remove", "lose", "losses")  # questions by which a beaten side pays


@dataclass(frozen=True)
class SideShown:
    """One side of an outcome: how many it sent, and what became of them."""

    id: str
    name: str
    sent: int
    sunk: int
    captured: int
    sunk_names: tuple[str, ...]
    captured_names: tuple[str, ...]
    transports: int
    transports_sent: int
    fled: bool
    evaded: bool
    damage: tuple[tuple[str, int], ...]

    @property
    def home(self) -> int:
        """Warships that come home."""
        return self.sent - self.sunk - self.captured


@dataclass(frozen=True)
class OutcomeShown:
    """A whole outcome."""

    winner: str
    turns: int
    sides: tuple[SideShown, ...]


@dataclass(frozen=True)
class Meaning:
    """What entering it brings: what is certain, who must pay next, and what hangs on a die, face by face."""

    certain: tuple[Told, ...]
    then: str = ""
    label: str = ""
    by_face: tuple[tuple[int, tuple[Told, ...]], ...] = ()


def outcome_words(engagement: Engagement, outcome: NavalOutcome, names: Mapping[str, str]) -> OutcomeShown:
    """L3.1 The outcome with the ships' names."""
    found = []
    for side in engagement.sides:
        fleet, lost = engagement.fleets[side], outcome.of(side)
        found.append(
            SideShown(
                id=side,
                name=side_name(side),
                sent=len(fleet.units),
                sunk=lost.sunk,
                captured=lost.captured,
                sunk_names=tuple(names.get(unit, unit) for unit in lost.sunk_ships),
                captured_names=tuple(names.get(unit, unit) for unit in lost.captured_ships),
                transports=lost.transports,
                transports_sent=len(fleet.transports),
                fled=lost.fled,
                evaded=lost.evaded,
                damage=tuple((names.get(unit, unit), hull) for unit, hull in lost.damage.items() if hull),
            )
        )
    return OutcomeShown(side_name(outcome.winner) if outcome.winner else "", outcome.turns, tuple(found))


def meaning(table: Table, seat: str, engagement: Engagement, outcome: NavalOutcome) -> Meaning:
    """L1.4 What the campaign's own engine makes of it: the outcome is entered on a copy that nobody keeps.

    Where a die is needed each face is tried. Only what the seat may see, and nothing that shows something hidden.
    """
    command = read({"type": "settle", "engagement": engagement.id, "outcome": plain(outcome)}, table.system.command)
    happened, asked, after = _enter(table, command, ())
    if asked is None:
        return Meaning(_tell(table, seat, happened), _then(table, seat, after))
    tries = []
    for face in range(1, asked.dice[0] + 1):
        events, more, after = _enter(table, command, (face,))
        if more is not None or len(asked.dice) > 1:
            return Meaning((), label=asked.label)
        tries.append((face, events))
    always = [each for each in tries[0][1] if all(each in events for _face, events in tries)]
    by_face = tuple(
        (face, _tell(table, seat, [each for each in events if each not in always])) for face, events in tries
    )
    return Meaning(_tell(table, seat, always), _then(table, seat, after), asked.label, by_face)


def _enter(table: Table, command: Any, faces: tuple[int, ...]) -> tuple[list[Event], Any, Any]:
    """The events of entering it, the dice that are asked for (then there are no events), the position after it."""
    try:
        outcome = table.system.apply(table.state, UMPIRE, command, Dice(faces, None, lambda sides: 1))
    except RollNeeded as need:
        return [], need.asked, None
    except (Illegal, NotYours):
        return [], None, None
    return list(outcome.events), None, outcome.state


def _then(table: Table, seat: str, after: Any) -> str:
    """L3.6.a Who must pay for it next, with how many markers; other questions are not this outcome's."""
    asked = presentation(table.game.system).asked(plain(table.system.view(after, seat))) if after is not None else None
    if asked is None or asked.kind not in PRICES:
        return ""
    count = asked.count or asked.about.get("left")
    what = f"{seat_word(str(asked.seat))}: {prompt_word(table.game.system, asked.kind)}"
    return f"{what} ({count})" if count else what


def _tell(table: Table, seat: str, events: list[Event]) -> tuple[Told, ...]:
    seen = [each.flat() for each in events if each.seen_by(seat) and not each.reveals and each.type != "settled"]
    return lines_of(table.game.system, seen[:MOST_LINES])
