"""9.0 Combat."""

from __future__ import annotations

import pytest

from kit.pw_table import after, attack, give, kinds, move, offered, points, table, told
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.combat import odds, ratio, walls
from strategic.punic_wars.rules.preview import attack_preview
from tactical.kernel.protocol import Illegal, NotYours

IN_THE_OPEN = "2909"


def field(own, foe, men=None, at=IN_THE_OPEN, **more):
    """Romans under a leader of 1 and Carthaginians in one hex."""
    return table({at: {"rome": points(*own), "carthage": points(*foe)}}, men or {"rc": at}, **more)


@pytest.mark.parametrize(
    "attackers, defenders, column",
    [
        (8, 17, None),
        (8, 16, "1:2"),
        (9, 10, "1:2"),
        (10, 10, "1:1"),
        (19, 10, "1:1"),
        (20, 10, "2:1"),
        (3, 1, "3:1"),
        (90, 10, "9:1"),
        (30, 1, "9:1"),
        (1, 2, "1:2"),
        (1, 3, None),
    ],
)
def test_9_32_and_p1_ratios_are_rounded_for_the_defender(attackers, defenders, column):
    """(P1)"""
    assert ratio(attackers, defenders) == column


def test_9_32_an_attack_below_one_to_two_is_refused():
    state = field((1, 0), (3, 0))
    assert offered(state, "rome", "attack") == []
    with pytest.raises(Illegal, match=r"9\.32"):
        give(state, "rome", attack("rc"))


def test_9_27_three_against_one_in_a_village_under_a_one():
    """9.27, 9.22, 9.26: a leader of 2, three points, one inverted point in a village under a leader of 1."""
    at = "2907"
    stacks = {at: {"carthage": points(3), "rome": points(1, inside="land")}}
    state = table(stacks, {"cb": at, "rc": (at, {"inside": True})}, side="carthage")
    plan = odds(state, "cb", "land", "rc")
    assert (plan.ratio, plan.modifier, plan.cost) == ("3:1", 0, 10)
    assert told(give(state, "carthage", attack("cb"), 4), "combat").data["modifier"] == 0


@pytest.mark.parametrize(
    "paragraph, at, taken",
    [
        ("9.22", "2907", 1),
        ("9.23", "3110", 2),
        ("9.24", "2908", 3),
        ("9.24", "3315", 3),
        ("9.24", "2516", 3),
        ("9.22", "2909", 0),
    ],
)
def test_9_2_walls_change_the_die_for_those_inside(paragraph, at, taken):
    """A leader of 2 attacks: his value less what the walls take off. Fleets inside have no such help (P5)."""
    inside = "land naval" if at != IN_THE_OPEN else ""
    stacks = {at: {"rome": points(2, 1 if at != "2907" else 0, inside), "carthage": points(2)}}
    state = table(stacks, {"cb": at}, side="carthage")
    assert odds(state, "cb", "land").modifier == 2 - taken
    assert walls(state, at, "rome", "land") == taken
    assert walls(state, at, "rome", "naval") == 0


@pytest.mark.parametrize("inside, modifier", [(True, -3), (False, 0)])
def test_10_34_only_against_inverted_units_is_the_die_changed_as_9_2_tells(inside, modifier):
    stacks = {"2908": {"rome": points(2, inside="land" if inside else ""), "carthage": points(4)}}
    state = table(stacks, {"cb": "2908"}, side="carthage")
    assert odds(state, "cb", "land").modifier == 2 + modifier


def test_3_2_combat_strength_serves_in_attack_and_in_defence():
    """Four points are four, whoever attacks."""
    men = {"rc": IN_THE_OPEN, "cb": IN_THE_OPEN}
    for side, leader, own, foe in (("rome", "rc", 4, 6), ("carthage", "cb", 6, 4)):
        plan = odds(field((4, 0), (6, 0), men, side=side), leader, "land")
        assert (plan.attackers, plan.defenders) == (own, foe)


@pytest.mark.parametrize("own, value", [("rc", 1), ("rb", 2), ("ra", 3)])
def test_3_2_leader_value_is_added_for_the_attacker_and_taken_off_for_the_defender(own, value):
    men = {own: IN_THE_OPEN, "cb": IN_THE_OPEN}
    assert odds(field((4, 0), (4, 0), men), own, "land", "cb").modifier == value - 2
    assert odds(field((4, 0), (4, 0), men, side="carthage"), "cb", "land", own).modifier == 2 - value


