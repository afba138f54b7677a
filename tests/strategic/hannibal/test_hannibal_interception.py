"""Interception, avoiding battle, pursuit."""

from fractions import Fraction

from msgspec.structs import replace

from kit.hannibal_war import asked, do, force, kinds, march, offered, refused, step, the, war
from strategic.hannibal.rules.book import hand_size
from strategic.point_to_point.meeting import chances, watchers_at
from strategic.point_to_point.state import Troops


def entering(*forces, to="arpi", units=8, options=None, **more):
    """Hannibal with eight CUs goes from Beneventum."""
    state = war(force("carthage", "beneventum", 8, "hannibal"), *forces, options=options, **more)
    return step(march(state, "hannibal"), to, units)


def tries(state, space, units, *generals):
    return do(state, "rome", "intercept", space=space, generals=list(generals), units=units, elephants=0).state


def test_interception_general_1_an_army_next_to_the_space_may_try():
    state = entering(force("rome", "cannae", 6, "marcellus"))
    assert asked(state) == "intercept"
    assert {fields["space"] for fields in offered(state, "rome", "intercept")} == {"cannae"}
    assert asked(entering(force("rome", "rome", 6, "marcellus"))) == "march"


def test_movement_general_3_every_space_that_is_entered_asks_anew():
    state = entering(force("rome", "cannae", 6, "marcellus"), force("rome", "praeneste", 5, "nero"))
    asked_for = []
    for to in ("terventum", "capua"):
        assert asked(state) == "intercept"
        asked_for.append({fields["space"] for fields in offered(state, "rome", "intercept")})
        state = step(do(state, "rome", "done").state, to, 8)
    assert asked_for == [{"cannae"}, {"praeneste"}]


def test_interception_4_an_army_shut_in_does_not_try():
    walls = {"places": {"capua": {"siege": 1, "besieger": "carthage"}}}
    shut_in = force("rome", "capua", 0, "nero", inside=2)
    state = entering(shut_in, force("carthage", "capua", 3, "mago"), to="terventum", **walls)
    assert asked(state) == "march"
    assert asked(entering(force("rome", "capua", 2, "nero"), to="terventum")) == "intercept"


def test_interception_general_3_not_where_a_unit_stands_that_did_not_move():
    assert asked(entering(force("rome", "cannae", 6, "marcellus"), force("carthage", "arpi", 1))) == "march"


def test_interception_1a_part_of_an_army_may_go_and_interception_1b_what_must_stay_and_reading_5_a_consul_takes_five():
    state = entering(
        force("rome", "cannae", 9, "marcellus", "scipio_africanus"), ranks={"scipio_africanus": "proconsul"}
    )
    fields = {"space": "cannae", "elephants": 0}
    refused(state, "rome", "intercept", "interception.1b", generals=["marcellus"], units=9, **fields)
    refused(state, "rome", "intercept", "reading.5", generals=["marcellus"], units=4, **fields)
    refused(state, "rome", "intercept", "interception.1b", generals=["scipio_africanus"], units=5, **fields)
    state = tries(state, "cannae", 4, "scipio_africanus")
    state = do(state, "rome", "done", 2).state
    assert state.spaces["cannae"].rome == Troops(5) and state.spaces["arpi"].rome == Troops(4)


def test_interception_2_a_die_and_interception_2a_no_higher_than_the_commanders_rating_and_interception_3_it_comes():
    """Marcellus, 3, into an own space."""
    state = tries(entering(force("rome", "cannae", 6, "marcellus")), "cannae", 6, "marcellus")
    failed = do(state, "rome", "done", 4)
    assert not the(failed, "interception")["success"] and failed.state.spaces["cannae"].rome == Troops(6)
    came = do(state, "rome", "done", 3)
    assert came.state.spaces["arpi"].rome == Troops(6) and asked(came.state) == "intercepted"


def test_interception_2b_one_more_in_a_hostile_empty_space():
    hostile = entering(force("rome", "cannae", 6, "marcellus"), control={"arpi": "carthage"})
    outcome = do(tries(hostile, "cannae", 6, "marcellus"), "rome", "done", 3)
    assert the(outcome, "interception")["modifier"] == 1
    assert not the(outcome, "interception")["success"]
    defended = entering(force("rome", "cannae", 6, "marcellus"), force("rome", "arpi", 2), control={"arpi": "carthage"})
    assert the(do(tries(defended, "cannae", 6, "marcellus"), "rome", "done", 3), "interception")["success"]


