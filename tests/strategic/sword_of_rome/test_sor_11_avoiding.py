"""11 Avoiding battle, with its choice of space, and pursuit."""

import pytest

from kit.legions import HANDS, army, asked, avoid, do, march, outcome, position, refused, slip, stands
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.rules.battle import modifiers
from tactical.kernel.dice import Dice
from tactical.kernel.record import BadInput, plain


def entered(*gauls, units=5, **fields):
    """Claudius comes from Velitrae to Fregellae, where Gauls stand; Capua and Praeneste are Gallic."""
    control = fields.pop("control", {"capua": "gauls", "praeneste": "gauls"})
    gauls = gauls or (army("gauls", "fregellae", 6, "brennus"),)
    state = position(army("romans", "velitrae", units, "claudius"), *gauls, control=control, **fields)
    return march(state, "romans", "claudius", "fregellae", units=units)


def test_11_1_the_entered_army_is_asked():
    assert asked(entered()) == [("declare", "gauls")]


def test_11_1_free_if_the_enemy_leader_permits():
    state = avoid(entered(), "gauls", slip("gauls", ("brennus",), 6))
    assert asked(state) == [("permit", "romans")]
    assert asked(do(state, "romans", "permit", allow=True)) == [("avoid_to", "gauls")]


@pytest.mark.parametrize("face, avoided", [(3, True), (4, False)])
def test_11_1_a_otherwise_with_a_die_of_at_most_the_leaders_tactics(face, avoided):
    state = avoid(entered(), "gauls", slip("gauls", ("brennus",), 6))
    state = do(state, "romans", "permit", face, allow=False)
    assert asked(state) == ([("avoid_to", "gauls")] if avoided else [("battle", "romans")])


def test_11_1_a_the_player_chooses_among_the_spaces_next_to_it():
    state = do(avoid(entered(), "gauls", slip("gauls", ("brennus",), 6)), "romans", "permit", allow=True)
    assert state.pending[0].about["choices"] == ["praeneste", "capua"]
    assert refused(state, "gauls", "avoid_to", to="velitrae") == "11.1.a"
    state = do(state, "gauls", "avoid_to", to="capua")
    assert stands(state, "capua", "gauls") == 6 and asked(state) == [("pursue", "romans")]


def test_11_1_a_a_way_that_needs_no_ally_is_compulsory():
    state = entered(
        army("gauls", "fregellae", 6, "brennus"), army("greeks", "capua", 2), alliances=[["gauls", "greeks"]]
    )
    state = do(avoid(state, "gauls", slip("gauls", ("brennus",), 6)), "romans", "permit", allow=True)
    assert stands(state, "praeneste", "gauls") == 6


def test_11_1_a_through_an_allys_space_if_there_is_no_other_way():
    state = entered(
        army("gauls", "fregellae", 6, "brennus"),
        army("greeks", "capua", 2),
        alliances=[["gauls", "greeks"]],
        control={"capua": "greeks", "caudium": "gauls", "neapolis": "romans"},
    )
    state = do(avoid(state, "gauls", slip("gauls", ("brennus",), 6)), "romans", "permit", allow=True)
    assert stands(state, "caudium", "gauls") == 6 and stands(state, "capua", "greeks") == 2


def test_11_2_not_over_rough_ground_not_to_enemies_not_where_the_enemy_came_from():
    """Aufidena lies over rough ground, Capua and Praeneste are Roman: there is nowhere to go, and nobody is asked."""
    state = entered(control={"aufidena": "gauls", "velitrae": "gauls"})
    assert asked(state) == [("battle", "romans")]


def test_11_1_b_a_failure_costs_the_defender_one():
    state = avoid(entered(), "gauls", slip("gauls", ("brennus",), 6))
    state = do(state, "romans", "permit", 6, allow=False)
    assert modifiers(state)[1]["failed_avoidance"] == -1


def test_11_1_who_does_not_try_loses_nothing():
    state = do(entered(), "gauls", "declare", side="gauls")
    assert "failed_avoidance" not in modifiers(state)[1]


