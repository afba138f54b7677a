"""11.7 The naval battle by the game's own table: hands, rounds, manoeuvre, engagement."""

from __future__ import annotations

import pytest

from kit.hamilcar_naval_battle import (
    COTTA,
    at_round,
    carthage,
    fight,
    naval,
    rome,
)
from kit.hamilcar_war import TWO, army, empty, ships, turn_of
from strategic.hamilcar.rules.naval_battle import engage_hits
from tactical.kernel.protocol import Illegal


def test_11_7_hands_example_the_rating_its_number_and_11_2_a_supremacy_gives_one_card() -> None:
    """11.7.hands, H4 Rome with supremacy and a 2: three cards; Carthage with a 1: one."""
    table = fight(supremacy="rome")
    assert (len(rome(table).hand), len(carthage(table).hand)) == (3, 1)


def test_h4_a_fleet_without_general_has_no_card_but_for_supremacy() -> None:
    state = army(ships(ships(empty(), "rome", 1), "carthage", 1), "rome", "messana", 2, COTTA)
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=1, units=2, elephants=0)
    table.say("carthage", "sea_intercept", ships=1, tries=[])
    table.say("rome", "choose_way", engagement=table.state.engaged().id, way="own_table", side="rome")
    assert len(carthage(table).hand) == 1 and carthage(table).rating == 0


def test_11_7_rounds_the_holder_begins_and_a_change_counts_from_the_next_round_and_11_7_steps_three_for_each_side() -> (
    None
):
    """H5 Manoeuvre, engagement, third step; then the other side."""
    table = fight("fair_wind", "run", "run", "pursuit", supremacy="rome")
    assert table.asked() == ("manoeuvre", "rome")
    table = fight("run", "pursuit", "fair_wind", "pursuit")
    table.say("carthage", "pass")
    assert table.asked() == ("engage", "carthage")
    table.say("carthage", "engage", 1, target="ships")
    assert table.asked() == ("regroup", "carthage")
    table.say("carthage", "pass")
    assert table.asked() == ("manoeuvre", "rome")
    table.say("rome", "tactic", card="fair_wind", use="supremacy")
    assert table.state.supremacy == "rome"
    table.say("rome", "engage", 1, target="ships")
    table.say("rome", "pass")
    assert table.asked() == ("manoeuvre", "rome")  # round II is Rome's to begin
    assert naval(table.state).round == 2


def test_11_7_manoeuvre_one_card_a_manoeuvre_and_only_of_the_own_hand() -> None:
    """11.7.manoeuvre, H6"""
    table = fight("ambush", "broken_oars", "run", "run")
    with pytest.raises(Illegal):
        table.say("carthage", "tactic", card="run")
    table.say("carthage", "tactic", card="ambush")
    with pytest.raises(Illegal):
        table.say("carthage", "tactic", card="broken_oars")
    assert naval(table.state).discard == ("ambush",)


@pytest.mark.parametrize(
    "number, face, hits", [(1, 5, 0), (1, 6, 1), (2, 5, 1), (3, 4, 1), (4, 3, 1), (5, 2, 1), (5, 5, 2)]
)
def test_11_7_engage_one_die_in_the_column_of_the_round_and_11_7_engage_c_each_hit_sets_a_ship_aside(
    number: int, face: int, hits: int
) -> None:
    """H.table Hits set ships aside at once."""
    table = fight("run", "run", "pursuit", "pursuit", roman=4)
    at_round(table, number)
    table.say("carthage", "pass")
    table.say("carthage", "engage", face, target="ships")
    assert table.told("engaged")[0]["hits"] == hits
    assert len(rome(table).sunk) == hits and len(rome(table).ready) == 4 - hits


@pytest.mark.parametrize("number", [1, 3, 5])
def test_11_7_engage_the_hits_told_of_each_face_are_those_of_the_roll(number: int) -> None:
    """11.7.engage.d Before the die is thrown."""
    for face in range(1, 7):
        table = fight("run", "run", "pursuit", "pursuit", roman=4)
        at_round(table, number)
        table.say("carthage", "pass")
        told = engage_hits(table.state, "carthage", "ships")
        table.say("carthage", "engage", face, target="ships")
        assert table.told("engaged")[0]["hits"] == told[face - 1]


