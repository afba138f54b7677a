"""G3.1, G4.4, G7.3, G5.4, G8.2, G9.1 Rulings on plots, locks, losses and what a typed position rolls."""

from __future__ import annotations

import pytest

from kit.fleet import do, go, offered, on, position, ship
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, RollNeeded, random_source
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import encode, plain
from tactical.rules.boarding import by_number, lightest_fall
from tactical.ship import Ship

FAR = {"r8": ship("rome", (17, -6)), "c8": ship("carthage", (19, 0))}


@pytest.mark.parametrize(
    "kind, crew, most",
    [("trireme", "elite", 2), ("trireme", "poor", 2), ("quinquereme", "poor", 1), ("hepteres", "elite", 1)],
)
def test_g4_4_after_backing_the_tables_acceleration_less_one_counts_whatever_the_crew(kind, crew, most):
    battle = position(ships={"c1": ship("carthage", (4, 4), kind=kind, crew=crew, speed=-1, medium=1), **FAR})
    assert offered(battle, "carthage", "plot", ship="c1")[0]["speed"] == {"from": -1, "to": most}


@pytest.mark.parametrize("crew, most", [("elite", 4), ("average", 3), ("poor", 2)])
def test_g4_4_after_the_backing_owed_for_a_ram_the_own_acceleration_counts(crew, most):
    battle = position(ships={"c1": ship("carthage", (4, 4), crew=crew, speed=-1, backed_for_ram=True), **FAR})
    assert offered(battle, "carthage", "plot", ship="c1")[0]["speed"] == {"from": -1, "to": most}


def test_g7_3_with_sprint_maximum_broken_oars_bar_only_the_maximum():
    c1 = ship("carthage", (4, 4), speed=2, oars_broken=True, raked_by="r8")
    battle = position(ships={"c1": c1, **FAR}, options={"sprint": "maximum"})
    assert offered(battle, "carthage", "plot", ship="c1")[0]["speed"] == {"from": -1, "to": 4}
    with pytest.raises(Illegal, match="G7.3") as wrong:
        do(battle, "carthage", "plot", ship="c1", speed=5)
    assert "above 4" in wrong.value.reason


def test_g5_4_of_a_group_those_that_have_fired_fall_first():
    """One of two archers has fired; in a later phase one is killed: the other may still fire."""
    ships = {
        "c1": ship("carthage", (4, 4), archers=2, medium=0, fired={"archer": 1}),
        "r1": ship("rome", (4, 3), catapults=1, medium=0),
        **FAR,
    }
    battle = position(ships=ships, step="fire", phase=2)
    battle = do(battle, "rome", "fire", 5, ship="r1", weapon="catapult", count=1, target="c1").state
    assert offered(battle, "carthage", "fire", weapon="archer")[0]["count"] == 1, "who is killed now may fire now"
    battle = go(battle, ("done", {"side": "carthage"}))
    assert battle.phase == 3 and offered(battle, "carthage", "fire", weapon="archer")[0]["count"] == 1
    assert battle.ships["c1"].archers == 1 and battle.ships["c1"].fired == {}


def test_g5_4_the_order_of_simultaneous_shots_does_not_say_who_may_fire_later():
    ships = {
        "c1": ship("carthage", (4, 4), archers=2, medium=0),
        "r1": ship("rome", (4, 3), catapults=1, medium=0),
        **FAR,
    }
    battle = position(ships=ships, step="fire", phase=2)
    shot = ("fire", {"ship": "c1", "weapon": "archer", "count": 1, "target": "r1"}, (1,))
    answer = ("fire", {"ship": "r1", "weapon": "catapult", "count": 1, "target": "c1"}, (5,))
    done = ("done", {"side": "carthage"})
    one, other = go(battle, shot, answer, done), go(battle, answer, shot, done)
    assert encode(one) == encode(other) and one.ships["c1"].archers == 1
    assert one.ships["c1"].fired == {}, "the one that fired fell"


def test_g8_2_a_losses_are_taken_from_r2_before_r10():
    assert sorted(("r10", "r2", "c1"), key=by_number) == ["c1", "r2", "r10"]
    fallen = lightest_fall({name: Ship(side="rome", type="trireme", medium=1) for name in ("r10", "r2")}, 1)
    assert (fallen["r2"].medium, fallen["r10"].medium) == (0, 1)


def fighting() -> Battle:
    """All ships are in one fight; nobody has a speed to set."""
    ships = {
        "r1": ship("rome", (4, 4), boarding="c1", medium=8),
        "c1": ship("carthage", (4, 3), boarding="c1", medium=8),
    }
    return position(ships=ships, turn=4)


def test_g3_1_when_no_ship_can_be_plotted_each_side_still_locks():
    battle = fighting()
    assert (battle.turn, battle.step) == (4, "plot") and GALLEY.waiting_for(battle) == ("rome", "carthage")
    assert offered(battle, "rome", "lock") == [{"side": "rome"}]
    battle = do(battle, "rome", "lock", side="rome").state
    assert battle.step == "plot" and GALLEY.waiting_for(battle) == ("carthage",)
    battle = do(battle, "carthage", "lock", *(1,) * 16, side="carthage").state
    assert (battle.turn, battle.step) == (5, "plot"), "one round of the fight, and no more"


