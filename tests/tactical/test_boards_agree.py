"""G1 The three boards are one game: what hexes give, the players' own table and the measured sea give, too."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt
from typing import Any

import msgspec
import pytest

from kit.lengths import BOARDS_AGREE, seeds
from kit.odd_positions import commands, odd_position
from tactical import GALLEY
from tactical.battle import Battle
from tactical.board import HEADINGS, OPPOSITE, TURNED
from tactical.geometry import geometry
from tactical.kernel.dice import Dice
from tactical.kernel.record import read

QUITS = ("resign", "agree", "forgo", "go_on")
PLACED = ("at", "facing", "stood", "aspect", "touching", "waited", "waited_on", "rowed_clear", "rest", "stepped")
LONG = 250


class Fated(Dice):
    """Dice whose faces hang on what they are thrown for, and on a seed."""

    def __init__(self, seed: str) -> None:
        super().__init__()
        self.seed = seed

    def roll(self, count: int, sides: int, rule: str, **about: str) -> tuple[int, ...]:
        fate = random.Random(f"{self.seed} {rule} {sorted(about.items())}")
        return tuple(fate.randint(1, sides) for _ in range(count))


def given(battle: Battle, command: dict[str, Any], seed: str) -> Battle:
    return GALLEY.apply(battle, "umpire", read(command, GALLEY.command), Fated(seed)).state


def sheets(battle: Battle) -> dict[str, Any]:
    """The sheets without what says where a ship lies; of one that has left, that it has."""
    raw = msgspec.to_builtins(battle.ships)
    return {
        name: {key: value for key, value in ship.items() if key not in PLACED}
        if ship["status"] != "withdrawn"
        else {"status": "withdrawn"}
        for name, ship in raw.items()
    }


def unlike(hexes: Battle, other: Battle) -> dict[tuple[str, str], Any]:
    """Where the sheets of two boards differ."""
    ours, theirs = sheets(hexes), sheets(other)
    return {
        (name, key): (value, theirs[name].get(key))
        for name, sheet in ours.items()
        for key, value in sheet.items()
        if value != theirs[name].get(key)
    }


def afresh(throw: random.Random) -> Battle:
    """A crowded battle on hexes before its first plot: no wreck, no land, nobody in a fight."""
    while True:
        battle = odd_position(throw, most=6)
        raw = msgspec.to_builtins(battle)
        keep = ("side", "type", "crew", "at", "facing", "corvus", "heavy", "medium", "archers", "catapults")
        if len({tuple(ship["at"] or ()) for ship in raw["ships"].values()}) < len(raw["ships"]):
            continue
        ships = {name: {key: ship[key] for key in keep} for name, ship in raw["ships"].items()}
        if any(ship["at"] is None for ship in ships.values()):
            continue
        options = {
            **raw["options"],
            "arcs": "all_round",
            "ships_block_sight": False,
            "edge": "withdraw",
            "order": "free",
        }
        board = {**raw["board"], "land": [], "wrecks": [], "covered": []}
        position = {"ships": ships, "sides": raw["sides"], "board": board, "options": options, "turn_limit": 9}
        return GALLEY.start(None, position, {}, Dice()).state


def on_table(battle: Battle) -> Battle:
    """The same ships on the players' own table."""
    raw = msgspec.to_builtins(battle)
    for ship in raw["ships"].values():
        ship |= {"at": None, "facing": None}
    return GALLEY.start(None, {**raw, "board": {"kind": "table"}}, {}, Dice()).state


def aspect(battle: Battle, name: str, target: str) -> str:
    """How a player sees two models touch."""
    one, other = battle.ships[name].facing, battle.ships[target].facing
    return "bow_to_bow" if other == OPPOSITE[one] else "parallel" if one == other else "side"


