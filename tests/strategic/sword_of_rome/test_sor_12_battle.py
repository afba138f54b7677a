"""12 Battle, losses, retreat."""

import pytest

from kit.legions import army, asked, do, march, outcome, position, refused, stands
from strategic.sword_of_rome.rules.battle import losses_inflicted_by, modifiers, ratio_modifier
from strategic.sword_of_rome.tables import TABLES


def battle(mine=6, theirs=6, leader="claudius", foe="brennus", path=("velitrae", "fregellae"), **fields):
    """An army of Romans enters a space of Gauls who stand."""
    fields = {"control": {"fregellae": "independent", "capua": "gauls"}, **fields}
    start, space = path
    gauls = army("gauls", space, theirs, *((foe,) if foe else ()))
    state = position(army("romans", start, mine, leader), gauls, **fields)
    state = march(state, "romans", leader, space, units=mine)
    return do(state, "gauls", "declare", side="gauls") if state.asks("declare") else state


@pytest.mark.parametrize(
    "large, small, modifier",
    [(8, 4, 3), (10, 5, 3), (4, 2, 3), (2, 1, 3), (6, 4, 1), (5, 5, 0), (6, 5, 0), (10, 2, None)],
)
def test_12_2_the_force_ratio_of_the_examples(large, small, modifier):
    assert ratio_modifier(large, small) == modifier


def test_12_2_every_source_of_a_modifier():
    """Six against four, Camillus 4 against Brennus 3, and the Gauls on their own ground."""
    state = battle(6, 4, leader="camillus", control={"fregellae": "gauls"})
    assert modifiers(state) == ({"force_ratio": 1, "leadership": 1}, {"friendly_space": 1})


def test_12_2_rough_ground_and_straits_cost_the_attacker_two():
    state = battle(5, 5, path=("corfinium", "aufidena"), control={"aufidena": "independent"})
    assert modifiers(state)[0] == {"across": -2}
    state = position(army("greeks", "messana", 5, "timoleon"), army("gauls", "rhegium", 5, "brennus"), active="greeks")
    state = march(state, "greeks", "timoleon", "rhegium")
    assert modifiers(state)[0]["across"] == -2


def test_12_2_no_rough_ground_for_the_samnites_at_home():
    state = position(
        army("samnites", "bovianum", 5, "egnatius"),
        army("gauls", "beneventum", 5, "brennus"),
        active="etruscans_samnites",
    )
    state = march(state, "etruscans_samnites", "egnatius", "beneventum")
    assert "across" not in modifiers(state)[0]


def test_12_2_an_ally_s_ground_is_friendly():
    state = battle(control={"fregellae": "greeks"}, alliances=[["greeks", "romans"]])
    assert modifiers(state)[0]["friendly_space"] == 1


def test_12_2_three_dice_each_and_the_higher_sum_wins():
    result = outcome(battle(), "romans", "roll_battle", 4, 4, 4, 3, 3, 3)
    rolled = next(each for each in result.events if each.type == "battle_rolled")
    assert rolled.data["dice"] == [[4, 4, 4], [3, 3, 3]] and rolled.data["winner"] == "romans"
    assert stands(result.state, "fregellae", "romans") == 6


def test_12_2_ties_are_the_defenders():
    """Claudius and Brennus have 3 each, nobody's ground, six against six."""
    state = do(battle(), "romans", "roll_battle", 3, 3, 3, 3, 3, 3)
    assert stands(state, "velitrae", "romans") == 6 and stands(state, "fregellae", "gauls") == 6


def test_12_2_a_leaderless_force_has_tactics_zero():
    assert modifiers(battle(foe=None))[0]["leadership"] == 3


def test_12_2_at_five_to_one_there_is_no_battle_and_the_larger_army_goes_on():
    result = outcome(battle(10, 2), "romans", "roll_battle")
    assert next(each.type for each in result.events) == "automatic_victory"
    assert result.state.move.units == 10 and result.state.displaced == ("brennus",)
    assert do(result.state, "romans", "step", to="praeneste").move.at == "praeneste"


def test_12_2_a_mover_who_is_far_too_weak_is_lost():
    state = do(battle(2, 10), "romans", "roll_battle")
    assert state.move is None and state.displaced == ("claudius",) and stands(state, "fregellae", "gauls") == 10


def test_7_a_card_changes_a_battle_by_hand():
    state = do(battle(), "gauls", "modifier", side_of_battle="attacker", amount=-2, why="Death of Aulius")
    assert modifiers(state)[0] == {"cards": -2} and state.battle.modifiers[0].why == "Death of Aulius"


def test_12_3_the_published_example_of_losses():
    """The Greeks win with 6, 5, 3 against 5, 5, 1 of the Romans; a die of 1 takes nobody."""
    assert losses_inflicted_by((6, 5, 4), 8, TABLES.losses.to_loser) == 5
    assert losses_inflicted_by((5, 5, 1), 8, TABLES.losses.to_winner) == 2


@pytest.mark.parametrize(
    "size, to_loser, to_winner",
    [
        (1, [0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 1]),
        (2, [0, 0, 0, 0, 2, 2], [0, 0, 0, 0, 1, 1]),
        (3, [0, 0, 0, 1, 2, 2], [0, 0, 0, 1, 1, 1]),
        (9, [0, 0, 0, 1, 2, 2], [0, 0, 0, 1, 1, 1]),
    ],
)
def test_12_3_the_loss_table(size, to_loser, to_winner):
    assert [losses_inflicted_by((face,), size, TABLES.losses.to_loser) for face in range(1, 7)] == to_loser
    assert [losses_inflicted_by((face,), size, TABLES.losses.to_winner) for face in range(1, 7)] == to_winner


