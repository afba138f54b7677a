"""10.22, 10.29 Who may go inside while others are, and what a relief owes: nobody is ever left without a command."""

from __future__ import annotations

import json

import pytest

from kit.pw_table import after, attack, give, kinds, move, points, table, told
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.towns import can_invert, holder
from tactical.kernel.dice import Dice
from tactical.kernel.record import BadInput, encode, plain

VILLAGE, BESIDE = "3412", "3512"  # in Bruttium


def lost_village(**fields):
    """Carthaginian fleets went into a village of Bruttium, which has a Roman lord now (10.12); more are under way."""
    stacks = {
        VILLAGE: {"carthage": points(0, 2, "naval"), "rome": points(0, 3)},
        BESIDE: {"rome": points(3)},
        "3413": {"carthage": points(0, 3)},
        "2516": {"carthage": points(1)},
    }
    men = {"ca": "2516", "cb": ("3413", {"naval": 3, "spent": 12}), "rc": VILLAGE}
    return table(stacks, men, side="carthage", last_control={"Bruttium": "rome"}, **fields)


def test_10_22_and_p18_a_besieger_does_not_go_inside_beside_the_besieged():
    """10.22, P18: whatever the town's control; the sally finds him outside."""
    state = lost_village()
    assert holder(state, VILLAGE) == "carthage" and not can_invert(state, VILLAGE, "rome")
    stacks = {"2907": {"rome": points(3, inside="land"), "carthage": points(4)}}
    sally = table(stacks, {"rc": "2907"}, holders={"2907": "rome"})
    assert "combat" in kinds(give(sally, "rome", attack("rc"), 6))


def test_10_29_a_relief_that_the_besieger_evades_is_no_longer_owed():
    """10.29, 9.16, P18: he inverts as the region's lord (10.12); with three points left the force is free to stop."""
    state = after(lost_village(), "carthage", move("cb", VILLAGE))
    assert state.must_attack == "cb" and state.outside(VILLAGE, "carthage", "naval") == 5
    state = after(state, "carthage", attack("cb", "naval"))
    assert state.pending.kind == "threat"
    state = after(state, "rome", {"type": "invert", "inside": True})
    assert state.must_attack is None
    assert {offer.type for offer in PUNIC_WARS.offers(state, "carthage")} >= {"finish", "done", "move"}
    assert after(state, "carthage", {"type": "finish", "leader": "cb"}).active is None


def test_10_29_a_relief_that_has_no_attack_left_is_not_owed():
    """10.29, P18: a game that was saved in the dead end goes on: the besieger inside, nine points left."""
    stacks = {VILLAGE: {"carthage": points(0, 5), "rome": points(0, 3, "naval")}, "2516": {"carthage": points(1)}}
    men = {"ca": "2516", "cb": (VILLAGE, {"naval": 3, "spent": 13})}
    state = table(stacks, men, side="carthage", active="cb", must_attack="cb", last_control={"Bruttium": "rome"})
    assert "finish" in {offer.type for offer in PUNIC_WARS.offers(state, "carthage")}
    assert after(state, "carthage", {"type": "finish", "leader": "cb"}).active is None


def test_10_22_a_typed_town_belongs_to_those_inside():
    """10.22, 10.11, P18: nobody asks the besieger of Carthage whether he goes in, before the sally or after it."""
    stacks = {"2516": {"carthage": points(4, inside="land"), "rome": points(6)}}
    state = table(stacks, {"ca": "2516"}, side="carthage")
    assert state.holders["2516"] == "carthage" and holder(state, "2516") == "carthage"
    fought = give(state, "carthage", attack("ca"), 6)
    assert told(fought, "combat").data["attackers"] == 4
    assert give(fought.state, "carthage", attack("ca"), 1).state.pending is None
    again = PUNIC_WARS.start(None, json.loads(encode(state)), {}, Dice()).state
    assert encode(again) == encode(state)


@pytest.mark.parametrize(
    "path, stacks, holders",
    [
        ("stacks.2707", {"rome": points(3, inside="land"), "carthage": points(4, inside="land")}, {}),
        ("stacks.2707", {"rome": points(3, inside="land"), "carthage": points(0, 4, "naval")}, {"2707": "rome"}),
        ("holders.2707", {"rome": points(3, inside="land"), "carthage": points(4)}, {"2707": "carthage"}),
    ],
)
def test_10_22_a_typed_town_with_a_contradiction_is_refused(path, stacks, holders):
    """10.22, P18"""
    with pytest.raises(BadInput) as refused:
        table({"2707": stacks}, holders=holders)
    assert refused.value.path == path


def test_10_12_a_town_held_with_its_region_comes_back_the_same():
    """10.12, P18: nobody has been alone there, so nobody is written down as its holder."""
    stacks = {"2707": {"rome": points(3, inside="land"), "carthage": points(4)}}
    state = table(stacks, last_control={"Etruria": "rome"}, holders={})
    assert state.holders == {} and state.last_control["Etruria"] == "carthage" and holder(state, "2707") == "rome"
    assert PUNIC_WARS.start(None, plain(state), {}, Dice()).state == state
