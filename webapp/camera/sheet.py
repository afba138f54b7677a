"""The sheet to print: tags on strips for the bases, corner tags on cards, rulers; SVG pages or a PDF, and its layout.

Each page is a list of marks in millimetres, which two small writers turn into SVG and PDF. A strip is as large as a
base, so the distance of its tags is printed and nobody has to measure it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from io import BytesIO
from math import cos, radians, sin, sqrt
from typing import Literal, NamedTuple

import numpy as np
import pydyf

import data
from tactical.battle import Battle
from tactical.kernel.record import BadInput, Reason, Record, because
from tactical.tabletop import DICTIONARIES, MOST_SHIPS, Layout, Model, Tag
from webapp.camera.fitting import FOCAL

# -- The tags, by the numbers of data/camera/tags.toml.

Dictionary = Literal["4x4_100", "5x5_250"]


class Family(Record, frozen=True):
    """The tags of a dictionary: modules of a side without the black border, and a number for each tag."""

    modules: int
    codes: tuple[int, ...]


@cache
def family(dictionary: str) -> Family:
    """The tags of a dictionary."""
    return data.read("camera/tags.toml", dict[str, Family])[dictionary]


def modules_of(dictionary: str, id: int) -> np.ndarray:
    """A tag's modules with its black border, row by row from the upper left; True is white."""
    known = family(dictionary)
    side = known.modules
    bits = [bool(known.codes[id] >> place & 1) for place in reversed(range(side * side))]
    return np.pad(np.array(bits).reshape(side, side), 1)


@cache
def unmistakable(dictionary: str) -> tuple[int, ...]:
    """The tags that read as no tag at all in a mirror: a sheet that was printed mirrored must be noticed."""
    turned = {
        np.rot90(modules_of(dictionary, id), quarter).tobytes()
        for id in range(DICTIONARIES[dictionary])
        for quarter in range(4)
    }
    return tuple(
        id for id in range(DICTIONARIES[dictionary]) if modules_of(dictionary, id)[:, ::-1].tobytes() not in turned
    )


# -- The layout that is printed.

CORNER = 40.0  # mm of a corner tag
LEAST_MIDDLE = 10.0  # mm between the white about a ship's two tags, for her model
TAGS, RULERS = (6, 60), (80, 120)  # mm of a tag's side, and of a printed ruler of 100 mm: least, most
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


class Wanted(NamedTuple):
    """What to print: the table and a base (length, width) in mm, the side of a tag, and the ships with their names.

    `bases` are those of ships that stand on another base. With `middles` two more tags lie in the middle of the long
    sides. A base length of the rules is that of the longest base, unless `base_length` says otherwise.
    """

    table: tuple[float, float]
    base: tuple[float, float]
    tag: float
    ships: Mapping[str, str]
    height: float = 3.0
    middles: bool = False
    bases: Mapping[str, tuple[float, float]] = {}
    base_length: float = 0.0


def fleet_of(battle: Battle) -> dict[str, str]:
    """The ships of a battle with their names; those that have sunk as well, so that no ship's tags ever change."""
    return {name: ship.name or "" for name, ship in battle.ships.items()}


def draw_up(wanted: Wanted) -> Layout:
    """The layout of a sheet, as it should be printed (at 100 %). Raises BadInput where something does not fit.

    The tags in the middle of the sides are the last of their dictionary: with or without them a ship's tags are the
    same.
    """
    if not 1 <= len(wanted.ships) <= MOST_SHIPS:
        raise BadInput("ships", "a sheet may have 1 to %(most)s ships", most=MOST_SHIPS)
    many = 4 + 2 * wanted.middles + 2 * len(wanted.ships)
    dictionary: Dictionary = "4x4_100" if many <= len(unmistakable("4x4_100")) else "5x5_250"
    ids = unmistakable(dictionary)
    bases = {name: wanted.bases.get(name, wanted.base) for name in wanted.ships}
    places = {base: along_base(wanted.tag, base, dictionary) for base in sorted(set(bases.values()))}
    edge = CORNER / 2 + CORNER / (family(dictionary).modules + 2)
    far_x, far_y = wanted.table[0] - edge, wanted.table[1] - edge
    if min(wanted.table) < 4 * edge:
        raise BadInput("table", "the table is too small for its corner tags")
    corners = [(edge, edge), (far_x, edge), (far_x, far_y), (edge, far_y)]
    middles: list[tuple[float, float]] = []
    if wanted.middles:
        half = wanted.table[0] / 2, wanted.table[1] / 2
        is_wide = wanted.table[0] >= wanted.table[1]
        middles = [(half[0], edge), (half[0], far_y)] if is_wide else [(edge, half[1]), (far_x, half[1])]
    on_table = zip((*ids[:4], *ids[-2:]), corners + middles, strict=False)
    pairs = zip(ids[4::2], ids[5::2], strict=False)
    ships = {
        name: Model(
            bases[name],
            (Tag(bow, places[bases[name]], wanted.tag), Tag(stern, -places[bases[name]], wanted.tag)),
            wanted.height,
            title,
        )
        for (name, title), (bow, stern) in zip(wanted.ships.items(), pairs, strict=False)
    }
    base_length = wanted.base_length or max(length for length, _ in bases.values())
    return Layout(wanted.table, ships, {id: (*at, CORNER) for id, at in on_table}, dictionary, base_length)


