"""9.6 (5p) Contested seas."""

import pytest

from kit.legions import army, asked, do, outcome, position, refused, stands
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.rules.sea import attrition, crossing_chances, reading
from tactical.kernel.dice import Dice


def lesson():
    return SWORD_OF_ROME.start("sail_to_syracusae", None, {}, Dice()).state


def at_sea(**fields):
    """Timoleon with 3 CUs sails from Neapolis to Syracusae; Carthage is asked."""
    here = position(army("greeks", "neapolis", 3, "timoleon"), active="greeks", **fields)
    here = do(here, "greeks", "activate", card=3, leader="timoleon", units=3)
    return do(here, "greeks", "sail", to="syracusae")


def test_9_6_5p_example_neapolis_to_syracusae():
    """9.6 (5p) (example) A 2 from Carthage and a die of 3: 3 + 1 - 2 = 2, success."""
    state = lesson()
    state = do(state, "greeks", "activate", card=3, leader="timoleon", units=3)
    state = do(state, "greeks", "sail", to="syracusae")
    assert asked(state) == [("contest", "carthaginians")]
    state = do(state, "carthaginians", "contest", card=2)
    result = outcome(state, "greeks", "sea_roll", 3)
    rolled = next(each for each in result.events if each.type == "naval_combat")
    assert (rolled.data["modifier"], rolled.data["total"], rolled.data["result"]) == (-1, 2, "success")
    state = do(result.state, "greeks", "halt")
    assert stands(state, "syracusae", "greeks") == 3
    assert state.hands["carthaginians"] == (1, 3)


def test_9_6_5p_a_crossing_succeeds_when_carthage_passes():
    """9.6 (5p) "Pass" is an answer, and no die is thrown."""
    state = do(at_sea(), "carthaginians", "pass")
    assert state.move.at == "syracusae" and state.hands["carthaginians"] == (1, 2, 3)


def test_9_6_5p_carthage_answers_before_the_move_is_rolled():
    state = at_sea()
    assert refused(state, "greeks", "sea_roll") == "9.6.4"
    assert refused(state, "greeks", "halt") == "9.2"


def test_9_6_5p_the_first_point_forces_the_roll_and_adds_nothing():
    state = do(at_sea(control={"syracusae": "romans"}), "carthaginians", "contest", card=1)
    rolled = outcome(state, "greeks", "sea_roll", 2).events[0]
    assert (rolled.data["modifier"], rolled.data["result"]) == (0, "success")


@pytest.mark.parametrize("card, face, result", [(3, 1, "return"), (3, 3, "attrition"), (2, 1, "success")])
def test_9_6_5p_each_further_point_adds_one(card, face, result):
    state = do(at_sea(control={"syracusae": "romans"}), "carthaginians", "contest", card=card)
    rolled = outcome(state, "greeks", "sea_roll", face).events[0]
    assert (rolled.data["modifier"], rolled.data["result"]) == (card - 1, result)


def test_9_6_5p_the_destination_must_be_friendly_for_the_two():
    """9.6.4 A friendly port of departure gives nothing; an ally's destination does."""
    hostile = do(at_sea(control={"syracusae": "romans"}), "carthaginians", "contest", card=1)
    allied = at_sea(control={"syracusae": "romans"}, alliances=[["greeks", "romans"]])
    allied = do(allied, "carthaginians", "contest", card=1)
    assert outcome(hostile, "greeks", "sea_roll", 3).events[0].data["result"] == "return"
    assert outcome(allied, "greeks", "sea_roll", 3).events[0].data["result"] == "success"


def test_9_6_4_a_return_brings_the_army_home_and_ends_its_move():
    state = do(at_sea(control={"syracusae": "romans"}), "carthaginians", "contest", card=1)
    state = do(state, "greeks", "sea_roll", 4)
    assert state.move is None and stands(state, "neapolis", "greeks") == 3


def test_9_6_4_attrition_arrives_with_a_third_less():
    state = do(at_sea(control={"syracusae": "romans"}), "carthaginians", "contest", card=1)
    state = do(state, "greeks", "sea_roll", 5)
    assert state.move.at == "syracusae" and state.move.units == 2
    assert state.tallies["greeks"].removed == 1
    assert [attrition(units) for units in (1, 3, 4, 10)] == [1, 1, 2, 4]


def test_9_6_4_values_below_one_are_a_success():
    assert [reading(total) for total in (-1, 2, 3, 4, 5, 8)] == [
        "success",
        "success",
        "return",
        "return",
        "attrition",
        "attrition",
    ]


def test_9_6_4_attrition_of_the_last_cu_displaces_the_leader():
    """8.4 A named leader whose CUs are lost at sea is displaced."""
    state = position(army("greeks", "neapolis", 1, "timoleon"), active="greeks", control={"syracusae": "romans"})
    state = do(state, "greeks", "activate", card=3, leader="timoleon", units=1)
    state = do(state, "greeks", "sail", to="syracusae")
    state = do(do(state, "carthaginians", "contest", card=1), "greeks", "sea_roll", 6)
    assert state.move is None and state.displaced == ("timoleon",)


