"""The presentation of each system in the list of `strategic`: `PRESENTATION` of its folder beside this file."""

from __future__ import annotations

from importlib import import_module

from strategic import NAMES
from webapp.presenting.presentation import Presentation


def found(name: str) -> Presentation:
    """The presentation in `webapp/systems/<name>`. Raises ImportError, AttributeError where it is not."""
    shown: Presentation = import_module(f"webapp.systems.{name}").PRESENTATION
    return shown


PRESENTATIONS: dict[str, Presentation] = {name: found(name) for name in NAMES}


def presentation(system: str) -> Presentation:
    """How the system of that name is shown. Raises KeyError when there is no such system: a fault of the house."""
    return PRESENTATIONS[system]
