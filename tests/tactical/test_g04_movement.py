"""G4 Movement."""

import pytest

from kit.fleet import do, go, offered, position, ship
from tactical import GALLEY
from tactical.kernel.protocol import Illegal


def moving(phase=6, board=None, options=None, **ships):
    ships.setdefault("c9", ship("carthage", (15, 0), "N"))
    return position(ships=ships, step="move", phase=phase, board=board or {}, options=options)


def turns(battle, name="r1"):
    found = offered(battle, battle.ships[name].side, "step", ship=name)
    if not found:
        return []
    value = found[0].get("turn", found[0].get("facing"))
    return value if isinstance(value, list) else [value]


def refused(battle, name="r1", **fields):
    with pytest.raises(Illegal) as wrong:
        do(battle, "umpire", "step", ship=name, **fields)
    return wrong.value.rule


def test_g4_1_a_step_is_a_turn_of_sixty_degrees_and_one_hex():
    battle = moving(r1=ship("rome", (4, 4), "N", speed=1), r2=ship("rome", (9, 4), "N", speed=1))
    after = do(battle, "rome", "step", ship="r1", turn="right").state
    assert after.ships["r1"].facing == "NE" and after.ships["r1"].at == (5, 3)
    after = do(battle, "rome", "step", ship="r1", turn="left").state
    assert after.ships["r1"].facing == "NW" and after.ships["r1"].at == (3, 4)


def test_g4_2_a_turn_needs_as_many_straight_steps_as_the_cycle():
    fresh = moving(r1=ship("rome", (4, 4), kind="quinquereme", heavy=1, speed=1, straight=1))
    assert turns(fresh) == ["none"] and refused(fresh, turn="left") == "G4.2"
    ready = moving(
        r1=ship("rome", (4, 4), kind="quinquereme", heavy=1, speed=1, straight=2), r2=ship("rome", (9, 4), speed=1)
    )
    assert set(turns(ready)) == {"none", "left", "right"}
    assert do(ready, "rome", "step", ship="r1", turn="left").state.ships["r1"].straight == 0
    assert do(ready, "rome", "step", ship="r1", turn="none").state.ships["r1"].straight == 3


def test_g4_2_the_cycle_counts_as_served_at_the_start():
    assert moving(r1=ship("rome", (4, 4), kind="hepteres", medium=1, crew="poor")).ships["r1"].straight == 4


def test_g4_2_standing_still_changes_nothing_and_cycle_nought_turns_at_every_step():
    battle = moving(r1=ship("rome", (4, 4), kind="bireme", straight=0, speed=6, crew="elite"), phase=1)
    for phase in range(1, 4):
        assert set(turns(battle)) == {"none", "left", "right"}, phase
        battle = do(battle, "rome", "step", ship="r1", turn="left").state


def test_g4_3_a_step_is_due_and_done_is_refused_meanwhile():
    battle = moving(r1=ship("rome", (4, 4), speed=1))
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "done", side="rome")
    assert wrong.value.rule == "G4.3" and not offered(battle, "rome", "done")


def test_g4_3_running_straight_into_a_closed_hex_stops_the_ship():
    battle = moving(
        phase=2,
        board={"land": [(4, 3)]},
        r1=ship("rome", (4, 4), speed=3, straight=5),
        r2=ship("rome", (9, 4), speed=3),
    )
    assert set(turns(battle)) == {"none", "left", "right"}
    stopped = do(battle, "rome", "step", ship="r1", turn="none").state.ships["r1"]
    assert stopped.at == (4, 4) and stopped.speed == 0 and stopped.stopped


@pytest.mark.parametrize("shut", [{"land": [(5, 3)]}, {"wrecks": [(5, 3)]}])
def test_g4_3_a_turn_into_a_closed_hex_is_refused_before_the_cycle_is_asked(shut):
    battle = moving(board=shut, r1=ship("rome", (4, 4), speed=1, straight=0, kind="hepteres", medium=1))
    assert refused(battle, turn="right") == "G4.3"
    assert refused(battle, turn="left") == "G4.2"