def test_9_22_units_outside_the_walls_have_no_help():
    assert walls(table({"2908": {"rome": points(2)}}), "2908", "rome", "land") == 0


def test_9_14_five_points_against_units_outside_and_ten_against_those_inside():
    """9.14, 10.33, 9.13: the leader pays, the defender nothing."""
    outside = after(field((4, 0), (4, 0), {"rc": IN_THE_OPEN, "cb": IN_THE_OPEN}), "rome", attack("rc"), 6)
    assert outside.leaders["rc"].spent == 5 and outside.leaders["cb"].spent == 0
    stacks = {"2907": {"rome": points(4), "carthage": points(1, inside="land")}}
    inside = after(table(stacks, {"rc": "2907"}), "rome", attack("rc"), 6)
    assert inside.leaders["rc"].spent == 10


def test_9_14_without_the_full_price_there_is_no_attack():
    state = field((4, 0), (4, 0), {"rc": (IN_THE_OPEN, {"spent": 16})})
    with pytest.raises(Illegal, match=r"9\.14"):
        give(state, "rome", attack("rc"))


def test_9_15_land_and_naval_are_attacked_apart():
    """9.15: each at its own price, possibly under the same leader."""
    state = field((4, 4), (4, 4), options={"naval_battles": "table"})
    assert offered(state, "rome", "attack") == [{"leader": "rc", "kind": ["land", "naval"]}]
    state = after(state, "rome", attack("rc", "land"), 6)
    state = after(state, "rome", attack("rc", "naval"), 6)
    assert state.leaders["rc"].spent == 10
    with pytest.raises(Illegal, match=r"9\.15"):
        give(field((4, 0), (0, 4)), "rome", attack("rc"))


def test_9_13_an_attack_needs_a_leader_in_the_hex():
    """9.13"""
    state = table({"2909": {"rome": points(4), "carthage": points(1)}, "2908": {"rome": points(1)}}, {"rc": "2908"})
    with pytest.raises(Illegal):
        give(state, "rome", attack("rc"))


def test_9_31_losses_are_percentages_and_9_0_procedure_by_ratio_and_modified_die_taken_at_once():
    """9.25: 4 to 4 with a die of 4 and a leader of 1."""
    state = field((4, 0), (4, 0))
    outcome = give(state, "rome", attack("rc"), 4)
    expected = state.sheet.combat.losses("1:1", 5)
    assert told(outcome, "combat").data["percents"] == list(expected)
    assert outcome.state.points(IN_THE_OPEN, "rome", "land") == 4 - state.sheet.loss.points(4, expected[0])
    assert outcome.state.points(IN_THE_OPEN, "carthage", "land") == 4 - state.sheet.loss.points(4, expected[1])
    assert outcome.state.losses == {
        "rome": state.sheet.loss.points(4, expected[0]),
        "carthage": state.sheet.loss.points(4, expected[1]),
    }


def test_9_26_only_one_leader_a_side_counts():
    """9.26: two leaders of 1 add one."""
    state = field((4, 0), (4, 0), {"rc": IN_THE_OPEN, "rd": IN_THE_OPEN})
    assert told(give(state, "rome", attack("rc"), 3), "combat").data["modifier"] == 1


def village():
    """Carthaginians before a village that Romans hold."""
    stacks = {"2907": {"rome": points(3), "carthage": points(6)}}
    return table(stacks, {"cb": "2907"}, side="carthage", holders={"2907": "rome"})


def test_9_16_the_threatened_may_go_inside_and_10_32_be_inverted():
    """10.23, 10.22: all of that type, free; the attacker has paid nothing and need not attack."""
    asked = after(village(), "carthage", attack("cb"))
    assert asked.pending.kind == "threat" and PUNIC_WARS.waiting_for(asked) == ("rome",)
    with pytest.raises(NotYours):
        give(asked, "carthage", {"type": "invert", "inside": True})
    state = after(asked, "rome", {"type": "invert", "inside": True})
    assert state.inside("2907", "rome", "land") == 3
    assert state.leaders["cb"].spent == 0 and state.pending is None
    again = give(state, "carthage", attack("cb"), 6)
    assert again.state.leaders["cb"].spent == 10


