"""L3.4, L3.5 Over the edge, fled, and evading."""

from __future__ import annotations

import msgspec
import pytest

from kit.linked_battle import (
    adjusted,
    do,
    engagement,
    fought,
    gone,
    last_to_leave,
    opened,
    passed,
    refusal,
    sunk,
    to_the_end,
    turn_end,
)
from strategic.naval.engagement import (
    NavalOutcome,
    SideOutcome,
)
from strategic.naval.handoff import outcome_of
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal


def test_l3_4_until_the_end_of_turn_four_the_edge_is_a_wall():
    for turn, wall in ((1, True), (4, True), (5, False)):
        raw = {**msgspec.to_builtins(opened()), "turn": turn}
        assert GALLEY.start(None, raw, {}, Dice()).state.edge_is_wall() is wall


def test_l3_4_a_side_whose_last_warship_left_over_the_edge_has_fled():
    battle = turn_end(adjusted(opened(), **sunk("r1"), **gone("r2", "r3")))
    outcome = outcome_of(battle, engagement())
    assert outcome.winner == "carthage" and outcome.of("rome").fled and not outcome.of("rome").evaded
    assert outcome.of("rome").sunk == 1 and outcome.of("rome").transports == 0, "those are at the winner's mercy later"


def evading(battle: Battle) -> Battle:
    for side in battle.sides:
        for name in battle.afloat(side):
            battle = do(battle, side, "plot", ship=name, speed=0).state
        battle = do(battle, side, "lock", side=side).state
    while battle.step in ("fire", "board"):
        battle = do(battle, GALLEY.waiting_for(battle)[0], "done", side=GALLEY.waiting_for(battle)[0]).state
    return battle


def test_l3_5_at_the_end_of_a_turn_the_holder_of_supremacy_may_evade():
    battle = evading(opened())
    assert battle.step == "end" and GALLEY.waiting_for(battle) == ("carthage",)
    with pytest.raises(Illegal) as refused:
        do(battle, "rome", "evade", side="rome")
    assert refused.value.rule == "L3.5"
    over = do(battle, "carthage", "evade", side="carthage").state
    outcome = outcome_of(over, engagement())
    assert over.is_over and outcome.winner == "rome" and outcome.of("carthage").evaded
    assert not outcome.of("carthage").fled and outcome.of("carthage").lost == 0
    on = do(battle, "carthage", "done", side="carthage").state
    assert on.turn == 2 and on.step == "plot"


def test_l3_5_only_hamilcar_knows_evading():
    assert evading(opened(system="punic_wars", supremacy=None)).turn == 2


def test_l3_4_a_side_has_not_fled_when_its_last_warship_was_sunk():
    battle = turn_end(adjusted(opened(), **gone("r2", "r3"), **sunk("r1")))
    outcome = outcome_of(battle, engagement())
    assert outcome.winner == "carthage" and not outcome.of("rome").fled and outcome.of("rome").sunk == 1


def flooding(battle: Battle) -> Battle:
    """c1, Carthage's last, has a breach that a 1 does not close, and one point of hull left."""
    return adjusted(battle, c1={"damage": 7, "breaches": 1})


def test_l3_4_a_side_that_fled_has_fled_though_nobody_has_won():
    battle = do(flooding(last_to_leave()), "carthage", "step", 1, ship="c1", turn="none").state
    assert battle.is_over and battle.result.winner is None and battle.link.fled == ("rome",)
    outcome = outcome_of(battle, engagement())
    assert outcome.winner is None and outcome.of("rome").fled and not outcome.of("carthage").fled
    assert outcome.of("carthage").lost == 2


def test_l3_4_both_sides_may_have_fled():
    battle = turn_end(adjusted(opened(), **gone("r1", "r2", "r3", "c1", "c2")))
    outcome = outcome_of(battle, engagement())
    assert outcome.winner is None and outcome.of("rome").fled and outcome.of("carthage").fled


