"""A battle on land by cards, as a panel: who fights, round by round, what each played, and the own cards with counts.

Whoever plays the land war on points fights alike; the views carry the battle in the same shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_said
from webapp.presenting.naming import said
from webapp.presenting.picture import BattleCard, BattlePanel, BattleSide, View

SIDES = ("rome", "carthage")


def panel(system: str, view: View, seat: str) -> BattlePanel | None:
    """The battle that is being fought; None when there is none or the cards have not been dealt."""
    battle = view.get("battle")
    if not battle or not battle.get("hands"):
        return None
    return BattlePanel(
        title=_("Battle at %(place)s", place=said(system, battle["space"])),
        rule="battle.1",
        round=int(battle.get("rounds") or 0) + 1,
        initiative=seat_said(battle["initiative"]),
        played=card_said(system, battle["played"]) if battle.get("played") else "",
        sides=tuple(_side(system, battle, side) for side in SIDES),
        own=_own(system, battle, seat),
        won=_("%(side)s has won the battle.", side=seat_said(battle["winner"])) if battle.get("winner") else "",
    )


def card_said(system: str, kind: str) -> str:
    """A battle card's kind."""
    return said(system, kind, "kind")


def _side(system: str, battle: Mapping[str, Any], side: str) -> BattleSide:
    commander = (battle.get("commanders") or {}).get(side)
    held = battle["hands"].get(side, ())
    shown = (battle.get("shown") or {}).get(side) or ()
    return BattleSide(
        side=side,
        name=seat_said(side),
        role=_("attacks") if battle["attacker"] == side else _("defends"),
        commander=said(system, commander) if commander else _("no general"),
        cards=held if isinstance(held, int) else len(held),
        shown=tuple(card_said(system, kind) for kind in shown if isinstance(kind, str) and kind),
    )


def _own(system: str, battle: Mapping[str, Any], seat: str) -> tuple[BattleCard, ...]:
    """The seat's own cards by kind, the most of a kind first."""
    held = battle["hands"].get(seat)
    if not isinstance(held, list | tuple):
        return ()
    counted = Counter(kind for kind in held if isinstance(kind, str) and kind)
    return tuple(BattleCard(kind, card_said(system, kind), count) for kind, count in counted.most_common())
