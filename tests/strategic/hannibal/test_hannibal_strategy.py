"""The strategy phase: who goes first, what a card is played for, PCs and units."""

from kit.hannibal_war import asked, dice, do, force, not_yours, offered, refused, the, war
from strategic.hannibal import HANNIBAL
from strategic.point_to_point.state import Troops

HANNO = force("carthage", "carthage", 4, "hanno")
SCIPIO = force("rome", "rome", 8, "p_scipio")


def first(rome):
    """The beginning of a strategy phase in which Rome holds these cards."""
    position = {
        "phase": "first",
        "hands": {"rome": rome, "carthage": [1, 2]},
        "agenda": [{"kind": "open", "seat": "rome", "rule": "strategy.1"}],
        "spaces": {"rome": {"rome": {"units": 8}}},
        "generals": {"p_scipio": {"space": "rome"}},
    }
    return HANNIBAL.start(None, position, {}, dice()).state


def test_strategy_1_rome_goes_first_with_a_campaign_card_and_must_play_it():
    state = first([37, 35])
    refused(state, "rome", "open", "strategy.1", card=35)
    state = do(state, "rome", "open", card=37).state
    assert state.active == "rome"
    refused(state, "rome", "place_pcs", "strategy.1", card=35)
    refused(state, "rome", "discard", "strategy.1", card=37)
    assert do(state, "rome", "place_pcs", card=37).state.opening is None


def test_strategy_2_otherwise_carthage_decides():
    state = do(first([37, 35]), "rome", "pass").state
    not_yours(state, "rome", "first_player", side="rome")
    assert do(state, "carthage", "first_player", side="rome").state.active == "rome"
    assert do(state, "carthage", "first_player", side="carthage").state.active == "carthage"


def test_strategy_2_rome_is_asked_even_without_a_campaign_card():
    """The question must not tell Carthage what Rome holds."""
    assert asked(first([35])) == "open" and offered(first([35]), "rome", "open") == []


def test_strategy_3_a_card_is_operations_or_event_and_strategy_3a_of_ones_own_colour_and_strategy_event_1_red_is_romes():
    state = war(HANNO, SCIPIO, cards=(57, 12, 35))
    refused(state, "carthage", "event", "strategy.3a", card=57)
    assert do(state, "carthage", "event", card=12).state.spaces["carthage"].carthage == Troops(4, 2)
    assert do(state, "carthage", "place_pcs", card=57).state.discard == (57,)
    roman = war(HANNO, SCIPIO, active="rome", cards=(57, 12))
    refused(roman, "rome", "event", "strategy.3a", card=12)
    assert do(roman, "rome", "event", card=57).state.lasting.hanno_counsels


def test_strategy_4_the_sides_alternate_and_discards_are_open():
    state = war(HANNO, SCIPIO, cards=(35, 36), others=(33, 34))
    state = do(state, "carthage", "discard", card=35).state
    assert HANNIBAL.waiting_for(state) == ("rome",) and state.discard == (35,)
    state = do(state, "rome", "discard", card=33).state
    assert HANNIBAL.waiting_for(state) == ("carthage",)
    refused(state, "carthage", "discard", "strategy.4", card=33)


def test_strategy_4_who_has_no_card_left_is_passed_over():
    state = war(HANNO, SCIPIO, cards=(35, 36), others=())
    assert HANNIBAL.waiting_for(do(state, "carthage", "discard", card=35).state) == ("carthage",)


def test_strategy_ops_one_operation_a_card():
    """strategy.ops, strategy.ops.2: after the PCs of a 2 the other side plays."""
    state = war(HANNO, SCIPIO, cards=(35,), others=(36,))
    state = do(state, "carthage", "place_pcs", card=35).state
    for space in ("iberus", "ilerda"):
        state = do(state, "carthage", "put", space=space).state
    assert HANNIBAL.waiting_for(state) == ("rome",)
    assert state.spaces["iberus"].control == state.spaces["ilerda"].control == "carthage"


def test_strategy_ops_1_the_rating_may_not_exceed_the_card():
    state = war(force("carthage", "toletum", 5, "hannibal", "hasdrubal"), SCIPIO, cards=(31, 35))
    refused(state, "carthage", "activate", "strategy.ops.1", card=31, general="hasdrubal")
    assert do(state, "carthage", "activate", card=31, general="hannibal").state.marching().points == 4
    assert do(state, "carthage", "activate", card=35, general="hasdrubal").state.marching().general == "hasdrubal"


def test_strategy_ops_1_publius_scipio_is_a_2_in_hispania():
    at_home = war(SCIPIO, active="rome", cards=(35,))
    refused(at_home, "rome", "activate", "strategy.ops.1", card=35, general="p_scipio")
    abroad = war(force("rome", "tarraco", 8, "p_scipio"), active="rome", cards=(35,))
    assert do(abroad, "rome", "activate", card=35, general="p_scipio").state.march is not None


