"""Every system that can be played here: the galley engine and the strategic ones, under their names."""

from __future__ import annotations

from strategic import SYSTEMS
from tactical import GALLEY
from tactical.kernel.protocol import System

ALL: dict[str, System] = {GALLEY.name: GALLEY, **SYSTEMS}


def systems() -> dict[str, System]:
    """The systems by name."""
    return ALL
