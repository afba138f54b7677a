"""16.0 Diplomacy, 17.0 Syracuse. 17.0 (comment)"""

from __future__ import annotations

import pytest

from kit.pw_table import after, give, kinds, move, offered, points, table, told
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules import control, realm
from strategic.punic_wars.rules.control import controller
from strategic.punic_wars.tables import PRINTED
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, encode, plain

HOME = {"2908": {"rome": {"land": 1}}, "2516": {"carthage": {"land": 1}}}


def council(scenario="2", stacks=None, men=None, **fields):
    """The diplomatic phase of a later turn."""
    men = {"cb": "2516", "rc": "2908", **(men or {})}
    return table({**HOME, **(stacks or {})}, men, scenario, "carthage", "diplomacy", turn=2, **fields)


def bid(side, points):
    return {"type": "bid", "side": side, "points": points}


def rolled(state, face, carthage=0, rome=0, *more):
    """Both bids, then the die."""
    state = after(state, "rome", bid("rome", rome))
    return give(state, "carthage", bid("carthage", carthage), face, *more)


def effect(state, die, name="two"):
    """The result of a modified die, applied by itself."""
    return realm.take_effect(state, PRINTED.diplomatic(name).row(die))[0]


def test_16_11_bids_are_secret_until_both_are_written():
    """16.11: the other seat sees equal bytes whatever was written."""
    one = give(council(), "rome", bid("rome", 3))
    two = give(council(), "rome", bid("rome", 9))
    for seat in ("carthage", "spectator"):
        assert encode(PUNIC_WARS.view(one.state, seat)) == encode(PUNIC_WARS.view(two.state, seat))
        assert [e for e in one.events if e.seen_by(seat)] == [e for e in two.events if e.seen_by(seat)]
    assert PUNIC_WARS.view(one.state, "rome")["bids"] == {"rome": 3}
    assert PUNIC_WARS.waiting_for(one.state) == ("carthage",)
    with pytest.raises(Illegal, match=r"16\.11"):
        give(one.state, "rome", bid("rome", 1))


def test_16_11_both_bids_are_paid_and_16_13_lost_for_good_whoever_wins():
    """Any amount from nothing to the treasury."""
    outcome = rolled(council(), 3, carthage=5, rome=7)
    assert told(outcome, "bids").data == {"carthage": 5, "rome": 7}
    assert outcome.state.accounts["rome"].bids == 7 and outcome.state.accounts["carthage"].bids == 5
    assert outcome.state.treasury["rome"] == 50 - 7
    free = rolled(council(), 3, carthage=0, rome=0).state
    assert free.treasury["rome"] == 50
    assert free.treasury["carthage"] - outcome.state.treasury["carthage"] == 5
    with pytest.raises(Illegal):
        give(council(), "rome", bid("rome", 51))


@pytest.mark.parametrize("carthage, rome, change", [(5, 4, 1), (4, 5, -1), (4, 4, 0), (0, 0, 0)])
def test_16_12_the_higher_bid_changes_the_die(carthage, rome, change):
    """16.12, 16.0"""
    outcome = rolled(council(), 3, carthage, rome)
    assert told(outcome, "diplomacy").data["modifier"] == change


def test_16_22_losses_of_six_and_four_give_minus_two():
    """16.22, 16.21: Carthage six, Rome four; a die of 1 reads -1, and 0 when Carthage spent more."""
    state = council(losses={"carthage": 6, "rome": 4})
    assert told(rolled(state, 1), "diplomacy").data["modifier"] == -2
    assert told(rolled(state, 1, carthage=1), "diplomacy").data["modifier"] == -1


def test_16_21_and_p10_the_counts_start_anew_after_the_phase():
    """16.21 (P10)"""
    outcome = rolled(council(losses={"carthage": 1, "rome": 1}), 2)
    assert outcome.state.losses == {"carthage": 0, "rome": 0} and outcome.state.phase == "campaign"


def test_16_32_no_effect():
    assert "no_effect" in kinds(rolled(council(), 3))


