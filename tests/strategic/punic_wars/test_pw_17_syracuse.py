"""17.21, 7.34, 10.11 Whose Syracuse is, and how its men stand, when the city changes friends."""

from __future__ import annotations

import json

import pytest

from kit.pw_table import attack, give, points, table
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules import control
from strategic.punic_wars.rules.combat import price, walls
from strategic.punic_wars.rules.control import aftermath
from strategic.punic_wars.rules.realm import tax
from strategic.punic_wars.rules.towns import can_invert, holder, is_besieged
from strategic.punic_wars.state import Campaign
from tactical.kernel.dice import Dice
from tactical.kernel.record import encode

TOWN = "3315"
BOTH = "land naval"
AWAY = {"2908": {"rome": points(2)}, "2516": {"carthage": points(2)}}
DEFECTED = {"alignment": {"Siracusa": "carthage"}, "defected": ["Siracusa"], "markers": {"Siracusa": "3215"}}


def siege(inside, outside=(6, 3), **fields):
    """The Roman siege of Syracuse after its defection; `inside` are the stacks behind the walls."""
    stacks = {**AWAY, TOWN: {**inside, "rome": points(*outside)}}
    return table(stacks, {"rc": TOWN, "ca": "2516"}, **{**DEFECTED, **fields})


def marker_gone(state: Campaign) -> Campaign:
    """4.2.B.2, 16.42 The next Roman tax phase, and on to the Roman campaign."""
    state, events = tax(state.in_phase("tax", "rome", 3))
    assert "marker_removed" in [happened.type for happened in events]
    return aftermath(state.in_phase("campaign", "rome", 3).having_begun())[0]


def stays_a_position(state: Campaign) -> bool:
    """It contradicts nothing: the umpire may post it, and adjust it without a change."""
    assert PUNIC_WARS.invariants(state) == ()
    give(state, "umpire", {"type": "adjust", "changes": {"turn": state.turn}, "why": "a look"})
    again = PUNIC_WARS.start(None, json.loads(encode(state)), {}, Dice()).state
    return encode(again) == encode(state)


def test_16_43_and_p19_syracusans_join_their_friends_when_the_marker_goes():
    """16.43, 17.21, 7.34, P19: besieged yesterday, they stand outside with the Romans, at five points and no walls."""
    state = siege({"syracuse": points(2, 2, BOTH)})
    assert is_besieged(state, TOWN, "carthage")
    state = marker_gone(state)
    assert state.outside(TOWN, "rome", "land") == 8 and state.inside(TOWN, "rome", "land") == 0
    assert walls(state, TOWN, "rome", "land") == 0 and price(state, TOWN, "rome", "land") == 5
    assert holder(state, TOWN) == "rome" and can_invert(state, TOWN, "rome") and stays_a_position(state)


def test_16_43_carthaginians_who_were_inside_stand_outside():
    """16.43, 17.32, P19: in the same hex; the siege is over, for no side has anybody inside."""
    state = marker_gone(siege({"syracuse": points(1, 0, BOTH), "carthage": points(3, 0, BOTH)}, (8, 0)))
    assert state.outside(TOWN, "carthage", "land") == 3 and state.outside(TOWN, "rome", "land") == 9
    assert not is_besieged(state, TOWN, "carthage") and stays_a_position(state)


def test_16_43_the_siege_can_become_theirs():
    """16.43, 10.41, P19: no Roman stands there, so the Syracusans stay inside, and who was with them besieges them."""
    stacks = {**AWAY, "3215": {"rome": points(9)}}
    inside = {"syracuse": points(1, 0, BOTH), "carthage": points(3, 0, BOTH)}
    state = marker_gone(table({**stacks, TOWN: inside}, {"ca": "2516"}, **DEFECTED))
    assert state.inside(TOWN, "rome", "land") == 1 and state.outside(TOWN, "carthage", "land") == 3
    assert is_besieged(state, TOWN, "rome") and holder(state, TOWN) == "rome" and stays_a_position(state)


def test_10_11_without_syracusans_the_town_is_of_the_last_alone_there():
    """10.11, P19: the last Syracusan falls; Siracusa becomes Roman again, and the Carthaginians still hold the town."""
    state = siege({"syracuse": points(1, 0, BOTH), "carthage": points(3, 0, BOTH)}, (6, 0), holders={TOWN: "syracuse"})
    assert state.holders[TOWN] == "carthage"
    fought = give(state, "rome", attack("rc"), 4)
    while fought.state.pending is not None:
        nation = "syracuse" if fought.state.stack(TOWN, "syracuse").land else "carthage"
        lost = {"type": "lose", "hex": TOWN, "nation": nation, "kind": "land", "points": 1}
        fought = give(fought.state, "carthage", lost)
    state = fought.state
    assert not state.stack(TOWN, "syracuse").land and state.stack(TOWN, "carthage").land
    state = marker_gone(state)
    assert holder(state, TOWN) == "carthage" and state.inside(TOWN, "carthage", "land")
    assert not can_invert(state, TOWN, "rome") and stays_a_position(state)


