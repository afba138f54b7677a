"""What the fragment leaves open, as this house plays it: leaders alone, ties of players, orders, sieges, flanks."""

import pytest
from msgspec.structs import replace

from kit.legions import (
    army,
    asked,
    avoid,
    do,
    intercept,
    march,
    may_intercept,
    outcome,
    position,
    refused,
    slip,
    stands,
    tried,
)
from strategic.sword_of_rome import SWORD_OF_ROME
from tactical.kernel.protocol import NotYours

ROMANS = army("romans", "roma", 5, "claudius")


def test_11_1_a_reading_a_leader_alone_does_not_bar_the_way_out():
    """11.1.a (reading): Egnatius alone in Fregellae, the only friendly space beside the Greeks in Velitrae."""
    greeks, egnatius = army("greeks", "velitrae", 4, "pyrrhus"), army("samnites", "fregellae", 0, "egnatius")
    control = {"fregellae": "greeks"}
    state = march(position(ROMANS, greeks, egnatius, control=control), "romans", "claudius", "velitrae")
    assert asked(state) == [("declare", "greeks")]
    state = avoid(state, "greeks", slip("greeks", ("pyrrhus",), 4))
    state = do(state, "romans", "permit", allow=True)
    assert stands(state, "fregellae", "greeks") == 4
    state = do(state, "romans", "pursue", 6)
    assert "egnatius" in state.displaced and not SWORD_OF_ROME.invariants(state)


def test_15_3_a_leader_alone_does_not_bar_a_step():
    """15.3 (reading): Pyrrhus alone in Neapolis; the Romans enter with their last point, and he goes inside."""
    alone = army("greeks", "neapolis", 0, "pyrrhus")
    state = position(army("romans", "capua", 5, "claudius"), alone)
    state = do(state, "romans", "activate", card=2, leader="claudius", units=5)
    state = state.with_move(replace(state.move, points=1))
    state = do(state, "romans", "step", to="neapolis")
    while state.pending:
        state = do(state, "greeks", "declare", side="greeks")
    state = do(state, "romans", "halt")
    assert stands(state, "neapolis", "romans") == 5
    assert state.force("neapolis", "greeks").inside_leaders == ("pyrrhus",)


def by_the_gauls():
    """The Gauls' player runs the Volsci; they and the Greeks may both try against the Romans in Velitrae."""
    volsci = army("volsci", "antium", 3, "minor_volsci_a")
    return position(ROMANS, army("greeks", "praeneste", 4, "pyrrhus"), volsci, runners={"volsci": "gauls"})


def test_10_3_reading_of_ties_they_are_between_players():
    """10.3 (reading of ties): the Gauls' player wins them against the Greeks, with whichever power he tries."""
    state = by_the_gauls()
    state = march(state, "romans", "claudius", "velitrae")
    state = intercept(state, "greeks", tried("greeks", "praeneste", "pyrrhus", 4))
    state = intercept(state, "gauls", tried("volsci", "antium", "minor_volsci_a", 3))
    assert asked(state) == [("order", "gauls")]
    assert state.pending[0].about["players"] == ["gauls", "greeks"]


def test_10_3_the_order_is_an_order_of_players():
    """10.3 (reading of ties): one player's two powers are not parted, and he is not asked about his own."""
    state = position(
        ROMANS,
        army("etruscans", "praeneste", 3, "minor_etruscans_a"),
        army("samnites", "fregellae", 3, "egnatius"),
        army("greeks", "antium", 4, "pyrrhus"),
    )
    state = march(state, "romans", "claudius", "velitrae")
    mine = tried("samnites", "fregellae", "egnatius", 3), tried("etruscans", "praeneste", "minor_etruscans_a", 3)
    state = intercept(state, "etruscans_samnites", *mine)
    state = intercept(state, "greeks", tried("greeks", "antium", "pyrrhus", 4))
    assert asked(state) == [("order", "etruscans_samnites")]
    orders = next(offer.fields["players"] for offer in SWORD_OF_ROME.offers(state, "etruscans_samnites"))
    assert sorted(orders) == [["etruscans_samnites", "greeks"], ["greeks", "etruscans_samnites"]]
    parted = {"powers": ["etruscans", "greeks", "samnites"]}
    assert refused(state, "etruscans_samnites", "set_order", **parted) == "10.3"
    first = outcome(state, "etruscans_samnites", "set_order", 6, 6, 1, players=["etruscans_samnites", "greeks"])
    order = [each.data["power"] for each in first.events if each.type == "interception"]
    assert order == ["samnites", "etruscans", "greeks"]  # his own as he has named them
    alone = march(
        position(
            ROMANS, army("etruscans", "praeneste", 3, "minor_etruscans_a"), army("samnites", "fregellae", 3, "egnatius")
        ),
        "romans",
        "claudius",
        "velitrae",
    )
    assert asked(intercept(alone, "etruscans_samnites", *mine, dice=(6, 6)))[:1] != [("order", "etruscans_samnites")]


