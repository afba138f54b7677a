"""One galley from above, whole or hurt, at any size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, cos, radians, sin
from typing import NamedTuple

from markupsafe import Markup

import data
from tactical.battle import Battle
from tactical.kernel.record import Record
from tactical.ship import Ship

# -- The numbers by which galleys are drawn (data/galley/drawing.toml): by type, and by the look of a navy.

Outline = tuple[tuple[float, ...], ...]  # a place, then lines (2 numbers) and curves (6 numbers)


class Measures(Record, frozen=True):
    """A type: lengths in units of which a quinquereme is 87 long, shares of the beam, towers by their place."""

    length: float
    beam: float
    oars: int
    rows: int
    reach: float
    blade: float
    deck: float
    towers: tuple[float, ...] = ()
    sail: bool = False


class Look(Record, frozen=True):
    """The look of a navy: the starboard half of its outline, and of its ram."""

    outline: Outline
    ram: Outline


class Bite(Record, frozen=True):
    """Where a hull breaks: the side, starboard 1 and port -1, and the place by its share of the length."""

    side: int
    at: float


class Drawing(Record, frozen=True):
    """data/galley/drawing.toml."""

    types: dict[str, Measures]
    looks: dict[str, Look]
    nations: dict[str, str]
    bites: tuple[Bite, ...]


DRAWING = data.read("galley/drawing.toml", Drawing)
LOOKS = tuple(DRAWING.looks)
STANDARD = "trireme"  # what a type of the players' own is drawn as
SIDES = 8  # sides that are told apart by colour and shape


def drawn_as(kind: str) -> str:
    """The type by whose measures a type is drawn: its own, for one of the players' own a trireme's."""
    return kind if kind in DRAWING.types else STANDARD


def measures(kind: str) -> Measures:
    """The measures of a type."""
    return DRAWING.types[drawn_as(kind)]


# -- Paths of SVG as short as they can be.


def number(value: float) -> str:
    """A number with at most one place, without a zero before it."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text in ("-0", "0") else text.replace("-0.", "-.").removeprefix("0") or "0"


def path(form: str, *numbers: float) -> str:
    """A path: each ~ of its form is the next number. Raises ValueError when there are more or fewer."""
    first, *rest = form.split("~")
    return first + "".join(number(value) + part for value, part in zip(numbers, rest, strict=True))


def whole_path(form: str, *numbers: float) -> str:
    """The same of whole numbers, for drawings of some hundreds of units."""
    return path(form, *map(round, numbers))


def points(values: Sequence[float]) -> str:
    """Numbers one after another; a minus sign parts them too."""
    return " ".join(map(number, values)).replace(" -", "-")


def both_sides(half: Outline, wide: float, tall: float, top: float = 0) -> str:
    """A closed path from its starboard half, mirrored: across by `wide`, along by `tall` from `top`."""

    def placed(values: Sequence[float], side: int) -> tuple[float, ...]:
        return tuple(value * tall + top if place % 2 else value * wide * side for place, value in enumerate(values))

    def drawn(values: tuple[float, ...]) -> str:
        return ("C" if len(values) == 6 else "L") + points(values)

    start = half[0]
    found = ["M" + points(placed(start, 1)), *(drawn(placed(each, 1)) for each in half[1:])]
    if half[-1][-2]:
        found.append(drawn(placed(half[-1][-2:], -1)))
    ends = [each[-2:] for each in half]
    for place in range(len(half) - 1, 0, -1):
        turned = half[place]
        back = (*turned[2:4], *turned[0:2], *ends[place - 1]) if len(turned) == 6 else ends[place - 1]
        if place > 1 or len(turned) == 6 or ends[0][0]:
            found.append(drawn(placed(back, -1)))
    return "".join(found) + "Z"


def drawn_path(name: str, d: str, width: float | None = None) -> Markup:
    """A path as an element of a class, with a width of its own where it is given; nothing for an empty one."""
    if not d:
        return Markup("")
    if width is None:
        return Markup('<path class="{}" d="{}"/>').format(name, d)
    return Markup('<path class="{}" d="{}" stroke-width="{}"/>').format(name, d, number(width))


