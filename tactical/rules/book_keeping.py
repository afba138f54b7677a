"""What the table keeps besides the rules: the umpire's hand, marks, levels, squadrons, ships on paper."""

from __future__ import annotations

from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.commands import Adjust, Finish, Mark, Paper, SetLevel, Squadron, Throw
from tactical.kernel import corrections
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import BadInput, Reason, change, plain
from tactical.offers import HIDDEN
from tactical.position import check, check_type, measured_off
from tactical.rules.boarding import board_targets
from tactical.rules.ending import over_the_edge
from tactical.rules.missiles import has_shot
from tactical.ship import FIGURES, Ship, maximum, plot_range

MARKS = frozenset(
    (
        *FIGURES,
        "damage",
        "breaches",
        "repaired",
        "corvus",
        "oars_broken",
        "sprints",
        "speed",
        "status",
        "flagship",
        "captured_by",
        "facing",
        "at",
        "straight",
        "must_back",
        "boarding",
        "raked_by",
        "free_turn",
    )
)
BATTLE_FIELDS = frozenset(
    ("turn", "phase", "step", "board", "first", "turn_limit", "result", "options", "link", "types")
)


def adjust(battle: Battle, command: Adjust, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 The umpire sets any field, of one sheet or of several at once, with a reason; it must still be a position.

    Raises BadInput with the path for a field that does not exist or a contradiction, Illegal for an unknown ship.
    """

    def finish(after: Battle) -> Battle:
        return put_right(battle, after)

    try:
        return corrections.adjust(battle, changes_of(battle, command), command.why, "G2.3", HIDDEN, check, finish)
    except BadInput as fault:
        raise BadInput(own_path(command, fault.path), fault.why) from None


def own_path(command: Adjust, path: str) -> str:
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
            raise BadInput(
                f"changes.{path}",
                "there is no such field; to change a field of a ship or a side, name that ship or side",
            )
    return changes | command.changes


def put_right(before: Battle, after: Battle) -> Battle:
    """G7.2, L3.4 What follows when a hand took ships off the board: a wreck that nobody lies over, a side that fled.

    Raises BadInput for a ship of a type that is not there, or is not there any more.
    """
    for name, ship in after.ships.items():
        check_type(after, ship, f"changes.ships.{name}")
    after = measured_off(after, "changes.").surfaced().standing(before.stands and after.step == before.step)
    for name, ship in after.ships.items():
        if ship.status == "withdrawn" and name in before.ships and before.ships[name].is_afloat:
            after = over_the_edge(after, name)
    return after


def why_not_finish(battle: Battle, command: Finish) -> Illegal | None:
    """G3.0 Only a ship that could still fire or board can be done with."""
    ship = battle.ship(command.ship)
    if battle.sides[ship.side].done:
        return Illegal("G3.0", "%(side)s %(side|is|are)s done with this step.", side=ship.side)
    able = has_shot(battle, ship) if battle.step == "fire" else next(board_targets(battle, command.ship, ship), None)
    return None if able else Illegal("G3.0", "%(ship)s has nothing to do in this step.", ship=command.ship)


def finish(battle: Battle, command: Finish, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G3.0 The player wants nothing more of this ship in this step."""
    ship = msgspec.structs.replace(battle.ships[command.ship], finished=True)
    return battle.with_ships({command.ship: ship}), (event("G3.0", "finish", ship=command.ship, step=battle.step),)


def why_not_mark(battle: Battle, command: Mark) -> Illegal | None:
    """G2.3 Sheets are marked by hand when the ship is kept on paper, or the battle is only recorded."""
    ship = battle.ship(command.ship)
    if battle.level != "record" and not ship.paper:
        return Illegal(
            "G2.3", "%(ship)s's sheet is kept by the program; only the umpire may adjust it.", ship=command.ship
        )
    if command.field not in MARKS:
        return Illegal("G2.3", "%(field)s is not a box on the sheet.", field=repr(command.field))
    return None


def mark(battle: Battle, command: Mark, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 One box on a sheet, marked by hand, with what follows from it: what is left is a position.

    Raises BadInput for a mark that contradicts the sheet, the board or another ship.
    """
    ship = battle.ships[command.ship]
    marked = change({command.field: command.value}, ship, "value")
    for name in (*FIGURES, "damage", "breaches", "repaired", "sprints"):
        if getattr(marked, name) < 0:
            raise BadInput("value", "%(name)s cannot be less than 0", name=name)
    happened = event(
        "G2.3",
        "mark",
        ship=command.ship,
        field=command.field,
        value=command.value,
        before=plain(getattr(ship, command.field)),
    )
    after = follow_up(battle, command.ship, ship, marked)
    wrong = contradiction(after)
    if wrong is not None and contradiction(battle) is None:
        raise BadInput("value", wrong)
    return after, (happened,)


def follow_up(battle: Battle, name: str, ship: Ship, marked: Ship) -> Battle:
    """G2.3 A hull marked full is sunk, a captor marked makes a prize, and a fight stands on two sheets or on none."""
    if ship.is_afloat and (marked.status == "sunk" or (marked.is_afloat and marked.damage >= battle.kind(ship).hull)):
        free = msgspec.structs.replace(marked, status="afloat", boarding=None)
        return unfought(battle.with_ship(name, free), ship).sunk(name)
    if ship.is_afloat and marked.status == "withdrawn":
        return put_right(battle, unfought(battle.with_ship(name, marked.away("withdrawn")), ship))
    if marked.captured_by != ship.captured_by:
        marked = msgspec.structs.replace(marked, status="captured" if marked.captured_by else "afloat")
    elif marked.status != ship.status:
        others = [side for side in battle.sides if side != ship.side]
        captor = others[0] if marked.is_prize and len(others) == 1 else None
        marked = msgspec.structs.replace(marked, captured_by=captor)
    if marked.is_prize and not ship.is_prize:
        marked = msgspec.structs.replace(marked, boarding=None, speed=0, plot=None, contact=None)
    after = battle.with_ship(name, marked)
    if marked.boarding == ship.boarding:
        return after
    after = unfought(after, ship)
    boarded = battle.ships.get(marked.boarding or "")
    if boarded is None or boarded.boarding is not None or marked.boarding == name:
        return after
    return after.with_ship(str(marked.boarding), msgspec.structs.replace(boarded, boarding=marked.boarding))


def unfought(battle: Battle, ship: Ship) -> Battle:
    """G8.2 The fight that a ship has left: over for all when she was the boarded one, or the last to board."""
    target = ship.boarding
    if target is None:
        return battle
    left = {name: each for name, each in battle.ships.items() if each.boarding == target}
    if target in left and any(name != target for name in left):
        return battle
    return battle.with_ships({name: msgspec.structs.replace(each, boarding=None) for name, each in left.items()})


def contradiction(battle: Battle) -> Reason | None:
    """G2.3 What the position check says against a battle; None when it stands."""
    try:
        check(battle)
    except BadInput as fault:
        return fault.why
    return None


def why_not_throw(battle: Battle, command: Throw) -> Illegal | None:
    """G2.3 Dice without a rule only where no rule is enforced."""
    if battle.level != "record":
        return Illegal(
            "G2.3",
            "In this battle dice are thrown when a rule asks for them; "
            "other throws are possible only in a battle that is merely recorded.",
        )
    return None


def throw(battle: Battle, command: Throw, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 Dice that no rule asks for; the journal keeps what fell."""
    faces = dice.roll(command.count, 6, "G2.3", side=command.side)
    return battle, (event("G2.3", "throw", side=command.side, dice=list(faces), label=command.label),)


def level(battle: Battle, command: SetLevel, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 From now on the rules are enforced (adjudicate), shown (advise), or only sheets and dice kept (record).

    Where they are enforced again, plots that they forbid are rubbed out, and their sides plot those ships anew.
    """
    changed_level = battle.but(level=command.level)
    happened = event("G2.3", "level", level=command.level, before=battle.level)
    if command.level == "adjudicate":
        changed_level = changed_level.with_ships(slow_down(changed_level))
    if command.level != "adjudicate" or battle.step != "plot":
        return changed_level, (happened,)
    forbidden = {name: ship for name, ship in battle.ships.items() if ship.is_afloat and not may_plot(battle, ship)}
    again = {ship.side for ship in forbidden.values()}
    sides = {
        name: msgspec.structs.replace(side, locked=False) if name in again else side
        for name, side in battle.sides.items()
    }
    rubbed = {name: msgspec.structs.replace(changed_level.ships[name], plot=None) for name in forbidden}
    return msgspec.structs.replace(changed_level.with_ships(rubbed), sides=sides), (happened,)


def slow_down(battle: Battle) -> dict[str, Ship]:
    """G3.3 The ships that a player insisted to row faster than they can, at their maximum."""
    found = {}
    for name, ship in battle.ships.items():
        most = maximum(battle.kind(ship), ship)
        if ship.speed > most or (ship.plot or 0) > most + 1:
            plot = ship.plot if ship.plot is None else min(ship.plot, most)
            found[name] = msgspec.structs.replace(ship, speed=min(ship.speed, most), plot=plot)
    return found


def may_plot(battle: Battle, ship: Ship) -> bool:
    """G3.1 Is her plot, if she has one, within her range?"""
    low, high = plot_range(battle.kind(ship), ship, battle.options.sprint)
    return ship.plot is None or low <= ship.plot <= high


def squadron(battle: Battle, command: Squadron, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.4 Ships grouped under a name, or released by an empty one."""
    name = command.name.strip() or None
    grouped = {ship_id: msgspec.structs.replace(battle.ship(ship_id), squadron=name) for ship_id in command.ships}
    return battle.with_ships(grouped), (event("G2.4", "squadron", ships=list(command.ships), name=name),)


def paper(battle: Battle, command: Paper, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G2.3 The ship's sheet is kept on paper from now on, or by the program again."""
    ship = msgspec.structs.replace(battle.ship(command.ship), paper=command.paper)
    return battle.with_ship(command.ship, ship), (event("G2.3", "paper", ship=command.ship, paper=command.paper),)
