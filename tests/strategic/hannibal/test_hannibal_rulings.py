"""What a reading against the sources found wrong, each by its paragraph, and the rulings on what can be read apart."""

import pytest
from msgspec.structs import replace

from kit.hannibal_war import asked, do, force, march, offered, refused, step, the, war
from strategic.hannibal.rules.reinforcements import posts
from strategic.hannibal.rules.siege_roll import siege_dice
from strategic.hannibal.tables import CHART, ground
from strategic.point_to_point.commands import RetreatTo
from strategic.point_to_point.retreat import ways, why_not_retreat
from strategic.point_to_point.state import Troops


def in_battle(state, carthage=("probe", "probe"), rome=("probe", "probe")):
    """The same battle with these hands."""
    battle = state.fighting()
    return replace(
        state,
        battle=replace(battle, hands={"carthage": carthage, "rome": rome}, deck=(), discard=()),
        options=replace(state.options, cards_on_table=True),
    )


# withdrawal


def relief():
    """Capua is besieged with Mago inside; Hannibal attacks from Beneventum and Mago comes out to join."""
    state = war(
        force("carthage", "beneventum", 6, "hannibal"),
        force("rome", "capua", 4, "nero"),
        force("carthage", "capua", 0, "mago", inside=2),
        places={"capua": {"siege": 1, "besieger": "rome"}},
        control={"capua": "carthage", "beneventum": "carthage"},
    )
    state = do(state, "carthage", "activate", card=33, general="hannibal").state
    state = step(state, "capua", 6)
    state = do(state, "rome", "stand").state if asked(state) == "avoid" else state
    return do(state, "carthage", "join", generals=["mago"], units=2, elephants=0).state


def test_round_1c_5_a_withdrawal_takes_the_besieged_back_into_their_city():
    """round.1c.5 They came out to join; the relief goes where it came from, they go inside."""
    state = relief()
    state = do(state, "carthage", "withdraw", 1, to="beneventum").state
    state = do(state, "rome", "pass").state
    assert state.spaces["beneventum"].carthage == Troops(6) and state.spaces["capua"].inside == Troops(2)
    assert state.generals["mago"].inside and state.generals["hannibal"].space == "beneventum"


def test_round_1c_5_they_go_back_as_far_as_they_survive():
    """round.1c.5 One round and a die of 6: each side loses a CU; the relief loses it."""
    state = in_battle(relief(), carthage=("probe",) * 4, rome=("probe",) * 4)
    state = do(state, "carthage", "attack", card="probe", as_kind="probe").state
    state = do(state, "rome", "match", card="probe").state
    state = do(state, "rome", "pass").state
    state = do(state, "carthage", "withdraw", 1, to="beneventum").state
    state = do(state, "rome", "pass", 6).state
    assert state.spaces["beneventum"].carthage == Troops(5) and state.spaces["capua"].inside == Troops(2)


def test_movement_land_5a_a_withdrawing_army_displaces_a_general_alone_where_it_goes():
    """movement.land.5a, round.1c"""
    state = war(
        force("carthage", "capua", 8, "hannibal"),
        force("rome", "terventum", 6, "nero"),
        force("carthage", "praeneste", 0, "mago"),
        control={"praeneste": None, "terventum": "rome", "capua": "carthage"},
    )
    state = step(march(state, "hannibal"), "terventum", 8)
    state = do(state, "rome", "stand").state if asked(state) == "avoid" else state
    state = replace(state, battle=replace(state.fighting(), initiative="rome"))
    state = replace(state, agenda=(*state.agenda[:-1], replace(state.agenda[-1], seat="rome")))
    state = do(state, "rome", "withdraw", 1, to="praeneste").state
    state = do(state, "carthage", "pass").state
    assert state.spaces["praeneste"].rome == Troops(6)
    assert state.generals["mago"].status == "displaced"


# retreat


def beaten(start, space, general, units, loser, theirs, control):
    """The attacker has come from `start`; whoever loses is asked for his retreat."""
    side = "rome" if general in ("nero", "fabius") else "carthage"
    other = "carthage" if side == "rome" else "rome"
    plain = {name: None for name in CHART.spaces if not ground(name).city and not ground(name).tribe}
    state = war(
        force(side, start, units, general),
        force(other, space, theirs, loser),
        active=side,
        control={**plain, **control},
    )
    state = step(march(state, general), space, units)
    return do(state, other, "stand").state if asked(state) == "avoid" else state


