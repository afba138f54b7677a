"""G3.0.a A side that goes without firing, or without boarding, for the rest of the turn."""

import msgspec
import pytest

from kit.fleet import do, offered, position, ship
from tactical import GALLEY
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput


def archers(phase=1, step="fire", **more):
    """Two ships in range of one another, each with an archer; they stand."""
    ships = {"r1": ship("rome", (4, 4), archers=1, medium=1), "c1": ship("carthage", (4, 2), archers=1, medium=1)}
    return position(ships=ships, step=step, phase=phase, **more)


def said(battle, side="rome", step="fire", forgone=True):
    return do(battle, side, "forgo", side=side, step=step, forgone=forgone)


def test_g3_0_a_who_holds_fire_is_asked_in_no_fire_step_of_the_turn():
    outcome = said(archers())
    battle = outcome.state
    assert [event.type for event in outcome.events] == ["forgo"]
    assert GALLEY.waiting_for(battle) == ("carthage",) and not offered(battle, "rome", "fire", ship="r1")
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "fire", ship="r1", weapon="archer", count=1, target="c1")
    assert wrong.value.rule == "G5.1"
    for phase in range(1, 7):
        assert (battle.phase, battle.step) == (phase, "fire")
        assert GALLEY.waiting_for(battle) == ("carthage",)
        battle = do(battle, "carthage", "done", side="carthage").state
    assert battle.step == "plot" and battle.turn == 2 and battle.sides["rome"].forgoes == ()


def test_g3_0_a_when_all_hold_fire_no_fire_step_comes():
    battle = said(said(archers()).state, "carthage").state
    assert (battle.turn, battle.step) == (2, "plot")


def test_g3_0_a_it_may_be_said_before_and_taken_back_for_the_next_step():
    battle = said(archers()).state
    back = said(battle, forgone=False).state
    assert back.sides["rome"].forgoes == () and back.sides["rome"].done, "the step under way stays done"
    battle = do(back, "carthage", "done", side="carthage").state
    assert battle.phase == 2 and offered(battle, "rome", "fire", ship="r1")
    plotted = said(position(ships={"r1": ship("rome", (2, 2)), "c1": ship("carthage", (12, 4), "S")})).state
    assert plotted.step == "plot" and not plotted.sides["rome"].done and plotted.sides["rome"].forgoes == ("fire",)


def test_g3_0_a_boarding_is_gone_without_alone():
    ships = {"r1": ship("rome", (4, 4), archers=1, medium=1), "c1": ship("carthage", (4, 3), archers=1, medium=1)}
    battle = said(position(ships=ships, step="board", phase=1), step="board").state
    assert battle.sides["rome"].forgoes == ("board",) and not offered(battle, "rome", "board", ship="r1")
    battle = do(battle, "carthage", "done", side="carthage").state
    assert battle.step == "fire" and battle.phase == 2 and offered(battle, "rome", "fire", ship="r1")
    battle = said(battle).state
    assert battle.sides["rome"].forgoes == ("board", "fire")


@pytest.mark.parametrize("forgone", [True, False])
def test_g3_0_a_the_same_word_is_said_once(forgone):
    battle = said(archers()).state if forgone else archers()
    with pytest.raises(Illegal) as wrong:
        said(battle, forgone=forgone)
    assert wrong.value.rule == "G3.0.a"
    with pytest.raises(NotYours):
        do(battle, "carthage", "forgo", side="rome", step="fire")
    with pytest.raises(BadInput):
        do(battle, "rome", "forgo", side="rome", step="ram")


def test_g3_0_a_a_battle_of_before_has_no_such_word():
    raw = msgspec.to_builtins(archers())
    for side in raw["sides"].values():
        del side["forgoes"]
    assert msgspec.convert(raw, type(archers())) == archers()
