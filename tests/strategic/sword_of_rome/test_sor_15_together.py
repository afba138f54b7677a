"""15.3, 9.3.1, 9.4.1 Armies of two players never stand together in the open; who comes deals with each enemy there."""

import pytest

from kit.legions import HANDS, army, asked, avoid, do, march, position, refused, slip, stands
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.rules.battle import modifiers
from tactical.kernel.dice import Dice
from tactical.kernel.record import BadInput, plain

FRIENDS = [["romans", "samnites"]]


def besieged(**fields):
    """Romans behind the walls of their Capua, Greeks before them, and Samnites, allied with Rome, at Caudium."""
    return position(
        army("romans", "capua", 0, inside=2),
        army("greeks", "capua", 4, "pyrrhus"),
        army("samnites", "caudium", 9, "egnatius"),
        control={"capua": "romans"},
        alliances=FRIENDS,
        active="etruscans_samnites",
        **fields,
    )


def relieved():
    """The Samnites have driven the Greeks away from Capua."""
    state = march(besieged(), "etruscans_samnites", "egnatius", "capua", units=9)
    state = do(state, "greeks", "declare", side="greeks")
    state = do(state, "etruscans_samnites", "roll_battle", 6, 6, 6, 1, 1, 1)
    while state.asks("retreat"):
        offer = next(each for each in SWORD_OF_ROME.offers(state, "greeks") if each.type == "retreat")
        to = offer.fields["to"]
        state = do(state, "greeks", "retreat", to=to[0] if isinstance(to, list) else to, inside=0)
    return state


def test_15_3_the_garrison_stays_inside_while_the_ally_who_relieved_it_stands_before_the_walls():
    state = relieved()
    assert state.move is None and stands(state, "capua", "samnites") > 0
    assert (stands(state, "capua", "romans"), state.force("capua", "romans").inside) == (0, 2)
    assert plain(SWORD_OF_ROME.start(None, plain(state), {}, Dice()).state) == plain(state)


def test_9_3_1_it_comes_out_when_the_ally_goes():
    state = relieved()
    here = stands(state, "capua", "samnites")
    fields = {"power": "samnites", "space": "capua", "units": here, "leaders": ["egnatius"], "to": "caudium"}
    state = do(state, "etruscans_samnites", "move_by_hand", **fields)
    assert stands(state, "capua", "romans") == 2 and state.force("capua", "romans").inside == 0


def test_15_1_besieger_and_besieged_make_no_alliance():
    state = besieged()
    fields = {"power": "romans", "other": "greeks", "allied": True}
    assert refused(state, "romans", "set_alliance", **fields) == "15.3"
    assert refused(state, "romans", "by_hand", changes={"alliances.romans.samnites": True}) == ""


@pytest.mark.parametrize("runner, rule", [("romans", "15.3"), ("greeks", ""), (None, "")])
def test_15_3_nobody_runs_those_whom_he_besieges(runner, rule):
    state = position(army("volsci", "antium", 0, inside=2), army("romans", "antium", 3, "claudius"))
    assert refused(state, "gauls", "set_runner", power="volsci", runner=runner) == rule


@pytest.mark.parametrize("cards, rule", [([1, 2, 3], "15.3"), ([], "")])
def test_15_3_no_return_could_set_an_army_down_beside_an_ally(cards, rule):
    """15.3 (Return): out of an ally's port only where Carthage cannot contest it."""
    state = position(
        army("greeks", "capua", 3, "timoleon"),
        army("samnites", "neapolis", 3, "egnatius"),
        alliances=[["samnites", "greeks"]],
        control={"capua": "greeks"},
        hands={**HANDS, "carthaginians": cards},
        active="greeks",
    )
    state = march(state, "greeks", "timoleon", "neapolis", units=3, card=3)
    assert refused(state, "greeks", "halt") == "15.3"
    assert refused(state, "greeks", "sail", to="syracusae") == rule


@pytest.mark.parametrize("alliances", [[], FRIENDS])
def test_15_3_a_position_with_two_players_in_the_open_of_a_space_is_refused(alliances):
    both = (army("romans", "capua", 3, "claudius"), army("samnites", "capua", 3, "egnatius"))
    with pytest.raises(BadInput) as wrong:
        position(*both, alliances=alliances)
    assert wrong.value.path == "position.forces.capua"


def two_armies(units=9, **fields):
    """Etruscans and Samnites of one player in Fregellae; Claudius enters."""
    state = position(
        army("romans", "velitrae", units, "claudius"),
        army("etruscans", "fregellae", 4, "minor_etruscans_a"),
        army("samnites", "fregellae", 4, "egnatius"),
        **fields,
    )
    return march(state, "romans", "claudius", "fregellae", units=units)


def test_9_4_1_the_mover_names_which_enemy_army_he_attacks_first_and_then_attacks_the_other():
    state = two_armies()
    while state.asks("declare"):
        state = do(state, "etruscans_samnites", "declare", side="etruscans_samnites")
    assert asked(state) == [("foe", "romans")]
    assert refused(state, "romans", "choose_foe", power="gauls") == "9.4.1"
    assert plain(SWORD_OF_ROME.start(None, plain(state), {}, Dice()).state) == plain(state)
    state = do(state, "romans", "choose_foe", power="samnites")
    assert (state.battle.defender, asked(state)) == ("samnites", [("battle", "romans")])
    state = do(state, "romans", "roll_battle", 6, 6, 6, 1, 1, 1)
    while state.asks("retreat"):
        to = next(o for o in SWORD_OF_ROME.offers(state, "etruscans_samnites") if o.type == "retreat").fields["to"]
        state = do(state, "etruscans_samnites", "retreat", to=to[0] if isinstance(to, list) else to, inside=0)
    assert (state.battle.defender, state.battle.space) == ("etruscans", "fregellae")
    assert state.move is not None and not stands(state, "fregellae", "samnites")


def test_11_1_b_only_the_army_that_failed_to_avoid_fights_worse_for_it():
    state = two_armies(control={"capua": "samnites"})
    state = avoid(state, "etruscans_samnites", slip("samnites", ("egnatius",), 4))
    state = do(state, "romans", "permit", 6, allow=False)
    first = do(state, "romans", "choose_foe", power="etruscans")
    other = do(state, "romans", "choose_foe", power="samnites")
    assert "failed_avoidance" not in modifiers(first)[1] and modifiers(other)[1]["failed_avoidance"] == -1


def test_9_4_1_a_position_in_which_nobody_answers_the_army_is_refused():
    raw = {**plain(two_armies()), "pending": [], "reaction": None}
    with pytest.raises(BadInput) as wrong:
        SWORD_OF_ROME.start(None, raw, {}, Dice())
    assert wrong.value.path == "position.move.at"


@pytest.mark.parametrize(
    "pair, rule", [(["etruscans", "romans"], "15.3"), (["samnites", "romans"], "15.3"), (None, "")]
)
def test_15_3_nobody_attacks_an_enemy_who_stands_with_an_ally(pair, rule):
    """15.3: Etruscans and Samnites together; who beats the one would stand among the other."""
    state = position(
        army("romans", "velitrae", 9, "claudius"),
        army("etruscans", "fregellae", 4, "minor_etruscans_a"),
        army("samnites", "fregellae", 4, "egnatius"),
        alliances=[pair] if pair else [],
    )
    state = do(state, "romans", "activate", card=2, leader="claudius", units=9)
    assert refused(state, "romans", "step", to="fregellae") == rule
