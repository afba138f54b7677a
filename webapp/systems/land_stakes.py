"""battle.5 The coming battle of a land war in words: the cards that each side would hold, and what they are for."""

from __future__ import annotations

from typing import Any

from flask_babel import lazy_gettext as _l
from flask_babel import ngettext

from strategic.point_to_point.battle_ahead import HandAhead, hands_here
from webapp.http.language import gettext as _
from webapp.http.signs import signed
from webapp.presenting.campaign_labels import Words, seat_word

PARTS: Words = {
    "commander": _l("general"),
    "units": _l("units"),
    "interception": _l("interception"),
    "failed_avoid": _l("failed to avoid"),
    "latium": _l("Latium"),
    "tribe": _l("tribe"),
    "allies": _l("allied provinces"),
}


def hands_said(hands: tuple[HandAhead, HandAhead] | None) -> tuple[str, ...]:
    """The hands of attacker and defender in words; nothing where it does not come to battle."""
    if hands is None:
        return ()
    told = [
        _(
            "%(side)s %(cards)s (%(parts)s)",
            side=seat_word(hand.side),
            cards=ngettext("%(num)d battle card", "%(num)d battle cards", hand.cards),
            parts=", ".join(f"{PARTS.get(name, name)} {signed(count)}" for name, count in hand.parts.items()),
        )
        for hand in hands
    ]
    return (_("In a battle: %(attacker)s against %(defender)s.", attacker=told[0], defender=told[1]),)


def stakes(state: Any, seat: str) -> tuple[str, ...]:
    """The battle that the open question decides about."""
    return hands_said(hands_here(state)) if state.agenda else ()
