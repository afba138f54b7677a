"""11.1 to 11.5 Movement by sea, supremacy, Africa; 21.1.3 storms; the preview of a voyage."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, TWO, War, army, control, empty, ships, turn_of
from strategic.hamilcar.rules.sea import sea_preview
from strategic.hamilcar.state import State
from strategic.point_to_point.state import Troops
from tactical.kernel.protocol import Illegal

REGULUS, DUILIUS, VALERIUS, COTTA = (
    "marcus_atilius_regulus",
    "gaius_duilius",
    "manius_valerius_maximus",
    "gaius_aurelius_cotta",
)
GISCO, HANNO, ADHERBAL = "hannibal_gisco", "hanno", "adherbal"


def at_neapolis(units: int = 4, **more: int) -> State:
    return army(empty(), "rome", "neapolis", units, COTTA, **more)


def sailing(state: State, general: str = COTTA, side: str = "rome", storms: bool = False) -> War:
    table = turn_of(state, side, TWO, storms=storms)  # type: ignore[arg-type]
    table.say(side, "activate", card=TWO, general=general)
    return table


def test_11_1_a_general_sails_from_port_to_port_with_or_without_units() -> None:
    """A lone general too; a lane costs 1 point (11.1.a)."""
    for units in (0, 4):
        table = sailing(at_neapolis())
        table.say("rome", "sail", to="regium", ships=0, units=units, elephants=0)
        march = table.state.marching()
        assert (march.at, march.points, march.sailed) == ("regium", 3, 1)
        assert table.state.spaces["regium"].rome.units == units
        assert table.state.spaces["neapolis"].rome.units == 4 - units


def test_11_1_units_alone_do_not_sail() -> None:
    """11.1 Every voyage is an activated general's."""
    table = turn_of(army(at_neapolis(), "rome", "regium", 3), "rome", TWO)
    assert not table.offers("rome", "sail")
    with pytest.raises(Illegal):
        table.say("rome", "sail", to="messana", ships=0, units=3, elephants=0)


def test_11_1_only_along_lanes_between_ports() -> None:
    table = sailing(at_neapolis())
    for to in ("syracusae", "capua"):
        with pytest.raises(Illegal) as refusal:
            table.say("rome", "sail", to=to, ships=0, units=4, elephants=0)
        assert refusal.value.rule == "11.1"


def test_11_1_b_three_points_at_sea_at_most_on_a_forced_march_too_and_11_1_1_a_no_card_of_three_is_needed() -> None:
    """Any card lets him sail; with 6 points he still sails 3 lanes only."""
    table = turn_of(at_neapolis(), "rome", 63)
    table.say("rome", "activate", card=63, general=COTTA, use="event")
    assert table.state.marching().points == 6
    for to in ("regium", "croton", "tarentum"):
        table.say("rome", "sail", to=to, ships=0, units=4, elephants=0)
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "sail", to="brundisium", ships=0, units=4, elephants=0)
    assert refusal.value.rule == "11.1.b"
    table.say("rome", "step", to="brundisium", units=4, elephants=0)  # by land he may go on


def test_11_1_a_land_and_sea_may_be_mixed() -> None:
    table = sailing(army(empty(), "rome", "capua", 4, COTTA))
    table.say("rome", "step", to="neapolis", units=4, elephants=0)
    table.say("rome", "sail", to="regium", ships=0, units=4, elephants=0)
    table.say("rome", "step", to="bruttium", units=4, elephants=0)
    assert table.state.marching().points == 1


def test_11_1_c_ready_ships_in_port_sail_along() -> None:
    """11.1.c, 2.2.7.b No more than are ready; they are back in port afterwards."""
    table = sailing(ships(at_neapolis(), "rome", 2, 3))
    with pytest.raises(Illegal):
        table.say("rome", "sail", to="regium", ships=3, units=4, elephants=0)
    table.say("rome", "sail", to="regium", ships=2, units=4, elephants=0)
    assert len(table.state.ready("rome")) == 2


def test_11_1_1_c_each_general_of_a_campaign_sails_as_he_likes() -> None:
    table = turn_of(army(at_neapolis(), "rome", "cosa", 3, REGULUS), "rome", 37)
    table.say("rome", "campaign", card=37)
    table.say("rome", "campaign_move", general=COTTA)
    table.say("rome", "sail", to="regium", ships=0, units=4, elephants=0)
    table.say("rome", "halt")
    table.say("rome", "campaign_move", general=REGULUS)
    table.say("rome", "sail", to="roma", ships=0, units=3, elephants=0)
    table.say("rome", "halt")
    assert table.state.generals[COTTA].space == "regium" and table.state.generals[REGULUS].space == "roma"
    assert table.asked() == ("impulse", "carthage")