def test_11_1_all_attempts_are_declared_before_any_is_rolled():
    """An interceptor's answer is awaited before the avoidance is resolved, and comes first."""
    state = entered(army("gauls", "fregellae", 4, "brennus"), army("gauls", "praeneste", 2, "minor_gauls_a"))
    answer = {
        "side": "gauls",
        "intercepts": [{"power": "gauls", "space": "praeneste", "leader": "minor_gauls_a", "units": 2}],
        "avoids": [slip("gauls", ("brennus",), 4)],
    }
    failed = do(state, "gauls", "declare", 6, **answer)
    assert asked(failed) == [("permit", "romans")]
    came = do(state, "gauls", "declare", 1, **answer)
    assert asked(came) == [("intercepted", "romans")] and stands(came, "fregellae", "gauls") == 6


def pisae(units=14):
    """The Etruscans of Pisae with two leaders; Claudius comes from Luna."""
    state = position(
        army("romans", "luna", 5, "claudius"),
        army("etruscans", "pisae", units, "minor_etruscans_a", "minor_etruscans_b"),
    )
    return march(state, "romans", "claudius", "pisae")


def test_11_1_ten_cus_at_most_and_those_inside_the_city_count():
    state = pisae()
    side = {"side": "etruscans_samnites"}
    too_many = slip("etruscans", ("minor_etruscans_a",), 8, inside=3)
    assert refused(state, "etruscans_samnites", "declare", avoids=[too_many], **side) == "11.1"
    state = avoid(state, "etruscans_samnites", slip("etruscans", ("minor_etruscans_a",), 7, inside=3))
    assert state.force("pisae", "etruscans").inside == 3
    state = do(do(state, "romans", "permit", allow=True), "etruscans_samnites", "avoid_to", to="populonium")
    assert stands(state, "populonium", "etruscans") == 7 and stands(state, "pisae", "etruscans") == 4
    assert asked(state) == [("battle", "romans")]


def test_11_1_reading_the_commander_stays_with_a_cu_when_a_subordinate_goes():
    state = pisae(6)
    side = {"side": "etruscans_samnites"}
    assert (
        refused(state, "etruscans_samnites", "declare", avoids=[slip("etruscans", ("minor_etruscans_b",), 6)], **side)
        == "11.1"
    )
    # 11.1 (reading): behind the walls he is still in the space, if a CU is there with him
    alone = slip("etruscans", ("minor_etruscans_b",), 3, inside_leaders=["minor_etruscans_a"])
    assert refused(state, "etruscans_samnites", "declare", avoids=[alone], **side) == "11.1"
    inside = slip("etruscans", ("minor_etruscans_b",), 3, inside=1, inside_leaders=["minor_etruscans_a"])
    assert refused(state, "etruscans_samnites", "declare", avoids=[inside], **side) == ""
    assert (
        refused(state, "etruscans_samnites", "declare", avoids=[slip("etruscans", ("minor_etruscans_b",), 5)], **side)
        == ""
    )


def test_11_1_leaders_and_cus_must_be_there():
    assert refused(entered(), "gauls", "declare", side="gauls", avoids=[slip("gauls", ("minor_gauls_a",), 3)]) == "11.1"
    assert refused(entered(), "gauls", "declare", side="gauls", avoids=[slip("gauls", ("brennus",), 7)]) == "11.1"
    assert refused(entered(), "gauls", "declare", side="gauls", avoids=[slip("gauls", (), 3)]) == "11.1"


def test_9_3_1_three_cus_fit_behind_the_walls_of_an_own_city():
    state = pisae(4)
    four = slip("etruscans", inside=4)
    assert refused(state, "etruscans_samnites", "declare", side="etruscans_samnites", avoids=[four]) == "9.3.1"
    assert refused(entered(), "gauls", "declare", side="gauls", avoids=[slip("gauls", inside=1)]) == "9.3.1"


def test_9_3_1_those_inside_are_no_hindrance_and_come_out_when_the_enemy_goes():
    both = ["minor_etruscans_a", "minor_etruscans_b"]
    state = avoid(pisae(3), "etruscans_samnites", slip("etruscans", inside=3, inside_leaders=both))
    assert not state.pending and state.move.points == 3
    state = do(state, "romans", "step", to="faesulae")
    assert asked(state) == [("declare", "etruscans_samnites")] and stands(state, "pisae", "etruscans") == 3


