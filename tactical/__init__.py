"""Single ships on hexes: the galley engine and the kernel that every engine shares."""

from __future__ import annotations

from typing import Any

import data
from tactical.battle import Battle
from tactical.commands import AnyCommand
from tactical.invariants import invariants
from tactical.kernel import engine
from tactical.kernel.protocol import OptionInfo
from tactical.kernel.record import Record
from tactical.kernel.vocabulary import declared
from tactical.position import check
from tactical.sequence import SEQUENCE
from tactical.setup import scenarios, start
from tactical.view import HIDDEN, view


class OptionRow(Record, frozen=True):
    """A row of data/galley/options.toml."""

    name: str
    default: Any
    choices: tuple[Any, ...]
    rule: str
    meaning: str


class OptionTable(Record, frozen=True):
    """data/galley/options.toml."""

    option: tuple[OptionRow, ...]


def option_infos() -> tuple[OptionInfo, ...]:
    """The rule options with their defaults and meanings."""
    rows = data.read("galley/options.toml", OptionTable).option
    return tuple(OptionInfo(row.name, row.default, row.meaning, row.choices, row.rule) for row in rows)


GALLEY = engine.system(
    SEQUENCE,
    name="galley",
    title="Galley tactics",
    version="2",
    state=Battle,
    command=AnyCommand,
    options=option_infos(),
    scenarios=scenarios,
    start=start,
    view=view,
    invariants=invariants,
    hidden=HIDDEN,
    events=declared("kernel", "galley"),
    check=check,
)
