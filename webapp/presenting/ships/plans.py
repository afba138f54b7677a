"""The two plans of a ship's sheet: the deck from above, the hull from starboard."""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import NamedTuple

from markupsafe import Markup

from webapp.presenting.ships import galley
from webapp.presenting.ships.galley import (
    DRAWING,
    FIGURES,
    Galley,
    drawn_path,
    group,
    measures,
    number,
    shield_path,
    whole_path,
)

# -- What the two plans of a sheet are drawn from, and what they share.

RULES = {"hull": "G2.0", "breaches": "G9.2", "crew": "G2.4", "engines": "G5.1", "oars": "G3.1", "corvus": "G8.1"}
MIDDLE = 320.0  # both plans are 640 wide


class Plans(NamedTuple):
    """A ship as her sheet has her: `aboard` and `fallen` count figures by kind; `most` is her highest speed, `cruise`
    what she rows without a sprint, `limit` what she may row now; `name` tells her plans from others on a page."""

    galley: Galley
    hull: int
    damage: int = 0
    breaches: int = 0
    closed: int = 0
    aboard: tuple[tuple[str, int], ...] = ()
    fallen: tuple[tuple[str, int], ...] = ()
    most: int = 3
    cruise: int = 2
    limit: int = 3
    name: str = "plan"

    @property
    def lost(self) -> int:
        """The hull points that are gone, no more than there were."""
        return max(0, min(self.damage, self.hull))

    @property
    def share(self) -> float:
        """The share of the hull that is gone."""
        return self.lost / self.hull if self.hull else 0


def span(it: Plans) -> tuple[float, float]:
    """Where the stern and the bow of a ship lie across a plan."""
    wide = 430 + 110 * (measures(it.galley.kind).length - 61) / 35
    return MIDDLE - wide / 2 - 6, MIDDLE + wide / 2 - 6


def touch(part: str, said: str, left: float, top: float, right: float, low: float) -> Markup:
    """A field over a part of a plan that leads to its rule, in words for who cannot see it; fields never overlap."""
    return Markup(
        '<a href="/reference/galley/{}" data-panel="" class="part" aria-label="{}">'
        '<rect x="{:.0f}" y="{:.0f}" width="{:.0f}" height="{:.0f}"/></a>'
    ).format(RULES[part], said, left, top, right - left, low - top)


# -- The deck from above, 640 by 212, bow right: who stands on it and who fell, engines, corvus, the banks by speeds.

KEEL = 104.0  # the middle line of the ship
HIGH = 212.0
BANKS = {2: 6, 3: 5, 4: 3, 5: 3}  # oars of a side in each group, by how many groups there are
GASH = ((-20, 4), (-13, -9), (-6, -7), (-4, -22), (5, -14), (12, -17), (12, -6), (21, 4))


class Deck(NamedTuple):
    """The places of a deck along and across the plan."""

    stern: float
    bow: float
    beam: float
    first: float  # the banks
    last: float
    aft: float  # the deck
    fore: float
    wide: float


def deck_of(it: Plans) -> Deck:
    """The places of a ship's deck."""
    a, b = span(it)
    long, beam = b - a, 54 + (measures(it.galley.kind).beam - 12) * 2.6
    return Deck(a, b, beam, a + 0.2 * long, b - 0.2 * long, a + 0.13 * long, b - 0.225 * long, beam * 0.76)


def banks(it: Plans, at: Deck) -> Markup:
    """As many groups as her highest speed: lit what she rows, pale what she could, stumps what broken oars took."""
    most, each = max(1, it.most), BANKS.get(max(2, min(5, it.most)), 3)
    found = []
    for side in (-1, 1):
        edge = KEEL + side * (at.beam / 2 + 5)
        for bank in range(most):
            state = "lit" if bank < it.galley.speed else "can" if bank < it.limit else "out"
            sprint = " sprint" if bank >= it.cruise else ""
            gone = it.galley.broken and bank >= it.limit
            shafts, blades = [], []
            for oar in range(each):
                x = (
                    at.first
                    + (at.last - at.first) * (bank * each + oar + 0.5) / (most * each)
                    + (bank - (most - 1) / 2) * 5
                )
                if gone:
                    shafts.append(
                        whole_path("M~ ~l~ ~", x, edge, 2 * (oar % 3) - 3, side * (10 + 4 * ((oar * 5 + bank) % 3)))
                    )
                    continue
                reach = (44 - 7 * (oar % 3)) * side
                aft = -abs(reach) * 0.34
                shafts.append(whole_path("M~ ~l~ ~", x, edge, aft, reach))
                blades.append(whole_path("M~ ~l~ ~", x + aft * 0.66, edge + reach * 0.66, aft * 0.34, reach * 0.34))
            kind = "b-stump" if gone else f"b-oar {state}"
            found.append(drawn_path(kind, "".join(shafts)))
            found.append(drawn_path(f"b-blade {state}{sprint}", "".join(blades)))
    return Markup("").join(found)


