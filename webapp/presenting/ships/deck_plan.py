"""The deck from above, 640 by 212, bow right: who stands on it and who fell, engines, corvus, the banks by speeds."""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import NamedTuple

from markupsafe import Markup

from webapp.presenting.ships import damage, hull
from webapp.presenting.ships.figures import FIGURES
from webapp.presenting.ships.measures import DRAWING, measures
from webapp.presenting.ships.plans import MIDDLE, Plans, span, touch
from webapp.presenting.ships.strokes import drawn_path, group, number, whole_path

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
    outline = hull.outline_of(look, long, at.beam)
    edges = (at.first - 16, KEEL - at.beam / 2 - 6, at.last + 16, at.last + 30, KEEL - at.beam / 2 + 3)
    right = (KEEL + at.beam / 2 - 3, at.last + 16, KEEL + at.beam / 2 + 6, at.first - 16, at.first - 30)
    ends = (KEEL + at.beam / 2 - 3, KEEL - at.beam / 2 + 3)
    box = whole_path("M~ ~H~L~ ~V~L~ ~H~L~ ~V~Z", *edges, *right, *ends)
    sails = measures(it.galley.kind).sail
    bow, stern = f"translate(0 {number(-long / 2)})", f"translate(0 {number(long / 2)})"
    size = (look, long / 2.3, at.beam / 2.3)
    ram = Markup("") if sails else drawn_path("ram", hull.ram_of(look, 0, at.beam * 0.55))
    eyes = group(hull.eyes_of(*size), "", f"scale(2.3) translate(0 {number(long / 4.6)})")
    post = group(drawn_path("stern", hull.stern_of(*size)), "", f"scale(2.3) translate(0 {number(-long / 4.6)})")
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
    if measures(it.galley.kind).deck >= hull.FULL:
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
    is_open = measures(it.galley.kind).deck < hull.FULL

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
    open_ship = measures(it.galley.kind).deck < hull.FULL
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
    for bite in DRAWING.bites[: damage.bitten(it.share)]:
        x = (at.stern + at.bow) / 2 - bite.at * (at.bow - at.stern)
        y = KEEL + bite.side * (at.beam / 2 + 3)
        found.append("M" + "L".join(whole_path("~ ~", x + dx, y + bite.side * dy) for dx, dy in GASH) + "Z")
    return drawn_path("bite", "".join(found))


def water(it: Plans, at: Deck) -> Markup:
    """The water that stands on her; the crew stands in it."""
    if it.share < damage.AWASH:
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