def test_9_16_who_stands_is_attacked_at_least_once():
    """9.16, 9.18"""
    asked = after(village(), "carthage", attack("cb"))
    fought = give(asked, "rome", {"type": "invert", "inside": False}, 6)
    assert "combat" in kinds(fought) and fought.state.leaders["cb"].spent == 5


def test_9_16_and_p17_only_the_controller_of_the_settlement_is_asked():
    """9.16, 10.22 (P17)"""
    stacks = {"2907": {"rome": points(3), "carthage": points(6)}}
    state = table(stacks, {"cb": "2907"}, side="carthage", holders={"2907": "carthage"})
    assert "combat" in kinds(give(state, "carthage", attack("cb"), 6))


def test_9_16_the_other_type_is_not_involved():
    stacks = {"2707": {"rome": points(3, 2), "carthage": points(6)}}
    state = table(stacks, {"cb": "2707"}, side="carthage", holders={"2707": "rome"})
    state = after(after(state, "carthage", attack("cb")), "rome", {"type": "invert", "inside": True})
    assert state.inside("2707", "rome", "land") == 3 and state.outside("2707", "rome", "naval") == 2


def test_9_17_after_an_attack_the_leader_goes_on():
    """9.17, 9.19: three more attacks on twenty points."""
    state = field((9, 0), (9, 0))
    for number in range(1, 5):
        state = after(state, "rome", attack("rc"), 3)
        assert state.leaders["rc"].spent == 5 * number


def test_9_18_nobody_has_to_attack():
    state = field((9, 0), (1, 0))
    assert {"side": "rome"} in offered(state, "rome", "done")


def test_9_19_and_p11_a_unit_does_not_fight_under_two_leaders():
    """9.19, 9.11, 5.24 (P11)"""
    state = field((9, 0), (9, 0), {"rc": IN_THE_OPEN, "rd": IN_THE_OPEN})
    state = after(after(state, "rome", attack("rc"), 3), "rome", {"type": "finish", "leader": "rc"})
    with pytest.raises(Illegal, match=r"9\.13"):
        give(state, "rome", attack("rd"))


def test_9_21_strength_never_changes():
    """Unsupplied and alone, three points fight as three."""
    state = field((3, 0), (3, 0), at="2517")
    assert odds(state, "rc", "land").attackers == 3


def test_9_11_forces_are_handled_singly():
    """9.11"""
    state = field((9, 0), (9, 0), {"rc": IN_THE_OPEN, "rd": IN_THE_OPEN})
    state = after(state, "rome", attack("rc"), 3)
    with pytest.raises(Illegal, match="5.0"):
        give(state, "rome", attack("rd"))


def test_10_33_and_p5_fleets_inside_are_attacked_by_fleets_for_ten():
    """10.33, 9.15 (P5)"""
    stacks = {"2707": {"rome": points(1, 2, "land naval"), "carthage": points(1, 4)}}
    state = table(stacks, {"cb": "2707"}, side="carthage")
    outcome = give(state, "carthage", attack("cb", "naval"), 6)  # L2.1: only face-up fleets go to the table
    assert outcome.state.leaders["cb"].spent == 10
    assert told(outcome, "combat").data["modifier"] == 2


def test_9_0_an_attack_can_be_looked_at_before_it_is_made():
    """9.0"""
    seen = attack_preview(field((4, 0), (4, 0)), "rc", "land")
    assert (seen["ratio"], seen["modifier"], seen["cost"], len(seen["faces"])) == ("1:1", 1, 5, 6)


def fleets(**options):
    """Ten Roman naval points against four."""
    return field((2, 10), (3, 4), options=options)


def waiting():
    """The same fleets, met: the campaign waits on engagement 2.1."""
    return after(fleets(), "rome", attack("rc", "naval"))


def way(side, how):
    return {"type": "choose_way", "engagement": "2.1", "way": how, "side": side}


SPENT = {"sides": {"carthage": {"sunk": 1, "captured": 1, "fled": True}, "rome": {"sunk": 2}}, "winner": "rome"}


