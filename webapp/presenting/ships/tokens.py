"""What a ship carries to be known by: the shield of her side with its letter, the corvus, the flagship's pennant."""

from __future__ import annotations

from markupsafe import Markup

from webapp.presenting.ships.measures import measures
from webapp.presenting.ships.strokes import drawn_path, number, path

ABAFT = 0.155  # of the length: where the shield lies


def shield_path(side: int, r: float, x: float = 0, y: float = 0) -> str:
    """The shape of a side about a point: disc, square, shield, lozenge, hexagon, triangle, gable, drop."""
    if side == 0:
        return path("M~ ~a~ ~ 0 1 0 ~ 0a~ ~ 0 1 0 ~ 0z", x - r, y, r, r, 2 * r, r, r, -2 * r)
    if side == 1:
        return path("M~ ~h~v~h~z", x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8, -r * 1.8)
    if side == 2:
        steps = (r * 1.8, r * 0.7, r * 0.9, -r * 0.9, r * 1.3, -r * 0.9, -r * 0.4, -r * 0.9, -r * 1.3)
        return path("M~ ~h~v~q0 ~ ~ ~q~ ~ ~ ~z", x - r * 0.9, y - r * 0.9, *steps)
    if side == 4:
        return path("M~ ~l~ ~h~l~ ~l~ ~h~z", x - r * 1.2, y, r * 0.6, -r, r * 1.2, r * 0.6, r, -r * 0.6, r, -r * 1.2)
    if side == 5:
        return path("M~ ~l~ ~h~z", x, y - r * 1.4, r * 1.4, r * 2.3, -r * 2.8)
    if side == 6:
        return path("M~ ~l~ ~v~h~v~z", x, y - r * 1.4, r, r * 0.8, r * 1.5, -r * 2, -r * 1.5)
    if side == 7:
        arcs = (r, r, r, r * 1.6, r, r, -2 * r, -r * 0.6, r, -r * 1.6)
        return path("M~ ~q~ ~ ~ ~a~ ~ 0 1 1 ~ 0q0 ~ ~ ~z", x, y - r * 1.6, *arcs)
    s = r * 1.2
    return path("M~ ~l~ ~l~ ~l~ ~z", x, y - s, s, s, -s, s, -s, -s)


def shield(kind: str, side: int, letter: str = "", angle: float = 0, large: float = 1) -> Markup:
    """The side's shield on a ship that heads to `angle`; its letter, where it has one, stands upright."""
    it = measures(kind)
    r, y = max(5.2, it.beam * 0.36) * large, ABAFT * it.length
    text = Markup("")
    if letter:
        turn = f" rotate({number(-angle)})" if angle else ""
        text = Markup('<text class="letter" transform="translate(0 {}){}" y="{}" font-size="{}">{}</text>').format(
            number(y), turn, number(r * 0.52), number(r * 1.45), letter
        )
    return drawn_path("shield", shield_path(side, r, 0, y)) + text


def corvus(kind: str, down: bool = False) -> Markup:
    """The boarding bridge on its post over the bow; `down` when it holds an enemy."""
    it = measures(kind)
    w = 2.7 if it.beam > 14 else 2.2
    top, foot = -it.length / 2 - (15 if down else 1), -it.length * 0.28
    bars = "".join(path("M~ ~h~", -w, top + 3.5 + each * 5, 2 * w) for each in range(int((foot - top - 3) / 5)))
    plank = path("M~ ~V~L0 ~L~ ~V~Z", -w, foot, top + 2, top - 2, w, top + 2, foot)
    return drawn_path("bridge", plank) + drawn_path("bars", bars) + drawn_path("post", path("M0 ~h0", foot))


def pennant(kind: str) -> Markup:
    """A flagship's long gold pennant from the stern."""
    y = measures(kind).length * 0.43
    return drawn_path("flag", path("M0 ~q7-4 13-1q-3 1.5-1.5 4.5q-6-2-11.5 .5z", y))