def ship_of(it: Plans, at: Deck) -> Markup:
    """Hull, ram, deck, stern and painted eyes."""
    look, long, turn = (
        it.galley.look,
        at.bow - at.stern,
        f"translate({number((at.stern + at.bow) / 2)} {number(KEEL)}) rotate(90)",
    )
    outline = galley.outline_of(look, long, at.beam)
    edges = (at.first - 16, KEEL - at.beam / 2 - 6, at.last + 16, at.last + 30, KEEL - at.beam / 2 + 3)
    right = (KEEL + at.beam / 2 - 3, at.last + 16, KEEL + at.beam / 2 + 6, at.first - 16, at.first - 30)
    ends = (KEEL + at.beam / 2 - 3, KEEL - at.beam / 2 + 3)
    box = whole_path("M~ ~H~L~ ~V~L~ ~H~L~ ~V~Z", *edges, *right, *ends)
    sails = measures(it.galley.kind).sail
    bow, stern = f"translate(0 {number(-long / 2)})", f"translate(0 {number(long / 2)})"
    size = (look, long / 2.3, at.beam / 2.3)
    ram = Markup("") if sails else drawn_path("ram", galley.ram_of(look, 0, at.beam * 0.55))
    eyes = group(galley.eyes_of(*size), "", f"scale(2.3) translate(0 {number(long / 4.6)})")
    post = group(drawn_path("stern", galley.stern_of(*size)), "", f"scale(2.3) translate(0 {number(-long / 4.6)})")
    return Markup("").join(
        (
            group(drawn_path("shadow", outline), "", f"translate(5 7) {turn}"),
            group(group(group(ram, "", "scale(2.6)"), "", bow), "", turn),
            Markup("") if sails else drawn_path("box", box),
            group(drawn_path("hull", outline), "", turn),
            boards(it, at),
            group(group(post, "", stern) + group(eyes, "", bow), "", turn),
        )
    )


def boards(it: Plans, at: Deck) -> Markup:
    """The deck with its planks; of an open ship the thwarts with the gangway over them."""
    half, tip = at.wide / 2, 0.055 * (at.bow - at.stern)
    form = "M~ ~H~L~ ~L~ ~H~L~ ~V~Z"
    edges = (
        at.aft,
        KEEL - half,
        at.fore,
        at.fore + tip,
        KEEL,
        at.fore,
        KEEL + half,
        at.aft,
        at.aft - 24,
        KEEL + half * 0.6,
    )
    deck = drawn_path("deck", whole_path(form, *edges, KEEL - half * 0.6))
    if measures(it.galley.kind).deck >= galley.FULL:
        lines = (
            whole_path("M~ ~H~", at.aft - 10, KEEL + at.wide * part, at.fore + 10)
            for part in (-0.33, -0.16, 0, 0.16, 0.33)
        )
        return deck + drawn_path("plank", "".join(lines))
    first, last, inner, walk = at.first - 22, at.last + 12, at.wide * 0.54, walk_of(at)
    well = whole_path("M~ ~H~V~H~Z", first, KEEL - inner, last, KEEL + inner, first)
    rows = range(int((last - first - 8) / 15) + 1)
    thwarts = "".join(whole_path("M~ ~V~", first + 8 + 15 * row, KEEL - inner + 2, KEEL + inner - 2) for row in rows)
    gangway = whole_path("M~ ~H~V~H~Z", first - 2, KEEL - walk, last + 2, KEEL + walk, first - 2)
    return deck + drawn_path("well", well) + drawn_path("thwart", thwarts) + drawn_path("deck", gangway)


def walk_of(at: Deck) -> float:
    """Half the breadth of an open ship's gangway."""
    return max(13, at.wide * 0.27)


class Block(NamedTuple):
    """Figures that stand together: whether each is still there, and in how many rows."""

    figures: list[tuple[str, bool]]
    rows: int
    loose: float  # how much more room one takes

    @property
    def columns(self) -> int:
        """How many stand behind one another."""
        return ceil(len(self.figures) / self.rows)


