"""10.5, 10.6 The intercepted army declines or fights; Caudine Forks; no avoidance after an attempt."""

import pytest

from kit.legions import army, asked, avoid, do, intercept, march, outcome, position, refused, slip, stands, tried
from strategic.sword_of_rome.rules.battle import modifiers


def intercepted(face=2, **fields):
    """Claudius steps from Roma to Velitrae; Brennus of Praeneste intercepts."""
    state = position(army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 4, "brennus"), **fields)
    state = march(state, "romans", "claudius", "velitrae")
    return intercept(state, "gauls", tried("gauls", "praeneste", "brennus", 4), dice=(face,))


def intercepted_at_sea(**fields):
    """Timoleon sails from Syracusae to Neapolis; Claudius of Capua intercepts."""
    state = position(
        army("greeks", "syracusae", 3, "timoleon"), army("romans", "capua", 5, "claudius"), active="greeks", **fields
    )
    state = do(state, "greeks", "activate", card=3, leader="timoleon", units=3)
    state = do(do(state, "greeks", "sail", to="neapolis"), "carthaginians", "pass")
    return intercept(state, "romans", tried("romans", "capua", "claudius", 5), dice=(2,))


def test_10_5_1_by_land_free_if_the_enemy_leader_agrees():
    state = do(do(intercepted(), "romans", "decline"), "gauls", "permit", allow=True)
    assert state.move is None and stands(state, "roma", "romans") == 5 and stands(state, "velitrae", "gauls") == 4


@pytest.mark.parametrize("face, back", [(3, True), (4, False)])
def test_10_5_1_by_land_otherwise_with_a_die_of_at_most_the_own_tactics(face, back):
    """A refused battle and an accepted one: Claudius has 3."""
    state = do(do(intercepted(), "romans", "decline"), "gauls", "permit", face, allow=False)
    assert (stands(state, "roma", "romans") == 5) is back
    assert (asked(state) == [("battle", "romans")]) is not back


def test_10_5_1_the_army_stops_where_it_came_from():
    state = do(do(intercepted(), "romans", "decline"), "gauls", "permit", allow=True)
    assert refused(state, "romans", "step", to="velitrae") == "9.2"
    assert asked(state) == []


def test_10_5_1_by_sea_a_permitted_army_still_crosses():
    state = do(do(intercepted_at_sea(), "greeks", "decline"), "romans", "permit", allow=True)
    assert asked(state) == [("contest", "carthaginians")]
    state = do(state, "carthaginians", "pass")
    assert state.move is None and stands(state, "syracusae", "greeks") == 3


def test_10_5_1_by_sea_the_own_die_comes_before_the_crossing():
    state = do(intercepted_at_sea(), "greeks", "decline")
    assert asked(do(state, "romans", "permit", 3, allow=False)) == [("contest", "carthaginians")]
    assert asked(do(state, "romans", "permit", 4, allow=False)) == [("battle", "greeks")]


def test_10_5_1_by_sea_a_return_leads_to_battle():
    """Home is friendly: a 3 from Carthage and a die of 3 make 3 + 2 - 2 = 3, Return."""
    state = do(do(intercepted_at_sea(), "greeks", "decline"), "romans", "permit", allow=True)
    state = do(do(state, "carthaginians", "contest", card=3), "greeks", "sea_roll", 3)
    assert asked(state) == [("battle", "greeks")] and state.battle.intercepted


def test_10_5_1_by_sea_attrition_still_gets_home():
    state = do(do(intercepted_at_sea(), "greeks", "decline"), "romans", "permit", allow=True)
    state = do(do(state, "carthaginians", "contest", card=3), "greeks", "sea_roll", 6)
    assert state.move is None and stands(state, "syracusae", "greeks") == 2