def test_9_6_5p_carthage_may_not_contest_an_ally():
    state = at_sea(alliances=[["greeks", "carthaginians"]])
    assert state.move.at == "syracusae" and not state.pending


def test_9_6_5p_carthage_does_not_contest_itself():
    state = position(army("carthaginians", "lilybaeum", 6, "hasdrubal"), active="carthaginians")
    state = do(state, "carthaginians", "activate", card=2, leader="hasdrubal", units=6)
    assert do(state, "carthaginians", "sail", to="messana").move.at == "messana"


def test_9_6_5p_without_a_card_carthage_is_not_asked():
    state = at_sea(hands={"greeks": [3]})
    assert state.move.at == "syracusae"


def test_9_6_5p_a_card_that_is_not_in_hand_is_refused():
    state = at_sea(hands={"greeks": [3], "carthaginians": [1]})
    assert refused(state, "carthaginians", "contest", card=3) == "9.6 (5p)"


@pytest.mark.parametrize("card, units, allowed", [(1, 3, True), (1, 4, False), (2, 6, True), (3, 10, True)])
def test_9_6_3_carthage_sails_with_three_six_or_ten(card, units, allowed):
    state = position(army("carthaginians", "lilybaeum", 10, "hasdrubal"), active="carthaginians")
    state = do(state, "carthaginians", "activate", card=card, leader="hasdrubal", units=units)
    assert (refused(state, "carthaginians", "sail", to="messana") == "") is allowed


def greek_capacity(start, end, units, card=3, **fields):
    state = position(army("greeks", start, 10, "timoleon"), active="greeks", **fields)
    state = do(state, "greeks", "activate", card=card, leader="timoleon", units=units)
    return refused(state, "greeks", "sail", to=end) == ""


def test_9_6_3_greeks_sail_with_a_three_only():
    assert not greek_capacity("neapolis", "tarentum", 1, card=2)
    assert greek_capacity("neapolis", "tarentum", 3) and not greek_capacity("neapolis", "tarentum", 4)


def test_9_6_3_greeks_carry_six_to_or_from_syracusae_and_ten_with_lilybaeum():
    assert greek_capacity("neapolis", "syracusae", 6) and not greek_capacity("neapolis", "syracusae", 7)
    held = {"control": {"lilybaeum": "greeks"}}
    assert greek_capacity("syracusae", "lilybaeum", 10, **held)
    assert not greek_capacity("neapolis", "tarentum", 4, **held)


def test_9_6_3_romans_need_their_event():
    state = position(army("romans", "roma", 3, "claudius"))
    state = do(state, "romans", "activate", card=3, leader="claudius", units=3)
    assert refused(state, "romans", "sail", to="neapolis") == "9.6.3"
    state = position(army("romans", "roma", 3, "claudius"), events=["duoviri_navales"])
    state = do(state, "romans", "activate", card=3, leader="claudius", units=3)
    assert refused(state, "romans", "sail", to="neapolis") == ""


def test_9_6_3_etruscans_sail_while_their_event_is_played():
    for events, rule in (([], "9.6.3"), (["naval_transports"], "")):
        state = position(army("etruscans", "pisae", 3, "minor_etruscans_a"), active="etruscans_samnites", events=events)
        state = do(state, "etruscans_samnites", "activate", card=1, leader="minor_etruscans_a", units=3)
        assert refused(state, "etruscans_samnites", "sail", to="roma") == rule


def test_9_6_3_gauls_sail_in_the_ships_of_their_ally():
    """The example: 8 Gallic CUs in Pisae, Carthage lends with a 2, six of them sail to Roma."""
    both = {"alliances": [["gauls", "carthaginians"]], "active": "gauls"}
    state = position(army("gauls", "pisae", 8, "brennus"), **both)
    state = do(state, "gauls", "activate", card=3, leader="brennus", units=6)
    assert refused(state, "gauls", "sail", to="roma") == "9.6.3"
    state = do(state, "carthaginians", "lend_ships", card=2)
    state = do(state, "gauls", "sail", to="roma")
    assert state.move.at == "roma" and state.move.points == 2
    assert refused(state, "carthaginians", "lend_ships", card=3) == "9.6.3"


def test_9_6_3_only_carthage_sails_to_the_garrison_box():
    assert not greek_capacity("syracusae", "garrison", 3)
    state = position(army("carthaginians", "carthago", 3, "hanno"), active="carthaginians")
    state = do(state, "carthaginians", "activate", card=1, leader="hanno", units=3)
    assert do(state, "carthaginians", "sail", to="garrison").move.at == "garrison"


@pytest.mark.parametrize("card", [1, 2, 3])
def test_9_6_4_the_chances_that_are_told_are_those_of_the_roll(card):
    state = do(at_sea(control={"syracusae": "romans"}), "carthaginians", "contest", card=card)
    thrown = [outcome(state, "greeks", "sea_roll", face).events[0].data["result"] for face in range(1, 7)]
    chances = crossing_chances(card - 1)
    assert sorted(thrown) == sorted(result for result, faces in chances.items() for _face in range(faces))