def blocks(it: Plans) -> tuple[Block, Block, Block]:
    """Archers aft, marines amidships, engines forward; in each kind who fell behind those who stand."""
    aboard, fallen = dict(it.aboard), dict(it.fallen)
    is_open = measures(it.galley.kind).deck < galley.FULL

    def those(*kinds: str) -> list[tuple[str, bool]]:
        standing = [(kind, True) for kind in kinds for _each in range(aboard.get(kind, 0))]
        return standing + [(kind, False) for kind in kinds for _each in range(fallen.get(kind, 0))]

    marines = those("heavy", "medium", "light")
    engines = [each for kind in ("catapults", "stone_throwers") for each in those(kind)]
    few = 1 if is_open else 2

    def rows(count: int, least: int) -> int:
        return max(least, ceil(count / 8)) if count > 10 else least

    return (
        Block(those("archers"), rows(len(those("archers")), few), 1),
        Block(marines, 3 if len(marines) > 10 and not is_open and len(marines) <= 24 else rows(len(marines), few), 1),
        Block(engines, rows(len(engines), few), 1.25),
    )


def crew(it: Plans, at: Deck) -> tuple[Markup, Markup]:
    """The figures as signs, one for each; who fell leaves a dotted place. Marines and archers; engines."""
    open_ship = measures(it.galley.kind).deck < galley.FULL
    broad = 2 * walk_of(at) if open_ship else at.wide
    bridge = it.galley.corvus or it.galley.corvus_down
    room = at.fore - at.aft - (0.05 * (at.bow - at.stern) if bridge else 6) - 14
    three = blocks(it)
    gaps = sum(1 for each in three if each.figures) - 1
    places = sum(each.columns * each.loose for each in three)
    step = min(42 if three[1].rows < 3 else 30, (room - 12 * gaps) / max(1, places))
    drawn, x = [], at.aft + 4
    for block in three:
        high, wide = broad / block.rows, step * block.loose
        size = min(wide / 20.5, high / 20.5, 1.9)
        signs = []
        for each, (kind, here) in enumerate(block.figures):
            column, row = divmod(each, block.rows)
            y = KEEL + (row - (min(block.rows, len(block.figures)) - 1) / 2) * high * 0.98
            where = f"translate({number(x + (column + 0.5) * wide)} {number(y)}) scale({size:.2f})"
            signs.append(group(FIGURES[kind], "fig" if here else "fig gone", where))
        drawn.append(Markup("").join(signs))
        x += block.columns * wide + (12 if block.figures else 0)
    return drawn[0] + drawn[1], drawn[2]


def bridge_of(it: Plans, at: Deck) -> Markup:
    """The corvus over the bow, with its spike."""
    if not (it.galley.corvus or it.galley.corvus_down):
        return Markup("")
    long = 0.19 * (at.bow - at.stern)
    bars = "".join(whole_path("M~-10v20", 8 + 12 * each) for each in range(int((long + 6) / 12)))
    plank = drawn_path("bridge", whole_path("M0-10H~l10 10l-10 10H0Z", long + 10)) + drawn_path("bars", bars)
    spike = drawn_path("post", "M0 0h0") + drawn_path("spike", whole_path("M~ 0h14", long + 18))
    return group(plank + spike, "", f"translate({number(at.bow - long)} {number(KEEL)})")


def gashes(it: Plans, at: Deck) -> Markup:
    """Where the hull is broken."""
    found = []
    for bite in DRAWING.bites[: galley.bitten(it.share)]:
        x = (at.stern + at.bow) / 2 - bite.at * (at.bow - at.stern)
        y = KEEL + bite.side * (at.beam / 2 + 3)
        found.append("M" + "L".join(whole_path("~ ~", x + dx, y + bite.side * dy) for dx, dy in GASH) + "Z")
    return drawn_path("bite", "".join(found))


def water(it: Plans, at: Deck) -> Markup:
    """The water that stands on her; the crew stands in it."""
    if it.share < galley.AWASH:
        return Markup("")
    a, h = at.stern, at.beam / 2 + 9
    x = a + (at.bow - a) * (0.14 + 0.62 * (it.share - 0.55) / 0.45)
    edge = whole_path("M~ ~q10 ~ 0 ~t0 ~", x, KEEL - h, h / 2, h, h)
    after = whole_path("C~ ~ ~ ~ ~ ~", a + 40, KEEL + h, a + 4, KEEL + h * 0.5, a - 16, KEEL)
    back = whole_path("C~ ~ ~ ~ ~ ~Z", a + 4, KEEL - h * 0.5, a + 40, KEEL - h, x, KEEL - h)
    return drawn_path("awash", edge + after + back) + drawn_path("foam", edge)