def test_10_5_1_storms_at_sea_lead_to_battle():
    state = do(intercepted_at_sea(), "greeks", "decline")
    state = do(state, "gauls", "storms_at_sea", side="gauls", card=2)
    assert asked(state) == [("battle", "greeks")] and state.hands["gauls"] == (1, 3)
    assert refused(do(intercepted(), "romans", "decline"), "gauls", "storms_at_sea", side="gauls", card=2) == "10.5.1"


def test_10_5_1_storms_meet_an_army_until_its_crossing_is_settled():
    state = do(do(intercepted_at_sea(), "greeks", "decline"), "romans", "permit", allow=True)
    assert asked(do(state, "gauls", "storms_at_sea", side="gauls", card=1)) == [("battle", "greeks")]
    state = do(state, "carthaginians", "contest", card=1)
    assert asked(do(state, "gauls", "storms_at_sea", side="gauls", card=1)) == [("battle", "greeks")]


def test_10_5_1_a_space_filled_with_others_is_no_way_back():
    """Claudius went through his Greek allies: he could not end his move among them."""
    state = position(
        army("romans", "roma", 5, "claudius"),
        army("greeks", "velitrae", 2),
        army("gauls", "capua", 4, "brennus"),
        alliances=[["greeks", "romans"]],
        control={"fregellae": "gauls"},
    )
    state = march(state, "romans", "claudius", "velitrae", "fregellae")
    state = intercept(state, "gauls", tried("gauls", "capua", "brennus", 4), dice=(2,))
    assert refused(state, "romans", "decline") == "10.5.1"


def test_10_5_2_the_intercepted_army_attacks_and_surprise_is_one_however_many_come():
    state = position(
        army("romans", "roma", 6, "claudius"),
        army("gauls", "praeneste", 3, "brennus"),
        army("gauls", "tarracina", 3, "minor_gauls_a"),
        control={"velitrae": "independent"},
    )
    state = march(state, "romans", "claudius", "velitrae", units=6)
    state = intercept(
        state,
        "gauls",
        tried("gauls", "praeneste", "brennus", 3),
        tried("gauls", "tarracina", "minor_gauls_a", 3),
        dice=(1, 2),
    )
    assert [each.result for each in state.reaction.attempts] == ["intercepted", "failed"]
    state = do(state, "romans", "fight")
    assert (state.battle.attacker, state.battle.defender) == ("romans", "gauls")
    assert modifiers(state)[1]["interception"] == 1


def test_10_5_2_two_that_succeed_give_one_bonus():
    state = position(
        army("romans", "roma", 6, "claudius"),
        army("gauls", "praeneste", 3, "brennus"),
        army("gauls", "tarracina", 3, "minor_gauls_a"),
        control={"velitrae": "gauls"},
    )
    state = march(state, "romans", "claudius", "velitrae", units=6)
    state = intercept(
        state,
        "gauls",
        tried("gauls", "praeneste", "brennus", 3),
        tried("gauls", "tarracina", "minor_gauls_a", 3),
        dice=(1, 1),
    )
    state = do(state, "romans", "fight")
    assert stands(state, "velitrae", "gauls") == 6 and modifiers(state)[1] == {"friendly_space": 1, "interception": 1}


def test_10_5_2_no_walls_before_interception_and_battle_are_over():
    """A Roman army intercepted at its own city has the choice of declining and fighting, and no third one."""
    state = position(army("romans", "velitrae", 5, "claudius"), army("gauls", "tarquinii", 4, "brennus"))
    state = march(state, "romans", "claudius", "roma")
    state = intercept(state, "gauls", tried("gauls", "tarquinii", "brennus", 4), dice=(2,))
    assert asked(state) == [("intercepted", "romans")]
    assert refused(state, "romans", "halt") == "9.2"
    assert refused(state, "romans", "declare", side="romans", avoids=[slip("romans", inside=3)]) == "10.3"