def test_11_1_2_the_strait_of_messana_is_sailed_without_control() -> None:
    """11.1.2 By land the strait needs both cities, by sea neither."""
    state = control(army(empty(), "carthage", "panormus", 3, HANNO), "carthage", "messana")
    table = turn_of(state, "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general=HANNO)
    table.say("carthage", "sail", to="messana", ships=0, units=3, elephants=0)
    with pytest.raises(Illegal):
        table.say("carthage", "step", to="regium", units=3, elephants=0)
    table.say("carthage", "sail", to="regium", ships=0, units=3, elephants=0)
    assert table.state.marching().at == "regium"


def test_11_1_1_each_transport_carries_a_unit_and_a_train() -> None:
    """11.1.1 Trains alone are no fleet and do not sail."""
    assert Troops(3, 0, 1).transports == 3 and Troops(1, 0, 2).transports == 2
    table = sailing(at_neapolis(trains=1))
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "sail", to="regium", ships=0, units=0, elephants=0, trains=1)
    assert refusal.value.rule == "11.1.1"


def test_11_5_ten_units_and_ten_trains_at_most() -> None:
    table = sailing(at_neapolis(11, trains=11))
    for units, trains in ((11, 0), (5, 11)):
        with pytest.raises(Illegal) as refusal:
            table.say("rome", "sail", to="regium", ships=0, units=units, elephants=0, trains=trains)
        assert refusal.value.rule == "11.5"
    table.say("rome", "sail", to="regium", ships=0, units=10, elephants=0, trains=10)


def test_11_2_c_a_warship_in_an_enemy_port_uncaught_wins_supremacy_and_11_2_d_without_units_too() -> None:
    """H12 Without CUs too; without a ship, or in an own port, nothing changes."""
    state = ships(army(empty(), "rome", "messana", 3, COTTA), "rome", 1)
    for to, count, units, holder in (
        ("lipara", 1, 3, "rome"),
        ("lipara", 1, 0, "rome"),
        ("lipara", 0, 3, "carthage"),
        ("regium", 1, 3, "carthage"),
    ):
        table = sailing(state)
        table.say("rome", "sail", to=to, ships=count, units=units, elephants=0)
        assert table.state.supremacy == holder, (to, count, units)


def test_11_2_c_a_fleet_that_was_caught_wins_none_by_arriving() -> None:
    """11.2.c H12: each lane is a movement of its own."""
    state = ships(ships(army(empty(), "rome", "messana", 3, COTTA), "rome", 1), "carthage", 1)
    table = sailing(army(state, "carthage", "panormus", 1, GISCO))
    table.say("rome", "sail", to="lipara", ships=1, units=3, elephants=0)
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    assert table.state.supremacy == "carthage" and table.state.engagement is not None


def test_11_3_a_general_lands_at_enemy_pcs_and_fights_enemy_units_but_those_inside_stop_nobody() -> None:
    """11.3, cities.3 Control of the port is not needed; enemy CUs before it are met, those inside the walls are not;
    a lone general stays away from them.
    """
    state = control(army(empty(), "rome", "messana", 3, COTTA), "carthage", "panormus")
    table = sailing(state)
    table.say("rome", "sail", to="panormus", ships=0, units=3, elephants=0)
    assert not table.state.marching().stopped
    guarded = sailing(army(state, "carthage", "lilybaeum", 1, inside=True))
    guarded.say("rome", "sail", to="panormus", ships=0, units=3, elephants=0)
    with pytest.raises(Illegal):
        guarded.say("rome", "sail", to="lilybaeum", ships=0, units=0, elephants=0)
    guarded.say("rome", "sail", to="lilybaeum", ships=0, units=3, elephants=0)
    assert not guarded.state.marching().stopped
    guarded.say("rome", "sail", to="drepanum", ships=0, units=3, elephants=0)
    assert guarded.state.generals[COTTA].space == "drepanum"
    met = sailing(army(state, "carthage", "panormus", 2))
    met.say("rome", "sail", to="panormus", ships=0, units=3, elephants=0)
    assert met.state.battle is not None


