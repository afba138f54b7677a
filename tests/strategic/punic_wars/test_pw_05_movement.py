"""5.0 Movement. 6.0 no zones of control. 5.0 (comment)."""

from __future__ import annotations

import pytest

from kit.pw_table import after, attack, give, kinds, move, offered, points, table, told, took
from tactical.kernel.protocol import Illegal


def refused(state, seat, command, rule):
    with pytest.raises(Illegal) as illegal:
        give(state, seat, command)
    assert illegal.value.rule == rule


def latium(force=3, **more):
    """A leader with points in Rome."""
    return table({"2908": {"rome": points(force)}}, {"rc": "2908"}, **more)


def test_5_12_twenty_points_and_5_21_a_hex_costs_one_of_them():
    """5.0"""
    state = after(latium(), "rome", took("rc", 3))
    for number, to in enumerate(("2907", "2806", "2706"), start=1):
        state = after(state, "rome", move("rc", to), *([6] if state.chart.places[to].mountain else []))
        assert state.leaders["rc"].spent == number
        assert state.points(to, "rome", "land") == 3


def test_3_2_a_leader_has_twenty_points():
    """3.2 (movement allowance), 5.0: unused points are not saved."""
    state = table({"2908": {"rome": points(1)}}, {"rc": ("2908", {"spent": 20})})
    refused(state, "rome", move("rc", "2907"), "5.12")


def test_5_0_unit_types_combat_units_move_only_with_a_leader_of_their_own_who_may_go_alone():
    """5.36"""
    state = latium()
    gone = after(state, "rome", move("rc", "2907"))
    assert gone.points("2908", "rome", "land") == 3 and gone.leaders["rc"].at == "2907"
    mixed = table({"2908": {"rome": points(2, 1), "carthage": points(4)}}, {"rc": "2908"})
    assert {(each["land"]["to"], each["naval"]["to"]) for each in offered(mixed, "rome", "take")} == {(2, 1)}
    refused(mixed, "rome", took("rc", 3), "5.24")
    last = table({"2908": {"rome": points(1)}}, {"rc": ("2908", {"spent": 19})})
    assert after(last, "rome", move("rc", "2907")).leaders["rc"].spent == 20


@pytest.mark.parametrize(
    "start, to, land, naval, enemies, faces",
    [
        ("2907", "2806", 2, 0, 0, ()),  # a plain
        ("2806", "2907", 2, 0, 0, ()),  # a village
        ("2908", "3007", 2, 0, 0, (6,)),  # mountains
        ("2908", "2808", 0, 2, 0, (6,)),  # the sea, fleets
        ("2908", "2808", 2, 2, 0, (6,)),  # the sea, both
        ("2908", "3008", 2, 0, 30, ()),  # among enemies
        ("2908", "2808", 0, 0, 0, ()),  # a leader alone
    ],
)
def test_5_31_every_hex_costs_one_point_whatever_it_is_and_whoever_comes(start, to, land, naval, enemies, faces):
    stacks = {start: {"rome": points(land, naval)}, "2516": {"carthage": points(1)}}
    if enemies:
        stacks[to] = {"carthage": points(enemies)}
    state = table(stacks, {"rc": (start, {"land": land, "naval": naval})})
    assert after(state, "rome", move("rc", to), *faces).leaders["rc"].spent == 1


def test_5_22_hexes_with_friends_are_entered_crossed_and_left_freely():
    stacks = {at: {"rome": points(2)} for at in ("2908", "2907", "2806")}
    state = table(stacks, {"rc": ("2908", {"land": 2})})
    for number, to in enumerate(("2907", "2806", "2706"), start=1):
        outcome = give(state, "rome", move("rc", to))
        assert "attrition" not in kinds(outcome)
        state = outcome.state
        assert state.leaders["rc"].spent == number
    assert [state.points(at, "rome", "land") for at in ("2908", "2907", "2806", "2706")] == [0, 2, 2, 2]


def test_5_36_a_leader_alone_enters_anything_and_takes_no_attrition():
    state = after(latium(), "rome", move("rc", "2808"))
    state = after(state, "rome", move("rc", "2908"))
    assert after(state, "rome", move("rc", "3007")).leaders["rc"].at == "3007"


