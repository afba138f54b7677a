"""The sequence of play, from the engine's own: each step with its paragraph and the commands that it takes."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import tag_of
from tactical.sequence import SEQUENCE


class Box(NamedTuple):
    """One step: its name, its paragraph, and the commands that players give in it."""

    name: str
    rule: str
    commands: tuple[str, ...]


def play_box(system: str) -> tuple[Box, ...]:
    """The steps of a system's turn; none while its engine is not here."""
    return tuple(
        Box(step.name, step.rule, tuple(tag_of(kind) for kind in taken_by(step)))
        for step in sequence(system).values()
    )


def taken_by(step: Any) -> Iterable[type]:
    """The types of the commands that a step takes."""
    taken: Iterable[type] = step.handlers if hasattr(step, "handlers") else step.by_command
    return taken


def sequence(system: str) -> dict[str, Any]:
    """The engine's sequence by step name."""
    if system == "galley":
        return SEQUENCE
    name = f"strategic.{system}.sequence"
    try:
        found = importlib.import_module(name)
    except ModuleNotFoundError:
        return {}
    steps = getattr(found, "SEQUENCE", {})
    if isinstance(steps, Sequence):
        return {name: step for name, step in steps.steps.items() if step.actions}
    return steps if isinstance(steps, dict) and all(hasattr(step, "handlers") for step in steps.values()) else {}
