"""8.0 Leaders: command, loss and return, elections."""

from __future__ import annotations

import pytest

from kit.pw_table import after, attack, give, kinds, move, offered, points, table, told, took
from strategic.punic_wars import PUNIC_WARS
from tactical.kernel.protocol import SPECTATOR, Illegal


def test_8_21_a_leader_takes_only_his_own_nation():
    """8.21, 17.0: Syracusans never leave 3315."""
    state = table({"3315": {"syracuse": points(2, 2), "rome": points(1)}}, {"rc": "3315"})
    with pytest.raises(Illegal, match=r"5\.24"):
        give(state, "rome", took("rc", 2))
    assert after(state, "rome", took("rc", 1)).leaders["rc"].land == 1


def test_8_22_the_defender_names_one_of_several_leaders():
    """8.22, 9.26"""
    stacks = {"2909": {"rome": points(4), "carthage": points(4)}}
    state = table(stacks, {"rc": "2909", "ca": "2909", "cb": "2909"})
    asked = after(state, "rome", attack("rc"))
    assert asked.pending.kind == "commander" and PUNIC_WARS.waiting_for(asked) == ("carthage",)
    fought = give(asked, "carthage", {"type": "command", "leader": "cb"}, 3)
    assert told(fought, "combat").data["modifier"] == 1 - 2
    proposed = give(asked, "carthage", {"type": "accept", "side": "carthage"}, 3)
    assert told(proposed, "combat").data["modifier"] == 1 - 3
    with pytest.raises(Illegal, match=r"8\.22"):
        give(asked, "carthage", {"type": "command", "leader": "cc"})


def test_8_31_a_leader_alone_with_enemies_is_lost_even_inside():
    """8.31"""
    stacks = {"2908": {"rome": points(2)}, "2907": {"rome": points(1)}}
    state = table(stacks, {"rc": ("2908", {"land": 2}), "cb": "2806"})
    lost = give(state, "rome", move("rc", "2807"))
    assert "leader_lost" not in kinds(lost)
    caught = table({"2807": {"rome": points(2)}}, {"rc": ("2807", {"land": 2}), "cb": "2806"})
    outcome = give(caught, "rome", move("rc", "2806"))
    assert told(outcome, "leader_lost").data["leader"] == "cb"
    assert outcome.state.leaders["cb"].fate == "lost"
    walker = table({"2907": {"carthage": points(1)}, "2908": {"rome": points(1)}}, {"rc": "2908"})
    assert give(walker, "rome", move("rc", "2907")).state.leaders["rc"].fate == "lost"


def test_8_32_a_carthaginian_leader_returns_at_the_next_campaign_phase_and_8_33_without_movement_points():
    """Beside any friendly combat point."""
    state = table({"2516": {"carthage": points(4)}, "2908": {"rome": points(2)}}, {"cc": "2516"}, side="carthage")
    state = after(state, "umpire", {"type": "adjust", "changes": {"leaders.cb.fate": "lost", "turn": 1}, "why": "test"})
    state = after(state, "carthage", {"type": "done", "side": "carthage"})
    while state.phasing != "carthage" or state.phase != "campaign":
        (side, *_) = PUNIC_WARS.waiting_for(state)
        command = (
            {"type": "bid", "side": side, "points": 0} if state.phase == "diplomacy" else {"type": "done", "side": side}
        )
        dice = (3,) if state.phase == "diplomacy" and state.bids else ()
        state = after(state, side, command, *dice)
    assert state.returning == ("cb",)
    told_of = {seat: PUNIC_WARS.view(state, seat)["election"]["returning"] for seat in ("carthage", "rome", SPECTATOR)}
    assert told_of == {"carthage": ["cb"], "rome": 1, SPECTATOR: 1}
    with pytest.raises(Illegal, match=r"8\.32"):
        give(state, "carthage", {"type": "place", "leader": "cb", "hex": "2515"})
    for too_early in ({"type": "done", "side": "carthage"}, move("cc", "2515")):
        with pytest.raises(Illegal, match=r"8\.32"):
            give(state, "carthage", too_early)
    state = after(state, "carthage", {"type": "place", "leader": "cb", "hex": "2516"})
    assert state.leaders["cb"].at == "2516" and state.leaders["cb"].spent == 0