def test_interception_2a_varro_intercepts_on_4():
    state = tries(entering(force("rome", "cannae", 6, "varro")), "cannae", 6, "varro")
    assert the(do(state, "rome", "done", 4), "interception")["success"]


def test_interception_general_2_success_gives_a_card_and_battle_5d_in_this_battle():
    state = tries(entering(force("rome", "cannae", 6, "marcellus")), "cannae", 6, "marcellus")
    outcome = do(do(state, "rome", "done", 1).state, "carthage", "accept_battle")
    hand = [e.data["parts"] for e in outcome.events if e.type == "battle_hand" and e.data["side"] == "rome"]
    assert hand[0]["interception"] == 1


def test_interception_general_5_no_refuge_in_a_city_at_once():
    """interception.general.5: after accepting, the battle begins without a choice to shelter."""
    state = war(force("carthage", "beneventum", 8, "hannibal"), force("rome", "rome", 6, "marcellus"))
    state = step(march(state, "hannibal"), "capua", 8)
    state = do(tries(state, "rome", 6, "marcellus"), "rome", "done", 1).state
    state = do(state, "carthage", "accept_battle").state
    assert state.battle is not None and asked(state) == "attack"


def test_interception_general_4_one_try_from_a_space_on_a_card():
    state = entering(force("rome", "cannae", 6, "marcellus"))
    state = do(tries(state, "cannae", 6, "marcellus"), "rome", "done", 6).state
    state = step(state, "beneventum", 8)
    assert asked(state) == "march"


def test_interception_general_6_who_failed_may_not_avoid_the_same_army():
    state = entering(force("rome", "cannae", 6, "marcellus"))
    state = do(tries(state, "cannae", 6, "marcellus"), "rome", "done", 6).state
    state = step(state, "cannae", 8)
    assert asked(state) != "avoid" and state.battle is not None


def test_interception_more_1_several_armies_and_interception_1_all_named_before_any_die():
    state = entering(force("rome", "cannae", 6, "marcellus"), force("rome", "terventum", 5, "nero"))
    state = tries(state, "cannae", 6, "marcellus")  # without a die
    assert asked(state) == "intercept" and state.spaces["cannae"].rome == Troops(6)
    outcome = do(tries(state, "terventum", 5, "nero"), "rome", "done", 2, 2)
    assert outcome.state.spaces["arpi"].rome == Troops(11)


def test_interception_3a_back_one_space_or_battle():
    state = tries(entering(force("rome", "cannae", 6, "marcellus")), "cannae", 6, "marcellus")
    state = do(state, "rome", "done", 1).state
    back = do(state, "carthage", "go_back").state
    assert back.spaces["beneventum"].carthage == Troops(8) and back.battle is None
    fight = do(state, "carthage", "accept_battle").state
    assert fight.fighting().space == "arpi" and fight.fighting().interceptor


def test_interception_4_not_over_passes_or_straits():
    """interception.4"""
    state = war(force("carthage", "verona", 8, "hannibal"), force("rome", "pisae", 6, "marcellus"))
    assert asked(step(march(state, "hannibal"), "boii", 8)) == "march"


# avoiding


def facing(*more_forces, general="marcellus", units=6, **more):
    """Hannibal comes from Beneventum upon a Roman army in Arpi."""
    army = (force("rome", "arpi", units, general),) if general else (force("rome", "arpi", units),)
    return entering(*army, *more_forces, **more)


def avoid(state, to, units, *generals, faces=(1,)):
    return do(state, "rome", "avoid", *faces, to=to, generals=list(generals), units=units, elephants=0)


def test_avoid_1_an_army_may_try_and_avoid_2_by_a_die_and_avoid_2a_no_higher_than_the_rating():
    state = facing()
    assert asked(state) == "avoid"
    gone = avoid(state, "cannae", 6, "marcellus", faces=(3,))
    assert gone.state.spaces["cannae"].rome == Troops(6) and asked(gone.state) == "pursuit"
    caught = avoid(state, "cannae", 6, "marcellus", faces=(4,))
    assert caught.state.fighting().failed_avoid