def said_at_table(hexes: Battle, command: dict[str, Any], throw: random.Random) -> list[dict[str, Any]]:
    """What the players of the table say where a command is given on hexes."""
    name = command.get("ship")
    if command["type"] == "fire":
        one, other = hexes.ships[name], hexes.ships[command["target"]]
        return [{**command, "range": geometry(hexes).range_between(hexes, one, other)}]
    if command["type"] != "step":
        return [command]
    before = hexes.ships[name]
    heading = command.get("facing") or TURNED[before.facing, command.get("turn") or "none"]
    turn = "none" if heading == before.facing else "left"
    way = geometry(hexes).way(hexes, name, before, heading)
    if way.meets == "edge":
        return [{"type": "leave", "ship": name}]
    if way.meets == "blocked":
        return [{"type": "hold", "ship": name}]
    if way.meets == "contact":
        met = command.get("target") or geometry(hexes).met_by(hexes, way)[0]
        turned = msgspec.structs.replace(before, facing=heading)
        seen = aspect(hexes.with_ship(name, turned), name, met)
        meets = {"type": "contact", "ship": name, "target": met, "aspect": seen}
        if throw.random() < 0.5:
            return [{"type": "step", "ship": name, "turn": turn}, meets]
        return [{**meets, "turn": turn}]
    return [{"type": "step", "ship": name, "turn": turn}]


def is_for_both(hexes: Battle, table: Battle, command: dict[str, Any]) -> bool:
    """May the command be given on both boards? On the table one boards only who was declared to be touched."""
    if command["type"] == "board":
        one, other = table.ships[command["ship"]], table.ships[command["target"]]
        return command["target"] in one.touching or command["ship"] in other.touching
    return command["type"] not in (*QUITS, "finish")


def is_where(one: Battle, other: Battle) -> bool:
    """Are the two in the same step?"""
    return (one.turn, one.phase, one.step) == (other.turn, other.phase, other.step)


def catch_up(hexes: Battle, table: Battle, seed: str) -> Battle:
    """The table with `hold` said for ships that hexes have stopped by themselves, and `done` to what a table alone asks."""
    for _ in range(100):
        if is_where(hexes, table) or table.is_over:
            break
        due = [name for name, ship in table.ships.items() if table.step == "move" and table.is_due(ship)]
        said = {"type": "hold", "ship": due[0]} if due else {"type": "done", "side": GALLEY.waiting_for(table)[0]}
        table = given(table, said, seed)
    return table


def abreast(hexes: Battle, table: Battle, seed: str) -> tuple[Battle, Battle]:
    """Both in the same step; on hexes `done` is said where ships lie beside each other that have not touched."""
    table = catch_up(hexes, table, seed) if hexes.step != "board" else table
    while (
        hexes.step == "board" and not is_where(hexes, table) and not is_where(hexes, table := up_to(hexes, table, seed))
    ):
        hexes = given(hexes, {"type": "done", "side": GALLEY.waiting_for(hexes)[0]}, seed)
        table = catch_up(hexes, table, seed) if hexes.step != "board" else table
    return hexes, table


def up_to(hexes: Battle, table: Battle, seed: str) -> Battle:
    """The table brought to the board step of this phase, or past it where nobody touches anybody."""
    while (table.turn, table.phase) == (hexes.turn, hexes.phase) and table.step in ("move", "fire", "ram"):
        due = [name for name, ship in table.ships.items() if table.step == "move" and table.is_due(ship)]
        said = {"type": "hold", "ship": due[0]} if due else {"type": "done", "side": GALLEY.waiting_for(table)[0]}
        table = given(table, said, seed)
    return table


def is_told(hexes: Battle, table: Battle, command: dict[str, Any]) -> bool:
    """Is the command said at the table, too? That a side is done follows there from what happens next."""
    if command["type"] != "done":
        return True
    return hexes.step != "move" and is_where(hexes, table) and command["side"] in GALLEY.waiting_for(table)


def is_backing_blocked(hexes: Battle, table: Battle) -> bool:
    """G6.7 On the table nobody sees whether a ship lies astern of one that cannot back."""
    return any(ship.must_back != table.ships[name].must_back for name, ship in hexes.ships.items())


@pytest.mark.parametrize("seed", seeds(range(12), BOARDS_AGREE))
def test_g1_5_a_battle_on_the_own_table_is_the_battle_on_hexes(seed: int) -> None:
    throw = random.Random(f"table {seed}")
    hexes = afresh(throw)
    table = on_table(hexes)
    for number in range(LONG):
        if hexes.is_over:
            break
        choices = [each for each in commands(GALLEY.offers(hexes, "umpire")) if is_for_both(hexes, table, each)]
        moves = [each for each in choices if each["type"] in ("step", "ram", "rake", "board")]
        command = throw.choice(moves if moves and throw.random() < 0.6 else choices)
        after = given(hexes, command, f"{seed} {number}")
        for said in said_at_table(hexes, command, throw) if is_told(hexes, table, command) else ():
            table = given(table, said, f"{seed} {number}")
        hexes, table = abreast(after, table, f"{seed} {number}")
        if is_backing_blocked(hexes, table):
            break
        assert not unlike(hexes, table), (seed, number, command)
        assert {name: side.points for name, side in table.sides.items()} == {
            name: side.points for name, side in hexes.sides.items()
        }
    assert number > 5


