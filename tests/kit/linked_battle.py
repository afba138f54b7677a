"""A battle that an engagement of two fleets has opened, and what is done in it."""

from __future__ import annotations

from typing import Any

import msgspec

from strategic.naval.engagement import (
    Engagement,
    Fleet,
    NavalOutcome,
    NavalUnit,
    Transport,
    check_outcome,
)
from strategic.naval.handoff import battle_position
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import Illegal, Outcome
from tactical.kernel.record import read


def fleet(side: str, ships: int, transports: int = 0, **facts: Any) -> Fleet:
    units = tuple(NavalUnit(f"{side}-{n}", f"{side.title()} {n}") for n in range(1, ships + 1))
    return Fleet(units, tuple(Transport(f"{side}-t{n}") for n in range(1, transports + 1)), **facts)


def engagement(**facts: Any) -> Engagement:
    """Rome sails with three ships and two transports and is met by Carthage's two off Mylae."""
    fleets = {
        "rome": fleet("rome", 3, 2, commander="duilius", rating=2, corvus=True, seamanship="poor"),
        "carthage": fleet("carthage", 2, commander="gisco", rating=1),
    }
    return Engagement(
        **{
            "id": "e1",
            "system": "hamilcar",
            "place": "mylae",
            "fleets": fleets,
            "mover": "rome",
            "rule": "11.7",
            "supremacy": "carthage",
            **facts,
        }
    )


def opened(models: int = 1, deployed: bool = True, **facts: Any) -> Battle:
    rerolls = facts.pop("rerolls", False)
    position = battle_position(engagement(**facts), models, campaign="CAMPGN", rerolls=rerolls)
    battle = GALLEY.start(None, position, {}, Dice()).state
    for side in battle.link.deploying if deployed else ():
        battle = do(battle, side, "done", side=side).state
    return battle


def do(battle: Battle, seat: str, kind: str, *dice: int, **fields: Any) -> Outcome[Battle]:
    return GALLEY.apply(battle, seat, read({"type": kind, **fields}, GALLEY.command), Dice(dice))


def adjusted(battle: Battle, **ships: dict[str, Any]) -> Battle:
    for name, changes in ships.items():
        battle = do(battle, "umpire", "adjust", ship=name, changes=changes, why="for the test").state
    return battle


def gone(*names: str) -> dict[str, dict[str, Any]]:
    return {name: {"status": "withdrawn", "at": None} for name in names}


def sunk(*names: str) -> dict[str, dict[str, Any]]:
    return {name: {"status": "sunk", "at": None, "damage": 8} for name in names}


def turn_end(battle: Battle) -> Battle:
    """Plot 0 for all, lock, and pass until the next turn or the end."""
    for side in battle.sides:
        for name in battle.afloat(side):
            battle = do(battle, side, "plot", ship=name, speed=0).state
        battle = do(battle, side, "lock", side=side).state if battle.afloat(side) else battle
    while battle.step in ("fire", "board", "end"):
        side = GALLEY.waiting_for(battle)[0]
        battle = do(battle, side, "done", side=side).state
    return battle


def last_to_leave() -> Battle:
    """Turn 6, past the wall: r3, Rome's last warship, leaves over the edge; c1, Carthage's last, owes a step."""
    battle = adjusted(opened(), **sunk("r1", "r2", "c2"), r3={"at": [4, 13], "facing": "S"})
    battle = do(battle, "umpire", "adjust", changes={"turn": 6}, why="the wall is gone").state
    for name in battle.afloat():
        battle = do(battle, "umpire", "plot", ship=name, speed=1 if name in ("r3", "c1") else 0).state
    for side in battle.sides:
        battle = do(battle, side, "lock", side=side).state
    return do(passed(battle), "rome", "step", ship="r3", turn="none").state


def refusal(outcome: NavalOutcome) -> str | None:
    """The clause that a report of this outcome breaks."""
    try:
        check_outcome(engagement(), outcome)
    except Illegal as wrong:
        return wrong.rule
    return None


def passed(battle: Battle) -> Battle:
    """Say `done` in the fire and board steps."""
    while battle.step in ("fire", "board"):
        side = GALLEY.waiting_for(battle)[0]
        battle = do(battle, side, "done", side=side).state
    return battle


def fought() -> Battle:
    """c1 has boarded r1; the other ships of both stand by."""
    battle = opened()
    at = list(battle.ships["c1"].at)
    ships = {**msgspec.to_builtins(battle.ships)}
    ships["r1"] |= {"at": [at[0], at[1] - 1], "boarding": "r1", "heavy": 9}
    ships["c1"] |= {"boarding": "r1", "medium": 9}
    return GALLEY.start(None, {**msgspec.to_builtins(battle), "ships": ships}, {}, Dice()).state


def to_the_end(battle: Battle, *dice: int) -> Battle:
    for side in battle.sides:
        for name in battle.afloat(side):
            if battle.ships[name].boarding is None:
                battle = do(battle, side, "plot", ship=name, speed=0).state
    turn = battle.turn
    while battle.turn == turn and battle.step not in ("end", "over"):
        side = GALLEY.waiting_for(battle)[0]
        word = "lock" if battle.step == "plot" else "done"
        try:
            battle = do(battle, side, word, side=side).state
        except RollNeeded:
            battle = do(battle, side, word, *dice, side=side).state
    return battle
