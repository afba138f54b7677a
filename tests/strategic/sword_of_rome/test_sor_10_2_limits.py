"""10.1, 10.2 When interception is possible, and each case in which it is barred."""

from kit.legions import army, asked, avoid, do, intercept, march, may_intercept, position, refused, slip, tried
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.rules.preview import preview
from tactical.kernel.dice import Dice


def test_10_1_an_army_next_to_the_step_may_try():
    state = march(
        position(army("romans", "reate", 5, "claudius"), army("gauls", "spoletium", 3, "brennus")),
        "romans",
        "claudius",
        "narnia",
    )
    assert asked(state) == [("declare", "gauls")]


def test_10_1_a_march_past_several_spaces_may_be_tried_in_each():
    state = position(army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 3, "brennus"))
    state = march(state, "romans", "claudius", "velitrae")
    state = intercept(state, "gauls", tried("gauls", "praeneste", "brennus", 3), dice=(6,))
    state = do(state, "romans", "step", to="fregellae")
    assert asked(state) == [("declare", "gauls")]
    state = intercept(state, "gauls", tried("gauls", "praeneste", "brennus", 3), dice=(1,))
    assert asked(state) == [("intercepted", "romans")]


def test_10_1_a_friend_and_a_leader_without_cus_are_not_intercepted():
    friends = position(
        army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 3, "brennus"), alliances=[["gauls", "romans"]]
    )
    assert not march(friends, "romans", "claudius", "velitrae").pending
    alone = position(army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 3, "brennus"))
    assert not march(alone, "romans", "claudius", "velitrae", units=0).pending


def test_10_1_cus_without_a_leader_and_leaders_without_cus_are_no_army():
    state = position(
        army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 3), army("greeks", "antium", 0, "pyrrhus")
    )
    state = march(state, "romans", "claudius", "velitrae")
    assert may_intercept(state, "gauls", "praeneste") == may_intercept(state, "greeks", "antium") == "10.1"


def test_10_2_a_not_over_rough_ground():
    state = position(army("romans", "compsa", 5, "claudius"), army("greeks", "lucani", 3, "pyrrhus"))
    state = march(state, "romans", "claudius", "paestum")
    assert may_intercept(state, "greeks", "lucani") == "10.2.a"


def test_10_2_a_not_over_a_strait():
    state = position(army("romans", "hipponium", 5, "claudius"), army("greeks", "messana", 3, "pyrrhus"))
    state = march(state, "romans", "claudius", "rhegium")
    assert may_intercept(state, "greeks", "messana") == "10.2.a"


def test_10_2_a_the_samnites_know_their_mountains():
    """9.2 Bovianum's and Aufidena's connections are clear for them, for all purposes."""
    state = position(army("romans", "capua", 5, "claudius"), army("samnites", "bovianum", 3, "egnatius"))
    assert may_intercept(march(state, "romans", "claudius", "caudium"), "samnites", "bovianum") == ""
    state = position(army("romans", "capua", 5, "claudius"), army("gauls", "bovianum", 3, "brennus"))
    assert may_intercept(march(state, "romans", "claudius", "caudium"), "gauls", "bovianum") == "10.2.a"


def besieged(*others):
    """Greeks inside Neapolis, 2 Roman CUs before the walls; Claudius marches past them to Paestum's neighbour."""
    return position(
        army("greeks", "neapolis", 0, inside=3, inside_leaders=["pyrrhus"]),
        army("romans", "neapolis", 2, "valerius"),
        army("romans", "fregellae", 5, "claudius"),
        *others,
    )


def test_10_2_b_not_out_of_a_city_with_enemies_in_the_space():
    state = march(besieged(), "romans", "claudius", "capua")
    assert may_intercept(state, "greeks", "neapolis") == "10.2.b" and not state.pending


def test_10_2_b_a_garrison_is_free_when_the_besieger_marches_off():
    state = march(besieged(), "romans", "valerius", "capua", units=2)
    assert asked(state) == [("declare", "greeks")]
    state = intercept(state, "greeks", tried("greeks", "neapolis", "pyrrhus", 2), dice=(3,))
    assert state.force("capua", "greeks").units == 2 and state.force("neapolis", "greeks").units == 1