def test_retreat_2_a_nearest_goal_is_open_though_a_longer_way_to_it_costs_less():
    """retreat.2 Acci is two spaces away by Salaria (1 CU); that three spaces cost nothing does not make it farther."""
    state = beaten("arsa", "toletum", "nero", 6, "hannibal", 8, {"acci": "carthage", "salaria": "rome", "arsa": "rome"})
    found = ways(state, state.fighting(), "carthage")
    assert {"new_carthage", "saguntum", "acci"} <= set(found)
    assert len(found["acci"].path) == 2 and found["acci"].cost == 1


def test_retreat_2_a_farther_goal_is_open_only_if_it_costs_fewer():
    """retreat.2 Faesulae is three spaces away for 2 CUs; Pisae four, for 2 as well: it stays closed."""
    state = beaten(
        "terventum",
        "sena",
        "nero",
        6,
        "hannibal",
        4,
        {
            "pisae": "carthage",
            "faesulae": "carthage",
            "falerii": "rome",
            "firmum_picenum": "rome",
            "terventum": "rome",
        },
    )
    found = ways(state, state.fighting(), "carthage")
    assert set(found) == {"faesulae", "boii"}  # by way of Rome Faesulae costs 1, and so does a tribe four spaces away
    assert {name: way.cost for name, way in found.items()} == {"faesulae": 1, "boii": 1}


def test_retreat_12_each_general_of_a_split_retreat_goes_where_his_owner_says():
    """retreat.12 Part into the city with Hanno, the rest with Mago."""
    state = war(
        force("rome", "beneventum", 8, "nero"),
        force("carthage", "capua", 5, "mago", "hasdrubal"),
        active="rome",
        control={"capua": "carthage", "neapolis": "carthage", "cannae": "carthage", "beneventum": "rome"},
    )
    state = step(march(state, "nero"), "capua", 8)
    state = do(state, "carthage", "stand").state
    state = in_battle(state)
    state = do(state, "rome", "attack", card="probe", as_kind="probe").state
    state = do(state, "carthage", "concede", 1, 1).state
    split = [each for each in offered(state, "carthage", "retreat") if each.get("generals_inside")]
    assert ["mago"] in split[0]["generals_inside"]
    to = split[0]["to"][0]
    state = do(state, "carthage", "retreat", to=to, units_inside=1, elephants_inside=0, generals_inside=["mago"]).state
    assert state.generals["mago"].inside and state.generals["mago"].space == "capua"
    assert state.generals["hasdrubal"].space == to
    battle = replace(relief(), battle=replace(relief().fighting(), winner="rome"))
    assert why_not_retreat(battle, "carthage", RetreatTo("beneventum", 0, 0, ("nero",))) is not None


# movement on a campaign card


def test_movement_command_5_units_moved_again_on_a_campaign_go_four_points_in_all():
    """movement.command.5 Hannibal leads ten CUs four spaces; Hasdrubal, activated there, leads them no further."""
    state = war(
        force("carthage", "saguntum", 10, "hannibal"),
        force("carthage", "narbo", 0, "hasdrubal"),
        control={"narbo": "carthage"},
    )
    state = do(state, "carthage", "campaign", card=33).state
    state = do(state, "carthage", "campaign_move", general="hannibal").state
    for to in ("dertosa", "tarraco", "emporiae"):
        state = step(state, to, 10)
    state = step(state, "narbo", 10)
    state = do(state, "carthage", "campaign_move", general="hasdrubal").state
    refused(state, "carthage", "step", "movement.command.5", to="tolosa", units=10, elephants=0, companions=[])
    assert all(each["units"]["to"] == 0 for each in offered(state, "carthage", "step"))


def test_movement_command_5_and_what_is_left_of_four_may_be_used():
    """movement.command.5 Three spaces, left behind; a second general takes them one further, and his own four."""
    state = war(force("carthage", "saguntum", 6, "hannibal"), force("carthage", "emporiae", 2, "hasdrubal"))
    state = do(state, "carthage", "campaign", card=33).state
    state = do(state, "carthage", "campaign_move", general="hannibal").state
    for to in ("dertosa", "tarraco", "emporiae"):
        state = step(state, to, 6)
    state = do(state, "carthage", "halt").state
    state = do(state, "carthage", "campaign_move", general="hasdrubal").state
    state = step(state, "narbo", 8)
    refused(state, "carthage", "step", "movement.command.5", to="tolosa", units=8, elephants=0, companions=[])
    assert step(state, "tolosa", 2).spaces["tolosa"].carthage == Troops(2)