@pytest.mark.parametrize(
    "winner, sides, rule",
    [
        ("carthage", {"rome": SideOutcome(evaded=True)}, "L3.5"),
        ("rome", {"carthage": SideOutcome(evaded=True)}, None),
        (None, {"rome": SideOutcome(evaded=True), "carthage": SideOutcome(sunk=2)}, "L3.5"),
        (None, {"carthage": SideOutcome(evaded=True), "rome": SideOutcome(fled=True)}, None),
        (None, {"rome": SideOutcome(fled=True)}, "L3.1"),
        (None, {"rome": SideOutcome(fled=True), "carthage": SideOutcome(sunk=1, captured=1)}, None),
    ],
)
def test_l3_5_the_holder_of_supremacy_alone_evades_and_l3_4_who_left_leaves_nobody_behind(winner, sides, rule):
    assert refusal(NavalOutcome(winner, 3, sides)) == rule


def test_l3_4_a_battle_of_version_0_1_did_not_note_who_went_last():
    raw = {**msgspec.to_builtins(opened())}
    raw["link"] = {**raw["link"], "fled": None}
    battle = GALLEY.start(None, raw, {}, Dice()).state
    outcome = outcome_of(turn_end(adjusted(battle, **gone("r2", "r3"), **sunk("r1"))), engagement())
    assert outcome.of("rome").fled


def test_l3_4_over_the_edge_in_play_is_noted():
    battle = adjusted(opened(), **sunk("r1", "r2"), r3={"at": [4, 13], "facing": "S", "speed": 1})
    battle = do(battle, "umpire", "adjust", changes={"turn": 5}, why="the wall is gone").state
    for name in battle.afloat():
        speed = 1 if name == "r3" else 0
        battle = do(battle, "umpire", "plot", ship=name, speed=speed).state
    for side in battle.sides:
        battle = do(battle, side, "lock", side=side).state
    battle = passed(battle)
    battle = do(battle, "rome", "step", ship="r3", turn="none").state
    assert battle.ships["r3"].status == "withdrawn" and battle.link.fled == ("rome",)


def test_l3_5_the_outcome_names_the_supremacy_that_was_conceded():
    """Carthage evades and leaves one ship in its fight: supremacy is Rome's, whatever becomes of that ship."""
    battle = do(fought(), "umpire", "adjust", changes={"turn_limit": 1}, why="short").state
    battle = to_the_end(battle, *(1,) * 18)
    assert battle.step == "end" and GALLEY.waiting_for(battle) == ("carthage",)
    battle = do(battle, "carthage", "evade", side="carthage").state
    assert battle.is_over and battle.result.winner is None and battle.ships["c1"].is_afloat
    outcome = outcome_of(battle, engagement())
    assert outcome.supremacy == "rome" and outcome.winner is None and not outcome.of("carthage").evaded


def test_l3_5_a_side_that_evaded_has_not_won():
    """c1 stays behind in its fight and takes the last Roman: nobody has won."""
    battle = do(to_the_end(fought(), *(1,) * 18), "carthage", "evade", side="carthage").state
    assert not battle.is_over and battle.turn == 2
    battle = adjusted(battle, **gone("r2", "r3"), r1={"heavy": 1})
    battle = to_the_end(battle, *(6,) * 10)
    assert battle.is_over and battle.result.winner is None
    outcome = outcome_of(battle, engagement())
    assert outcome.winner is None and outcome.supremacy == "rome" and outcome.of("rome").captured == 1


def test_l3_5_evading_comes_after_fights_repairs_and_floods():
    """c2 has a breach and one point left: it founders before Carthage is asked."""
    battle = to_the_end(adjusted(opened(), c2={"damage": 7, "breaches": 1}), 1)
    assert battle.step == "end" and battle.ships["c2"].status == "sunk"
    early = opened()
    with pytest.raises(Illegal, match="not a command of the plot step"):
        do(early, "carthage", "evade", side="carthage")
    over = do(battle, "carthage", "evade", side="carthage").state
    assert over.is_over and outcome_of(over, engagement()).of("carthage").sunk == 1


def test_l3_5_who_has_no_enemy_left_is_not_asked_whether_it_evades():
    battle = to_the_end(adjusted(opened(), **sunk("r1", "r2"), r3={"damage": 7, "breaches": 1}), 1)
    assert battle.is_over and battle.result.winner == "carthage"