@lru_cache(maxsize=512)
def deck_plan(it: Plans, said: tuple[tuple[str, str], ...] = ()) -> Markup:
    """The deck from above; `said` are the words of its links, by part."""
    at, words = deck_of(it), dict(said)
    people, engines = crew(it, at)
    parts = (banks(it, at), ship_of(it, at), water(it, at), people, engines, bridge_of(it, at), gashes(it, at))
    form = '<svg class="plan deck-plan {}" viewBox="0 0 {} {}" role="group">{}{}</svg>'
    fields = columns(it, at, words)
    return Markup(form).format(it.galley.worn, number(2 * MIDDLE), number(HIGH), Markup("").join(parts), fields)


def columns(it: Plans, at: Deck, words: dict[str, str]) -> Markup:
    """The fields of the plan from stern to bow: oars, crew, engines and corvus where she has them."""
    ends = [("oars", at.aft), ("crew", at.fore)]
    if blocks(it)[2].figures:
        ends[1:] = [("crew", at.fore - 110), ("engines", at.fore)]
    if it.galley.corvus or it.galley.corvus_down:
        ends.append(("corvus", 2 * MIDDLE))
    found, left = [], 0.0
    for part, right in ends:
        found.append(touch(part, words.get(part, ""), left, 0, right, HIGH))
        left = right
    return Markup("").join(found)


# -- The hull from starboard, 640 by 240: a frame for each hull point; she lies deeper with each that is lost.

WATER = 108.0  # the line of the water
TOP = (0, -56, 640, 240)  # the view box
JAGGED = ((0.05, 0), (0.15, 0.16), (0.1, 0.3), (0.17, 0.48), (0.05, 0.66), (0.15, 0.82), (0.05, 1))
HOLE = "M-13-4L-6-6L-8-14L0-8L7-15L7-6L16-5L9 2L14 10L4 8L0 15L-5 8L-14 11L-9 3Z"


class Sheer:
    """The lines of a hull: deck and keel by its beam, stern and bow by its length."""

    def __init__(self, it: Plans) -> None:
        big = (measures(it.galley.kind).beam - 12) / 12 * 7
        self.deck, self.keel = 66 - big * 0.4, 128 + big
        self.stern, self.bow = span(it)
        self.first, self.last = self.stern + 46, self.bow - 20
        self.frame = (self.last - self.first) / max(1, it.hull)


def silhouette(at: Sheer) -> str:
    """Her outline from the stern post over the deck to the bow and back along the keel."""
    a, b, d, k, long = at.stern, at.bow, at.deck, at.keel, at.bow - at.stern
    deck = whole_path("M~ ~C~ ~ ~ ~ ~ ~", a + 34, d - 2, a + 0.3 * long, d + 9, a + 0.7 * long, d + 9, b - 36, d - 3)
    bow = whole_path(
        "C~ ~ ~ ~ ~ ~L~ ~L~ ~L~ ~L~ ~L~ ~",
        b - 26,
        d - 6,
        b - 18,
        d - 14,
        b - 8,
        d - 15,
        b + 2,
        d - 10,
        b + 5,
        d + 26,
        b + 44,
        d + 36,
        b + 44,
        d + 42,
        b + 8,
        d + 47,
    )
    keel = whole_path("C~ ~ ~ ~ ~ ~H~", b - 6, k - 4, b - 34, k, b - 70, k, a + 84)
    heel = whole_path("C~ ~ ~ ~ ~ ~", a + 44, k, a + 14, d + 34, a + 2, d - 10)
    post = whole_path("C~ ~ ~ ~ ~ ~", a - 6, d - 34, a - 2, d - 50, a + 26, d - 52)
    back = whole_path("C~ ~ ~ ~ ~ ~Z", a + 10, d - 42, a + 12, d - 22, a + 34, d - 2)
    return deck + bow + keel + heel + post + back


