"""The readings P20 to P26: what the source leaves open, as this house plays it."""

from __future__ import annotations

import pytest

from kit.pw_table import after, attack, give, kinds, leader, move, offered, points, table, told, took
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules import realm, towns
from strategic.punic_wars.rules.attrition import next_toll
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal

ELSEWHERE = {"2516": {"carthage": points(1)}, "2308": {"rome": points(1)}}


def agree(side, agreed=True):
    return {"type": "agree", "side": side, "agreed": agreed}


def test_5_25_own_units_inside_bar_no_stop_unless_they_are_besieged():
    """5.25, 10.28: fleets of Carthage at sea beside a harbour where friends are inside and no enemy is."""
    stacks = {"0914": {"carthage": points(0, 2)}, "1013": {"carthage": points(2, 1, "land naval")}}
    men = {"cb": ("0914", {"naval": 2, "spent": 17})}
    state = after(table(stacks, men, side="carthage"), "carthage", move("cb", "1014"), 6)
    assert "1114" in offered(state, "carthage", "move")[0]["to"]
    assert after(state, "carthage", move("cb", "1114"), 6).leaders["cb"].at == "1114"
    besieged = {**stacks, "1013": {**stacks["1013"], "rome": points(9, 9)}}
    state = after(table(besieged, men, side="carthage"), "carthage", move("cb", "1014"), 6)
    with pytest.raises(Illegal, match=r"5\.25.*besieged friends"):
        give(state, "carthage", move("cb", "1114"), 6)


def test_5_25_a_force_does_not_count_on_friends_that_its_leaving_leaves_besieged():
    """5.25, 10.28: those inside 1013 are besieged as soon as the fleet before them puts to sea."""
    stack = {**points(2, 2, "land")}
    state = table({"1013": {"carthage": stack, "rome": points(3, 1)}}, {"cb": ("1013", {"naval": 2})}, side="carthage")
    assert towns.sieges(state, "carthage") == frozenset()
    assert towns.sieges(state, "carthage", state.leaders["cb"]) == {"1013"}


def test_8_31_and_p20_a_leader_whose_force_is_wiped_out_as_it_leaves_dies_with_it():
    """8.31, P20: two points, four enemies, 75 per cent; nobody goes on into the next hex."""
    stacks = {"2909": {"rome": points(2), "carthage": points(4)}, **ELSEWHERE}
    state = table(stacks, {"rc": ("2909", {"land": 2}), "rd": "2308"})
    outcome = give(state, "rome", move("rc", "2908"), 1)
    assert kinds(outcome)[:3] == ["attrition", "lost", "leader_lost"]
    assert outcome.state.leaders["rc"].at is None and outcome.state.step is None and outcome.state.active is None
    assert told(outcome, "leader_lost").data["hex"] == "2909" and "moved" not in kinds(outcome)


def test_8_31_points_left_behind_keep_the_leader_alive():
    """8.31, P20: a friend is there, so he walks on alone."""
    stacks = {"2909": {"rome": points(3), "carthage": points(4)}, **ELSEWHERE}
    state = table(stacks, {"rc": ("2909", {"land": 2}), "rd": "2308"})
    assert give(state, "rome", move("rc", "2908"), 1).state.leaders["rc"].at == "2908"


def test_11_13_and_p21_the_whole_force_is_the_limit_when_both_types_are_left():
    """11.13, P21: five land and four naval leave twenty and ten: nine points are lost, not the five that are subject."""
    stacks = {"2909": {"rome": points(5, 4), "carthage": points(20, 10)}, **ELSEWHERE}
    state = table(stacks, {"rc": ("2909", {"land": 5, "naval": 4}), "rd": "2308"})
    assert give(state, "rome", move("rc", "2908"), 1).state.losses["rome"] == 9


def test_5_37_and_p22_the_last_fleet_of_a_ferry_hex_does_not_leave_in_the_same_step():
    """5.37, P22: five land points and the one fleet do not cross together; with a second fleet that stays they do."""
    men = {"rc": ("3314", {"land": 5, "naval": 1})}
    state = table({"3314": {"rome": points(5, 1)}}, men)
    with pytest.raises(Illegal, match=r"5\.37"):
        give(state, "rome", move("rc", "3413"))
    assert "3413" not in offered(state, "rome", "move")[0]["to"]
    two = table({"3314": {"rome": points(5, 2)}}, men)
    assert after(two, "rome", move("rc", "3413")).points("3413", "rome", "land") == 5
    back = table({"3413": {"rome": points(5, 1)}, "3314": {"rome": points(0, 1)}}, {"rc": ("3413", men["rc"][1])})
    assert after(back, "rome", move("rc", "3314")).points("3314", "rome", "naval") == 2


