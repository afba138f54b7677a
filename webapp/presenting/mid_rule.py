"""Questions in mid-rule: pages show them before anything else, and a group may give them a shorter time than a turn."""

from __future__ import annotations

from typing import Any

from tactical.kernel import prompts
from tactical.kernel.protocol import BOTH, Prompt

STACKS = ("agenda", "pending")  # what the systems call their stack of questions
QUESTIONS = frozenset(  # prompts that are answered before anything else, whatever was tapped on the map
    (
        "attack",
        "avoid",
        "battle_events",
        "cancel",
        "command",
        "counter",
        "counter_attack",
        "elephants",
        "intercept",
        "intercepted",
        "join",
        "losses",
        "declare",
        "order",
        "permit",
        "avoid_to",
        "contest",
        "sea_roll",
        "battle",
        "match",
        "pursuit",
        "retreat",
        "take_initiative",
        "threat",
        "who_first",
        "manoeuvre",
        "engage",
        "regroup",
        "sea_pursuit",
        "hit",
        "shallows",
        "fair_wind",
        "prize_roll",
        "storm",
        "sea_intercept",
        "lookouts",
        "catcher",
        "turn_back",
        "after_sea",
        "hold_out",
        "freeze",
    )
)


def is_asked_in_mid_rule(state: Any, seat: str) -> bool:
    """Does an open prompt ask this seat something in mid-rule?"""
    pending = next((found for name in STACKS if (found := getattr(state, name, None))), ())
    stack = (pending,) if isinstance(pending, Prompt) else tuple(pending)
    return any(each.kind in QUESTIONS and each.seat in (seat, BOTH) for each in prompts.open_now(stack))