def test_5_13_a_leader_picks_up_and_drops_on_the_way_and_7_11_stacks_are_joined_and_left_at_no_cost():
    state = table({"2908": {"rome": points(3)}, "2907": {"rome": points(2)}}, {"rc": "2908"})
    state = after(state, "rome", took("rc", 2))
    state = after(state, "rome", move("rc", "2907"))
    state = after(state, "rome", took("rc", 4))
    state = after(state, "rome", move("rc", "2807"))
    state = after(state, "rome", took("rc", 1))
    assert [state.points(at, "rome", "land") for at in ("2908", "2907", "2807")] == [1, 0, 4]
    assert state.leaders["rc"].spent == 2


def test_5_24_a_point_serves_one_leader_a_phase():
    """5.24, 9.11"""
    state = table({"2908": {"rome": points(2)}}, {"rc": "2908", "rd": "2907"})
    state = after(state, "rome", took("rc", 2))
    state = after(state, "rome", move("rc", "2907"))
    state = after(state, "rome", took("rc", 0))
    state = after(state, "rome", {"type": "finish", "leader": "rc"})
    refused(state, "rome", took("rd", 1), "5.24")
    assert state.stack("2907", "rome").served_land == {"rc": 2}


def test_5_0_procedure_one_force_is_finished_before_the_next_starts():
    state = table({"2908": {"rome": points(2)}}, {"rc": "2908", "rd": "2908"})
    state = after(state, "rome", move("rc", "2907"))
    refused(state, "rome", move("rd", "2907"), "5.0 (procedure)")
    state = after(state, "rome", {"type": "finish", "leader": "rc"})
    refused(state, "rome", move("rc", "2908"), "5.0 (procedure)")
    assert after(state, "rome", move("rd", "2907")).leaders["rd"].at == "2907"


def test_5_11_only_the_phasing_player_moves():
    state = table({"2908": {"rome": points(2)}, "0612": {"carthage": points(2)}}, {"rc": "2908", "cb": "0612"})
    refused(state, "carthage", move("cb", "0512"), "5.11")


def test_5_25_nobody_leaves_the_map_or_stops_at_sea_or_in_mountains():
    state = after(latium(), "rome", move("rc", "3007"))
    refused(state, "rome", {"type": "finish", "leader": "rc"}, "5.25")
    refused(state, "rome", {"type": "done", "side": "rome"}, "5.25")
    refused(state, "rome", move("rc", "9999"), "5.0 (procedure)")
    tired = table({"2908": {"rome": points(1)}}, {"rc": ("2908", {"spent": 19})})
    refused(tired, "rome", move("rc", "3007"), "5.25")
    assert all("3007" not in fields["to"] for fields in offered(tired, "rome", "move"))


def test_5_25_no_points_are_left_behind_in_mountains():
    state = after(latium(), "rome", took("rc", 3))
    state = after(state, "rome", move("rc", "3007"), 6)
    refused(state, "rome", took("rc", 1), "5.25")


def test_5_32_fleets_keep_to_water_and_armies_to_land():
    state = table({"2908": {"rome": points(2, 2)}}, {"rc": "2908"})
    fleet = after(state, "rome", took("rc", 0, 2))
    refused(fleet, "rome", move("rc", "2907"), "5.32")
    army = after(state, "rome", took("rc", 2, 0))
    refused(army, "rome", move("rc", "2808"), "5.33")
    over_land = table({"3213": {"rome": points(0, 1)}}, {"rc": ("3213", {"naval": 1})})
    refused(over_land, "rome", move("rc", "3214"), "5.32")


def test_5_33_land_points_at_sea_need_as_many_naval_points():
    state = table({"2908": {"rome": points(3, 2)}}, {"rc": "2908"})
    refused(after(state, "rome", took("rc", 3, 2)), "rome", move("rc", "2808"), "5.33")
    carried = after(after(state, "rome", took("rc", 2, 2)), "rome", move("rc", "2808"), 6)
    assert (carried.points("2808", "rome", "land"), carried.points("2808", "rome", "naval")) == (2, 2)


def test_5_33_a_fleet_rolls_at_every_all_sea_hex():
    state = table({"2908": {"rome": points(0, 2)}}, {"rc": ("2908", {"naval": 2})})
    state = after(state, "rome", move("rc", "2808"), 4)
    state = after(state, "rome", move("rc", "2809"), 4)
    assert state.points("2809", "rome", "naval") == 2


