"""L2.5.a Dice that lie on the table while a commander may have one thrown again: who is asked, and which are his."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactical.battle import Battle
from tactical.kernel.protocol import UMPIRE
from tactical.rules.rerolls import own_dice
from webapp.pages.battle.dice.roll_words import roll_meaning, roll_title
from webapp.pages.battle.orders.order_records import command_json
from webapp.presenting.battle_labels import side_name


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