def test_11_4_into_an_own_unbesieged_city_and_not_out_of_a_besieged_one() -> None:
    """11.4 Landing before the walls is always open."""
    state = army(empty(), "rome", "neapolis", 2, COTTA)
    table = sailing(state)
    table.say("rome", "sail", to="regium", ships=0, units=2, elephants=0, inside=True)
    assert table.state.spaces["regium"].inside.units == 2 and table.state.generals[COTTA].inside
    siege = army(state, "carthage", "regium", 3)
    siege = siege.with_place("regium", replace(siege.spaces["regium"], siege=1, besieger="carthage"))
    table = sailing(siege)
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "sail", to="regium", ships=0, units=2, elephants=0, inside=True)
    assert refusal.value.rule == "11.4"
    shut = army(empty(), "rome", "regium", 2, COTTA, inside=True)
    shut = army(shut, "carthage", "regium", 3)
    shut = shut.with_place("regium", replace(shut.spaces["regium"], siege=1, besieger="carthage"))
    with pytest.raises(Illegal) as refusal:
        sailing(shut).say("rome", "sail", to="neapolis", ships=0, units=2, elephants=0)
    assert refusal.value.rule == "11.4"


@pytest.mark.parametrize(
    "paragraph, general, changes, syracuse, allowed",
    [
        ("11.8.2", COTTA, {"seamanship": 0}, "carthage", False),
        ("11.8.2.1", COTTA, {"seamanship": 3}, "carthage", True),
        ("11.8.2.2", COTTA, {"seamanship": 2}, "rome", True),
        ("11.8.2.2", COTTA, {"seamanship": 2}, "carthage", False),
        ("11.8.2.2", COTTA, {"seamanship": 1}, "rome", False),
        ("11.8.2.3 and 6.5.2", REGULUS, {"seamanship": 0}, "carthage", True),
    ],
)
def test_11_8_2_who_may_land_in_africa(paragraph, general, changes, syracuse, allowed) -> None:  # type: ignore[no-untyped-def]
    """Four ways lead to Africa."""
    state = control(army(empty(), "rome", "agrigentum", 3, general), syracuse, "syracusae")
    table = sailing(replace(control(state, "rome", "agrigentum"), **changes), general)
    if allowed:
        table.say("rome", "sail", to="clupea", ships=0, units=3, elephants=0)
        assert table.state.marching().at == "clupea"
    else:
        with pytest.raises(Illegal) as refusal:
            table.say("rome", "sail", to="clupea", ships=0, units=3, elephants=0)
        assert refusal.value.rule == "11.8.2"


def test_11_8_2_4_card_83_opens_africa() -> None:
    table = turn_of(control(army(empty(), "rome", "agrigentum", 3, COTTA), "rome", "agrigentum"), "rome", 83)
    table.say("rome", "activate", card=83, general=COTTA, use="event")
    table.say("rome", "sail", to="clupea", ships=0, units=3, elephants=0)
    assert table.state.marching().at == "clupea"


def test_11_8_2_carthage_is_not_bound() -> None:
    table = turn_of(army(empty(), "carthage", "lilybaeum", 3, HANNO), "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general=HANNO)
    table.say("carthage", "sail", to="carthago", ships=0, units=3, elephants=0)


def test_h13_a_consul_sails_with_ships_alone_only_by_the_option() -> None:
    for lone in (False, True):
        state = ships(army(empty(lone_consul_fleet=lone), "rome", "neapolis", 4, COTTA, rank="consul"), "rome", 2)
        table = sailing(state)
        if lone:
            table.say("rome", "sail", to="regium", ships=1, units=0, elephants=0)
        else:
            with pytest.raises(Illegal) as refusal:
                table.say("rome", "sail", to="regium", ships=1, units=0, elephants=0)
            assert refusal.value.rule == "18.1"


def storm(state: State, card: int, *faces: int, ships_: int = 0, to: str = "lipara") -> War:
    table = turn_of(state, "rome", TWO, storms=True)
    from kit.hamilcar_war import hold

    table = War(replace(hold(table.state, "carthage", card), agenda=()))
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to=to, ships=ships_, units=4, elephants=0, trains=1)
    table.say("carthage", "answer", *faces, card=card)
    return table


