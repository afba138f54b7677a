"""A march by its goal where armies go space by space: what a system's rules tell of it, as the page and map show it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webapp.http.language import gettext as _
from webapp.presenting.map import svg as map_svg
from webapp.presenting.map.layout import sheet
from webapp.presenting.march_preview import Footstep, Mark, Tint, Walk, Walker
from webapp.presenting.naming import say_value

Command = Mapping[str, Any]


@dataclass(frozen=True)
class Stage:
    """One space of a way: the points spent when it is entered, what may happen there, the command that enters it."""

    space: str
    spent: int
    dangers: tuple[str, ...]
    command: Command


@dataclass(frozen=True)
class Ahead:
    """What a leader on the march may do: the points that each goal takes, and how he comes there.

    `stages(goal)` is the way; `why_not(goal)` says in words why there is none; `outlook(goal)` what waits there.
    `units(goal)` are the fewest and the most that may go, where the command says so; `sea` are the goals of
    voyages alone, `voyage(goal)` is one to a goal that is reached by land too.
    """

    leader: str
    force: str
    start: str
    points: int
    cost: Mapping[str, int]
    stages: Callable[[str], Sequence[Stage]]
    why_not: Callable[[str], str]
    outlook: Callable[[str], tuple[str, ...]]
    units: Callable[[str], tuple[int, int] | None]
    sea: frozenset[str] = frozenset()
    voyage: Callable[[str], Sequence[Stage]] = lambda goal: ()


def walk(system: str, ahead: Ahead, where: str | None) -> Walk | None:
    """The reach of the army on the march, and its way to the space that was tapped; None when it can go nowhere."""
    name = say_value(system, ahead.leader)
    cells, spots = map_svg.grounds(sheet(system)), sheet(system).spots
    tints = tuple(
        Tint(at, "" if at in ahead.sea else cells[at], points, (spots[at].x, spots[at].y))
        for at, points in ahead.cost.items()
        if at != ahead.start and at in spots
    )
    if not tints:
        return None
    walkers = (Walker(ahead.leader, name, ahead.force, True),)
    found = Walk(walkers, ahead.leader, name, ahead.force, ahead.points, tints, points=ahead.points)
    if where is None or where == ahead.start:
        return found
    stages = ahead.stages(where) if where in ahead.cost else ()
    if not stages:
        return replace(found, barred=ahead.why_not(where) or _("out of reach with the points that are left"))
    voyage = ahead.voyage(where)
    way = [spots[ahead.start], *(spots[stage.space] for stage in stages)]
    return replace(
        found,
        steps=tuple(Footstep(one.space, say_value(system, one.space), one.spent, one.dangers) for one in stages),
        line="M" + "L".join(f"{spot.x:.1f} {spot.y:.1f}" for spot in way),
        marks=tuple(Mark(spots[one.space].x, spots[one.space].y, one.spent, bool(one.dangers)) for one in stages),
        orders=json.dumps([dict(one.command) for one in stages]),
        units=ahead.units(where),
        goal=say_value(system, where),
        spent=stages[-1].spent,
        outlook=ahead.outlook(where),
        at_sea=where in ahead.sea,
        voyage=json.dumps([dict(one.command) for one in voyage]) if voyage else "",
        voyage_spent=voyage[-1].spent if voyage else 0,
        voyage_dangers=tuple(danger for one in voyage for danger in one.dangers),
    )
