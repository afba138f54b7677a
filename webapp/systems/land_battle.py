"""A battle on land by cards, as a panel: who fights, round by round, what each played, and the own cards with counts.

Whoever plays the land war on points fights alike; the views carry the battle in the same shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from strategic.point_to_point.tables import Leader
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.naming import say_value
from webapp.presenting.picture import BattleCard, BattlePanel, BattleSide, View

SIDES = ("rome", "carthage")


def panel(system: str, leaders: Callable[[View], Mapping[str, Leader]], view: View, seat: str) -> BattlePanel | None:
    """The battle that is being fought; None when there is none or the cards have not been dealt."""
    battle = view.get("battle")
    if not battle or not battle.get("hands"):
        return None
    sides = battle["attacker"], other(battle["attacker"])
    return BattlePanel(
        title=_("Battle at %(place)s", place=say_value(system, battle["space"])),
        rule="battle.1",
        round=int(battle.get("rounds") or 0) + 1,
        initiative=seat_word(battle["initiative"]),
        played=card_name(system, battle["played"]) if battle.get("played") else "",
        played_kind=str(battle.get("played") or ""),
        played_by=str(battle["initiative"]) if battle.get("played") else "",
        sides=tuple(_side(system, leaders(view), view, battle, side) for side in sides),
        own=_own(system, battle, seat),
        won=_("%(side)s has won the battle.", side=seat_word(battle["winner"])) if battle.get("winner") else "",
    )


def card_name(system: str, kind: str) -> str:
    """A battle card's kind."""
    return say_value(system, kind, "kind")


def other(side: str) -> str:
    """The other side."""
    return SIDES[1 - SIDES.index(side)]


def _side(system: str, leaders: Mapping[str, Leader], view: View, battle: Mapping[str, Any], side: str) -> BattleSide:
    commander = str((battle.get("commanders") or {}).get(side) or "")
    held = battle["hands"].get(side, ())
    shown = (battle.get("shown") or {}).get(side) or ()
    return BattleSide(
        side=side,
        name=seat_word(side),
        role=_("attacks") if battle["attacker"] == side else _("defends"),
        commander=say_value(system, commander) if commander else _("no general"),
        cards=held if isinstance(held, int) else len(held),
        rating=_("battle rating %(rating)s", rating=leaders[commander].battle) if commander in leaders else "",
        units=_units(view, battle, side),
        shown=tuple(card_name(system, kind) for kind in shown if isinstance(kind, str) and kind),
    )


def _units(view: View, battle: Mapping[str, Any], side: str) -> tuple[int, int] | None:
    """The units of a side that still fight, and those with which it began."""
    began = (battle.get("start") or {}).get(side)
    here = ((view.get("spaces") or {}).get(battle["space"]) or {}).get(side) or {}
    now = sum(int(here.get(kind) or 0) for kind in ("units", "elephants"))
    return (min(now, began), began) if isinstance(began, int) else None


def _own(system: str, battle: Mapping[str, Any], seat: str) -> tuple[BattleCard, ...]:
    """The seat's own cards by kind, the most of a kind first."""
    held = battle["hands"].get(seat)
    if not isinstance(held, list | tuple):
        return ()
    counted = Counter(kind for kind in held if isinstance(kind, str) and kind)
    return tuple(BattleCard(kind, card_name(system, kind), count) for kind, count in counted.most_common())
