"""A world drawn once (O1.1): its land and lanes as one SVG, which a browser keeps and every chart of the war shows.

A chart is the same projection with another scale and another corner, so that it shows the sheet moved and stretched;
lines keep their width. The file's address has the world's digest: another world has another address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from flask import Response, abort, render_template
from markupsafe import Markup
from shapely import GeometryCollection, box, clip_by_rect
from shapely.affinity import affine_transform
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from strategic.open_campaign.rules.world import Chart, chart
from tactical.kernel.cache import remember
from webapp.http.cache import Cache
from webapp.http.seats import current_seat, store
from webapp.pages.open_campaign.blueprint import open_blueprint
from webapp.pages.open_campaign.paper import Paper, drawn_land, fitted
from webapp.presenting.map.projection import Conic
from webapp.presenting.map.sheet import projected_land
from webapp.presenting.map.svg import path

bp = open_blueprint("world_sheet")
WIDE, HIGH = 4000, 3000  # units of the sheet
LAND_BEYOND = 1600  # units of land about its frame, for screens of another shape
BEYOND = 320  # pixels about a chart that are drawn and tapped, too
FOR_EVER = "private, max-age=31536000, immutable"


@dataclass(frozen=True, eq=False)
class WorldSheet:
    """A world as it is drawn once: its projection, its land, and its ways by kind as path data."""

    digest: str
    conic: Conic
    land: BaseGeometry
    land_drawn: Markup
    lanes: Mapping[str, str]

    def onto(self, paper: Paper) -> tuple[float, float, float]:
        """How the sheet comes onto a chart: its scale, and where its corner lies in pixels."""
        scale = paper.conic.scale / self.conic.scale
        return scale, self.conic.left * scale - paper.conic.left, self.conic.top * scale - paper.conic.top

    def matrix(self, paper: Paper) -> str:
        """The same as SVG writes it."""
        scale, x, y = self.onto(paper)
        return f"matrix({scale:.6g} 0 0 {scale:.6g} {x:.1f} {y:.1f})"


SHEETS = Cache(single_flight=True)


def sheet_of(world: Chart) -> WorldSheet:
    """The sheet of a world."""
    return SHEETS.get(world.digest, lambda: draw(world))


def draw(world: Chart) -> WorldSheet:
    """A world's land and ways in the units of its sheet."""
    paper = fitted([space.lonlat for space in world.spaces.values()], WIDE, HIGH, 0)
    land = projected_land(paper.conic, box(0, 0, WIDE, HIGH).buffer(LAND_BEYOND, join_style="mitre"))
    lines: dict[str, list[BaseGeometry]] = {}
    for lane in world.lanes.values():
        line = LineString(paper.conic.place(np.array(lane.line, dtype=float)))
        lines.setdefault(lane.kind, []).append(line.simplify(1))
    lanes = {kind: path(GeometryCollection(found)) for kind, found in lines.items()}
    return WorldSheet(world.digest, paper.conic, land, drawn_land(land), lanes)


@remember
def land_on(sheet: WorldSheet, paper: Paper) -> BaseGeometry:
    """The land that lies on a chart, in pixels."""
    scale, x, y = sheet.onto(paper)
    part = clip_by_rect(sheet.land, -x / scale, -y / scale, (paper.width - x) / scale, (paper.height - y) / scale)
    return affine_transform(part, (scale, 0, 0, scale, x, y))


@bp.get("/<game>/world/<digest>.svg")
def drawn(game: str, digest: str) -> Any:
    """A war's world, for everybody at it."""
    world = chart(store().load(game).view(current_seat(game).id)["world"])
    if world.digest != digest:
        abort(404)
    answer = Response(render_template("open_campaign/world.svg", sheet=sheet_of(world)), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = FOR_EVER
    return answer