def group(inside: Markup, classes: str = "", transform: str = "", name: str = "") -> Markup:
    """Elements together: of some classes, turned or moved, with an id."""
    given = (("class", classes), ("id", name), ("transform", transform))
    attributes = Markup("").join(Markup(' {}="{}"').format(key, value) for key, value in given if value)
    return Markup("<g{}>{}</g>").format(attributes, inside)


def use(name: str, classes: str = "", transform: str = "") -> Markup:
    """A symbol, drawn here."""
    given = (("class", classes), ("transform", transform), ("href", f"#{name}"))
    attributes = Markup("").join(Markup(' {}="{}"').format(key, value) for key, value in given if value)
    return Markup("<use{}/>").format(attributes)


# -- The hull from above, heading north about (0, 0): outline, ram, stern, eyes, deck with the band of her side.

FULL = 0.6  # share of the beam from which a deck covers the rowers


def hull_outline(kind: str, look: str) -> str:
    """The outline of a hull."""
    it = measures(kind)
    return outline_of(look, it.length, it.beam)


def outline_of(look: str, length: float, beam: float) -> str:
    """The outline of a look at any size."""
    return both_sides(DRAWING.looks[look].outline, beam / 2, length)


def ram_of(look: str, length: float, beam: float) -> str:
    """Bronze at the waterline: a short trident, a long blade, a leaf, two prongs."""
    return both_sides(DRAWING.looks[look].ram, 1.6 + beam * 0.06, 1, -length / 2)


def stern_of(look: str, length: float, beam: float) -> str:
    """What rises over the stern, as strokes: a curl, a fan, a disc between horns, a gallery."""
    h, w = length / 2, beam / 2
    if look == "roman":
        return path("M0 ~V~c0 5 6 5 5.5 .5c-.3-2.5-3.5-2-2.5 0", 0.36 * length, h + 2)
    if look == "hellenistic":
        return path(
            "M0 ~V~M~ ~L~ ~M~ ~L~ ~",
            0.38 * length,
            h + 6,
            -0.18 * w,
            0.44 * length,
            -0.75 * w,
            h + 4,
            0.18 * w,
            0.44 * length,
            0.75 * w,
            h + 4,
        )
    if look == "punic":
        return path("M0 ~V~m-2 2a2 2 0 1 0 4 0a2 2 0 1 0-4 0", 0.30 * length, 0.385 * length)
    return path("M~ ~Q0 ~ ~ ~M0 ~V~", -0.62 * w, 0.43 * length, h + 5, 0.62 * w, 0.43 * length, 0.36 * length, h + 2.5)


def eyes_of(look: str, length: float, beam: float) -> Markup:
    """The painted bow: a chevron, almond eyes, ringed eyes, three dots."""
    w, y = beam / 2, -0.33 * length
    if look == "roman":
        chevron = path("M~ ~L0 ~L~ ~", -0.82 * w, y + 2, y - 0.09 * length, 0.82 * w, y + 2)
        return drawn_path("paint", chevron)
    if look == "hellenistic":
        x, y = 0.5 * w, -0.265 * length
        lids = path("M~ ~q2.8-2 .2-6q-3.2 2-.2 6zM~ ~q-2.8-2-.2-6q3.2 2 .2 6z", x - 0.6, y + 3, 0.6 - x, y + 3)
        return drawn_path("white", lids) + drawn_path("dot", path("M~ ~h0M~ ~h0", x + 0.3, y, -x - 0.3, y))
    if look == "punic":
        both = path("M~ ~h0M~ ~h0", 0.6 * w, y, -0.6 * w, y)
        return drawn_path("ring", both) + drawn_path("dot", both)
    dots = path("M~ ~h0M~ ~h0M0 ~h0", 0.55 * w, y, -0.55 * w, y, y - 0.06 * length)
    return drawn_path("dots", dots)


def box(it: Measures) -> Markup:
    """The box of the oars along both sides; what sails has none."""
    if it.sail:
        return Markup("")
    length, w = it.length, it.beam / 2
    edges = (-w, -0.27 * length, -w - 1.5, -0.24 * length, 0.28 * length, -w, 0.31 * length)
    right = (w, w + 1.5, 0.28 * length, -0.24 * length, w, -0.27 * length)
    return drawn_path("box", path("M~ ~L~ ~V~L~ ~H~L~ ~V~L~ ~Z", *edges, *right))


