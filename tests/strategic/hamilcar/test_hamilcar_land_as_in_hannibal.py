"""What Hamilcar inherits of the older game's land war, by the paragraphs of its rules, and the rulings on it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, War, army, control, empty, ships, turn_of
from strategic.hamilcar.rules.generals import posts
from strategic.hamilcar.rules.land_battle import hand_size
from strategic.hamilcar.rules.troops import General
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import CHART, ground
from strategic.point_to_point.displacement import displace_all
from strategic.point_to_point.pieces import Troops
from tactical.kernel.protocol import Illegal

REGULUS, DUILIUS, COTTA, CAUDEX, METELLUS = (
    "marcus_atilius_regulus",
    "gaius_duilius",
    "gaius_aurelius_cotta",
    "appius_claudius_caudex",
    "lucius_caecilius_metellus",
)
FLACCUS = "quintus_fulvius_flaccus"
GISCO, HANNO, HIMILCO, ADHERBAL = "hannibal_gisco", "hanno", "himilco", "adherbal"
BARCA, CAMPAIGN = "hamilcar_barca", 37


def refused(table: War, seat: str, word: str, rule: str, **fields: Any) -> None:
    """The command is refused by this paragraph."""
    with pytest.raises(Illegal) as refusal:
        table.say(seat, word, **fields)
    assert refusal.value.rule == rule


def marching(state: State, side: str, general: str) -> War:
    """The general is activated with a card of three."""
    table = turn_of(state, side, THREE)  # type: ignore[arg-type]
    table.say(side, "activate", card=THREE, general=general)
    return table


def plain(state: State, *spaces: str) -> State:
    """The same with spaces that bear no marker and no tribe."""
    for space in spaces:
        state = state.with_place(space, replace(state.spaces[space], tribe=False, control=None))
    return state


def hands(table: War, rome: tuple[str, ...], carthage: tuple[str, ...]) -> None:
    """Give both sides these battle cards."""
    battle = table.state.fighting()
    table.state = replace(table.state, battle=replace(battle, hands={"rome": rome, "carthage": carthage}, deck=()))


# interception and avoidance


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


# battles


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


# campaigns


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


# walls


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


# offers


def test_8_2_1_trains_and_elephants_may_be_left_behind_and_all_of_it_is_offered() -> None:
    """8.2.1, 11.1.1"""
    state = army(empty(), "carthage", "lilybaeum", 3, ADHERBAL, trains=2, elephants=2)
    table = marching(state, "carthage", ADHERBAL)
    steps = [o.fields for o in table.offers("carthage", "step") if "drepanum" in o.fields["to"]]
    assert {fields["elephants"] for fields in steps} == {0, 1, 2}
    assert {train for fields in steps for train in fields["trains"]} == {0, 1, 2}
    table.say("carthage", "step", to="drepanum", units=2, elephants=1, trains=1)
    assert table.state.spaces["lilybaeum"].carthage == Troops(1, 1, 1)


# retreats


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


# people


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
