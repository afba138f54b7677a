"""Dice that are awaited: one pad for all that a command will ask for, with what hits and who throws.

What comes after the roll that is asked for is foreseen by trying the command with low and high faces, all alike and in
turn: what they all ask for, the table may throw at once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Asked, BadFace, Dice, RollNeeded
from tactical.kernel.protocol import UMPIRE, Illegal
from tactical.kernel.record import read
from tactical.rules import missiles
from webapp.http.language import gettext as _
from webapp.pages.battle.dice.roll_words import roll_meaning, roll_title
from webapp.pages.battle.orders import odds_hint
from webapp.presenting.battle_labels import seat_name, side_name
from webapp.storage.journal.records import Table

FORESEEN = 12  # rolls after the one that is asked for
PATTERNS = ("l", "h", "lh", "hl")  # low and high faces, all alike or in turn


@dataclass(frozen=True)
class Part:
    """One roll of several: for what, what its faces do, how many dice, and whose they are."""

    title: str
    meaning: str
    rule: str
    count: int
    who: str


@dataclass(frozen=True)
class Roll:
    """Dice that are awaited: the rolls in order, the command they belong to, who may enter them, the faces so far."""

    parts: tuple[Part, ...]
    before: tuple[int, ...]
    command: str
    mine: bool
    who: str
    rolled: str

    @property
    def title(self) -> str:
        """What is thrown now."""
        return self.parts[0].title

    @property
    def count(self) -> int:
        """All dice on the pad."""
        return sum(part.count for part in self.parts)

    @property
    def now(self) -> int:
        """The dice of the roll that is asked for."""
        return self.parts[0].count


def roll_to_throw(table: Table, battle: Battle, seat: str, alone: bool = False) -> Roll | None:
    """The dice that the table must throw, for whoever throws and for those who wait; `alone` foresees none."""
    waiting = table.game.waiting
    if waiting is None:
        return None
    mine = seat in (UMPIRE, waiting.seat, waiting.on_behalf)
    later = foreseen(table, waiting.seat, waiting.command, waiting.faces, waiting.asked) if mine and not alone else []
    command = json.dumps(waiting.command, separators=(",", ":")) if mine else ""
    return Roll(
        tuple(part(battle, asked) for asked in (waiting.asked, *later)),
        waiting.faces,
        command,
        mine,
        seat_name(battle, waiting.on_behalf or waiting.seat),
        " ".join(str(face) for face in waiting.faces),
    )


def part(battle: Battle, asked: Asked) -> Part:
    """One roll in words."""
    thrower = battle.ships.get(asked.about.get("ship", ""))
    side = thrower.side if thrower is not None else asked.about.get("side", "")
    who = _("Dice: %(side)s", side=side_name(battle, side)) if side in battle.sides else ""
    return Part(roll_title(battle, asked.rule, asked.about), meaning(battle, asked), asked.rule, len(asked.dice), who)


def meaning(battle: Battle, asked: Asked) -> str:
    """What the faces do; of shots on hexes with the range and the chance."""
    if asked.rule == "G5.2" and battle.has_places:
        ship, target = (battle.ships.get(asked.about.get(key, "")) for key in ("ship", "target"))
        weapon = asked.about.get("weapon", "")
        if ship is not None and target is not None and weapon in missiles.WEAPONS:
            return odds_hint.one_shot(weapon, missiles.range_between(battle, ship, target))
    return roll_meaning(asked.rule, asked.about)


def foreseen(table: Table, seat: str, raw: object, faces: Sequence[int], first: Asked) -> list[Asked]:
    """The rolls that follow whatever falls: those that all of `PATTERNS` ask for alike."""
    command = read(raw, table.system.command, "command")
    thrown = [fill(list(faces), first, pattern) for pattern in PATTERNS]
    found: list[Asked] = []
    while len(found) < FORESEEN:
        one, *others = [next_question(table, seat, command, each) for each in thrown]
        if one is None or any(each != one for each in others):
            break
        found.append(one)
        thrown = [fill(each, one, pattern) for each, pattern in zip(thrown, PATTERNS, strict=True)]
    return found


def fill(faces: list[int], asked: Asked, pattern: str) -> list[int]:
    """The faces so far and those of a roll, each the lowest or the highest that the die has."""
    return [
        *faces,
        *(sides if pattern[place % len(pattern)] == "h" else 1 for place, sides in enumerate(asked.dice, len(faces))),
    ]


def next_question(table: Table, seat: str, command: object, faces: Sequence[int]) -> Asked | None:
    """What the command asks for after these faces; None when nothing, or when they do not fit."""
    try:
        GALLEY.apply(table.state, seat, command, Dice(faces))
    except RollNeeded as need:
        return need.asked
    except (Illegal, BadFace):
        return None
    return None
