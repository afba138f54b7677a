"""The Sword of Rome: five powers, contested seas, interception. The fragment is enforced; the rest is by hand."""

from __future__ import annotations

from typing import Any

import data
from strategic.sword_of_rome.commands import AnyCommand
from strategic.sword_of_rome.invariants import invariants, waiting_for
from strategic.sword_of_rome.offers import offers
from strategic.sword_of_rome.sequence import apply
from strategic.sword_of_rome.setup import scenarios, start
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import SEATS, SYSTEM
from strategic.sword_of_rome.view import view
from tactical.kernel.play import OptionInfo, System
from tactical.kernel.record import Input


class OptionRow(Input, frozen=True):
    """A row of data/sword_of_rome/options.toml."""

    name: str
    default: Any
    rule: str
    meaning: str
    choices: tuple[Any, ...] = ()


class OptionTable(Input, frozen=True):
    """data/sword_of_rome/options.toml."""

    option: tuple[OptionRow, ...]


def option_infos() -> tuple[OptionInfo, ...]:
    """The rule options with their defaults and meanings."""
    rows = data.read("sword_of_rome/options.toml", OptionTable).option
    return tuple(OptionInfo(row.name, row.default, row.meaning, row.choices, row.rule) for row in rows)


SWORD_OF_ROME = System(
    name=SYSTEM,
    title="The Sword of Rome",
    version="1",
    state=State,
    command=AnyCommand,
    options=option_infos(),
    scenarios=scenarios,
    start=start,
    offers=offers,
    apply=apply,
    view=view,
    waiting_for=waiting_for,
    sides=lambda state: tuple(SEATS),
    is_over=lambda state: state.is_over,
    invariants=invariants,
)