def test_5_33_and_p2_over_an_all_sea_hexside_between_coasts_armies_need_fleets_but_nobody_rolls():
    """5.33, 5.32 (P2): 2507 to 2606."""
    state = table({"2507": {"rome": points(2, 1)}}, {"rc": "2507"})
    refused(after(state, "rome", took("rc", 2, 1)), "rome", move("rc", "2606"), "5.33")
    crossed = after(after(state, "rome", took("rc", 1, 1)), "rome", move("rc", "2606"))
    assert crossed.points("2606", "rome", "land") == 1


def test_5_34_land_points_in_mountains_take_attrition():
    """5.34, 11.12: three points, a die of 2 and a leader of 1: 25 per cent is one point."""
    state = after(latium(), "rome", took("rc", 3))
    state = after(state, "rome", move("rc", "3007"), 2)
    assert state.points("3007", "rome", "land") == 2


def test_5_35_in_coastal_mountains_only_land_points_beyond_the_fleet_are_subject():
    """5.35, 11.12: five land and three naval at 3114; two are subject, 50 per cent is one."""
    state = table({"3013": {"rome": points(5, 3)}}, {"rc": ("3013", {"land": 5, "naval": 3})}, "3")
    outcome = give(state, "rome", move("rc", "3114"), 1)
    assert told(outcome, "attrition").data["points"] == 1
    assert outcome.state.points("3114", "rome", "land") == 4
    matched = table({"3013": {"rome": points(3, 3)}}, {"rc": ("3013", {"land": 3, "naval": 3})}, "3")
    assert "attrition" not in kinds(give(matched, "rome", move("rc", "3114")))


def test_5_37_a_ferry_needs_a_friendly_fleet_and_no_enemy_one():
    army = {"3413": {"rome": points(3)}}
    men = {"rc": ("3413", {"land": 3})}
    shut = table(army, men)
    refused(shut, "rome", move("rc", "3314"), "5.37")
    open_ = table({**army, "3314": {"rome": points(0, 1)}}, men)
    crossed = give(open_, "rome", move("rc", "3314"))
    assert crossed.state.points("3314", "rome", "land") == 3 and "attrition" not in kinds(crossed)
    contested = table({**army, "3314": {"rome": points(0, 1), "carthage": points(0, 1)}}, men)
    refused(contested, "rome", move("rc", "3314"), "5.37")


def enemies(own, foe, more=None, **men):
    """A force under a leader of 1 beside enemies in 2909, an open coast hex."""
    land, naval = own
    leaders = {"rc": ("2909", {"land": land, "naval": naval}), **men}
    return table({"2909": {"rome": points(*own), "carthage": points(*foe, **(more or {}))}}, leaders)


def test_5_23_enemy_hexes_are_entered_freely_and_7_12_left_with_attrition():
    """11.13: the percentage is of the enemy's points."""
    state = table({"2908": {"rome": points(4)}, "3008": {"carthage": points(4)}}, {"rc": ("2908", {"land": 4})})
    state = after(state, "rome", move("rc", "3008"))
    assert state.leaders["rc"].spent == 1
    outcome = give(state, "rome", move("rc", "2908"), 1)
    assert told(outcome, "attrition").data["percent"] == 50
    assert outcome.state.points("2908", "rome", "land") == 2


def test_5_41_inverted_enemies_do_not_hinder():
    """5.41, 11.14"""
    stacks = {"2907": {"rome": points(2), "carthage": points(2, inside="land")}}
    state = table(stacks, {"rc": ("2907", {"land": 2})})
    assert "attrition" not in kinds(give(state, "rome", move("rc", "2806")))


def test_5_42_enemies_of_the_other_type_do_not_hinder_and_5_43_those_of_its_own_do():
    assert "attrition" not in kinds(give(enemies((2, 0), (0, 5)), "rome", move("rc", "2908")))
    assert "attrition" not in kinds(give(enemies((0, 2), (5, 0)), "rome", move("rc", "2908")))
    assert "attrition" in kinds(give(enemies((0, 2), (5, 1)), "rome", move("rc", "2908"), 6))
    assert "attrition" in kinds(give(enemies((2, 0), (1, 5)), "rome", move("rc", "2908"), 6))


def test_5_44_ten_to_one_leaves_freely():
    """5.44: ten land points leave one without attrition; nine do not."""
    assert "attrition" not in kinds(give(enemies((10, 0), (1, 0)), "rome", move("rc", "2908")))
    assert "attrition" in kinds(give(enemies((9, 0), (1, 0)), "rome", move("rc", "2908"), 6))