def test_16_21_and_p23_fleets_taken_in_a_town_do_not_count():
    """16.21, 10.35, P23"""
    stacks = {"2707": {"rome": points(0, 3, "naval"), "carthage": points(9, 3)}, **ELSEWHERE}
    state = table(stacks, {"ca": "2707"}, side="carthage", holders={"2707": "rome"})
    assert state.points("2707", "rome", "naval") == 0 and state.losses["rome"] == 0


def test_18_1_and_p24_an_agreement_can_be_taken_back():
    """18.1, P24"""
    state = after(table(ELSEWHERE, {"rc": "2308"}), "carthage", agree("carthage"))
    assert offered(state, "carthage", "agree") == [{"side": "carthage", "agreed": False}]
    state = after(state, "carthage", agree("carthage", False))
    assert state.agreed == () and offered(state, "carthage", "agree") == [{"side": "carthage"}]
    assert after(state, "rome", agree("rome")).result is None
    with pytest.raises(Illegal, match=r"18\.1"):
        give(state, "carthage", agree("carthage", False))


def test_18_1_an_agreement_lapses_with_the_phase():
    """18.1, P24"""
    state = after(table(ELSEWHERE, {"rc": "2308"}, phase="recruit"), "carthage", agree("carthage"))
    state = after(state, "rome", {"type": "done", "side": "rome"})
    assert state.phase != "recruit" and state.agreed == ()


def test_11_31_and_p25_the_owner_chooses_the_losses_of_a_revolt():
    """11.31, P25: not the phasing player, whose phase it is; the source's words are a slip."""
    stacks = {"2909": {"rome": points(3, 3)}, **ELSEWHERE}
    state = table(stacks, {"cb": "2516"}, "2", "carthage", "diplomacy")
    state, _ = realm.revolt(state, (state.chart.places["2909"].region,))
    state, _ = next_toll(state, Dice((2,)))
    assert state.pending.kind == "losses" and state.pending.seat == "rome" and state.phasing == "carthage"


def test_5_24_and_p26_points_are_bound_when_they_move_or_fight_and_not_when_they_are_taken():
    """5.24, P26: what one leader has picked up and dropped again another takes."""
    state = table({"2909": {"rome": points(4)}, **ELSEWHERE}, {"rc": "2909", "rd": "2909"})
    state = after(state, "rome", took("rc", 4))
    state = after(after(state, "rome", took("rc", 0)), "rome", took("rd", 4))
    assert state.leaders["rd"].land == 4 and state.stack("2909", "rome").served_land == {}


def test_10_26_a_leader_may_be_turned_at_any_moment_and_is_offered_it():
    """10.26: in the enemy's phases, in the diplomatic one, and while a question waits."""
    stacks = {"2908": {"rome": points(3), "carthage": points(6)}, **ELSEWHERE}
    state = table(stacks, {"rc": "2908", "ca": "2908"}, side="carthage", holders={"2908": "rome"})
    turn = {"leader": "rc", "inside": True}
    assert turn in offered(state, "rome", "turn")
    asked = after(state, "carthage", attack("ca"))
    assert asked.pending.kind == "threat" and turn in offered(asked, "rome", "turn")
    assert after(asked, "rome", {"type": "turn", **turn}).leaders["rc"].inside
    council = table(stacks, {"rc": "2908"}, "2", "carthage", "diplomacy", holders={"2908": "rome"})
    assert turn in offered(council, "rome", "turn")
    assert leader("rc", "2908")["value"] == 1


def test_8_31_a_lone_leaders_way_among_enemies_is_an_offer_of_its_own():
    """8.31: legal, and told apart by its paragraph."""
    state = table({"2908": {"rome": points(3)}, "2909": {"carthage": points(2)}, **ELSEWHERE}, {"rc": "2908"})
    ways = {offer.rule: offer.fields["to"] for offer in PUNIC_WARS.offers(state, "rome") if offer.type == "move"}
    assert ways["8.31"] == ["2909"] and "2909" not in ways["5.12"]
    assert "leader_lost" in kinds(give(state, "rome", move("rc", "2909")))
