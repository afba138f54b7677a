"""What a tap on the board does: ghosts of the legal steps, the angles of the measured sea, the enemy that is struck."""

from __future__ import annotations

from markupsafe import Markup, escape

from tactical import measured
from tactical.battle import Battle
from tactical.ship import Ship
from webapp.http.signs import minus
from webapp.pages.battle.board import marks, open_sea, sea, ways
from webapp.presenting import hulls
from webapp.presenting.ships.looks import look_of

CHIP = 118  # from midship to the buttons of the angles, in the drawing's units


def draw_ghost(battle: Battle, ship: Ship, ghost: marks.Ghost) -> str:
    """A legal step as the ship that it would make, with a button over it that commands it."""
    assert ship.at is not None
    x, y = sea.place(ghost.to)
    if battle.board.kind == "open":
        return draw_angle(battle, ship, ghost)
    angle = int(marks.angle_of(ghost.facing))
    if ghost.meets == "contact":
        drawn = f'<path class="ghost-hex strike" d="{sea.hex_path(0.9)}"/>'
    elif ghost.meets == "blocked":
        drawn = f'<path class="ghost-hex stop" d="{sea.hex_path(0.9)}"/><path class="ghost-ram" d="M-14 0H14"/>'
    elif ghost.meets == "place":
        drawn = f'<path class="ghost-place" d="{sea.hex_path(0.9)}"/>'
    else:
        drawn = (
            f'<path class="ghost-hex" d="{sea.hex_path(0.9)}"/>'
            f'<g class="ghost-ship" transform="rotate({angle:d})">'
            f"{hulls.ghost(ship.type, look_of(battle, ship.side))}</g>"
        )
    return (
        f'<g class="ghosts"{escape(ways.draw_lead(ghost))} transform="translate({x:g} {y:g})">{drawn}'
        f'<foreignObject x="-30" y="-30" width="60" height="60"><button xmlns="http://www.w3.org/1999/xhtml"'
        f' class="on-board" form="orders" name="command" id="ghost-{escape(ghost.name)}"'
        f' value="{escape(ghost.command)}" aria-label="{escape(ghost.label)}" title="{escape(ghost.label)}">'
        "</button></foreignObject></g>"
    )


def draw_aim(battle: Battle, ship: Ship) -> str:
    """G1.6 The hull that follows the slider and the bow that is dragged, and the handle at the bow."""
    assert ship.at is not None
    x, y = sea.place(ship.at)
    kind = battle.kind(ship)
    way = open_sea.BASE if ship.speed >= 0 else -open_sea.BASE
    return (
        f'<g class="aim" id="aim" data-facing="{ship.facing:g}" data-way="{way:d}" data-x="{x:g}" data-y="{y:g}"'
        f' transform="translate({x:g} {y:g}) rotate({ship.facing:g})">'
        f'<path class="aim-hull" d="{open_sea.outline(kind)}" transform="translate(0 {-way:d})"/>'
        f'<circle class="bow" r="15" cy="{-kind.length * open_sea.BASE / 2:.1f}"/></g>'
    )


def draw_angle(battle: Battle, ship: Ship, ghost: marks.Ghost) -> str:
    """G1.6 A chip's hull where the ship comes to lie, and before it a button with the angle that commands it."""
    assert ship.at is not None
    x, y = sea.place(ghost.to)
    hull = open_sea.outline(battle.kind(ship))
    kind = {"contact": " strike", "blocked": " stop", "edge": " stop"}.get(ghost.meets, "")
    ahead = measured.unit(marks.angle_of(ghost.facing))
    far = -CHIP if ship.speed < 0 else CHIP
    at_x, at_y = (start + way * far for start, way in zip(sea.place(ship.at), ahead, strict=True))
    number = int(ghost.name)
    said = f"{'+' if number > 0 else ''}{minus(number)}°"
    return (
        f'<g class="ghosts measured"><path class="ghost{escape(kind)}" d="{hull}"'
        f' transform="translate({x:g} {y:g}) rotate({ghost.facing:g})"/>'
        f'<g transform="translate({at_x:.1f} {at_y:.1f})"><circle class="ghost-hex{escape(kind)}" r="23"/>'
        f'<text class="ghost-angle" y="6">{escape(said)}</text>'
        f'<foreignObject x="-26" y="-26" width="52" height="52"><button xmlns="http://www.w3.org/1999/xhtml"'
        f' class="on-board" form="orders" name="command" id="ghost-{escape(ghost.name)}"'
        f' value="{escape(ghost.command)}" aria-label="{escape(ghost.label)}" title="{escape(ghost.label)}">'
        "</button></foreignObject></g></g>"
    )


def strike(ship: Ship, said: Markup, command: str) -> str:
    """A button over an enemy that was tapped: the second tap strikes; `said` is the ship in words."""
    assert ship.at is not None
    x, y = sea.place(ship.at)
    return (
        f'<foreignObject x="{x - 30:g}" y="{y - 30:g}" width="60" height="60">'
        f'<button xmlns="http://www.w3.org/1999/xhtml" class="on-board" form="orders" name="command" id="strike"'
        f' value="{escape(command)}" aria-label="{escape(said)}"></button></foreignObject>'
    )
