"""L2.5.a The option commander_rerolls: a commander's rating is that many dice of his side thrown again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tactical.battle import Battle, Thrown
from tactical.commands import Keep, Reroll
from tactical.kernel.dice import Dice, Roll
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import plain

RULES = ("G6.1", "G6.2", "G8.1")  # bow to bow, ram, boarding
Carry = Callable[[Battle, Any, Dice], tuple[Battle, tuple[Event, ...]]]


class Recall(Dice):
    """Dice that lie on the table already; what is not among them is thrown by `dice`."""

    def __init__(self, lying: tuple[Roll, ...], dice: Dice) -> None:
        super().__init__()
        self._lying = list(lying)
        self._dice = dice

    def roll(self, count: int, sides: int, rule: str, **about: str) -> tuple[int, ...]:
        """The faces that lie there for this roll, or new ones."""
        for number, roll in enumerate(self._lying):
            if roll.rule == rule and roll.about == about and len(roll.faces) == count:
                self.rolls.append(self._lying.pop(number))
                return roll.faces
        faces = self._dice.roll(count, sides, rule, **about)
        if faces:
            self.rolls.append(self._dice.rolls[-1])
        return faces


def may_reroll(battle: Battle, rolls: tuple[Roll, ...]) -> tuple[str, ...]:
    """L2.5.a The sides that have a re-roll left, have used none this turn, and threw one of these dice."""
    link = battle.link
    if link is None or not link.rerolls:
        return ()
    threw = {battle.ships[roll.about["ship"]].side for roll in rolls if roll.rule in RULES}
    return tuple(
        side for side in sorted(threw) if link.rerolls.get(side, 0) > 0 and link.rerolled.get(side) != battle.turn
    )


def offer(battle: Battle, command: Any, seat: str, dice: Dice, carry: Carry) -> tuple[Battle, tuple[Event, ...]]:
    """L2.5.a Carry the command out; where a side may throw again, let the dice lie and ask it first."""
    after, events = carry(battle, command, dice)
    rolls = tuple(dice.rolls)
    waits = may_reroll(battle, rolls)
    if not waits:
        return after, events
    return lying(battle, plain(command), seat, rolls, waits), (dice_event(rolls),)


def lying(
    battle: Battle, command: dict[str, Any], seat: str, rolls: tuple[Roll, ...], waits: tuple[str, ...]
) -> Battle:
    """L2.5.a The dice lie on the table and somebody must answer."""
    return battle.but(thrown=Thrown(command, seat, rolls, waits))


def dice_event(rolls: tuple[Roll, ...]) -> Event:
    """L2.5.a What lies on the table; the first faces stay in the journal."""
    dice = [face for roll in rolls for face in roll.faces]
    return event("L2.5.a", "thrown", dice=dice, ships=[roll.about["ship"] for roll in rolls for _ in roll.faces])


def own_dice(battle: Battle, side: str) -> list[int]:
    """L2.5.a Which of the dice on the table the side may throw again."""
    assert battle.thrown is not None
    owners = [
        (roll.rule in RULES and battle.ships[roll.about["ship"]].side == side)
        for roll in battle.thrown.rolls
        for _ in roll.faces
    ]
    return [number for number, own in enumerate(owners) if own]


def why_not_answer(battle: Battle, command: Keep | Reroll) -> Illegal | None:
    """L2.5.a Only while dice lie there, only who is asked, only one of one's own dice."""
    if battle.thrown is None or command.side not in battle.thrown.waits:
        return Illegal("L2.5.a", "%(side)s %(side|has|have)s no dice on the table to decide about.", side=command.side)
    if isinstance(command, Reroll) and command.die not in own_dice(battle, command.side):
        return Illegal("L2.5.a", "Die %(die)s was not thrown by %(side)s.", die=command.die, side=command.side)
    return None


def dice_lie(thrown: Thrown) -> Illegal:
    """L2.5.a The refusal of everything else while dice lie on the table."""
    return Illegal(
        "L2.5.a",
        "%(waits)s must first keep the dice that were thrown or re-roll one of them.",
        waits=tuple(thrown.waits),
    )


def answer(
    battle: Battle, command: Keep | Reroll, ordered: Any, dice: Dice, carry: Carry
) -> tuple[Battle, tuple[Event, ...]]:
    """L2.5.a Keep, or throw one die again; when all have answered the command is carried out with what lies there.

    No answer is final before the last: who has kept the dice is asked anew when the other throws one of them again.
    """
    thrown = battle.thrown
    assert thrown is not None and battle.link is not None
    battle = battle.but(thrown=None)
    rolls, waits = thrown.rolls, tuple(side for side in thrown.waits if side != command.side)
    events: tuple[Event, ...] = ()
    if isinstance(command, Reroll):
        rolls, again = thrown_again(thrown.rolls, command.die, dice)
        events = (event("L2.5.a", "reroll", side=command.side, die=command.die, dice=[again]),)
        battle = spend(battle, command.side)
    recall = Recall(rolls, dice)
    after, done = carry(battle, ordered, recall)
    if isinstance(command, Reroll):
        waits = may_reroll(battle, tuple(recall.rolls))
    if waits:
        fresh = tuple(recall.rolls)
        return lying(battle, thrown.command, thrown.seat, fresh, waits), (*events, dice_event(fresh))
    return after, (*events, *done)


def thrown_again(rolls: tuple[Roll, ...], die: int, dice: Dice) -> tuple[tuple[Roll, ...], int]:
    """L2.5.a The rolls with one die thrown again, and its new face."""
    changed = list(rolls)
    for number, roll in enumerate(changed):
        if die < len(roll.faces):
            (again,) = dice.roll(1, roll.sides, roll.rule, **roll.about)
            faces = (*roll.faces[:die], again, *roll.faces[die + 1 :])
            changed[number] = msgspec.structs.replace(roll, faces=faces)
            return tuple(changed), again
        die -= len(roll.faces)
    raise LookupError("there is no such die")


def spend(battle: Battle, side: str) -> Battle:
    """L2.5.a One re-roll less, and none for the rest of this turn."""
    link = battle.link
    assert link is not None
    left = {**link.rerolls, side: link.rerolls[side] - 1}
    used = {**link.rerolled, side: battle.turn}
    return battle.but(link=msgspec.structs.replace(link, rerolls=left, rerolled=used))
