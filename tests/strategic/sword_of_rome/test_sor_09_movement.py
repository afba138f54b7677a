"""8, 9 Activating leaders, movement points, taking along and leaving, allies on the way."""

import pytest

from kit.legions import HANDS, army, asked, do, march, outcome, position, refused, stands
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.tables import CHART, LEADERS, SPACES, home, printed_loyalty
from tactical.kernel.protocol import NotYours


def test_2_2_the_map_has_its_spaces_connections_and_ports():
    points = [space for space in SPACES.values() if space.kind != "box"]
    kinds = [way.kind for way in CHART.connections]
    assert (len(points), len(CHART.connections)) == (82, 135)
    assert [kinds.count(kind) for kind in ("clear", "rough", "appian", "strait")] == [99, 32, 3, 1]
    assert sum(space.port for space in points) == 25
    assert all(
        each.about.get("source") in ("published", "reconstructed") for each in (*SPACES.values(), *CHART.connections)
    )
    assert (home("roma"), printed_loyalty("roma"), home("syracusae")) == ("romans", 3, "greeks")


def test_8_1_initiative_is_the_least_card():
    state = position(army("carthaginians", "kerkouane", 5, "bomilcar"), active="carthaginians")
    command = {"leader": "bomilcar", "units": 5}
    assert refused(state, "carthaginians", "activate", card=2, **command) == "8.1"
    assert do(state, "carthaginians", "activate", card=3, **command).move.units == 5
    assert LEADERS["claudius"].tactics == 3


def test_9_1_a_card_of_the_hand_moves_a_leader_of_ones_own_and_is_spent():
    state = position(army("romans", "roma", 5, "claudius"), army("gauls", "luna", 5, "brennus"), hands={"romans": [2]})
    assert refused(state, "romans", "activate", card=3, leader="claudius", units=5) == "9.1"
    assert refused(state, "romans", "activate", card=2, leader="brennus", units=5) == "9.1"
    state = do(state, "romans", "activate", card=2, leader="claudius", units=5)
    assert state.hands["romans"] == () and state.discards["romans"] == (2,)


def test_5_one_card_for_an_activation_in_each_round():
    state = do(march(position(army("romans", "roma", 5, "claudius")), "romans", "claudius"), "romans", "halt")
    assert refused(state, "romans", "activate", card=1, leader="claudius", units=5) == "5"
    assert do(state, "romans", "end_action").active == "greeks"


def test_7_an_event_played_by_hand_moves_others_besides():
    """A campaign: the card is discarded for its text, then two leaders move as with a 3; the log says so."""
    state = position(army("gauls", "luna", 5, "brennus"), army("gauls", "comum", 4, "minor_gauls_a"), active="gauls")
    state = do(state, "gauls", "discard", side="gauls", card=3, why="Campaign")
    for leader, units in (("brennus", 5), ("minor_gauls_a", 4)):
        assert refused(state, "gauls", "activate", card=3, leader=leader, units=units) == "9.1"
        moved = outcome(state, "gauls", "activate", card=3, leader=leader, units=units, by_event=True)
        assert moved.state.move.points == 5 and moved.events[0].data["by_event"]
        state = do(moved.state, "gauls", "halt")
    assert state.hands["gauls"] == (1, 2) and not state.acted


def test_9_1_1_ten_cus_move_together():
    state = position(army("romans", "roma", 12, "claudius"))
    assert refused(state, "romans", "activate", card=2, leader="claudius", units=11) == "9.1.1"
    assert do(state, "romans", "activate", card=2, leader="claudius", units=10).force("roma", "romans").units == 2


def test_9_1_2_cus_and_leaders_are_left_and_taken_along():
    state = position(army("romans", "roma", 8, "claudius", "valerius"), army("romans", "velitrae", 5))
    state = march(state, "romans", "claudius", "velitrae", units=8, companions=["valerius"])
    assert refused(state, "romans", "pick_up", units=3) == "9.1.2"
    state = do(state, "romans", "pick_up", units=2)
    state = do(state, "romans", "drop", units=4, companions=["valerius"])
    assert (state.move.units, state.move.companions) == (6, ())
    assert stands(state, "velitrae", "romans") == 7 and state.force("velitrae", "romans").leaders == ("valerius",)


def test_8_2_1_a_named_leader_follows_no_minor_one():
    state = position(army("greeks", "tarentum", 5, "pyrrhus", "minor_greeks_a"), active="greeks")
    command = {"card": 2, "leader": "minor_greeks_a", "units": 5}
    assert refused(state, "greeks", "activate", companions=["pyrrhus"], **command) == "8.2.1"
    state = position(
        army("greeks", "tarentum", 5, "minor_greeks_a"), army("greeks", "thurii", 1, "pyrrhus"), active="greeks"
    )
    state = do(march(state, "greeks", "pyrrhus", "heraclea", "metapontum", "tarentum", units=1), "greeks", "halt")
    assert state.force("tarentum", "greeks").leaders == ("pyrrhus", "minor_greeks_a")