def test_g4_3_a_friend_and_a_prize_close_the_hex_ahead():
    friend = moving(phase=2, r1=ship("rome", (4, 4), speed=3, straight=0), r2=ship("rome", (4, 3), "N"))
    assert friend.ships["r1"].at == (4, 4) and friend.ships["r1"].speed == 0 and friend.turn == 2, (
        "stopped by the engine"
    )
    prize = moving(
        phase=2,
        r1=ship("rome", (4, 4), speed=3, straight=0),
        c1=ship("carthage", (4, 3), status="captured", captured_by="rome"),
    )
    assert prize.ships["r1"].at == (4, 4) and prize.ships["r1"].speed == 0 and prize.turn == 2


def test_g4_3_a_ship_behind_a_friend_may_go_when_the_friend_has_gone():
    battle = moving(r1=ship("rome", (4, 4), speed=1, straight=0), r2=ship("rome", (4, 3), speed=1))
    assert turns(battle) == [] and turns(battle, "r2")
    battle = do(battle, "rome", "step", ship="r2", turn="none").state
    assert turns(battle) == ["none"]
    assert do(battle, "rome", "step", ship="r1", turn="none").state.ships["r1"].at == (4, 3)


def test_g4_4_backing_is_straight_back_and_counts_as_a_step():
    battle = moving(r1=ship("rome", (4, 4), speed=-1, straight=1), r2=ship("rome", (9, 4), speed=1))
    assert turns(battle) == ["none"] and refused(battle, turn="left") == "G4.4"
    backed = do(battle, "rome", "step", ship="r1", turn="none").state.ships["r1"]
    assert backed.at == (4, 5) and backed.facing == "N" and backed.straight == 2


def test_g4_4_backing_never_enters_a_ship():
    battle = moving(
        r1=ship("rome", (4, 4), speed=-1), c1=ship("carthage", (4, 5), "N"), r2=ship("rome", (9, 4), speed=1)
    )
    assert turns(battle) == []
    after = do(battle, "rome", "step", ship="r2", turn="none").state
    assert after.ships["r1"].at == (4, 4) and after.ships["r1"].contact is None


def test_g4_5_who_rammed_or_was_rammed_makes_no_more_steps():
    battle = position(
        ships={
            "r1": ship("rome", (4, 4), speed=3, contact="c1"),
            "c1": ship("carthage", (4, 3), "NE", speed=3),
            "c2": ship("carthage", (12, 2), speed=3),
        },
        step="ram",
        phase=2,
    )
    after = do(battle, "rome", "ram", 2, ship="r1").state
    while after.step == "board":
        after = do(after, "umpire", "done", side=GALLEY.waiting_for(after)[0]).state
    assert after.phase == 4 and after.step == "move"
    for name in ("r1", "c1"):
        assert after.ships[name].speed == 0 and not turns(after, name)


def test_g4_6_a_step_into_an_enemys_hex_is_a_contact_that_waits_in_its_own_hex():
    battle = moving(
        phase=2, r1=ship("rome", (4, 4), "N", speed=3, straight=1), c1=ship("carthage", (5, 3), "N", speed=3)
    )
    after = do(battle, "rome", "step", ship="r1", turn="right").state.ships["r1"]
    assert (after.at, after.facing, after.contact, after.straight, after.stepped) == ((4, 4), "NE", "c1", 0, True)


def test_g4_6_the_first_that_waited_completes_its_step_when_the_enemy_leaves():
    battle = moving(
        phase=2,
        r1=ship("rome", (4, 4), "N", speed=3),
        r2=ship("rome", (5, 3), "NW", speed=3),
        c1=ship("carthage", (4, 3), "N", speed=3),
    )
    battle = go(battle, ("step", {"ship": "r2", "turn": "none"}), ("step", {"ship": "r1", "turn": "none"}))
    assert battle.ships["r1"].contact == battle.ships["r2"].contact == "c1"
    battle = go(battle, ("step", {"ship": "c1", "turn": "none"}))
    assert battle.ships["r2"].at == (4, 3) and battle.ships["r1"].at == (4, 4)
    assert battle.ships["r1"].contact is None and not battle.ships["r1"].stopped
    assert battle.ships["r1"].speed == 3, "she may go on in later phases"


