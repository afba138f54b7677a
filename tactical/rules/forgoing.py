"""G3.0.a Steps that a side goes without: no fire, or no boarding, for the rest of the turn."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Forgo
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

STEPS = ("fire", "board")


def why_not_forgo(battle: Battle, command: Forgo) -> Illegal | None:
    """G3.0.a The word is given, or taken back, once."""
    forgoes = command.step in battle.sides[command.side].forgoes
    if forgoes and command.forgone:
        return Illegal("G3.0.a", "%(side)s %(side|has|have)s already forgone this step.", side=command.side)
    if not forgoes and not command.forgone:
        return Illegal("G3.0.a", "%(side)s %(side|has|have)s not forgone this step.", side=command.side)
    return None


def forgo(battle: Battle, command: Forgo, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G3.0.a The side counts as done in every such step of the turn, also in one that is under way.

    Taking the word back holds from the next such step on; the one under way stays done.
    """
    side = battle.sides[command.side]
    others = tuple(step for step in side.forgoes if step != command.step)
    said = msgspec.structs.replace(
        side,
        forgoes=tuple(sorted((*others, command.step))) if command.forgone else others,
        done=side.done or (command.forgone and battle.step == command.step),
    )
    told = event("G3.0.a", "forgo", side=command.side, step=command.step, forgone=command.forgone)
    return battle.with_side(command.side, said), (told,)