def test_16_33_a_revolt_strikes_every_hex_of_both_sides_and_11_32_the_leader_there_adds_his_value():
    """11.31: one roll a hex."""
    stacks = {"0612": {"carthage": {"land": 4}}, "0609": {"rome": {"land": 4}}, "0412": {"carthage": {"land": 2}}}
    outcome = rolled(council(stacks=stacks, men={"cc": "0612"}), 1, 0, 0, 1, 1, 1)
    tolls = [happened for happened in outcome.events if happened.type == "attrition"]
    assert [(t.data["side"], t.data["hex"], t.data["modifier"]) for t in tolls] == [
        ("carthage", "0412", 0),
        ("carthage", "0612", 2),
        ("rome", "0609", 0),
    ]
    assert outcome.state.points("0609", "rome", "land") == 1
    assert outcome.state.losses == {"carthage": 0, "rome": 0}  # the revolt fell in the count that closed


def test_16_33_in_a_revolt_the_owner_chooses_between_types():
    """11.31"""
    stacks = {"0414": {"carthage": {"land": 2, "naval": 2}}}
    outcome = rolled(council(stacks=stacks), 1, 0, 0, 2)
    assert outcome.state.pending.kind == "losses" and outcome.state.pending.seat == "carthage"
    done = after(outcome.state, "carthage", {"type": "accept", "side": "carthage"})
    assert done.total("0414", "carthage") == 2 and done.phase == "campaign"


def test_16_11_bids_that_are_paid_may_be_higher_than_what_is_left():
    """16.11, 16.13: Rome has bid its last three points, and a revolt asks; a bid not paid yet is still checked."""
    stacks = {"0414": {"carthage": {"land": 2, "naval": 2}}}
    state = council(stacks=stacks, treasury={"rome": 3, "carthage": 50})
    asked = rolled(state, 2, 0, 3, 2).state
    assert asked.pending.kind == "losses" and asked.treasury["rome"] == 0 and asked.bids["rome"] == 3
    assert PUNIC_WARS.start(None, plain(asked), {}, Dice()).state == asked
    adjusted = after(asked, "umpire", {"type": "adjust", "changes": {"turn": 2}, "why": "as it stands"})
    assert adjusted == asked
    with pytest.raises(BadInput, match=r"bids\.rome"):
        council(treasury={"rome": 3, "carthage": 50}, bids={"rome": 4})


def test_16_34_and_p14_the_war_with_illyria_opens_it_once():
    """16.34, 19.24.D (P14)"""
    state = council()
    assert state.alignment["Illyria"] == "closed"
    state = effect(state, 6)
    assert state.war and controller(state, "Illyria") == "carthage"
    assert effect(state, 6) == state


def test_19_24_D_nobody_enters_illyria_before_the_war():
    """19.24.D"""
    state = table({"2902": {"rome": points(1)}}, {"rc": ("2902", {"land": 1})})
    beside = next(at for at in state.chart.sides["2902"] if state.chart.places[at].region == "Illyria")
    with pytest.raises(Illegal, match=r"19\.24\.D"):
        give(state, "rome", move("rc", beside))


def test_19_14_E_closed_regions_of_the_first_war():
    """19.14.E"""
    state = table({"2605": {"rome": points(1)}}, {"rc": ("2605", {"land": 1})}, "1")
    with pytest.raises(Illegal, match=r"19\.14\.E"):
        give(state, "rome", move("rc", "2505"))
    assert state.alignment["Hispania"] == "closed"
    with pytest.raises(Illegal, match=r"19\.14\.E"):
        give(
            table({"2908": {"rome": points(1)}}, {"rc": "2908"}, "1", phase="recruit"),
            "rome",
            {"type": "recruit", "hex": "0612", "kind": "land", "points": 1},
        )


CITY = {"3315": {"syracuse": {"land": 2, "naval": 2}}}


def test_16_35_an_alliance_once_and_only_while_neutral():
    """16.35"""
    state = effect(council("1", CITY), 1, "one")
    assert state.alignment["Siracusa"] == "rome" and not state.syracuse_bound
    assert controller(state, "Siracusa") == "rome"
    assert effect(state, 6, "one") == state


