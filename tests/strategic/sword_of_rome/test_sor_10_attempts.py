"""10.3, 10.4 Declaring, the order of several powers, parts of armies, and joining."""

import pytest
from test_sor_10_2_limits import three_interceptors

from kit.legions import army, asked, do, intercept, march, outcome, position, refused, stands, tried
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.view import view
from tactical.kernel.protocol import NotYours
from tactical.kernel.record import encode

BRENNUS = tried("gauls", "bononia", "brennus", 4)
MINOR = tried("gauls", "sena_gallica", "minor_gauls_a", 3)
PYRRHUS = tried("greeks", "ravenna", "pyrrhus", 5)


def test_10_3_example_gauls_before_greeks():
    """10.3 (example) The Gauls win the tie, try first, succeed: the Greeks may no longer try."""
    state = three_interceptors()
    assert asked(state) == [("declare", "gauls"), ("declare", "greeks")]
    state = intercept(state, "greeks", PYRRHUS)
    state = intercept(state, "gauls", BRENNUS, MINOR)
    assert asked(state) == [("order", "gauls")]
    result = outcome(state, "gauls", "set_order", 3, 1, powers=["gauls", "greeks"])
    assert [each.type for each in result.events].count("interception") == 2
    assert stands(result.state, "ariminum", "gauls") == 7 and stands(result.state, "ravenna", "greeks") == 5


def test_10_3_the_gauls_may_let_the_greeks_try_first():
    state = intercept(intercept(three_interceptors(), "greeks", PYRRHUS), "gauls", BRENNUS, MINOR)
    state = do(state, "gauls", "set_order", 3, powers=["greeks", "gauls"])
    assert stands(state, "ariminum", "greeks") == 5 and stands(state, "bononia", "gauls") == 4


def test_10_3_three_interceptors_of_two_powers_the_first_failing():
    """10.3 The later power tries when all attempts of the earlier one have failed."""
    state = intercept(intercept(three_interceptors(), "greeks", PYRRHUS), "gauls", BRENNUS, MINOR)
    state = do(state, "gauls", "set_order", 4, 2, 3, powers=["gauls", "greeks"])
    assert [(each.power, each.result) for each in state.reaction.attempts] == [
        ("gauls", "failed"),
        ("gauls", "failed"),
        ("greeks", "intercepted"),
    ]
    assert asked(state) == [("intercepted", "romans")]


def test_10_3_reading_a_later_attempt_lapses_unrolled():
    """10.3 (reading) No die is thrown for it."""
    state = intercept(intercept(three_interceptors(), "greeks", PYRRHUS), "gauls", BRENNUS)
    result = outcome(state, "gauls", "set_order", 1, powers=["gauls", "greeks"])
    assert [each.type for each in result.events if "interception" in each.type] == [
        "interception",
        "interception_lapsed",
    ]


def test_10_3_only_the_winner_of_ties_sets_the_order():
    state = intercept(intercept(three_interceptors(), "greeks", PYRRHUS), "gauls", BRENNUS)
    with pytest.raises(NotYours):
        do(state, "greeks", "set_order", powers=["greeks", "gauls"])
    assert refused(state, "gauls", "set_order", powers=["gauls"]) == "10.3"


def test_10_3_all_attempts_are_declared_before_any_is_rolled():
    state = intercept(three_interceptors(), "gauls", BRENNUS)
    assert asked(state) == [("declare", "greeks")] and stands(state, "bononia", "gauls") == 4
    assert refused(state, "gauls", "declare", side="gauls") == "10.3"


def test_10_3_nobody_sees_a_declaration_before_all_are_in():
    """Two answers that differ only in what is declared give the others equal bytes."""
    declared, passed = intercept(three_interceptors(), "gauls", BRENNUS), intercept(three_interceptors(), "gauls")
    for seat in ("greeks", "romans", "carthaginians", "etruscans_samnites", "spectator"):
        assert encode(view(declared, seat)) == encode(view(passed, seat))
    assert encode(view(declared, "gauls")) != encode(view(passed, "gauls"))
    assert view(declared, "umpire").reaction.attempts


