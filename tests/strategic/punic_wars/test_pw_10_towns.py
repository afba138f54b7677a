"""10.0 Cities and villages."""

from __future__ import annotations

import pytest

from kit.pw_table import after, attack, give, kinds, leader, move, offered, points, table, told, took
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.combat import price, walls
from strategic.punic_wars.rules.towns import holder, is_besieged
from tactical.kernel.protocol import Illegal

VILLAGE = "2907"


def siege(inside=(3, 0), foe=(4, 0), at=VILLAGE, men=None, side="rome", more=None, **fields):
    """Romans inside a settlement that they hold, Carthaginians before it."""
    how = " ".join(kind for kind, number in (("land", inside[0]), ("naval", inside[1])) if number)
    stacks = {at: {"rome": points(*inside, how), "carthage": points(*foe)}, **(more or {})}
    return table(stacks, men or {}, side=side, holders={at: "rome"}, **fields)


def test_10_11_the_last_land_points_alone_hold_the_settlement():
    """10.11: fleets never count."""
    state = table(
        {VILLAGE: {"carthage": points(2)}, "2707": {"carthage": points(0, 2)}}, {"cb": VILLAGE}, side="carthage"
    )
    assert holder(state, VILLAGE) == "carthage"
    assert holder(state, "2707") == "rome"
    state = after(after(state, "carthage", took("cb", 2)), "carthage", move("cb", "2806"))
    assert holder(state, VILLAGE) == "carthage"


def test_10_12_before_any_land_points_it_belongs_to_the_regions_last_lord():
    state = table({"2908": {"rome": points(1)}}, {"rc": "2908"})
    assert holder(state, VILLAGE) == "rome"
    assert holder(state, "2015") is None and holder(state, "0609") is None


def test_10_21_units_go_inside_only_in_a_settlement():
    """10.24"""
    stacks = {"2909": {"rome": points(3), "carthage": points(6)}}
    assert "combat" in kinds(give(table(stacks, {"cb": "2909"}, side="carthage"), "carthage", attack("cb"), 6))


def test_10_23_nobody_inverts_without_a_threat():
    state = table({"2908": {"rome": points(3)}}, {"rc": "2908"})
    with pytest.raises(Illegal):
        give(state, "rome", {"type": "invert", "inside": True})


def test_10_24_all_types_and_any_number_may_be_inside():
    state = siege((20, 10), (1, 0), "2707", {"cb": "2707"}, "carthage")
    assert state.inside("2707", "rome", "land") == 20 and state.inside("2707", "rome", "naval") == 10


def test_10_25_units_come_out_only_in_their_own_campaign_phase_and_10_27_without_a_leader_or_movement_points():
    mine = table({VILLAGE: {"rome": points(3, inside="land")}}, {"rc": "2908"}, holders={VILLAGE: "rome"})
    out = after(mine, "rome", {"type": "come_out", "hex": VILLAGE, "kind": "land"})
    assert out.outside(VILLAGE, "rome", "land") == 3 and out.leaders["rc"].spent == 0
    theirs = siege((3, 0), (1, 0), men={"cb": VILLAGE}, side="carthage")
    with pytest.raises(Illegal):
        give(theirs, "umpire", {"type": "come_out", "hex": VILLAGE, "kind": "land"})


def test_10_26_the_controller_turns_leaders_at_any_time():
    """10.27: free of movement points, out of his own campaign phase."""
    state = table(
        {"2908": {"rome": points(3)}, "0612": {"carthage": points(1)}}, {"rc": "2908", "cb": "0612"}, side="carthage"
    )
    inside = after(state, "rome", {"type": "turn", "leader": "rc", "inside": True})
    assert inside.leaders["rc"].inside
    assert not after(inside, "rome", {"type": "turn", "leader": "rc", "inside": False}).leaders["rc"].inside
    field = table({"2909": {"rome": points(3)}}, {"rc": "2909"})
    with pytest.raises(Illegal, match=r"10\.26"):
        give(field, "rome", {"type": "turn", "leader": "rc", "inside": True})


