"""How near one looks: six levels of nearness, each with its own choice of names and plates.

Names, plates and signs have sizes in pixels of the screen. A level is laid out at the lowest scale at which it is
shown; nearer in, everything keeps its size on the screen (`--u` in map.css) and only gains room.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """`edge`: the pixels to a unit of the drawing from which on it is shown. Sizes are in pixels.

    `name` is the height of names; `sign` how large signs are drawn; `least` the lowest rank of a name that is tried.
    Generals are named where the level `names` them, and `rates` them nearer in; else they are heads alone.
    """

    number: int
    edge: float
    name: float
    sign: float
    least: int
    names: bool = True
    rates: bool = False

    def units(self, pixels: float) -> float:
        """A length on the screen as units of the drawing."""
        return pixels / self.edge


LEVELS = (
    Level(1, 0.22, 12.0, 0.62, 3, names=False),
    Level(2, 0.31, 12.0, 0.75, 3, names=False),
    Level(3, 0.42, 12.0, 0.85, 2),
    Level(4, 0.62, 12.5, 1.0, 0),
    Level(5, 0.95, 13.0, 1.15, 0, rates=True),
    Level(6, 1.5, 14.0, 1.3, 0, rates=True),
)


def level_at(scale: float) -> int:
    """The number of the level that is shown at so many pixels to a unit of the drawing."""
    return max((level.number for level in LEVELS if level.edge <= scale), default=1)


def level_of(box: tuple[int, int, int, int], wide: int, high: int) -> int:
    """The level of a still picture of a box (x, y, width, height) of the drawing in so many pixels."""
    return level_at(min(wide / box[2], high / box[3]))