def test_16_36_1_syracuse_defects_once_and_only_from_an_alliance_and_16_41_gets_a_marker_in_an_empty_hex():
    """16.36"""
    neutral = council("1", CITY)
    assert effect(neutral, 8, "one") == neutral and effect(neutral, -1, "one") == neutral
    roman = effect(neutral, 1, "one")
    assert effect(roman, -1, "one") == roman
    state = effect(roman, 9, "one")
    assert state.alignment["Siracusa"] == "carthage" and state.markers["Siracusa"] == "3215"
    assert state.chart.places["3215"].region == "Siracusa" and "3215" not in state.stacks
    assert effect(state, -3, "one") == state


def test_16_36_2_syracuse_defects_in_the_second_war():
    """16.36.2, 17.21"""
    state = council("2", CITY)
    assert state.points("3315", "rome", "land") == 2
    state = effect(state, 7)
    assert state.points("3315", "carthage", "land") == 2
    assert effect(state, 7) == state


def test_16_36_3_numidians_defect_to_a_roman_leader_who_is_there():
    """16.36.3"""
    state = council()
    assert effect(state, -1) == state
    there = effect(council(men={"rd": "2016"}), -1)
    assert there.alignment["Massylii"] == "rome" and there.defected == ("Massylii",)
    both = effect(council(men={"rd": "2016", "re": "1415"}), -5)
    assert both.alignment["Massaesylii"] == "rome" and both.alignment["Massylii"] == "rome"
    assert effect(both, -5) == both


def test_16_36_4_south_italy_defects_together_and_once():
    """16.36.4"""
    state = council()
    assert effect(state, 8) == state
    there = effect(council(men={"cc": "3412"}), 8)
    assert {name for name, lord in there.alignment.items() if lord == "carthage"} >= set(realm.SOUTH_ITALY)
    retaken = there.aligned("Campania", "rome")
    assert effect(retaken, 12) == retaken


def taxed(state, side):
    """The start of a side's tax phase."""
    return realm.remove_markers(state.in_phase("tax", side, 4))[0]


def test_16_42_and_p13_a_marker_goes_when_its_first_owner_controls_the_region_by_force():
    """16.43 (P13): and the region takes back its first alignment."""
    state = effect(council(men={"cc": "3412"}), 8)
    assert set(state.markers) == set(realm.SOUTH_ITALY)
    assert taxed(state, "rome").markers == state.markers
    held = state.with_stack("3110", "rome", state.stack("3110", "rome").with_points("land", 2))
    assert "Campania" in taxed(held, "carthage").markers
    back = taxed(held, "rome")
    assert "Campania" not in back.markers and back.alignment["Campania"] == "rome"
    assert "Bruttium" in back.markers


def test_16_44_a_marker_in_a_region_that_began_neutral_stays():
    """16.44"""
    state = effect(effect(council("1", CITY), 1, "one"), 8, "one")
    held = state.with_stack("3215", "rome", state.stack("3215", "rome").with_points("land", 9))
    assert taxed(held, "rome").markers == state.markers


# 17 ------------------------------------------------------------------------------------------------------


def landing(side, neutral=True, force=1):
    """A force in 3214, beside Siracusa."""
    stacks = {**CITY, "3214": {side: {"land": force}}, **HOME}
    id = "rc" if side == "rome" else "cb"
    return table(stacks, {id: ("3214", {"land": force})}, "1" if neutral else "2", side), id


@pytest.mark.parametrize("side, ally", [("rome", "carthage"), ("carthage", "rome")])
def test_17_11_an_invasion_drives_neutral_syracuse_to_the_enemy(side, ally):
    """17.11, 17.12, 17.21"""
    state, id = landing(side)
    outcome = give(state, side, move(id, "3215"))
    assert outcome.state.alignment["Siracusa"] == ally and outcome.state.syracuse_bound
    assert outcome.state.points("3315", ally, "land") == 2


def test_17_11_a_leader_alone_is_no_invasion():
    """17.11: combat units."""
    state, id = landing("rome")
    state = after(state, "rome", {"type": "take", "leader": id, "land": 0, "naval": 0})
    assert after(state, "rome", move(id, "3315")).alignment["Siracusa"] == "neutral"


def test_17_12_an_alliance_by_invasion_is_final():
    """17.12 (P13)"""
    state, id = landing("rome")
    state = after(state, "rome", move(id, "3215"))
    for die in (-2, 1, 6, 9):
        assert effect(state, die, "one") == state