@pytest.mark.parametrize(
    "inside, foe, besieged",
    [
        ((3, 0), (3, 0), True),
        ((3, 0), (2, 0), False),
        ((3, 2), (3, 1), False),
        ((3, 2), (3, 2), True),
        ((3, 0), (0, 9), False),
    ],
)
def test_10_42_and_p4_conditions_of_a_siege(inside, foe, besieged):
    """10.42 (P4): enemies of each kind at least as many as inside; nought against nought counts."""
    state = siege(inside, foe, "2707", {"rc": "2908"}, more={"2908": {"rome": points(1)}})
    assert is_besieged(state, "2707", "rome") is besieged


def test_10_42_a_friend_outside_lifts_the_siege():
    """10.42 A"""
    stacks = {"2707": {"rome": points(2, 1, "land"), "carthage": points(5, 5)}}
    state = table(stacks, {"rc": "2707"}, holders={"2707": "rome"})
    assert not is_besieged(state, "2707", "rome")


@pytest.mark.parametrize(
    "own, besieged",
    [(points(2, inside="land"), True), (points(2), False), ({}, False)],
    ids=["inside", "outside", "leader"],
)
def test_10_41_only_combat_units_inside_can_be_besieged(own, besieged):
    stacks = {VILLAGE: {"rome": own, "carthage": points(5)}, "2908": {"rome": points(1)}}
    state = table(stacks, {"rc": (VILLAGE, {"inside": True})}, holders={VILLAGE: "rome"})
    assert is_besieged(state, VILLAGE, "rome") is besieged


def test_10_0_face_up_units_are_outside_and_inverted_ones_inside_behind_the_walls():
    stacks = {"2707": {"rome": points(2, 3, "naval"), "carthage": points(1)}}
    state = table(stacks, {"rc": "2707"}, holders={"2707": "rome"})
    assert [state.outside("2707", "rome", kind) for kind in ("land", "naval")] == [2, 0]
    assert [state.inside("2707", "rome", kind) for kind in ("land", "naval")] == [0, 3]
    walled = table({"2707": {"rome": points(2, 3, "land naval")}}, {"rc": "2908"}, holders={"2707": "rome"})
    assert (walls(state, "2707", "rome", "land"), price(state, "2707", "rome", "land")) == (0, 5)
    assert walls(walled, "2707", "rome", "land") > 0 and price(walled, "2707", "rome", "land") == 10


def test_10_28_and_p3_from_a_siege_units_leave_only_after_an_attack_on_the_besieger():
    """10.28, 10.31, 10.25 (P3): they come out only to take part in it."""
    state = siege((4, 0), (4, 0), men={"rc": VILLAGE})
    with pytest.raises(Illegal, match=r"10\.28"):
        give(state, "rome", {"type": "come_out", "hex": VILLAGE, "kind": "land"})
    with pytest.raises(Illegal, match=r"5\.24"):
        give(state, "rome", took("rc", 1))
    sallied = give(state, "rome", attack("rc"), 3)
    assert sallied.state.outside(VILLAGE, "rome", "land") == sallied.state.points(VILLAGE, "rome", "land") > 0
    assert after(sallied.state, "rome", took("rc", 1)).leaders["rc"].land == 1


def test_10_28_from_an_unbesieged_settlement_units_leave_freely():
    state = siege((4, 0), (1, 0), men={"rc": VILLAGE})
    out = after(state, "rome", {"type": "come_out", "hex": VILLAGE, "kind": "land"})
    assert after(out, "rome", took("rc", 4)).leaders["rc"].land == 4


def test_10_28_attacking_either_type_of_the_besieger_is_enough():
    stacks = {"2707": {"rome": points(3, 2, "land naval"), "carthage": points(4, 2)}}
    state = table(stacks, {"rc": "2707"}, holders={"2707": "rome"}, options={"naval_battles": "table"})
    state = after(state, "rome", attack("rc", "naval"), 6)
    assert after(state, "rome", {"type": "come_out", "hex": "2707", "kind": "land"}).outside("2707", "rome", "land")


def relief(force, foe=(4, 0), spent=0):
    """A Roman force in Rome, and Romans besieged in Spoletium next to it."""
    more = {"2908": {"rome": points(force)}}
    return siege((3, 0), foe, men={"rc": ("2908", {"land": force, "spent": spent})}, more=more)