@pytest.mark.parametrize("first", ["greeks", "gauls"])
def test_10_3_the_order_of_the_answers_changes_nothing(first):
    """10.3: both are in secret; the state after two orders of the same answers is the same."""
    state = march(
        position(ROMANS, army("greeks", "praeneste", 4, "pyrrhus"), army("gauls", "fregellae", 3, "brennus")),
        "romans",
        "claudius",
        "velitrae",
    )
    said = {
        "greeks": tried("greeks", "praeneste", "pyrrhus", 4),
        "gauls": tried("gauls", "fregellae", "brennus", 3),
    }
    other = next(seat for seat in said if seat != first)
    state = intercept(intercept(state, first, said[first]), other, said[other])
    assert [each.power for each in state.reaction.attempts] == ["gauls", "greeks"]
    assert asked(state) == [("order", "gauls")]


def two_greeks(*attempts, dice):
    """Pyrrhus and Timoleon try for Velitrae, an enemy's space without Greeks."""
    state = position(ROMANS, army("greeks", "praeneste", 4, "pyrrhus"), army("greeks", "fregellae", 3, "timoleon"))
    state = march(state, "romans", "claudius", "velitrae")
    declared = {
        "pyrrhus": tried("greeks", "praeneste", "pyrrhus", 4),
        "timoleon": tried("greeks", "fregellae", "timoleon", 3),
    }
    return outcome(state, "greeks", "declare", *dice, side="greeks", intercepts=[declared[each] for each in attempts])


def test_10_3_b_a_success_is_placed_at_once_and_adds_nothing_to_the_next():
    """10.3.b (reading of joining): the first in an enemy's space adds 1, the second finds Greek CUs there."""
    rolled = [e.data for e in two_greeks("timoleon", "pyrrhus", dice=(2, 4)).events if e.type == "interception"]
    assert [(each["leader"], each["modifier"], each["success"]) for each in rolled] == [
        ("timoleon", 1, True),
        ("pyrrhus", 0, True),
    ]
    rolled = [e.data for e in two_greeks("timoleon", "pyrrhus", dice=(3, 4)).events if e.type == "interception"]
    assert [(each["modifier"], each["success"]) for each in rolled] == [(1, False), (1, False)]


def test_10_3_reading_of_joining_the_owner_rolls_in_the_order_of_his_declaration():
    """10.3 (reading of joining)"""
    rolled = [
        e.data["leader"] for e in two_greeks("pyrrhus", "timoleon", dice=(1, 1)).events if e.type == "interception"
    ]
    assert rolled == ["pyrrhus", "timoleon"]


def test_10_6_reading_an_attempt_that_was_never_rolled_bars_nothing():
    """10.6 (reading): the Greeks' attempt lapsed; only the Gauls have tried."""
    state = march(
        position(ROMANS, army("greeks", "praeneste", 4, "pyrrhus"), army("gauls", "fregellae", 3, "brennus")),
        "romans",
        "claudius",
        "velitrae",
    )
    state = intercept(state, "greeks", tried("greeks", "praeneste", "pyrrhus", 4))
    state = intercept(state, "gauls", tried("gauls", "fregellae", "brennus", 3))
    state = do(state, "gauls", "set_order", 1, players=["gauls", "greeks"])
    assert [each.result for each in state.reaction.attempts] == ["intercepted", "lapsed"]
    assert state.move.tried == ("fregellae",)


