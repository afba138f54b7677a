"""G3.0.a Holding fire, or boarding nobody, for the rest of the turn: the buttons that say so and take it back."""

from __future__ import annotations

from collections.abc import Sequence

from tactical.battle import Battle
from tactical.kernel.protocol import Offer
from tactical.ship import MOVEMENT
from webapp.http.language import gettext as _
from webapp.pages.battle.orders.order_records import Action, command_json
from webapp.presenting.battle_labels import side_name

STEPS = ("fire", "board")


def word(step: str) -> str:
    """What a side says."""
    return _("Hold fire this turn") if step == "fire" else _("Board no ship this turn")


def in_tray(battle: Battle, offers: Sequence[Offer]) -> list[Action]:
    """Beside `done`, while such a step may come again in this turn."""
    if battle.step not in STEPS or battle.phase is None or battle.phase >= MOVEMENT.phases:
        return []
    sides = [str(offer.fields["side"]) for offer in offers if offer.type == "done"]
    found = []
    for side in sides:
        said = word(battle.step) if len(sides) == 1 else f"{side_name(battle, side)}: {word(battle.step)}"
        found.append(Action(said, command_json("forgo", side=side, step=battle.step), "G3.0.a"))
    return found


def for_turn(battle: Battle, side: str) -> list[Action]:
    """What the side has said, to be taken back; in the plot also what it may say."""
    found = []
    for step in STEPS if not battle.is_over else ():
        said = step in battle.sides[side].forgoes
        if said or battle.step == "plot":
            command = command_json("forgo", side=side, step=step, forgone=not said)
            found.append(Action(word(step), command, "G3.0.a", pressed=said))
    return found
