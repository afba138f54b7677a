"""movement.land.5a, movement.land.1e Nobody stands alone among enemy CUs, nor beside an enemy who is alone too."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, War, army, control, empty, no_storms, ships, turn_of
from kit.hamilcar_winter import budget
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import ground
from strategic.point_to_point.state import Troops
from tactical.kernel.protocol import Illegal

REGULUS, COTTA, METELLUS = "marcus_atilius_regulus", "gaius_aurelius_cotta", "lucius_caecilius_metellus"
GISCO, HANNO, HIMILCO, ADHERBAL = "hannibal_gisco", "hanno", "himilco", "adherbal"
CAMPAIGN = 37


def besieging(units: int = 5, inside: int = 1, points: int = 2) -> State:
    """Metellus before Lilybaeum, whose garrison is inside."""
    state = army(army(empty(), "rome", "lilybaeum", units, METELLUS), "carthage", "lilybaeum", inside, inside=True)
    place = state.spaces["lilybaeum"]
    return state.with_place("lilybaeum", replace(place, siege=points, besieger="rome" if points else None))


def off_clupea(winner: str) -> War:
    """Adherbal sails to Clupea, and Metellus meets him from his camp before Lilybaeum, with all his five."""
    state = army(besieging(), "carthage", "carthago", 4, ADHERBAL)
    table = turn_of(ships(ships(state, "rome", 3), "carthage", 3), "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general=ADHERBAL)
    table.say("carthage", "sail", to="clupea", ships=1, units=4, elephants=0)
    table.say("rome", "sea_intercept", 1, ships=1, tries=[{"general": METELLUS, "units": 5}])
    if table.asked()[0] == "turn_back":
        table.say("carthage", "fight_at_sea")
    loser = "rome" if winner == "carthage" else "carthage"
    outcome = {"winner": winner, "turns": 2, "sides": {loser: {"evaded": True}}, "supremacy": winner}
    table.say("umpire", "settle", engagement=table.state.engaged().id, outcome=outcome)
    return table


@pytest.mark.parametrize("winner", ["rome", "carthage"])
def test_h10_b_an_interceptor_comes_back_to_his_camp_and_his_siege_stands(winner: str) -> None:
    """11.7.places.2, 11.7.places.3, cities.3 CUs inside walls shut nobody out of the camp before them."""
    table = off_clupea(winner)
    place = table.state.spaces["lilybaeum"]
    assert table.state.generals[METELLUS].space == "lilybaeum"
    assert (place.rome.units, place.siege, place.besieger) == (5, 2, "rome")


def test_h10_b_who_turns_back_is_in_his_camp_again_and_moves_no_more_on_this_card() -> None:
    """11.6.7, movement.command.5 The siege stands, and the five do not march on under Cotta."""
    state = army(army(besieging(), "rome", "lilybaeum", 0, COTTA), "carthage", "panormus", 2, HANNO)
    state = replace(ships(ships(state, "rome", 2), "carthage", 2), supremacy="rome")
    table = turn_of(state, "rome", CAMPAIGN)
    table.say("rome", "campaign", card=CAMPAIGN)
    table.say("rome", "campaign_move", general=METELLUS)
    table.say("rome", "sail", to="drepanum", ships=1, units=5, elephants=0)
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": HANNO}])
    table.say("rome", "turn_back")
    table.say("carthage", "after_sea", choice="home")
    assert table.state.marching().stopped and table.state.spaces["lilybaeum"].siege == 2
    table.say("rome", "halt")
    table.say("rome", "campaign_move", general=COTTA)
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "step", to="drepanum", units=5, elephants=0)
    assert refusal.value.rule == "movement.command.5"


def test_11_7_places_2_an_interceptor_who_lands_displaces_who_stands_alone_and_takes_the_trains() -> None:
    """movement.land.5a, 8.2.1.capture Adherbal and three land at Panormus after Carthage's enemy turned back."""
    state = army(army(empty(), "rome", "panormus", 0, COTTA, trains=2), "rome", "messana", 3, REGULUS)
    state = army(state, "carthage", "lilybaeum", 3, ADHERBAL)
    state = replace(ships(ships(state, "rome", 2), "carthage", 2), supremacy="rome")
    table = turn_of(state, "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "sail", to="panormus", ships=1, units=3, elephants=0)
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": ADHERBAL, "units": 3}])
    table.say("rome", "turn_back")
    table.say("carthage", "after_sea", choice="land")
    assert table.state.generals[COTTA].status == "pool"
    assert table.state.spaces["panormus"].carthage == Troops(3, 0, 2)
    assert table.state.spaces["panormus"].rome == Troops()


def test_11_6_7_a_an_interceptor_without_units_does_not_land_beside_an_enemy_alone() -> None:
    """movement.land.1e Nothing is asked: he goes home."""
    state = army(army(empty(), "rome", "panormus", 0, COTTA), "rome", "messana", 3, REGULUS)
    state = army(state, "carthage", "lilybaeum", 3, ADHERBAL)
    state = replace(ships(ships(state, "rome", 2), "carthage", 2), supremacy="rome")
    table = turn_of(state, "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "sail", to="panormus", ships=1, units=3, elephants=0)
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": ADHERBAL}])
    table.say("rome", "turn_back")
    assert table.state.generals[ADHERBAL].space == "lilybaeum" and table.state.generals[COTTA].space == "panormus"


def test_movement_land_5a_going_back_leaves_a_friend_and_trains_among_the_interceptors() -> None:
    """interception.3a, 8.2.1.capture Cotta is displaced, the two trains are Himilco's."""
    state = army(army(empty(), "rome", "cannae", 0, COTTA, trains=2), "rome", "arpi", 5, REGULUS)
    table = turn_of(army(state, "carthage", "beneventum", 5, HIMILCO), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="cannae", units=5, elephants=0)
    table.say("carthage", "intercept", space="beneventum", generals=[HIMILCO], units=5, elephants=0)
    table.say("carthage", "done", 1)
    table.say("rome", "go_back")
    assert table.state.generals[COTTA].status == "pool" and table.state.generals[REGULUS].space == "arpi"
    assert table.state.spaces["cannae"].carthage == Troops(5, 0, 2)


def test_movement_land_1e_no_companion_is_left_alone_with_an_enemy_alone_by_land_or_sea() -> None:
    state = army(army(empty(), "rome", "enna", 0, COTTA), "rome", "enna", 0, REGULUS)
    table = turn_of(army(state, "carthage", "panormus", 0, HANNO), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="panormus", units=0, elephants=0, companions=[COTTA])
    for word, to in (("step", "tyndaris"), ("sail", "messana")):
        more = {"ships": 0} if word == "sail" else {}
        with pytest.raises(Illegal) as refusal:
            table.say("rome", word, to=to, units=0, elephants=0, **more)
        assert refusal.value.rule == "movement.land.1e"
    assert all(
        offer.fields["companions"] == [[COTTA]] for word in ("step", "sail") for offer in table.offers("rome", word)
    )


def test_winter_attrition_displaces_no_general_and_8_2_1_capture_his_trains_go_to_the_garrison() -> None:
    """Metellus and his last CU freeze before Lilybaeum: two of his three trains fit inside with one there."""
    state = army(besieging(1, points=0), "carthage", "lilybaeum", 0, trains=1, inside=True)
    state = army(state, "rome", "lilybaeum", 0, trains=2)
    state = no_storms(replace(state, phase="winter", active=None, hands={"rome": (), "carthage": ()}, turn=9))
    table = War(state)
    table.say("rome", "pass", 6)
    assert not table.told("displaced") and table.state.generals[METELLUS].space == "lilybaeum"
    assert table.state.spaces["lilybaeum"].inside == Troops(1, 0, 2)
    assert [told["trains"] for told in table.told("trains_destroyed")] == [1]


def test_movement_land_5a_a_recruit_of_the_budget_displaces_who_stands_alone_before_the_capital() -> None:
    """22.2.h Regulus stands before Carthage."""
    state = army(empty(), "rome", "carthago", 0, REGULUS)
    table = budget({"rome": 20, "carthage": 8}, state)
    while table.asked()[0] != "budget":
        table.say("rome", "done")
    table.say("carthage", "recruit")
    assert [told["general"] for told in table.told("displaced")] == [REGULUS]


def test_strategy_ops_3_a_unit_is_raised_in_a_city_before_which_enemies_stand_until_the_first_siege_point() -> None:
    """siege.7 It comes inside; from the first siege point none does."""
    for points, allowed in ((0, True), (1, False)):
        state = army(empty(), "carthage", "lilybaeum", 1, ADHERBAL, inside=True)
        state = army(state, "rome", "lilybaeum", 3, REGULUS)
        state = control(state, "carthage", *(space for space in state.spaces if ground(space).province == "sicilia"))
        place = state.spaces["lilybaeum"]
        state = state.with_place("lilybaeum", replace(place, siege=points, besieger="rome" if points else None))
        table = turn_of(state, "carthage", THREE)
        offered = [name for offer in table.offers("carthage", "raise_unit") for name in offer.fields["general"]]
        assert (ADHERBAL in offered) is allowed
        if allowed:
            table.say("carthage", "raise_unit", card=THREE, general=ADHERBAL)
            assert table.state.spaces["lilybaeum"].inside.units == 2


def test_6_2_a_two_units_may_join_a_roman_alone_before_an_enemy_garrison() -> None:
    from strategic.hamilcar.rules.reinforcements import ROME, places_for

    state = army(army(empty(), "rome", "lilybaeum", 0, REGULUS), "carthage", "lilybaeum", 1, inside=True)
    assert "lilybaeum" in places_for(state, "rome", "free") and "lilybaeum" not in places_for(state, "rome", ROME)


def test_11_1_b_units_go_three_lanes_by_sea_on_one_card_under_however_many_generals() -> None:
    """movement.command.5 Regulus brings four two lanes; Cotta takes them one farther, and no more."""
    state = army(army(empty(), "rome", "roma", 4, REGULUS), "rome", "regium", 0, COTTA)
    table = turn_of(state, "rome", CAMPAIGN)
    table.say("rome", "campaign", card=CAMPAIGN)
    table.say("rome", "campaign_move", general=REGULUS)
    for to in ("neapolis", "regium"):
        table.say("rome", "sail", to=to, ships=0, units=4, elephants=0)
    table.say("rome", "halt")
    table.say("rome", "campaign_move", general=COTTA)
    table.say("rome", "sail", to="messana", ships=0, units=4, elephants=0, companions=[REGULUS])
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "sail", to="panormus", ships=0, units=4, elephants=0)
    assert refusal.value.rule == "11.1.b"
    assert all(offer.fields["units"] == {"from": 0, "to": 0} for offer in table.offers("rome", "sail"))
    assert table.state.playing().lanes == {REGULUS: 3, COTTA: 1}
