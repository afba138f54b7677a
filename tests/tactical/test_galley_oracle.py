"""G5 to G9 reckoned a second time, naively, by an oracle that shares no code with the engine (tests/kit/galley_oracle.py)."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from typing import Any

import pytest

from kit.galley_oracle import Reckoning, differences
from kit.lengths import ORACLE, seeds
from kit.odd_positions import odd_position
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import fill
from tactical.kernel.record import encode, read

LENGTH = 60
QUITS = ("resign", "agree", "forgo")
EAGER = {"ram": 6, "rake": 9, "board": 6, "fire": 3}


def plainly(battle: Battle) -> dict[str, Any]:
    """A position as plain JSON."""
    return json.loads(encode(battle))


def compare(
    before: Battle, command: dict[str, Any], seat: str, throw: random.Random, met: Counter[str]
) -> tuple[Battle, list[str]]:
    """Give a command; the position then, and what the second reckoning says against it. `met` counts the events."""
    outcome = GALLEY.apply(before, seat, read(command, GALLEY.command), Dice((), random_source(throw.randrange)))
    events = [(each.type, each.data) for each in outcome.events]
    met.update(kind for kind, _ in events)
    reckoning = Reckoning(plainly(before), command)
    is_new_turn = outcome.state.turn > before.turn
    reckoning.take(events, is_new_turn)
    over_at_the_end = outcome.state.is_over and bool(reckoning.at_the_end) and not is_new_turn
    if over_at_the_end:
        reckoning.end_of_turn()
    return outcome.state, differences(reckoning, plainly(outcome.state))


@cache
def fight(seed: int) -> Counter[str]:
    """Fight from an odd position (crowded, with debts, fights, contacts, prizes), compared after each command."""
    met: Counter[str] = Counter()
    throw = random.Random(f"oracle {seed}")
    battle = odd_position(throw, sides=throw.choice([2, 2, 2, 3]), table=seed % 10 == 9)
    for _ in range(LENGTH):
        if battle.is_over:
            break
        seat = throw.choice(GALLEY.waiting_for(battle))
        offers = [each for each in GALLEY.offers(battle, seat) if each.type not in QUITS]
        offer = throw.choices(offers, [EAGER.get(each.type, 1) for each in offers])[0]
        command = fill(offer, throw)
        battle, wrong = compare(battle, command, seat, throw, met)
        assert wrong == [], (seed, command)
    return met


@pytest.mark.parametrize("seed", seeds(range(60), ORACLE))
def test_g5_to_g9_fights_are_reckoned_alike_by_an_oracle(seed: int) -> None:
    """G5.2, G6.2, G7.1, G8.1, G8.3, G9.1 Whatever happens in a fight, twice."""
    fight(seed)


def test_g7_1_oars_may_be_broken_where_the_oracle_says_so() -> None:
    """Every contact at the beginning of a ram step: the offers have a rake exactly where the paragraph allows it."""
    compared = Counter[bool]()
    for seed in range(600):
        battle = odd_position(random.Random(f"rakes {seed}"))
        raw = plainly(battle)
        reckoning = Reckoning(raw, {})
        offered = {
            offer.fields["ship"]
            for seat in GALLEY.waiting_for(battle)
            for offer in GALLEY.offers(battle, seat)
            if offer.type == "rake"
        }
        for name, ship in raw["ships"].items() if battle.step == "ram" else ():
            may = (
                reckoning.may_rake(name) if ship.get("contact") and ship["side"] in GALLEY.waiting_for(battle) else None
            )
            if may is not None:
                assert may == (name in offered), (seed, name)
                compared[may] += 1
    assert min(compared[True], compared[False]) > 5, compared


def test_the_oracle_has_met_every_kind_of_fight_and_is_not_blind() -> None:
    """G8.4, G9.3 What it never meets it proves nothing of; and a sheet that is off by one is found."""
    met = sum((fight(seed) for seed in range(60)), Counter())
    wanted = (
        "fire",
        "ram",
        "bow_to_bow",
        "rake",
        "board",
        "fight",
        "captured",
        "thrown_back",
        "repair",
        "flood",
        "sunk",
    )
    assert all(met[kind] for kind in wanted), met
    battle = odd_position(random.Random("blind"))
    raw = plainly(battle)
    name = next(iter(raw["ships"]))
    for field in ("damage", "breaches", "heavy", "archers"):
        other = {
            **raw,
            "ships": {**raw["ships"], name: {**raw["ships"][name], field: raw["ships"][name].get(field, 0) + 1}},
        }
        assert differences(Reckoning(raw, {}), other) != [], field