def band(it: Measures, side: int) -> Markup:
    """The side's band upon the deck: stripe, bars, chevrons, lozenges, chevrons aft, saltires, two stripes, ladder."""
    length, broad = it.length, max(it.beam / 2 * max(it.deck, 0.55), 1.6)
    if side == 0:
        return drawn_path("band", path("M0 ~V~", -0.36 * length + 5, 0.32 * length + 3))
    if side == 1:
        rows = (-0.285, 0.035, 0.27) if it.towers else (-0.225, 0.0, 0.285)
        return drawn_path("band", "".join(path("M~ ~H~", -broad, y * length, broad) for y in rows))
    rows = (-0.24, -0.02, 0.28)
    if side == 2:
        form = "M~ ~L0 ~L~ ~"
        each = (path(form, -broad, y * length + 3, y * length - 4, broad, y * length + 3) for y in rows)
        return drawn_path("band", "".join(each))
    if side == 4:
        form = "M~ ~L0 ~L~ ~"
        each = (path(form, -broad, y * length - 3, y * length + 4, broad, y * length - 3) for y in rows)
        return drawn_path("band", "".join(each))
    if side == 5:
        form = "M~ ~l~ ~m0 ~l~ ~"
        each = (path(form, -broad, y * length - 4, 2 * broad, 8, -8, -2 * broad, 8) for y in rows)
        return drawn_path("band", "".join(each))
    if side in (6, 7):
        stripes = "".join(path("M~ ~V~", x, -0.3 * length, 0.3 * length) for x in (-broad * 0.7, broad * 0.7))
        rungs = "".join(path("M~ ~H~", -broad * 0.7, y * length, broad * 0.7) for y in rows) if side == 7 else ""
        return drawn_path("band", stripes + rungs)
    return drawn_path("lozenge", "".join(path("M0 ~l4 5l-4 5l-4-5z", y * length - 5) for y in rows))


def open_deck(it: Measures, fine: bool) -> Markup:
    """The well of the rowers with a gangway over it, and thwarts where the work is fine."""
    length, w = it.length, it.beam / 2
    inner, walk = w * 0.78, max(w * it.deck, 1.6)
    well = drawn_path("well", path("M~ ~H~V~H~Z", -inner, -0.25 * length, inner, 0.29 * length, -inner))
    rows = (-0.25 + 0.054 * each for each in range(1, 10))
    thwarts = drawn_path("thwart", "".join(path("M~ ~H~", -inner, y * length, inner) for y in rows))
    gangway = path("M~ ~V~H~V~Z", -walk, 0.32 * length, -0.27 * length, walk, 0.32 * length)
    fore = path("M0 ~L~ ~H~Z", -0.39 * length, w * 0.62, -0.25 * length, -w * 0.62)
    after = path("M~ ~H~L~ ~H~Z", -w * 0.7, 0.27 * length, w * 0.7, w * 0.4, 0.38 * length, -w * 0.4)
    return well + (thwarts if fine else Markup("")) + drawn_path("deck", gangway + fore + after)


def full_deck(it: Measures, fine: bool) -> Markup:
    """A deck over the rowers, with planks where the work is fine."""
    length, w = it.length, it.beam / 2 * it.deck
    top, bow, end = -0.36 * length, -0.27 * length, 0.32 * length
    edges = (top, w, bow, end, w * 0.62, end + 0.06 * length, -w * 0.62, -w, end, bow)
    deck = drawn_path("deck", path("M0 ~L~ ~V~L~ ~H~L~ ~V~Z", *edges))
    across = (w * share / 3 for share in (-2, -1, 1, 2))
    planks = "".join(path("M~ ~V~", x, bow - abs(x) * 0.3 + 2, end) for x in across)
    return deck + (drawn_path("plank", planks) if fine else Markup(""))


def towers(it: Measures, fine: bool) -> Markup:
    """Fighting towers."""
    half = it.beam * 0.21
    squares = "".join(
        path("M~ ~h~v~h~z", -half, y * it.length - half, 2 * half, 2 * half, -2 * half) for y in it.towers
    )
    inner = "".join(path("M~ ~h~v~h~z", -half / 2, y * it.length - half / 2, half, half, -half) for y in it.towers)
    return drawn_path("tower", squares) + (drawn_path("crenel", inner) if fine else Markup(""))


