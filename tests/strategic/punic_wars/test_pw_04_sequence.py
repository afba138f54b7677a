"""4.0 The sequence of play, set-up and starts. 2.0"""

from __future__ import annotations

import pytest
from pw_table import after, give, kinds, offered, points, table, took

from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.control import control, worth
from strategic.punic_wars.sequence import ORDER, STEPS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, plain


def started(scenario, **options):
    """A scenario set up as proposed."""
    state = PUNIC_WARS.start(scenario, None, options, Dice()).state
    for side in PUNIC_WARS.waiting_for(state):
        state = after(state, side, {"type": "accept", "side": side})
    return state


@pytest.mark.parametrize("scenario, rome, carthage", [("1", 27, 28), ("2", 46, 34), ("3", 85, 0)])
def test_14_11_control_at_the_start(scenario, rome, carthage):
    """14.11, 14.12, 19.11 to 19.34.A"""
    state = started(scenario)
    assert (worth(state, "rome"), worth(state, "carthage")) == (rome, carthage)


def test_15_0_the_first_revenue_of_scenario_2_is_34():
    """15.0, 4.2.A.2: as in the published replay; the treasuries start at nothing (15.11)."""
    state = started("2")
    assert state.treasury == {"carthage": 34, "rome": 0}


def test_4_2_carthage_is_first_and_the_order_of_the_phases():
    """4.1, 4.2, 4.2.A.1, 4.2.A.2, 4.2.A.3, 4.2.A.4, 4.2.A.5, 4.2.B.1, 4.2.B.2, 4.2.B.3, 4.2.B.4, 4.2.B.5"""
    assert [f"{side[0]} {phase}" for side, phase in ORDER] == [
        "c diplomacy", "c tax", "c campaign", "c supply", "c recruit",
        "r election", "r tax", "r campaign", "r supply", "r recruit",
    ]  # fmt: skip
    assert all(phase in STEPS for _, phase in ORDER)


def test_19_0_the_first_turn_has_neither_diplomacy_nor_election():
    state = started("2")
    assert (state.turn, state.phase, state.phasing) == (1, "campaign", "carthage")
    state = after(state, "carthage", {"type": "done", "side": "carthage"})
    assert (state.phase, state.treasury["carthage"]) == ("recruit", 8)
    state = after(state, "carthage", {"type": "done", "side": "carthage"})
    assert (state.phase, state.phasing) == ("campaign", "rome")


def test_4_2_C_after_the_roman_turn_a_new_one_begins_with_diplomacy():
    """4.2.C, 4.2.A.1"""
    state = table({"2908": {"rome": points(2)}}, side="rome", phase="recruit", treasury={"rome": 5, "carthage": 0})
    outcome = give(state, "rome", {"type": "done", "side": "rome"})
    assert (outcome.state.turn, outcome.state.phase) == (3, "diplomacy")
    assert "turn" in kinds(outcome)
    assert PUNIC_WARS.waiting_for(outcome.state) == ("carthage", "rome")


def test_4_1_acting_out_of_order_is_refused():
    state = table({"2908": {"rome": points(2)}}, {"rc": "2908"})
    with pytest.raises(Illegal, match=r"4\.1"):
        give(state, "rome", {"type": "recruit", "hex": "2908", "kind": "land", "points": 1})
    with pytest.raises(NotYours):
        give(state, "carthage", took("rc", 1))


def test_19_0_set_up_in_an_area_is_the_owners_choice_with_a_proposal():
    """19.0 (procedure)"""
    state = PUNIC_WARS.start("1", None, {}, Dice()).state
    assert PUNIC_WARS.waiting_for(state) == ("carthage", "rome")
    assert state.points("3314", "rome", "land") == 4 and state.stack("3315", "syracuse").naval == 2
    latium = next(n for n, group in enumerate(state.groups) if group.where == "Latium")
    whole, part, leaders = offered(state, "rome", "deploy")
    assert whole["hex"] == part["hex"] == ["2908", "2909", "3008"]
    assert part["land"] == {"from": 1, "to": 4} and part["leaders"] == [True, False]
    assert (leaders["land"], leaders["naval"], leaders["leaders"]) == (0, 0, True)
    state = after(
        state, "rome", {"type": "deploy", "group": latium, "hex": "3008", "land": 1, "naval": 0, "leaders": False}
    )
    state = after(state, "rome", {"type": "deploy", "group": latium, "hex": "2908"})
    assert state.points("3008", "rome", "land") == 1 and state.points("2908", "rome", "land") == 3
    assert state.leaders_at("2908", "rome") == ("rd",)
    with pytest.raises(Illegal, match="19.0"):
        give(state, "carthage", {"type": "deploy", "group": 0, "hex": "2908"})


def test_19_0_fleets_are_not_set_up_inland():
    """19.0 (procedure), 5.32"""
    state = PUNIC_WARS.start("2", None, {}, Dice()).state
    number = next(n for n, group in enumerate(state.groups) if group.where == "Zeugitana")
    assert "2317" not in next(f for f in offered(state, "carthage", "deploy") if f["group"] == number)["hex"]
    with pytest.raises(Illegal):
        give(state, "carthage", {"type": "deploy", "group": number, "hex": "2317"})


def test_19_11_to_19_13_the_forces_of_the_first_war():
    """19.11, 19.12, 19.13, 19.14.A, 19.14.B"""
    state = started("1")
    assert (state.in_play("carthage", "land"), state.in_play("carthage", "naval")) == (8, 6)
    assert (state.in_play("rome", "land"), state.in_play("rome", "naval")) == (8, 2)
    assert (state.in_play("syracuse", "land"), state.in_play("syracuse", "naval")) == (2, 2)
    assert state.alignment["Siracusa"] == "neutral"
    assert all(man.value < 3 for man in state.leaders.values())
    assert sorted(man.value for man in state.leaders.values() if man.at) == [1, 1, 2, 2]