def test_g4_6_a_chain_of_waiting_ships_follows():
    battle = moving(
        phase=2,
        r1=ship("rome", (4, 4), "N", speed=3),
        c1=ship("carthage", (4, 3), "N", speed=3),
        c2=ship("carthage", (4, 5), "N", speed=3),
    )
    battle = go(
        battle,
        ("step", {"ship": "c2", "turn": "none"}),
        ("step", {"ship": "r1", "turn": "none"}),
        ("step", {"ship": "c1", "turn": "none"}),
    )
    assert [battle.ships[name].at for name in ("c1", "r1", "c2")] == [(4, 2), (4, 3), (4, 4)]


def test_g4_6_a_enemies_that_step_at_each_other_are_one_meeting_bow_to_bow():
    battle = moving(
        phase=2, r1=ship("rome", (4, 4), "N", speed=3), c1=ship("carthage", (4, 3), "SW", speed=3, straight=9)
    )
    battle = go(battle, ("step", {"ship": "r1", "turn": "none"}), ("step", {"ship": "c1", "turn": "left"}))
    assert battle.step == "ram"
    assert battle.ships["r1"].contact == "c1" and battle.ships["c1"].contact == "r1"
    after = do(battle, "carthage", "ram", 5, 2, 1, ship="c1").state
    assert after.ships["r1"].damage == 1 and after.ships["c1"].damage == 0


def test_g4_6_a_a_contact_with_a_target_that_is_gone_is_off_and_the_ship_goes_on():
    battle = position(
        ships={
            "r1": ship("rome", (4, 4), speed=3, contact="c1"),
            "r2": ship("rome", (7, 3), stone_throwers=1),
            "c1": ship("carthage", (4, 3), damage=5),
            "c2": ship("carthage", (17, 0)),
        },
        step="fire",
        phase=2,
    )
    assert battle.ships["c1"].is_afloat
    battle = do(battle, "rome", "fire", 5, ship="r2", weapon="stone_thrower", count=1, target="c1").state
    assert battle.ships["c1"].status == "sunk" and battle.ships["r1"].contact is None
    assert battle.phase == 4 and battle.step == "move" and battle.ships["r1"].speed == 3


def test_g4_6_no_contact_outlasts_its_ram_step():
    battle = position(
        ships={
            "r1": ship("rome", (4, 4), speed=3, contact="c1"),
            "c1": ship("carthage", (4, 3)),
            "c2": ship("carthage", (17, 0)),
        },
        step="ram",
        phase=2,
    )
    battle = do(battle, "rome", "done", side="rome").state
    assert battle.ships["r1"].contact is None and battle.ships["r1"].stopped, "done holds (G6.9)"


def test_g4_4_after_backing_the_owed_step_a_ship_may_turn_at_once():
    """G6.7.a is tested with the ram; an ordinary backing gives no such freedom."""
    battle = moving(r1=ship("rome", (4, 4), speed=-1, straight=0), r2=ship("rome", (9, 4), speed=1))
    battle = go(battle, ("step", {"ship": "r1", "turn": "none"}), ("step", {"ship": "r2", "turn": "none"}))
    assert battle.turn == 2 and battle.ships["r1"].free_turn is False and battle.ships["r1"].speed == -1


def test_g4_3_swapping_the_sides_changes_nothing_but_names():
    one = moving(phase=2, r1=ship("rome", (4, 4), speed=3), c1=ship("carthage", (4, 2), "S", speed=3))
    assert turns(one, "r1") == turns(one, "c1")
    assert set(GALLEY.waiting_for(one)) == {"rome", "carthage"}