def test_5_45_five_land_and_three_naval_leaving_two_land_points_two_are_subject():
    state = enemies((5, 3), (2, 0))
    outcome = give(state, "rome", move("rc", "2908"), 1)
    assert outcome.state.points("2908", "rome", "land") == 4  # 50 per cent of the two enemy points
    worst = give(enemies((5, 4), (20, 0)), "rome", move("rc", "2908"), 1)
    assert worst.state.points("2908", "rome", "land") == 4  # only one land point was subject


def test_5_44_and_p12_ten_to_one_counts_the_type_concerned_and_excuses_only_from_enemies():
    """5.44 (P12): six land and four naval leaving one land point are not ten to one; mountains spare nobody."""
    assert "attrition" in kinds(give(enemies((6, 4), (1, 0)), "rome", move("rc", "2908"), 6))
    state = table({"2908": {"rome": points(20), "carthage": points(1)}}, {"rc": ("2908", {"land": 20})})
    outcome = give(state, "rome", move("rc", "3007"), 6)
    assert [e.rule for e in outcome.events if e.type == "attrition"] == ["5.34"]


def test_5_25_and_p16_a_leader_alone_may_not_stop_at_sea_either():
    """5.25 (P16)"""
    refused(after(latium(), "rome", move("rc", "2808")), "rome", {"type": "finish", "leader": "rc"}, "5.25")


def test_6_0_hexes_beside_enemies_are_crossed_freely():
    """6.0"""
    state = table({"2908": {"rome": points(2)}, "2907": {"carthage": points(9)}}, {"rc": ("2908", {"land": 2})})
    state = after(state, "rome", move("rc", "2807"))
    assert state.points("2807", "rome", "land") == 2


def test_5_0_a_march_halts_at_an_enemy_and_after_a_loss():
    state = table({"2908": {"rome": points(3)}, "2906": {"carthage": points(1)}}, {"rc": ("2908", {"land": 3})})
    far = after(state, "rome", {"type": "march", "leader": "rc", "path": ["2907", "2906", "2905"]})
    assert far.leaders["rc"].at == "2906"
    some = after(state, "rome", {"type": "march", "leader": "rc", "path": ["2907"], "land": 1})
    assert some.points("2907", "rome", "land") == 1 and some.points("2908", "rome", "land") == 2
    hurt = after(state, "rome", {"type": "march", "leader": "rc", "path": ["3007", "3006"]}, 1)
    assert hurt.leaders["rc"].at == "3007" and hurt.points("3007", "rome", "land") == 1


def test_5_0_moving_fighting_and_moving_on():
    """5.0 (comment), 9.17"""
    state = table({"2908": {"rome": points(9)}, "3008": {"carthage": points(1)}}, {"rc": ("2908", {"land": 9})})
    state = after(state, "rome", move("rc", "3008"))
    state = after(state, "rome", attack("rc"), 6)
    assert state.leaders["rc"].spent == 6
    assert after(state, "rome", move("rc", "2909")).leaders["rc"].spent == 7


def test_11_15_the_opponent_takes_no_attrition_in_my_campaign_phase():
    state = enemies((2, 0), (2, 0))
    assert give(state, "rome", move("rc", "2908"), 1).state.points("2909", "carthage", "land") == 2


def test_5_33_land_points_that_lose_their_ships_on_leaving_stay_behind():
    """5.33, 11.13: the fleet is beaten on its way out, and those it can no longer carry remain on the coast."""
    state = enemies((2, 2), (0, 4))
    outcome = give(state, "rome", move("rc", "2808"), 1)
    assert outcome.state.points("2808", "rome", "naval") == 0
    assert outcome.state.points("2909", "rome", "land") == 2


def test_5_0_a_march_halts_at_an_enemy_whom_its_own_step_has_made():
    """5.0 (procedure), 9.12, 17.11: the Romans enter neutral Syracuse on their way and are among enemies."""
    stacks = {"3314": {"rome": points(3, 3)}, "3315": {"syracuse": points(2, 2)}, "2516": {"carthage": points(2)}}
    state = table(stacks, {"rc": "3314", "cb": "2516"}, "1")
    outcome = give(state, "rome", {"type": "march", "leader": "rc", "path": ["3315", "3214"], "land": 3, "naval": 3})
    assert kinds(outcome)[-2:] == ["syracuse_allied", "inspected"] and outcome.state.leaders["rc"].at == "3315"
