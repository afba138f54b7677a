"""11.7 After the naval battle: prizes, places, ports, what it costs the loser."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_fleets_met import COTTA, GISCO, REGULUS, lost, met, settle
from kit.hamilcar_war import TWO, War, army, control, empty, ships, turn_of
from strategic.hamilcar.tables import ground
from strategic.point_to_point.state import Troops
from tactical.kernel.protocol import Illegal


def test_11_7_after_1_the_losers_ships_are_unready_and_11_7_after_2_the_winners_ready_and_11_7_after_5_supremacy_is_his() -> (
    None
):
    """H10 And the winner takes supremacy."""
    table = met()
    settle(table, winner="rome", turns=2, sides={"carthage": lost(evaded=True)})
    assert len(table.state.ready("rome")) == 3 and not table.state.ready("carthage")
    assert len(table.state.ships["carthage"]) == 4 and table.state.supremacy == "rome"


@pytest.mark.parametrize("how, faces, left", [("fled", (5,), 0), ("evaded", (), 2)])
def test_11_7_after_3_one_roll_in_column_v_and_11_7_after_4_none_if_the_loser_evaded_and_11_7_engage_c_a_train_goes_with_its_unit(
    how: str, faces: tuple[int, ...], left: int
) -> None:
    """A 5 takes two transports: 2 CUs and 1 train."""
    table = met()
    settle(table, *faces, winner="carthage", turns=2, sides={"rome": {how: True}}, supremacy="carthage")
    assert table.state.spaces["messana"].rome == (Troops(left, 0, 1) if left else Troops())


def test_11_7_after_3_corvus_and_seamanship_and_h6_a_modify_the_prize_roll() -> None:
    """Rome's prize roll: +1 for the corvus, -1 for poor seamanship."""
    table = met(corvus=True, seamanship=2)
    settle(table, 1, winner="rome", turns=2, sides={"carthage": lost(fled=True)})
    assert table.told("prize_roll")[0]["modifier"] == 1 and table.told("prize_roll")[0]["hits"] == 1
    assert table.state.spaces["panormus"].carthage == Troops(1)


def test_11_7_after_6_prizes_join_the_captor_unready_under_their_names() -> None:
    """11.7.after.6, 11.7.prizes, L3.6, L3.9 Captured by the winner: his, unready."""
    table = met()
    names = [unit.id for unit in table.state.engaged().fleets["carthage"].units]
    settle(
        table,
        winner="rome",
        turns=2,
        sides={"carthage": lost(captured=1, captured_ships=names[:1], sunk=1, evaded=True)},
    )
    prize = table.state.ship("rome", names[0])
    assert prize is not None and not prize.ready and prize.built_by == "carthage"
    assert len(table.state.ships["carthage"]) == 2


def test_11_7_prizes_a_when_rome_loses_its_prizes_go_back_unready() -> None:
    table = met()
    settle(table, 1, winner="carthage", turns=2, sides={"carthage": lost(captured=2), "rome": lost(fled=True)})
    assert len(table.state.ships["carthage"]) == 4 and len(table.state.ready("carthage")) == 2
    assert len(table.state.ships["rome"]) == 3


def test_h7_a_draw_keeps_the_prizes() -> None:
    """H7, L3.6 Nobody won: captured ships stay with the captor."""
    table = met()
    settle(table, winner=None, turns=5, sides={"carthage": lost(captured=1)})
    assert len(table.state.ships["rome"]) == 4 and not table.state.ready("rome")
    assert not table.state.ready("carthage") and table.state.supremacy == "carthage"


def test_l3_6_above_ten_ships_prizes_are_broken_up() -> None:
    table = met(roman=9, carthaginian=3)
    settle(table, 1, winner="rome", turns=5, sides={"carthage": lost(captured=3)})
    assert len(table.state.ships["rome"]) == 10 and len(table.state.ships["carthage"]) == 0
    assert len(table.told("prizes")[0]["broken_up"]) == 2


def test_11_7_places_1_a_winning_mover_arrives_and_stops_or_goes_back() -> None:
    for choice, space in (("land", "lipara"), ("home", "messana")):
        table = met()
        settle(table, winner="rome", turns=2, sides={"carthage": lost(evaded=True)})
        table.say("rome", "after_sea", choice=choice)
        assert table.state.generals[COTTA].space == space and table.state.marching().stopped
        assert table.state.spaces[space].rome.units == 2
        assert table.state.generals[GISCO].space == "panormus"


def test_11_7_places_1_without_units_left_he_must_go_back() -> None:
    table = met()
    settle(table, winner="rome", turns=2, sides={"rome": lost(transports=2), "carthage": lost(evaded=True)})
    assert table.asked() == ("move", "rome") and table.state.generals[COTTA].space == "messana"


def test_11_7_places_1_who_had_none_may_arrive() -> None:
    table = met(units=0, trains=0)
    settle(table, winner="rome", turns=2, sides={"carthage": lost(evaded=True)})
    table.say("rome", "after_sea", choice="land")
    assert table.state.generals[COTTA].space == "lipara"


def test_11_7_places_2_a_winning_interceptor_goes_home_or_lands() -> None:
    """11.7.places.2, H10.a Only where no enemy CU stands; the mover is back in his last port."""
    table = met()
    settle(table, 1, winner="carthage", turns=2, sides={"rome": lost(fled=True)})
    table.say("carthage", "after_sea", choice="land")
    assert table.state.generals[GISCO].space == "lipara"
    assert table.state.spaces["lipara"].carthage == Troops(1, 0, 1)
    assert table.state.spaces["panormus"].carthage == Troops(1)
    assert table.state.generals[COTTA].space == "messana"


