"""7.0 Stacking, and what shows of a stack."""

from __future__ import annotations

import pytest

from kit.pw_table import after, attack, give, move, points, table, told, took
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.view import top
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, encode


def test_7_0_any_number_of_both_sides_and_7_31_of_all_types_share_a_hex():
    state = table({"2909": {"rome": points(30, 15), "carthage": points(30, 8)}}, {"rc": "2909", "cb": "2909"})
    assert state.total("2909", "rome") == 45 and state.total("2909", "carthage") == 38


def test_7_21_units_of_a_type_fight_as_one_group():
    """7.21: the leader's own three and the two that stood there."""
    state = table(
        {"2908": {"rome": points(3)}, "2909": {"rome": points(2), "carthage": points(1)}},
        {"rc": ("2908", {"land": 3})},
    )
    state = after(state, "rome", move("rc", "2909"))
    assert told(give(state, "rome", attack("rc"), 6), "combat").data["attackers"] == 5


def test_7_22_units_attack_only_in_their_own_hex():
    state = table({"2908": {"rome": points(3)}, "2909": {"carthage": points(1)}}, {"rc": "2908"})
    with pytest.raises(Illegal, match=r"7\.22"):
        give(state, "rome", attack("rc"))


def test_7_32_only_the_kind_of_the_top_counter_shows():
    """Leaders, land, naval from the top; turned about for inverted units."""
    city = {"2516": {"carthage": points(3, 2)}}
    assert top(table(city, {"cb": "2516"}), "2516", "carthage") == {"top": "leader", "inside": False}
    assert top(table(city), "2516", "carthage") == {"top": "land", "inside": False}
    inside = table({"2516": {"carthage": points(3, 2, "land naval")}}, {"cb": ("2516", {"inside": True})})
    assert top(inside, "2516", "carthage") == {"top": "naval", "inside": True}


def test_7_33_the_order_in_a_stack_has_no_bearing_on_combat():
    """The same points and leaders, listed from the other end: the same attack with the same losses."""
    stacks = {"rome": points(7, 2), "carthage": points(4, 3)}
    men = {"rc": "2909", "rb": "2909", "cb": "2909", "ca": "2909"}
    one = table({"2909": stacks}, men)
    two = table({"2909": dict(reversed(stacks.items()))}, dict(reversed(men.items())))
    asked = [give(state, "rome", attack("rb")) for state in (one, two)]
    fought = [give(each.state, "carthage", {"type": "command", "leader": "cb"}, 4) for each in asked]
    assert told(fought[0], "combat").data == told(fought[1], "combat").data


def test_9_12_what_stands_in_an_enemy_hex_is_hidden_until_a_leader_enters():
    """9.12, 7.32: equal bytes for whoever may not see it."""
    few = table({"0612": {"carthage": points(2)}, "0512": {"rome": points(3)}}, {"rc": ("0512", {"land": 3})})
    many = table({"0612": {"carthage": points(3)}, "0512": {"rome": points(3)}}, {"rc": ("0512", {"land": 3})})
    for seat in ("rome", "spectator"):
        assert encode(PUNIC_WARS.view(few, seat)) == encode(PUNIC_WARS.view(many, seat))
        assert PUNIC_WARS.offers(few, seat) == PUNIC_WARS.offers(many, seat)
    assert encode(PUNIC_WARS.view(few, "carthage")) != encode(PUNIC_WARS.view(many, "carthage"))
    entered = after(many, "rome", move("rc", "0612"))
    assert PUNIC_WARS.view(entered, "rome")["hexes"]["0612"]["carthage"]["land"]["points"] == 3


def test_9_12_open_stacks_is_an_option():
    state = table({"0612": {"carthage": points(3)}}, options={"open_stacks": True})
    assert PUNIC_WARS.view(state, "rome")["hexes"]["0612"]["carthage"]["land"]["points"] == 3
    with pytest.raises(BadInput, match="options"):
        PUNIC_WARS.start("1", None, {"open_doors": True}, Dice())


def test_9_12_leaders_hide_with_their_stack():
    """9.12, 8.11: who commands is not shown either."""
    three = table({"0612": {"carthage": points(2)}, "2908": {"rome": points(1)}}, {"ca": "0612"})
    two = table({"0612": {"carthage": points(2)}, "2908": {"rome": points(1)}}, {"cb": "0612"})
    assert encode(PUNIC_WARS.view(three, "rome")) == encode(PUNIC_WARS.view(two, "rome"))


def test_7_34_friends_of_a_type_share_one_posture():
    """7.34, 10.25: those inside an unbesieged village come out when others of their type arrive."""
    stacks = {"2908": {"rome": points(2)}, "2907": {"rome": points(3, inside="land")}}
    state = table(stacks, {"rc": ("2908", {"land": 2})})
    state = after(state, "rome", move("rc", "2907"))
    assert state.inside("2907", "rome", "land") == 0 and state.points("2907", "rome", "land") == 5


def test_7_35_only_totals_are_kept():
    """7.35, 3.2: four picked up of six leave two, whatever the counters."""
    state = table({"2908": {"rome": points(6)}}, {"rc": "2908"})
    state = after(after(state, "rome", took("rc", 4)), "rome", move("rc", "2907"))
    assert (state.points("2908", "rome", "land"), state.points("2907", "rome", "land")) == (2, 4)
    assert PUNIC_WARS.invariants(state) == ()