def test_10_3_the_events_of_a_declaration_are_its_owners():
    result = outcome(three_interceptors(), "gauls", "declare", side="gauls", intercepts=[BRENNUS])
    seen = [each for each in result.events if each.seen_by("romans")]
    assert [each.data for each in seen] == [{"side": "gauls"}]


def test_10_3_the_umpire_closes_the_declarations():
    """A timer has passed: what is declared stands, the others let the army pass."""
    state = intercept(three_interceptors(), "gauls", BRENNUS)
    with pytest.raises(NotYours):
        do(state, "romans", "close_declarations")
    state = do(state, "umpire", "close_declarations", 3)
    assert stands(state, "ariminum", "gauls") == 4 and asked(state) == [("intercepted", "romans")]


def test_10_4_b_a_failure_has_no_effect_and_10_3_when_all_fail_the_army_goes_on():
    state = intercept(intercept(three_interceptors(), "gauls", BRENNUS), "greeks", dice=(6,))
    assert not state.pending and state.move.points == 2
    assert stands(state, "bononia", "gauls") == 4 and stands(state, "ariminum", "gauls") == 0
    assert do(state, "romans", "step", to="bononia").pending


def subordinates():
    return march(
        position(army("romans", "roma", 5, "claudius"), army("greeks", "praeneste", 4, "pyrrhus", "timoleon")),
        "romans",
        "claudius",
        "velitrae",
    )


def test_10_3_a_the_commander_stays_with_a_cu_when_a_subordinate_goes():
    state = subordinates()
    declare = {"side": "greeks"}
    for bad in (tried("greeks", "praeneste", "timoleon", 4), tried("greeks", "praeneste", "timoleon", 2, "pyrrhus")):
        assert refused(state, "greeks", "declare", intercepts=[bad], **declare) == "10.3.a"
    state = intercept(state, "greeks", tried("greeks", "praeneste", "timoleon", 3), dice=(2,))
    assert state.force("praeneste", "greeks").leaders == ("pyrrhus",) and stands(state, "praeneste", "greeks") == 1


def test_10_3_b_one_is_added_in_an_enemys_space():
    """Velitrae is Roman and holds no Greek CU: Timoleon needs 2, not 3."""
    assert not intercept(subordinates(), "greeks", tried("greeks", "praeneste", "timoleon", 3), dice=(3,)).pending
    assert intercept(subordinates(), "greeks", tried("greeks", "praeneste", "timoleon", 3), dice=(2,)).pending


def test_10_3_b_nothing_is_added_in_a_friendly_space_or_where_own_cus_stand():
    base = (army("romans", "roma", 5, "claudius"), army("greeks", "praeneste", 4, "timoleon"))
    own = position(*base, army("greeks", "velitrae", 1))
    held = position(*base, control={"velitrae": "greeks"})
    allied = position(*base, control={"velitrae": "gauls"}, alliances=[["gauls", "greeks"]])
    for state in (own, held, allied):
        state = march(state, "romans", "claudius", "velitrae")
        assert asked(intercept(state, "greeks", tried("greeks", "praeneste", "timoleon", 3), dice=(3,)))


def test_10_3_b_reading_an_allys_cus_do_not_spare_the_one():
    """10.3.b (reading) An ally's besieged CUs in an enemy's space leave the 1 where it is."""
    from strategic.sword_of_rome.rules.interception import modifier

    state = position(army("gauls", "roma", 4), army("greeks", "neapolis", 1), alliances=[["gauls", "greeks"]])
    assert modifier(state, "greeks", "roma") == 1 and modifier(state, "gauls", "roma") == 0


def test_10_3_c_a_part_of_an_army_may_go():
    state = intercept(subordinates(), "greeks", tried("greeks", "praeneste", "pyrrhus", 1), dice=(1,))
    assert stands(state, "velitrae", "greeks") == 1 and state.force("praeneste", "greeks").leaders == ("timoleon",)


