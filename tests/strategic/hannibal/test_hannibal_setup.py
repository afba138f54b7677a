"""Set-up, the sequence of the turn, the deal."""

import pytest

from kit.hannibal_war import asked, dice, do, force, refused, war
from strategic.hannibal import HANNIBAL
from strategic.hannibal.rules.survey import points
from strategic.hannibal.tables import BATTLE_DECK, CARDS, CHART, LEADERS, PROVINCES
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import commander, may_follow


def opening(**options):
    return HANNIBAL.start("second_punic_war", None, options, dice()).state


def test_setup_1_red_spaces_are_roman_and_setup_2_blue_ones_carthaginian():
    """setup.1, setup.2: 34 red and 37 blue frames, cities among them."""
    spaces = opening().spaces
    assert sum(place.control == "rome" for place in spaces.values()) == 34
    assert sum(place.control == "carthage" for place in spaces.values()) == 37
    assert spaces["capua"].control == "rome" and spaces["gades"].control == "carthage"


def test_setup_3_eight_tribes_stand_three_of_them_friendly_to_carthage():
    spaces = opening().spaces
    tribes = [space for space, place in spaces.items() if place.tribe]
    assert len(tribes) == 8
    assert sorted(t for t in tribes if spaces[t].control == "carthage") == ["boii", "bruttium", "insubrians"]


def test_setup_4_both_decks_are_shuffled_by_themselves():
    one = HANNIBAL.start(None, None, {}, dice(seed=1)).state
    two = HANNIBAL.start(None, None, {}, dice(seed=2)).state
    assert one.deck != two.deck
    for state in (one, two):
        assert sorted([*state.deck, *state.hands["rome"], *state.hands["carthage"]]) == sorted(CARDS)
    assert len(BATTLE_DECK) == 48


@pytest.mark.parametrize(
    "paragraph, side, space, units, elephants, generals",
    [
        ("setup.carthage.1", "carthage", "carthage", 4, 0, {"hanno"}),
        ("setup.carthage.2 and setup.carthage.3", "carthage", "saguntum", 8, 2, {"hannibal", "mago", "h_gisgo"}),
        ("setup.carthage.4", "carthage", "new_carthage", 2, 0, {"hasdrubal"}),
        ("setup.rome.1", "rome", "rome", 8, 0, {"p_scipio"}),
        ("setup.rome.2", "rome", "agrigentum", 8, 0, {"t_longus"}),
    ],
)
def test_setup_the_armies_and_their_generals(paragraph, side, space, units, elephants, generals):
    state = opening()
    assert getattr(state.spaces[space], side) == Troops(units, elephants)
    assert {name for name, general in state.generals.items() if general.space == space} == generals
    if side == "rome":
        assert all(state.generals[name].rank == "consul" for name in generals)


def test_setup_carthage_3_mago_and_gisgo_are_subordinates_of_hannibal():
    state = opening()
    assert commander(state, ("mago", "h_gisgo", "hannibal")) == "hannibal"
    assert may_follow(state, "hannibal", "mago") and may_follow(state, "hannibal", "h_gisgo")


def test_the_map_is_the_board_that_the_sources_count():
    assert len(CHART.spaces) == 96 and len(CHART.connections) == 176 and len(CHART.ports()) == 34
    kinds = [way.kind for way in CHART.connections]
    assert [kinds.count(kind) for kind in ("road", "alpine_pass", "pass", "strait")] == [166, 4, 4, 2]
    assert sum(province.scores for province in PROVINCES.values()) == 18 and len(PROVINCES) == 22
    assert len(LEADERS) == 14 and sum(card.counter for card in CARDS.values()) == 10


def test_sequence_1_the_first_turn_has_no_reinforcements_and_sequence_2_begins_with_the_deal_and_sequence_3_cards_follow():
    outcome = HANNIBAL.start(None, None, {}, dice())
    assert "reinforced" not in [e.type for e in outcome.events] and asked(outcome.state) == "open"
    state = do(outcome.state, "rome", "pass").state
    state = do(state, "carthage", "first_player", side="carthage").state
    assert state.phase == "strategy" and asked(state) == "card"


def test_sequence_4_winter_and_sequence_5_isolation_and_sequence_6_the_count_follow_the_last_card():
    """deal.1: seven cards on turn 2."""
    state = war(
        force("rome", "rome", 5, "p_scipio"),
        force("carthage", "cannae", 1, "mago"),
        cards=(35,),
        others=(),
        control={"zama": "rome"},
    )
    outcome = do(state, "carthage", "discard", 2, card=35)
    seen = [e.type for e in outcome.events]
    assert seen.index("attrition") < seen.index("isolated") < seen.index("count")
    assert outcome.state.turn == 2 and asked(outcome.state) == "remove"


def test_deal_1_seven_eight_and_nine_cards():
    for turn, cards in ((1, 7), (3, 7), (4, 8), (6, 8), (7, 9), (9, 9)):
        state = HANNIBAL.start(None, {"turn": turn}, {}, dice()).state
        assert len(state.hands["rome"]) == len(state.hands["carthage"]) == cards


def test_deal_2_the_deck_is_reshuffled_when_it_does_not_suffice_or_after_truce():
    short = HANNIBAL.start(None, {"deck": [1, 2, 3], "discard": list(range(4, 65))}, {}, dice()).state
    assert short.discard == () and len(short.deck) == 64 - 14
    kept = HANNIBAL.start(None, {"deck": list(range(1, 41)), "discard": list(range(41, 65))}, {}, dice()).state
    assert len(kept.discard) == 24
    truce = {"deck": list(range(1, 41)), "discard": list(range(41, 65)), "lasting": {"reshuffle": True}}
    assert HANNIBAL.start(None, truce, {}, dice()).state.discard == ()


def test_deal_2_truce_marks_the_reshuffle_however_it_is_used():
    state = war(force("carthage", "carthage", 1, "hanno"), cards=(64, 35))
    assert do(state, "carthage", "discard", card=64).state.lasting.reshuffle


def test_victory_2_the_count_at_the_start():
    state = opening()
    assert (points(state, "rome"), points(state, "carthage")) == (9, 7)


def test_a_command_for_another_moment_is_refused_and_names_what_comes_now():
    assert "open" in refused(opening(), "rome", "halt", "strategy.1")