def test_avoid_2a_fabius_avoids_on_5():
    assert the(avoid(facing(general="fabius"), "cannae", 6, "fabius", faces=(5,)), "avoided")["success"]


def test_avoid_1_a_lone_general_may_try():
    state = facing(units=0)
    assert avoid(state, "cannae", 0, "marcellus").state.generals["marcellus"].space == "cannae"


def test_avoid_1_units_without_a_general_cannot():
    assert facing(general=None, units=3).battle is not None


def test_avoid_1a_into_the_walls_without_roll_or_pursuit_and_cities_4_friendly_ones():
    """cities.3: the army may march on, and those inside are not attacked."""
    state = war(force("carthage", "beneventum", 8, "hannibal"), force("rome", "capua", 2, "marcellus"))
    state = step(march(state, "hannibal"), "capua", 8)
    outcome = do(state, "rome", "shelter", generals=["marcellus"], units=2, elephants=0)
    assert outcome.state.spaces["capua"].inside == Troops(2) and outcome.state.generals["marcellus"].inside
    assert outcome.state.battle is None and asked(outcome.state) == "march" and not outcome.state.marching().stopped


def test_avoid_3_at_most_ten_units_and_3a_some_may_stay():
    """avoid.3, avoid.3a"""
    state = facing(units=12)
    refused(state, "rome", "avoid", "avoid.3", to="cannae", generals=["marcellus"], units=11, elephants=0)
    left = avoid(state, "cannae", 10, "marcellus").state
    assert left.spaces["cannae"].rome == Troops(10) and left.spaces["arpi"].rome == Troops(2)
    assert left.battle is not None


def test_avoid_3b_forbidden_targets():
    """avoid.3b: not where the attacker came from, nor onto an enemy PC."""
    state = facing(control={"cannae": "carthage"})
    refused(state, "rome", "avoid", "avoid.3b", to="beneventum", generals=["marcellus"], units=6, elephants=0)
    refused(state, "rome", "avoid", "avoid.3b", to="cannae", generals=["marcellus"], units=6, elephants=0)
    assert {to for fields in offered(state, "rome", "avoid") for to in fields["to"]} == {"terventum"}


def test_avoid_4_not_over_a_pass():
    state = war(force("carthage", "verona", 8, "hannibal"), force("rome", "boii", 6, "marcellus"))
    state = step(march(state, "hannibal"), "boii", 8)
    assert "pisae" not in {to for fields in offered(state, "rome", "avoid") for to in fields["to"]}


def test_avoid_more_1_a_failed_try_and_battle_5e_costs_a_card():
    outcome = avoid(facing(), "cannae", 6, "marcellus", faces=(6,))
    hand = [e.data["parts"] for e in outcome.events if e.type == "battle_hand" and e.data["side"] == "rome"]
    assert hand[0]["failed_avoid"] == -1 and hand_size(outcome.state, "rome")[1]["failed_avoid"] == -1


# pursuit


def test_pursuit_2_a_die_and_pursuit_2a_no_higher_than_the_rating_and_pursuit_2b_the_army_goes_on_with_what_it_has_left():
    state = avoid(facing(), "cannae", 6, "marcellus").state
    on = do(state, "carthage", "pursue", 4).state
    assert not on.marching().stopped and on.marching().points == 3
    assert step(on, "cannae", 8).marching().points == 2
    assert do(state, "carthage", "pursue", 5).state.march is None  # Hannibal's rating is 4


def test_pursuit_2c_after_failure_it_stops_but_may_besiege():
    state = war(force("carthage", "beneventum", 8, "hannibal"), force("rome", "capua", 6, "marcellus"))
    state = step(march(state, "hannibal"), "capua", 8)
    state = avoid(state, "terventum", 6, "marcellus").state
    state = do(state, "carthage", "pursue", 5).state
    refused(state, "carthage", "step", "pursuit.2c", to="neapolis", units=8, elephants=0, companions=[])
    assert [fields["general"] for fields in offered(state, "carthage", "besiege")] == ["hannibal"]