def test_movement_command_5_a_subordinate_has_what_is_left_of_his_own_four():
    state = war(force("carthage", "saguntum", 6, "hannibal", "mago"))
    state = do(state, "carthage", "campaign", card=33).state
    state = do(state, "carthage", "campaign_move", general="hannibal").state
    for to in ("dertosa", "tarraco", "emporiae"):
        state = step(state, to, 6, companions=("mago",))
    state = do(state, "carthage", "halt").state
    state = do(state, "carthage", "campaign_move", general="mago").state
    assert state.marching().points == 1


def test_movement_command_5_nothing_moves_on_after_a_failed_pursuit():
    """movement.command.5, pursuit.2c Mago, beside him, leads the army no further."""
    state = war(
        force("carthage", "beneventum", 6, "hannibal", "mago"),
        force("rome", "capua", 5, "fabius"),
        control={"neapolis": "rome"},
        ranks={"fabius": "consul"},
    )
    state = do(state, "carthage", "campaign", card=33).state
    state = do(state, "carthage", "campaign_move", general="hannibal").state
    state = step(state, "capua", 6, companions=("mago",))
    to = offered(state, "rome", "avoid")[0]["to"][0]
    state = do(state, "rome", "avoid", 1, to=to, generals=["fabius"], units=5, elephants=0).state
    state = do(state, "carthage", "pursue", 6).state
    if asked(state) == "march":
        state = do(state, "carthage", "halt").state
    assert not offered(state, "carthage", "campaign_move")


# who follows whom


@pytest.mark.parametrize("leader, other, side", [("mago", "hasdrubal", "carthage"), ("nero", "fabius", "rome")])
def test_movement_land_1c_an_equal_of_higher_battle_rating_comes_along(leader, other, side):
    """movement.land.1c Only Hannibal, and a consul under a proconsul, cannot be taken along."""
    state = war(force(side, "arpi", 10, leader, other), active=side)
    state = march(state, leader)
    assert [other] in [each["companions"][0] for each in offered(state, side, "step")]


def test_movement_land_1c_nobody_leads_hannibal_and_a_proconsul_no_consul():
    state = march(war(force("carthage", "arpi", 8, "mago", "hannibal")), "mago")
    refused(state, "carthage", "step", "movement.land.1c", to="cannae", units=8, elephants=0, companions=["hannibal"])
    state = march(
        war(force("rome", "arpi", 12, "nero", "marcellus"), active="rome", ranks={"nero": "proconsul"}), "nero"
    )
    refused(state, "rome", "step", "movement.land.1c", to="cannae", units=5, elephants=0, companions=["marcellus"])


# lone generals


def test_interception_general_1_a_general_without_units_can_be_intercepted():
    """interception.general.1 Caught, he goes back or is displaced."""
    state = war(force("carthage", "beneventum", 0, "mago"), force("rome", "cannae", 6, "marcellus"))
    state = step(march(state, "mago"), "arpi", 0)
    assert asked(state) == "intercept"
    state = do(state, "rome", "intercept", space="cannae", generals=["marcellus"], units=6, elephants=0).state
    state = do(state, "rome", "done", 1).state
    back = do(state, "carthage", "go_back").state
    assert back.generals["mago"].space == "beneventum"
    assert do(state, "carthage", "accept_battle").state.generals["mago"].status == "displaced"


def test_movement_land_1e_a_general_alone_passes_another_but_does_not_stop_with_him():
    state = war(force("carthage", "beneventum", 0, "mago"), force("rome", "arpi", 0, "marcellus"))
    state = step(march(state, "mago"), "arpi", 0)
    refused(state, "carthage", "halt", "movement.land.1e")
    assert not offered(state, "carthage", "halt")
    assert step(state, "cannae", 0).generals["mago"].space == "cannae"
    tired = march(war(force("carthage", "beneventum", 0, "mago"), force("rome", "arpi", 0, "marcellus")), "mago")
    tired = replace(tired, march=replace(tired.marching(), points=1))
    refused(tired, "carthage", "step", "movement.land.1e", to="arpi", units=0, elephants=0, companions=[])


# the meeting


def test_movement_land_4_who_has_intercepted_is_not_overrun():
    """movement.land.4, interception.3 One CU that intercepts five fights a battle."""
    state = war(
        force("carthage", "beneventum", 6, "mago"),
        force("rome", "cannae", 1, "marcellus"),
        ranks={"marcellus": "proconsul"},
    )
    state = step(march(state, "mago"), "arpi", 6)
    state = do(state, "rome", "intercept", space="cannae", generals=["marcellus"], units=1, elephants=0).state
    state = do(state, "rome", "done", 1).state
    state = do(state, "carthage", "accept_battle").state
    assert state.battle is not None


