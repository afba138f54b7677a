"""Commands, walls, offers and people, as Hamilcar inherits them from the older game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_marching import (
    ADHERBAL,
    CAUDEX,
    COTTA,
    DUILIUS,
    GISCO,
    HANNO,
    METELLUS,
    REGULUS,
    marching,
    plain,
    refused,
)
from kit.hamilcar_war import THREE, army, control, empty, ships, turn_of
from strategic.hamilcar.rules.reinforcements import posts
from strategic.hamilcar.state import General
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import displace_all

FLACCUS = "quintus_fulvius_flaccus"


BARCA, CAMPAIGN = "hamilcar_barca", 37


def test_movement_command_5_units_moved_again_go_four_points_in_all() -> None:
    """movement.command.5 Adherbal takes six CUs and Hanno three spaces; then Hanno has one space left with them."""
    state = army(army(empty(), "rome", "capua", 6, REGULUS), "rome", "capua", 0, DUILIUS)
    state = control(state, None, "beneventum", "arpi", "cannae", "terventum")
    table = turn_of(state, "rome", CAMPAIGN)
    table.say("rome", "campaign", card=CAMPAIGN)
    table.say("rome", "campaign_move", general=REGULUS)
    for to in ("beneventum", "arpi", "cannae"):
        table.say("rome", "step", to=to, units=6, elephants=0, companions=[DUILIUS])
    table.say("rome", "halt")
    table.say("rome", "campaign_move", general=DUILIUS)
    assert table.state.marching().points == 1
    back = table.state
    table.say("rome", "step", to="arpi", units=6, elephants=0)
    assert table.state.spaces["arpi"].rome == Troops(6)
    table.state = replace(back, march=replace(back.marching(), points=4))
    table.say("rome", "step", to="arpi", units=6, elephants=0)
    refused(table, "rome", "step", "movement.command.5", to="beneventum", units=6, elephants=0)


def test_movement_land_1c_an_equal_of_higher_battle_rating_comes_along() -> None:
    """movement.land.1c A consul follows no proconsul."""
    state = army(army(empty(), "rome", "capua", 6, DUILIUS, rank="consul"), "rome", "capua", 0, REGULUS, rank="consul")
    table = marching(state, "rome", DUILIUS)
    assert [REGULUS] in [offer.fields["companions"][0] for offer in table.offers("rome", "step")]
    state = state.with_general(DUILIUS, General("board", "capua", False, "proconsul"))
    table = marching(state, "rome", DUILIUS)
    refused(table, "rome", "step", "movement.land.1c", to="neapolis", units=6, elephants=0, companions=[REGULUS])


def test_movement_command_5_a_subordinate_is_activated_and_parts_from_his_commander() -> None:
    state = army(army(empty(), "carthage", "lilybaeum", 4, ADHERBAL), "carthage", "lilybaeum", 0, GISCO)
    table = turn_of(state, "carthage", THREE)
    assert GISCO in [name for o in table.offers("carthage", "activate") for name in o.fields["general"]]
    table.say("carthage", "activate", card=THREE, general=GISCO)
    table.say("carthage", "step", to="drepanum", units=2, elephants=0)
    assert table.state.generals[GISCO].space == "drepanum" and table.state.generals[ADHERBAL].space == "lilybaeum"


def test_movement_general_4_units_move_from_both_sides_of_the_walls() -> None:
    """A general outside takes the CUs inside along."""
    state = army(army(empty(), "carthage", "lilybaeum", 3, ADHERBAL), "carthage", "lilybaeum", 2, inside=True)
    table = marching(state, "carthage", ADHERBAL)
    table.say("carthage", "step", to="drepanum", units=5, elephants=0)
    assert table.state.spaces["drepanum"].carthage == Troops(5) and table.state.spaces["lilybaeum"].inside == Troops()


def test_movement_general_4_the_owner_arranges_who_is_inside() -> None:
    """movement.general.4 A free act before the card; with trains too."""
    state = army(empty(), "carthage", "lilybaeum", 4, ADHERBAL, trains=2)
    table = turn_of(state, "carthage", THREE)
    table.say("carthage", "arrange", space="lilybaeum", units=2, elephants=0, trains=1, generals=[ADHERBAL])
    place = table.state.spaces["lilybaeum"]
    assert place.inside == Troops(2, 0, 1) and place.carthage == Troops(2, 0, 1)
    assert table.state.generals[ADHERBAL].inside and table.asked() == ("impulse", "carthage")


def test_siege_2_a_subordinate_is_detached_to_besiege_and_the_army_marches_on() -> None:
    state = army(army(empty(), "rome", "panormus", 8, REGULUS), "rome", "panormus", 0, DUILIUS)
    table = marching(replace(control(state, "rome", "panormus"), supremacy="rome"), "rome", REGULUS)
    table.say("rome", "step", to="lilybaeum", units=8, elephants=0, companions=[DUILIUS])
    table.say("rome", "besiege", 4, general=DUILIUS, units=3, elephants=0)
    assert table.state.spaces["lilybaeum"].siege == 1 and table.asked() == ("move", "rome")
    refused(table, "rome", "step", "siege.2", to="drepanum", units=6, elephants=0)
    table.say("rome", "step", to="drepanum", units=5, elephants=0)
    assert table.state.spaces["lilybaeum"].rome == Troops(3) and table.state.spaces["lilybaeum"].siege == 1


@pytest.mark.parametrize(
    "word, fields",
    [
        ("sortie", {}),
        ("enter", {}),
    ],
)
def test_18_1_a_consuls_whole_force_acts_whatever_its_size(word: str, fields: dict[str, Any]) -> None:
    """18.1, H13 Two CUs make a sortie, and go inside."""
    inside = word == "sortie"
    state = army(empty(), "rome", "regium", 2, COTTA, inside=inside, rank="consul")
    if inside:
        state = army(state, "carthage", "regium", 4, HANNO)
    table = marching(state, "rome", COTTA)
    table.say("rome", word, units=2, elephants=0, **fields)
    assert table.state.battle is not None if inside else table.state.spaces["regium"].inside == Troops(2)


def test_18_1_a_consul_of_two_avoids_with_both_and_leaves_none() -> None:
    state = army(empty(), "carthage", "arpi", 6, HANNO)
    state = plain(army(state, "rome", "beneventum", 2, METELLUS, rank="consul"), "arpi")
    table = marching(state, "carthage", HANNO)
    table.say("carthage", "step", to="beneventum", units=6, elephants=0)
    to = table.offers("rome", "avoid")[0].fields["to"][0]
    refused(table, "rome", "avoid", "18.1", to=to, generals=[METELLUS], units=1, elephants=0)
    table.say("rome", "avoid", 1, to=to, generals=[METELLUS], units=2, elephants=0)
    assert table.state.spaces[to].rome == Troops(2)


def test_18_1_caudex_with_two_units_may_sail() -> None:
    """18.1, 11.1 He takes both along; he does not go without them."""
    state = ships(army(empty(), "rome", "messana", 2, CAUDEX, rank="consul"), "rome", 2)
    table = turn_of(state, "rome", THREE)
    table.say("rome", "activate", card=THREE, general=CAUDEX)
    refused(table, "rome", "sail", "18.1", to="regium", ships=1, units=0, elephants=0)
    table.say("rome", "sail", to="regium", ships=1, units=2, elephants=0)
    assert table.told("sailed")


def test_8_2_1_trains_and_elephants_may_be_left_behind_and_all_of_it_is_offered() -> None:
    """8.2.1, 11.1.1"""
    state = army(empty(), "carthage", "lilybaeum", 3, ADHERBAL, trains=2, elephants=2)
    table = marching(state, "carthage", ADHERBAL)
    steps = [o.fields for o in table.offers("carthage", "step") if "drepanum" in o.fields["to"]]
    assert {fields["elephants"] for fields in steps} == {0, 1, 2}
    assert {train for fields in steps for train in fields["trains"]} == {0, 1, 2}
    table.say("carthage", "step", to="drepanum", units=2, elephants=1, trains=1)
    assert table.state.spaces["lilybaeum"].carthage == Troops(1, 1, 1)


def test_6_1_3_b_barca_on_turn_seven_comes_to_a_port_of_sicily_or_to_carthage() -> None:
    """6.1.3.a, 6.1.3.b"""
    state = control(empty(), "carthage", "carales", "utica", "lilybaeum", "panormus")
    found = posts(state, BARCA)
    assert "lilybaeum" in found and not {"carales", "utica"} & set(found)


def test_6_4_d_flaccus_displaced_on_turn_one_does_not_come_back() -> None:
    for option, status in ((True, "out"), (False, "pool")):
        state = army(empty(flaccus_leaves=option), "rome", "pisae", 0, FLACCUS)
        state, _ = displace_all(state, (FLACCUS,), "movement.land.5a")
        assert state.generals[FLACCUS].status == status
