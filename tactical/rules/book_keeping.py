"""What the table keeps besides the rules: the umpire's hand, marks, levels, squadrons, ships on paper."""

from __future__ import annotations

from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.commands import Adjust, Finish, Mark, Paper, SetLevel, Squadron, Throw
from tactical.kernel import adjusting
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import BadInput, changed, plain
from tactical.open_position import measured_off
from tactical.position import check
from tactical.rules.boarding import board_targets
from tactical.rules.ending import over_the_edge
from tactical.rules.missiles import has_shot
from tactical.ship import FIGURES
from tactical.view import HIDDEN

MARKS = frozenset(
    (*FIGURES, "damage", "breaches", "repaired", "corvus", "oars_broken", "sprints", "speed", "status", "flagship",
     "captured_by", "facing", "at", "straight", "must_back", "boarding", "raked_by", "free_turn")
)  # fmt: skip
BATTLE_FIELDS = frozenset(("turn", "phase", "step", "board", "first", "turn_limit", "result", "options", "link"))


def adjust(battle: Battle, command: Adjust, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 The umpire sets any field, of one sheet or of several at once, with a reason; it must still be a position.

    Raises BadInput with the path for a field that does not exist or a contradiction, Illegal for an unknown ship.
    """

    def finish(after: Battle) -> Battle:
        return put_right(battle, after)

    try:
        return adjusting.adjust(battle, changes_of(battle, command), command.why, "G2.3", HIDDEN, check, finish)
    except BadInput as fault:
        raise BadInput(as_written(command, fault.path), fault.reason) from None


def as_written(command: Adjust, path: str) -> str:
    """G2.3 The path of a fault as it leads through the command."""
    for name in ("ship", "side"):
        owner = f"changes.{name}s.{getattr(command, name)}."
        if path.startswith(owner):
            return "changes." + path.removeprefix(owner)
    within = path.removeprefix("changes.")
    return within if within.startswith("ships.") and command.ships else path


def changes_of(battle: Battle, command: Adjust) -> dict[str, Any]:
    """G2.3 The changes by their whole paths: a ship's, a side's, several ships', or the battle's own."""
    changes: dict[str, Any] = {}
    for name, fields in command.ships.items():
        battle.ship(name)
        changes |= {f"ships.{name}.{field}": value for field, value in fields.items()}
    if command.ship is not None:
        battle.ship(command.ship)
        return changes | {f"ships.{command.ship}.{field}": value for field, value in command.changes.items()}
    if command.side is not None:
        battle.side(command.side)
        return changes | {f"sides.{command.side}.{field}": value for field, value in command.changes.items()}
    for path in command.changes:
        if path.split(".")[0] not in (*BATTLE_FIELDS, "ships", "sides"):
            raise BadInput(f"changes.{path}", "there is no such field; name a ship or a side for its own fields")
    return changes | command.changes


def put_right(before: Battle, after: Battle) -> Battle:
    """G7.2, L3.4 What follows when a hand took ships off the board: a wreck that nobody lies over, a side that fled."""
    after = measured_off(after, "changes.").surfaced()
    for name, ship in after.ships.items():
        if ship.status == "withdrawn" and name in before.ships and before.ships[name].is_afloat:
            after = over_the_edge(after, name)
    return after


def why_not_finish(battle: Battle, command: Finish) -> Illegal | None:
    """G3.0 Only a ship that could still fire or board can be done with."""
    ship = battle.ship(command.ship)
    if battle.sides[ship.side].done:
        return Illegal("G3.0", f"{ship.side} is done with this step.")
    able = has_shot(battle, ship) if battle.step == "fire" else next(board_targets(battle, command.ship, ship), None)
    return None if able else Illegal("G3.0", f"{command.ship} has nothing to do in this step.")


def finish(battle: Battle, command: Finish, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G3.0 The player wants nothing more of this ship in this step."""
    ship = msgspec.structs.replace(battle.ships[command.ship], finished=True)
    return battle.with_ship(command.ship, ship), (event("G3.0", "finish", ship=command.ship, step=battle.step),)


def why_not_mark(battle: Battle, command: Mark) -> Illegal | None:
    """G2.3 Sheets are marked by hand when the ship is kept on paper, or the battle is only recorded."""
    ship = battle.ship(command.ship)
    if battle.level != "record" and not ship.paper:
        return Illegal("G2.3", f"{command.ship}'s sheet is kept by the rules; only the umpire may adjust it.")
    if command.field not in MARKS:
        return Illegal("G2.3", f"{command.field!r} is not a box on the sheet.")
    return None


def mark(battle: Battle, command: Mark, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 One box on a sheet, marked by hand; a ship marked sunk leaves a wreck."""
    ship = battle.ships[command.ship]
    marked = changed({command.field: command.value}, ship, "value")
    for name in (*FIGURES, "damage", "breaches", "repaired", "sprints"):
        if getattr(marked, name) < 0:
            raise BadInput("value", f"{name} cannot be less than 0")
    happened = event(
        "G2.3", "mark", ship=command.ship, field=command.field, value=command.value,
        before=plain(getattr(ship, command.field)),
    )  # fmt: skip
    if ship.is_afloat and marked.status == "sunk":
        return battle.sunk(command.ship), (happened,)
    if ship.is_afloat and marked.status == "withdrawn":
        return put_right(battle, battle.with_ship(command.ship, marked.away("withdrawn"))), (happened,)
    return battle.with_ship(command.ship, marked), (happened,)


def why_not_throw(battle: Battle, command: Throw) -> Illegal | None:
    """G2.3 Dice without a rule only where no rule is enforced."""
    if battle.level != "record":
        return Illegal(
            "G2.3", "Dice are thrown by the rules here; free throws belong to a battle that is only recorded."
        )
    return None


def throw(battle: Battle, command: Throw, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 Dice that no rule asks for; the journal keeps what fell."""
    faces = dice.roll(command.count, 6, "G2.3", side=command.side)
    return battle, (event("G2.3", "throw", side=command.side, dice=list(faces), label=command.label),)


def level(battle: Battle, command: SetLevel, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 From now on the rules are enforced (adjudicate), shown (advise), or only sheets and dice kept (record)."""
    changed_level = msgspec.structs.replace(battle, level=command.level)
    return changed_level, (event("G2.3", "level", level=command.level, before=battle.level),)


def squadron(battle: Battle, command: Squadron, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.4 Ships grouped under a name, or released by an empty one."""
    name = command.name.strip() or None
    grouped = {ship_id: msgspec.structs.replace(battle.ship(ship_id), squadron=name) for ship_id in command.ships}
    return battle.with_ships(grouped), (event("G2.4", "squadron", ships=list(command.ships), name=name),)


def paper(battle: Battle, command: Paper, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 The ship's sheet is kept on paper from now on, or by the program again."""
    ship = msgspec.structs.replace(battle.ship(command.ship), paper=command.paper)
    return battle.with_ship(command.ship, ship), (event("G2.3", "paper", ship=command.ship, paper=command.paper),)
