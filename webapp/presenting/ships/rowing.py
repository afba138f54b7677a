"""Oars, what is left of them when they are broken, and what the sea shows of a ship that rows."""

from __future__ import annotations

from math import cos, radians, sin

from markupsafe import Markup

from webapp.presenting.ships.measures import DRAWING, Measures, measures
from webapp.presenting.ships.strokes import drawn_path, path

FIRST, LAST = -0.245, 0.285  # where the banks begin and end, by their share of the length
SWEPT, STRAIGHT = radians(22), radians(4)
BARE = 5.5  # no oar as near as this to where the hull is broken
LEVELS = (72, 36)  # pixels of a quinquereme from which she is drawn whole, and with half of her oars


def places(it: Measures, every: int, bites: int, dry: float) -> list[tuple[int, int, float]]:
    """The oars that still work: side, number, place along the hull."""
    broken = DRAWING.bites[:bites]
    found = []
    for side in (1, -1):
        for each in range(0, it.oars, every):
            y = it.length * (FIRST + (LAST - FIRST) * each / max(1, it.oars - 1))
            if y <= dry * it.length / 2 and all(
                bite.side != side or abs(y - bite.at * it.length) >= BARE for bite in broken
            ):
                found.append((side, each, y))
    return found


def oars(kind: str, size: float = 96, rows: bool = True, bites: int = 0, dry: float = 1) -> Markup:
    """The oars of both sides: swept when she `rows`, straight out when she lies still. `size` in pixels."""
    it = measures(kind)
    every = 1 if size >= LEVELS[0] else 2
    angle, edge = SWEPT if rows else STRAIGHT, it.beam / 2 + 1.4
    shafts, blades = [], []
    for side, each, y in places(it, every, bites, dry):
        far = it.reach * (1 - 0.24 * (each // every % it.rows))
        x, dx, dy = side * edge, side * far * cos(angle), far * sin(angle)
        shafts.append(path("M~ ~l~ ~", x, y, dx * 0.7, dy * 0.7))
        blades.append(path("M~ ~l~ ~", x + dx * 0.7, y + dy * 0.7, dx * 0.3, dy * 0.3))
    thick = it.blade * (1 if size >= LEVELS[0] else 1.35 if size >= LEVELS[1] else 2)
    if size < LEVELS[1]:
        shafts = []  # too thin to be seen
    return drawn_path("shaft", "".join(shafts)) + drawn_path("blade", "".join(blades), thick)


def stumps(kind: str, every: int = 1, bites: int = 0, dry: float = 1) -> Markup:
    """What broken oars leave: stumps on both sides, sticks adrift beside them."""
    it = measures(kind)
    edge, length = it.beam / 2 + 1.4, it.length
    left = []
    for side, each, y in places(it, every, bites, dry):
        if each % 3 != 1:
            far = it.reach * (0.22 + 0.12 * (each * 7 % 3))
            left.append(path("M~ ~l~ ~", side * edge, y, side * far, far * (0.2 if each % 2 else -0.3)))
    adrift, x = [], it.beam / 2 + 8
    for side in (1, -1):
        adrift.append(
            path("M~ ~l~ 3M~ ~l~-5", side * x, -0.1 * length, side * 5, side * (x + 3), 0.12 * length, side * 3)
        )
    adrift.append(path("M~ ~l6-1", x - 1, 0.3 * length))
    return drawn_path("stump", "".join(left)) + drawn_path("adrift", "".join(adrift))


def wake(kind: str, speed: int) -> Markup:
    """The puddles of the blades, the wave of the bow, the wash of the stern: the longer, the faster she rows."""
    if speed <= 0:
        return Markup("")
    it = measures(kind)
    h, w = it.length / 2, it.beam / 2
    run, x = 8 + 11 * speed, w + it.reach * 0.8
    puddles = path("M~ ~v~M~ ~v~", x, 0.33 * it.length, run, -x, 0.33 * it.length, run)
    wash = "".join(
        path("M~ ~Q~ ~ ~ ~", side * w * 0.5, h * 0.9, side * w * 0.9, h + run * 0.5, side * w * 1.6, h + run)
        for side in (1, -1)
    )
    bow = "".join(path("M0 ~Q~ ~ ~ ~", -h - 7, side * w * 0.9, -h, side * w * 1.35, 15 - h) for side in (1, -1))
    return (
        drawn_path("puddle", puddles)
        + drawn_path("wash", wash + path("M0 ~v~", h + 5, run * 0.8))
        + drawn_path("bowwave", bow)
    )
