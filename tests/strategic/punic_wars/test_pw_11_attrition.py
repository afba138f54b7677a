"""11.0 Attrition, 12.0 supply."""

from __future__ import annotations

import pytest

from kit.pw_table import after, give, kinds, move, offered, points, table, told
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.preview import outlook, path_preview, reach_of
from tactical.kernel.protocol import Illegal

DONE = {"type": "done", "side": "rome"}


def test_11_0_procedure_one_die_and_the_leaders_value():
    """A die of 1 and a leader of 2 at sea: 25 per cent of eight is two."""
    state = table({"2908": {"rome": points(0, 8)}}, {"rb": ("2908", {"naval": 8})})
    outcome = give(state, "rome", move("rb", "2808"), 1)
    assert told(outcome, "attrition").data["modifier"] == 2
    assert outcome.state.points("2808", "rome", "naval") == 6


def test_11_11_at_sea_fleets_are_lost_and_then_what_they_carried():
    """11.11: four and four, a die of 1 and a leader of 1: two fleets, and the two land points beyond the rest."""
    state = table({"2908": {"rome": points(4, 4)}}, {"rc": ("2908", {"land": 4, "naval": 4})})
    state = after(state, "rome", move("rc", "2808"), 1)
    assert (state.points("2808", "rome", "land"), state.points("2808", "rome", "naval")) == (2, 2)
    assert state.losses["rome"] == 4


def test_11_12_in_coastal_mountains_the_rest_of_the_army_is_not_counted():
    """11.12, 11.11"""
    state = table({"3013": {"rome": points(9, 1)}}, {"rc": ("3013", {"land": 9, "naval": 1})}, "3")
    outcome = give(state, "rome", move("rc", "3114"), 1)
    assert told(outcome, "attrition").data["points"] == 4  # half of eight
    assert outcome.state.points("3114", "rome", "naval") == 1


def leaving(own, foe, *faces, men=None):
    stacks = {"2909": {"rome": points(*own), "carthage": points(*foe)}}
    state = table(stacks, {"rc": ("2909", {"land": own[0], "naval": own[1]}), **(men or {})})
    return give(state, "rome", move("rc", "2908"), *faces)


def test_11_13_the_percentage_is_of_the_enemys_points_of_the_leavers_type():
    outcome = leaving((5, 0), (4, 3), 1)
    assert outcome.state.points("2908", "rome", "land") == 3  # half of four
    assert leaving((1, 0), (8, 0), 1).state.losses["rome"] == 1  # what goes beyond the force is ignored


def test_11_13_what_leaves_no_choice_is_taken_without_a_question():
    """11.13 (P6): a land and a naval point, of which two are owed."""
    state = leaving((1, 1), (12, 3), 1).state
    assert state.pending is None or state.pending.kind != "losses"
    assert state.losses["rome"] == 2


def test_11_13_and_p6_a_mixed_force_leaving_both_types_chooses_its_losses():
    """11.13 (P6): one roll on the sum of seven; half, rounded, is four; it takes them as it likes."""
    outcome = leaving((5, 4), (4, 3), 1)
    state = outcome.state
    assert state.pending.kind == "losses" and state.owed[0].amount == 4
    assert state.leaders["rc"].at == "2909"
    assert {(f["kind"], f["points"]["to"]) for f in offered(state, "rome", "lose")} == {("land", 4), ("naval", 4)}
    choice = {"type": "lose", "hex": "2909", "nation": "rome", "kind": "naval", "points": 1}
    with pytest.raises(Illegal):
        give(state, "rome", {**choice, "kind": "land", "points": 5})  # five stand there, four are owed
    state = after(state, "rome", choice)
    assert state.owed[0].amount == 3
    state = after(state, "rome", {**choice, "kind": "land", "points": 3})
    assert state.leaders["rc"].at == "2908"
    assert (state.points("2908", "rome", "land"), state.points("2908", "rome", "naval")) == (2, 3)


def test_11_13_the_proposal_answers_with_one_command():
    state = after(leaving((5, 3), (4, 3), 1).state, "rome", {"type": "accept", "side": "rome"})
    assert state.pending is None and state.total("2908", "rome") == 4


def test_11_13_losses_never_exceed_the_points_subject():
    """11.13, 5.45 (P6): five land and four naval before twenty land points; only one is subject."""
    assert leaving((5, 4), (20, 0), 1).state.losses["rome"] == 1


def test_11_14_inverted_enemies_do_not_count():
    """11.14: three inside, one kind outside."""
    stacks = {"2707": {"rome": points(2), "carthage": points(3, 5, "land")}}
    state = table(stacks, {"rc": ("2707", {"land": 2})})
    assert "attrition" not in kinds(give(state, "rome", move("rc", "2807")))


def test_11_16_the_enemy_leader_is_subtracted():
    assert told(leaving((5, 0), (4, 0), 4, men={"cb": "2909"}), "attrition").data["modifier"] == 1 - 2


def supply(stacks, men=None, treasury=50, *faces, **fields):
    """The end of a Roman campaign phase, with supply after it."""
    state = table(stacks, men or {"rj": "2908"}, treasury={"rome": treasury, "carthage": 0}, **fields)
    return give(state, "rome", DONE, *faces)


def test_12_0_every_point_that_can_be_supplied_is_paid_for():
    """12.1, 12.33"""
    outcome = supply({"2908": {"rome": points(3, 2)}, "2707": {"rome": points(1)}})
    assert told(outcome, "supplied").data["paid"] == 6
    assert outcome.state.treasury["rome"] == 44


