"""Scenarios: one file each, and one way to choose between a scenario and a typed position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import data
from tactical.kernel.protocol import ScenarioInfo
from tactical.kernel.record import BadInput


class Described(Protocol):
    """What every scenario file says of itself."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def history(self) -> str: ...


D = TypeVar("D", bound=Described)


def read_all(folder: str, kind: type[D], order: Callable[[D], Any] = lambda scenario: scenario.id) -> dict[str, D]:
    """The scenario files of a folder of data, by id, in order."""
    found = [data.read(path, kind) for path in data.files(folder)]
    return {scenario.id: scenario for scenario in sorted(found, key=order)}


def describe(scenario: Described, sources: tuple[str, ...], sides: tuple[str, ...]) -> ScenarioInfo:
    """What pages show of a scenario."""
    return ScenarioInfo(scenario.id, scenario.title, scenario.history, sources, sides)


def choose(found: Mapping[str, D], scenario: str | None, position: object) -> D | None:
    """The scenario that was named; None when a position was given. BadInput unless it is one of the two."""
    if (scenario is None) == (position is None):
        raise BadInput("scenario", "give either a scenario or a position")
    if position is not None:
        return None
    if scenario is None or scenario not in found:
        raise BadInput(
            "scenario",
            "there is no scenario called %(scenario)s; the scenarios are %(known)s",
            scenario=repr(scenario),
            known=tuple(found),
        )
    return found[scenario]
