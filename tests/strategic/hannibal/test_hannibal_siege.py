"""Walled cities, tribes, sieges, sorties."""

import pytest

from kit.hannibal_war import asked, do, force, kinds, march, offered, refused, step, the, war
from strategic.hannibal.rules.siege_roll import siege_results
from strategic.hannibal.tables import TABLES
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import count_on_board

FAR = force("rome", "cosa", 8, "p_scipio")


def besieging(
    space="capua", units=6, general="hannibal", card=33, use="ops", garrison=0, siege=0, side="carthage", **more
):
    """A general before a city, activated."""
    places = {space: {"siege": siege, "besieger": side if siege else None, "inside": {"units": garrison}}}
    spare = force("carthage", "zama", 4, "hanno") if side == "rome" else FAR
    state = war(force(side, space, units, general), spare, active=side, cards=(card, 35), places=places, **more)
    return march(state, general, card, use)


def siege_roll(state, *faces, seat="carthage"):
    fields = offered(state, seat, "besiege")[0]
    return do(
        state, seat, "besiege", *faces, general=fields["general"], units=fields["units"], elephants=fields["elephants"]
    )


@pytest.mark.parametrize(
    "die, points, lost", [(0, 0, 1), (1, 0, 1), (2, 0, 0), (3, 1, 1), (4, 1, 0), (5, 1, 0), (6, 2, 0), (7, 2, 0)]
)
def test_tables_siege_points_and_losses_by_die(die, points, lost):
    """tables.siege"""
    assert TABLES.siege.read(die) == (points, lost)


def test_tables_siege_carthage_has_minus_one_and_tables_siege_great_cities_too():
    """Capua -1, Rome -2."""
    assert the(siege_roll(besieging("capua"), 5), "siege_roll")["modifier"] == -1
    assert the(siege_roll(besieging("rome"), 5), "siege_roll")["modifier"] == -2
    for city, modifier in (("carthage", -1), ("syracuse", -1), ("gades", 0)):
        state = besieging(city, side="rome", general="nero", control={"syracuse": "carthage"})
        rolled = the(siege_roll(state, 5, seat="rome"), "siege_roll")
        assert rolled["modifier"] == modifier
        assert siege_results(state, "nero", city)[5 - 1] == (rolled["won"], rolled["lost"])


def test_tables_siege_carthage_the_siege_train_takes_it_away():
    train = {"lasting": {"siege_train": "hannibal"}}
    assert the(siege_roll(besieging("capua", **train), 5), "siege_roll")["modifier"] == 0


def test_tables_siege_marcellus_with_a_campaign_card_and_africanus_with_a_force_march():
    """tables.siege.marcellus"""
    state = war(
        force("rome", "gades", 6, "marcellus"), force("carthage", "zama", 4, "hanno"), active="rome", cards=(37,)
    )
    state = do(do(state, "rome", "campaign", card=37).state, "rome", "campaign_move", general="marcellus").state
    assert the(siege_roll(state, 5, seat="rome"), "siege_roll")["modifier"] == 1
    two = siege_roll(
        besieging("gades", side="rome", general="scipio_africanus", card=61, use="event"), 4, 5, seat="rome"
    )
    assert [e.data["points"] for e in two.events if e.type == "siege_roll"] == [1, 2]
    tribe = besieging("aquitani", side="rome", general="scipio_africanus", card=61, use="event")
    assert kinds(siege_roll(tribe, 4, seat="rome")).count("siege_roll") == 1


def test_siege_1_three_units_and_siege_4_the_point_is_marked_and_siege_7_from_then_it_is_besieged():
    assert offered(besieging(units=2), "carthage", "besiege") == []
    refused(besieging(units=2), "carthage", "besiege", "siege.1", general="hannibal", units=2, elephants=0)
    assert not besieging(units=3).spaces["capua"].besieged()
    assert not siege_roll(besieging(units=3), 2).state.spaces["capua"].besieged()
    outcome = siege_roll(besieging(units=3), 5)
    place = outcome.state.spaces["capua"]
    assert (place.siege, place.besieger) == (1, "carthage") and place.besieged() and outcome.state.march is None


def test_siege_2_a_subordinate_is_detached_with_three_and_the_army_marches_on():
    """siege.2: a consul needs five."""
    state = war(force("carthage", "capua", 8, "hannibal", "mago"), FAR)
    state = march(state, "hannibal")
    refused(state, "carthage", "besiege", "siege.2", general="mago", units=2, elephants=0)
    state = do(state, "carthage", "besiege", 5, general="mago", units=3, elephants=0).state
    assert state.spaces["capua"].siege == 1
    refused(state, "carthage", "step", "siege.2", to="beneventum", units=6, elephants=0, companions=[])
    state = step(state, "beneventum", 5)
    assert state.spaces["capua"].carthage == Troops(3) and state.spaces["capua"].siege == 1
    roman = march(
        war(
            force("rome", "gades", 9, "scipio_africanus", "nero"),
            force("carthage", "zama", 4, "hanno"),
            active="rome",
            ranks={"nero": "proconsul", "scipio_africanus": "consul"},
        ),
        "scipio_africanus",
    )
    refused(roman, "rome", "besiege", "siege.2", general="nero", units=2, elephants=0)