def test_10_29_relief_turns_the_besieged_out_and_must_attack_at_once():
    """10.29, 9.18"""
    state = after(relief(2), "rome", move("rc", VILLAGE))
    assert state.outside(VILLAGE, "rome", "land") == 5 and state.must_attack == "rc"
    offers = {offer.type for offer in PUNIC_WARS.offers(state, "rome")}
    assert offers == {"turn", "attack", "agree", "resign"}
    for command in (
        move("rc", "2908"),
        {"type": "finish", "leader": "rc"},
        {"type": "done", "side": "rome"},
        took("rc"),
    ):
        with pytest.raises(Illegal, match=r"10\.29"):
            give(state, "rome", command)
    fought = give(state, "rome", attack("rc"), 6)
    assert told(fought, "combat").data["attackers"] == 5 and fought.state.must_attack is None


def test_10_29_relief_without_an_attack_at_one_to_two_may_not_enter():
    """10.29: two and three against eleven, or no points left to pay the attack."""
    with pytest.raises(Illegal, match=r"10\.29"):
        give(relief(2, (11, 0)), "rome", move("rc", VILLAGE))
    assert VILLAGE not in offered(relief(2, (11, 0)), "rome", "move")[0]["to"]
    with pytest.raises(Illegal, match=r"10\.29"):
        give(relief(2, spent=15), "rome", move("rc", VILLAGE))
    assert after(relief(2, spent=14), "rome", move("rc", VILLAGE)).must_attack == "rc"


def test_10_29_a_leader_alone_is_no_relief():
    """10.29, 5.36"""
    state = after(relief(2), "rome", took("rc"))
    state = after(state, "rome", move("rc", VILLAGE))
    assert state.must_attack is None and state.inside(VILLAGE, "rome", "land") == 3


def test_10_35_fleets_in_a_captured_town_are_gone():
    """10.35, 16.21 (P23): without counting as losses of combat or attrition; the garrison of one does."""
    stacks = {"2707": {"rome": points(1, 3, "land naval"), "carthage": points(9)}}
    state = table(stacks, {"ca": "2707"}, side="carthage", holders={"2707": "rome"})
    outcome = give(state, "carthage", attack("ca"), 6)
    assert told(outcome, "fleets_taken").data["naval"] == 3
    assert outcome.state.points("2707", "rome", "naval") == 0 and outcome.state.losses["rome"] == 1


def test_10_35_fleets_outside_stay():
    stacks = {"2707": {"rome": points(1, 3), "carthage": points(9)}}
    state = table(stacks, {"ca": "2707"}, side="carthage", holders={"2707": "carthage"})
    assert after(state, "carthage", attack("ca"), 6).points("2707", "rome", "naval") == 3


def test_10_22_only_the_controller_may_turn_units_in():
    """10.22: the besieger never goes inside, so he is not asked."""
    state = siege((4, 0), (4, 0), men={"rc": VILLAGE, "cb": VILLAGE})
    assert give(state, "rome", attack("rc"), 3).state.pending is None


def test_10_31_units_inside_do_not_attack_by_themselves():
    """10.31: no leader, no sally."""
    state = siege((4, 0), (4, 0), men={"rc": "2908"}, more={"2908": {"rome": points(1)}})
    assert offered(state, "rome", "attack") == []
    assert leader("rc", "2908")["value"] == 1


def test_10_29_and_5_43_a_force_whose_relief_fails_by_the_attrition_of_leaving_has_paid_and_stays():
    """10.29, 11.13: what it lost for a hex that it then did not leave is lost; no movement is spent, no attack owed."""
    more = {"2908": {"rome": points(2), "carthage": points(2)}}
    state = siege((3, 0), (10, 0), men={"rc": ("2908", {"land": 2})}, more=more)
    left = give(state, "rome", move("rc", VILLAGE), 1)
    assert [happened.type for happened in left.events] == ["attrition", "lost", "relief_failed"]
    leader = left.state.leaders["rc"]
    assert (leader.at, leader.spent, leader.land, left.state.must_attack) == ("2908", 0, 1, None)
    assert left.state.outside("2908", "rome", "land") < state.outside("2908", "rome", "land")