def test_10_3_c_one_interception_from_each_space():
    twice = [tried("greeks", "praeneste", "timoleon", 1), tried("greeks", "praeneste", "pyrrhus", 1)]
    assert refused(subordinates(), "greeks", "declare", side="greeks", intercepts=twice) == "10.3.c"


@pytest.mark.parametrize(
    "bad",
    [
        tried("greeks", "praeneste", "pyrrhus", 5),
        tried("greeks", "praeneste", "agathocles", 1),
        tried("greeks", "praeneste", "pyrrhus", 0),
        tried("greeks", "praeneste", "pyrrhus", 2, "pyrrhus"),
    ],
)
def test_10_3_c_leader_and_cus_must_be_there(bad):
    assert refused(subordinates(), "greeks", "declare", side="greeks", intercepts=[bad]) == "10.3.c"


@pytest.mark.parametrize("face, success", [(4, True), (5, False)])
def test_10_4_the_die_is_at_most_the_leaders_tactics(face, success):
    """Pyrrhus has 4; the space is no enemy's."""
    state = position(
        army("romans", "roma", 5, "claudius"), army("greeks", "praeneste", 4, "pyrrhus"), control={"velitrae": "greeks"}
    )
    state = march(state, "romans", "claudius", "velitrae")
    state = intercept(state, "greeks", tried("greeks", "praeneste", "pyrrhus", 4), dice=(face,))
    assert bool(state.pending) is success


def joined(*leaders_here):
    """Greek CUs stand in Velitrae with these leaders; Pyrrhus and Timoleon come from two sides."""
    state = position(
        army("romans", "roma", 5, "claudius"),
        army("greeks", "velitrae", 2, *leaders_here),
        army("greeks", "praeneste", 4, "pyrrhus"),
        army("greeks", "fregellae", 3, "timoleon"),
    )
    return march(state, "romans", "claudius", "velitrae")


def both(state):
    return intercept(
        state,
        "greeks",
        tried("greeks", "praeneste", "pyrrhus", 4),
        tried("greeks", "fregellae", "timoleon", 3),
        dice=(1, 1),
    )


def test_10_4_a_the_interceptors_and_cus_already_there_are_one_army():
    state = do(both(joined()), "greeks", "take_command", leader="pyrrhus")
    force = state.force("velitrae", "greeks")
    assert (force.units, force.leaders[0]) == (9, "pyrrhus")
    state = do(state, "romans", "fight")
    assert state.battle.defender == "greeks"


def test_10_4_a_the_interceptor_chooses_who_commands():
    state = both(joined("dionysius"))
    assert asked(state) == [("commander", "greeks")]
    assert state.pending[0].about["leaders"] == ["dionysius", "pyrrhus", "timoleon"]  # in the order of the declaration
    assert do(state, "greeks", "take_command", leader="timoleon").force("velitrae", "greeks").leaders[0] == "timoleon"
    assert refused(state, "greeks", "take_command", leader="agathocles") == "10.4.a"


def test_10_4_reading_a_minor_leader_is_no_choice():
    """10.4 (reading) With one historical leader on the field nobody is asked: he commands."""
    state = joined("minor_greeks_a")
    state = intercept(state, "greeks", tried("greeks", "praeneste", "pyrrhus", 4), dice=(1,))
    assert asked(state) == [("intercepted", "romans")]
    assert state.force("velitrae", "greeks").leaders == ("pyrrhus", "minor_greeks_a")


def test_10_4_one_army_with_two_leaders_has_nothing_to_choose():
    state = subordinates()
    state = intercept(state, "greeks", tried("greeks", "praeneste", "pyrrhus", 4, "timoleon"), dice=(1,))
    assert asked(state) == [("intercepted", "romans")]


def test_10_3_every_offered_answer_is_accepted():
    state = three_interceptors()
    for seat in ("gauls", "greeks"):
        offer = next(each for each in SWORD_OF_ROME.offers(state, seat) if each.type == "declare")
        for answer in offer.fields["intercepts"]:
            do(state, seat, "declare", side=seat, intercepts=answer)
