"""A view's map, put together for the template: the fixed ground, and what changes upon it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from webapp.presenting.campaign_labels import colour
from webapp.presenting.map import svg as map_svg
from webapp.presenting.map.course_drawing import Way, meeting, ways
from webapp.presenting.map.label_placement import (
    Counter,
    Placed,
    body_width,
    counter_size,
    counter_text,
    leader_text,
    placed,
)
from webapp.presenting.map.layout import sheet
from webapp.presenting.map.sheet import Sheet, Spot
from webapp.presenting.map.zoom_levels import LEVELS
from webapp.presenting.picture import Picture


@dataclass(frozen=True)
class Mark:
    """A space's mark: its kind's ring, its holder's shape, a siege's points and its besieger's colour."""

    spot: Spot
    ring: str
    holder: int | None
    siege: int | None = None
    besieger: int | None = None


@dataclass(frozen=True)
class Line:
    """A general's line on a counter."""

    y: float
    text: str


@dataclass(frozen=True)
class Body:
    """A counter as drawn: its outline, its words, its generals."""

    counter: Counter
    side: int
    outline: str
    text: str
    size: float
    middle: float
    lines: tuple[Line, ...]
    initials: tuple[tuple[float, str], ...]
    scale: float


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
    in_play: tuple[int, int, int, int]
    ways: tuple[Way, ...] = ()
    meeting: tuple[float, float] | None = None


def drawing(system: str, picture: Picture) -> Drawing:
    """The map of a system with a picture upon it; each side has its own colour and shape."""
    paper = sheet(system)
    return Drawing(
        paper,
        picture,
        map_svg.ground(system),
        map_svg.cells(system),
        tuple(_mark(spot, picture) for spot in paper.spots.values() if not paper.hexes or spot.name),
        tuple((map_svg.area_key(area), colour(side)) for area, side in picture.areas.items() if area in paper.areas),
        tuple(
            (_valued(level, picture.values), tuple(_body(level, counter) for counter in level.counters))
            for level in placed(system, tuple(stack for stack in picture.stacks if stack.space in paper.spots))
        ),
        in_play(paper, picture),
        ways(paper, picture),
        meeting(paper, picture),
    )


def in_play(paper: Sheet, picture: Picture) -> tuple[int, int, int, int]:
    """The box of the picture's focus, or of everything that anybody holds or stands in, with room around it: the first
    view of the map."""
    used = picture.focus or {*picture.holders, *picture.sieges, *(stack.space for stack in picture.stacks)}
    spots = [paper.spots[space] for space in used if space in paper.spots]
    if not spots:
        return (0, 0, round(paper.width), round(paper.height))
    room = paper.width / 20
    left, right = min(spot.x for spot in spots) - room, max(spot.x for spot in spots) + room
    top, foot = min(spot.y for spot in spots) - room, max(spot.y for spot in spots) + room
    return (round(left), round(top), round(right - left), round(foot - top))


def _valued(level: Placed, values: Mapping[str, str]) -> Placed:
    """The names, those of areas with what they are worth."""
    names = tuple(
        replace(name, text=f"{name.text} {values[name.id]}") if name.kind == "area" and name.id in values else name
        for name in level.names
    )
    return replace(level, names=names)


def _mark(spot: Spot, picture: Picture) -> Mark:
    plain = "tribe" if spot.kind == "tribal" else spot.kind
    ring = "capital" if spot.about.get("capital") else "city" if map_svg.is_city(spot) else plain
    siege = picture.sieges.get(spot.id)
    holder = picture.holders.get(spot.id)
    besieger = colour(siege.side) if siege and siege.side else None
    return Mark(spot, ring, colour(holder) if holder else None, siege.points if siege else None, besieger)


def _body(level: Placed, counter: Counter) -> Body:
    """The counter's parts in units of the drawing, around its middle: generals by name, from afar by their initials."""
    scale = 1 / level.level.scale
    wide, high = counter_size(level.level, counter.stack)
    body = level.level.counter[1]
    top = high / 2 - body
    line = level.level.name + 3
    leaders = counter.stack.leaders
    lines: tuple[Line, ...] = ()
    initials: tuple[tuple[float, str], ...] = ()
    if level.level.full:
        lines = tuple(
            Line(-high / 2 + line * (index + 0.76), leader_text(leader.name, leader.rating))
            for index, leader in enumerate(leaders)
        )
    else:
        initials = tuple(
            ((index - (len(leaders) - 1) / 2) * 13, leader.name[:2]) for index, leader in enumerate(leaders)
        )
    side = colour(counter.stack.side)
    text = counter_text(counter.stack)
    own = min(wide, body_width(level.level, counter.stack))
    return Body(
        counter, side, outline(side, own, top, high / 2), text, body * 0.66, top + body / 2, lines, initials, scale
    )


def outline(side: int, wide: float, top: float, foot: float) -> str:
    """The counter's shape, one for each side: square, round-ended, pointed, notched, arched, slanted."""
    w, h = wide / 2, foot - top
    middle = (top + foot) / 2
    match side:
        case 0:
            return f"M{-w} {top}h{wide}v{h}h{-wide}z"
        case 1:
            r = h / 2
            flat = max(wide - h, 0)
            return f"M{-flat / 2} {top}h{flat}a{r} {r} 0 0 1 0 {h}h{-flat}a{r} {r} 0 0 1 0 {-h}z"
        case 2:
            return f"M{-w} {middle}L{-w + 6} {top}H{w - 6}L{w} {middle}L{w - 6} {foot}H{-w + 6}z"
        case 3:
            return f"M{-w} {top}H{w}V{foot - 6}L{w - 6} {foot}H{-w + 6}L{-w} {foot - 6}z"
        case 4:
            return f"M{-w} {foot}V{top + 8}Q{-w} {top} {-w + 8} {top}H{w - 8}Q{w} {top} {w} {top + 8}V{foot}z"
        case _:
            return f"M{-w + 5} {top}H{w}L{w - 5} {foot}H{-w}z"


LEVEL_NUMBERS = tuple(level.number for level in LEVELS)