SAIL = Markup('<path class="sail" d="M-17-6Q0-20 17-6Q0-5-17-6Z"/><path class="sailband" d="M-17-6Q0-12.5 17-6"/>')


def hull_body(kind: str, look: str, side: int, fine: bool) -> Markup:
    """All of a ship that no battle changes, but for her oars; `fine` with planks, thwarts and the tops of towers."""
    it = measures(kind)
    size = (look, it.length, it.beam)
    deck = full_deck(it, fine) if it.deck >= FULL else open_deck(it, fine)
    ram = "" if it.sail else drawn_path("ram", ram_of(*size))
    hull = ram + box(it) + drawn_path("hull", outline_of(*size)) + deck
    marks = band(it, side) + towers(it, fine) + (SAIL if it.sail else Markup("")) + eyes_of(*size)
    return hull + marks + drawn_path("stern" if fine else "stern bold", stern_of(*size))


# -- Oars, what is left of them when they are broken, and what the sea shows of a ship that rows.

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


# -- Damage as one sees it: holes that bite into the outline, and water over the after deck.

AWASH = 0.6  # of the hull lost: from here on the water stands on the deck
SMALL = 36  # pixels of a quinquereme below which holes are drawn larger
NOTCH = ((-0.5, 1.4), (-0.02, 1.3), (-0.5, 0.2), (0.16, 2.2), (-0.2, 1.6), (0.52, 0.3), (0.1, 1.7))


def bitten(lost: float) -> int:
    """How many holes a hull has of which this share is lost: one for each fifth."""
    return min(len(DRAWING.bites), ceil(lost * 5 - 1e-9)) if lost > 0 else 0


def dry_deck(lost: float) -> float:
    """How far aft she is dry, as a share of half her length."""
    return 1 if lost < AWASH else 1 - (lost - 0.4) * 1.9


def bites(kind: str, lost: float, size: float = 96) -> Markup:
    """The holes in a hull of which this share is lost."""
    it = measures(kind)
    deep, long = max(5.5, it.beam * 0.46), it.length * 0.018 + 1.1
    if size < SMALL:
        deep, long = deep * 1.25, long * 1.5
    found = []
    for bite in DRAWING.bites[: bitten(lost)]:
        steps = (value for x, y in NOTCH for value in (bite.side * deep * x, long * y))
        start = (bite.side * (it.beam / 2 + 2.4), bite.at * it.length - 4.6 * long)
        found.append(path("M~ ~" + "l~ ~" * len(NOTCH) + "z", *start, *steps))
    return drawn_path("bite", "".join(found))


def awash(kind: str, lost: float) -> Markup:
    """Water over her from the stern on, with a line of foam."""
    if lost < AWASH:
        return Markup("")
    it = measures(kind)
    w, h = it.beam / 2 + 2.4, it.length / 2
    y = h * dry_deck(lost)
    right = (w, h * 0.85, w * 0.6, h * 1.02, h + 9)
    left = (-w * 0.6, h * 1.02, -w, h * 0.85, -w, y)
    water = path("M~ ~q~-6 ~ 0t~ 0C~ ~ ~ ~ 0 ~C~ ~ ~ ~ ~ ~Z", -w, y, w / 2, w, w, *right, *left)
    return drawn_path("awash", water) + drawn_path("foam", path("M~ ~q~-6 ~ 0t~ 0", -w - 2, y, w / 2 + 1, w + 2, w + 2))


# -- What a ship carries to be known by: the shield of her side with its letter, the corvus, the flagship's pennant.

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


# -- Who stands on a deck, as signs of 20 by 20: a shield for each kind of marine, a bow, an engine.

FIGURES: dict[str, Markup] = {
    "heavy": Markup(
        '<path class="f-full" d="M-6.5-9h13v14q-3 4-6.5 4.5q-3.5-.5-6.5-4.5z"/><path class="f-line" d="M0-9v18"/>'
        '<circle class="f-boss" r="3.2"/>'
    ),
    "medium": Markup('<ellipse class="f-full" rx="5.8" ry="9"/><path class="f-spine" d="M0-6.5v13"/>'),
    "light": Markup('<circle class="f-hollow" r="5.6"/><circle class="f-dot" r="1.7"/>'),
    "archers": Markup(
        '<path class="f-bow" d="M-3-9q9 9 0 18"/><path class="f-string" d="M-3-9v18M-8 0h15m-3.5-3l4 3l-4 3"/>'
    ),
    "catapults": Markup(
        '<path class="f-bow" d="M2-9q7 9 0 18"/><path class="f-stock" d="M-9 0h15"/>'
        '<path class="f-string" d="M2-9l-6 9l6 9"/><path class="f-head" d="M6-3.5l6 3.5l-6 3.5z"/>'
    ),
    "stone_throwers": Markup(
        '<path class="f-frame" d="M-8-7h16M-8 7h16M-6-7v14M6-7v14"/><circle class="f-ball" r="4"/>'
    ),
}


