"""Battles, sorties and retreats, as Hamilcar inherits them from the older game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_marching import (
    ADHERBAL,
    HANNO,
    HIMILCO,
    METELLUS,
    REGULUS,
    marching,
    plain,
    refused,
)
from kit.hamilcar_war import War, army, control, empty
from strategic.hamilcar.rules.land import hand_size
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import CHART, ground
from strategic.point_to_point.state import Troops


def hands(table: War, rome: tuple[str, ...], carthage: tuple[str, ...]) -> None:
    """Give both sides these battle cards."""
    battle = table.state.fighting()
    table.state = replace(table.state, battle=replace(battle, hands={"rome": rome, "carthage": carthage}, deck=()))


def test_siege_more_1_nobody_fights_and_besieges_on_one_card() -> None:
    """siege.more.1 Whoever has fought on this card besieges nothing, though only walls are left before him."""
    state = control(army(empty(), "rome", "capua", 8, METELLUS), "carthage", "neapolis")
    table = marching(state, "rome", METELLUS)
    table.say("rome", "step", to="neapolis", units=8, elephants=0)
    assert table.offers("rome", "besiege")
    table.state = replace(table.state, play=replace(table.state.playing(), fought=(METELLUS,)))
    assert not table.offers("rome", "besiege")
    refused(table, "rome", "besiege", "siege.more.1")


def test_battle_1_the_general_who_attacks_has_fought_on_this_card() -> None:
    """battle.1, siege.more.1"""
    state = control(
        army(army(empty(), "rome", "capua", 8, METELLUS), "carthage", "neapolis", 3, ADHERBAL), "carthage", "neapolis"
    )
    table = marching(state, "rome", METELLUS)
    table.say("rome", "step", to="neapolis", units=8, elephants=0)
    table.stands()
    assert table.state.playing().fought == (METELLUS,)


def besieged(side_inside: int = 2) -> State:
    """Lilybaeum besieged by four Romans, with Adherbal and 2 CUs inside; Hanno with 6 at Drepanum."""
    state = army(
        army(empty(), "carthage", "lilybaeum", side_inside, ADHERBAL, inside=True), "rome", "lilybaeum", 4, REGULUS
    )
    state = state.with_place("lilybaeum", replace(state.spaces["lilybaeum"], siege=1, besieger="rome"))
    return control(army(state, "carthage", "drepanum", 6, HANNO), "carthage", "drepanum")


def test_round_1c_5_a_sortie_withdraws_into_its_city() -> None:
    table = marching(besieged(), "carthage", ADHERBAL)
    table.say("carthage", "sortie", units=2, elephants=0)
    assert [o.fields["to"] for o in table.offers("carthage", "withdraw")] == [["city"]]
    table.say("carthage", "withdraw", 1, to="city")
    table.say("rome", "pass")
    assert table.state.spaces["lilybaeum"].inside == Troops(2) and table.state.generals[ADHERBAL].inside


def relieved() -> War:
    table = marching(besieged(), "carthage", HANNO)
    table.say("carthage", "step", to="lilybaeum", units=6, elephants=0)
    table.stands()
    table.say("carthage", "join", generals=[ADHERBAL], units=2, elephants=0)
    return table


def test_round_1c_5_those_who_joined_go_back_inside_when_the_relief_withdraws() -> None:
    table = relieved()
    table.say("carthage", "withdraw", 1, to="drepanum")
    table.say("rome", "pass")
    assert table.state.spaces["drepanum"].carthage == Troops(6)
    assert table.state.spaces["lilybaeum"].inside == Troops(2) and table.state.generals[ADHERBAL].inside


def test_retreat_11_those_who_joined_may_retreat_into_the_besieged_city() -> None:
    table = relieved()
    hands(table, ("probe",), ())
    table.state = replace(table.state, battle=replace(table.state.fighting(), initiative="rome"))
    prompt = table.state.agenda[-1]
    table.state = replace(table.state, agenda=(*table.state.agenda[:-1], replace(prompt, seat="rome")))
    table.say("rome", "attack", 1, 1, card="probe", as_kind="probe")
    table.say("carthage", "retreat", to="drepanum", units_inside=2, elephants_inside=0, generals_inside=[ADHERBAL])
    assert table.state.spaces["lilybaeum"].inside == Troops(2)
    assert table.state.generals[ADHERBAL].inside and table.state.generals[HANNO].space == "drepanum"


@pytest.mark.parametrize("how", ["withdraw", "retreat"])
def test_movement_land_5a_a_general_alone_is_displaced_where_a_beaten_army_comes(how: str) -> None:
    """movement.land.5a, retreat.1, round.1c Only Cannae is open to Himilco; Metellus stands there alone."""
    state = army(empty(), "rome", "beneventum", 6, REGULUS)
    state = army(army(state, "carthage", "arpi", 4, HIMILCO), "rome", "cannae", 0, METELLUS)
    state = plain(state, *[space for space in ("arpi", "terventum", "luceria", "venusia") if space in state.spaces])
    state = control(state, "carthage", "cannae")
    table = marching(state, "rome", REGULUS)
    table.say("rome", "step", to="arpi", units=6, elephants=0)
    table.stands()
    if how == "withdraw":
        hands(table, ("probe",), ("probe",))
        table.state = replace(table.state, battle=replace(table.state.fighting(), initiative="carthage"))
        prompt = table.state.agenda[-1]
        table.state = replace(table.state, agenda=(*table.state.agenda[:-1], replace(prompt, seat="carthage")))
        table.say("carthage", "withdraw", 1, to="cannae")
        table.say("rome", "pass")
    else:
        hands(table, ("probe",), ())
        table.say("rome", "attack", 1, 1, card="probe", as_kind="probe")
        table.say("carthage", "retreat", to="cannae")
    assert table.state.generals[METELLUS].status == "pool" and table.state.spaces["cannae"].carthage == Troops(4)


def test_hands_4_an_islands_province_helps_only_where_it_is() -> None:
    """hands.4 By option on the whole island."""
    for option, cards in (("province", 1), ("island", 2)):
        state = army(empty(island_allies=option), "rome", "tyndaris", 6, REGULUS)
        state = army(state, "carthage", "enna", 4, HANNO)
        state = control(
            state, "carthage", "enna", "agrigentum", "lilybaeum", "panormus", "drepanum", "camarina", "syracusae"
        )
        table = marching(state, "rome", REGULUS)
        table.say("rome", "step", to="enna", units=6, elephants=0)
        table.stands()
        assert hand_size(table.state, "carthage")[1]["allies"] == cards


def test_retreat_7_friends_met_on_the_way_come_along() -> None:
    """retreat.7 Two CUs without a marker on the only way home are swept along."""
    state = army(empty(), "rome", "beneventum", 8, REGULUS)
    state = army(state, "carthage", "arpi", 6, HIMILCO)
    everywhere = {
        space: replace(place, control=None, tribe=False)
        for space, place in state.spaces.items()
        if place.control is not None and space not in ("roma", "carthago")
    }
    state = replace(state, spaces={**state.spaces, **{s: p for s, p in everywhere.items() if not ground(s).city}})
    state = control(army(state, "carthage", "cannae", 2), "carthage", *far_from_cannae())
    table = marching(control(state, "rome", "beneventum"), "rome", REGULUS)
    table.say("rome", "step", to="arpi", units=8, elephants=0)
    table.stands()
    hands(table, ("probe",), ())
    table.say("rome", "attack", 1, 1, card="probe", as_kind="probe")
    goals = [o.fields["to"] for o in table.offers("carthage", "retreat")]
    to = next(goal for found in goals for goal in found if goal in far_from_cannae())
    before = table.state.spaces["arpi"].carthage.size + 2
    table.say("carthage", "retreat", to=to)
    assert table.state.spaces["cannae"].carthage == Troops()
    assert table.state.spaces[to].carthage.size == before - table.told("retreated")[0]["lost"]


def far_from_cannae() -> tuple[str, ...]:
    """Spaces one road beyond Cannae, seen from Arpi."""
    near = set(CHART.neighbours("arpi", ("road",)))
    return tuple(
        s for s in CHART.neighbours("cannae", ("road",)) if s not in near and s != "arpi" and not ground(s).city
    )
