"""Where the selected ship can go and the course that is looked at: marks to tap, a dotted way to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from tactical.battle import Battle
from tactical.hexes import Hex
from tactical.ship import STEPS_OF, Ship
from webapp.pages.battle.board import open_sea
from webapp.pages.battle.board.marks import Ghost
from webapp.pages.battle.board.sea import place

DRAWS = Markup(" data-draws")


def draw_reach(found: Mapping[Hex, int], leads: Collection[Hex]) -> str:
    """Small marks in the hexes in reach, with the number of steps; those to which a course `leads` can be tapped."""
    parts = []
    for at, steps in found.items():
        x, y = place(at)
        to = f' data-to="{at[0]:d},{at[1]:d}"' if at in leads else ""
        parts.append(f'<text{Markup(to)} x="{x:.0f}" y="{y + 7:.0f}">{steps:d}</text>')
    return f'<g class="reach" aria-hidden="true">{"".join(parts)}</g>' if parts else ""


def draw_route(ship: Ship, route: Sequence[Any], battle: Battle) -> str:
    """The way step by step: a dotted line, and where each step ends a disc with the phase in which it is made."""
    assert ship.at is not None
    points = [place(at) for at in (ship.at, *route)]
    line = "".join(f"M{x:g} {y:g}L{a:g} {b:g}" for (x, y), (a, b) in pairwise(points))
    discs = "".join(
        f'<g class="{"route-end" if number == len(route) else "route-disc"}" transform="translate({x:g} {y:g})">'
        f'<circle r="11"/><text y="4.500">{phase:d}</text></g>'
        for number, ((x, y), phase) in enumerate(zip(points[1:], phases_of(ship, battle, len(route)), strict=True), 1)
    )
    return f'<g class="route" aria-hidden="true"><path d="{line}"/>{discs}</g>'


def phases_of(ship: Ship, battle: Battle, count: int) -> tuple[int, ...]:
    """G3.2 The phases in which so many steps are made: in the plot at that speed, later from now on at her own."""
    speed = count if battle.step == "plot" else ship.speed
    known = sorted(STEPS_OF.get(speed, ()))
    now = battle.phase or 0
    left = [phase for phase in known if battle.step == "plot" or phase > now or (phase == now and battle.is_due(ship))]
    return tuple(left[:count]) if len(left) >= count else tuple(range(1, count + 1))


def drawable(battle: Battle, draws: bool) -> Markup:
    """For the scripts: may a course of the selected ship be drawn now; and how long a base is in the drawing, where any
    place on the open sea may be tapped."""
    if not draws:
        return Markup("")
    return Markup(' data-draws data-base="{}"').format(open_sea.BASE) if battle.board.kind == "open" else DRAWS


def draw_lead(ghost: Ghost) -> Markup:
    """For the script: the hex of a step into open water, through which a course may be drawn."""
    if ghost.meets != "open" or not isinstance(ghost.to[0], int):
        return Markup("")
    x, y = place(ghost.to)
    return Markup(' data-hex="{:d},{:d}" data-x="{:g}" data-y="{:g}"').format(*ghost.to, x, y)
