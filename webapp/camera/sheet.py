"""The sheet to print: tags on strips for the bases, corner tags on cards, rulers; SVG pages or a PDF, and its layout.

Each page is a list of marks in millimetres, which two small writers turn into SVG and PDF. A strip is as large as a
base, so the distance of its tags is printed and nobody has to measure it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from io import BytesIO
from typing import Literal, NamedTuple

import numpy as np
import pydyf

import data
from tactical.kernel.record import BadInput, Record
from tactical.tabletop import DICTIONARIES, Layout, Model, Tag

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
MOST_OF_SMALL, MOST = 44, 121  # ships for which the small dictionary has tags enough, and the large one
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


class Wanted(NamedTuple):
    """What to print: the table and the bases (length, width) in mm, the side of a tag, and the ships with their names.

    With `middles` two more tags lie in the middle of the long sides.
    """

    table: tuple[float, float]
    base: tuple[float, float]
    tag: float
    ships: Mapping[str, str]
    height: float = 3.0
    middles: bool = False


def draw_up(wanted: Wanted) -> Layout:
    """The layout of a sheet, as it should be printed (at 100 %). Raises BadInput where something does not fit."""
    if not 1 <= len(wanted.ships) <= MOST:
        raise BadInput("ships", "a sheet may have 1 to %(most)s ships", most=MOST)
    dictionary: Dictionary = "4x4_100" if len(wanted.ships) <= MOST_OF_SMALL - wanted.middles else "5x5_250"
    ids = iter(unmistakable(dictionary))
    module = wanted.tag / (family(dictionary).modules + 2)
    length, width = wanted.base
    if width < wanted.tag + module:
        raise BadInput(
            "tag",
            "a tag of %(tag)s mm needs a base %(width)s mm wide",
            tag=f"{wanted.tag:g}",
            width=f"{wanted.tag + module:.1f}",
        )
    along = length / 2 - wanted.tag / 2 - module
    if along - wanted.tag / 2 - module < LEAST_MIDDLE / 2:
        raise BadInput(
            "tag",
            "two tags of %(tag)s mm need a base %(length)s mm long",
            tag=f"{wanted.tag:g}",
            length=f"{2 * (wanted.tag + 2 * module) + LEAST_MIDDLE:.1f}",
        )
    edge = CORNER / 2 + CORNER / (family(dictionary).modules + 2)
    far_x, far_y = wanted.table[0] - edge, wanted.table[1] - edge
    if min(wanted.table) < 4 * edge:
        raise BadInput("table", "the table is too small for its corner tags")
    places = [(edge, edge), (far_x, edge), (far_x, far_y), (edge, far_y)]
    if wanted.middles:
        half = wanted.table[0] / 2, wanted.table[1] / 2
        is_wide = wanted.table[0] >= wanted.table[1]
        places += [(half[0], edge), (half[0], far_y)] if is_wide else [(edge, half[1]), (far_x, half[1])]
    corners = {next(ids): (*place, CORNER) for place in places}
    ships = {
        name: Model(
            wanted.base, (Tag(next(ids), along, wanted.tag), Tag(next(ids), -along, wanted.tag)), wanted.height, title
        )
        for name, title in wanted.ships.items()
    }
    return Layout(wanted.table, ships, corners, dictionary, length)


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


# -- Pages: marks in millimetres from the upper left.

MARGIN, GUTTER = 12.0, 4.0
RULER_ROOM = 14.0  # mm that a ruler takes along the left and the lower edge
GREY, HAIR = 0.6, 0.1
Box = tuple[float, float, float, float]  # left, top, width, height


class Mark(NamedTuple):
    """A filled shape, a line, or a text at the middle of its place: points in mm, grey from 0 to 1, a size in mm."""

    kind: Literal["fill", "line", "text"]
    points: tuple[tuple[float, float], ...]
    grey: float = 0.0
    size: float = HAIR
    text: str = ""
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


CORNER_NAMES = ("north-west", "north-east", "south-east", "south-west")


def draw_card(layout: Layout, id: int, number: int, left: float, top: float) -> Iterator[Mark]:
    """A corner tag on its card, laid upright to the north; the corner that is marked lies in the table's."""
    card = card_size(layout)
    yield from outline(left, top, card, card)
    yield from draw_tag(layout.dictionary, id, left + card / 2, top + card / 2, layout.corners[id][2])
    if number < len(CORNER_NAMES):
        words = f"{CORNER_NAMES[number]} corner of the table, tag {id}"
        x = left + (card - 0.7 if number in (1, 2) else 0.7)
        y = top + (card - 0.7 if number in (2, 3) else 0.7)
        inward_x, inward_y = (-5 if number in (1, 2) else 5), (-5 if number in (2, 3) else 5)
        yield Mark("line", ((x + inward_x, y), (x, y), (x, y + inward_y)), 0.0, 0.7)
    else:
        words = f"middle of a long side, tag {id}"
    yield Mark("text", ((left + card / 2, top + card - 1.6),), 0.3, 2.0, words)
    yield Mark("fill", tuple((left + card / 2 + dx, top + dy) for dx, dy in ((0, 0.6), (1, 2.4), (-1, 2.4))), 0.3)
    yield Mark("text", ((left + card / 2 + 2.4, top + 1.6),), 0.3, 2.0, "N")


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
    words = "Measure both lines: 100 mm? If not, print again at 100 %, or type what you measure: --ruler 97.5"
    yield Mark("text", ((width / 2, low - 4.6),), 0.0, 2.6, words)
    yield Mark("text", ((left + 4.6, height / 2),), 0.0, 2.6, "100 mm", is_upright=False)


def pages(layout: Layout, paper: tuple[float, float]) -> list[list[Mark]]:
    """The pages of a sheet: first the corner cards, then the strips, each page with its rulers."""
    width, height = paper
    card = card_size(layout)
    length, breadth = max((model.base for model in layout.ships.values()), default=(1.0, 1.0))
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


def as_svg(marks: Iterable[Mark], paper: tuple[float, float]) -> str:
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
            turn = "" if mark.is_upright else f' transform="rotate(-90 {x:.3f} {y:.3f})"'
            lines.append(
                f'<text x="{x:.3f}" y="{y:.3f}" font-size="{mark.size:g}" fill="{colour}" text-anchor="middle" '
                f'dominant-baseline="central"{turn}>{escape(mark.text)}</text>'
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


def as_pdf(sheets: Iterable[list[Mark]], paper: tuple[float, float]) -> bytes:
    """The pages as a PDF of their true size. A name in letters that its plain font lacks is left out; ids stay."""
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
            write_mark(stream, mark)
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


def write_mark(stream: pydyf.Stream, mark: Mark) -> None:
    """One mark on a page of the PDF, whose y runs downwards."""
    if mark.kind == "text":
        try:
            mark.text.encode("cp1252")
        except UnicodeEncodeError:
            return
        long = mark.size * sum(NARROW if letter in "iljtfI.,:;/' " else WIDE for letter in mark.text)
        ((x, y),) = mark.points
        stream.begin_text()
        stream.set_color_rgb(mark.grey, mark.grey, mark.grey)
        stream.set_font_size("F", mark.size)
        if mark.is_upright:
            stream.set_text_matrix(1, 0, 0, -1, x - long / 2, y + mark.size * 0.35)
        else:
            stream.set_text_matrix(0, -1, -1, 0, x + mark.size * 0.35, y + long / 2)
        stream.show_text_string(mark.text)
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