def test_g3_1_a_side_without_a_speed_to_set_counts_as_locked_while_another_has_one():
    battle = position(ships={**plain(fighting().ships), "r2": ship("rome", (9, 4))})
    assert GALLEY.waiting_for(battle) == ("rome",) and not offered(battle, "carthage", "lock")
    with pytest.raises(Illegal, match="no speed to set"):
        do(battle, "carthage", "lock", side="carthage")


def test_g9_1_nothing_is_rolled_for_a_typed_position():
    """A6: with a source or without, a position stands still before its dice, and somebody may go on."""
    ships = {"r1": ship("rome", (4, 4), boarding="c1"), "c1": ship("carthage", (4, 3), boarding="c1")}
    raw = {"ships": ships, "step": "board", "phase": 6}
    for dice in (Dice(), Dice((), random_source(lambda below: 0))):
        outcome = GALLEY.start(None, raw, {}, dice)
        assert dice.rolls == [] and outcome.state.step == "end"
        assert GALLEY.waiting_for(outcome.state) == ("rome", "carthage")
        with pytest.raises(RollNeeded):
            do(outcome.state, "rome", "done", side="rome")
        assert do(outcome.state, "rome", "done", 1, 1, 1, 1, side="rome").state.turn == 2


def test_g3_4_a_typed_position_waits_for_the_lock_that_rolls_initiative():
    ships = {"r1": ship("rome", (4, 4), plot=2), "c1": ship("carthage", (9, 3), plot=2)}
    sides = {"rome": {"locked": True}, "carthage": {"locked": True}}
    battle = position(ships=ships, sides=sides, options={"order": "initiative"})
    assert battle.step == "plot" and GALLEY.waiting_for(battle) == ("rome", "carthage")
    battle = go(battle, ("lock", {"side": "rome"}), ("lock", {"side": "carthage"}, (2, 5)))
    assert battle.step == "move"
    shown = position(ships=ships, sides=sides)
    assert shown.step == "move", "without dice to roll all is shown at once"


def test_g2_3_a_ship_freed_in_mid_turn_comes_back_as_it_was():
    """D3: it has no plot; a position that names the empty plot keeps it."""
    ships = {
        "r1": ship("rome", (4, 4), boarding="c1"),
        "c1": ship("carthage", (4, 3), boarding="c1", damage=5),
        "r2": ship("rome", (5, 2), "SW", contact="c1", stepped=True, speed=2),
        **FAR,
    }
    battle = on(do(position(ships=ships, step="ram", phase=3), "rome", "ram", 2, ship="r2").state)
    assert battle.ships["r1"].boarding is None and battle.ships["r1"].plot is None
    assert encode(GALLEY.start(None, plain(battle), {}, Dice()).state) == encode(battle)


def refused(battle: Battle, kind: str, **fields: object) -> str:
    with pytest.raises(Illegal) as wrong:
        do(battle, "umpire", kind, **fields)
    return wrong.value.rule


def test_g3_0_what_is_not_offered_is_refused():
    """D2: `done`, `finish`, `fire` and `board` in steps that hold nothing for them."""
    ships = {
        "r1": ship("rome", (4, 4), archers=1, medium=1),
        "c1": ship("carthage", (4, 3), archers=1, medium=1),
        **FAR,
    }
    battle = do(position(ships=ships, step="fire", phase=2), "rome", "done", side="rome").state
    assert battle.step == "fire"
    assert refused(battle, "done", side="rome") == "G3.0" and refused(battle, "finish", ship="r1") == "G3.0"
    assert refused(battle, "fire", ship="r1", weapon="archer", count=1, target="c1") == "G5.1"
    battle = go(battle, ("done", {"side": "carthage"}))
    assert battle.step == "board"
    battle = do(battle, "rome", "done", side="rome").state
    assert refused(battle, "board", ship="r1", target="c1") == "G8.1"
    assert do(battle, "carthage", "finish", ship="c1").state.step != "board", "nobody has anything left to do"
    quiet = position(
        ships={"r1": ship("rome", (4, 4), archers=1), "c1": ship("carthage", (4, 3)), **FAR}, step="fire", phase=2
    )
    assert refused(quiet, "done", side="carthage") == "G3.0", "Carthage has nothing to shoot with"


def test_g10_1_a_word_of_agreement_that_can_be_taken_back_is_offered_so():
    battle = do(position(ships=FAR), "rome", "agree", side="rome").state
    assert offered(battle, "rome", "agree") == [{"side": "rome", "agreed": False}]
    assert not do(battle, "rome", "agree", side="rome", agreed=False).state.sides["rome"].agreed


def test_g3_1_a_ship_whose_sheet_is_kept_on_paper_is_not_plotted():
    battle = position(ships={**FAR, "r9": ship("rome", (2, 2), paper=True)})
    assert not offered(battle, "rome", "plot", ship="r9")
    assert refused(battle, "plot", ship="r9", speed=1) == "G2.3"
