"""10.3.b, 10.4 The chance of each die of the interceptions that an answer declares."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from strategic.interception import chance
from strategic.sword_of_rome.rules.interception import modifier
from strategic.sword_of_rome.state import State


def chances(state: State, command: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """10.3.b, 10.4 The leader's tactics rating; one worse in an enemy's empty space. () for any other command."""
    if command["type"] != "declare" or state.reaction is None:
        return ()
    space = state.reaction.space
    return tuple(
        Fraction(*chance(state.leaders[each["leader"]].tactics, modifier(state, each["power"], space)))
        for each in command.get("intercepts", ())
    )