def test_pursuit_1_giving_up_stops_it_too():
    state = avoid(facing(), "cannae", 6, "marcellus").state
    outcome = do(state, "carthage", "done")
    assert "no_pursuit" in kinds(outcome) and outcome.state.march is None


def test_pursuit_2a_flaminius_pursues_on_4():
    state = war(
        force("rome", "beneventum", 8, "flaminius"),
        force("carthage", "arpi", 6, "mago"),
        active="rome",
        control={"cannae": None},
    )
    state = step(march(state, "flaminius"), "arpi", 8)
    state = do(state, "carthage", "avoid", 1, to="cannae", generals=["mago"], units=6, elephants=0).state
    assert the(do(state, "rome", "pursue", 4), "pursuit")["success"]


def test_pursuit_3_the_pursued_may_avoid_again_each_time():
    state = avoid(facing(), "cannae", 6, "marcellus").state
    state = step(do(state, "carthage", "pursue", 1).state, "cannae", 8)
    assert asked(state) == "avoid"


def test_interception_2_a_success_stands_at_once_and_counts_for_the_next_die():
    """interception.2b Into an empty space with an enemy PC: 3 + 1 fails; once Nero has come there is no + 1 any more."""
    hostile = entering(
        force("rome", "cannae", 6, "marcellus"), force("rome", "terventum", 5, "nero"), control={"arpi": "carthage"}
    )
    named = tries(tries(hostile, "terventum", 5, "nero"), "cannae", 6, "marcellus")
    rolled = [
        [(each.data["modifier"], each.data["success"]) for each in do(named, "rome", "done", *faces).events[:2]]
        for faces in ((1, 3), (6, 3))
    ]
    assert rolled == [[(1, True), (0, True)], [(1, False), (1, False)]]
    first = chances(hostile, {"type": "intercept", "generals": ["marcellus"]})
    after = chances(tries(hostile, "terventum", 5, "nero"), {"type": "intercept", "generals": ["marcellus"]})
    (nero,) = chances(hostile, {"type": "intercept", "generals": ["nero"]})
    assert first == (Fraction(2, 6),) and after == (nero * Fraction(3, 6) + (1 - nero) * Fraction(2, 6),)


def test_interception_general_6_nor_do_its_units_under_a_companion():
    """Four tried under Africanus: of the nine, Marcellus may take five away and no more."""
    state = entering(
        force("rome", "cannae", 9, "marcellus", "scipio_africanus"), ranks={"scipio_africanus": "proconsul"}
    )
    state = do(tries(state, "cannae", 4, "scipio_africanus"), "rome", "done", 6).state
    state = step(state, "cannae", 8)
    fields = {"to": "heraclea", "generals": ["marcellus"], "elephants": 0}
    refused(state, "rome", "avoid", "interception.general.6", units=6, **fields)
    assert {each["units"]["to"] for each in offered(state, "rome", "avoid")} == {5}
    assert do(state, "rome", "avoid", 1, units=5, **fields).state.spaces["heraclea"].rome == Troops(5)


def test_interception_general_3_the_march_ahead_names_only_those_whom_the_rule_lets_try():
    """interception.general.4 Not where an own CU stands, not in a truce, not a second time, not Fabius out of Italy."""

    def seen(*more, **fields):
        state = march(war(force("carthage", "terventum", 3, "hasdrubal"), *more, **fields), "hasdrubal")
        return {each.general: each.success * 6 for each in watchers_at(state, "beneventum")}

    nero = force("rome", "capua", 5, "nero")
    assert seen(nero) == {"nero": 2}
    assert seen(nero, force("carthage", "beneventum", 1)) == {}
    assert seen(nero, lasting={"truce": True}, control={"beneventum": "carthage"}) == {}
    assert seen(nero, force("rome", "cannae", 5, "marcellus")) == {"nero": 2, "marcellus": 3}
    tried = march(war(force("carthage", "terventum", 3, "hasdrubal"), nero), "hasdrubal")
    tried = replace(tried, play=replace(tried.playing(), intercepted_from=("capua",)))
    assert watchers_at(tried, "beneventum") == ()