DEGREES = dict(zip(HEADINGS, range(0, 360, 60), strict=True))
TURNS = {"left": -60, "none": 0, "right": 60}
SMALL = ("bireme", "trireme", "quadrireme")  # longer hulls reach into the next hex


def lay(at: Any) -> list[float]:
    """Where the middle of a hex lies on the sea, neighbouring middles a base length apart."""
    q, r = at
    return [20 + 1.5 * q / sqrt(3), 20 + r + q / 2]


def in_roomy_water(throw: random.Random) -> Battle:
    """A crowded battle on hexes far from every edge, of short hulls that neither shoot nor board."""
    raw = msgspec.to_builtins(afresh(throw))
    for ship in raw["ships"].values():
        q, r = ship["at"]
        ship |= {name: 0 for name in ("heavy", "medium", "light", "archers", "catapults", "stone_throwers")}
        ship |= {"at": [q + 14, r + 7], "type": throw.choice(SMALL), "speed": 2, "plot": None, "straight": 9}
    return GALLEY.start(None, {**raw, "board": {"columns": 60, "rows": 60}}, {}, Dice()).state


def on_sea(battle: Battle) -> Battle:
    """The same ships laid onto the measured sea."""
    raw = msgspec.to_builtins(battle)
    for ship in raw["ships"].values():
        if ship["at"] is not None:
            ship |= {"at": lay(ship["at"]), "facing": DEGREES[ship["facing"]]}
    return GALLEY.start(None, {**raw, "board": {"kind": "open", "width": 200, "height": 200}}, {}, Dice()).state


def said_at_sea(command: dict[str, Any]) -> dict[str, Any]:
    """A command of the hexes, with degrees."""
    rest = {key: value for key, value in command.items() if key not in ("turn", "facing")}
    if "turn" in command:
        return {**rest, "angle": TURNS[command["turn"]]}
    return {**rest, "facing": DEGREES[command["facing"]]} if "facing" in command else rest


def is_no_longer_laid(hexes: Battle) -> bool:
    """Is there what lies otherwise on the sea: a wreck, or a raker beside its target?"""
    return bool(hexes.board.wrecks) or any(ship.passing for ship in hexes.ships.values())


@pytest.mark.parametrize("seed", seeds(range(6), BOARDS_AGREE))
def test_g1_6_a_battle_laid_onto_the_measured_sea_is_the_battle_on_hexes(seed: int) -> None:
    """Where a meeting has brought hulls together on the sea it is laid anew from the hexes when the turn begins."""
    throw, seen = random.Random(f"sea {seed}"), Counter[str]()
    hexes = in_roomy_water(throw)
    sea, is_laid = on_sea(hexes), True
    for number in range(LONG):
        if hexes.is_over or hexes.turn > 4 or is_no_longer_laid(hexes):
            break
        if hexes.step == "plot":
            sea, is_laid = on_sea(hexes), True
        command = throw.choice([each for each in commands(GALLEY.offers(hexes, "umpire")) if each["type"] not in QUITS])
        met = max((len(names) for names in hexes.contacts.values()), default=0)
        hexes = given(hexes, command, f"{seed} {number}")
        if not is_laid or met > 1 or (met and command["type"] == "step"):
            is_laid = (
                False  # a hull that has rowed up lies otherwise, and of several that wait only one follows on hexes
            )
            continue
        sea = given(sea, said_at_sea(command), f"{seed} {number}")
        seen[command["type"]] += 1
        if met and not is_where(hexes, sea):  # who backs behind a ship that has rowed up may do so on the sea alone
            is_laid = False
            continue
        assert not unlike(hexes, sea), (seed, number, command)
        is_laid = not any(ship.stopped and ship.at for ship in hexes.ships.values())
    assert seen["plot"] and (seen["step"] or hexes.contacts or hexes.board.wrecks)
