"""The sequence of play, from the engine's own: each step with its paragraph and the commands that it takes."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import Step, tag_of


class Box(NamedTuple):
    """One step: its name, its paragraph, and the commands that players give in it."""

    name: str
    rule: str
    commands: tuple[str, ...]


def play_box(system: str) -> tuple[Box, ...]:
    """The steps of a system's turn in which players give commands; none while its engine is not here."""
    steps = sequence(system).values()
    return tuple(Box(step.name, step.rule, tuple(map(tag_of, step.by_command))) for step in steps if step.actions)


def sequence(system: str) -> Mapping[str, Step[Any]]:
    """The engine's sequence by step name."""
    name = "tactical.sequence" if system == "galley" else f"strategic.{system}.sequence"
    try:
        found = importlib.import_module(name)
    except ModuleNotFoundError:
        return {}
    steps = getattr(found, "SEQUENCE", None)
    return steps.steps if isinstance(steps, Sequence) else {}
