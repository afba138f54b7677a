"""Single ships on hexes: the galley engine and the kernel that every engine shares."""

from __future__ import annotations

from typing import Any

import data
from tactical.battle import Battle
from tactical.commands import AnyCommand
from tactical.invariants import invariants
from tactical.kernel.protocol import OptionInfo, System
from tactical.kernel.record import Record
from tactical.offers import offers
from tactical.position import check
from tactical.sequence import apply
from tactical.setup import scenarios, start
from tactical.view import HIDDEN, view
from tactical.whose_turn import waiting_for


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


GALLEY = System(
    name="galley",
    title="Galley tactics",
    version="2",
    state=Battle,
    command=AnyCommand,
    options=option_infos(),
    scenarios=scenarios,
    start=start,
    offers=offers,
    apply=apply,
    view=view,
    waiting_for=waiting_for,
    sides=lambda battle: tuple(battle.sides),
    is_over=lambda battle: battle.is_over,
    invariants=invariants,
    hidden=HIDDEN,
    check=check,
)
