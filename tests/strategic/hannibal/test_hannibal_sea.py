"""Movement by sea and the Roman naval roll."""

import pytest

from kit.hannibal_war import asked, dice, do, force, kinds, march, offered, refused, sail, step, the, war
from strategic.hannibal import HANNIBAL
from strategic.hannibal.rules.preview import naval_odds
from strategic.hannibal.rules.sea import naval_modifier, naval_result
from strategic.point_to_point.state import Troops
from tactical.kernel.dice import RollNeeded
from tactical.kernel.record import read

ROME = force("rome", "cosa", 8, "p_scipio")


def fleet(units=5, card=3, control=None, **more):
    """Hasdrubal in Carthage with some CUs."""
    state = war(force("carthage", "carthage", units, "hasdrubal"), ROME, cards=(card,), control=control, **more)
    return march(state, "hasdrubal", card)


def test_check_1_carthage_to_new_carthage_is_minus_four():
    assert naval_modifier(fleet(), "carthage", "new_carthage", 5, ("hasdrubal",))[0] == -4


def test_check_2_one_unit_to_roman_rhegium_is_minus_one_and_tables_naval_ports_add_up():
    """tables.naval.modifiers: -2 and +1 for the ports, +1 Roman PC, -1 a single CU."""
    total, parts = naval_modifier(fleet(), "new_carthage", "rhegium", 1, ("hasdrubal",))
    assert total == -1
    assert parts == {"embarkation": -2, "landing": 1, "roman_landing": 1, "alone": -1}


def test_tables_naval_modifiers_each_of_them():
    state = fleet(control={"syracuse": "carthage"}, lasting={"macedon": "allied", "naval_victory": True})
    total, parts = naval_modifier(state, "carthage", "dianium", 5, ("mago", "h_gisgo"))
    assert parts == {"embarkation": -2, "syracuse": -1, "macedon": -1, "naval_victory": -1, "mago": -1}
    assert total == -6


def test_movement_command_6_magos_ability_works_at_sea_only_where_he_commands():
    """movement.command.2 Under Hasdrubal it does not, whoever of the two was activated."""
    for party in (("mago", "hasdrubal"), ("hasdrubal", "mago")):
        assert "mago" not in naval_modifier(fleet(), "carthage", "dianium", 5, party)[1]
    assert naval_modifier(fleet(), "carthage", "dianium", 5, ("h_gisgo", "mago"))[1]["mago"] == -1


def test_tables_naval_who_returns_with_the_army_moves_no_more_on_this_card():
    """movement.command.5 Hannibal and Hasdrubal sail with eight and return: neither Hasdrubal nor the eight march."""
    state = war(force("carthage", "carthage", 8, "hannibal", "hasdrubal"), force("carthage", "zama", 1, "mago"))
    state = do(state, "carthage", "campaign", card=33).state
    state = do(state, "carthage", "campaign_move", general="hannibal").state
    outcome = sail(state, "lilybaeum", 8, 4, companions=("hasdrubal",))
    assert the(outcome, "naval_roll")["result"] == "returns"
    refused(outcome.state, "carthage", "campaign_move", "movement.command.5", general="hasdrubal")
    assert outcome.state.play.spent["hasdrubal"] is None
    assert [(group.units, group.spent) for group in outcome.state.play.walked["carthage"]] == [(8, None)]


@pytest.mark.parametrize("total, result", [(-3, "passes"), (1, "passes"), (2, "returns"), (3, "sunk"), (9, "sunk")])
def test_tables_naval_one_passes_two_returns_three_sinks(total, result):
    assert naval_result(total) == result


def test_movement_sea_1_a_ship_on_the_card():
    refused(fleet(card=35), "carthage", "sail", "movement.sea.1", to="gades", units=5, elephants=0, companions=[])


def test_movement_sea_2_five_units_and_naval_2_ten_with_a_campaign():
    refused(fleet(10), "carthage", "sail", "movement.sea.2", to="gades", units=6, elephants=0, companions=[])
    state = war(
        force("carthage", "carthage", 10, "hasdrubal"), ROME, force("carthage", "gades", 4, "mago"), cards=(37,)
    )
    state = do(do(state, "carthage", "campaign", card=37).state, "carthage", "campaign_move", general="hasdrubal").state
    state = sail(state, "new_carthage", 10, 5).state
    assert state.spaces["new_carthage"].carthage == Troops(10)
    state = do(do(state, "carthage", "halt").state, "carthage", "campaign_move", general="mago").state
    refused(state, "carthage", "sail", "movement.sea.2", to="malaca", units=4, elephants=0, companions=[])


def test_movement_sea_3_three_points_whatever_the_distance():
    state = sail(fleet(), "gades", 5, 1).state
    assert state.marching().points == 1 and state.spaces["gades"].carthage == Troops(5)
    inland = step(fleet(), "zama", 5)
    assert offered(inland, "carthage", "sail") == []


