"""Campaigns: the systems that are played on a strategic map."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from tactical.kernel.protocol import System

ENGINES = ("hannibal", "hamilcar", "sword_of_rome", "punic_wars")


def _found() -> dict[str, System]:
    """The engines that are installed: each package exports its System under its own name in capitals."""
    systems: dict[str, System] = {}
    for name in ENGINES:
        if find_spec(f"strategic.{name}") is not None:
            system = getattr(import_module(f"strategic.{name}"), name.upper(), None)
            if isinstance(system, System):
                systems[name] = system
    return systems


SYSTEMS: dict[str, System] = _found()