def test_10_2_c_not_into_a_space_with_standing_enemies():
    state = position(
        army("romans", "roma", 5, "claudius"), army("romans", "velitrae", 1), army("gauls", "praeneste", 3, "brennus")
    )
    state = march(state, "romans", "claudius", "velitrae")
    assert may_intercept(state, "gauls", "praeneste") == "10.2.c"


def test_10_2_c_not_into_a_space_with_standing_allies():
    """A Greek army, friend of the Gauls and of the Romans alike, bars the Gauls."""
    state = position(
        army("romans", "roma", 5, "claudius"),
        army("greeks", "velitrae", 1),
        army("gauls", "praeneste", 3, "brennus"),
        alliances=[["gauls", "greeks"], ["greeks", "romans"]],
    )
    state = march(state, "romans", "claudius", "velitrae")
    assert may_intercept(state, "gauls", "praeneste") == "10.2.c"


def test_10_2_c_besieged_cus_do_not_bar():
    """Only unbesieged CUs count; a siege marker or a besieger of one's own makes the difference."""
    city = [
        army("romans", "praeneste", 5, "claudius"),
        army("gauls", "tarquinii", 3, "brennus"),
        army("romans", "roma", 0, inside=2),
    ]
    free = position(*city, sieges={})
    assert free.force("roma", "romans").units == 2
    assert may_intercept(march(free, "romans", "claudius", "roma"), "gauls", "tarquinii") == "10.2.c"
    held = position(*city, army("gauls", "roma", 4), sieges={"roma": 0})
    assert may_intercept(march(held, "romans", "claudius", "roma"), "gauls", "tarquinii") == ""


def test_10_2_d_not_where_another_power_has_just_intercepted():
    state = three_interceptors()
    state = intercept(state, "gauls", tried("gauls", "bononia", "brennus", 4))
    state = intercept(state, "greeks", tried("greeks", "ravenna", "pyrrhus", 5))
    result = do(state, "gauls", "set_order", 1, powers=["gauls", "greeks"])
    assert result.reaction.intercepted_by == "gauls"
    assert [each.result for each in result.reaction.attempts] == ["intercepted", "lapsed"]
    assert may_intercept(result, "greeks", "ravenna") in ("10.2.c", "10.2.d")
    assert result.force("ravenna", "greeks").units == 5


def test_10_2_e_a_flanking_army_is_not_intercepted():
    state = position(army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 3, "brennus"))
    state = march(state, "romans", "claudius", "velitrae", flank=True)
    assert may_intercept(state, "gauls", "praeneste") == "10.2.e" and not state.pending


def test_10_2_f_not_where_an_ally_is_attacked():
    state = position(
        army("romans", "roma", 5, "claudius"),
        army("greeks", "velitrae", 2),
        army("gauls", "praeneste", 3, "brennus"),
        alliances=[["gauls", "greeks"]],
    )
    state = march(state, "romans", "claudius", "velitrae")
    assert may_intercept(state, "gauls", "praeneste") == "10.2.f"


def test_10_2_f_but_where_own_troops_are_attacked():
    state = position(
        army("romans", "roma", 5, "claudius"), army("gauls", "velitrae", 2), army("gauls", "praeneste", 3, "brennus")
    )
    state = march(state, "romans", "claudius", "velitrae")
    state = intercept(state, "gauls", tried("gauls", "praeneste", "brennus", 3), dice=(3,))
    assert state.force("velitrae", "gauls").units == 5


def test_10_2_g_an_army_that_declines_is_not_intercepted():
    state = position(
        army("romans", "roma", 5, "claudius"),
        army("gauls", "praeneste", 3, "brennus"),
        army("greeks", "sutrium", 9, "pyrrhus"),
    )
    state = march(state, "romans", "claudius", "velitrae")
    state = intercept(state, "gauls", tried("gauls", "praeneste", "brennus", 3), dice=(2,))
    state = do(do(state, "romans", "decline"), "gauls", "permit", allow=True)
    assert not state.pending and state.force("roma", "romans").units == 5


