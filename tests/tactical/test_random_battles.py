"""Random play of the galley engine: offers are accepted, nothing leaks, nothing is lost, replay agrees."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.journal import Entry, replay
from tactical.kernel.protocol import Offer
from tactical.kernel.record import decode, encode, plain, read

QUITS = ("resign", "agree")


def fleets(rng: random.Random, table: bool) -> dict[str, Any]:
    """A small random position with land, all types and crews."""
    ships: dict[str, Any] = {}
    for number in range(4):
        for letter, side, kinds, column, facing in (
            ("r", "rome", ["quinquereme", "quadrireme", "transport"], 3, "SE"),
            ("c", "carthage", ["bireme", "trireme", "quinquereme", "hepteres"], 9, "NW"),
        ):
            at = [column + number % 2, 2 * number + 1 - (column + number % 2) // 2]
            ships[f"{letter}{number}"] = {
                "side": side,
                "type": rng.choice(kinds),
                "crew": rng.choice(["elite", "average", "poor"]),
                "corvus": rng.random() < 0.3,
                "speed": rng.randint(0, 2),
                **({} if table else {"at": at, "facing": facing}),
            }
    board = {"kind": "table"} if table else {"columns": 13, "rows": 10, "land": [[6, 0], [6, 1], [7, 3]]}
    return {"ships": ships, "board": board, "turn_limit": 12}


def pick(rng: random.Random, value: Any) -> Any:
    """One of the choices of an offer's field."""
    if isinstance(value, list):
        return rng.choice(value)
    if isinstance(value, dict):
        return rng.randint(value["from"], value["to"])
    return value


def command(rng: random.Random, offer: Offer) -> dict[str, Any]:
    """A command that an offer allows."""
    return {"type": offer.type, **{name: pick(rng, value) for name, value in offer.fields.items()}}


@pytest.mark.parametrize("seed", range(40))
def test_g3_0_every_offer_is_accepted_and_every_battle_ends(seed):
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    options = {
        "order": rng.choice(["free", "initiative"]),
        "edge": rng.choice(["wall", "withdraw"]),
        "sprint": rng.choice(["above_cruise", "maximum"]),
        "ships_block_sight": rng.random() < 0.3,
        "arcs": rng.choice(["all_round", "forward"]),
    }
    begun = GALLEY.start(None, fleets(rng, seed % 8 == 7), options, Dice((), source)).state
    battle, entries = begun, []
    for number in range(1, 4000):
        if battle.is_over:
            break
        waiting = GALLEY.waiting_for(battle)
        assert waiting, f"nobody can act in {battle.step} of phase {battle.phase}"
        seat = rng.choice(waiting)
        offers = [offer for offer in GALLEY.offers(battle, seat) if offer.type not in QUITS]
        assert offers, f"{seat} is waited for and has no offer in {battle.step}"
        raw = command(rng, rng.choice(offers))
        before = encode(battle)
        dice = Dice((), source)
        outcome = GALLEY.apply(battle, seat, read(raw, GALLEY.command), dice)
        assert encode(battle) == before, "apply changed its argument"
        assert GALLEY.invariants(outcome.state) == (), raw
        accounted(battle, outcome.state, outcome.events)
        entries.append(Entry(number, number - 1, seat, "", raw, tuple(dice.rolls), (), outcome.events))
        battle = outcome.state
    assert battle.is_over and battle.result is not None
    assert encode(decode(encode(battle), Battle)) == encode(battle)
    last = begun
    for _, replayed in replay(GALLEY, begun, entries):
        last = replayed.state
    assert encode(last) == encode(battle)
    assert encode(GALLEY.start(None, plain(battle), {}, Dice()).state) == encode(battle)


def accounted(before: Battle, after: Battle, events: Any) -> None:
    """Ships are never created or lost; marines and breaches change only as the events say."""
    assert before.ships.keys() == after.ships.keys()
    killed = sum(sum(event.data["dead"].values()) for event in events if event.type == "fire")
    for event in events:
        if event.type == "fight":
            killed += min(event.data["losses"], 9999) + min(event.data["kills"], 9999)
    aboard = [
        sum(sheet.marines + sheet.archers + sheet.catapults + sheet.stone_throwers for sheet in each.ships.values())
        for each in (before, after)
    ]
    assert aboard[1] <= aboard[0] <= aboard[1] + killed
    holes = [sum(sheet.breaches + sheet.repaired for sheet in each.ships.values()) for each in (before, after)]
    assert holes[1] - holes[0] == sum(event.data["breaches"] for event in events if event.type == "ram")


def test_g3_0_one_seed_gives_one_battle():
    results = []
    for _ in range(2):
        rng = random.Random(5)
        source = random_source(rng.randrange)
        battle = GALLEY.start(None, fleets(rng, False), {}, Dice((), source)).state
        for _ in range(200):
            if battle.is_over:
                break
            seat = rng.choice(GALLEY.waiting_for(battle))
            offers = [offer for offer in GALLEY.offers(battle, seat) if offer.type not in QUITS]
            battle = GALLEY.apply(
                battle, seat, read(command(rng, rng.choice(offers)), GALLEY.command), Dice((), source)
            ).state
        results.append(encode(battle))
    assert results[0] == results[1]