@pytest.mark.parametrize("face, goes_on", [(3, True), (4, False)])
def test_11_3_after_an_avoidance_the_mover_needs_his_tactics_to_go_on(face, goes_on):
    state = do(avoid(entered(), "gauls", slip("gauls", ("brennus",), 6)), "romans", "permit", allow=True)
    state = do(do(state, "gauls", "avoid_to", to="capua"), "romans", "pursue", face)
    assert (state.move is not None) is goes_on
    if not goes_on:
        assert stands(state, "fregellae", "romans") == 5


def test_11_1_1_avoiding_by_sea_is_a_sea_movement():
    """9.6 (5p) A Carthaginian of Neapolis plays a 1 and goes to Lilybaeum; Greeks may be contested on that way."""
    state = position(
        army("romans", "capua", 9, "claudius"), army("greeks", "neapolis", 3, "timoleon"), control={"paestum": "romans"}
    )
    state = march(state, "romans", "claudius", "neapolis", units=9)
    answer = slip("greeks", ("timoleon",), 3, port="syracusae", card=3)
    state = do(avoid(state, "greeks", answer), "romans", "permit", 3, allow=False)
    assert asked(state) == [("contest", "carthaginians")] and state.hands["greeks"] == (1, 2)
    away = do(state, "carthaginians", "pass")
    assert stands(away, "syracusae", "greeks") == 3 and asked(away) == [("pursue", "romans")]
    back = do(do(state, "carthaginians", "contest", card=3), "greeks", "sea_roll", 3)
    assert asked(back) == [("battle", "romans")] and modifiers(back)[1]["failed_avoidance"] == -1


def test_11_1_1_the_card_must_carry_the_cus():
    state = position(army("romans", "capua", 9, "claudius"), army("carthaginians", "neapolis", 5, "bomilcar"))
    state = march(state, "romans", "claudius", "neapolis", units=9)
    side = {"side": "carthaginians"}
    four = slip("carthaginians", ("bomilcar",), 4, port="lilybaeum", card=1)
    assert refused(state, "carthaginians", "declare", avoids=[four], **side) == "11.1.1"
    three = slip("carthaginians", ("bomilcar",), 3, port="lilybaeum", card=1)
    result = outcome(avoid(state, "carthaginians", three), "romans", "permit", 1, allow=False)
    assert stands(result.state, "lilybaeum", "carthaginians") == 3


def leaving(card=3, hand=(3,)):
    """Timoleon's Greeks of Neapolis leave by sea for Syracusae with this card; the Romans are asked for leave."""
    here = (army("romans", "capua", 9, "claudius"), army("greeks", "neapolis", 3, "timoleon"))
    state = position(*here, control={"paestum": "romans"}, hands={**HANDS, "greeks": hand})
    state = march(state, "romans", "claudius", "neapolis", units=9)
    return avoid(state, "greeks", slip("greeks", ("timoleon",), 3, port="syracusae", card=card))


def test_11_1_1_the_card_that_pays_is_bound_until_the_attempt_is_over():
    state = leaving()
    assert refused(state, "greeks", "discard", side="greeks", card=3) == "11.1.1"
    assert "discard" not in [offer.type for offer in SWORD_OF_ROME.offers(state, "greeks")]
    state = do(do(state, "romans", "permit", allow=True), "carthaginians", "pass")
    assert stands(state, "syracusae", "greeks") == 3 and state.hands["greeks"] == ()


def test_11_1_1_another_card_of_the_same_value_is_free_and_so_is_the_bound_one_after_a_failure():
    state = do(leaving(hand=(3, 3)), "greeks", "discard", side="greeks", card=3)
    assert refused(state, "greeks", "discard", side="greeks", card=3) == "11.1.1"
    state = do(state, "romans", "permit", 6, allow=False)
    assert asked(state) == [("battle", "romans")]
    assert do(state, "greeks", "discard", side="greeks", card=3).hands["greeks"] == ()


def test_11_1_1_a_position_without_the_card_that_pays_is_refused():
    raw = plain(leaving())
    raw["hands"]["greeks"] = [1, 2]
    with pytest.raises(BadInput) as wrong:
        SWORD_OF_ROME.start(None, raw, {}, Dice())
    assert wrong.value.path == "position.hands.greeks"
