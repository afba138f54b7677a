"""G10.1 Ending a battle by word: giving up, and agreeing to end it. Kept in the menu, away from a hasty thumb.

When one side has agreed, the question stands before the other on its page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactical.battle import Battle
from tactical.commands import Resign
from webapp.http.language import gettext as _
from webapp.pages.battle.orders.order_records import Action, Order, command_json
from webapp.pages.battle.orders.orders import cannot, why_not
from webapp.presenting.battle_labels import side_name


@dataclass(frozen=True)
class Closing:
    """What may be said about the end: who has agreed so far (names), giving up, and agreeing or taking it back."""

    agreed: tuple[str, ...] = ()
    resign: tuple[Order, ...] = ()
    agree: tuple[Action, ...] = ()


def closing(battle: Battle, sides: Sequence[str], may: bool) -> Closing:
    """The end as the seat of these sides may speak of it; nothing to press while it may not act."""
    if battle.is_over:
        return Closing()
    asks = tuple(side_name(battle, name) for name, side in battle.sides.items() if side.agreed)
    mine = [name for name in sides if not battle.sides[name].resigned] if may else []
    return Closing(asks, tuple(give_up(battle, side) for side in mine), tuple(word(battle, side) for side in mine))


def give_up(battle: Battle, side: str) -> Order:
    """G10.1 Giving up, or why it cannot be done: nobody resigns a battle of a campaign (L1.2)."""
    label = _("Give up for %(side)s", side=side_name(battle, side))
    wrong = why_not(battle, Resign(side))
    if wrong is not None:
        return cannot(battle, label, wrong)
    ask = _("This loses the battle at once for %(side)s. Really give up?", side=side_name(battle, side))
    return Action(label, command_json("resign", side=side), "G10.1", weight="danger", ask=ask)


def word(battle: Battle, side: str) -> Action:
    """G10.1 Agreeing to end the battle, or taking that word back."""
    if battle.sides[side].agreed:
        label = _("Take back the agreement of %(side)s", side=side_name(battle, side))
        return Action(label, command_json("agree", side=side, agreed=False), "G10.1")
    label = _("Agree for %(side)s to end the battle", side=side_name(battle, side))
    return Action(label, command_json("agree", side=side), "G10.1")
