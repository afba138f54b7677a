"""G1.6 Random battles on the measured sea; turned by any angle or mirrored, a battle is the same but for its places."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from kit.lengths import SEA_TURNED, seeds
from kit.sea import headed, swung
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import encode, plain, read

QUITS = ("resign", "agree", "forgo")
WIDE = 200.0  # so wide that nobody comes to the edge, which does not turn with the ships
MIDDLE = WIDE / 2
ISLAND = [[98.0, 99.0], [100.5, 98.4], [102.0, 100.2], [99.6, 101.3]]
NEAR = 2e-3  # base lengths: roundings to six places add up over a battle


def fleets(rng: random.Random) -> dict[str, Any]:
    """Two squadrons about an island in the middle of the sea."""
    ships: dict[str, Any] = {}
    for number in range(4):
        for letter, side, x, facing in (("r", "rome", 93.0, 90), ("c", "carthage", 107.0, 270)):
            ships[f"{letter}{number}"] = {
                "side": side,
                "type": rng.choice(["bireme", "trireme", "quadrireme", "quinquereme", "hepteres"]),
                "crew": rng.choice(["elite", "average", "poor"]),
                "corvus": rng.random() < 0.3,
                "at": [x + rng.uniform(-1, 1), 95.0 + 3 * number + rng.uniform(-0.5, 0.5)],
                "facing": facing + rng.uniform(-20, 20),
                "speed": 2,
                "heavy": 2,
                "medium": rng.randint(0, 3),
                "archers": 2,
                "catapults": rng.randint(0, 1),
            }
    board = {"kind": "open", "width": WIDE, "height": WIDE, "coast": [ISLAND]}
    return {"ships": ships, "board": board, "turn_limit": 9}


def turned_position(position: dict[str, Any], degrees: float, mirror: bool) -> dict[str, Any]:
    """The same position turned about the middle of the sea."""
    ships = {
        name: {**raw, "at": swung(raw["at"], degrees, mirror, MIDDLE), "facing": headed(raw["facing"], degrees, mirror)}
        for name, raw in position["ships"].items()
    }
    coast = [[swung(point, degrees, mirror, MIDDLE) for point in ring] for ring in position["board"]["coast"]]
    return {**position, "ships": ships, "board": {**position["board"], "coast": coast}}


def turned_command(raw: dict[str, Any], degrees: float, mirror: bool) -> dict[str, Any]:
    """The same command on the turned sea."""
    if "angle" in raw and mirror:
        return {**raw, "angle": -raw["angle"]}
    if "facing" in raw:
        return {**raw, "facing": headed(raw["facing"], degrees, mirror)}
    return raw


def any_of(rng: random.Random, value: Any) -> Any:
    """One of an offer's choices, fractions of an angle too."""
    if isinstance(value, list):
        return rng.choice(value)
    if isinstance(value, dict):
        number = rng.uniform(value["from"], value["to"])
        return (
            round(number, 3)
            if (value["from"], value["to"]) in ((-60, 60), (0, 359))
            else rng.randint(value["from"], value["to"])
        )
    return value


def without_places(battle: Battle) -> Any:
    """The state without its coordinates."""
    raw = json.loads(encode(battle))
    for sheet in raw["ships"].values():
        for field in ("at", "facing", "stood", "rest"):
            sheet.pop(field, None)
    raw["board"] = [len(raw["board"][name]) for name in ("wrecks", "covered")]
    return raw


def carried(battle: Battle, seat: str, raw: dict[str, Any], seed: int) -> Battle:
    """The battle after a command with dice of its own."""
    source = random_source(random.Random(seed).randrange)
    return GALLEY.apply(battle, seat, read(raw, GALLEY.command), Dice((), source)).state


def rows(battle: Battle) -> list[tuple[Any, ...]]:
    return [(name, ship.at, ship.facing) for name, ship in battle.ships.items() if ship.at is not None]


@pytest.mark.parametrize("seed", seeds(range(4), SEA_TURNED))
def test_g1_6_a_battle_turned_by_any_angle_or_mirrored_differs_in_its_places_only(seed: int):
    rng = random.Random(seed)
    degrees, mirror = rng.uniform(0, 360), seed % 2 == 1
    begun = fleets(rng)
    battle = GALLEY.start(None, begun, {}, Dice()).state
    turned = GALLEY.start(None, turned_position(begun, degrees, mirror), {}, Dice()).state
    for number in range(3000):
        assert without_places(battle) == without_places(turned)
        for (name, at, facing), (other, there, heading) in zip(rows(battle), rows(turned), strict=True):
            assert name == other and there == pytest.approx(swung(at, degrees, mirror, MIDDLE), abs=NEAR)
            assert abs((heading - headed(facing, degrees, mirror) + 180) % 360 - 180) < NEAR
        if battle.is_over:
            break
        seat = rng.choice(GALLEY.waiting_for(battle))
        offer = rng.choice([offer for offer in GALLEY.offers(battle, seat) if offer.type not in QUITS])
        raw = {"type": offer.type, **{name: any_of(rng, value) for name, value in offer.fields.items()}}
        battle = carried(battle, seat, raw, number)
        turned = carried(turned, seat, turned_command(raw, degrees, mirror), number)
    assert battle.is_over


@pytest.mark.parametrize("seed", seeds(range(8), SEA_TURNED))
def test_g1_6_every_offer_at_sea_is_accepted_and_every_position_is_written_as_it_is_read(seed: int):
    rng = random.Random(100 + seed)
    options = {
        "order": rng.choice(["free", "initiative"]),
        "edge": rng.choice(["wall", "withdraw"]),
        "sprint": rng.choice(["above_cruise", "maximum"]),
        "ships_block_sight": rng.random() < 0.3,
        "arcs": rng.choice(["all_round", "forward"]),
    }
    battle = GALLEY.start(None, fleets(rng), options, Dice((), random_source(rng.randrange))).state
    seen: set[str] = set()
    for number in range(4000):
        if battle.is_over:
            break
        seat = rng.choice(GALLEY.waiting_for(battle))
        offers = [offer for offer in GALLEY.offers(battle, seat) if offer.type not in QUITS]
        assert offers, f"{seat} is waited for and has no offer in {battle.step}"
        offer = rng.choice(offers)
        seen.add(offer.type)
        raw = {"type": offer.type, **{name: any_of(rng, value) for name, value in offer.fields.items()}}
        battle = carried(battle, seat, raw, number)
        assert GALLEY.invariants(battle) == (), raw
        if number % 7 == 0:
            again = GALLEY.start(None, plain(battle), {}, Dice()).state
            assert encode(again) == encode(battle)
            assert GALLEY.offers(again, "umpire") == GALLEY.offers(battle, "umpire")
    assert battle.is_over and {"plot", "step", "fire", "done"} <= seen
