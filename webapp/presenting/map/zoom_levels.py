"""How near one looks: four levels of nearness, each with its own sizes and its own choice of names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """`scale`: pixels of the screen to a unit of the drawing, in the middle of the level. Sizes are in pixels.

    `least` is the lowest rank of a name that is tried; `full` names generals in full.
    """

    number: int
    scale: float
    name: float
    area: float
    mark: float
    counter: tuple[float, float]
    least: int
    full: bool = False

    def units(self, pixels: float) -> float:
        """A length on the screen as units of the drawing."""
        return pixels / self.scale


LEVELS = (
    Level(1, 0.27, 11.0, 11.0, 3.4, (24, 19), 3),
    Level(2, 0.50, 12.0, 12.0, 5.0, (30, 23), 2),
    Level(3, 0.95, 13.0, 13.5, 6.5, (34, 26), 0, True),
    Level(4, 1.80, 14.0, 16.0, 8.5, (38, 29), 0, True),
)