def test_17_13_an_ally_may_enter():
    """17.13"""
    state, id = landing("rome", neutral=False)
    assert after(state, "rome", move(id, "3315")).alignment["Siracusa"] == "rome"


def test_17_0_syracusans_never_leave_their_hex_but_fight_beside_their_ally():
    """17.0, 17.21: one Roman point and two of theirs."""
    stacks = {**HOME, "3315": {"syracuse": {"land": 2, "naval": 2}, "rome": {"land": 1}, "carthage": {"land": 1}}}
    state = table(stacks, {"rc": "3315"})
    outcome = give(state, "rome", {"type": "attack", "leader": "rc", "kind": "land"}, 5)
    assert told(outcome, "combat").data["attackers"] == 3


def test_17_21_the_owner_chooses_whether_syracusans_fall():
    """17.21, 9.31"""
    stacks = {**HOME, "3315": {"syracuse": {"land": 2}, "rome": {"land": 2}, "carthage": {"land": 4}}}
    state = table(stacks, {"ca": "3315"}, side="carthage", holders={"3315": "carthage"})
    outcome = give(state, "carthage", {"type": "attack", "leader": "ca", "kind": "land"}, 3)
    assert outcome.state.pending.seat == "rome" and outcome.state.pending.kind == "losses"
    kept = after(outcome.state, "rome", {"type": "accept", "side": "rome"})
    assert kept.stack("3315", "syracuse").land == 2 and kept.stack("3315", "rome").land == 0


def test_17_31_without_syracusan_land_points_there_is_no_defection():
    """17.31"""
    state = council("2", {"3315": {"syracuse": {"naval": 2}}})
    assert control.may_defect(state, "carthage") is not None and effect(state, 7) == state


def test_17_32_strangers_inside_are_turned_out_when_the_city_defects():
    """17.32, 7.34"""
    inside = {"land_inside": True, "naval_inside": True}
    stacks = {
        "3315": {"syracuse": {"land": 2, "naval": 2, **inside}, "rome": {"land": 3, **inside}, "carthage": {"naval": 1}}
    }
    state = council("2", stacks, {"rd": ("3315", {"inside": True})}, holders={"3315": "syracuse"})
    state = effect(state, 7)
    assert state.outside("3315", "rome", "land") == 3 and not state.leaders["rd"].inside
    assert state.stack("3315", "syracuse").land_inside and not state.stack("3315", "syracuse").naval_inside


def test_17_41_nobody_recruits_in_siracusa_and_17_42_its_lost_points_are_never_replaced():
    state = table({**HOME, "3315": {"rome": {"land": 3}, "syracuse": {"land": 1}}}, {"rc": "3315"}, phase="recruit")
    with pytest.raises(Illegal, match=r"17\.41"):
        give(state, "rome", {"type": "recruit", "hex": "3315", "kind": "land", "points": 1})
    hexes = {fields["hex"] for fields in offered(state, "rome", "recruit")}
    assert "2908" in hexes and "3315" not in hexes
    bought = after(state, "rome", {"type": "recruit", "hex": "2908", "kind": "land", "points": 1})
    assert bought.in_play("syracuse", "land") == 1 and bought.in_play("rome", "land") == 5


def test_19_24_E_no_recruiting_in_illyria_or_siracusa():
    """19.24.E"""
    state = table(
        {**HOME, "3405": {"rome": {"land": 3}}}, {"rc": "3405"}, phase="recruit", alignment={"Illyria": "rome"}
    )
    with pytest.raises(Illegal, match=r"13\.25"):
        give(state, "rome", {"type": "recruit", "hex": "3405", "kind": "land", "points": 1})


def test_16_0_physical_dice_ask_for_the_die():
    """16.0: nothing has happened until the table has thrown it."""
    from tactical.kernel.dice import RollNeeded
    from tactical.kernel.record import read

    state = after(council(), "rome", bid("rome", 3))
    with pytest.raises(RollNeeded) as needed:
        PUNIC_WARS.apply(state, "carthage", read(bid("carthage", 3), PUNIC_WARS.command), Dice())
    assert needed.value.asked.rule == "16.0"
