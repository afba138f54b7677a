"""G10.1.a, G10.2.a Three sides: one that has given up, and for whom a lost ship counts."""

from __future__ import annotations

import pytest

from kit.fleet import do, go, position, ship
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.protocol import Illegal
from tactical.position import invariants

SIDES = {name: {"navy": "hellenistic"} for name in ("red", "blue", "green")}


def three(ships: dict[str, object], **fields: object) -> Battle:
    return position(ships=ships, sides=SIDES, **fields)


def apart(**fields: object) -> dict[str, object]:
    """One ship of each side, out of one another's reach."""
    places = {"red": (2, 0), "blue": (8, 0), "green": (14, 0)}
    return {f"{side[0]}1": ship(side, at, **fields) for side, at in places.items()}


def test_g10_1_a_nobody_waits_for_a_side_that_has_given_up() -> None:
    battle = three(apart())
    for name in ("r1", "b1", "g1"):
        battle = go(battle, ("plot", {"ship": name, "speed": 1}))
    battle = go(battle, ("lock", {"side": "red"}), ("lock", {"side": "blue"}), ("resign", {"side": "green"}))
    assert battle.step == "move" and battle.phase == 6, "its lock is not waited for"
    assert battle.ships["g1"].speed == 0 and GALLEY.waiting_for(battle) == ("red", "blue")
    battle = go(battle, ("step", {"ship": "r1", "turn": "none"}), ("step", {"ship": "b1", "turn": "none"}))
    assert battle.turn == 2 and GALLEY.waiting_for(battle) == ("red", "blue") and invariants(battle) == ()
    assert GALLEY.offers(battle, "green") == () and battle.ships["g1"].at == (14, 0)
    for kind, fields in (("plot", {"ship": "g1", "speed": 1}), ("lock", {"side": "green"})):
        with pytest.raises(Illegal) as refused:
            do(battle, "green", kind, **fields)
        assert refused.value.rule == "G10.1"


def test_g10_1_a_a_ship_of_a_side_that_has_given_up_lies_still_in_mid_turn() -> None:
    ships = apart(speed=1)
    ships["b2"] = ship("blue", (14, -1), "N", archers=1)
    battle = three(ships, step="move", phase=6)
    battle = go(battle, ("step", {"ship": "g1", "turn": "none"}))
    assert battle.ships["g1"].contact == "b2"
    battle = go(battle, ("resign", {"side": "green"}))
    idle = battle.ships["g1"]
    assert idle.contact is None and idle.stopped and idle.speed == 0 and invariants(battle) == ()
    battle = go(battle, ("step", {"ship": "r1", "turn": "none"}), ("step", {"ship": "b1", "turn": "none"}))
    assert battle.step == "fire" and GALLEY.waiting_for(battle) == ("blue",)


def test_g10_1_a_the_others_go_on_when_its_last_ship_is_gone() -> None:
    battle = go(three(apart()), ("resign", {"side": "green"}))
    lost = {"status": "sunk", "at": None, "damage": 6}
    battle = go(battle, ("adjust", {"ship": "g1", "changes": lost, "why": "she founders"}))
    for side, name in (("red", "r1"), ("blue", "b1")):
        battle = go(battle, ("plot", {"ship": name, "speed": 0}), ("lock", {"side": side}))
    assert battle.turn == 2 and not battle.is_over
    over = go(battle, ("agree", {"side": "red"}), ("agree", {"side": "blue"}))
    assert over.result.winner is None and over.result.points == {"red": 0, "blue": 0, "green": 0}


def rammed(*faces: int) -> Battle:
    """r1 rams b1, which holds three points; g1 looks on."""
    ships = {
        "r1": ship("red", (5, 5), "N", speed=1),
        "b1": ship("blue", (5, 4), "SE", damage=3, medium=0),
        "g1": ship("green", (15, 0)),
    }
    battle = three(ships, step="move", phase=6)
    return do(go(battle, ("step", {"ship": "r1", "turn": "none"})), "red", "ram", *faces, ship="r1").state


def test_g10_2_a_a_sunk_ship_counts_for_the_side_that_sank_it() -> None:
    over = rammed(5)
    assert over.ships["b1"].status == "sunk" and {name: side.points for name, side in over.sides.items()} == {
        "red": 6,
        "blue": 0,
        "green": 0,
    }


def test_g10_2_a_who_holed_it_last_has_sunk_it_when_it_floods() -> None:
    battle = rammed(2)
    assert battle.ships["b1"].damage == 5 and battle.step == "board"
    battle = do(battle, "red", "done", 1, side="red").state
    assert battle.ships["b1"].status == "sunk" and battle.sides["red"].points == 6 and battle.sides["green"].points == 0


def test_g10_2_a_a_ship_that_nobody_sank_counts_for_nobody_and_a_prize_for_its_captor() -> None:
    ships = {
        **apart(),
        "b2": ship("blue", None, None, status="sunk", damage=6),
        "b3": ship("blue", (8, 3), status="captured", captured_by="green"),
        "b4": ship("blue", None, None, status="withdrawn"),
    }
    battle = three(ships)
    assert {name: side.points for name, side in battle.sides.items()} == {"red": 3, "blue": 0, "green": 12 + 3}


def test_g10_2_of_two_sides_the_other_one_scores_whatever_sank_the_ship() -> None:
    ships = {"r1": ship("rome", (2, 2)), "c1": ship("carthage", (9, 2))}
    ships["c2"] = ship("carthage", None, None, status="sunk", damage=6)
    assert position(ships=ships).sides["rome"].points == 6