def test_12_3_losses_come_off_both_sides():
    state = do(battle(), "romans", "roll_battle", 6, 5, 3, 5, 5, 1)
    assert stands(state, "fregellae", "romans") == 4 and state.tallies["gauls"].removed == 4


def test_12_4_1_the_attacker_goes_back_where_he_came_from():
    state = do(battle(), "romans", "roll_battle", 1, 1, 1, 3, 3, 3)
    assert stands(state, "velitrae", "romans") == 6 and state.move is None


def test_12_4_1_an_attacker_over_rough_ground_has_no_way_back():
    """12.4.5 He is lost."""
    state = battle(5, 5, path=("corfinium", "aufidena"))
    state = do(state, "romans", "roll_battle", 1, 1, 1, 3, 3, 3)
    assert state.displaced == ("claudius",) and state.tallies["romans"].removed == 5


def test_12_4_the_defender_goes_to_the_nearest_friendly_space():
    state = do(battle(), "romans", "roll_battle", 3, 3, 3, 1, 1, 1)
    assert stands(state, "capua", "gauls") == 6


def test_12_4_1_the_defender_never_where_the_attacker_came_from():
    """Only Velitrae is Gallic: there is no other way, and the force is lost."""
    state = do(battle(control={"velitrae": "gauls"}), "romans", "roll_battle", 3, 3, 3, 1, 1, 1)
    assert state.displaced == ("brennus",) and state.tallies["gauls"].removed == 6


def test_12_4_the_loser_chooses_among_equally_near_spaces():
    state = battle(control={"capua": "gauls", "praeneste": "gauls"})
    state = do(state, "romans", "roll_battle", 3, 3, 3, 1, 1, 1)
    assert asked(state) == [("retreat", "gauls")]
    assert refused(state, "gauls", "retreat", to="roma") == "12.4"
    assert stands(do(state, "gauls", "retreat", to="praeneste"), "praeneste", "gauls") == 6


def test_12_4_5_enemy_spaces_on_the_way_cost_a_cu():
    """Through Roman Capua to Gallic Caudium: one CU for Capua."""
    state = do(battle(control={"caudium": "gauls"}), "romans", "roll_battle", 3, 3, 3, 1, 1, 1)
    assert stands(state, "caudium", "gauls") == 5


def test_12_4_4_three_cus_of_a_defender_go_behind_his_walls():
    state = position(army("gauls", "velitrae", 6, "brennus"), army("romans", "roma", 6, "claudius"), active="gauls")
    state = march(state, "gauls", "brennus", "roma", units=6)
    state = do(state, "romans", "declare", side="romans")
    state = do(state, "gauls", "roll_battle", 6, 6, 6, 1, 1, 1)
    assert state.tallies["romans"].removed == 6 and state.displaced == ("claudius",)
    state = position(army("gauls", "velitrae", 6, "brennus"), army("romans", "roma", 6, "claudius"), active="gauls")
    state = do(march(state, "gauls", "brennus", "roma", units=6), "romans", "declare", side="romans")
    state = do(state, "gauls", "roll_battle", 5, 3, 3, 1, 1, 1)
    assert asked(state) == [("retreat", "romans")]
    assert refused(state, "romans", "retreat", to="narnia", inside=4) == "12.4.4"
    state = do(state, "romans", "retreat", to="narnia", inside=3)
    assert state.force("roma", "romans").inside == 3 and stands(state, "narnia", "romans") == 1


def landing(dice, **fields):
    """Greeks land at Antium and are beaten."""
    state = position(
        army("greeks", "syracusae", 3, "timoleon"),
        army("romans", "antium", 5, "camillus"),
        active="greeks",
        control={"antium": "romans"},
        **fields,
    )
    state = do(state, "greeks", "activate", card=3, leader="timoleon", units=3)
    state = do(do(state, "greeks", "sail", to="antium"), "carthaginians", "pass")
    state = do(state, "romans", "declare", side="romans")
    return do(state, "greeks", "roll_battle", *dice)


def test_12_4_3_an_attacker_who_sailed_in_retreats_by_sea():
    """9.6 (5p) His retreat is a sea movement: Carthage may contest it."""
    state = landing((1, 1, 1, 3, 3, 3))
    assert asked(state) == [("contest", "carthaginians")]
    assert stands(do(state, "carthaginians", "pass"), "syracusae", "greeks") == 3
    lost = do(do(state, "carthaginians", "contest", card=3), "greeks", "sea_roll", 3)
    assert lost.tallies["greeks"].removed == 3 and lost.displaced == ("timoleon",)


def test_12_4_3_a_defender_in_a_port_may_buy_his_way_out():
    state = position(
        army("romans", "capua", 9, "camillus"), army("greeks", "neapolis", 3, "timoleon"), control={"paestum": "romans"}
    )
    state = do(march(state, "romans", "camillus", "neapolis", units=9), "greeks", "declare", side="greeks")
    state = do(state, "romans", "roll_battle", 3, 3, 3, 1, 1, 1)
    assert asked(state) == [("retreat", "greeks")]
    assert refused(state, "greeks", "retreat", to="syracusae", card=2) == "12.4.3"
    state = do(do(state, "greeks", "retreat", to="syracusae", card=3), "carthaginians", "pass")
    assert stands(state, "syracusae", "greeks") == 3 and stands(state, "neapolis", "romans") == 9


def test_8_4_a_leader_left_alone_among_enemies_is_displaced():
    state = position(army("romans", "velitrae", 5, "claudius"), army("gauls", "fregellae", 0, "brennus"))
    state = do(march(state, "romans", "claudius", "fregellae"), "romans", "halt")
    assert state.displaced == ("brennus",)
