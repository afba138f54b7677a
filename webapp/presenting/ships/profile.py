"""The hull from starboard, 640 by 240: a frame for each hull point; she lies deeper with each that is lost."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from webapp.presenting.ships.measures import measures
from webapp.presenting.ships.plans import MIDDLE, Plans, span, touch
from webapp.presenting.ships.strokes import drawn_path, group, number, whole_path
from webapp.presenting.ships.tokens import shield_path

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