@pytest.mark.parametrize("sieges, rule", [({}, "10.2.c"), ({"neapolis": 1}, "")])
def test_10_2_c_reading_besieged_means_the_siege_marker(sieges, rule):
    """10.2.c (reading): a relief of Greeks behind walls; without a marker they are unbesieged CUs in the space."""
    state = position(
        army("greeks", "paestum", 5, "pyrrhus"),
        army("greeks", "neapolis", 0, inside=1),
        army("carthaginians", "neapolis", 2),
        army("carthaginians", "capua", 3, "bomilcar"),
        control={"neapolis": "greeks"},
        sieges=sieges,
        active="greeks",
    )
    state = march(state, "greeks", "pyrrhus", "neapolis")
    assert may_intercept(state, "carthaginians", "capua") == rule


def flanking():
    """Claudius claims a flank march past Brennus."""
    state = position(ROMANS, army("gauls", "praeneste", 3, "brennus"))
    return do(state, "romans", "activate", card=2, leader="claudius", units=5, flank=True)


def test_9_5_6_reading_a_flank_is_confirmed_by_all_other_players():
    """9.5.6 (reading): four yeses; until then the army does not move."""
    state = flanking()
    others = ["gauls", "etruscans_samnites", "greeks", "carthaginians"]
    assert sorted(asked(state)) == sorted(("flank", seat) for seat in others) and not state.move.flank
    assert refused(state, "romans", "step", to="velitrae") == "9.2"
    for seat in others:
        assert not state.move.flank
        state = do(state, seat, "confirm_flank", side=seat, allow=True)
    assert state.move.flank and not state.pending
    assert not do(state, "romans", "step", to="velitrae").pending


def test_9_5_6_one_no_is_enough():
    """9.5.6 (reading): the army moves, and may be intercepted."""
    state = do(flanking(), "greeks", "confirm_flank", side="greeks", allow=True)
    state = do(state, "gauls", "confirm_flank", side="gauls", allow=False)
    assert not state.move.flank and not state.pending
    assert asked(do(state, "romans", "step", to="velitrae")) == [("declare", "gauls")]


def test_9_5_6_the_umpire_confirms_for_all():
    """9.5.6 (reading)"""
    assert do(flanking(), "umpire", "confirm_flank", side="umpire", allow=True).move.flank
    with pytest.raises(NotYours):
        do(flanking(), "gauls", "confirm_flank", side="umpire", allow=True)
    with pytest.raises(NotYours):
        do(flanking(), "gauls", "confirm_flank", side="greeks", allow=True)


def test_12_4_a_leader_alone_does_not_bar_a_retreat():
    """12.4, 8.4: the Gauls beaten at Fregellae go to their Capua though Egnatius stands there alone."""
    gauls, alone = army("gauls", "fregellae", 6, "brennus"), army("samnites", "capua", 0, "egnatius")
    control = {"fregellae": "independent", "capua": "gauls"}
    state = position(army("romans", "velitrae", 6, "claudius"), gauls, alone, control=control)
    state = march(state, "romans", "claudius", "fregellae", units=6)
    state = do(state, "gauls", "declare", side="gauls")
    state = do(state, "romans", "roll_battle", 3, 3, 3, 1, 1, 1)
    assert stands(state, "capua", "gauls") == 6 and "egnatius" in state.displaced


def test_11_1_reading_a_commander_goes_inside_while_his_subordinate_avoids():
    """11.1 (reading), 9.3.1: he is behind the walls with his CU, the others are gone, nobody is attacked."""
    etruscans = army("etruscans", "pisae", 6, "minor_etruscans_a", "minor_etruscans_b")
    state = position(army("gauls", "luna", 5, "brennus"), etruscans, active="gauls")
    state = march(state, "gauls", "brennus", "pisae")
    answer = slip("etruscans", ("minor_etruscans_b",), 4, inside=2, inside_leaders=["minor_etruscans_a"])
    state = avoid(state, "etruscans_samnites", answer)
    state = do(state, "gauls", "permit", allow=True)
    if asked(state) == [("avoid_to", "etruscans_samnites")]:
        to = next(offer.fields["to"] for offer in SWORD_OF_ROME.offers(state, "etruscans_samnites"))
        state = do(state, "etruscans_samnites", "avoid_to", to=to[0])
    here = state.force("pisae", "etruscans")
    assert (here.inside, here.inside_leaders, here.units) == (2, ("minor_etruscans_a",), 0)