def test_9_2_clear_one_rough_and_strait_two_and_four_points():
    state = march(position(army("romans", "capua", 5, "claudius")), "romans", "claudius", "fregellae")
    assert state.move.points == 3
    state = do(state, "romans", "step", to="aufidena")
    assert state.move.points == 1
    assert refused(state, "romans", "step", to="corfinium") == "9.2"
    assert refused(state, "romans", "step", to="roma") == "9.2"
    state = march(position(army("romans", "rhegium", 5, "claudius")), "romans", "claudius", "messana")
    assert state.move.points == 2


def test_9_2_all_connections_of_bovianum_are_clear_for_samnites():
    state = position(army("samnites", "beneventum", 5, "egnatius"), active="etruscans_samnites")
    state = march(state, "etruscans_samnites", "egnatius", "bovianum", "aufidena", "fregellae")
    assert state.move.points == 1


@pytest.mark.parametrize("card, points", [(1, 3), (2, 4), (3, 5)])
def test_9_2_2_gauls_move_by_the_card(card, points):
    state = position(army("gauls", "luna", 5, "brennus"), active="gauls")
    assert march(state, "gauls", "brennus", card=card).move.points == points


def test_9_2_2_transalpine_gauls_have_five_points_and_no_way_back():
    state = position(
        army("transalpine_gauls", "transalpine_gaul", 4, "minor_transalpine_a"),
        active="gauls",
        runners={"transalpine_gauls": "gauls"},
    )
    state = march(state, "gauls", "minor_transalpine_a", "eporedia", card=1, units=4)
    assert state.move.points == 3
    assert refused(state, "gauls", "step", to="transalpine_gaul") == "9.2"


def test_9_4_4_a_leader_alone_does_not_enter_enemies():
    state = position(army("romans", "roma", 5, "claudius"), army("gauls", "velitrae", 2))
    state = march(state, "romans", "claudius", units=0)
    assert refused(state, "romans", "step", to="velitrae") == "9.4.4"


def test_9_5_6_a_flanking_army_halts_next_to_the_battle():
    state = march(
        position(army("romans", "roma", 5, "claudius"), army("gauls", "velitrae", 2)), "romans", "claudius", flank=True
    )
    assert refused(state, "romans", "step", to="velitrae") == "9.5.6"


def test_15_3_allies_pass_through_each_other_and_do_not_stop_together():
    state = position(
        army("romans", "roma", 5, "claudius"), army("greeks", "velitrae", 2), alliances=[["greeks", "romans"]]
    )
    state = march(state, "romans", "claudius", "velitrae")
    assert not state.pending and refused(state, "romans", "halt") == "15.3"
    assert refused(state, "romans", "drop", units=1) == "15.3"
    state = do(do(state, "romans", "step", to="fregellae"), "romans", "halt")
    assert stands(state, "fregellae", "romans") == 5


def test_15_3_nobody_goes_where_he_could_only_stop_with_an_ally():
    state = position(
        army("romans", "roma", 5, "claudius"), army("greeks", "fregellae", 2), alliances=[["greeks", "romans"]]
    )
    state = march(state, "romans", "claudius", "velitrae", "praeneste", "velitrae")
    assert state.move.points == 1 and refused(state, "romans", "step", to="fregellae") == "15.3"


def test_9_only_the_owner_moves_and_a_spectator_says_nothing():
    state = position(army("romans", "roma", 5, "claudius"))
    for seat in ("gauls", "spectator"):
        with pytest.raises(NotYours):
            do(state, seat, "activate", card=2, leader="claudius", units=5)
    assert do(state, "umpire", "activate", card=2, leader="claudius", units=5).move.power == "romans"


def test_16_a_power_without_a_player_stands_and_fights():
    """Nobody is asked for the Volsci, unless a seat has been set to decide for them."""
    base = (army("romans", "roma", 9, "claudius"), army("volsci", "antium", 4, "minor_volsci_a"))
    state = march(position(*base), "romans", "claudius", "velitrae", units=9)
    assert not state.pending
    state = do(state, "romans", "step", to="antium")
    assert asked(state) == [("battle", "romans")]
    state = do(state, "romans", "roll_battle", 3, 3, 3, 1, 1, 1)
    assert stands(state, "antium", "romans") == 9
    run = march(position(*base, runners={"volsci": "gauls"}), "romans", "claudius", "velitrae", units=9)
    assert asked(run) == [("declare", "gauls")]


def test_9_offers_hold_what_apply_accepts():
    state = position(army("romans", "roma", 12, "claudius", "valerius"), hands=HANDS)
    offers = [each for each in SWORD_OF_ROME.offers(state, "romans") if each.type == "activate"]
    assert {offer.fields["leader"] for offer in offers} == {"claudius", "valerius"}
    assert offers[0].fields["units"] == {"from": 0, "to": 10}
    assert [each.type for each in SWORD_OF_ROME.offers(state, "gauls") if each.type == "activate"] == []