def test_siege_3_one_roll_a_city_and_card():
    """siege.3, siege.more.1"""
    state = war(force("carthage", "capua", 8, "hannibal", "mago"), FAR)
    state = do(march(state, "hannibal"), "carthage", "besiege", 2, general="mago", units=3, elephants=0).state
    refused(state, "carthage", "besiege", "siege.3", general="hannibal", units=8, elephants=0)


def test_siege_more_1_no_battle_and_siege_by_one_army_on_a_card():
    """siege.more.1: the general who fought, moved by a campaign card, may not besiege."""
    from msgspec.structs import replace

    state = besieging()
    state = replace(state, play=replace(state.playing(), fought=("hannibal",)))
    refused(state, "carthage", "besiege", "siege.more.1", general="hannibal", units=6, elephants=0)


def test_siege_5_a_city_falls_at_three_points_with_all_inside_and_siege_more_4_its_marker_turns_and_cities_1_only_so():
    assert siege_roll(besieging(siege=1, garrison=2), 5).state.spaces["capua"].control == "rome"
    outcome = siege_roll(besieging(siege=2, garrison=2), 5)
    place = outcome.state.spaces["capua"]
    assert (place.control, place.inside, place.siege) == ("carthage", Troops(), 0)
    assert the(outcome, "city_taken")["destroyed"] == 2


def test_siege_5_a_general_inside_is_displaced():
    state = war(
        force("carthage", "capua", 6, "hannibal"),
        force("rome", "capua", 0, "nero", inside=1),
        cards=(33, 35),
        places={"capua": {"siege": 2, "besieger": "carthage"}},
    )
    outcome = siege_roll(march(state, "hannibal"), 5)
    assert outcome.state.generals["nero"].status == "pool"


def test_siege_8_the_points_go_when_the_besieger_leaves_and_siege_more_3_not_before():
    """siege.8, siege.more.3"""
    state = besieging(siege=1, units=6)
    stays = step(state, "beneventum", 5)
    assert stays.spaces["capua"].siege == 1
    leaves = step(state, "beneventum", 6)
    assert leaves.spaces["capua"].siege == 0


def test_victory_6_the_fall_of_a_capital_ends_the_game():
    outcome = siege_roll(besieging("rome", siege=2), 6)
    assert outcome.state.result.winner == "carthage" and outcome.state.phase == "over"
    roman = siege_roll(besieging("carthage", siege=2, side="rome", general="nero"), 5, seat="rome")
    assert roman.state.result.winner == "rome"


def test_cities_2_two_inside_and_five_in_a_capital():
    from strategic.hannibal.tables import room

    assert (room("capua"), room("rome"), room("carthage"), room("cannae")) == (2, 5, 5, 0)


def test_cities_3_units_inside_are_not_attacked():
    state = war(
        force("carthage", "beneventum", 6, "hannibal"),
        force("rome", "capua", 0, inside=2),
        force("rome", "agrigentum", 5),
    )
    state = step(march(state, "hannibal"), "capua", 6)
    assert state.battle is None and asked(state) == "march"


def test_cities_general_1_a_city_counts_as_a_pc_and_tribes_general_1_a_tribe_too_and_tribes_2_those_of_carthage():
    state = war(force("carthage", "zama", 4, "hanno"), FAR)
    assert count_on_board(state, "rome", "campania") == 2
    assert count_on_board(state, "carthage", "gallia_cisalpina") == 2
    assert count_on_board(state, "carthage", "lucania") == 1


def test_subjugation_1_like_a_siege_and_subjugation_2_a_pc_takes_its_place_and_siege_more_4_for_good_and_tribes_1_only_so():
    outcome = siege_roll(besieging("averni", siege=2), 5)
    place = outcome.state.spaces["averni"]
    assert (place.tribe, place.control, place.siege) == (False, "carthage", 0)
    first = siege_roll(besieging("averni"), 6)
    assert first.state.spaces["averni"].siege == 1 and first.state.spaces["averni"].tribe
    assert first.state.spaces["averni"].control is None


def test_subjugation_1_rome_may_subjugate_the_tribes_of_carthage():
    outcome = siege_roll(besieging("boii", side="rome", general="nero", siege=2), 4, seat="rome")
    assert outcome.state.spaces["boii"].control == "rome"


def test_siege_6_a_besieged_force_with_a_general_makes_a_sortie():
    state = war(
        force("carthage", "capua", 3, "mago"),
        force("rome", "capua", 0, "nero", inside=2),
        active="rome",
        places={"capua": {"siege": 1, "besieger": "carthage"}},
    )
    state = march(state, "nero")
    refused(state, "rome", "step", "siege.6", to="rome", units=2, elephants=0, companions=[])
    state = do(state, "rome", "sortie", units=2, elephants=0, companions=[]).state
    battle = state.fighting()
    assert battle.sortie and battle.attacker == "rome" and state.spaces["capua"].rome == Troops(2)


def test_siege_6_they_join_the_battle_of_a_friendly_army():
    state = war(
        force("carthage", "capua", 3, "mago"),
        force("rome", "capua", 0, "nero", inside=2),
        force("rome", "rome", 6, "marcellus"),
        active="rome",
        places={"capua": {"siege": 1, "besieger": "carthage"}},
    )
    state = step(march(state, "marcellus"), "capua", 6)
    if asked(state) == "avoid":
        state = do(state, "carthage", "stand").state
    assert asked(state) == "join"
    state = do(state, "rome", "join", generals=["nero"], units=2, elephants=0).state
    assert state.spaces["capua"].rome == Troops(8) and state.fighting().start["rome"] == 8