def open_frame(at: Sheer, x: float) -> Markup:
    """A frame whose planks are gone: a ragged hole, and the ribs behind it."""
    top, high, wide = at.deck + 12, at.keel - 14 - at.deck, at.frame
    down = "L".join(whole_path("~ ~", x + wide * dx, top + high * dy) for dx, dy in JAGGED)
    back = "L".join(whole_path("~ ~", x + wide * (1 - dx), top + high * dy * 0.97) for dx, dy in reversed(JAGGED))
    ribs = "".join(whole_path("M~ ~V~", x + wide * part, at.deck + 14, at.keel - 2) for part in (0.3, 0.5, 0.7))
    return drawn_path("p-open", f"M{down}L{back}Z") + drawn_path("p-rib", ribs)


def frames(it: Plans, at: Sheer) -> Markup:
    """One frame for each hull point, those that are lost open from the stern forward."""
    found = []
    for each in range(it.hull):
        x = at.first + each * at.frame
        if each < it.lost:
            found.append(open_frame(at, x))
        else:
            planks = whole_path("M~ ~H~V~H~Z", x + 2, at.deck + 14, x + at.frame - 2, at.keel - 3, x + 2)
            found.append(drawn_path("p-cell", planks))
    strakes = "".join(whole_path("M~ ~H~", at.stern + 20, at.deck + y, at.bow + 2) for y in (34, 46))
    posts = "".join(
        whole_path("M~ ~V~", at.first + each * at.frame, at.deck + 8, at.keel) for each in range(it.hull + 1)
    )
    return Markup("").join(found) + drawn_path("p-strake", strakes) + drawn_path("p-frame", posts)


def bow_painting(look: str, at: Sheer) -> Markup:
    """What is painted on the bow: a chevron, an almond eye, a round one, a wave."""
    x, y = at.bow, at.deck
    if look == "roman":
        return drawn_path("p-paint", whole_path("M~ ~l14 11l-14 11", x - 26, y - 2))
    if look == "asiatic":
        return drawn_path("p-paint", whole_path("M~ ~l6-6l6 6l6-6", x - 26, y + 10))
    if look == "punic":
        return drawn_path("p-eye", whole_path("M~ ~a8 8 0 1 0 16 0a8 8 0 1 0-16 0z", x - 21, y + 9)) + drawn_path(
            "p-pupil", whole_path("M~ ~h0", x - 13, y + 9)
        )
    lids = drawn_path("p-eye", whole_path("M~ ~q11-9 22 0q-11 9-22 0z", x - 25, y + 8))
    return lids + drawn_path("p-pupil", whole_path("M~ ~h0", x - 14, y + 8))


def stern_post(look: str, at: Sheer) -> Markup:
    """What rises over the stern: nothing more than the leaf, a fan, a disc in horns, a scroll."""
    x, y = at.stern, at.deck
    if look == "hellenistic":
        fan = whole_path("M~ ~q10-14 24-12M~ ~q16-6 28 2M~ ~q6-18 16-22", x + 2, y - 40, x + 4, y - 40, x, y - 40)
        return drawn_path("p-post", fan)
    if look == "punic":
        post = whole_path("M~ ~V~M~ ~a9 9 0 0 0 18 0", x + 54, y, y - 44, x + 45, y - 58)
        return drawn_path("p-post", post) + drawn_path(
            "p-disc", whole_path("M~ ~a7 7 0 1 0 14 0a7 7 0 1 0-14 0z", x + 47, y - 48)
        )
    if look == "asiatic":
        return drawn_path("p-post", whole_path("M~ ~c-8-14 2-26 14-22q8 4 16 2", x + 12, y - 48))
    return Markup("")


def standard(it: Plans, at: Sheer) -> Markup:
    """The side's shield with its letter on a staff at the stern; a flagship's pennant beside it."""
    x, y = at.stern + (92 if it.galley.look == "punic" else 70), at.deck - 30
    staff = drawn_path("p-staff", whole_path("M~ ~V~", x, y + 13, at.deck + 2))
    shape = drawn_path("shield", shield_path(it.galley.colour, 15, x, y))
    letter = Markup('<text class="letter" x="{}" y="{}" font-size="21">{}</text>').format(
        number(x), number(y + 7.5), it.galley.letter
    )
    flag = whole_path("M~ ~q16-9 30-2q-8 4-4 10q-12-5-26 1z", x + 18, y - 12) if it.galley.flagship else ""
    return staff + shape + letter + drawn_path("flag", flag)