def test_10_5_2_note_caudine_forks_may_not_be_declined_and_gives_no_bonus():
    """10.5.2 (note) Event 31 is like an interception, and is none."""
    state = position(army("romans", "capua", 5, "claudius"), army("samnites", "beneventum", 4, "egnatius"))
    state = march(state, "romans", "claudius", "caudium")
    state = do(state, "etruscans_samnites", "declare", side="etruscans_samnites")
    result = outcome(
        state, "etruscans_samnites", "caudine_forks", card=3, space="beneventum", leader="egnatius", units=4
    )
    state = result.state
    assert asked(state) == [("battle", "romans")] and "interception" not in modifiers(state)[1]
    assert refused(state, "romans", "decline") == "10.5.2 (note)"
    assert state.hands["etruscans_samnites"] == (1, 2)


def test_10_5_2_note_the_forks_need_a_samnite_army_next_to_a_mover():
    state = position(army("romans", "capua", 5, "claudius"), army("samnites", "beneventum", 4, "egnatius"))
    forks = {"card": 3, "space": "beneventum", "leader": "egnatius", "units": 4}
    assert refused(state, "etruscans_samnites", "caudine_forks", **forks) == "10.5.2 (note)"
    state = march(state, "romans", "claudius", "fregellae")
    assert refused(state, "etruscans_samnites", "caudine_forks", **forks) == "10.5.2 (note)"


def attempted(face=6):
    """Brennus fails to intercept Claudius at Velitrae; then Claudius comes to Praeneste himself."""
    state = position(
        army("romans", "roma", 5, "claudius"),
        army("gauls", "praeneste", 4, "brennus"),
        control={"alba_fucens": "gauls"},
    )
    state = march(state, "romans", "claudius", "velitrae")
    state = intercept(state, "gauls", tried("gauls", "praeneste", "brennus", 2), dice=(face,))
    return do(state, "romans", "step", to="praeneste")


def test_10_6_an_army_that_tried_to_intercept_may_not_avoid_that_army():
    state = attempted()
    assert asked(state) == [("battle", "romans")]


def test_10_6_an_army_that_let_it_pass_may_avoid():
    state = position(
        army("romans", "roma", 5, "claudius"),
        army("gauls", "praeneste", 4, "brennus"),
        control={"alba_fucens": "gauls"},
    )
    state = march(state, "romans", "claudius", "velitrae")
    state = do(intercept(state, "gauls"), "romans", "step", to="praeneste")
    assert asked(state) == [("declare", "gauls")]
    assert asked(avoid(state, "gauls", slip("gauls", ("brennus",), 4))) == [("permit", "romans")]


def test_10_6_and_9_3_1_an_army_that_failed_to_intercept_may_still_go_inside_its_walls():
    """It may not slip away, but its own walls are open to it: 9.3.1 comes before 11.1."""
    state = position(army("gauls", "praeneste", 9, "brennus"), army("romans", "roma", 3, "claudius"), active="gauls")
    state = march(state, "gauls", "brennus", "velitrae")
    state = intercept(state, "romans", tried("romans", "roma", "claudius", 3), dice=(6,))
    state = do(state, "gauls", "step", to="roma")
    assert asked(state) == [("declare", "romans")]
    away = {"side": "romans", "avoids": [slip("romans", ("claudius",), 3)]}
    assert refused(state, "romans", "declare", **away) == "10.6"
    inside = {"power": "romans", "inside": 3, "inside_leaders": ["claudius"]}
    assert do(state, "romans", "declare", side="romans", avoids=[inside]).force("roma", "romans").inside == 3


def test_10_6_in_the_next_action_it_may_again():
    state = do(attempted(), "romans", "roll_battle", 1, 1, 1, 3, 3, 3)
    assert state.move is None and stands(state, "velitrae", "romans") == 5
    state = do(state, "umpire", "set_active", side="romans")
    state = do(state, "romans", "activate", card=1, leader="claudius", units=5)
    assert asked(do(state, "romans", "step", to="praeneste")) == [("declare", "gauls")]
