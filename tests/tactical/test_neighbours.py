"""What lets whole kinds of faults be: asked of odd positions and in random play from them.

G3.0 whatever is offered is legal and whatever is legal is offered; somebody can always act; G2.3 every state that the
rules make posts back as a position and takes an adjust that changes nothing; G6.10 the order of simultaneous commands
has no effect.
"""

from __future__ import annotations

import itertools
import json
import random
from typing import Any, NamedTuple

import pytest

from kit.odd_positions import commands, is_taken, odd_position, sayable
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import encode, plain, read
from tactical.position import invariants

QUITS = ("resign", "agree", "forgo")
SIMULTANEOUS = ("plot", "fire", "ram")
SEEDS = range(30)


def written(command: dict[str, Any]) -> str:
    return str(sorted((name, value) for name, value in command.items() if name not in ("corvus", "range")))


def offered(battle: Battle) -> set[str]:
    return {
        written(each)
        for each in commands(GALLEY.offers(battle, "umpire"))
        if "target" not in each or each["type"] != "step"
    }


def test_g3_0_whatever_is_offered_is_legal_and_whatever_is_legal_is_offered():
    for seed in range(60):
        rng = random.Random(f"offers {seed}")
        battle = odd_position(rng, sides=rng.choice([2, 2, 3]), most=5, table=seed % 6 == 5)
        taken = {written(each) for each in sayable(battle) if is_taken(battle, each)}
        known = {written(each) for each in sayable(battle)}
        assert taken - offered(battle) == set(), (seed, battle.step, "legal, but not offered")
        assert (offered(battle) & known) - taken == set(), (seed, battle.step, "offered, but refused")


def is_sound(battle: Battle) -> None:
    """Somebody can act, nothing contradicts itself, it posts back, and takes an adjust that changes nothing."""
    assert invariants(battle) == ()
    if not battle.is_over:
        waiting = GALLEY.waiting_for(battle)
        assert waiting, f"nobody can act in {battle.step} of phase {battle.phase}"
        for side in waiting:
            assert [each for each in GALLEY.offers(battle, side) if each.type not in QUITS], f"{side} has no offer"
    again = GALLEY.start(None, plain(battle), {}, Dice()).state
    assert encode(again) == encode(battle), "the state posts back as another"
    assert GALLEY.offers(again, "umpire") == GALLEY.offers(battle, "umpire")
    name, ship = next(iter(battle.ships.items()))
    same = read({"type": "adjust", "ship": name, "changes": {"damage": ship.damage}, "why": "-"}, GALLEY.command)
    assert encode(GALLEY.apply(battle, "umpire", same, Dice()).state) == encode(battle), "an adjust of nothing"


class Fated(Dice):
    """Dice whose faces hang on what they are thrown for, not on when."""

    def roll(self, count: int, sides: int, rule: str, **about: str) -> tuple[int, ...]:
        fate = random.Random(f"{rule} {sorted(about.items())}")
        return tuple(fate.randint(1, sides) for _ in range(count))


def given(battle: Battle, command: dict[str, Any]) -> Battle | None:
    """The command with the dice that are its own in whatever order it is given; None when it is refused."""
    try:
        return GALLEY.apply(battle, "umpire", read(command, GALLEY.command), Fated()).state
    except (Illegal, NotYours):
        return None


def orders_agree(battle: Battle) -> int:
    """Every two commands of different ships in a simultaneous step give one state in both orders; how many pairs."""
    if battle.step not in SIMULTANEOUS:
        return 0
    found = [each for each in commands(GALLEY.offers(battle, "umpire")) if "ship" in each]
    pairs = [pair for pair in itertools.combinations(found, 2) if pair[0]["ship"] != pair[1]["ship"]]
    return sum(is_one_in_both_orders(battle, one, other) for one, other in pairs)


def is_one_in_both_orders(battle: Battle, one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether both orders are legal within this step; then they must give the same state."""
    first, second = given(battle, one), given(battle, other)
    if first is None or second is None or first.step != battle.step or second.step != battle.step:
        return False
    both, turned = given(first, other), given(second, one)
    if both is None or turned is None:
        return False
    assert json.loads(encode(both)) == json.loads(encode(turned)), (one, other)  # a table's rows have no order
    return True


def order_does_not_matter(battle: Battle, rng: random.Random) -> int:
    """Two commands of a simultaneous step that are legal in both orders give the same state."""
    if battle.step not in SIMULTANEOUS:
        return 0
    found = [
        each
        for each in commands(GALLEY.offers(battle, "umpire"))
        if each["type"] not in (*QUITS, "done", "finish", "lock")
    ]
    pairs = 0
    for _ in range(4):
        one, other = rng.choice(found or [{}]), rng.choice(found or [{}])
        if one and one.get("ship") != other.get("ship"):
            pairs += is_one_in_both_orders(battle, one, other)
    return pairs


class Walked(NamedTuple):
    """What a walk has looked at; `crowded` are the positions of three ships and more."""

    positions: int
    crowded: int
    pairs: int


def walk(seed: int, length: int = 60) -> Walked:
    """Random play from an odd position; positions that are sound, and pairs of orders that were compared."""
    rng = random.Random(f"walk {seed}")
    source = random_source(rng.randrange)
    battle = odd_position(rng, sides=rng.choice([2, 2, 2, 3]), table=seed % 8 == 7)
    is_sound(battle)
    positions, pairs = 1, 0
    for _ in range(length):
        if battle.is_over:
            break
        side = rng.choice(GALLEY.waiting_for(battle))
        offer = rng.choice([each for each in GALLEY.offers(battle, side) if each.type not in QUITS])
        command = rng.choice(list(commands((offer,))))
        battle = GALLEY.apply(battle, side, read(command, GALLEY.command), Dice((), source)).state
        is_sound(battle)
        positions += 1
        pairs += order_does_not_matter(battle, rng)
    return Walked(positions, positions if len(battle.ships) > 2 else 0, pairs)


@pytest.mark.parametrize("seed", SEEDS)
def test_g2_3_random_play_from_odd_positions_stays_sound(seed):
    walk(seed)


def test_g6_10_pairs_of_simultaneous_commands_were_compared():
    assert sum(walk(seed, 30).pairs for seed in range(6)) > 20