def towers(it: Plans, at: Sheer) -> Markup:
    """Her fighting towers."""
    long = at.bow - at.stern
    places = (at.stern + long * (0.5 - tower) for tower in measures(it.galley.kind).towers)
    form = "M~ ~h-30v-34h-4v-9h8v5h6v-5h10v5h6v-5h8v9h-4z"
    return drawn_path("p-tower", "".join(whole_path(form, x + 15, at.deck + 7) for x in places))


def breaches(it: Plans, at: Sheer, sunk: float) -> Markup:
    """Open breaches as stars through which water runs, closed ones as patches."""
    found = []
    for each in range(it.breaches + it.closed):
        x = at.first + at.frame * ((min(it.lost, it.hull - 1) - 0.5 if it.lost else 2) + 0.9 * each)
        where = f"translate({number(max(at.first + 20, min(at.last - 26, x)))} {number(WATER - 4 - sunk * 0.55)})"
        if each < it.breaches:
            drawn = drawn_path("p-hole", HOLE) + drawn_path("p-jet", "M-5 2q-3 12-9 20M0 4q0 12-1 22M5 2q4 10 9 19")
        else:
            drawn = drawn_path("p-patch", "M-12-9h24v18h-24z") + drawn_path(
                "p-line", "M-12-3h24M-12 3h24M-8-9v18M8-9v18"
            )
        found.append(group(drawn, "", where))
    return Markup("").join(found)


def wave(y: float, first: float, last: float, high: float = 3, step: float = 28) -> str:
    """A line of waves."""
    count = 2 * int((last - first) / step) + 1
    return whole_path("M~ ~q~ ~ ~ 0", first, y, step / 4, -high, step / 2) + whole_path("t~ 0", step / 2) * count


@lru_cache(maxsize=512)
def profile(it: Plans, said_hull: str = "", said_breaches: str = "") -> Markup:
    """The hull from the side; the words are those of its links."""
    at = Sheer(it)
    look, q = it.galley.look, it.share
    sunk = min(36, 30 * q + (8 if it.hull - it.lost <= 1 else 0))
    trim = -4.2 * q * q if q > 0.3 else 0
    outline = silhouette(at)
    clip = Markup('<clipPath id="hull-{}"><path d="{}"/></clipPath>').format(it.name, outline)
    inside = Markup('<g clip-path="url(#hull-{})">{}{}</g>').format(
        it.name, drawn_path("p-hull", outline), frames(it, at)
    )
    a, b, d = at.stern, at.bow, at.deck
    oars = whole_path("M~ ~H~l-5 11H~z", a + 0.2 * (b - a), d + 3, b - 0.19 * (b - a), a + 0.2 * (b - a) + 5)
    ram = whole_path("M~ ~L~ ~V~L~ ~Z", b + 6, d + 25, b + 46, d + 34, d + 43, b + 9, d + 48)
    above = Markup("").join(
        (
            Markup("") if measures(it.galley.kind).sail else drawn_path("p-box", oars),
            towers(it, at),
            drawn_path("p-outline", outline),
            stern_post(look, at),
            standard(it, at),
            bow_painting(look, at),
            Markup("") if measures(it.galley.kind).sail else drawn_path("p-ram", ram),
        )
    )
    turn = f"translate(0 {number(sunk)}) rotate({number(trim)} {number(b - 60)} {number(at.keel)})"
    ship = group(inside + above + breaches(it, at, sunk), "", turn)
    left, top, right, low = 0, TOP[1], 2 * MIDDLE, TOP[1] + TOP[3]
    middle = WATER - 30 if it.breaches + it.closed else low
    fields = touch("hull", said_hull, left, top, right, middle)
    if middle < low:
        fields += touch("breaches", said_breaches, left, middle, right, low)
    surface = wave(WATER, -14, 654)
    ripples = wave(WATER + 16, 40, 560, 2, 44) + whole_path(
        "M90 ~q10-2 20 0t20 0M380 ~q10-2 20 0t20 0", WATER + 30, WATER + 34
    )
    sea = (
        drawn_path("p-water", f"{surface}V184H-14Z")
        + drawn_path("p-crest", surface)
        + drawn_path("p-crest thin", ripples)
    )
    back = drawn_path("p-back", f"{wave(WATER - 5, -14, 654, 2, 36)}V184H-14Z")
    box = " ".join(map(str, TOP))
    form = '<svg class="plan profile {}" viewBox="{}" role="group"><defs>{}</defs>{}{}{}{}</svg>'
    return Markup(form).format(it.galley.worn, box, clip, back, ship, sea, fields)
