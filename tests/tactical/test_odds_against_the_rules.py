"""G5.2, G6.2, G8.3, G9.2: each calculator against 100,000 rolls of the rules, within three standard errors."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import Any
from urllib.parse import parse_qsl

import msgspec
import pytest

from tactical.battle import Battle, Side
from tactical.commands import Fire, Ram
from tactical.kernel.dice import Dice, random_source
from tactical.odds import GALLEY
from tactical.rules import boarding, end_of_turn, missiles, ramming
from tactical.ship import MARINES, Ship

BY_NAME = {calculator.name: calculator for calculator in GALLEY}


@pytest.fixture(params=[20_000, pytest.param(100_000, marks=pytest.mark.soak)])
def rolls(request: pytest.FixtureRequest) -> int:
    """So many throws: fewer while others wait for the tests."""
    return int(request.param)


def odds(name: str, query: str) -> dict[str, Any]:
    return BY_NAME[name].answer(dict(parse_qsl(query)))


def dice(seed: int) -> Dice:
    return Forgetful(source=random_source(random.Random(seed).randrange))


class Forgetful(Dice):
    """Dice that do not keep their rolls: a hundred thousand throws need no journal."""

    def roll(self, count: int, sides: int, rule: str, **about: str) -> tuple[int, ...]:
        return tuple(self._source(sides) for _ in range(count))  # type: ignore[misc]


def agrees(expected: Mapping[str, Any], seen: Counter[Any], rolls: int) -> None:
    """Every bucket within three standard errors, and nothing that the odds call impossible."""
    assert {str(outcome) for outcome in seen} <= {name for name, p in expected.items() if p}
    by_name = {str(outcome): count for outcome, count in seen.items()}
    for name, p in expected.items():
        share, error = by_name.get(name, 0) / rolls, sqrt(float(p) * (1 - float(p)) / rolls)
        assert abs(share - float(p)) <= 3 * error + 1e-12, (name, share, float(p))


def duel(**changes: dict[str, Any]) -> Battle:
    one = Ship(side="rome", type="quinquereme", at=(2, 2), facing="N", heavy=10, plot=3, speed=3)
    two = Ship(side="greece", type="trireme", at=(2, 1), facing="NE", medium=2)
    ships = {
        "r": msgspec.structs.replace(one, **changes.get("r", {})),
        "g": msgspec.structs.replace(two, **changes.get("g", {})),
    }
    return Battle(phase=1, step="ram", sides={"rome": Side(), "greece": Side()}, ships=ships)


def test_g6_2_ram(rolls: int):
    battle, source = duel(r={"contact": "g", "steps_made": 1}), dice(1)
    expected = odds("ram", "type=quinquereme&full_speed=1&hull_left=6")
    damage, sunk = Counter[Any](), Counter[Any]()
    for _ in range(rolls):
        after, events = ramming.ram(battle, Ram("r"), source)
        damage[events[0].data["damage"]] += 1
        sunk["sunk" if after.ships["g"].status == "sunk" else "afloat"] += 1
    agrees(expected["damage"], damage, rolls)
    agrees({"sunk": expected["sunk"], "afloat": 1 - expected["sunk"]}, sunk, rolls)


def test_g6_2_a_ram_and_the_flooding_of_its_turn(rolls: int):
    battle, source = duel(r={"contact": "g", "steps_made": 1, "type": "trireme"}), dice(2)
    expected = odds("ram", "type=trireme&hull_left=6")["sunk_this_turn"]
    sunk = Counter[Any]()
    for _ in range(rolls):
        after, _ = ramming.ram(battle, Ram("r"), source)
        after, _ = end_of_turn.repairs(after, source)
        after, _ = end_of_turn.flooding(after)
        sunk["sunk" if after.ships["g"].status == "sunk" else "afloat"] += 1
    agrees({"sunk": expected, "afloat": 1 - expected}, sunk, rolls)


def test_g6_1_bow_to_bow(rolls: int):
    battle = duel(r={"contact": "g", "crew": "average"}, g={"facing": "S", "crew": "elite"})
    expected = odds("head_on", "crew=average&enemy=elite")
    seen, source = Counter[Any](), dice(3)
    names = {("r",): "rams", ("g",): "rammed"}
    for _ in range(rolls):
        _, events = ramming.ram(battle, Ram("r"), source)
        seen[names.get(tuple(events[0].data["rams"]), "both")] += 1
    agrees(expected, seen, rolls)


def test_g5_2_missiles_and_g5_4_their_casualties(rolls: int):
    shooter = {"archers": 2, "catapults": 2, "stone_throwers": 1, "at": (2, 4)}
    battle = duel(r=shooter, g={"archers": 1, "catapults": 1, "light": 1, "medium": 2, "type": "hepteres"})
    expected = odds(
        "missiles",
        "archers=2&catapults=2&stone_throwers=1&range=3&target=archers:1,catapults:1,light:1,medium:2&hull_left=10",
    )
    kills, damage, light, source = Counter[Any](), Counter[Any](), Counter[Any](), dice(4)
    shots = [Fire("r", "archer", 2, "g"), Fire("r", "catapult", 2, "g"), Fire("r", "stone_thrower", 1, "g")]
    for _ in range(rolls):
        after, killed = battle, 0
        for shot in shots:
            after, events = missiles.fire(after, shot, source)
            killed += events[0].data["kills"]
        kills[killed] += 1
        damage[after.ships["g"].damage] += 1
        light[1 - after.ships["g"].light] += 1
    agrees(expected["kills"], kills, rolls)
    agrees(expected["damage"], damage, rolls)
    agrees(expected["casualties"]["light"], light, rolls)


@pytest.mark.parametrize(
    ("seed", "attacker", "defender"),
    [(5, {"heavy": 3, "light": 1}, {"medium": 4}), (6, {"light": 2, "medium": 1}, {"heavy": 2})],
)
def test_g8_3_boarding(seed: int, attacker: dict[str, int], defender: dict[str, int], rolls: int):
    expected = odds("boarding", f"attacker={written(attacker)}&defender={written(defender)}")
    source = random.Random(seed)
    won, survivors, lengths = Counter[Any](), Counter[Any](), Counter[Any]()
    winners = {"captured": "attacker", "thrown_back": "defender", "over": "neither"}
    one, two = crew(attacker), crew(defender)
    for _ in range(rolls):
        boarder, boarded, rounds, result = one, two, 0, "goes_on"
        while result == "goes_on":
            rounds += 1
            dealt, taken = boarding.kills(throw(boarder, source)), boarding.kills(throw(boarded, source))
            boarder = boarding.lightest_fall({"a": boarder}, taken)["a"]
            boarded = boarding.lightest_fall({"b": boarded}, dealt)["b"]
            result = boarding.verdict(boarder.marines, boarded.marines)
        won[winners[result]] += 1
        survivors[boarder.marines] += 1
        lengths[min(rounds, 4)] += 1
    agrees({name: expected[name] for name in winners.values()}, won, rolls)
    agrees(expected["survivors"]["attacker"], survivors, rolls)
    by_round = expected["rounds"]
    agrees({**{str(n + 1): by_round[n] for n in range(3)}, "4": sum(by_round[3:])}, lengths, rolls)


def crew(figures: dict[str, int]) -> Ship:
    return msgspec.structs.replace(Ship(side="a", type="trireme"), **figures)


def written(figures: dict[str, int]) -> str:
    return ",".join(f"{kind}:{count}" for kind, count in figures.items())


def throw(ship: Ship, source: random.Random) -> dict[str, tuple[int, ...]]:
    return {kind: tuple(int(source.random() * 6) + 1 for _ in range(getattr(ship, kind))) for kind in MARINES}


def test_g8_3_the_calculator_and_a_whole_fight_round_agree(rolls: int):
    battle = duel(r={"boarding": "g", "heavy": 2}, g={"boarding": "g", "medium": 3})
    source = dice(7)
    chances = odds("boarding", "attacker=heavy:2&defender=medium:3")
    ended = Counter[Any]()
    for _ in range(rolls):
        after, _ = boarding.fight_round(battle, source)
        ended["ends" if after.ships["g"].boarding is None else "goes on"] += 1
    first = chances["rounds"][0]
    agrees({"ends": first, "goes on": 1 - first}, ended, rolls)


def test_g9_2_repairs_and_g9_3_flooding(rolls: int):
    battle, source = duel(g={"breaches": 3, "type": "quinquereme"}), dice(8)
    expected = odds("repair", "breaches=3&boarding=0&turns=2&hull_left=4")
    opened, sunk = Counter[Any](), Counter[Any]()
    damaged = battle.with_ship("g", battle.ships["g"].hit(4))
    for _ in range(rolls):
        after, _ = end_of_turn.repairs(damaged, source)
        opened[after.ships["g"].breaches] += 1
        for _ in range(2):
            after, _ = end_of_turn.flooding(after)
            if after.ships["g"].status == "sunk":
                break
            after, _ = end_of_turn.repairs(after, source)
        sunk["sunk" if after.ships["g"].status == "sunk" else "afloat"] += 1
    agrees(expected["open"], opened, rolls)
    last = expected["turns"][1]["sunk"]
    agrees({"sunk": last, "afloat": 1 - last}, sunk, rolls)