def election(on_map, lost=0, scenario="2"):
    """The Carthaginian recruiting phase before a Roman election."""
    stacks = {"2908": {"rome": points(4)}, "2516": {"carthage": points(2)}}
    state = table(
        stacks, {id: "2908" for id in on_map}, scenario, "carthage", "recruit", treasury={"carthage": 4}, turn=3
    )
    return after(state, "umpire", {"type": "adjust", "changes": {"consuls_lost": lost}, "why": "test"})


def test_8_4_two_leaders_go_and_two_are_drawn_unseen():
    """8.42, 8.41"""
    state = after(election(["rc", "rd", "re", "rf"]), "carthage", {"type": "done", "side": "carthage"})
    assert state.phase == "election" and offered(state, "rome", "retire")[0]["leader"] == ["rc", "rd", "re", "rf"]
    state = after(state, "rome", {"type": "retire", "leader": "rd"})
    outcome = give(state, "rome", {"type": "retire", "leader": "re"}, draws=lambda sides: 1)
    state = outcome.state
    assert state.election.drawn == ("ra", "rb")  # the first two of the pool that was mixed
    assert told(outcome, "consuls").only == ("rome",)
    assert PUNIC_WARS.view(state, "carthage")["election"]["drawn"] == 2
    state = after(state, "rome", {"type": "place", "leader": "ra", "hex": "2908"})
    state = after(state, "rome", {"type": "accept", "side": "rome"})
    assert state.phase == "campaign" and set(state.leaders_at("2908", "rome")) == {"ra", "rb", "rc", "rf"}


def test_8_42_the_proposal_removes_the_least_leaders():
    """8.42"""
    state = after(election(["ra", "rd", "re", "rb"]), "carthage", {"type": "done", "side": "carthage"})
    state = after(state, "rome", {"type": "accept", "side": "rome"})
    state = after(state, "rome", {"type": "accept", "side": "rome"})
    assert state.leaders_at("2908", "rome") == ("ra", "rb")


def test_8_43_one_more_is_elected_for_each_leader_lost():
    """8.43, 8.41: three on the map and one lost; two go, three are drawn, four stand."""
    state = after(election(["rc", "rd", "re"], lost=1), "carthage", {"type": "done", "side": "carthage"})
    state = after(after(state, "rome", {"type": "retire", "leader": "rc"}), "rome", {"type": "retire", "leader": "rd"})
    assert len(state.election.drawn) == 3 and state.consuls_lost == 0


def test_8_41_and_p15_never_more_leaders_than_at_the_start():
    """8.41, 8.42 (P15): the first war has two Roman leaders; both go without a choice, two come."""
    state = after(election(["rc", "rd"], lost=2, scenario="1"), "carthage", {"type": "done", "side": "carthage"})
    assert state.phase == "election" and len(state.election.drawn) == 2
    assert not state.election.remove


def test_19_24_B_hannibal_comes_back_as_a_leader_of_two():
    state = table({"0611": {"rome": points(2)}}, {"rc": ("0611", {"land": 2}), "ca": "0612"})
    state = after(state, "rome", move("rc", "0612"))
    assert state.leaders["ca"].fate == "gone"
    lost = [man.value for man in state.leaders.values() if man.fate == "lost"]
    assert lost == [2]


def test_19_24_C_the_roman_three_is_gone_for_good():
    """19.24.C: all Roman counters are in the pool of the second war."""
    state = table({"0611": {"carthage": points(2)}}, {"cb": ("0611", {"land": 2}), "ra": "0612"}, side="carthage")
    assert sum(man.side == "rome" for man in state.leaders.values()) == 10
    state = after(state, "carthage", move("cb", "0612"))
    assert state.leaders["ra"].fate == "gone" and state.consuls_lost == 1


def test_19_14_B_no_leader_of_three_in_the_first_and_third_war():
    """19.14.B, 19.34.B: nor does a position bring them in."""
    for scenario in ("1", "3"):
        state = table({"2908": {"rome": points(1)}}, scenario=scenario)
        assert "ra" not in state.leaders and "ca" not in state.leaders


def test_8_0_a_leader_without_points_has_no_strength():
    """8.0, 9.21"""
    state = table({"2909": {"rome": points(1), "carthage": points(2)}}, {"ra": "2909"})
    assert state.total("2909", "rome") == 1
