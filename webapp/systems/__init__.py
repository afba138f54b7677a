"""How each system in the list of `strategic` is shown: `PRESENTATION` of its folder."""

from __future__ import annotations

from importlib import import_module

from strategic import NAMES
from webapp.presenting.presentation import Presentation

PRESENTATIONS: dict[str, Presentation] = {name: import_module(f"webapp.systems.{name}").PRESENTATION for name in NAMES}


def presentation(system: str) -> Presentation:
    """How the system of that name is shown. Raises KeyError when there is no such system: a fault of the house."""
    return PRESENTATIONS[system]
