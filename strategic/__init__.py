"""Campaigns: the systems that are played on a strategic map."""

from __future__ import annotations

from importlib import import_module

from tactical.kernel.protocol import System

# The one list: a line adds a system, its folders and files follow from the name.
NAMES = (
    "hannibal",
    "hamilcar",
    "sword_of_rome",
    "punic_wars",
    "open_campaign",
)


def found(name: str) -> System:
    """The system of the folder `strategic/<name>`, which calls it NAME. Raises ImportError, AttributeError without."""
    system: System = getattr(import_module(f"strategic.{name}"), name.upper())
    return system


SYSTEMS: dict[str, System] = {name: found(name) for name in NAMES}