def test_strategy_ops_2a_no_pc_on_tribes_enemy_pcs_or_enemy_units():
    state = war(HANNO, SCIPIO, force("rome", "ilerda", 5, "marcellus"), cards=(35,))
    state = do(state, "carthage", "place_pcs", card=35).state
    refused(state, "carthage", "put", "strategy.ops.2a", space="aquitani")
    refused(state, "carthage", "put", "strategy.ops.2b", space="cannae")
    refused(state, "carthage", "put", "strategy.ops.2a", space="ilerda")
    refused(state, "carthage", "put", "strategy.ops.2", space="gades")


def test_strategy_ops_2b_a_friendly_unit_lets_an_enemy_pc_be_flipped_but_no_city_or_tribe():
    """cities.1, tribes.1: those change hands only by siege and subjugation."""
    mine = (force("carthage", space, 4, name) for space, name in (("cannae", "mago"), ("capua", "hasdrubal")))
    state = war(*mine, force("carthage", "averni", 4, "hannibal"), SCIPIO, cards=(35,))
    state = do(state, "carthage", "place_pcs", card=35).state
    refused(state, "carthage", "put", "cities.1", space="capua")
    refused(state, "carthage", "put", "strategy.ops.2a", space="averni")
    assert do(state, "carthage", "put", space="cannae").state.spaces["cannae"].control == "carthage"


def test_strategy_ops_3_a_unit_joins_a_general_in_an_own_space_of_an_own_province_and_strategy_ops_3a_takes_a_card_of_3():
    state = war(
        HANNO,
        SCIPIO,
        force("carthage", "cannae", 4, "mago"),
        force("carthage", "tarraco", 2, "h_gisgo"),
        cards=(1, 35),
        control={"tarraco": "carthage"},
    )
    refused(state, "carthage", "raise_unit", "strategy.ops.3a", card=35, general="hanno")
    refused(state, "carthage", "raise_unit", "strategy.ops.3", card=1, general="mago")
    refused(state, "carthage", "raise_unit", "strategy.ops.3", card=1, general="h_gisgo")
    assert do(state, "carthage", "raise_unit", card=1, general="hanno").state.spaces["carthage"].carthage == Troops(5)


def test_strategy_ops_3b_no_unit_is_raised_inside_a_besieged_city():
    siege = {"gades": {"siege": 1, "besieger": "rome"}}
    state = war(
        force("carthage", "gades", 0, "hasdrubal", inside=1),
        force("rome", "gades", 5, "nero"),
        cards=(1,),
        places=siege,
    )
    refused(state, "carthage", "raise_unit", "strategy.ops.3b", card=1, general="hasdrubal")


def test_strategy_event_2_counter_events_are_not_played_as_ordinary_events():
    refused(war(HANNO, SCIPIO, cards=(41,)), "carthage", "event", "strategy.event.2", card=41)


def test_strategy_3_a_campaign_moves_several_generals_of_any_rating_once_each():
    state = war(HANNO, SCIPIO, force("carthage", "toletum", 5, "hasdrubal"), cards=(37,), others=(36,))
    state = do(state, "carthage", "campaign", card=37).state
    state = do(state, "carthage", "campaign_move", general="hanno").state
    state = do(state, "carthage", "halt").state
    refused(state, "carthage", "campaign_move", "strategy.3", general="hanno")
    state = do(state, "carthage", "campaign_move", general="hasdrubal").state
    assert HANNIBAL.waiting_for(do(state, "carthage", "halt").state) == ("rome",)


def test_movement_command_4_the_owner_names_the_commander_among_equals():
    """movement.command.1, movement.command.4"""
    state = war(force("rome", "cannae", 9, "p_scipio", "nero"), active="rome", cards=(35,))
    from strategic.point_to_point.survey import commander

    assert commander(state, ("p_scipio", "nero")) == "p_scipio"
    state = do(state, "rome", "take_command", general="nero").state
    assert commander(state, ("p_scipio", "nero")) == "nero"
    refused(state, "rome", "take_command", "movement.command.4", general="nero")
    unequal = war(force("rome", "cannae", 9, "marcellus", "varro"), active="rome", cards=(35,))
    refused(unequal, "rome", "take_command", "movement.command.4", general="varro")


def test_movement_general_4_the_owner_says_who_is_inside_the_walls():
    """movement.general.4, cities.2: two CUs, five in Rome and Carthage."""
    state = war(force("carthage", "gades", 4, "hasdrubal"), HANNO, SCIPIO, cards=(35,))
    refused(state, "carthage", "arrange", "cities.2", space="gades", units=3, elephants=0, generals=[])
    refused(state, "carthage", "arrange", "movement.general.4", space="rome", units=1, elephants=0, generals=[])
    state = do(state, "carthage", "arrange", space="gades", units=2, elephants=0, generals=["hasdrubal"]).state
    place = state.spaces["gades"]
    assert (place.carthage, place.inside) == (Troops(2), Troops(2)) and state.generals["hasdrubal"].inside
    assert do(state, "carthage", "arrange", space="carthage", units=4, elephants=0, generals=[]).state is not None


def test_strategy_4_the_umpire_may_act_for_a_side_and_a_spectator_for_nobody():
    state = war(HANNO, SCIPIO, cards=(35,), others=(36,))
    assert the(do(state, "umpire", "discard", card=35), "card_played")["card"] == 35
    not_yours(state, "spectator", "discard", card=35)
    not_yours(state, "rome", "discard", card=36)
