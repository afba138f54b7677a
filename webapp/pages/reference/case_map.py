"""The picture of a campaign's case: the system's map cut to the spaces that the case is about, before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from shapely.geometry import Point, Polygon, box

from tactical.kernel.protocol import UMPIRE, System
from tactical.kernel.record import plain
from webapp.pages.reference.cases import Case
from webapp.presenting.map.layout import has_map, sheet
from webapp.presenting.map.plates import leader_text
from webapp.presenting.map.sheet import Sheet, Spot
from webapp.presenting.map.svg import is_city, path
from webapp.presenting.picture import Picture
from webapp.presenting.place_names import place_name
from webapp.presenting.sides import side_number
from webapp.systems.presentations import presentation

ROOM = 55.0  # around the spaces, in units of the map
LEAST = 230.0  # a picture is no smaller than this
HEX_LEAST = 150.0
COUNTER = 26.0  # the width of a counter, in pixels of a picture that is WIDE
WIDE = 360.0


class Token(NamedTuple):
    """A counter: its place, its side's number, what stands on it, and its generals."""

    x: float
    y: float
    side: int
    text: str
    leaders: tuple[str, ...]
    inside: bool


class Place(NamedTuple):
    """A space: its place and name, who holds it, its walls and siege, and the outline of a hex."""

    id: str
    name: str
    x: float
    y: float
    holder: int | None
    walls: bool
    siege: int | None
    cell: str
    terrain: str


class CaseMap(NamedTuple):
    """All of it, with the box that it fills; `unit` is the length of a pixel of a picture that is WIDE."""

    box: str
    width: int
    height: int
    unit: float
    land: str
    ways: tuple[tuple[str, str], ...]
    places: tuple[Place, ...]
    tokens: tuple[Token, ...]


def maps(case: Case, rules: System, before: Any, after: Any) -> tuple[CaseMap | None, CaseMap | None]:
    """The map before and after, both cut to the same spaces; none where nobody stands anywhere."""
    if not has_map(rules.name):
        return None, None
    first, second = umpire_picture(rules, before), umpire_picture(rules, after)
    paper = first.sheet or sheet(rules.name)
    met = getattr(before, "engagement", None)
    about = spaces_of_a_case(case, first, second) | ({met.place, met.start} if met else set())
    about = about & set(paper.spots) or {stack.space for stack in first.stacks} & set(paper.spots)
    if not about:
        return None, None
    frame = cut(paper, [paper.spots[space] for space in about])
    return draw_case(paper, first, frame), draw_case(paper, second, frame)


def umpire_picture(rules: System, state: Any) -> Picture:
    """What the umpire sees upon the map."""
    return presentation(rules.name).picture(plain(rules.view(state, UMPIRE)))


def spaces_of_a_case(case: Case, before: Picture, after: Picture) -> set[str]:
    """The spaces that the commands and expectations name, and those where something changed."""
    named = {word for told in case.play for word in words(told.command)} | set(words(case.expect))
    changed = {stack.space for stack in set(before.stacks) ^ set(after.stacks)}
    led = {stack.space for stack in before.stacks if named & {leader.id for leader in stack.leaders}}
    return named | changed | led


def words(value: Any) -> Iterator[str]:
    """Every string in a command or expectation, and every key."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from words(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from words(part)
    elif isinstance(value, str):
        yield value


def cut(paper: Sheet, spots: Iterable[Spot]) -> Polygon:
    """The box around the spaces, with room."""
    found = list(spots)
    least = HEX_LEAST if paper.hexes else LEAST
    left, right = min(spot.x for spot in found) - ROOM, max(spot.x for spot in found) + ROOM
    top, foot = min(spot.y for spot in found) - ROOM, max(spot.y for spot in found) + ROOM
    wide, high = max(0.0, least - (right - left)) / 2, max(0.0, least * 0.75 - (foot - top)) / 2
    return box(left - wide, top - high, right + wide, foot + high)


def draw_case(paper: Sheet, picture: Picture, frame: Polygon) -> CaseMap:
    """What lies in the box, with what stands upon it."""
    left, top, right, foot = frame.bounds
    unit = round((right - left) / WIDE, 3)
    inner = box(left + 8, top + 8, right - 8, foot - 8)
    spots = [
        spot
        for spot in paper.spots.values()
        if (spot.cell.intersects(inner) if paper.hexes else inner.contains(Point(spot.at)))
    ]
    ways = tuple(
        (kind(way.kind), path(line)) for way in paper.ways if not (line := way.line.intersection(frame)).is_empty
    )
    return CaseMap(
        f"{left:.0f} {top:.0f} {right - left:.0f} {foot - top:.0f}",
        round(right - left),
        round(foot - top),
        unit,
        path(paper.land.intersection(frame)),
        ways,
        tuple(place(paper, spot, picture) for spot in spots),
        tuple(token for spot in spots for token in tokens(paper.system, spot, picture, unit)),
    )


def kind(way: str) -> str:
    """How a way is drawn: a lane at sea, a pass or strait, or a road."""
    if way in ("sea", "sea_lane", "lane"):
        return "lane"
    return "hard" if "pass" in way or way in ("strait", "rough", "hexside") else "road"


def place(paper: Sheet, spot: Spot, picture: Picture) -> Place:
    """One space."""
    siege, holder = picture.sieges.get(spot.id), picture.holders.get(spot.id)
    cell = path(spot.cell) if paper.hexes else ""
    terrain = str(spot.about.get("terrain", "")) if paper.hexes else ""
    name = place_name(spot.name) or (spot.id if paper.hexes else "")
    return Place(
        spot.id,
        name,
        round(spot.x, 1),
        round(spot.y, 1),
        side_number(paper.system, picture.sides, holder) if holder else None,
        is_city(spot),
        siege.points if siege else None,
        cell,
        terrain,
    )


def tokens(system: str, spot: Spot, picture: Picture, unit: float) -> Iterator[Token]:
    """The counters of a space side by side above it."""
    stacks = picture.at(spot.id)
    for number, stack in enumerate(stacks):
        x = spot.x + (number - (len(stacks) - 1) / 2) * (COUNTER + 6) * unit
        text = stack.strength + "".join(f" {letter}{count}" for letter, count in stack.extras)
        leaders = tuple(leader_text(leader.name, leader.rating) for leader in stack.leaders)
        side = side_number(system, picture.sides, stack.side)
        yield Token(round(x, 1), round(spot.y - 17 * unit, 1), side, text.strip(), leaders, stack.inside)
