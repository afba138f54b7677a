"""Punic Wars: combat by ratio, and attrition, as points lost."""

from __future__ import annotations

from typing import Any

from strategic.punic_wars.rules.combat import ratio
from strategic.punic_wars.tables import PRINTED
from tactical.kernel.protocol import Illegal
from tactical.odds.calculator import Calculator, Field
from tactical.odds.chance import map_outcomes, mean, of_die, sort_keys

MODIFIER = Field("modifier", "count", 0, low=-9, high=9)
MOST = 99


def combat(attackers: int, defenders: int, modifier: int) -> dict[str, Any]:
    """9.25, 9.31 One attack: points that both sides lose. `modifier` is the leader's value less the defender's and
    the walls' (9.21 to 9.27). Illegal below 1:2 (9.32).
    """
    column = ratio(attackers, defenders)
    if column is None:
        raise Illegal(
            "9.32",
            "%(attackers)s %(attackers|point|points)s against %(defenders)s: that ratio is less than 1:2.",
            attackers=attackers,
            defenders=defenders,
        )

    def lost(face: int) -> tuple[int, int]:
        mine, theirs = PRINTED.combat.losses(column, face + modifier)
        return PRINTED.loss.points(attackers, mine), PRINTED.loss.points(defenders, theirs)

    both = of_die(lost)
    own, enemy = map_outcomes(both, lambda each: each[0]), map_outcomes(both, lambda each: each[1])
    return {
        "ratio": column,
        "attacker_loses": sort_keys(own),
        "defender_loses": sort_keys(enemy),
        "mean_attacker_loses": mean(own),
        "mean_defender_loses": mean(enemy),
    }


def attrition(points: int, modifier: int) -> dict[str, Any]:
    """11.0, 11.4 One attrition roll: points lost. `modifier` is the leader's value and what the cause adds."""
    lost = of_die(lambda face: PRINTED.loss.points(points, PRINTED.attrition.percent(face + modifier)))
    return {"losses": sort_keys(lost), "mean_losses": mean(lost)}


CALCULATORS: tuple[Calculator, ...] = (
    Calculator(
        "combat",
        "punic_wars",
        ("9.25", "9.31", "9.4"),
        (
            Field("attackers", "count", low=1, high=MOST, example="12"),
            Field("defenders", "count", low=1, high=MOST, example="5"),
            MODIFIER,
        ),
        combat,
        "attackers=12&defenders=5&modifier=1",
    ),
    Calculator(
        "attrition",
        "punic_wars",
        ("11.0", "11.4"),
        (Field("points", "count", low=1, high=MOST, example="10"), MODIFIER),
        attrition,
        "points=10&modifier=1",
    ),
)
