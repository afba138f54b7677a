"""13.0 Recruiting, 14.0 control, 15.0 taxes."""

from __future__ import annotations

import pytest

from kit.pw_table import after, give, offered, points, table, told
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.control import control, controller, worth
from strategic.punic_wars.rules.realm import record
from tactical.kernel.protocol import Illegal, NotYours


def recruiting(stacks, men=None, side="rome", **fields):
    return table(stacks, men, side=side, phase="recruit", **fields)


def add(hex, count=1, kind="land"):
    return {"type": "recruit", "hex": hex, "kind": kind, "points": count}


def refused(state, command, rule, seat="rome"):
    with pytest.raises(Illegal) as illegal:
        give(state, seat, command)
    assert illegal.value.rule == rule


def test_13_0_nothing_comes_but_what_is_bought_and_13_11_two_treasury_points_for_each_point():
    state = after(recruiting({"2908": {"rome": points(1)}}), "rome", add("2908", 2))
    assert state.treasury["rome"] == 46 and state.points("2908", "rome", "land") == 3
    poor = recruiting({"2908": {"rome": points(1)}}, treasury={"rome": 3})
    assert offered(poor, "rome", "recruit")[0]["points"] == {"from": 1, "to": 1}
    refused(poor, add("2908", 2), "13.11")
    none = after(recruiting({"2908": {"rome": points(1)}}, turn=1), "rome", {"type": "done", "side": "rome"})
    assert none.turn == 2 and none.in_play("rome", "land") == 1


@pytest.mark.parametrize("side, phase", [("rome", "campaign"), ("carthage", "recruit"), ("carthage", "campaign")])
def test_13_31_points_come_only_in_the_owners_recruiting_phase(side, phase):
    stacks = {"2908": {"rome": points(1)}, "2516": {"carthage": points(3)}}
    state = table(stacks, {"rc": "2908", "cb": "2516"}, side=side, phase=phase)
    assert not offered(state, "rome", "recruit")
    with pytest.raises((Illegal, NotYours)):
        give(state, "rome", add("2908"))


def test_13_21_control_counts_at_the_start_of_the_phase():
    state = recruiting({"2908": {"rome": points(1)}})
    assert state.recruit_control["Latium"] == "rome"


@pytest.mark.parametrize("hex, most", [("2908", 2), ("2508", 0), ("2908", 2), ("3013", 2), ("2909", 0)])
def test_13_22_and_p7_the_value_of_a_region_is_the_cap_and_13_12_no_point_costs_less_than_two(hex, most):
    """(P7) Value 4 yields two points, 5 two, 1 none; outside a settlement none (13.33)."""
    state = recruiting({"2908": {"rome": points(1)}})
    found = [f["points"]["to"] for f in offered(state, "rome", "recruit") if (f["hex"], f["kind"]) == (hex, "land")]
    assert found == ([most] if most else [])


def test_13_22_the_cap_is_for_the_region_and_the_phase():
    state = after(recruiting({"2908": {"rome": points(1)}}), "rome", add("3013"))
    state = after(state, "rome", add("3015"))
    refused(state, add("2915"), "13.22")


def test_13_23_half_the_value_where_nobody_rules_and_a_leader_stands():
    """13.23, 13.27: Gallia is worth six; three treasury points buy one."""
    stacks = {"1702": {"rome": points(1)}, "2908": {"rome": points(1)}}
    state = recruiting(stacks, {"rc": "1702"})
    assert controller(state, "Gallia") is None
    refused(state, add("1702", 2), "13.23")
    assert after(state, "rome", add("1702")).points("1702", "rome", "land") == 2
    refused(recruiting(stacks), add("1702"), "13.27")


def test_13_24_carthage_never_recruits_in_latium_syracuse_or_illyria():
    state = recruiting({"2908": {"carthage": points(5)}}, {"cb": "2908", "cc": "3315"}, "carthage")
    if state.result is None:  # a garrison in Rome alone would have won (18.22)
        refused(state, add("2908"), "13.24", "carthage")
    state = recruiting({"2516": {"carthage": points(5)}}, {}, "carthage")
    refused(state, add("2908"), "13.24", "carthage")
    refused(state, add("3003"), "19.24.E", "carthage")
    refused(state, add("3315"), "17.41", "carthage")


def test_13_25_rome_never_recruits_in_zeugitana():
    """13.25, 17.41, 19.24.E"""
    state = recruiting({"2515": {"rome": points(9)}}, {"rc": "2515"})
    refused(state, add("2515"), "13.25")
    refused(state, add("3315"), "17.41")
    refused(state, add("3405"), "19.24.E")


def test_13_26_no_one_recruits_inside_a_besieged_settlement():
    stacks = {"2605": {"rome": points(1, inside="land"), "carthage": points(1)}, "2707": {"rome": points(5)}}
    state = recruiting(stacks, holders={"2605": "rome"})
    refused(state, add("2605"), "13.26")
    assert after(state, "rome", add("2707")).points("2707", "rome", "land") == 6


def test_13_27_without_a_leader_only_in_a_friendly_region():
    """13.27, 14.12 (P7): conquered land needs a leader in the hex."""
    state = recruiting({"2915": {"carthage": points(9)}}, {}, "carthage")
    assert controller(state, "Sicilia") == "carthage"
    refused(state, add("2915"), "13.27", "carthage")
    led = recruiting({"2915": {"carthage": points(9)}}, {"cb": "2915"}, "carthage")
    assert after(led, "carthage", add("2915", 2)).points("2915", "carthage", "land") == 11


