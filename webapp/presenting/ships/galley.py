"""One galley from above, whole or hurt, at any size: inline for a chip or a page, or by symbols on a board of many."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from webapp.presenting.ships import damage, hull, rowing, tokens
from webapp.presenting.ships.measures import SIDES, drawn_as, measures
from webapp.presenting.ships.strokes import drawn_path, group, number, use

WHOLE, HALF = rowing.LEVELS
BOX = (-59, -31.5, 118, 63)  # of a picture: the longest galley heading right, with her oars


class Galley(NamedTuple):
    """What is drawn of a ship: `lost` is the share of her hull, `speed` 0 when she lies still, `captor` the number of
    the side that took her."""

    kind: str
    look: str
    side: int
    letter: str = ""
    lost: float = 0
    broken: bool = False
    speed: int = 0
    corvus: bool = False
    corvus_down: bool = False
    flagship: bool = False
    captor: int | None = None

    @property
    def colour(self) -> int:
        """The side whose colours she shows: a prize her captor's."""
        return (self.side if self.captor is None else self.captor) % SIDES

    @property
    def worn(self) -> str:
        """The classes that give her colours."""
        return f"galley side{self.colour:d}" + ("" if self.captor is None else " taken")


def banks(it: Galley, size: float) -> Markup:
    """Her oars, or what is left of them."""
    holes, dry = damage.bitten(it.lost), damage.dry(it.lost)
    if it.broken:
        return rowing.stumps(it.kind, 1 if size >= WHOLE else 2, holes, dry)
    return rowing.oars(it.kind, size, it.speed != 0, holes, dry)


def signs(it: Galley, angle: float, size: float) -> Markup:
    """Corvus, wounds, shield and pennant, from below."""
    letter, large = (it.letter, 1.0) if size >= HALF else ("", 1.15)
    plank = tokens.corvus(it.kind, it.corvus_down) if it.corvus or it.corvus_down else Markup("")
    wounds = damage.bites(it.kind, it.lost, size) + damage.awash(it.kind, it.lost)
    flag = tokens.pennant(it.kind) if it.flagship else Markup("")
    return plank + wounds + tokens.shield(it.kind, it.colour, letter, angle, large) + flag


def heading(angle: float) -> str:
    """How a drawing is turned to a heading."""
    return f"rotate({number(angle)})" if angle else ""


@lru_cache(maxsize=1024)
def galley(it: Galley, angle: float = 0, size: float = 96) -> Markup:
    """A galley about (0, 0) that heads to `angle`, drawn for `size` pixels of a quinquereme's length."""
    behind = rowing.wake(it.kind, it.speed) if size >= HALF else Markup("")
    body = hull.body(it.kind, it.look, it.side % SIDES, size >= HALF)
    shadow = group(drawn_path("shadow", hull.outline(it.kind, it.look)), "", f"translate(2.4 3.4) {heading(angle)}")
    return group(shadow + group(behind + banks(it, size) + body + signs(it, angle, size), "", heading(angle)), it.worn)


@lru_cache(maxsize=1024)
def picture(it: Galley, size: float = 48, classes: str = "ship-icon") -> Markup:
    """A galley that heads right, as a small SVG for chips, lists and paper; the number beside it is the caller's."""
    return icon(galley(it, 90, size), classes)


def icon(drawn: Markup, classes: str = "ship-icon") -> Markup:
    """A drawing of a galley that heads right as a small SVG."""
    box = " ".join(map(number, BOX))
    return Markup('<svg class="{}" viewBox="{}" aria-hidden="true">{}</svg>').format(classes, box, drawn)


# A board of many: each body and each set of whole oars is drawn once -----------------------------------------


@lru_cache(maxsize=64)
def symbols(wanted: tuple[tuple[str, str, int], ...]) -> Markup:
    """The symbols of a board for these types, looks and sides."""
    found = []
    looks = sorted({(drawn_as(kind), look, side % SIDES) for kind, look, side in wanted})
    for kind, look, side in looks:
        found.append(group(hull.body(kind, look, side, True), "galley", "", f"body-{kind}-{look}-{side:d}"))
    for kind, look in sorted({(kind, look) for kind, look, _side in looks}):
        outline = Markup('<path id="outline-{}-{}" d="{}"/>').format(kind, look, hull.outline(kind, look))
        found.append(outline)
    for kind in sorted({kind for kind, _look, _side in looks}):
        found += [levels(kind, True), levels(kind, False)]
    return Markup("<defs>{}</defs>").format(Markup("").join(found))


def levels(kind: str, rows: bool) -> Markup:
    """The whole oars of a type that rows or lies still, at each level of detail."""
    sizes = (("full", WHOLE), ("half", HALF), ("few", 0))
    drawn = Markup("").join(group(rowing.oars(kind, size, rows), level) for level, size in sizes)
    return group(drawn, "galley", "", f"{'oars' if rows else 'still'}-{kind}")


@lru_cache(maxsize=4096)
def on_board(it: Galley, angle: float, across: float, along: float) -> Markup:
    """The same galley by the symbols of its board, her breadth scaled by `across` and her length by `along`."""
    kind = drawn_as(it.kind)
    scale = f"scale({across:.3g})" if across == along else f"scale({across:.3g} {along:.3g})"
    turn = f"{heading(angle)} {scale}".strip()
    cast = f"translate({number(2.4 * along)} {number(3.4 * along)}) {turn}"
    behind = rowing.wake(it.kind, it.speed)
    hurt = it.broken or it.lost > 0
    oars = banks(it, HALF) if hurt else use(f"{'oars' if it.speed else 'still'}-{kind}")
    body = use(f"body-{kind}-{it.look}-{it.side % SIDES:d}")
    ship = (group(behind, "near") if behind else Markup("")) + oars + body + signs(it, angle, WHOLE)
    return group(use(f"outline-{kind}-{it.look}", "shadow", cast) + group(ship, "", turn), it.worn)


def length(kind: str) -> float:
    """The length of a type in the units of a galley."""
    return measures(kind).length


def beam(kind: str) -> float:
    """The beam of a type in the units of a galley."""
    return measures(kind).beam
