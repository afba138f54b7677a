"""`why_not` of rules that are written otherwise: as a check that raises, or as a deed that refuses on its way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import Illegal

S = TypeVar("S")


def by_check(check: Callable[..., object]) -> Callable[[S, Any], Illegal | None]:
    """`why_not` of a check that raises Illegal, for rules that are written so."""

    def why_not(state: S, command: Any) -> Illegal | None:
        try:
            check(state, command)
        except Illegal as wrong:
            return wrong
        return None

    return why_not


def by_attempt(do: Callable[[S, Any, Dice], object]) -> Callable[[S, Any], Illegal | None]:
    """`why_not` of a command that can only be judged by doing it, such as a path: whatever happens before its dice."""

    def why_not(state: S, command: Any) -> Illegal | None:
        try:
            do(state, command, Dice(secret=lambda sides: 1))
        except RollNeeded:
            return None
        except Illegal as wrong:
            return wrong
        return None

    return why_not