def test_13_28_nothing_in_a_region_under_enemy_control():
    state = recruiting({"2915": {"carthage": points(9), "rome": points(1)}}, {"rc": "2915"})
    refused(state, add("2915"), "13.28")


def test_13_32_fleets_are_built_in_coastal_settlements_and_13_33_armies_in_any_but_nowhere_else():
    """13.34"""
    state = recruiting({"2908": {"rome": points(1)}})
    refused(state, add("2907", 1, "naval"), "13.32")
    refused(state, add("2909"), "13.33")
    assert after(state, "rome", add("2907")).points("2907", "rome", "land") == 1
    assert after(state, "rome", add("2908", 1, "naval")).points("2908", "rome", "naval") == 1


def test_13_34_not_where_only_enemies_stand():
    """13.34: beside enemies is allowed, among them alone is not."""
    stacks = {
        "2707": {"carthage": points(1), "rome": points(1)},
        "2605": {"carthage": points(1)},
        "2805": {"rome": points(9)},
    }
    state = recruiting(stacks)
    refused(state, add("2605"), "13.34")
    assert after(state, "rome", add("2707")).points("2707", "rome", "land") == 2


def test_7_35_recruiting_stops_at_the_counter_mix():
    """7.35 (limits)"""
    state = recruiting({"2908": {"rome": points(1)}, "2909": {"rome": points(38)}})
    refused(state, add("2908", 2), "7.35 (limits)")


def test_7_34_new_points_join_those_of_their_type_inside():
    """7.34"""
    stacks = {"2707": {"rome": points(5, inside="land"), "carthage": points(1)}}
    state = after(recruiting(stacks, holders={"2707": "rome"}), "rome", add("2707"))
    assert state.inside("2707", "rome", "land") == 6


# 14 ------------------------------------------------------------------------------------------------------


def lord(region, stacks, scenario="2", **fields):
    return controller(table(stacks, {"rj": "2707"}, scenario, **fields), region)


def test_14_15_ten_to_five_in_hispania_controls_it():
    """14.15"""
    assert lord("Hispania", {"0612": {"rome": points(10)}, "0609": {"carthage": points(5)}}) == "rome"
    assert lord("Hispania", {"0612": {"rome": points(9)}, "0609": {"carthage": points(5)}}) is None


def test_14_13_two_in_latium_without_romans_control_it():
    """14.13"""
    assert lord("Latium", {"2909": {"carthage": points(2)}}) == "carthage"
    assert lord("Latium", {"2909": {"carthage": points(1)}}) == "rome"


def test_14_13_two_in_latium_control_it_also_with_two_romans_besieged():
    """14.13, 14.14"""
    stacks = {"2908": {"rome": points(2, inside="land"), "carthage": points(2)}}
    assert lord("Latium", stacks, holders={"2908": "rome"}) == "carthage"


def test_14_13_and_p8_half_of_an_odd_value_rounds_up():
    """14.13 (P8): Sicilia is worth five and needs three."""
    assert lord("Sicilia", {"2915": {"carthage": points(3)}}) == "carthage"
    assert lord("Sicilia", {"2915": {"carthage": points(2)}}) == "rome"


def test_14_14_fleets_and_the_besieged_never_count():
    assert lord("Latium", {"2908": {"carthage": points(0, 9)}}) == "rome"


def test_14_12_alignment_gives_control_when_nobody_holds_by_force_and_14_16_neutral_regions_are_nobodys():
    assert lord("Etruria", {"2908": {"rome": points(1)}}) == "rome"
    assert lord("Gallia", {"2908": {"rome": points(1)}}) is None
    assert lord("Gallia", {"1702": {"rome": points(3)}}) == "rome"
    assert lord("Mauretania", {"0218": {"carthage": points(1)}}) == "carthage"


def test_14_11_neutral_syracusans_count_for_nobody():
    """14.11, 17.22"""
    state = table({"3315": {"syracuse": points(2, 2)}}, {"rj": "2908"}, "1")
    assert "Siracusa" not in control(state)


# 15 ------------------------------------------------------------------------------------------------------


def test_15_0_taxes_are_the_value_of_all_controlled_regions_and_kept():
    state = recruiting({"2908": {"rome": points(1)}, "2516": {"carthage": points(3)}}, {}, "carthage", turn=1)
    outcome = give(state, "carthage", {"type": "done", "side": "carthage"}, *[6] * 0)
    assert told(outcome, "taxes").data["points"] == worth(outcome.state, "rome") == 40
    assert any(happened.data.get("phase") == "tax" for happened in outcome.events)


def test_15_11_a_treasury_in_tens_and_units_and_15_12_beyond_99_with_hundreds_and_15_2_on_the_record():
    """42 is a four and a two; hundreds are noted."""
    assert record(42) == {"hundreds": 0, "tens": 4, "units": 2}
    assert record(137) == {"hundreds": 1, "tens": 3, "units": 7}
    state = table({"2908": {"rome": points(1)}}, {"rc": "2908"}, treasury={"rome": 137, "carthage": 0})
    assert PUNIC_WARS.view(state, "rome")["treasury"]["rome"] == 137