@lru_cache(maxsize=64)
def figure_sign(kind: str, side: int = 0) -> Markup:
    """The sign of a kind of figure beside its number."""
    return Markup('<svg class="figure-sign side{}" viewBox="-12 -12 24 24" aria-hidden="true">{}</svg>').format(
        side, FIGURES[kind]
    )


# -- One galley from above, whole or hurt, at any size: inline for a chip or a page, or by symbols on a board of many.

WHOLE, HALF = LEVELS
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
    holes, dry = bitten(it.lost), dry_deck(it.lost)
    if it.broken:
        return stumps(it.kind, 1 if size >= WHOLE else 2, holes, dry)
    return oars(it.kind, size, it.speed != 0, holes, dry)


def signs(it: Galley, angle: float, size: float) -> Markup:
    """Corvus, wounds, shield and pennant, from below."""
    letter, large = (it.letter, 1.0) if size >= HALF else ("", 1.15)
    plank = corvus(it.kind, it.corvus_down) if it.corvus or it.corvus_down else Markup("")
    wounds = bites(it.kind, it.lost, size) + awash(it.kind, it.lost)
    flag = pennant(it.kind) if it.flagship else Markup("")
    return plank + wounds + shield(it.kind, it.colour, letter, angle, large) + flag


def heading(angle: float) -> str:
    """How a drawing is turned to a heading."""
    return f"rotate({number(angle)})" if angle else ""


@lru_cache(maxsize=1024)
def galley(it: Galley, angle: float = 0, size: float = 96) -> Markup:
    """A galley about (0, 0) that heads to `angle`, drawn for `size` pixels of a quinquereme's length."""
    behind = wake(it.kind, it.speed) if size >= HALF else Markup("")
    body = hull_body(it.kind, it.look, it.side % SIDES, size >= HALF)
    shadow = group(drawn_path("shadow", hull_outline(it.kind, it.look)), "", f"translate(2.4 3.4) {heading(angle)}")
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
        found.append(group(hull_body(kind, look, side, True), "galley", "", f"body-{kind}-{look}-{side:d}"))
    for kind, look in sorted({(kind, look) for kind, look, _side in looks}):
        outline = Markup('<path id="outline-{}-{}" d="{}"/>').format(kind, look, hull_outline(kind, look))
        found.append(outline)
    for kind in sorted({kind for kind, _look, _side in looks}):
        found += [levels(kind, True), levels(kind, False)]
    return Markup("<defs>{}</defs>").format(Markup("").join(found))


def levels(kind: str, rows: bool) -> Markup:
    """The whole oars of a type that rows or lies still, at each level of detail."""
    sizes = (("full", WHOLE), ("half", HALF), ("few", 0))
    drawn = Markup("").join(group(oars(kind, size, rows), level) for level, size in sizes)
    return group(drawn, "galley", "", f"{'oars' if rows else 'still'}-{kind}")


@lru_cache(maxsize=4096)
def on_board(it: Galley, angle: float, across: float, along: float) -> Markup:
    """The same galley by the symbols of its board, her breadth scaled by `across` and her length by `along`."""
    kind = drawn_as(it.kind)
    scale = f"scale({across:.3g})" if across == along else f"scale({across:.3g} {along:.3g})"
    turn = f"{heading(angle)} {scale}".strip()
    cast = f"translate({number(2.4 * along)} {number(3.4 * along)}) {turn}"
    behind = wake(it.kind, it.speed)
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


# -- How a side's ships look: as it says itself, else as its nation built them, else as its navy did.


def look_of(battle: Battle, side: str) -> str:
    """The look of a side's ships."""
    it = battle.sides[side]
    if isinstance(it.look, str):
        return it.look
    called = f"{side} {it.name}".lower()
    return next((look for nation, look in DRAWING.nations.items() if nation in called), it.navy)