def test_movement_sea_4_rome_rolls_whenever_carthage_sails():
    """movement.sea.4, tables.naval: with physical dice the table is asked for this roll."""
    state = fleet()
    with pytest.raises(RollNeeded) as need:
        command = {"type": "sail", "to": "gades", "units": 5, "elephants": 0, "companions": []}
        HANNIBAL.apply(state, "carthage", read(command, HANNIBAL.command), dice())
    assert need.value.asked.rule == "tables.naval" and need.value.asked.dice == (6,)


def test_naval_1_no_roll_when_rome_sails():
    state = march(war(force("rome", "cosa", 8, "p_scipio"), active="rome", cards=(3,)), "p_scipio", 3)
    outcome = sail(state, "massilia", 5)
    assert outcome.state.spaces["massilia"].rome == Troops(5) and "naval_roll" not in kinds(outcome)


def test_tables_naval_a_2_sends_the_army_back_and_ends_its_move():
    outcome = sail(fleet(), "croton", 5, 3)
    assert the(outcome, "naval_roll")["modifier"] == -1
    assert outcome.state.spaces["carthage"].carthage == Troops(5) and outcome.state.march is None


def test_movement_land_5b_sunk_troops_are_lost_the_general_displaced_without_political_loss():
    """movement.land.5b, losses.6"""
    outcome = sail(fleet(), "croton", 5, 4)
    assert outcome.state.spaces["carthage"].carthage == Troops()
    assert outcome.state.generals["hasdrubal"].status == "displaced" and "pc_removed" not in kinds(outcome)
    assert asked(outcome.state) != "remove"


def test_movement_sea_5_hostile_ports_too():
    state = sail(fleet(), "croton", 5, 1).state
    assert state.spaces["croton"].carthage == Troops(5)
    refused(fleet(), "carthage", "sail", "movement.sea.5", to="zama", units=5, elephants=0, companions=[])


def test_movement_sea_5a_nothing_sails_out_of_or_into_besieged_walls():
    """movement.sea.5a, movement.sea.6, siege.more.2"""
    siege = {"gades": {"siege": 1, "besieger": "rome"}}
    state = war(
        force("carthage", "gades", 0, "hasdrubal", inside=2),
        force("rome", "gades", 5, "nero"),
        cards=(3,),
        places=siege,
    )
    state = march(state, "hasdrubal", 3)
    assert offered(state, "carthage", "sail") == []
    relief = war(
        force("carthage", "carthage", 5, "hasdrubal"), force("rome", "gades", 5, "nero"), cards=(3,), places=siege
    )
    relief = march(relief, "hasdrubal", 3)
    refused(relief, "carthage", "sail", "movement.sea.6", to="gades", units=2, elephants=0, companions=[], inside=True)
    landed = sail(relief, "gades", 5, 1).state
    assert landed.battle is not None or asked(landed) == "avoid"


def test_movement_sea_6_into_friendly_unbesieged_walls():
    state = war(force("carthage", "carthage", 5, "hasdrubal"), force("rome", "gades", 5, "nero"), cards=(3,))
    state = march(state, "hasdrubal", 3)
    refused(state, "carthage", "sail", "cities.2", to="gades", units=3, elephants=0, companions=[], inside=True)
    inside = sail(state, "gades", 2, 1, inside=True).state
    assert inside.spaces["gades"].inside == Troops(2) and inside.generals["hasdrubal"].inside


def test_naval_3_an_intercepted_landing_may_sail_back_and_a_return_means_it_must_stay():
    """naval.3, interception.3a"""

    def caught():
        state = war(
            force("carthage", "carthage", 5, "hasdrubal"), force("rome", "heraclea", 5, "marcellus"), cards=(3,)
        )
        state = sail(march(state, "hasdrubal", 3), "croton", 5, 1).state
        fields = {"space": "heraclea", "generals": ["marcellus"], "units": 5, "elephants": 0}
        state = do(state, "rome", "intercept", **fields).state
        return do(state, "rome", "done", 1).state

    assert asked(caught()) == "intercepted"
    home = do(caught(), "carthage", "go_back", 1).state
    assert home.spaces["carthage"].carthage == Troops(5) and home.battle is None
    must = do(caught(), "carthage", "go_back", 3)
    assert "must_stay" in kinds(must) and must.state.battle is not None
    lost = do(caught(), "carthage", "go_back", 6).state
    assert lost.generals["hasdrubal"].status == "displaced" and lost.spaces["croton"].carthage == Troops()


def test_the_odds_of_the_naval_roll_add_to_one():
    odds = naval_odds(fleet(), "carthage", "croton", 5)
    assert odds.modifier == -1 and odds.passes + odds.returns + odds.sunk == 1
    assert (odds.passes * 6, odds.returns * 6, odds.sunk * 6) == (2, 1, 3)
