"""G6 The ram's odds: damage with and without full speed, and the meeting bow to bow."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tactical.odds.answer_cache import with_memory
from tactical.odds.chance import SIDES, of_die, sort_keys
from tactical.odds.repair import after_turn
from tactical.rules.ramming import RAM, head_on, ram_damage
from tactical.ship import CREWS, TYPES

ZERO = Fraction(0)


@with_memory
def ram(type: str, full_speed: bool, hull_left: int, breaches: int, boarding: bool) -> dict[str, Any]:
    """G6.2, G6.5 The damage of one ram, and whether it sinks a target with so much hull left at once.

    `sunk_this_turn` adds the flooding at this turn's end, by the breach of the ram and those open before (G9.3).
    """
    modifier = TYPES[type].ram or 0
    damage = of_die(lambda face: ram_damage(face, modifier, full_speed))
    sunk = sum((p for points, p in damage.items() if points >= hull_left), ZERO)
    later = ZERO
    for points, p in damage.items():
        if points < hull_left:
            ends = after_turn({(breaches + RAM.breaches, points): Fraction(1)}, boarding)
            later += p * sum((q for (_, total), q in ends.items() if total >= hull_left), ZERO)
    return {"sunk": sunk, "sunk_this_turn": sunk + later, "damage": sort_keys(damage)}


@with_memory
def bow_to_bow(crew: str, enemy: str) -> dict[str, Any]:
    """G6.1 Bow to bow: a crew rams, is rammed, or both ram each other."""
    mine, theirs = CREWS[crew].rank, CREWS[enemy].rank
    each = Fraction(1, SIDES**2)
    faces = range(1, SIDES + 1)
    margins = [head_on(one, mine, other, theirs) for one in faces for other in faces]
    return {
        "rams": each * sum(margin > 0 for margin in margins),
        "rammed": each * sum(margin < 0 for margin in margins),
        "both": each * sum(margin == 0 for margin in margins),
    }