def galley_of(
    ship: Ship, whole: int, look: str, side: int, letter: str = "", captor: tuple[int, str] | None = None
) -> Galley:
    """What is drawn of a ship whose type has `whole` hull; `captor` is the number and letter of who took her."""
    gone = ship.status in ("sunk", "withdrawn")
    taken = ship.is_prize and captor is not None
    return Galley(
        ship.type,
        look,
        side,
        captor[1] if taken and captor else letter,
        0 if gone or whole <= 0 else min(1, ship.damage / whole),
        ship.oars_broken,
        0 if ship.is_prize or ship.boarding else ship.speed,
        ship.corvus and ship.boarding is None,
        ship.corvus and ship.boarding is not None,
        ship.flagship,
        captor[0] if taken and captor else None,
    )


# -- Two galleys whose bases touch, as a picture: into the side, bow to bow, alongside.

MEETING_BOX = (-100, -58, 200, 116)
SIZE = 48  # pixels of a quinquereme's length
SPARK = Markup(
    '<path class="spark" transform="translate({} {})" d="M0-15l3.7 8 8.6-2-4.9 7.3 7.1 5.4-8.8 1 .2 8.9L0 8l-5.9 5.6'
    '.2-8.9-8.8-1 7.1-5.4-4.9-7.3 8.6 2z"/>'
)


@lru_cache(maxsize=512)
def meeting(ship: Galley, foe: Galley, aspect: str) -> Markup:
    """A ship that heads right, and an enemy as she touches her: `aspect` is side, bow_to_bow or parallel."""
    mine, other = length(ship.kind) / 2, length(foe.kind) / 2
    if aspect == "side":
        drawn = put(foe, 7, 4, 0) + put(ship, -4 - mine, 0, 90) + spark(-2)
    elif aspect == "bow_to_bow":
        drawn = put(foe, 2 + other, 0, 270) + put(ship, -2 - mine, 0, 90) + spark(0)
    else:
        drawn = put(foe, 10, -22, 90) + put(ship, -10, 24, 90)
    box = " ".join(map(number, MEETING_BOX))
    return Markup('<svg class="meeting-picture" viewBox="{}" aria-hidden="true">{}</svg>').format(box, drawn)


def put(it: Galley, x: float, y: float, angle: float) -> Markup:
    """A galley at a place of the picture."""
    return Markup('<g transform="translate({} {})">{}</g>').format(number(x), number(y), galley(it, angle, SIZE))


def spark(x: float) -> Markup:
    """Where a ram strikes."""
    return SPARK.format(number(x), "0")


# -- Galleys in the units of the boards, where a hex is 62.4 high: size, ghosts, the symbols that a board needs.

SCALE = 62.4 / 87 * 0.93  # board's units for one of the drawing
SHAPES = SIDES  # sides that are told apart


def board_length(kind: str) -> float:
    """The length of a type on a board."""
    return length(kind) * SCALE


def board_beam(kind: str) -> float:
    """The breadth of a type's hull on a board, without its oars."""
    return beam(kind) * SCALE


@lru_cache(maxsize=128)
def ghost(kind: str, look: str) -> Markup:
    """The outline of a ship that is not there yet, heading north, with a stroke at the bow."""
    top = -length(kind) / 2
    bow = path("M-12 ~L0 ~L12 ~", top + 13, top - 6, top + 13)
    drawn = drawn_path("ghost", hull_outline(kind, look)) + drawn_path("ghost-bow", bow)
    return group(drawn, "", f"scale({SCALE:.3f})")


@lru_cache(maxsize=64)
def board_symbols(wanted: tuple[tuple[str, str, int], ...]) -> Markup:
    """The ships that a board needs, by type, look and side, each drawn once; and the wreck."""
    known = tuple(sorted({(drawn_as(kind), look, side) for kind, look, side in wanted}))
    return symbols(known) + Markup(
        '<defs><g id="wreck"><path class="wreck" d="M-18 4L-6 -8L-2 0L4 -10L8 2L18 -4L12 10H-12Z"/>'
        '<path class="wreck-wave" d="M-22 13q5.5 -5 11 0t11 0t11 0t11 0"/></g></defs>'
    )
