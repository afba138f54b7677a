"""Ships on the measured sea for the tests of G1.6, and a battle turned or mirrored."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

from kit.fleet import do, position
from tactical.battle import Battle

WIDE = 40.0


def sea(ships: dict[str, Any], *, options: dict[str, Any] | None = None, **fields: Any) -> Battle:
    """A position on an open board of 40 by 40 without land."""
    board = {"kind": "open", "width": WIDE, "height": WIDE, **fields.pop("board", {})}
    return position(ships=ships, board=board, options=options, **fields)


def long_coast(corners: int) -> list[list[float]]:
    """A plain coast of so many corners along the south of that sea."""
    shore = [[round(WIDE * at / (corners - 3), 4), 30 + (at % 7) / 10] for at in range(corners - 2)]
    return [*shore, [WIDE, WIDE], [0, WIDE]]


def moving(ships: dict[str, Any], phase: int = 6, **fields: Any) -> Battle:
    """The same in the move step of a phase."""
    return sea(ships, step="move", phase=phase, **fields)


def held(ships: dict[str, Any], **fields: Any) -> Battle:
    """The same with a ship far away that owes a step, so that the move step goes on."""
    idle = {"side": "carthage", "type": "trireme", "at": [3, 37], "facing": 0, "speed": 1, "medium": 1}
    return moving({**ships, "c9": idle}, **fields)


def stepped(battle: Battle, name: str, angle: float = 0) -> Battle:
    """The battle after one step of a ship."""
    return do(battle, battle.ships[name].side, "step", ship=name, angle=angle).state


def swung(point: Any, degrees: float, mirror: bool, middle: float) -> list[float]:
    """A point turned clockwise about the middle of a sea, after mirroring it east to west."""
    x, y = point[0] - middle, point[1] - middle
    if mirror:
        x = -x
    angle = radians(degrees)
    return [middle + x * cos(angle) - y * sin(angle), middle + x * sin(angle) + y * cos(angle)]


def headed(facing: float, degrees: float, mirror: bool) -> float:
    """A heading after the same."""
    return ((-facing if mirror else facing) + degrees) % 360