def test_11_7_engage_b_the_target_is_named_before_the_die_and_spare_hits_are_lost() -> None:
    """11.7.engage.b, H6 Two hits on one transport take one transport and no ship."""
    table = fight("run", "run", "pursuit", "pursuit", units=1)
    at_round(table, 5)
    table.say("carthage", "pass")
    table.say("carthage", "engage", 6, target="transports")
    assert rome(table).transports == 0 and len(rome(table).ready) == 2
    table.say("carthage", "pass")
    table.say("rome", "pass")
    with pytest.raises(Illegal):
        table.say("rome", "engage", 1, target="transports")  # Gisco brought none


def test_11_7_engage_a_a_fleet_without_a_ready_ship_does_nothing_and_h5_a_transports_alone_take_one_enemy_turn() -> (
    None
):
    """L1.2.a Transports alone take one enemy turn, and the round ends the battle; only the own
    table settles this.
    """
    table = fight("pursuit", "pursuit", "run", "run", roman=0, units=2)
    assert naval(table.state).round == 1 and table.asked() == ("manoeuvre", "carthage")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 6, target="transports")
    table.say("carthage", "pass")  # Rome cannot act
    table.rolls_for_prizes(1)
    outcome = next(iter(table.state.settled.values()))
    assert outcome.winner == "carthage" and outcome.of("rome").transports == 1
    assert table.state.spaces["messana"].rome.units == 1


@pytest.mark.parametrize(
    "seamanship, corvus, modifier", [(0, False, -1), (1, False, -1), (2, False, 0), (0, True, 0), (3, True, 1)]
)
def test_11_7_engage_d_seamanship_and_11_7_engage_e_the_corvus_modify_the_roman_die_and_11_8_1_help_him_and_h6_a_not_in_regrouping(
    seamanship: int, corvus: bool, modifier: int
) -> None:
    """Not that of Carthage, and not regrouping."""
    table = fight("run", "run", "pursuit", "pursuit", seamanship=seamanship, corvus=corvus)
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    assert table.told("engaged")[0]["modifier"] == 0
    table.say("carthage", "pass")
    table.say("rome", "pass")
    table.say("rome", "engage", 1, target="ships")
    assert table.told("engaged")[0]["modifier"] == modifier
    table.say("rome", "regroup", 1)  # Cotta is no admiral: a rolled 1 does, whatever the modifiers
    assert table.told("regrouped")[0]["success"] is True


def test_11_7_prizes_on_the_corvus_row_one_hit_is_a_prize() -> None:
    """11.7.prizes, H7 Modified 6 with the corvus against ships: one hit is a prize, the rest sink."""
    table = fight("pursuit", "pursuit", "run", "run", corvus=True, supremacy="rome", carthaginian=3)
    at_round(table, 4)
    table.say("rome", "pass")
    table.say("rome", "engage", 5, target="ships")
    assert (len(carthage(table).taken), len(carthage(table).sunk)) == (1, 1)


@pytest.mark.parametrize("corvus, face", [(False, 6), (True, 4)])
def test_11_7_prizes_without_the_corvus_or_below_its_row_there_is_none(corvus: bool, face: int) -> None:
    table = fight("pursuit", "pursuit", "run", "run", corvus=corvus, supremacy="rome")
    at_round(table, 3)
    table.say("rome", "pass")
    table.say("rome", "engage", face, target="ships")
    assert carthage(table).sunk and not carthage(table).taken


def test_11_7_supremacy_the_trident_row_takes_it_at_once() -> None:
    """11.7.supremacy, H7.a From a modified 7 on."""
    table = fight("run", "run", "pursuit", "pursuit", corvus=True)
    table.say("carthage", "pass")
    table.say("carthage", "engage", 6, target="ships")
    assert table.state.supremacy == "carthage"
    table.say("carthage", "pass")
    table.say("rome", "pass")
    table.say("rome", "engage", 6, target="ships")
    assert table.state.supremacy == "rome"
