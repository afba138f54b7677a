"""The march, interception, avoiding and pursuit that Hamilcar inherits of the older game: one test a paragraph."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from test_hamilcar_rounds_and_retreats import HANNO, HIMILCO, METELLUS, REGULUS, marching, refused

from kit.hamilcar_war import TWO, War, army, control, empty, turn_of
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import ground, ports_beside
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import count_on_board


def test_movement_general_1_units_move_only_together_with_a_general() -> None:
    """Regulus goes from Capua with four; the three in Neapolis have nobody to lead them and stay."""
    state = army(army(empty(), "rome", "capua", 4, REGULUS), "rome", "neapolis", 3)
    table = turn_of(state, "rome", TWO)
    assert {name for offer in table.offers("rome", "activate") for name in offer.fields["general"]} == {REGULUS}
    table.say("rome", "activate", card=TWO, general=REGULUS)
    refused(table, "rome", "step", "movement.general.1", to="beneventum", units=5, elephants=0)
    table.say("rome", "step", to="beneventum", units=4, elephants=0)
    assert table.state.spaces["beneventum"].rome == Troops(4) and table.state.generals[REGULUS].space == "beneventum"
    assert table.state.spaces["neapolis"].rome == Troops(3)


@pytest.mark.parametrize("to, left", [("aleria", 2), ("nuoro", 3)])
def test_movement_land_2_a_strait_costs_two_points_and_a_road_one(to: str, left: int) -> None:
    table = marching(army(empty(), "carthage", "sassari", 3, HIMILCO), "carthage", HIMILCO)
    table.say("carthage", "step", to=to, units=3, elephants=0)
    assert table.state.marching().at == to and table.state.marching().points == left


def test_movement_land_2_with_one_point_left_no_strait_is_crossed() -> None:
    table = marching(army(empty(), "carthage", "sassari", 3, HIMILCO), "carthage", HIMILCO)
    table.state = replace(table.state, march=replace(table.state.marching(), points=1))
    refused(table, "carthage", "step", "movement.land.2", to="aleria", units=3, elephants=0)


# interception


def two_armies() -> War:
    """Metellus comes from Capua to Terventum; Himilco (3) waits in Beneventum, Hanno (2) in Arpi."""
    state = army(army(empty(), "rome", "capua", 6, METELLUS), "carthage", "beneventum", 5, HIMILCO)
    state = control(army(state, "carthage", "arpi", 4, HANNO), None, "beneventum", "terventum", "arpi")
    table = marching(state, "rome", METELLUS)
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    return table


def test_interception_more_1_several_armies_all_named_before_any_die_and_interception_2_a_die_for_each() -> None:
    table = two_armies()
    table.say("carthage", "intercept", general=HIMILCO, units=5, elephants=0)
    assert table.asked() == ("intercept", "carthage") and not table.told("interception")
    refused(
        table,
        "carthage",
        "intercept",
        "interception.general.4",
        space="beneventum",
        generals=[HIMILCO],
        units=1,
        elephants=0,
    )
    table.say("carthage", "intercept", general=HANNO, units=4, elephants=0)
    table.say("carthage", "done", 4, 2)
    assert [(told["dice"], told["success"]) for told in table.told("interception")] == [([4], False), ([2], True)]
    assert table.state.spaces["terventum"].carthage == Troops(4) and table.state.spaces[
        "beneventum"
    ].carthage == Troops(5)


@pytest.mark.parametrize("space, asked", [("sassari", "move"), ("oristano", "intercept")])
def test_interception_4_never_over_a_strait(space: str, asked: str) -> None:
    """Metellus lands before Carales, next to Oristano by road, or in Aleria, across the strait from Sassari."""
    to = "aleria" if space == "sassari" else "carales"
    state = army(
        army(empty(), "rome", "roma" if to == "aleria" else "aleria", 4, METELLUS), "carthage", space, 5, HIMILCO
    )
    table = marching(control(state, None, "aleria", "carales"), "rome", METELLUS)
    table.say("rome", "sail", to=to, ships=0, units=4, elephants=0)
    assert table.asked()[0] == asked
    if asked == "move":
        assert not table.offers("carthage", "intercept")


# avoiding battle


def met(punic: int = 4, space: str = "arpi", start: str = "beneventum", free: tuple[str, ...] = ("cannae",)) -> War:
    """Regulus comes upon Himilco (3); these spaces beside him are nobody's."""
    state = army(army(empty(), "rome", start, 6, REGULUS), "carthage", space, punic, HIMILCO)
    open_field = () if ground(space).city else (space,)
    table = marching(control(state, None, *open_field, *free), "rome", REGULUS)
    table.say("rome", "step", to=space, units=6, elephants=0)
    return table


