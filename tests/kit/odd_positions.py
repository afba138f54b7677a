"""Odd positions: typed in, late in a game, ships on top of one another in every way that the rules allow.

Every choice is drawn from a seeded generator; what contradicts itself is refused by `start` and drawn again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tactical import GALLEY
from tactical.battle import Battle
from tactical.board import HEADINGS, ahead, from_column_row, neighbours
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours, Offer
from tactical.kernel.record import BadInput, read

KINDS = ("bireme", "trireme", "quinquereme", "hepteres", "transport")
CREWS = ("elite", "average", "poor")
MOVING = ("move", "fire", "ram", "board")


def odd_position(rng: random.Random, sides: int = 2, most: int = 8, table: bool = False) -> Battle:
    """A sound position with debts, freedoms, fights, contacts, rakers, prizes and breaches, in any step."""
    while True:
        try:
            return GALLEY.start(None, drawn(rng, sides, most, table), {}, Dice()).state
        except BadInput:
            continue


def drawn(rng: random.Random, sides: int, most: int, table: bool) -> dict[str, Any]:
    """A position that may contradict itself."""
    names = ("red", "blue", "green")[:sides]
    columns, rows = rng.randint(5, 9), rng.randint(5, 8)
    step = rng.choice(("plot", *MOVING, "end"))
    free = [from_column_row(column, row) for column in range(columns) for row in range(rows)]
    rng.shuffle(free)
    near = free[0]
    free.sort(key=lambda at: (max(abs(at[0] - near[0]), abs(at[1] - near[1])), rng.random()))
    ships: dict[str, dict[str, Any]] = {}
    for number in range(rng.randint(2, most)):
        side = names[number % sides]
        ships[f"{side[0]}{number}"] = sheet(rng, side, None if table else free.pop(0), step)
    if not table:
        together(rng, ships, step)
    fights(rng, ships)
    board: dict[str, Any] = {"kind": "table"} if table else {"columns": columns, "rows": rows, "land": [], "wrecks": []}
    if not table:
        board["land"] = [free.pop() for _ in range(rng.randrange(3))]
        board["wrecks"] = [free.pop() for _ in range(rng.randrange(3))]
    return {
        "turn": rng.randint(1, 3),
        "turn_limit": rng.choice([None, 4, 6]),
        "step": step,
        "phase": rng.randint(1, 6) if step in MOVING else None,
        "board": board,
        "sides": {name: {"navy": "hellenistic"} for name in names},
        "ships": ships,
        "options": options(rng),
    }


def options(rng: random.Random) -> dict[str, Any]:
    """Any of the rule options."""
    return {
        "order": rng.choice(["free", "free", "initiative"]),
        "edge": rng.choice(["wall", "withdraw"]),
        "sprint": rng.choice(["above_cruise", "maximum"]),
        "ships_block_sight": rng.random() < 0.2,
        "arcs": rng.choice(["all_round", "forward"]),
    }


def sheet(rng: random.Random, side: str, at: tuple[int, int] | None, step: str) -> dict[str, Any]:
    """One ship with a history."""
    kind = rng.choice(KINDS)
    speed = rng.choice([-1, 0, 0, 1, 2, 2, 3, 4, 5])
    found: dict[str, Any] = {
        "side": side,
        "type": kind,
        "crew": rng.choice(CREWS),
        "at": at,
        "facing": None if at is None else rng.choice(HEADINGS),
        "speed": speed,
        "heavy": rng.randrange(3),
        "medium": rng.randrange(3),
        "archers": rng.randrange(3),
        "catapults": rng.randrange(2),
        "stone_throwers": rng.randrange(2),
        "corvus": rng.random() < 0.3,
        "damage": rng.choice([0, 0, 1, 2, 3]),
        "breaches": rng.choice([0, 0, 0, 1, 2]),
        "sprints": rng.randrange(4),
        "straight": rng.randrange(4),
    }
    if step in MOVING:
        found |= {"plot": speed, "steps_made": rng.randrange(2), "stepped": rng.random() < 0.5}
    match rng.randrange(6):
        case 0:
            found |= {"must_back": True, "speed": -1 if step in MOVING else 0}
        case 1:
            found |= {"free_turn": "any"}
        case 2:
            found |= {"backed_for_ram": True, "free_turn": "one_side", "speed": -1 if step == "plot" else speed}
        case 3 if rng.random() < 0.4:
            found |= {"status": "captured", "captured_by": "red" if side != "red" else "blue", "speed": 0, "plot": None}
    return found


def together(rng: random.Random, ships: dict[str, dict[str, Any]], step: str) -> None:
    """Contacts, and rakers in the hexes of those they rake."""
    for name, ship in ships.items():
        if ship.get("status") == "captured":
            continue
        foes = [
            other
            for other, foe in ships.items()
            if foe["side"] != ship["side"] and foe["at"] in neighbours(ship["at"]) and foe.get("status") != "captured"
        ]
        if not foes or rng.random() < 0.5:
            continue
        foe = rng.choice(foes)
        if step == "ram":
            facing = next(each for each in HEADINGS if ahead(ship["at"], each) == ships[foe]["at"])
            ship |= {"facing": facing, "contact": foe, "stepped": True, "speed": 2, "must_back": False}
        elif rng.random() < 0.3 and not ship.get("must_back"):
            shared = sum(other["at"] == ships[foe]["at"] for other in ships.values())
            if shared == 1:
                ships[foe] |= {"oars_broken": True, "raked_by": name}
                ship |= {"at": ships[foe]["at"], "passing": foe, "speed": 1, "crew": "elite"}
                return


def fights(rng: random.Random, ships: dict[str, dict[str, Any]]) -> None:
    """A boarding fight or two."""
    for ship in ships.values():
        foes = [
            other
            for other, foe in ships.items()
            if foe["side"] != ship["side"] and (ship["at"] is None or foe["at"] in neighbours(ship["at"]))
        ]
        if not foes or rng.random() < 0.8:
            continue
        foe = rng.choice(foes)
        if any(
            each.get(field) for each in (ship, ships[foe]) for field in ("boarding", "contact", "passing", "status")
        ):
            continue
        for each in (ship, ships[foe]):
            each |= {"boarding": foe, "speed": 0, "stopped": True, "free_turn": False, "plot": None}


def commands(offers: tuple[Offer, ...]) -> Iterator[dict[str, Any]]:
    """Every command that these offers allow."""
    for offer in offers:
        found: list[dict[str, Any]] = [{"type": offer.type}]
        for name, value in offer.fields.items():
            if isinstance(value, dict):
                choices = list(range(value["from"], value["to"] + 1))
            else:
                choices = value if isinstance(value, list) else [value]
            found = [{**each, name: choice} for each in found for choice in choices]
        yield from found


def sayable(battle: Battle) -> Iterator[dict[str, Any]]:
    """Everything that anybody could think of saying in this step, sense or nonsense."""
    for side in battle.sides:
        for kind in ("lock", "done", "resign", "evade"):
            yield {"type": kind, "side": side}
        yield {"type": "agree", "side": side} | ({"agreed": False} if battle.sides[side].agreed else {})
    for name, ship in battle.ships.items():
        for kind in ("ram", "rake", "hold", "finish", "leave"):
            yield {"type": kind, "ship": name}
        for speed in range(-2, 8):
            yield {"type": "plot", "ship": name, "speed": speed}
        by_name = ship.free_turn == "any" and not ship.steps_made and ship.passing is None and battle.has_hexes
        for way in HEADINGS if by_name else ("none", "left", "right"):
            yield {"type": "step", "ship": name, "facing" if by_name else "turn": way}
        for target, foe in battle.ships.items():
            yield {"type": "board", "ship": name, "target": target}
            if not battle.has_hexes:
                for aspect in ("bow_to_bow", "side", "parallel"):
                    yield {"type": "contact", "ship": name, "target": target, "aspect": aspect}
            if foe.side == ship.side and target != name:
                continue
            for weapon in ("archer", "catapult", "stone_thrower"):
                for count in (1, 2, 3):
                    shot = {"type": "fire", "ship": name, "weapon": weapon, "count": count, "target": target}
                    yield shot if battle.has_hexes else {**shot, "range": 2}


def is_taken(battle: Battle, command: dict[str, Any]) -> bool:
    """Does the engine carry the command out?"""
    dice = Dice((), random_source(random.Random(1).randrange))
    try:
        GALLEY.apply(battle, "umpire", read(command, GALLEY.command), dice)
    except (Illegal, NotYours):
        return False
    return True
