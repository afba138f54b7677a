"""G2.3 The umpire's adjustments: no dice fall for them, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from kit.fleet import do, position, ship
from kit.sea import sea
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.record import BadInput, encode, plain


def before_a_fight() -> Battle:
    """r1 and c1, alone and side by side, owe the last steps of the turn."""
    ships = {
        "r1": ship("rome", (5, 5), "N", heavy=9, medium=0, speed=1),
        "c1": ship("carthage", (5, 4), "N", heavy=1, medium=0, speed=1),
    }
    return position(ships=ships, step="move", phase=6)


def put_in_a_fight(battle: Battle) -> Any:
    fight = {"boarding": "c1", "speed": 0, "stopped": True}
    return do(battle, "umpire", "adjust", ships={"r1": fight, "c1": fight}, why="they grappled")


def test_g2_3_a_an_adjustment_throws_no_dice_and_waits_for_the_umpire_to_go_on() -> None:
    outcome = put_in_a_fight(before_a_fight())
    assert [each.type for each in outcome.events] == ["adjusted"]
    battle = outcome.state
    assert battle.turn == 1 and battle.step == "end" and battle.stands
    assert [offer.type for offer in GALLEY.offers(battle, "umpire") if offer.rule == "G2.3.a"] == ["go_on"]
    assert "go_on" not in [offer.type for offer in GALLEY.offers(battle, "rome")]
    on = do(battle, "umpire", "go_on", *(6,) * 10)
    assert [each.type for each in on.events][:3] == ["go_on", "fight", "captured"] and on.state.is_over


def test_g2_3_a_or_for_the_next_command() -> None:
    battle = put_in_a_fight(before_a_fight()).state
    assert do(battle, "rome", "done", *(6,) * 10, side="rome").state.is_over


def test_g2_3_a_an_adjustment_of_what_stands_before_its_dice_stands_there_still() -> None:
    battle = put_in_a_fight(before_a_fight()).state
    same = do(battle, "umpire", "adjust", ship="r1", changes={"heavy": 9}, why="nothing").state
    assert encode(same) == encode(battle)


FAR = {
    "contact": ({"r1": {"contact": "c1", "stepped": True, "speed": 2}}, "r1.contact"),
    "fight": (
        {"r1": {"boarding": "c1", "stopped": True}, "c1": {"boarding": "c1", "stopped": True}},
        "r1.boarding",
    ),
    "passing": (
        {"r1": {"passing": "c1", "speed": 1}, "c1": {"raked_by": "r1", "oars_broken": True}},
        "r1.passing",
    ),
    "no rake": ({"r1": {"passing": "c1", "speed": 1}}, "r1.passing"),
}


@pytest.mark.parametrize("kind", FAR)
@pytest.mark.parametrize("board", ["hexes", "open"])
def test_g2_3_ships_seven_hexes_apart_are_in_no_contact_fight_or_rake(kind: str, board: str) -> None:
    changes, path = FAR[kind]
    facing = "N" if board == "hexes" else 0
    places = {"r1": [5, 9], "c1": [5, 2 if kind != "no rake" else 8]}
    ships = {
        name: ship(side, places[name], facing) | changes.get(name, {})
        for name, side in (("r1", "rome"), ("c1", "carthage"))
    }
    fields = {"step": "ram", "phase": 1} if kind == "contact" else {"step": "move", "phase": 6}
    with pytest.raises(BadInput) as refused:
        position(ships=ships, **fields) if board == "hexes" else sea(ships, **fields)
    assert refused.value.path == f"position.ships.{path}"


def test_g9_2_repair_dice_fall_for_r2_before_r10() -> None:
    ships = {name: ship("rome", (int(name[1:]), 2), breaches=1) for name in ("r10", "r2")}
    ships["c1"] = ship("carthage", (3, 9 - 3))
    battle = position(ships=ships, step="end")
    after = do(battle, "umpire", "done", 6, 1, side="rome")
    assert [each.data["ship"] for each in after.events if each.type == "repair"] == ["r2", "r10"]
    assert after.state.ships["r2"].breaches == 0 and after.state.ships["r10"].breaches == 1


def test_g3_0_a_what_a_side_may_go_without_is_offered() -> None:
    battle = before_a_fight()

    def offers(state: Battle) -> list[dict[str, Any]]:
        return [offer.fields for offer in GALLEY.offers(state, "rome") if offer.type == "forgo"]

    assert offers(battle) == [{"side": "rome", "step": ["fire", "board"], "forgone": True}]
    battle = do(battle, "rome", "forgo", side="rome", step="fire").state
    assert offers(battle) == [
        {"side": "rome", "step": "board", "forgone": True},
        {"side": "rome", "step": "fire", "forgone": False},
    ]


def test_g2_1_the_umpire_gives_a_battle_its_own_ship_types() -> None:
    battle = before_a_fight()
    kind = plain(battle.kind(battle.ships["r1"])) | {"beam": 0.3125}
    after = do(battle, "umpire", "adjust", changes={f"types.{battle.ships['r1'].type}": kind}, why="our bases").state
    assert after.kind(after.ships["r1"]).beam == 0.3125 and after.kind(after.ships["c1"]).beam == 0.3125


@pytest.mark.parametrize(
    "on", [before_a_fight, lambda: sea({"r1": ship("rome", (5, 5), 0), "c1": ship("carthage", (9, 5), 0)})]
)
def test_g2_1_a_ship_may_not_be_left_without_her_type(on: Any) -> None:
    mine = plain(on().kind(on().ships["r1"]))
    battle = do(on(), "umpire", "adjust", changes={"types.mine": mine, "ships.r1.type": "mine"}, why="ours").state
    for changes in ({"types": {}}, {"types.mine": None}, {"ships.r1.type": "another"}):
        with pytest.raises(BadInput, match="there is no ship type called") as fault:
            do(battle, "umpire", "adjust", changes=changes, why="gone")
        assert fault.value.path == "changes.ships.r1.type"
