"""What a side may say in Hannibal besides the land war: its siege table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strategic.hannibal.rules.siege_roll import siege_results
from strategic.hannibal.state import State
from webapp.presenting.picture import View
from webapp.systems import land_answers


def siege_read(state: State, general: str) -> tuple[tuple[int, int], ...]:
    """tables.siege Siege points and losses for each face, where the march stands."""
    return siege_results(state, general, state.marching().at)


OWN = {"besiege": land_answers.besieging(siege_read)}


def answer(view: View, command: Mapping[str, Any], state: State | None = None) -> str:
    """A command of Hannibal in words."""
    return land_answers.answer("hannibal", OWN, view, command, state)


def recount(command: Mapping[str, Any]) -> str:
    """A command of Hannibal that was given, in words; empty where these would need the position of that moment."""
    return answer({}, command)
