"""A view's map, put together for the template: the fixed ground, and what changes upon it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from markupsafe import Markup

from webapp.presenting.map import sheet as map_svg
from webapp.presenting.map.placement import (
    ANCHORED,
    DRAWN,
    Counter,
    Placed,
    anchor_level,
    anchors,
    head,
    place_labels,
    sign_kind,
)
from webapp.presenting.map.sheet import Sheet, Spot, sheet
from webapp.presenting.presentation import Picture, Stack
from webapp.presenting.sides import SIGNS, side_number, sign_at

# -- The ways of what is under way as drawn: an arrow for each, a ship for a fleet, crossed rams where fleets have met.

ALONG = 0.55  # of its last leg: here a fleet is drawn


@dataclass(frozen=True)
class Sailing:
    """A fleet at sea: where it is drawn, and what stands beside it."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Way:
    """One way: its line (empty before the first step), its side's number, where it has come to, the fleet on it."""

    tone: int
    line: str
    x: float
    y: float
    fleet: Sailing | None = None


def ways(sheet: Sheet, picture: Picture, number: Callable[[str], int]) -> tuple[Way, ...]:
    """The ways of a picture on its map; `number` is that of a side."""
    found = []
    for course in picture.courses:
        spots = [sheet.spots[space] for space in course.path if space in sheet.spots]
        if not spots:
            continue
        points = [(spot.x, spot.y) for spot in spots]
        line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if len(points) > 1 else ""
        fleet = None
        if course.fleet and len(points) > 1:
            (x1, y1), (x2, y2) = list(pairwise(points))[-1]
            fleet = Sailing(x1 + (x2 - x1) * ALONG, y1 + (y2 - y1) * ALONG, course.text)
        found.append(Way(number(course.side), line, *points[-1], fleet))
    return tuple(found)


def place(sheet: Sheet, space: str) -> tuple[float, float] | None:
    """Where a space stands, if it is on the map: there fleets have met, or armies fight."""
    spot = sheet.spots.get(space)
    return (spot.x, spot.y) if spot else None


# -- A view's map, put together for the template: the fixed ground, and what changes upon it.

Box = tuple[int, int, int, int]  # x, y, width, height
LEAST = 0.4  # of the map's width that a first view shows


@dataclass(frozen=True)
class Mark:
    """A space's mark: its kind's ring, its holder's shape, a siege's points and its besieger's colour."""

    spot: Spot
    ring: str
    holder: int | None
    siege: int | None = None
    besieger: int | None = None


@dataclass(frozen=True)
class Body:
    """A plate as drawn: where, its side's number, its parts; `head` is whose head it bears (none: the side's sign)."""

    counter: Counter
    side: int
    head: str


@dataclass(frozen=True)
class Drawing:
    """Everything that the template draws. `in_play` is the box (x, y, width, height) of the spaces in play."""

    sheet: Sheet
    picture: Picture
    ground: Markup
    cells: Mapping[str, str]
    marks: tuple[Mark, ...]
    held: tuple[tuple[str, int], ...]
    levels: tuple[tuple[Placed, tuple[Body, ...]], ...]
    heads: tuple[tuple[str, bool, tuple[str, ...]], ...]
    in_play: Box
    ways: tuple[Way, ...] = ()
    meeting: tuple[float, float] | None = None
    battle: tuple[float, float] | None = None
    strokes: Mapping[str, str] = field(default_factory=lambda: DRAWN.strokes)
    signs: tuple[str, ...] = tuple(sign_at(number) for number in range(len(SIGNS)))

    @property
    def edges(self) -> str:
        """From which scale on each level but the first is shown, for the page's script."""
        return " ".join(str(level.level.edge) for level, _bodies in self.levels[1:])

    @property
    def has_many_ports(self) -> bool:
        """Has the map so many ports that their anchors are drawn only near by?"""
        return anchor_level(self.sheet) > ANCHORED

    @property
    def anchors(self) -> list[tuple[Spot, float, float]]:
        """The ports, and how many pixels from each its anchor stands."""
        return [(self.sheet.spots[space], *way) for space, way in anchors(self.sheet).items()]