def test_avoid_1a_nobody_shelters_in_a_besieged_city():
    state = war(
        force("carthage", "beneventum", 8, "mago"),
        force("rome", "capua", 1, "marcellus"),
        ranks={"marcellus": "proconsul"},
    )
    open_ = step(march(state, "mago"), "capua", 8)
    assert offered(open_, "rome", "shelter")
    shut = replace(
        open_, spaces={**open_.spaces, "capua": replace(open_.spaces["capua"], siege=1, besieger="carthage")}
    )
    refused(shut, "rome", "shelter", "avoid.1a", generals=["marcellus"], units=1, elephants=0)


def test_avoid_3a_a_consul_of_few_avoids_with_all_and_leaves_none():
    """movement.general.2, avoid.3a"""
    state = war(
        force("carthage", "beneventum", 8, "mago"), force("rome", "arpi", 3, "marcellus"), control={"cannae": "rome"}
    )
    state = step(march(state, "mago"), "arpi", 8)
    refused(state, "rome", "avoid", "movement.land.3", to="cannae", generals=["marcellus"], units=2, elephants=0)
    assert the(do(state, "rome", "avoid", 1, to="cannae", generals=["marcellus"], units=3, elephants=0), "avoided")


# cards


def test_tables_siege_card_54_gives_two_dice_against_walls_only():
    """tables.siege.marcellus"""
    state = war(force("carthage", "boii", 6, "hannibal"), force("rome", "rome", 5), cards=(54,))
    state = march(state, "hannibal", 54, "event")
    assert siege_dice(state, "hannibal", "boii") == 1 and siege_dice(state, "hannibal", "rome") == 2


def test_movement_command_5_nothing_that_has_fought_moves_on_under_another():
    """movement.command.5 Nero and Fabius win at Capua; Fabius, activated next, leads none of those CUs away."""
    state = war(
        force("rome", "rome", 8, "nero", "fabius"),
        force("rome", "ariminum", 5, "marcellus"),
        force("carthage", "capua", 3, "mago"),
        active="rome",
        ranks={"nero": "consul", "fabius": "proconsul"},
        control={"neapolis": "carthage"},
    )
    state = do(state, "rome", "campaign", card=33).state
    state = do(state, "rome", "campaign_move", general="nero").state
    state = step(state, "capua", 8, companions=("fabius",))
    state = do(state, "carthage", "stand").state
    state = in_battle(state)
    state = do(state, "rome", "attack", card="probe", as_kind="probe").state
    state = do(state, "carthage", "concede", 1, 1).state
    if asked(state) == "retreat":
        state = do(state, "carthage", "retreat", to=offered(state, "carthage", "retreat")[0]["to"][0]).state
    assert state.spaces["capua"].rome.size >= 5 and state.generals["fabius"].space == "capua"
    assert "fabius" not in [name for each in offered(state, "rome", "campaign_move") for name in each["general"]]
    refused(state, "rome", "campaign_move", "movement.command.5", general="fabius")


def test_interception_general_5_who_stood_there_neither_avoids_nor_shelters_once_his_side_has_intercepted():
    """interception.general.5 Marcellus with two CUs stands before the walls of Capua; Fabius comes to his help."""
    state = war(
        force("carthage", "beneventum", 8, "mago"),
        force("rome", "capua", 2, "marcellus"),
        force("rome", "neapolis", 6, "fabius"),
        ranks={"marcellus": "proconsul", "fabius": "consul"},
        control={"capua": "rome", "neapolis": "rome"},
    )
    state = step(march(state, "mago"), "capua", 8)
    assert asked(state) == "intercept"
    state = do(state, "rome", "intercept", space="neapolis", generals=["fabius"], units=6, elephants=0).state
    state = do(state, "rome", "done", 1).state
    state = do(state, "carthage", "accept_battle").state
    assert state.battle is not None and not offered(state, "rome", "avoid") and not offered(state, "rome", "shelter")


def test_reinforcements_4c_fabius_may_take_up_any_stack_of_italy_where_none_has_five():
    """reinforcements.4c The others take the largest."""
    state = war(force("rome", "capua", 4), force("rome", "arpi", 2), force("rome", "emporiae", 7))
    assert set(posts(state, "fabius")) == {"capua", "arpi"}
