"""The rule options of a battle; data/galley/options.toml alone has their choices and defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactical.kernel.options import infos, options_record
from tactical.kernel.record import Record

OPTIONS = infos("galley/options.toml")

if TYPE_CHECKING:

    class Options(Record, frozen=True):
        """How this battle is played."""

        edge: str = ""
        sprint: str = ""
        order: str = ""
        ships_block_sight: bool = False
        arcs: str = ""
        model: str = ""
else:
    Options = options_record("Options", OPTIONS, __name__)
