"""What a battle is handed of the one before is what it would work out by itself."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from test_random_battles import command, fleets

from kit.fleet import ship
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import read
from tactical.offers import ask_side, of_side
from tactical.rules.ending import points

KINDS = ("hexes", "table", "open", "initiative", "three", "drepana", "salamis", "open_tyndaris")
RARE = {"resign": 0.002, "agree": 0.02, "forgo": 0.1, "finish": 0.3, "hold": 0.3}


def begun(kind: str, rng: random.Random) -> Battle:
    """A battle of this kind before its first command."""
    dice = Dice((), random_source(rng.randrange))
    if kind == "three":
        sides = {"red": "N", "blue": "SE", "green": "SW"}
        ships = {
            f"{side[0]}{number}": ship(side, (5 + place, 2 * number + place % 2), heading, heavy=2, archers=1)
            for place, (side, heading) in enumerate(sides.items())
            for number in range(3)
        }
        position = {"ships": ships, "sides": {side: {"navy": "hellenistic"} for side in sides}, "turn_limit": 9}
        return GALLEY.start(None, position, {}, dice).state
    if kind == "open":
        ships = {
            f"{side[0]}{number}": {
                "side": side,
                "type": rng.choice(["quinquereme", "quadrireme"]),
                "at": [x + 3 * number, 40 * number + 20],
                "facing": facing,
            }
            for side, x, facing in (("rome", 30, 90), ("carthage", 160, 270))
            for number in range(3)
        }
        board = {"kind": "open", "width": 220, "height": 160}
        return GALLEY.start(None, {"ships": ships, "board": board, "turn_limit": 9}, {}, dice).state
    if kind in ("hexes", "table", "initiative"):
        options = {
            "order": "initiative" if kind == "initiative" else "free",
            "ships_block_sight": rng.random() < 0.5,
            "arcs": rng.choice(["all_round", "forward"]),
        }
        return GALLEY.start(None, fleets(rng, kind == "table"), options, dice).state
    return GALLEY.start(kind, None, {}, dice).state


def reckon_anew(battle: Battle) -> Battle:
    """The same battle, which has been handed nothing."""
    anew = msgspec.structs.replace(battle)
    assert anew.derived is not battle.derived
    return anew


def agree(battle: Battle) -> None:
    """Hold everything that a battle has been handed against what is worked out anew."""
    anew = reckon_anew(battle)
    assert battle.lying.names_at == anew.lying.names_at
    assert list(battle.contacts.items()) == list(anew.contacts.items())
    if battle.has_places:
        for each in battle.ships.values():
            assert battle.enemies_of(each) == anew.enemies_of(each)
    assert not battle.derived.is_scored or points(anew) == {name: side.points for name, side in battle.sides.items()}
    assert GALLEY.waiting_for(battle) == GALLEY.waiting_for(anew)
    for side in battle.sides:
        if battle.step not in ("end", "over"):
            busy = {name: offers for name, offers in ask_side(battle, side).items() if offers}
            assert list(busy.items()) == [(name, found) for name, found in ask_side(anew, side).items() if found]
            assert of_side(battle, side) == of_side(anew, side)
        assert GALLEY.offers(battle, side) == GALLEY.offers(anew, side)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_g3_0_what_is_handed_on_is_what_is_reckoned_anew(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    battle = begun(kind, rng)
    for _ in range(250):
        if battle.is_over:
            break
        seat = rng.choice([*GALLEY.waiting_for(battle), *battle.sides])
        offers: list[Any] = [each for each in GALLEY.offers(battle, seat) if rng.random() < RARE.get(each.type, 1)]
        if not offers:
            continue
        order = read(command(rng, rng.choice(offers)), GALLEY.command)
        battle = GALLEY.apply(battle, seat, order, Dice((), source, source)).state
        if rng.random() < 0.7:  # else two commands are followed at once
            agree(battle)
            for side in battle.sides:
                agree(GALLEY.view(battle, side))
