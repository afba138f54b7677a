"""The umpire's chart: the truth, or what one side knows with the truth joined to it; where a fleet may be moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from strategic.coast import apart
from strategic.open_campaign.rules.world import chart
from tactical.kernel.protocol import UMPIRE
from webapp.pages.open_campaign.chart_frame import scale_box
from webapp.pages.open_campaign.paper import Paper
from webapp.pages.open_campaign.plates import Box
from webapp.pages.open_campaign.sea_chart import (
    SeaChart,
    Truth,
    of_interest,
    paper_of,
    place_of,
    sea_chart,
)
from webapp.storage.journal.records import Table
from webapp.systems.open_campaign.dispatch import afloat
from webapp.systems.open_campaign.knowledge import Seen, knowledge_of, newest
from webapp.systems.open_campaign.side_names import number_in

RAISED = 78  # pixels by which the desk's scale stands above the turn's buttons
SIZES = {"wide": (736, 620), "narrow": (390, 300)}  # pixels of the chart


Over = Callable[[str, Paper], tuple[Box, ...]]


@dataclass(frozen=True)
class Drawn:
    """A chart of a screen's size; `moves`: a tap on it says where the chosen fleet is moved."""

    kind: str
    chart: SeaChart
    moves: bool


def charts(table: Table, side: str, near: int, fleet: str, over: Over | None = None) -> tuple[Drawn, ...]:
    """The charts of two screens: of the truth where `side` is no side; about what matters, or of the whole world.

    `over` says where buttons lie over a chart; without it those of the desk do.
    """
    whole = table.view(UMPIRE)
    is_side = side in whole["sides"]
    shown = table.view(side) if is_side else whole
    seen = knowledge_of(shown, side) if is_side else ()
    around = of_interest(whole if is_side else shown, seen) if near else ()
    found = []
    for kind, size in SIZES.items():
        paper = paper_of(shown, *size, around)
        drawn = replace(sea_chart(shown, paper, seen, (over or boxes_over)(kind, paper)), chosen=fleet)
        if is_side:
            drawn = replace(drawn, truths=truths(whole, paper, side, seen))
        found.append(Drawn(kind, drawn, bool(fleet) and not is_side))
    return tuple(found)


def boxes_over(kind: str, paper: Paper) -> tuple[Box, ...]:
    """Where the switch (on a phone with the makers of the map below it), the turn's buttons and the scale lie."""
    switch = (6.0, 6.0, paper.width * 0.7, 62.0)
    if kind == "narrow":
        return (*switch[:3], 80.0), scale_box(paper)
    return switch, (6, paper.height - 72, paper.width - 6, paper.height), scale_box(paper, RAISED)


def truths(view: Mapping[str, Any], paper: Paper, side: str, seen: tuple[Seen, ...]) -> tuple[Truth, ...]:
    """K6 The fleets of the others as they are; each joined to the nearest newest sighting of its own side.

    A sighting does not say which fleet was seen, so that the nearest one is only likely to be it. Fleets of a side
    at one place are one sign.
    """
    world = chart(view["world"])
    pins = list(newest(seen))
    found: dict[tuple[str, float, float], Truth] = {}
    for _id, fleet in afloat(view):
        if fleet["side"] == side:
            continue
        at, number = place_of(world, fleet), len(fleet["ships"])
        own = [each for each in pins if each.side == fleet["side"]]
        belief = min(own, key=lambda each: apart(at, (each.lon, each.lat)), default=None)
        x, y = paper.at(at)
        if not paper.shows((x, y)):
            continue
        tie = paper.at((belief.lon, belief.lat)) if belief else (x, y)
        here = fleet["side"], x, y
        if here in found:
            found[here] = replace(found[here], number=found[here].number + number)
        else:
            found[here] = Truth(fleet["name"], number, number_in(view, fleet["side"]), x, y, tie)
    return tuple(found.values())
