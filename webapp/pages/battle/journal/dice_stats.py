"""Luck: what the dice brought against what they bring on average, by kind of roll and side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tactical.battle import Battle
from tactical.kernel.dice import Roll
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Event
from tactical.rules import boarding, end_of_turn
from tactical.rules.missiles import WEAPONS
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import side_name


@dataclass
class Luck:
    """One kind of roll by one side: dice thrown, what counts as success on average, and what came."""

    rule: str
    kind: str
    side: str
    dice: int = 0
    expected: float = 0.0
    actual: float = 0.0

    @property
    def better(self) -> float:
        """By how much it was better than the average; below 0 worse."""
        return self.actual - self.expected


def count_dice(battle: Battle, entries: Iterable[Entry]) -> list[Luck]:
    """All dice of the entries that stand, by kind and side. What a roll is worth is said by the rules' own tables."""
    found: dict[tuple[str, str], Luck] = {}
    for entry in entries:
        if entry.taken_back is not None:
            continue
        for roll in entry.rolls:
            side = side_of(battle, roll)
            if side is None:
                continue
            row = found.setdefault((roll.rule, side), Luck(roll.rule, kind_word(roll.rule), side_name(battle, side)))
            worth = [value(battle, roll, face, entry.events) for face in range(1, roll.sides + 1)]
            row.dice += len(roll.faces)
            row.expected += len(roll.faces) * sum(worth) / roll.sides
            row.actual += sum(worth[face - 1] for face in roll.faces)
    return sorted(found.values(), key=lambda row: (row.rule, row.side))


def side_of(battle: Battle, roll: Roll) -> str | None:
    """Whose dice they were."""
    if roll.about.get("side") in battle.sides:
        return roll.about["side"]
    ship = battle.ships.get(roll.about.get("ship", ""))
    return ship.side if ship is not None else None


def value(battle: Battle, roll: Roll, face: int, events: tuple[Event, ...]) -> float:
    """What a face of this roll is worth: kills and damage, a breach closed, a boarding, or its points."""
    if roll.rule == "G5.2":
        weapon = WEAPONS.get(roll.about.get("weapon", ""))
        effect = weapon.effect(range_of(roll, events), face) if weapon else None
        return effect.kills + effect.hull if effect else 0
    if roll.rule == "G8.1":
        return 1 if face in boarding.TABLE.board.succeeds else 0
    if roll.rule == "G8.3":
        return 1 if face in boarding.HITS.get(roll.about.get("figure", ""), ()) else 0
    if roll.rule == "G9.2":
        return 1 if face in end_of_turn.closes(in_fight(roll, events)) else 0
    return face


def range_of(roll: Roll, events: tuple[Event, ...]) -> int:
    """The range of a volley, from its event."""
    for happened in events:
        data = happened.data
        if happened.type == "fire" and all(
            data.get(key) == roll.about.get(key) for key in ("ship", "target", "weapon")
        ):
            return int(data["range"])
    return 1


def in_fight(roll: Roll, events: tuple[Event, ...]) -> bool:
    """Was a ship that repaired in a fight?"""
    return any(
        happened.type == "repair" and happened.data.get("ship") == roll.about.get("ship") and happened.data.get("fight")
        for happened in events
    )


def kind_word(rule: str) -> str:
    """A kind of roll."""
    known = {
        "G3.4": _("Initiative (points)"),
        "G5.2": _("Missiles (kills and damage)"),
        "G6.1": _("Bow to bow (points)"),
        "G6.2": _("Ram damage (points)"),
        "G8.1": _("Boarding (successes)"),
        "G8.3": _("Marines (kills)"),
        "G9.2": _("Repairs (breaches closed)"),
        "G2.3": _("Dice thrown outside the rules (points)"),
    }
    return known.get(rule, rule)
