"""8.2 What cards and points are for; 8.2.1 the trains."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import ONE, THREE, TWO, TWO_SHIPS, War, army, control, empty, ships, turn_of
from strategic.hamilcar.rules.survey import trains_of
from strategic.hamilcar.state import State
from strategic.point_to_point.state import Troops
from tactical.kernel.protocol import Illegal

GISCO, HANNO, REGULUS, FLACCUS = "hannibal_gisco", "hanno", "marcus_atilius_regulus", "quintus_fulvius_flaccus"


def camp() -> State:
    """Rome with an army in Capua, Carthage with one in Utica."""
    return army(army(empty(), "rome", "capua", 4, REGULUS), "carthage", "utica", 4, HANNO)


def test_8_2_points_may_be_split_and_8_2_b_for_a_ship_and_8_2_c_a_pc_in_the_council_and_8_2_d_a_train() -> None:
    """A 3: a ship repaired, a PC in the Council, a train."""
    table = turn_of(ships(camp(), "carthage", 0, 2), "carthage", THREE)
    table.say("carthage", "points", card=THREE)
    table.say("carthage", "repair", ship=table.state.unready("carthage")[0])
    table.say("carthage", "council", cell=(2, 2))
    table.say("carthage", "supply", at="utica")
    state = table.state
    assert len(state.ready("carthage")) == 1 and (2, 2) in state.council
    assert state.spaces["utica"].carthage.trains == 1
    assert state.spent["carthage"] == 3 and table.asked() == ("impulse", "rome")


def test_8_2_pcs_are_placed_for_a_point_each() -> None:
    table = turn_of(camp(), "rome", TWO)
    table.say("rome", "points", card=TWO)
    table.say("rome", "put", space="pisae")
    assert table.state.spaces["pisae"].control == "rome"
    with pytest.raises(Illegal):
        table.say("rome", "put", space="utica")
    table.say("rome", "done")
    assert table.asked() == ("impulse", "carthage")


def test_8_2_a_rome_trains_its_crews_with_a_card_of_two_ships() -> None:
    """8.2.a, 11.8.3.a The whole card is used up; a card with one ship will not do."""
    table = turn_of(camp(), "rome", TWO_SHIPS, THREE)
    with pytest.raises(Illegal):
        table.say("rome", "training", card=THREE)
    table.say("rome", "training", card=TWO_SHIPS)
    assert table.state.seamanship == 1 and table.asked() == ("impulse", "carthage")
    with pytest.raises(Illegal):
        turn_of(camp(), "carthage", TWO_SHIPS).say("carthage", "training", card=TWO_SHIPS)


def test_8_2_e_only_a_three_builds_as_many_ships_as_it_shows() -> None:
    for card, built in ((THREE, 1), (TWO_SHIPS, 2)):
        table = turn_of(camp(), "rome", card)
        table.say("rome", "build_ships", card=card)
        assert len(table.state.ready("rome")) == built
    table = turn_of(camp(), "rome", TWO)
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "build_ships", card=TWO)
    assert refusal.value.rule == "8.2.e"


def test_2_2_7_no_eleventh_ship_is_built() -> None:
    table = turn_of(ships(camp(), "rome", 9), "rome", TWO_SHIPS)
    table.say("rome", "build_ships", card=TWO_SHIPS)
    assert len(table.state.ships["rome"]) == 10
    full = turn_of(ships(camp(), "rome", 10), "rome", TWO_SHIPS)
    with pytest.raises(Illegal):
        full.say("rome", "build_ships", card=TWO_SHIPS)


def test_8_2_1_trains_go_with_armies_or_into_own_cities_and_8_2_1_size_do_not_count_in_an_army() -> None:
    """Not into an empty field, and an army of 10 CUs may have trains besides."""
    state = army(empty(), "rome", "capua", 10, REGULUS)
    table = turn_of(state, "rome", THREE)
    table.say("rome", "points", card=THREE)
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "supply", at="arpi")
    assert refusal.value.rule == "8.2.1"
    table.say("rome", "supply", at="capua")
    table.say("rome", "supply", at="tarentum", inside=True)
    table.say("rome", "supply", at="capua")
    assert table.state.spaces["capua"].rome == Troops(10, 0, 2)
    assert table.state.spaces["tarentum"].inside == Troops(0, 0, 1)
    assert table.state.spaces["capua"].rome.size == 10
    march = turn_of(army(empty(), "rome", "capua", 10, REGULUS, trains=2), "rome", TWO)
    march.say("rome", "activate", card=TWO, general=REGULUS)
    march.say("rome", "step", to="beneventum", units=10, elephants=0, trains=2)
    assert march.state.spaces["beneventum"].rome == Troops(10, 0, 2)


def test_8_2_1_limit_a_city_holds_as_many_trains_as_units() -> None:
    """8.2.1.limit Rome 5, others 2."""
    state = army(army(camp(), "rome", "tarentum", trains=2, inside=True), "rome", "roma", trains=4, inside=True)
    table = turn_of(state, "rome", TWO)
    table.say("rome", "points", card=TWO)
    with pytest.raises(Illegal):
        table.say("rome", "supply", at="tarentum", inside=True)
    table.say("rome", "supply", at="roma", inside=True)
    with pytest.raises(Illegal):
        table.say("rome", "supply", at="roma", inside=True)


def test_8_2_1_a_example_two_points_and_a_train_move_a_general_of_three() -> None:
    """8.2.1.a, 8.2.1.a.example The train is spent; without it the card does not do."""
    table = turn_of(army(empty(), "rome", "neapolis", 4, FLACCUS, trains=1), "rome", TWO)
    with pytest.raises(Illegal):
        table.say("rome", "activate", card=TWO, general=FLACCUS)
    table.say("rome", "activate", card=TWO, general=FLACCUS, trains=1)
    assert table.state.spaces["neapolis"].rome == Troops(4)
    assert table.state.marching().general == FLACCUS


def test_8_2_1_a_a_train_that_is_not_with_the_general_does_not_help() -> None:
    table = turn_of(army(army(empty(), "rome", "neapolis", 4, FLACCUS), "rome", "capua", 1, trains=1), "rome", TWO)
    with pytest.raises(Illegal):
        table.say("rome", "activate", card=TWO, general=FLACCUS, trains=1)


def test_8_2_1_burn_the_commander_destroys_trains_for_movement_points_and_2_2_6_spent_they_are_gone() -> None:
    table = turn_of(army(empty(), "rome", "capua", 4, REGULUS, trains=2), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=REGULUS)
    table.say("rome", "burn_trains", count=2)
    assert table.state.spaces["capua"].rome.trains == 0 and table.state.marching().points == 2


def test_8_2_1_trains_march_with_the_army() -> None:
    table = turn_of(army(empty(), "rome", "capua", 4, REGULUS, trains=2), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=REGULUS)
    table.say("rome", "step", to="beneventum", units=3, elephants=0, trains=2)
    assert table.state.spaces["beneventum"].rome == Troops(3, 0, 2)
    assert trains_of(table.state, "rome") == (("beneventum", False),)


def test_8_2_1_capture_a_general_without_units_loses_his_trains_to_an_army() -> None:
    """8.2.1.capture Left behind, trains go to the enemy who holds the field."""
    state = army(army(empty(), "rome", "capua", 4, REGULUS), "carthage", "beneventum", 0, trains=2)
    table = turn_of(control(state, None, "beneventum"), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=REGULUS)
    table.say("rome", "step", to="beneventum", units=4, elephants=0)
    assert table.state.spaces["beneventum"].rome == Troops(4, 0, 2)


def test_19_5_pcs_from_points_may_go_into_the_council() -> None:
    """19.5 Any number of them, one a cell; Rome has no part in it."""
    table = turn_of(camp(), "carthage", TWO)
    table.say("carthage", "points", card=TWO)
    table.say("carthage", "council", cell=(1, 2))
    with pytest.raises(Illegal):
        table.say("carthage", "council", cell=(1, 2))
    table.say("carthage", "council", cell=(3, 3))
    assert table.state.council == ((1, 1), (1, 2), (3, 3))
    roman = turn_of(camp(), "rome", TWO)
    roman.say("rome", "points", card=TWO)
    with pytest.raises(Illegal) as refusal:
        roman.say("rome", "council", cell=(1, 2))
    assert refusal.value.rule == "19.5"


def test_11_8_3_a_the_events_raise_seamanship_and_11_8_1_b_the_corvus_event_fits_it() -> None:
    """Cards 92, 103 and Corvus."""
    for card in (92, 103):
        table = turn_of(camp(), "rome", card)
        table.say("rome", "event", card=card)
        assert table.state.seamanship == 1
    table = turn_of(camp(), "rome", 200)
    table.say("rome", "event", card=200)
    assert table.state.corvus
    with pytest.raises(Illegal):
        turn_of(camp(), "carthage", 92).say("carthage", "event", card=92)


def test_h_budget_a_discard_counts_its_printed_value() -> None:
    """H.budget, 22.2 Every way of using a card up counts."""
    table = turn_of(camp(), "rome", THREE)
    table.say("rome", "discard", card=THREE)
    assert table.state.spent == {"rome": 3, "carthage": 0}


def test_18_1_a_consul_neither_goes_nor_stays_with_fewer_than_three() -> None:
    """18.1, H13"""
    state = army(empty(), "rome", "capua", 5, REGULUS, rank="consul")
    table = turn_of(army(state, "rome", "capua", 0, "gaius_duilius", rank="consul"), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=REGULUS)
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "step", to="beneventum", units=2, elephants=0)
    assert refusal.value.rule == "18.1"
    with pytest.raises(Illegal):
        table.say("rome", "step", to="beneventum", units=3, elephants=0)  # the other would keep 2
    table.say("rome", "step", to="beneventum", units=5, elephants=0, companions=["gaius_duilius"])
    assert table.state.spaces["beneventum"].rome.units == 5


def test_8_2_cards_on_the_table_are_declared() -> None:
    """8.2 With real cards a seat says what its card shows; hands are counted only."""
    state = replace(
        camp(), options=replace(camp().options, cards="table"), deck=(), hands={"rome": (0, 0), "carthage": (0,)}
    )
    table = War(replace(state, active="rome"))
    assert table.asked() == ("impulse", "rome")
    table.say("rome", "declare", side="rome", number=77, ops=2)
    table.say("rome", "points", card=77)
    table.say("rome", "done")
    assert table.state.spent["rome"] == 2 and table.state.hands["rome"] == (0,)


def test_8_2_a_dealt_deck_takes_no_declarations() -> None:
    with pytest.raises(Illegal):
        turn_of(camp(), "rome", TWO).say("rome", "declare", side="rome", number=ONE + 1, ops=2)
