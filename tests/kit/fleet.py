"""Two ships rather than twenty: small positions for the tests of the galley rules."""

from __future__ import annotations

from typing import Any

from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Outcome
from tactical.kernel.record import read


def ship(
    side: str, at: tuple[int, int] | None, facing: str | None = "N", kind: str = "trireme", **fields: Any
) -> dict[str, Any]:
    """A ship of a position; a Roman trireme and its like get two medium marines and an archer."""
    figures: dict[str, Any] = {}
    if not fields.keys() & {"heavy", "medium", "light", "archers", "catapults", "stone_throwers"}:
        figures = {"medium": 2, "archers": 0}
    return {"side": side, "type": kind, "at": at, "facing": facing, **figures, **fields}


def position(*, options: dict[str, Any] | None = None, dice: tuple[int, ...] = (), **fields: Any) -> Battle:
    """Start from a position of the sides rome and carthage on a 20 by 14 board without land."""
    ships = fields.pop("ships")
    board = {"columns": 20, "rows": 14, **fields.pop("board", {})}
    raw = {
        "sides": {"rome": {"navy": "roman"}, "carthage": {"navy": "hellenistic"}},
        "ships": ships,
        "board": board,
        **fields,
    }
    return GALLEY.start(None, raw, options or {}, Dice(dice)).state


def do(battle: Battle, seat: str, kind: str, *dice: int, **fields: Any) -> Outcome[Battle]:
    """Give one command with these faces; more or fewer dice than it rolls are an error."""
    return GALLEY.apply(battle, seat, read({"type": kind, **fields}, GALLEY.command), Dice(dice))


def go(battle: Battle, *commands: tuple[Any, ...]) -> Battle:
    """Give several commands as the umpire: (type, fields) or (type, fields, dice)."""
    for kind, fields, *rest in commands:
        battle = do(battle, "umpire", kind, *(rest[0] if rest else ()), **fields).state
    return battle


def plotted(battle: Battle, *dice: int, **speeds: int) -> Battle:
    """Plot these speeds (0 for all other ships) and lock every side; `dice` for initiative."""
    for name, each in battle.ships.items():
        if each.is_afloat and each.boarding is None:
            battle = do(battle, "umpire", "plot", ship=name, speed=speeds.get(name, 0)).state
    sides = [
        side
        for side in battle.sides
        if any(s.side == side and s.is_afloat and s.boarding is None for s in battle.ships.values())
    ]
    for number, side in enumerate(sides):
        last = number == len(sides) - 1
        battle = do(battle, "umpire", "lock", *(dice if last else ()), side=side).state
    return battle


def offered(battle: Battle, seat: str, kind: str, **fields: Any) -> list[dict[str, Any]]:
    """The fields of the offers of one kind to a seat, with these values."""
    return [
        offer.fields
        for offer in GALLEY.offers(battle, seat)
        if offer.type == kind and all(offer.fields.get(name) == value for name, value in fields.items())
    ]


def on(battle: Battle) -> Battle:
    """Say `done` in the fire and board steps until somebody must step, settle a contact or plot."""
    while battle.step in ("fire", "board"):
        side = GALLEY.waiting_for(battle)[0]
        battle = do(battle, "umpire", "done", side=side).state
    return battle