def test_19_21_to_19_23_the_forces_of_the_second_war():
    """19.21, 19.22, 19.23, 19.24.A"""
    state = started("2")
    assert (state.in_play("carthage", "land"), state.in_play("carthage", "naval")) == (20, 6)
    assert (state.in_play("rome", "land"), state.in_play("rome", "naval")) == (16, 12)
    assert state.stack("3315", "syracuse").land == 2
    assert state.alignment["Siracusa"] == "rome"
    assert sorted(man.value for man in state.leaders.values() if man.at) == [1, 1, 1, 1, 2, 2, 2, 3]


def test_19_31_to_19_33_the_forces_of_the_third_war():
    """19.31, 19.32, 19.33, 19.34.A, 19.34.B"""
    state = started("3")
    assert (state.in_play("carthage", "land"), state.in_play("carthage", "naval")) == (8, 2)
    assert (state.in_play("rome", "land"), state.in_play("rome", "naval")) == (25, 10)
    neutral = {name for name, lord in state.alignment.items() if lord != "rome"}
    assert neutral == {"Hispania", "Gallia", "Mauretania", "Zeugitana"}
    assert control(state)["Zeugitana"] == "rome"
    assert all(man.value < 3 for man in state.leaders.values())


def test_19_34_C_the_third_war_has_no_diplomatic_phase():
    state = table({"2908": {"rome": points(2)}}, {"ca": "0612"}, "3", "rome", "recruit", treasury={"rome": 4})
    state = after(state, "rome", {"type": "done", "side": "rome"})
    assert (state.turn, state.phase, state.phasing) == (3, "campaign", "carthage")


@pytest.mark.parametrize(
    "change, path",
    [
        ({"stacks": {"9999": {"rome": points(1)}}}, "stacks.9999"),
        ({"stacks": {"2907": {"rome": points(0, 1)}}}, "stacks.2907.rome.naval"),
        ({"stacks": {"2808": {"rome": points(0, 1)}}}, "stacks.2808.rome"),
        ({"stacks": {"2909": {"rome": points(1, inside="land")}}}, "stacks.2909.rome.land_inside"),
        ({"stacks": {"3314": {"syracuse": points(1)}}}, "stacks.3314.syracuse"),
        ({"leaders": {"rz": {"side": "rome", "value": 1, "at": "2908"}}}, "leaders.rz"),
        ({"leaders": {"rc": {"side": "rome", "value": 1, "at": "2908", "land": 5}}}, "leaders.rc.land"),
        ({"treasury": {"rome": -1}}, "treasury.rome"),
        ({"phase": "lunch"}, "phase"),
        ({"alignment": {"Atlantis": "rome"}}, "alignment.Atlantis"),
        ({"holders": {"9999": "rome"}}, "holders.9999"),
        ({"bids": {"rome": 5}}, "bids.rome"),
        ({"active": "rc"}, "active"),
        ({"pending": {"kind": "riddle", "seat": "rome", "rule": "1.0"}}, "pending.kind"),
        ({"pending": {"kind": "threat", "seat": "rome", "rule": "9.16"}}, "battle"),
        ({"pending": {"kind": "losses", "seat": "rome", "rule": "9.31"}}, "owed"),
        ({"step": {"leader": "rc", "to": "2907"}}, "step"),
        ({"battle": {"id": 1, "hex": "2908", "leader": "rc", "kind": "land", "side": "rome"}}, "battle.leader"),
        ({"returning": ["zz"]}, "returning.zz"),
        ({"election": {"remove": 3}}, "election.remove"),
        ({"groups": [{"side": "rome", "where": "Latium", "usual": "2908", "cite": "19.12"}]}, "groups[0]"),
        ({"leaders": {"rc": {"side": "rome", "value": 1, "at": "2908", "fate": "lost"}}}, "leaders.rc.fate"),
    ],
)
def test_4_1_a_position_that_contradicts_itself_is_refused_with_the_path(change, path):
    raw = {"scenario": "2", "stacks": {"2908": {"rome": points(2)}}, "phase": "campaign", **change}
    with pytest.raises(BadInput) as refused:
        PUNIC_WARS.start(None, raw, {}, Dice())
    assert refused.value.path == path


def test_4_1_the_umpires_state_is_a_position():
    state = started("2")
    seen = PUNIC_WARS.view(state, "umpire")
    again = PUNIC_WARS.start(None, seen, {}, Dice()).state
    assert plain(again) == plain(state)
    assert PUNIC_WARS.offers(again, "carthage") == PUNIC_WARS.offers(state, "carthage")


def test_4_1_the_umpire_adjusts_with_a_reason():
    state = started("2")
    command = {"type": "adjust", "changes": {"stacks.2908.rome.land": 5, "treasury.rome": 7}, "why": "mistyped"}
    with pytest.raises(NotYours):
        give(state, "rome", command)
    with pytest.raises(BadInput, match="why"):
        give(state, "umpire", {**command, "why": " "})
    with pytest.raises(BadInput, match="stacks.2907"):
        give(state, "umpire", {**command, "changes": {"stacks.2907.rome": {"naval": 1}}})
    new = after(state, "umpire", command)
    assert new.points("2908", "rome", "land") == 5 and new.treasury["rome"] == 7
    assert not PUNIC_WARS.invariants(new)


def test_4_1_when_nobody_can_do_anything_the_engine_moves_on():
    state = table({"2908": {"rome": points(2)}}, side="carthage", phase="campaign", treasury={"rome": 0})
    assert PUNIC_WARS.waiting_for(state) and state.phase != "supply"
