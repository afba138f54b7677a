"""Interception, avoidance, pursuit, as Hamilcar inherits them from the older game."""

from __future__ import annotations

from kit.hamilcar_marching import (
    ADHERBAL,
    HIMILCO,
    METELLUS,
    REGULUS,
    marching,
    refused,
)
from kit.hamilcar_war import army, control, empty
from strategic.hamilcar.state import State
from strategic.point_to_point.state import Troops


def beside(punic: int = 5, *generals: str, roman: int = 6) -> State:
    """Metellus in Capua, Carthaginians in Beneventum; Terventum between them is nobody's."""
    state = army(empty(), "rome", "capua", roman, METELLUS)
    state = army(state, "carthage", "beneventum", punic)
    for name in generals:
        state = army(state, "carthage", "beneventum", 0, name)
    return control(state, None, "beneventum", "terventum", "arpi")


def test_interception_general_6_who_failed_to_intercept_does_not_avoid_the_same_army() -> None:
    table = marching(beside(5, HIMILCO), "rome", METELLUS)
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    table.say("carthage", "intercept", general=HIMILCO, units=5, elephants=0)
    table.say("carthage", "done", 6)
    table.say("rome", "step", to="beneventum", units=6, elephants=0)
    assert table.state.battle is not None and not table.told("avoided")  # nobody is asked: he can only stand


def test_interception_1b_with_generals_who_stay_stays_a_unit() -> None:
    table = marching(beside(4, HIMILCO, ADHERBAL), "rome", METELLUS)
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    refused(table, "carthage", "intercept", "interception.1b", general=HIMILCO, units=4, elephants=0)
    assert (
        max(
            o.fields["units"]["to"]
            for o in table.offers("carthage", "intercept")
            if o.fields["generals"] == [[HIMILCO]]
        )
        == 3
    )


def test_interception_1_several_generals_of_a_space_may_go_together() -> None:
    table = marching(beside(4, HIMILCO, ADHERBAL), "rome", METELLUS)
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    both = {"space": "beneventum", "generals": [HIMILCO, ADHERBAL]}
    table.say("carthage", "intercept", **both, units=4, elephants=0)
    table.say("carthage", "done", 1)
    assert {name for name in (HIMILCO, ADHERBAL) if table.state.generals[name].space == "terventum"} == {
        HIMILCO,
        ADHERBAL,
    }


def test_interception_general_1_a_general_alone_is_caught_and_goes_back_or_is_displaced() -> None:
    state = beside(4, HIMILCO, roman=0)
    table = marching(state, "rome", METELLUS)
    table.say("rome", "step", to="terventum", units=0, elephants=0)
    table.say("carthage", "intercept", general=HIMILCO, units=4, elephants=0)
    table.say("carthage", "done", 1)
    caught = table.state
    table.say("rome", "go_back")
    assert table.state.generals[METELLUS].space == "capua"
    table.state = caught
    table.say("rome", "accept_battle")
    assert table.state.generals[METELLUS].status == "pool"


def test_avoid_1_a_general_alone_may_go_into_his_city_or_slip_away() -> None:
    """avoid.1, avoid.1a Adherbal before his own Lilybaeum."""
    state = army(empty(), "rome", "panormus", 4, REGULUS)
    state = control(army(state, "carthage", "lilybaeum", 0, ADHERBAL), "rome", "panormus")
    table = marching(state, "rome", REGULUS)
    table.say("rome", "step", to="lilybaeum", units=4, elephants=0)
    assert table.asked() == ("avoid", "carthage")
    table.say("carthage", "shelter", generals=[ADHERBAL], units=0, elephants=0)
    assert table.state.generals[ADHERBAL].inside and table.state.generals[ADHERBAL].status == "board"


def test_avoid_3a_part_of_an_army_slips_away_and_generals_may_stay() -> None:
    state = control(beside(6, HIMILCO, ADHERBAL), "carthage", "cannae")
    table = marching(state, "rome", METELLUS)
    table.say("rome", "step", to="beneventum", units=6, elephants=0)
    to = table.offers("carthage", "avoid")[0].fields["to"][0]
    table.say("carthage", "avoid", 1, to=to, generals=[HIMILCO], units=4, elephants=0)
    assert table.state.spaces[to].carthage == Troops(4) and table.state.generals[ADHERBAL].space == "beneventum"


def test_pursuit_1_when_part_avoids_and_the_rest_is_overrun_there_is_a_pursuit_roll_and_pursuit_2c_after_a_failure_it_stops() -> (
    None
):
    table = marching(control(beside(5, HIMILCO), "carthage", "cannae"), "rome", METELLUS)
    table.say("rome", "step", to="beneventum", units=6, elephants=0)
    to = table.offers("carthage", "avoid")[0].fields["to"][0]
    table.say("carthage", "avoid", 1, to=to, generals=[HIMILCO], units=4, elephants=0)
    assert table.told("overrun") and table.asked() == ("pursuit", "rome")
    table.say("rome", "pursue", 6)
    assert table.state.marching().stopped


def test_movement_land_4_who_has_intercepted_is_not_overrun() -> None:
    table = marching(beside(1, HIMILCO), "rome", METELLUS)
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    table.say("carthage", "intercept", general=HIMILCO, units=1, elephants=0)
    table.say("carthage", "done", 1)
    table.say("rome", "accept_battle")
    assert table.state.battle is not None


def test_cities_3_units_inside_a_city_stop_no_march() -> None:
    state = army(army(empty(), "rome", "capua", 6, REGULUS), "carthage", "neapolis", 2, inside=True)
    state = control(state, "carthage", "neapolis")
    table = marching(state, "rome", REGULUS)
    table.say("rome", "step", to="neapolis", units=6, elephants=0)
    assert not table.state.marching().stopped