def along_base(tag: float, base: tuple[float, float], dictionary: Dictionary) -> float:
    """How far from the middle of a base its two tags lie. Raises BadInput where they do not fit on it."""
    length, width = base
    module = tag / (family(dictionary).modules + 2)
    if width < tag + module:
        raise BadInput(
            "tag", "a tag of %(tag)s mm needs a base %(width)s mm wide", tag=f"{tag:g}", width=f"{tag + module:.1f}"
        )
    along = length / 2 - tag / 2 - module
    if along - tag / 2 - module < LEAST_MIDDLE / 2:
        raise BadInput(
            "tag",
            "two tags of %(tag)s mm need a base %(length)s mm long",
            tag=f"{tag:g}",
            length=f"{2 * (tag + 2 * module) + LEAST_MIDDLE:.1f}",
        )
    return along


def as_measured(layout: Layout, ruler: float) -> Layout:
    """The layout of a sheet whose ruler of 100 mm measures so many: all that was printed is larger or smaller."""
    scale = ruler / 100
    width, height = layout.table

    def beside(at: float, side: float) -> float:
        """Cards stay in their corners, and in the middle of a side."""
        return at if at == side / 2 else side - (side - at) * scale if at > side / 2 else at * scale

    ships = {
        name: Model(
            model.base,
            tuple(Tag(tag.id, tag.along * scale, tag.size * scale, tag.across * scale) for tag in model.tags),
            model.height,
            model.name,
        )
        for name, model in layout.ships.items()
    }
    corners = {id: (beside(x, width), beside(y, height), size * scale) for id, (x, y, size) in layout.corners.items()}
    return Layout(layout.table, ships, corners, layout.dictionary, layout.base_length)


def ruler_of(layout: Layout) -> float:
    """What the rulers of 100 mm measure on the print that a layout is for."""
    return 100 * next(iter(layout.corners.values()))[2] / CORNER


def as_printed(layout: Layout) -> Layout:
    """The layout as its sheet is printed anew, at 100 %."""
    return as_measured(layout, 10_000 / ruler_of(layout))


FILLED = 0.976  # of the picture's width or height that the table takes, with 10 mm about it


def tag_pixels(table: tuple[float, float], tag: float, megapixels: float, tilt: float) -> tuple[float, float]:
    """How many pixels wide a tag is in a photograph that the table fills: in its middle, and at its far edge.

    The picture is 4 to 3, from above a long side, by a lens as phones have; `tilt` is in degrees from straight down.
    """
    width, sine, cosine = sqrt(megapixels * 4e6 / 3), sin(radians(tilt)), cos(radians(tilt))
    across, half, focal = max(table) / 2 + 10, min(table) / 2 + 10, FOCAL * width

    def aim(far: float) -> float:
        """Where the camera looks from so far away for the table to be in the middle: so far this side of its own."""
        return (sqrt(far**2 + (2 * sine * half) ** 2) - far) / (2 * sine) if sine else 0.0

    def fill(far: float) -> float:
        """How much of the picture the table takes from there."""
        at = aim(far)
        near, beyond = far - sine * (half - at), far + sine * (half + at)
        high = cosine * ((half - at) / near + (half + at) / beyond) / 0.75
        return max(2 * across / near, high) * focal / width / FILLED

    low, far = half * sine + 1, 20 * max(table)
    for _ in range(50):
        middle = (low + far) / 2
        low, far = (middle, far) if fill(middle) > 1 else (low, middle)
    depths = (far + sine * aim(far), far + sine * (aim(far) + min(table) / 2))
    pixels = [tag * focal / depth * min(1, cosine * far / depth) for depth in depths]
    return pixels[0], pixels[1]


