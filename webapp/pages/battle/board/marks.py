"""What the selected ship may do and reach: ghosts of its steps, hexes in reach, range rings, lines of sight."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
from markupsafe import escape

from tactical.battle import Battle
from tactical.hexes import Hex
from tactical.places import Place
from tactical.rules import missiles, movement
from tactical.ship import STEPS_OF, Ship
from webapp.pages.battle.board import open_sea
from webapp.pages.battle.board.sea import place, ring
from webapp.presenting import hulls

SWORDS = "M-5 -5L5 5M5 -5L-5 5M-6 2l4 4M6 2l-4 4"  # crossed
ANGLES = {"N": 0, "NE": 60, "SE": 120, "S": 180, "SW": 240, "NW": 300}


def angle_of(facing: str | float | None) -> float:
    """A heading in degrees clockwise from north."""
    return facing if isinstance(facing, int | float) else ANGLES[facing or "N"]


def contacts(battle: Battle) -> str:
    """Who is in contact with whom: a line between the two; who fights aboard whom: crossed swords."""
    found = []
    for ship in battle.ships.values():
        other = battle.ships.get(ship.contact or ship.boarding or "")
        if other is None or other is ship or ship.at is None or other.at is None or other.at == ship.at:
            continue
        x, y = place(ship.at)
        a, b = place(other.at)
        if ship.contact:
            line = f"M{x + (a - x) * 0.3:.0f} {y + (b - y) * 0.3:.0f}L{x + (a - x) * 0.7:.0f} {y + (b - y) * 0.7:.0f}"
            found.append(f'<path class="meeting" d="{line}"/>')
        else:
            middle = f"translate({(x + a) / 2:.0f} {(y + b) / 2:.0f})"
            found.append(f'<g class="melee" transform="{middle}"><circle r="11"/><path d="{SWORDS}"/></g>')
    return f'<g class="meetings" aria-hidden="true">{"".join(found)}</g>' if found else ""


def draw_ping(ping: Any) -> str:
    """A place that somebody points at (`pointing.Mark`), with his name."""
    below = 62 if ping.y < 70 else -48
    shape = "" if ping.shape is None else f" side{ping.shape % hulls.SHAPES:d}"
    return (
        f'<g class="ping{shape}" data-ping="{escape(ping.name)}" transform="translate({ping.x:g} {ping.y:g})"'
        ' aria-hidden="true"><circle class="ping-ring" r="34"/><circle class="ping-dot" r="7"/>'
        f'<text class="ping-who" y="{below:d}">{escape(ping.who)}</text></g>'
    )


@dataclass(frozen=True)
class Ghost:
    """A step on offer: what it is called, where it leads, and the button that commands it."""

    name: str
    facing: str | float
    to: Place
    meets: str
    label: str
    command: str


def reach(battle: Battle, ship_id: str, speed: int | None = None) -> dict[Hex, int]:
    """The hexes that the ship may come to in this turn, with the steps to each, if all others stay where they are.

    In the plot the whole turn counts, at `speed`; later the steps that are left. By the engine's own choices.
    """
    ship = battle.ships[ship_id]
    if not ship.is_afloat or ship.boarding or (ship.stopped and battle.step != "plot") or ship.at is None:
        return {}
    pace = ship.speed if speed is None else speed
    phases = sorted(STEPS_OF.get(pace, ()))
    now = battle.phase or 0
    left = [phase for phase in phases if battle.step == "plot" or phase > now or (phase == now and battle.is_due(ship))]
    start = msgspec.structs.replace(
        ship, speed=pace, stopped=False, steps_made=0 if battle.step == "plot" else ship.steps_made
    )
    found: dict[Hex, int] = {}
    front: dict[tuple[Hex, str, int], Ship] = {(ship.at, ship.facing or "N", ship.straight): start}
    for number in range(1, len(left) + 1):
        following: dict[tuple[Hex, str, int], Ship] = {}
        for stage in front.values():
            for way in movement.choices(battle, ship_id, stage).values():
                if way.to is None or way.meets in ("blocked", "edge") or way.facing is None:
                    continue
                if way.meets == "contact":
                    found.setdefault(way.to, number)
                    continue
                turned = way.facing != stage.facing
                straight = 0 if turned else stage.straight + 1
                found.setdefault(way.to, number)
                moved = msgspec.structs.replace(
                    stage,
                    at=way.to,
                    facing=way.facing,
                    straight=straight,
                    steps_made=stage.steps_made + 1,
                    free_turn=False,
                    passing=None,
                )
                following[way.to, way.facing, min(straight, 9)] = moved
        front = following
    found.pop(ship.at, None)
    return found


def rings(battle: Battle, ship: Ship) -> list[tuple[int, str]]:
    """The reach of each weapon that may still fire this turn, shortest first."""
    found: dict[int, list[str]] = {}
    for weapon, row in missiles.WEAPONS.items():
        if missiles.may_fire(ship, weapon):
            for band in row.band:
                found.setdefault(band.to, []).append(weapon)
    return [(distance, "+".join(weapons)) for distance, weapons in sorted(found.items())]


def draw_rings(battle: Battle, ship: Ship) -> str:
    """The range rings about a ship."""
    if ship.at is None:
        return ""
    x, y = place(ship.at)
    if battle.board.kind == "open":
        turned = f'transform="translate({x} {y}) rotate({ship.facing:g})"'
        paths = (open_sea.ring(battle, ship, far) for far, _weapons in rings(battle, ship))
        return "".join(f'<path class="ring" d="{escape(path)}" {turned}/>' for path in paths)
    lines = [
        f'<path class="ring" d="{ring(distance)}" transform="translate({x} {y})"/>'
        for distance, _weapons in rings(battle, ship)
    ]
    return "".join(lines)


def draw_sight(battle: Battle, ship: Ship) -> str:
    """Lines to every enemy that some weapon of the ship reaches and sees now."""
    if ship.at is None:
        return ""
    seen: set[str] = set()
    for weapon in missiles.WEAPONS:
        if missiles.may_fire(ship, weapon):
            seen |= set(missiles.targets(battle, ship, weapon))
    return lines(ship.at, [battle.ships[name].at for name in sorted(seen)])


def lines(start: Hex, ends: Iterable[Hex | None]) -> str:
    """Straight lines from one hex to others."""
    x, y = place(start)
    found = [f"M{x} {y}L{a} {b}" for a, b in (place(at) for at in ends if at is not None and at != start)]
    return f'<path class="sight" d="{"".join(found)}"/>' if found else ""
