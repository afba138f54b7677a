"""8.2.d, 22.2.a The goals of Hamilcar besides the land war: supply trains that come, and those that are given up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from webapp.http.language import gettext as _
from webapp.systems import land_goals
from webapp.systems.goal_answers import Command, Naming

SYSTEM = "hamilcar"


def train(state: Any, command: Command) -> str:
    """A supply train outside or inside the walls."""
    return _("Supply train within the walls") if command["inside"] else _("Supply train")


def follow_spending(state: Any, command: Command) -> tuple[str, ...]:
    """22.2.a Who stands where the train is given up."""
    return land_goals.standing(SYSTEM, state, state.agenda[-1].seat, command["space"])


NAMINGS: Mapping[str, Naming] = {
    "supply": Naming("at", ("inside",), train, follows=partial(land_goals.follow_placing, SYSTEM)),
    "spend_train": Naming("space", ("inside",), train, follows=follow_spending),
}
answer_goals = partial(land_goals.answer_goals, SYSTEM, NAMINGS)