def drawing(system: str, picture: Picture) -> Drawing:
    """The map of a system, or of a game's own world, with a picture upon it; each side has its own colour and shape."""
    paper = picture.sheet or sheet(system)
    number = partial(side_number, system, picture.sides)
    stacks = tuple(replace(each, number=number(each.side)) for each in picture.stacks if each.space in paper.spots)
    ringed = frozenset(picture.sieges) | {space for space in (picture.meeting, picture.battle) if space}
    return Drawing(
        paper,
        picture,
        map_svg.ground(paper),
        map_svg.cells(paper),
        tuple(_mark(spot, picture, number) for spot in paper.spots.values() if not paper.hexes or spot.name),
        tuple((map_svg.area_key(area), number(side)) for area, side in picture.areas.items() if area in paper.areas),
        tuple(
            (_with_values(level, picture.values), tuple(_body(counter) for counter in level.counters))
            for level in place_labels(paper, stacks, ringed)
        ),
        tuple((name, number(side) == 0, head(system, name)) for name, side in sorted(_commanders(stacks).items())),
        in_play(paper, picture),
        ways(paper, picture, number),
        place(paper, picture.meeting),
        place(paper, picture.battle) if picture.battle != picture.meeting else None,
    )


def in_play(paper: Sheet, picture: Picture) -> Box:
    """The box of the picture's focus, or of everything that anybody holds or stands in."""
    used = picture.focus or {*picture.holders, *picture.sieges, *(stack.space for stack in picture.stacks)}
    return around(paper, used) or (0, 0, round(paper.width), round(paper.height))


def home(drawn: Drawing, seat: str) -> Box:
    """Where a seat's view begins: where it has something, or what is in play for who has nothing."""
    paper, picture = drawn.sheet, drawn.picture
    if picture.focus:
        return drawn.in_play
    own = {stack.space for stack in picture.stacks if stack.side == seat}
    own |= {space for space, side in picture.holders.items() if side == seat}
    own |= {
        spot.id
        for spot in paper.spots.values()
        if paper.hexes and spot.name and picture.areas.get(spot.province or "") == seat
    }
    return around(paper, own) or drawn.in_play


def around(paper: Sheet, spaces: Iterable[str]) -> Box | None:
    """The box of some spaces with room around them, never nearer than a part of the map; none without any."""
    spots = [paper.spots[space] for space in spaces if space in paper.spots]
    if not spots:
        return None
    room, least = paper.width / 14, paper.width * LEAST
    left, right = min(spot.x for spot in spots) - room, max(spot.x for spot in spots) + room
    top, foot = min(spot.y for spot in spots) - room, max(spot.y for spot in spots) + room
    wide, high = max(right - left, least), max(foot - top, least * 0.75)
    return (round((left + right - wide) / 2), round((top + foot - high) / 2), round(wide), round(high))


def _with_values(level: Placed, values: Mapping[str, str]) -> Placed:
    """The names, those of areas with what they are worth."""
    names = tuple(
        replace(name, text=f"{name.text} {values[name.id]}") if name.kind == "area" and name.id in values else name
        for name in level.names
    )
    return replace(level, names=names)


def _mark(spot: Spot, picture: Picture, number: Callable[[str], int]) -> Mark:
    siege = picture.sieges.get(spot.id)
    holder = picture.holders.get(spot.id)
    besieger = number(siege.side) if siege and siege.side else None
    return Mark(spot, sign_kind(spot), number(holder) if holder else None, siege.points if siege else None, besieger)


def _body(counter: Counter) -> Body:
    leaders = counter.stack.leaders
    return Body(counter, counter.stack.number, leaders[0].id if leaders and leaders[0].has_head else "")


def _commanders(stacks: tuple[Stack, ...]) -> dict[str, str]:
    """Whose head stands on the map, and of which side he is."""
    return {each.leaders[0].id: each.side for each in stacks if each.leaders and each.leaders[0].has_head}