def test_10_2_g_an_army_that_avoids_is_not_intercepted():
    state = position(
        army("romans", "velitrae", 5, "claudius"),
        army("gauls", "fregellae", 3, "brennus"),
        army("greeks", "neapolis", 9, "pyrrhus"),
        control={"capua": "gauls"},
    )
    state = march(state, "romans", "claudius", "fregellae")
    state = avoid(state, "gauls", slip("gauls", ("brennus",), 3))
    state = do(state, "romans", "permit", allow=True)
    assert asked(state) == [("pursue", "romans")] and state.force("capua", "gauls").units == 3


def test_10_2_g_a_retreat_is_not_intercepted():
    state = position(
        army("romans", "velitrae", 5, "claudius"),
        army("gauls", "fregellae", 5, "brennus"),
        army("greeks", "neapolis", 9, "pyrrhus"),
        control={"capua": "gauls"},
    )
    state = march(state, "romans", "claudius", "fregellae")
    state = do(state, "gauls", "declare", side="gauls")
    state = do(state, "romans", "roll_battle", 5, 5, 5, 1, 1, 1)
    assert not state.pending and state.move is None and state.tallies["gauls"].removed == 5


def test_10_2_g_an_interception_is_not_intercepted():
    """Brennus comes to Velitrae past the Greeks of Antium: they were asked about Claudius, not about him."""
    state = position(
        army("romans", "roma", 5, "claudius"),
        army("gauls", "praeneste", 3, "brennus"),
        army("greeks", "antium", 3, "timoleon"),
    )
    state = march(state, "romans", "claudius", "velitrae")
    state = intercept(intercept(state, "greeks"), "gauls", tried("gauls", "praeneste", "brennus", 3), dice=(2,))
    assert asked(state) == [("intercepted", "romans")] and state.force("velitrae", "gauls").units == 3


def test_10_1_reinforcements_are_not_intercepted():
    state = position(army("gauls", "praeneste", 3, "brennus"))
    state = do(state, "romans", "place", power="romans", space="velitrae", units=3, leaders=["claudius"])
    assert not state.pending and state.force("velitrae", "romans").units == 3


def test_10_2_example_claudius_and_pyrrhus():
    """10.2 (example) Not over rough ground, not among standing enemies, and on 1 to 3 in the open."""
    state = SWORD_OF_ROME.start("around_claudius", None, {}, Dice()).state
    steps = preview(state, "pyrrhus", ["lucani", "heraclea", "metapontum", "tarentum"])
    assert [[each.rule for each in step.may_not] for step in steps] == [["10.2.a"], [], ["10.2.c"], []]
    assert [len(step.may) for step in steps] == [0, 0, 0, 1]
    assert (steps[3].may[0].leaders[0].faces, steps[3].may[0].rule) == (3, "10.4")
    state = do(state, "greeks", "activate", card=3, leader="pyrrhus", units=8)
    for space in ("lucani", "heraclea", "metapontum", "tarentum"):
        assert not state.pending
        state = do(state, "greeks", "step", to=space)
    tried_by = tried("romans", "venusia", "claudius", 6)
    assert asked(intercept(state, "romans", tried_by, dice=(3,))) == [("intercepted", "greeks")]
    assert not intercept(state, "romans", tried_by, dice=(4,)).pending


def three_interceptors():
    """Claudius crosses from Arretium to Ariminum between two Gallic armies and a Greek one."""
    state = SWORD_OF_ROME.start("gauls_before_greeks", None, {}, Dice()).state
    return march(state, "romans", "claudius", "ariminum", units=6)


def test_10_2_the_declaration_is_refused_by_the_clause():
    state = three_interceptors()
    assert refused(state, "gauls", "declare", side="gauls", intercepts=[tried("gauls", "ravenna", "brennus")]) == "10.1"
    assert (
        refused(state, "gauls", "declare", side="gauls", intercepts=[tried("greeks", "ravenna", "pyrrhus")]) == "10.3"
    )