def test_11_7_places_3_everyone_else_goes_back_to_his_port() -> None:
    """11.7.places.3, H10.a A draw: both."""
    table = met()
    settle(table, winner=None, turns=5, sides={"rome": lost(transports=1)})
    assert table.state.generals[COTTA].space == "messana" and table.state.spaces["messana"].rome == Troops(1)
    assert table.state.generals[GISCO].space == "panormus"


def shut_out(harbour: bool, card: int = TWO) -> War:
    """Cotta has left Lilybaeum, where by the umpire's hand an enemy army now stands, and is met off Agrigentum."""
    state = army(empty(), "rome", "lilybaeum", 2, COTTA)
    state = army(state, "carthage", "syracusae", 1, GISCO)
    state = control(ships(ships(state, "rome", 1), "carthage", 1), "rome" if harbour else None, "drepanum")
    if card != TWO:
        state = army(state, "rome", "neapolis", 1, REGULUS)
    if not harbour:
        for space in state.spaces:
            if state.spaces[space].control == "rome":
                state = army(state, "carthage", space, 1)
    table = turn_of(state, "rome", card)
    if card == TWO:
        table.say("rome", "activate", card=card, general=COTTA)
    else:
        table.say("rome", "campaign", card=card)
        table.say("rome", "campaign_move", general=COTTA)
    table.say("rome", "sail", to="agrigentum", ships=1, units=2, elephants=0)
    table.say("umpire", "adjust", changes={"spaces.lilybaeum.carthage.units": 1}, why="they came on our table")
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    settle(table, 1, winner="carthage", turns=2, sides={"rome": lost(fled=True)})
    table.say("carthage", "after_sea", choice="home")
    return table


def test_h10_b_a_lost_last_port_sends_them_to_the_nearest_own_port() -> None:
    table = shut_out(True)
    assert table.state.generals[COTTA].space == "drepanum" and table.state.spaces["drepanum"].rome.units == 2
    assert table.state.spaces["lilybaeum"].rome.size == 0


def test_h10_b_and_movement_command_5_who_found_another_port_moves_no_more_on_this_card() -> None:
    """Regulus at Neapolis keeps the campaign open."""
    table = shut_out(True, card=37)
    play = table.state.playing()
    assert play.spent[COTTA] is None and [(group.units, group.spent) for group in play.walked["drepanum"]] == [
        (2, None)
    ]
    assert [offer.fields["general"] for offer in table.offers("rome", "campaign_move")] == [[REGULUS]]


def test_h10_b_without_any_port_the_units_are_lost_and_the_general_displaced() -> None:
    table = shut_out(False)
    assert table.state.generals[COTTA].status == "pool"
    assert not any(place.rome.size for place in table.state.spaces.values())


def test_11_7_political_half_the_ships_lost_in_pcs_and_h10_c_the_councils_first() -> None:
    """19.5.a, L3.6.a Three ships: one PC, and Carthage's first comes from the Council."""
    table = met()
    settle(table, winner="rome", turns=2, sides={"carthage": lost(sunk=3, evaded=True)})
    assert table.asked() == ("remove", "carthage")
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "remove", space="lipara")
    assert refusal.value.rule == "19.5.a"
    table.say("carthage", "remove_council", cell=(1, 1))
    assert table.asked() == ("after_sea", "rome")


def test_11_7_political_rome_pays_on_the_map_and_h10_c_neither_cities_nor_tribes() -> None:
    table = met(roman=4)
    settle(table, 1, winner="carthage", turns=2, sides={"rome": lost(sunk=4)})
    assert table.state.agenda[-1].about["left"] == 2
    with pytest.raises(Illegal):
        table.say("rome", "remove", space="capua")
    table.say("rome", "remove", space="arpi")
    table.say("rome", "remove", space="cannae")
    assert table.state.spaces["arpi"].control is None and table.asked() == ("after_sea", "carthage")


def test_11_7_political_who_cannot_pay_and_h10_c_sues_for_peace() -> None:
    table = met(council=())
    state = table.state
    for space, place in state.spaces.items():
        if place.control == "carthage" and not ground(space).city:
            state = state.with_place(space, replace(place, control=None))
    table.state = state
    settle(table, 1, winner="rome", turns=2, sides={"carthage": lost(sunk=4)})
    assert table.state.result is not None and table.state.result.winner == "rome"


def test_11_8_3_b_losses_at_sea_count_for_seamanship() -> None:
    """11.8.3.b, L3.6.a"""
    table = met(roman=6, seamanship=3)
    settle(table, winner=None, turns=5, sides={"rome": lost(sunk=4, captured=1)})
    assert table.state.seamanship == 2 and table.state.lost_ships == 5


def test_l2_4_hull_damage_is_kept_until_repair_and_winter() -> None:
    """L2.4 A ship keeps its name and damage; made ready, it is whole."""
    table = met()
    name = table.state.engaged().fleets["rome"].units[0].id
    settle(table, winner=None, turns=5, sides={"rome": lost(damage={name: 3})})
    ship = table.state.ship("rome", name)
    assert ship is not None and ship.damage == 3
    assert table.state.made_ready("rome", (name,)).ship("rome", name).damage == 0  # type: ignore[union-attr]