def test_21_1_3_a_storm_hits_the_ships_of_the_fleet_and_11_8_1_a_those_with_the_corvus_worse() -> None:
    """11.8.3 Card 60: attrition in the column of the ships; corvus and poor seamanship make it worse."""
    state = ships(at_neapolis(4, trains=1), "rome", 4)
    calm = storm(replace(state, seamanship=2), 60, 1, ships_=4, to="regium")
    assert calm.told("storm")[0]["modifier"] == 2 and calm.told("storm")[0]["hits"] == 1
    assert len(calm.state.ships["rome"]) == 3 and calm.state.spaces["regium"].rome == Troops(4, 0, 1)
    wild = storm(replace(state, seamanship=0, corvus=True), 60, 2, ships_=4, to="regium")
    assert wild.told("storm")[0]["modifier"] == 4 and wild.told("storm")[0]["hits"] == 2


def test_21_1_3_a_without_ships_units_and_trains_go_down() -> None:
    table = storm(replace(at_neapolis(4, trains=1), seamanship=2), 60, 1, to="regium")
    assert table.state.spaces["regium"].rome == Troops(3, 0, 0)


def test_4_c_the_terrible_sea_strikes_romans_on_marked_lanes_only() -> None:
    """4.c, 21.1.3 Card 101 on Neapolis-Lipara, not on Neapolis-Regium."""
    state = ships(at_neapolis(4, trains=1), "rome", 4)
    table = storm(state, 101, 3, ships_=4, to="lipara")
    assert table.told("ships_lost")
    with pytest.raises(Illegal) as refusal:
        storm(state, 101, 3, ships_=4, to="regium")
    assert refusal.value.rule == "21.1.3"


def test_11_8_3_b_five_ships_off_the_map_lower_seamanship_and_11_8_3_example_three_and_two_and_h_fallen_once_a_turn() -> (
    None
):
    """Three in battle and two in a storm are five; a sixth changes nothing more."""
    from strategic.hamilcar.rules.survey import lose

    state = replace(ships(at_neapolis(), "rome", 8), seamanship=2)
    names = state.ready("rome")
    state, _ = lose(state, "rome", names[:3], "11.7.after.6", "sunk")
    assert state.seamanship == 2
    state, _ = lose(state, "rome", names[3:5], "21.1.3", "storm")
    assert state.seamanship == 1
    state, _ = lose(state, "rome", names[5:], "21.1.3", "storm")
    assert state.seamanship == 1


def test_11_6_preview_shows_lanes_interceptors_and_storms() -> None:
    """11.1, 11.6.2 Before anything is committed: Gisco (1) from Panormus catches Rome with 1 face of 6 off Lipara, but with
    a Carthaginian marker there the interception is certain (11.6.3); the lane from Neapolis is stormy.
    """
    state = army(ships(ships(at_neapolis(), "rome", 2), "carthage", 1), "carthage", "panormus", 1, GISCO)
    routes = {route.to: route for route in sea_preview(state, COTTA)}
    lane = routes["lipara"].lanes[0]
    assert lane.stormy
    assert [(each.general, each.good, each.of) for each in lane.interceptors] == [(GISCO, 1, 6)]
    assert lane.automatic and lane.caught == 1
    free = control(state, None, "lipara")
    lane = {route.to: route for route in sea_preview(free, COTTA)}["lipara"].lanes[0]
    assert not lane.automatic and lane.caught == Fraction(1, 6)
    routes = {route.to: route for route in sea_preview(free, COTTA)}
    assert len(routes["messana"].lanes) == 2 and "panormus" in routes
    assert not routes["carthago"].open and routes["carthago"].lanes[-1].wrong.rule == "11.8.2"
    assert "saldae" not in routes  # four lanes away


def test_11_6_preview_counts_the_best_general_of_each_space() -> None:
    """11.6.2.b Adherbal (3) and Gisco (1) in one space, Hanno (2) in another: 1 - 3/6 x 4/6."""
    state = army(ships(at_neapolis(), "carthage", 1), "carthage", "panormus", 1, GISCO)
    state = army(army(state, "carthage", "panormus", 0, ADHERBAL), "carthage", "messana", 1, HANNO)
    lane = {route.to: route for route in sea_preview(control(state, None, "lipara"), COTTA)}["lipara"].lanes[0]
    assert lane.caught == Fraction(2, 3)


def test_11_6_preview_changes_nothing_and_needs_a_general() -> None:
    state = at_neapolis()
    with pytest.raises(Illegal):
        sea_preview(state)
    with pytest.raises(Illegal):
        sea_preview(state, "nobody")