@pytest.mark.parametrize("die, away", [(1, True), (3, True), (4, False), (6, False)])
def test_avoid_2a_a_die_no_higher_than_the_commanders_rating(die: int, away: bool) -> None:
    table = met()
    table.say("carthage", "avoid", die, to="cannae", generals=[HIMILCO], units=4, elephants=0)
    assert table.told("avoided")[0]["success"] is away
    assert table.state.spaces["cannae" if away else "arpi"].carthage == Troops(4)


def test_avoid_3_up_to_ten_units_go_to_one_adjacent_space() -> None:
    table = met(12)
    refused(table, "carthage", "avoid", "avoid.3", to="cannae", generals=[HIMILCO], units=11, elephants=0)
    refused(table, "carthage", "avoid", "avoid.3b", to="brundisium", generals=[HIMILCO], units=10, elephants=0)
    table.say("carthage", "avoid", 1, to="cannae", generals=[HIMILCO], units=10, elephants=0)
    assert table.state.spaces["cannae"].carthage == Troops(10) and table.state.generals[HIMILCO].space == "cannae"


def test_avoid_4_not_over_a_strait_and_not_by_sea() -> None:
    """From Sassari only to Nuoro by road, not over the strait to Aleria; from the port of Panormus not to Lipara."""
    table = met(space="sassari", start="oristano", free=("nuoro", "aleria"))
    assert {to for offer in table.offers("carthage", "avoid") for to in offer.fields["to"]} == {"nuoro"}
    refused(table, "carthage", "avoid", "avoid.3b", to="aleria", generals=[HIMILCO], units=4, elephants=0)
    port = met(space="panormus", start="enna", free=("tyndaris", "lipara"))
    targets = {to for offer in port.offers("carthage", "avoid") for to in offer.fields["to"]}
    assert "tyndaris" in targets and "lipara" not in targets and "lipara" in ports_beside("panormus")
    refused(port, "carthage", "avoid", "avoid.3b", to="lipara", generals=[HIMILCO], units=4, elephants=0)


@pytest.mark.parametrize("die, goes_on", [(1, True), (3, True), (4, False)])
def test_pursuit_2a_a_die_no_higher_than_the_commanders_rating(die: int, goes_on: bool) -> None:
    """Regulus has a 3."""
    table = met()
    table.say("carthage", "avoid", 1, to="cannae", generals=[HIMILCO], units=4, elephants=0)
    table.say("rome", "pursue", die)
    assert table.state.marching().stopped is not goes_on


def test_pursuit_2c_after_a_failure_the_army_stops_but_may_make_its_siege() -> None:
    """Before Agrigentum, which Himilco has left."""
    table = met(space="agrigentum", start="enna", free=("camarina", "panormus"))
    table.say("carthage", "avoid", 1, to="camarina", generals=[HIMILCO], units=4, elephants=0)
    table.say("rome", "pursue", 6)
    refused(table, "rome", "step", "pursuit.2c", to="camarina", units=6, elephants=0)
    table.say("rome", "besiege", 6)
    assert table.state.spaces["agrigentum"].siege > 0


# walls and tribes


@pytest.mark.parametrize(
    "side, space, most",
    [("rome", "capua", 2), ("rome", "roma", 5), ("carthage", "carthago", 5), ("carthage", "utica", 2)],
)
def test_cities_2_two_units_inside_and_five_in_the_capitals(side: str, space: str, most: int) -> None:
    general = REGULUS if side == "rome" else HIMILCO
    table = turn_of(army(empty(), side, space, 6, general), side, TWO)  # type: ignore[arg-type]
    refused(table, side, "arrange", "cities.2", space=space, units=most + 1, elephants=0, generals=[])
    table.say(side, "arrange", space=space, units=most, elephants=0, generals=[])
    assert table.state.spaces[space].inside == Troops(most)


def test_cities_4_the_last_unit_slips_into_its_city_when_an_army_would_overrun_it() -> None:
    state = army(army(empty(), "rome", "enna", 6, REGULUS), "carthage", "agrigentum", 1)
    table = marching(state, "rome", REGULUS)
    table.say("rome", "step", to="agrigentum", units=6, elephants=0)
    assert table.asked() == ("avoid", "carthage")
    table.say("carthage", "shelter", generals=[], units=1, elephants=0)
    assert table.state.spaces["agrigentum"].inside == Troops(1) and not table.told("overrun")


def test_tribes_general_1_a_tribe_counts_as_the_pc_of_the_side_that_has_it() -> None:
    def with_volsinii(owner: str | None) -> State:
        return control(empty(), owner, "volsinii")  # type: ignore[arg-type]

    assert with_volsinii("rome").spaces["volsinii"].tribe
    neutral = count_on_board(with_volsinii(None), "rome", "etruria")
    assert count_on_board(with_volsinii("rome"), "rome", "etruria") == neutral + 1
    assert count_on_board(with_volsinii("carthage"), "rome", "etruria") == neutral
