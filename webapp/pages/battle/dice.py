"""Dice: the pad for those that the game is waiting for, what they are for, and who throws them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Asked as DiceAsked
from tactical.kernel.dice import BadFace, Dice, RollNeeded
from tactical.kernel.protocol import UMPIRE, Illegal
from tactical.kernel.record import read
from tactical.rules import missiles
from tactical.rules.boarding import HITS
from tactical.rules.boarding import TABLE as BOARDING
from tactical.rules.end_of_turn import closes
from tactical.rules.linked import own_dice
from tactical.rules.ramming import RAM
from webapp.http.language import faces, with_sign
from webapp.http.language import gettext as _
from webapp.pages.battle import odds
from webapp.pages.battle.orders import command_json
from webapp.presenting.battle_labels import figure_word, seat_name, ship_name, side_name
from webapp.storage.journal.records import Table

# -- What a roll is for and what its faces do, as the table reads it before it throws.


def roll_title(battle: Battle, rule: str, about: Mapping[str, str]) -> str:
    """What a roll is for, as the table reads it before it throws."""
    ship = ship_name(battle, about.get("ship")) if about.get("ship") else ""
    target = ship_name(battle, about.get("target")) if about.get("target") else ""
    if rule == "G3.4":
        return _("Initiative of %(side)s", side=side_name(battle, about.get("side")))
    if rule == "G5.2":
        return _(
            "%(weapon)s of %(ship)s at %(target)s",
            weapon=figure_word(f"{about.get('weapon')}s").capitalize(),
            ship=ship,
            target=target,
        )
    if rule == "G6.1":
        return _("Bow to bow: %(ship)s", ship=ship)
    if rule == "G6.2":
        return _("Ram damage: %(ship)s at %(target)s", ship=ship, target=target)
    if rule == "G8.1":
        return _("%(ship)s boards %(target)s", ship=ship, target=target)
    if rule == "G8.3":
        return _("Fight: %(figure)s of %(ship)s", figure=figure_word(str(about.get("figure"))), ship=ship)
    if rule == "G9.2":
        return _("Repairs aboard %(ship)s", ship=ship)
    if rule == "G2.3":
        return _("Dice of %(side)s", side=side_name(battle, about.get("side")))
    return " ".join(about.values()) or rule


def roll_meaning(rule: str, about: Mapping[str, str]) -> str:
    """What the faces of a roll do, in a line; the tables are in the reference."""
    known = {
        "G3.4": _("the lower roll moves first"),
        "G6.1": _("the higher roll rams; the better crew adds %(more)s", more=RAM.better_crew),
        "G6.2": _("the die, the type's ram modifier, %(more)s at full speed", more=with_sign(RAM.full_speed)),
        "G8.1": _("she boards on %(faces)s", faces=faces(BOARDING.board.succeeds)),
        "G9.2": _(
            "a breach is closed on %(faces)s, in a fight only on %(fight)s",
            faces=faces(closes(in_fight=False)),
            fight=faces(closes(in_fight=True)),
        ),
    }
    if rule == "G8.3":
        hits = HITS.get(str(about.get("figure")), ())
        return _("kills one enemy on %(faces)s", faces=faces(hits)) if hits else ""
    return known.get(rule, "")


def head_on_sums(battle: Battle, it: Mapping[str, Any]) -> str:
    """G6.1 The two sums of a meeting bow to bow, as a sentence to follow; empty where the event does not hold them."""
    rolled_by, dice = tuple(it.get("rolled_by") or ()), tuple(it.get("dice") or ())
    if len(rolled_by) != 2 or len(dice) != 2 or "margin" not in it:
        return ""
    more = int(it["margin"]) - (dice[0] - dice[1])  # above 0 the first has the better rowers, below 0 the other
    said = []
    bonus = (max(0, more), max(0, -more))
    for name, face, own in zip(rolled_by, dice, bonus, strict=True):
        ship = ship_name(battle, name)
        words = _(
            "%(ship)s %(face)s + %(more)s (better rowers) = %(sum)s", ship=ship, face=face, more=own, sum=face + own
        )
        said.append(words if own else f"{ship} {face}")
    return f" {', '.join(said)}."


# -- Dice that are awaited: one pad for all that a command will ask for, with what hits and who throws.
#
# What comes after the roll that is asked for is foreseen by trying the command with low and high faces, all alike and
# in
# turn: what they all ask for, the table may throw at once.

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


def part(battle: Battle, asked: DiceAsked) -> Part:
    """One roll in words."""
    thrower = battle.ships.get(asked.about.get("ship", ""))
    side = thrower.side if thrower is not None else asked.about.get("side", "")
    who = _("Dice: %(side)s", side=side_name(battle, side)) if side in battle.sides else ""
    return Part(roll_title(battle, asked.rule, asked.about), meaning(battle, asked), asked.rule, len(asked.dice), who)


def meaning(battle: Battle, asked: DiceAsked) -> str:
    """What the faces do; of shots on hexes with the range and the chance."""
    if asked.rule == "G5.2" and battle.has_places:
        ship, target = (battle.ships.get(asked.about.get(key, "")) for key in ("ship", "target"))
        weapon = asked.about.get("weapon", "")
        if ship is not None and target is not None and weapon in missiles.WEAPONS:
            return odds.one_shot(weapon, missiles.range_between(battle, ship, target))
    return roll_meaning(asked.rule, asked.about)


def foreseen(table: Table, seat: str, raw: object, faces: Sequence[int], first: DiceAsked) -> list[DiceAsked]:
    """The rolls that follow whatever falls: those that all of `PATTERNS` ask for alike."""
    command = read(raw, table.system.command, "command")
    thrown = [fill(list(faces), first, pattern) for pattern in PATTERNS]
    found: list[DiceAsked] = []
    while len(found) < FORESEEN:
        one, *others = [next_question(table, seat, command, each) for each in thrown]
        if one is None or any(each != one for each in others):
            break
        found.append(one)
        thrown = [fill(each, one, pattern) for each, pattern in zip(thrown, PATTERNS, strict=True)]
    return found


def fill(faces: list[int], asked: DiceAsked, pattern: str) -> list[int]:
    """The faces so far and those of a roll, each the lowest or the highest that the die has."""
    return [
        *faces,
        *(sides if pattern[place % len(pattern)] == "h" else 1 for place, sides in enumerate(asked.dice, len(faces))),
    ]


def next_question(table: Table, seat: str, command: object, faces: Sequence[int]) -> DiceAsked | None:
    """What the command asks for after these faces; None when nothing, or when they do not fit."""
    try:
        GALLEY.apply(table.state, seat, command, Dice(faces))
    except RollNeeded as need:
        return need.asked
    except (Illegal, BadFace):
        return None
    return None


# -- L2.5.a Dice that lie on the table while a commander may have one thrown again: who is asked, and which are his.


@dataclass(frozen=True)
class Die:
    """A die as it lies: its face, and the command that throws it again, for its own side."""

    face: int
    again: str


@dataclass(frozen=True)
class Lying:
    """One roll on the table."""

    title: str
    meaning: str
    rule: str
    dice: tuple[Die, ...]


@dataclass(frozen=True)
class Asked:
    """A side that may keep the dice or throw one again."""

    side: str
    name: str
    left: int
    keep: str
    rolls: tuple[Lying, ...]
    mine: bool


def rerolls(battle: Battle, seat: str) -> tuple[Asked, ...]:
    """L2.5.a Every side that has not answered yet; to others only that it is waited for."""
    if battle.thrown is None or battle.link is None:
        return ()
    return tuple(_reroll(battle, side, seat in (side, UMPIRE)) for side in battle.thrown.waits)


def _reroll(battle: Battle, side: str, mine: bool) -> Asked:
    assert battle.thrown is not None and battle.link is not None
    own: Sequence[int] = own_dice(battle, side)
    number, rolls = 0, []
    for roll in battle.thrown.rolls:
        dice = []
        for face in roll.faces:
            dice.append(Die(face, command_json("reroll", side=side, die=number) if number in own and mine else ""))
            number += 1
        title, meaning = roll_title(battle, roll.rule, roll.about), roll_meaning(roll.rule, roll.about)
        rolls.append(Lying(title, meaning, roll.rule, tuple(dice)))
    left = battle.link.rerolls.get(side, 0)
    return Asked(side, side_name(battle, side), left, command_json("keep", side=side), tuple(rolls), mine)
