"""Every system that can be played here: the galley engine and the strategic ones, under their names."""

from __future__ import annotations

import importlib
from functools import cache

from tactical.kernel.protocol import System


@cache
def systems() -> dict[str, System]:
    """The systems by name; one whose engine is not installed is left out."""
    found: dict[str, System] = {}
    galley = _attribute("tactical", "GALLEY")
    if isinstance(galley, System):
        found[galley.name] = galley
    strategic = _attribute("strategic", "SYSTEMS")
    if isinstance(strategic, dict):
        found.update(strategic)
    return found


def _attribute(module: str, name: str) -> object:
    return getattr(importlib.import_module(module), name, None)
