"""11.6.2 The chance of each die of an interception at sea; by land as in the shared land war."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from strategic.hamilcar.rules.sea_interception import modifier
from strategic.hamilcar.state import State
from strategic.interception import chance
from strategic.point_to_point.chances import chances as by_land
from strategic.point_to_point.survey import rating
from strategic.point_to_point.tables import as_side


def chances(state: State, command: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """11.6.2, 11.6.2.a The battle rating of each general who tries; the corvus hampers Rome."""
    if command["type"] != "sea_intercept":
        return by_land(state, command)
    plus = modifier(state, as_side(state.agenda[-1].seat))
    return tuple(Fraction(*chance(rating(state, each["general"]), plus)) for each in command.get("tries", ()))
