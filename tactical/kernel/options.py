"""What a game begins with: its options, and a scenario or a typed position."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, Protocol, TypeVar

import msgspec

import data
from tactical.kernel.house_rules import OPTION, HouseRules
from tactical.kernel.protocol import OptionInfo, ScenarioInfo
from tactical.kernel.record import BadInput, Input, Record, read

# -- Rule options: a table of data for what pages say of them, a record for what a game holds; one way to read them.

R = TypeVar("R", bound=Record)
H = TypeVar("H", bound=Input)


class OptionRow(Input, frozen=True):
    """A row of data/<system>/options.toml."""

    name: str
    rule: str
    meaning: str
    default: Any = None
    choices: tuple[Any, ...] = ()


class OptionTable(Input, frozen=True):
    """data/<system>/options.toml."""

    option: tuple[OptionRow, ...]


def infos(path: str) -> tuple[OptionInfo, ...]:
    """The options of a table, with their defaults, choices and meanings."""
    rows = data.read(path, OptionTable).option
    return tuple(OptionInfo(row.name, row.default, row.meaning, row.choices, row.rule) for row in rows)


def options_record(name: str, options: tuple[OptionInfo, ...], module: str) -> type[msgspec.Struct]:
    """A record with a field for each option that has choices; these and its default are the table's.

    Raises ValueError for a default that is not among the choices. `module` is where the record is to be found.
    """
    fields = []
    for option in options:
        if not option.choices:
            continue
        if option.default not in option.choices:
            raise ValueError(f"the default of the option {option.name} is not one of its choices")
        kind: Any = bool if isinstance(option.default, bool) else Literal[option.choices]
        fields.append((option.name, kind, option.default))
    return msgspec.defstruct(name, fields, bases=(Record,), module=module, frozen=True)


def complete(raw: Mapping[str, Any], kind: type[R], apart: Collection[str] = ()) -> R:
    """What was chosen, with the defaults of the rest; `apart` are names that are read elsewhere (house rules).

    Raises BadInput at `options.NAME` for a name that there is not and for a wrong value.
    """
    for name in raw:
        if name not in kind.__struct_fields__ and name not in apart:
            raise BadInput(f"options.{name}", "there is no such option")
    found: R = read({name: value for name, value in raw.items() if name not in apart}, kind, "options")
    return found


def choose_options(raw: Mapping[str, Any], kind: type[R], house: HouseRules[H]) -> tuple[R, H | None]:
    """The options of a new game, completed, and its house rules, if it has any. Raises BadInput as both do."""
    return complete(raw, kind, (OPTION,)), house.of(raw)


# -- Scenarios: one file each, and one way to choose between a scenario and a typed position.


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


def choose_scenario(found: Mapping[str, D], scenario: str | None, position: object) -> D | None:
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
