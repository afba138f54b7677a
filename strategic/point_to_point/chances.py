"""The chance of the die that an interception or an avoidance by land brings (interception.2a, avoid.2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from strategic.interception import chance
from strategic.point_to_point.interception import intercept_modifier
from strategic.point_to_point.rulebook import Campaign, book_of
from strategic.point_to_point.survey import commander
from strategic.point_to_point.tables import as_side


def chances(state: Campaign, command: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """interception.2a, avoid.2 By the rating of their commander, for the side that is asked; () without a die."""
    if command["type"] not in ("intercept", "avoid"):
        return ()
    side = as_side(state.agenda[-1].seat)
    leader = commander(state, command["generals"]) or ""
    limit = book_of(state).limit(state, leader, command["type"], False)
    plus = intercept_modifier(state, side, state.marching().at) if command["type"] == "intercept" else 0
    return (Fraction(*chance(limit, plus)),)