def test_L1_1_fleets_that_meet_open_an_engagement():
    """L1.1, L1.1.a, L2.1: after the answer to the threat, with the five points paid; a unit for every naval point."""
    state = waiting()
    assert state.pending.kind == "engagement" and state.leaders["rc"].spent == 5
    assert PUNIC_WARS.waiting_for(state) == ("rome", "carthage")
    sent = state.engagement.fleets
    assert (len(sent["rome"].units), len(sent["carthage"].units)) == (10, 4)
    assert not sent["rome"].transports and state.engagement.mover == "rome"
    with pytest.raises(Illegal, match=r"L1\.2"):
        give(state, "rome", move("rc", "2908"))


def test_L1_2_the_own_table_needs_no_consent():
    """L1.2, L1.3: and gives the same as without the question."""
    by_table = give(waiting(), "carthage", way("carthage", "own_table"), 3).state
    direct = give(fleets(naval_battles="table"), "rome", attack("rc", "naval"), 3).state
    assert by_table.stacks == direct.stacks and by_table.engagement is None


def test_L1_2_a_battle_needs_the_consent_of_both():
    """L1.2, L1.2.a, L2.1"""
    state = after(waiting(), "rome", way("rome", "battle"))
    opened = {"type": "open_battle", "engagement": "2.1", "models_per_unit": 2}
    with pytest.raises(Illegal, match=r"L1\.2"):
        give(state, "rome", opened)
    state = after(state, "carthage", way("carthage", "battle"))
    with pytest.raises(Illegal, match=r"L2\.1"):
        give(state, "rome", {**opened, "models_per_unit": 6})
    state = after(state, "rome", opened)
    assert state.engagement.opened
    fought = {"type": "settle", "engagement": "2.1", "outcome": {"sides": {"carthage": {"sunk": 2}}}}
    assert after(state, "carthage", fought).points(IN_THE_OPEN, "carthage", "naval") == 2
    left = after(state, "rome", way("rome", "own_table"))
    assert left.pending is not None
    assert give(left, "carthage", way("carthage", "own_table"), 3).state.pending is None


def test_L3_7_what_a_naval_outcome_does():
    """L3.7, L1.3, L1.4, 16.21: sunk and captured are gone, a quarter of those that fled too; land points stay."""
    settle = {"type": "settle", "engagement": "2.1", "outcome": SPENT}
    with pytest.raises(Illegal, match=r"L1\.2"):
        give(waiting(), "rome", settle)  # nothing has been fought
    with pytest.raises(NotYours):
        give(waiting(), "spectator", settle)
    state = after(waiting(), "umpire", settle)
    assert state.points(IN_THE_OPEN, "rome", "naval") == 8
    assert state.points(IN_THE_OPEN, "carthage", "naval") == 1
    assert (state.points(IN_THE_OPEN, "rome", "land"), state.points(IN_THE_OPEN, "carthage", "land")) == (2, 3)
    assert state.losses == {"rome": 2, "carthage": 3}
    assert give(state, "umpire", settle).state == state  # twice changes nothing
    assert PUNIC_WARS.invariants(state) == ()


def test_L1_2_a_report_needs_the_assent_of_both_and_stays_within_what_was_sent():
    report = {"type": "report", "engagement": "2.1", "outcome": SPENT, "side": "rome"}
    with pytest.raises(Illegal, match=r"L1\.2"):
        give(waiting(), "rome", {**report, "outcome": {"sides": {"rome": {"sunk": 11}}}})
    state = after(waiting(), "rome", report)
    assert state.engagement.proposed is not None
    with pytest.raises(Illegal, match=r"L1\.2"):
        give(state, "rome", {"type": "assent", "engagement": "2.1", "side": "rome"})
    state = after(state, "carthage", {"type": "assent", "engagement": "2.1", "side": "carthage"})
    assert state.points(IN_THE_OPEN, "rome", "naval") == 8 and state.pending is None


def test_L2_1_the_engagement_goes_down_to_the_table():
    """L2.1, L2.5: what the hand-over makes of it is a position with a ship for every naval point."""
    from strategic.naval.handoff import battle_position

    assert len(battle_position(waiting().engagement, 1)["ships"]) == 14


def test_9_12_both_look_when_a_leader_enters():
    """9.12"""
    state = table({"2908": {"rome": points(2)}, "2907": {"carthage": points(2)}}, {"rc": ("2908", {"land": 2})})
    outcome = give(state, "rome", move("rc", "2907"))
    assert told(outcome, "inspected").reveals
    assert PUNIC_WARS.view(outcome.state, "carthage")["hexes"]["2907"]["rome"]["land"]["points"] == 2
