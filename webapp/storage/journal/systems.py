"""Every system that can be played here: the galley engine and the strategic ones, under their names."""

from __future__ import annotations

from strategic import SYSTEMS
from strategic.season import SEASON
from tactical import GALLEY
from tactical.kernel.protocol import System

ALL: dict[str, System] = {GALLEY.name: GALLEY, **SYSTEMS}
JOURNALLED: dict[str, System] = {SEASON.name: SEASON}  # stored and journalled like a game, but nobody plays it


def systems() -> dict[str, System]:
    """The systems by name."""
    return ALL
