"""movement.land.5a, movement.land.1e Nobody stands alone among enemy CUs, nor beside an enemy who is alone too."""

from kit.hannibal_war import do, force, kinds, march, offered, refused, step, the, war


def test_movement_land_5a_going_back_from_an_interception_leaves_a_friend_alone_who_is_displaced():
    """interception.3a Nero goes back from Cannae, where Fabius stood alone: Mago's five are there now."""
    state = war(
        force("rome", "cannae", 0, "fabius"),
        force("rome", "beneventum", 5, "nero"),
        force("carthage", "tarentum", 5, "mago"),
        active="rome",
    )
    state = step(march(state, "nero"), "cannae", 5)
    state = do(state, "carthage", "intercept", space="tarentum", generals=["mago"], units=5, elephants=0).state
    state = do(state, "carthage", "done", 1).state
    outcome = do(state, "rome", "go_back")
    assert the(outcome, "displaced")["general"] == "fabius"
    assert outcome.state.generals["fabius"].status == "pool"
    assert outcome.state.generals["nero"].space == "beneventum"
    assert outcome.state.generals["mago"].space == "cannae"


def test_movement_land_1e_nobody_drops_a_companion_alone_beside_an_enemy_alone():
    state = war(force("carthage", "arpi", 0, "hasdrubal", "mago"), force("rome", "cannae", 0, "nero"))
    state = step(march(state, "hasdrubal"), "cannae", 0, companions=("mago",))
    refused(state, "carthage", "step", "movement.land.1e", to="tarentum", units=0, elephants=0, companions=[])
    assert all(fields["companions"] == [["mago"]] for fields in offered(state, "carthage", "step"))
    state = step(state, "heraclea", 0, companions=("mago",))
    assert {state.generals[name].space for name in ("hasdrubal", "mago")} == {"heraclea"}


def test_movement_land_1e_who_cannot_stop_goes_back_past_every_enemy_alone():
    """Intercepted at Paestium, Mago goes back: Varro is at Heraclea, Nero at Cannae, so he ends at Arpi."""
    state = war(
        force("carthage", "arpi", 0, "mago"),
        force("rome", "cannae", 0, "nero"),
        force("rome", "heraclea", 0, "varro"),
        force("rome", "neapolis", 5, "marcellus"),
    )
    state = step(step(step(march(state, "mago"), "cannae", 0), "heraclea", 0), "paestium", 0)
    state = do(state, "rome", "intercept", space="neapolis", generals=["marcellus"], units=5, elephants=0).state
    state = do(state, "rome", "done", 1).state
    outcome = do(state, "carthage", "go_back")
    assert [event.data["to"] for event in outcome.events if event.type == "stepped_back"] == ["cannae", "arpi"]
    assert outcome.state.generals["mago"].space == "arpi" and "displaced" not in kinds(outcome)


def test_movement_land_5a_units_that_come_out_of_a_city_displace_who_stands_alone_before_it():
    """movement.general.4 Two CUs come out of Tarentum, before which Paulus stands."""
    state = war(
        force("carthage", "tarentum", 0, inside=2),
        force("rome", "tarentum", 0, "paulus"),
        control={"tarentum": "carthage"},
    )
    outcome = do(state, "carthage", "arrange", space="tarentum", generals=[], units=0, elephants=0)
    assert "displaced" in kinds(outcome) and outcome.state.generals["paulus"].status == "pool"


def test_movement_land_1e_a_general_does_not_come_out_alone_to_an_enemy_alone():
    """movement.general.4 What is offered knows it: with a CU outside he may come out, without one he stays in."""
    state = war(
        force("carthage", "tarentum", 0, "mago", inside=2),
        force("rome", "tarentum", 0, "paulus"),
        control={"tarentum": "carthage"},
    )
    state = do(state, "carthage", "arrange", space="tarentum", generals=["mago"], units=2, elephants=0).state
    refused(state, "carthage", "arrange", "movement.land.1e", space="tarentum", generals=[], units=2, elephants=0)
    ways = [(fields["units"], fields["generals"]) for fields in offered(state, "carthage", "arrange")]
    assert ways == [({"from": 0, "to": 1}, [["mago"], []]), ({"from": 2, "to": 2}, [["mago"]])]


def test_movement_land_1e_nobody_avoids_alone_to_an_enemy_alone():
    """avoid.3b Paulus stands alone at Arpi; with a CU along Mago may go there, and displaces him."""
    state = war(
        force("rome", "beneventum", 6, "nero"),
        force("rome", "arpi", 0, "paulus"),
        force("carthage", "cannae", 2, "mago"),
        active="rome",
        control={space: None for space in ("cannae", "arpi", "heraclea", "brundisium")},
    )
    state = step(march(state, "nero"), "cannae", 6)
    refused(state, "carthage", "avoid", "movement.land.1e", to="arpi", generals=["mago"], units=0, elephants=0)
    alone = [f for f in offered(state, "carthage", "avoid") if f["units"] == {"from": 0, "to": 0}]
    assert alone and all("arpi" not in fields["to"] for fields in alone)
    outcome = do(state, "carthage", "avoid", 1, to="arpi", generals=["mago"], units=2, elephants=0)
    assert the(outcome, "displaced")["general"] == "paulus"


def test_retreat_1_generals_alone_do_not_retreat_to_an_enemy_alone():
    """movement.land.1e A rout kills all but the generals' own lives by casualties: Paulus bars the goal to them."""
    from strategic.point_to_point.retreat import is_goal

    state = war(force("rome", "arpi", 0, "paulus"), control={"arpi": "carthage"})
    assert is_goal(state, "carthage", "arpi", 1) and not is_goal(state, "carthage", "arpi", 0)


def test_movement_land_5a_a_general_before_a_garrison_stays_when_his_last_unit_freezes():
    """winter, tables.attrition.generals Attrition hurts no general, and CUs inside walls catch nobody."""
    state = war(
        force("rome", "tarentum", 1, "nero"),
        force("carthage", "tarentum", 0, inside=1),
        active="rome",
        control={"tarentum": "carthage"},
        others=(),
    )
    outcome = do(state, "rome", "discard", 6, card=33)
    assert the(outcome, "attrition")["lost"] == 1 and "displaced" not in kinds(outcome)