# -- Pages: marks in millimetres from the upper left.

MARGIN, GUTTER = 12.0, 4.0
RULER_ROOM = 14.0  # mm that a ruler takes along the left and the lower edge
GREY, HAIR = 0.6, 0.1
Box = tuple[float, float, float, float]  # left, top, width, height


class Mark(NamedTuple):
    """A filled shape, a line, or a text at the middle of its place: points in mm, grey from 0 to 1, a size in mm.

    Words are a Reason, which is said in the reader's language when they are written; names are as they are.
    """

    kind: Literal["fill", "line", "text"]
    points: tuple[tuple[float, float], ...]
    grey: float = 0.0
    size: float = HAIR
    text: str | Reason = ""
    is_upright: bool = True  # a text that runs to the right; else from below to above


def box(left: float, top: float, width: float, height: float, grey: float = 0.0) -> Mark:
    """A filled rectangle."""
    return Mark("fill", ((left, top), (left + width, top), (left + width, top + height), (left, top + height)), grey)


def outline(left: float, top: float, width: float, height: float) -> Iterator[Mark]:
    """Hair lines to cut along, half a millimetre outside."""
    left, top, right, bottom = left - 0.5, top - 0.5, left + width + 0.5, top + height + 0.5
    yield Mark("line", ((left, top), (right, top), (right, bottom), (left, bottom), (left, top)), GREY)


def draw_tag(dictionary: str, id: int, x: float, y: float, size: float) -> Iterator[Mark]:
    """A tag, upright, by its middle: the black square with runs of white modules in it."""
    modules = modules_of(dictionary, id)
    module = size / len(modules)
    left, top = x - size / 2, y - size / 2
    yield box(left, top, size, size)
    for row, whites in enumerate(modules):
        for column, run in runs(whites.tolist()):
            yield box(left + column * module, top + row * module, run * module, module, 1.0)
    for column, whites in enumerate(modules.T):  # once more downwards, so that no hair line is left between rows
        for row, run in runs(whites.tolist()):
            yield box(left + column * module, top + row * module, module, run * module, 1.0)


