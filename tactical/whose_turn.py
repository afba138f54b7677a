"""Who still has something to do in a step. `done`, `lock` and the offers all ask here."""

from __future__ import annotations

from tactical.battle import Battle
from tactical.commands import Done
from tactical.kernel.protocol import Illegal
from tactical.rules import contacts, linked, movement, plotting
from tactical.todo import is_busy, owes_step


def waiting_for(battle: Battle) -> tuple[str, ...]:
    """G3.0 The sides that have something to do now; worked out once for a battle."""
    derived = battle.derived
    found = derived.waits
    if found is None:
        found = derived.waits = tuple([side for side in battle.sides if has_something(battle, side)])
    return found


def has_something(battle: Battle, side: str) -> bool:
    """G3.0 Has the side anything to do in this step?"""
    step = battle.step
    if step == "over" or battle.has_resigned(side):
        return False
    if battle.thrown is not None:
        return side in battle.thrown.waits
    if step == "plot":
        return plotting.must_lock(battle, side) if linked.deploys(battle) is None else linked.deploys(battle) == side
    if step == "end":
        return linked.waits_for(battle, side)
    if step == "ram":
        return contacts.has_choice(battle, side)
    if step == "move" and not battle.has_places:
        return movement.has_steps(battle, side) or movement.may_be_done(battle, side)
    return (step == "move" or not battle.sides[side].done) and is_busy(battle, side)


def may_be_done(battle: Battle, side: str) -> bool:
    """G3.0, G4.3 May the side say `done` now? Not in the plot, where it says `lock`, nor while a step is due."""
    if linked.deploys(battle) is not None:
        return linked.deploys(battle) == side
    if battle.step == "plot" or side not in waiting_for(battle):
        return False
    if battle.step != "move":
        return True
    if battle.has_places:
        return not owes_step(battle, side)
    return not movement.has_steps(battle, side)


def is_open(battle: Battle) -> bool:
    """G3.0 Has any side anything to do in this plot, move, fire or board step?"""
    return bool(waiting_for(battle))


def why_not_done(battle: Battle, command: Done) -> Illegal | None:
    """G3.0, G4.3 A side is done once in a step, in which it has something to do, and never while a step is due."""
    side = command.side
    if may_be_done(battle, side):
        return None
    if linked.deploys(battle) is not None:
        return Illegal("L2.5", "%(side)s cannot deploy now.", side=side)
    if battle.step == "plot":
        return Illegal("G3.1", "The plot step ends when a side locks its plots.")
    if battle.step == "move":
        due = movement.to_step(battle, side)
        if due:
            return Illegal("G4.3", "A step is compulsory; these ships must still make one: %(list)s.", list=tuple(due))
        if not movement.may_move_now(battle, side):
            return Illegal(
                "G3.4",
                "%(first)s %(first|has|have)s the initiative and must move all %(first|its|their)s ships first.",
                first=battle.first,
            )
    if battle.sides[side].done:
        return Illegal("G3.0", "%(side)s %(side|is|are)s already done with this step.", side=side)
    return Illegal("G3.0", "%(side)s %(side|has|have)s nothing to decide in this step now.", side=side)
