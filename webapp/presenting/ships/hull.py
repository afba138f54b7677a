"""The hull from above, heading north about (0, 0): outline, ram, stern, eyes, deck with the band of her side."""

from __future__ import annotations

from markupsafe import Markup

from webapp.presenting.ships.measures import DRAWING, Measures, measures
from webapp.presenting.ships.strokes import both_sides, drawn_path, path

FULL = 0.6  # share of the beam from which a deck covers the rowers


def outline(kind: str, look: str) -> str:
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


def body(kind: str, look: str, side: int, fine: bool) -> Markup:
    """All of a ship that no battle changes, but for her oars; `fine` with planks, thwarts and the tops of towers."""
    it = measures(kind)
    size = (look, it.length, it.beam)
    deck = full_deck(it, fine) if it.deck >= FULL else open_deck(it, fine)
    ram = "" if it.sail else drawn_path("ram", ram_of(*size))
    hull = ram + box(it) + drawn_path("hull", outline_of(*size)) + deck
    marks = band(it, side) + towers(it, fine) + (SAIL if it.sail else Markup("")) + eyes_of(*size)
    return hull + marks + drawn_path("stern" if fine else "stern bold", stern_of(*size))