def runs(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Where runs of True begin, and how long they are."""
    start = None
    for place, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = place
        elif not flag and start is not None:
            yield start, place - start
            start = None


def draw_strip(layout: Layout, name: str, left: float, top: float) -> Iterator[Mark]:
    """A ship's strip, her bow upwards, with an arrow, her name and the ids in the middle, where her model stands."""
    model = layout.ships[name]
    length, width = model.base
    x, y = left + width / 2, top + length / 2
    yield from outline(left, top, width, length)
    for tag in model.tags:
        yield from draw_tag(layout.dictionary, tag.id, x + tag.across, y - tag.along, tag.size)
    bow, stern = (tag.along for tag in (model.tags[0], model.tags[-1]))
    paper = model.tags[0].size * (0.5 + 1 / (family(layout.dictionary).modules + 2))
    peak = y - bow + paper + 1.0
    yield Mark("fill", ((x, peak), (x + 2.0, peak + 3.5), (x - 2.0, peak + 3.5)), 0.3)
    room = (y - stern - paper) - (peak + 4.0)
    size = 2.6
    words = [*fold(model.name, int(room / (0.62 * size)), 3), f"{name}  {'/'.join(str(tag.id) for tag in model.tags)}"]
    for number, line in enumerate(words):
        at = (x + (number - (len(words) - 1) / 2) * 1.3 * size, peak + 4.0 + room / 2)
        yield Mark("text", (at,), 0.3, size, line, is_upright=False)


def fold(text: str, letters: int, most: int) -> list[str]:
    """A text in lines of so many letters at most, the last of them cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [line[: max(letters, 3)] for line in lines[:most]]


def draw_card(layout: Layout, id: int, number: int, left: float, top: float) -> Iterator[Mark]:
    """A corner tag on its card, laid upright to the north; the corner that is marked lies in the table's."""
    card = card_size(layout)
    yield from outline(left, top, card, card)
    yield from draw_tag(layout.dictionary, id, left + card / 2, top + card / 2, layout.corners[id][2])
    words = (
        because("north-west corner of the table, tag %(tag)s", tag=id),
        because("north-east corner of the table, tag %(tag)s", tag=id),
        because("south-east corner of the table, tag %(tag)s", tag=id),
        because("south-west corner of the table, tag %(tag)s", tag=id),
        because("middle of a long side, tag %(tag)s", tag=id),
    )[min(number, 4)]
    if number < 4:
        x = left + (card - 0.7 if number in (1, 2) else 0.7)
        y = top + (card - 0.7 if number in (2, 3) else 0.7)
        inward_x, inward_y = (-5 if number in (1, 2) else 5), (-5 if number in (2, 3) else 5)
        yield Mark("line", ((x + inward_x, y), (x, y), (x, y + inward_y)), 0.0, 0.7)
    yield Mark("text", ((left + card / 2, top + card - 1.6),), 0.3, 2.0, words)
    yield Mark("fill", tuple((left + card / 2 + dx, top + dy) for dx, dy in ((0, 0.6), (1, 2.4), (-1, 2.4))), 0.3)
    yield Mark("text", ((left + card / 2 + 2.4, top + 1.6),), 0.3, 2.0, because("N"))


def card_size(layout: Layout) -> float:
    """The side of a corner tag's card, with a white module about the black square."""
    return CORNER * (1 + 2 / (family(layout.dictionary).modules + 2))


def draw_rulers(paper: tuple[float, float]) -> Iterator[Mark]:
    """Two rulers of 100 mm, along the lower and the left edge, with what to do about them."""
    width, height = paper
    low, left = height - MARGIN, MARGIN
    start_x, start_y = (width - 100) / 2, (height - 100) / 2
    for step in range(11):
        tick = 3.0 if step % 5 == 0 else 1.8
        across, down = start_x + 10 * step, start_y + 10 * step
        yield Mark("line", ((across, low), (across, low - tick)), 0.0, 0.2)
        yield Mark("line", ((left, down), (left + tick, down)), 0.0, 0.2)
    yield Mark("line", ((start_x, low), (start_x + 100, low)), 0.0, 0.2)
    yield Mark("line", ((left, start_y), (left, start_y + 100)), 0.0, 0.2)
    words = because(
        "Measure both lines: 100 mm? If not, print again at 100 %, or make the sheet with what you measured."
    )
    yield Mark("text", ((width / 2, low - 4.6),), 0.0, 2.6, words)
    yield Mark("text", ((left + 4.6, height / 2),), 0.0, 2.6, "100 mm", is_upright=False)


def pages(layout: Layout, paper: tuple[float, float]) -> list[list[Mark]]:
    """The pages of a sheet: first the corner cards, then the strips, each page with its rulers."""
    width, height = paper
    card = card_size(layout)
    length, breadth = (max(model.base[part] for model in layout.ships.values()) for part in (0, 1))
    cards = [
        ((card, card), lambda left, top, id=id, number=number: draw_card(layout, id, number, left, top))
        for number, id in enumerate(layout.corners)
    ]
    strips = [
        ((breadth, length), lambda left, top, name=name: draw_strip(layout, name, left, top)) for name in layout.ships
    ]
    room = (MARGIN + RULER_ROOM, MARGIN, width - MARGIN, height - MARGIN - RULER_ROOM)
    found: list[list[Mark]] = []
    for things in (cards, strips):
        places = fill(room, things[0][0]) if things else []
        if things and not places:
            raise BadInput("base", "a base of this size does not fit on the paper")
        for number, (_, draw) in enumerate(things):
            if number % len(places) == 0:
                found.append(list(draw_rulers(paper)))
            found[-1] += draw(*places[number % len(places)])
    return found


def fill(room: Box, size: tuple[float, float]) -> list[tuple[float, float]]:
    """Where things of one size lie in a room (left, top, right, bottom), row by row."""
    left, top, right, bottom = room
    width, height = size[0] + GUTTER, size[1] + GUTTER
    columns, rows = int((right - left + GUTTER) // width), int((bottom - top + GUTTER) // height)
    return [(left + column * width, top + row * height) for row in range(rows) for column in range(columns)]


# -- Written as SVG and as PDF.


Say = Callable[[Reason], str]  # words in the reader's language


def as_svg(marks: Iterable[Mark], paper: tuple[float, float], say: Say = str) -> str:
    """A page as an SVG of its true size."""
    width, height = paper
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="Helvetica, Arial, sans-serif" shape-rendering="crispEdges">',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
    ]
    for mark in marks:
        level = round(255 * mark.grey)
        colour = f"#{level:02x}{level:02x}{level:02x}"
        if mark.kind == "text":
            ((x, y),) = mark.points
            text = mark.text if isinstance(mark.text, str) else say(mark.text)
            turn = "" if mark.is_upright else f' transform="rotate(-90 {x:.3f} {y:.3f})"'
            lines.append(
                f'<text x="{x:.3f}" y="{y:.3f}" font-size="{mark.size:g}" fill="{colour}" text-anchor="middle" '
                f'dominant-baseline="central"{turn}>{escape(text)}</text>'
            )
            continue
        points = " ".join(f"{x:.3f},{y:.3f}" for x, y in mark.points)
        if mark.kind == "fill":
            lines.append(f'<polygon points="{points}" fill="{colour}"/>')
        else:
            lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{mark.size:g}"/>')
    return "\n".join([*lines, "</svg>", ""])


POINT = 72 / 25.4  # of a millimetre
NARROW, WIDE = 0.30, 0.56  # of a letter's height: thin letters and all others, to centre a text


def as_pdf(sheets: Iterable[list[Mark]], paper: tuple[float, float], say: Say = str) -> bytes:
    """The pages as a PDF of their true size.

    Its plain font has Latin letters only. A name in others is left out (ids stay), and words are then in English.
    """
    pdf = pydyf.PDF()
    width, height = paper
    font = pydyf.Dictionary(
        {"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/Helvetica", "Encoding": "/WinAnsiEncoding"}
    )
    pdf.add_object(font)
    for marks in sheets:
        stream = pydyf.Stream(compress=True)
        stream.set_matrix(POINT, 0, 0, -POINT, 0, height * POINT)
        for mark in marks:
            write_mark(stream, mark, say)
        pdf.add_object(stream)
        pdf.add_page(
            pydyf.Dictionary(
                {
                    "Type": "/Page",
                    "Parent": pdf.pages.reference,
                    "MediaBox": pydyf.Array([0, 0, round(width * POINT, 3), round(height * POINT, 3)]),
                    "Contents": stream.reference,
                    "Resources": pydyf.Dictionary({"Font": pydyf.Dictionary({"F": font.reference})}),
                }
            )
        )
    pdf.catalog["ViewerPreferences"] = pydyf.Dictionary({"PrintScaling": "/None"})
    written = BytesIO()
    pdf.write(written)
    return written.getvalue()


def in_plain_letters(text: str | Reason, say: Say) -> str:
    """The text in letters that the PDF's font has."""
    said = text if isinstance(text, str) else say(text)
    if said.encode("cp1252", "ignore").decode("cp1252") == said:
        return said
    return "" if isinstance(text, str) else str(text)


def write_mark(stream: pydyf.Stream, mark: Mark, say: Say) -> None:
    """One mark on a page of the PDF, whose y runs downwards."""
    if mark.kind == "text":
        text = in_plain_letters(mark.text, say)
        if not text:
            return
        long = mark.size * sum(NARROW if letter in "iljtfI.,:;/' " else WIDE for letter in text)
        ((x, y),) = mark.points
        stream.begin_text()
        stream.set_color_rgb(mark.grey, mark.grey, mark.grey)
        stream.set_font_size("F", mark.size)
        if mark.is_upright:
            stream.set_text_matrix(1, 0, 0, -1, x - long / 2, y + mark.size * 0.35)
        else:
            stream.set_text_matrix(0, -1, -1, 0, x + mark.size * 0.35, y + long / 2)
        stream.show_text(f"<{text.encode('cp1252').hex()}>")  # in the font's own encoding
        stream.end_text()
        return
    (x, y), *rest = mark.points
    stream.set_color_rgb(mark.grey, mark.grey, mark.grey, stroke=mark.kind == "line")
    stream.set_line_width(mark.size)
    stream.move_to(x, y)
    for x, y in rest:
        stream.line_to(x, y)
    if mark.kind == "fill":
        stream.fill()
    else:
        stream.stroke()
