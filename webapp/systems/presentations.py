"""The list of presentations, one line a system."""

from __future__ import annotations

from webapp.systems import hamilcar, hannibal, punic_wars, sword_of_rome
from webapp.systems.presentation import Presentation

PRESENTATIONS: dict[str, Presentation] = {
    shown.system: shown
    for shown in (
        hannibal.PRESENTATION,
        hamilcar.PRESENTATION,
        sword_of_rome.PRESENTATION,
        punic_wars.PRESENTATION,
    )
}


def presentation(system: str) -> Presentation:
    """How the system of that name is shown. Raises KeyError when nobody has written it: a fault of the house."""
    return PRESENTATIONS[system]