def test_12_1_besieged_points_and_those_in_foreign_regions_are_not_paid_for():
    """12.1, 12.2, 11.21"""
    stacks = {"2908": {"rome": points(1)}, "0612": {"rome": points(3)}}
    outcome = supply(stacks, None, 50, 1)
    assert told(outcome, "supplied").data["paid"] == 1
    assert outcome.state.points("0612", "rome", "land") == 3 - 2
    besieged = {"2907": {"rome": points(2, inside="land"), "carthage": points(3)}, "2908": {"rome": points(1)}}
    outcome = supply(besieged, None, 50, 6, holders={"2907": "rome"})
    assert told(outcome, "supplied").data["paid"] == 1
    assert told(outcome, "attrition").data["hex"] == "2907"


def test_12_2_leaders_need_no_supply():
    assert told(supply({"2908": {"rome": points(1)}}, {"rc": "2908", "rd": "0612"}), "supplied").data["paid"] == 1


def test_11_21_one_roll_for_each_hex_of_all_points_there_and_11_22_their_leader_adds_his_value():
    """The owner chooses between types."""
    stacks = {"2908": {"rome": points(1)}, "0412": {"rome": points(4)}, "0414": {"rome": points(2, 2)}}
    stacks["0609"] = {"carthage": points(4)}
    men = {"rj": "2908", "rb": "0412"}
    outcome = supply(stacks, men, 50, 1, 2)
    first, second = [happened for happened in outcome.events if happened.type == "attrition"]
    assert (first.data["hex"], first.data["modifier"], first.data["points"]) == ("0412", 2, 1)
    assert (second.data["hex"], second.data["modifier"], second.data["points"]) == ("0414", 0, 2)
    state = outcome.state
    assert state.pending.kind == "losses" and state.phase == "supply"
    state = after(state, "rome", {"type": "lose", "hex": "0414", "nation": "rome", "kind": "naval", "points": 2})
    assert state.points("0414", "rome", "naval") == 0 and state.phase == "recruit"


def test_12_31_points_beyond_the_treasury_roll_one_unmodified_die_and_12_32_a_part_of_them_is_lost_anywhere():
    """Six points and two in the treasury; four are unpaid, half of them are lost anywhere."""
    outcome = supply({"2908": {"rome": points(4)}, "2707": {"rome": points(2)}}, {"ra": "2908"}, 2, 2)
    toll = told(outcome, "attrition")
    assert (toll.rule, toll.data["modifier"], toll.data["points"]) == ("12.31", 0, 2)
    state = outcome.state
    assert state.treasury["rome"] == 0 and state.pending.kind == "losses"
    state = after(state, "rome", {"type": "lose", "hex": "2707", "nation": "rome", "kind": "land", "points": 2})
    assert state.points("2707", "rome", "land") == 0


def test_12_33_nobody_saves_money_by_leaving_points_unpaid():
    outcome = supply({"2908": {"rome": points(6)}}, None, 6)
    assert outcome.state.treasury["rome"] == 0 and not offered(outcome.state, "rome", "lose")


def test_17_22_syracusans_are_paid_by_their_ally_and_by_nobody_while_neutral():
    """17.22"""
    stacks = {"2908": {"rome": points(1)}, "3315": {"syracuse": points(2, 2)}}
    assert told(supply(stacks), "supplied").data["paid"] == 5
    assert told(supply(stacks, scenario="1"), "supplied").data["paid"] == 1


def test_12_0_the_bill_is_seen_before_it_is_paid():
    state = table({"2908": {"rome": points(3)}, "0612": {"rome": points(3)}}, {"rc": "2908"})
    seen = outlook(state, "rome")
    assert (seen["supply"], seen["unsupplied"], seen["revenue"]) == (3, ["0612"], seen["victory"])
    assert "rome" not in PUNIC_WARS.view(state, "carthage")["outlook"]


def test_11_0_a_path_shows_its_attrition_before_it_is_walked():
    """11.0, 5.0: three legs at sea and a landing; the chances of what arrives add to one."""
    state = table({"2908": {"rome": points(4, 4)}}, {"rc": "2908"})
    seen = path_preview(state, "rc", ("2808", "2809", "2909"), 4, 4)
    assert seen.legal and seen.left == 17
    assert [len(leg.dangers) for leg in seen.legs] == [1, 1, 0]
    assert seen.legs[0].dangers[0].points == (2, 1, 1, 0, 0, 0)
    assert abs(sum(chance for _, _, chance in seen.arrives) - 1) < 1e-5
    assert dict(((land, naval), chance) for land, naval, chance in seen.arrives)[4, 4] == pytest.approx(1 / 4)
    assert path_preview(state, "rc", ("2808",), 4, 3).legs[0].refused.rule == "5.33"
    assert state.leaders["rc"].at == "2908"


def test_11_0_a_path_does_not_know_what_nobody_has_seen():
    """11.0, 9.12"""
    stacks = {"2908": {"rome": points(4)}, "2907": {"carthage": points(3)}}
    seen = path_preview(table(stacks, {"rc": "2908"}), "rc", ("2907", "2906"), 4, 0)
    assert seen.legs[0].unknown and not seen.legs[1].dangers


def test_5_0_where_a_leader_can_march_and_why_not_farther():
    """5.0, 5.12, 5.32: the way with the fewest points, and of those the one with the fewest rolls."""
    state = table({"2908": {"rome": points(4)}}, {"rc": ("2908", {"spent": 18})})
    found = reach_of(state, "rc", 4, 0)
    assert found.cost["2907"] == 1 and found.cost["2906"] == 2 and "2905" not in found.cost
    assert found.path["3006"] == ("2908", "2907", "3006")  # and not through the mountains of 3007
    assert found.why_not["2808"].rule == "5.33"
    assert found.why_not["2905"].rule == "5.12"
    alone = reach_of(state, "rc", 0, 0)
    assert "2808" in alone.cost and alone.why_not["2809"].rule == "5.25"  # from there no hex to stop in is within reach