def test_10_11_syracusans_alone_hold_their_town_for_whoever_has_them():
    """10.11, 17.21, P19: a Syracuse that has defected is not Rome's."""
    state = table({**AWAY, TOWN: {"syracuse": points(2, 2), "rome": points(1)}}, {"rc": "2908"})
    assert holder(state, TOWN) == "rome" and state.holders[TOWN] == "syracuse"
    state = control.realign(state, "carthage")
    assert holder(state, TOWN) == "carthage" and can_invert(state, TOWN, "carthage")


@pytest.mark.parametrize("how", ["treaty", "invasion"])
def test_17_11_an_alliance_settles_postures_too(how):
    """17.11, 16.35, 7.34: a position of before may have had Romans before the walls of a neutral city."""
    stacks = {**AWAY, TOWN: {"syracuse": points(2, 2)}}
    state = table(stacks, {"rc": TOWN}, "1", alignment={"Siracusa": "neutral"}).raised(TOWN, "rome", "land", 3)
    if how == "treaty":
        state = control.treaty(state, "rome")[0]
    else:
        state = control.invasion(state, "3215", "carthage")[0]
    assert state.outside(TOWN, "rome", "land") == 5 and PUNIC_WARS.invariants(state) == ()


def besieged_with(syracusans):
    """Carthage holds the town since it stood there alone; three of its points and these Syracusans are besieged."""
    inside = {"syracuse": syracusans, "carthage": points(3, 0, BOTH)}
    return siege(inside, (8, 3), holders={TOWN: "carthage"})


@pytest.mark.parametrize("syracusans", [points(0, 2, BOTH), points(0, 2), points(2, 2, BOTH)])
def test_10_11_the_last_alone_hold_the_town_though_fleets_or_men_of_syracuse_become_roman(syracusans):
    """10.11, 16.43, P19: fleets never hold it, and while strangers are inside the Syracusans' land points do not."""
    state = marker_gone(besieged_with(syracusans))
    assert holder(state, TOWN) == "carthage" and state.holders[TOWN] == "carthage"
    assert can_invert(state, TOWN, "carthage") and not can_invert(state, TOWN, "rome")
    assert state.inside(TOWN, "rome", "naval") == 0 and stays_a_position(state)


def test_10_11_when_the_last_syracusan_land_point_falls_the_fleets_hold_nothing():
    """10.11, P19: the town goes to the player for whom they held it, at once."""
    state = siege({"syracuse": points(1, 2), "carthage": points(2)}, (6, 3), holders={TOWN: "syracuse"})
    assert state.holders[TOWN] == "syracuse"
    state = aftermath(state.fallen(TOWN, "syracuse", "land", 1))[0]
    assert state.holders[TOWN] == "carthage" and holder(marker_gone(state), TOWN) == "carthage"


def test_16_43_new_friends_who_are_inside_stay_inside():
    """16.43, 10.25, P19: six Romans and their leader hold the town; its fleets and the Carthaginians are outside."""
    stacks = {**AWAY, TOWN: {"rome": points(6, 0, "land"), "syracuse": points(0, 2), "carthage": points(2)}}
    men = {"rc": (TOWN, {"inside": True}), "ca": "2516"}
    state = marker_gone(table(stacks, men, **DEFECTED, holders={TOWN: "rome"}))
    assert state.inside(TOWN, "rome", "land") == 6 and state.leaders["rc"].inside
    assert state.outside(TOWN, "carthage", "land") == 2 and state.outside(TOWN, "rome", "naval") == 2
    assert state.holders[TOWN] == "rome" and stays_a_position(state)


def test_17_32_a_defection_turns_everybody_else_out():
    """17.32: whoever they are."""
    stacks = {**AWAY, TOWN: {"syracuse": points(2, 0, BOTH), "rome": points(3, 0, BOTH)}}
    state = control.defect(table(stacks, {"rc": (TOWN, {"inside": True}), "ca": "2516"}), "carthage")
    assert state.outside(TOWN, "rome", "land") == 3 and not state.leaders["rc"].inside
    assert state.inside(TOWN, "carthage", "land") == 2 and holder(state, TOWN) == "carthage"
