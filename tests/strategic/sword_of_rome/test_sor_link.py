"""L2.6, L3.8 Contested crossings of the five powers on the table."""

from __future__ import annotations

import pytest

from kit.legions import army, position, stands
from strategic.naval.handoff import battle_position
from strategic.sword_of_rome import SWORD_OF_ROME
from tactical import GALLEY
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, plain, read


def give(state, seat, kind, *dice, **fields):
    command = read({"type": kind, **fields}, SWORD_OF_ROME.command)
    outcome = SWORD_OF_ROME.apply(state, seat, command, Dice(dice))
    assert SWORD_OF_ROME.invariants(outcome.state) == ()
    return outcome.state


def refused(state, seat, kind, **fields):
    with pytest.raises(Illegal) as wrong:
        SWORD_OF_ROME.apply(state, seat, read({"type": kind, **fields}, SWORD_OF_ROME.command), Dice((1, 1)))
    return wrong.value.rule


def met(card=2, control=None):
    """Timoleon with 3 CUs sails from Neapolis to Syracusae, and Carthage comes out with this card."""
    here = position(
        army("greeks", "neapolis", 3, "timoleon"),
        active="greeks",
        options={"battles_at_sea": True},
        control=control or {},
    )
    here = give(here, "greeks", "activate", card=3, leader="timoleon", units=3)
    here = give(here, "greeks", "sail", to="syracusae")
    return give(here, "carthaginians", "contest", card=card)


def outcome(winner=None, transports=0, sunk=0):
    return {"winner": winner, "turns": 4, "sides": {"greeks": {"transports": transports, "sunk": sunk}}}


def settled(state, **told):
    return give(state, "umpire", "settle", engagement="1.1", outcome=outcome(**told))


def agreed(state, way="battle"):
    for side in ("greeks", "carthaginians"):
        state = give(state, side, "choose_way", engagement="1.1", way=way, side=side)
    return state


@pytest.mark.parametrize(
    "card, control, fleets", [(2, {}, (5, 5)), (1, {"syracusae": "romans"}, (3, 3)), (3, {}, (5, 7))]
)
def test_l2_6_escorts_and_the_punic_squadron(card, control, fleets):
    state = met(card, control)
    sent = state.engagement.fleets
    assert (len(sent["greeks"].units), len(sent["carthaginians"].units)) == fleets
    assert len(sent["greeks"].transports) == 3


def test_l1_1_the_two_seats_are_asked_and_nobody_else():
    state = met()
    assert set(SWORD_OF_ROME.waiting_for(state)) == {"greeks", "carthaginians"}
    assert refused(state, "greeks", "sea_roll") == "9.6.4"
    with pytest.raises(NotYours):
        give(state, "romans", "choose_way", engagement="1.1", way="battle", side="romans")


def test_l1_2_the_own_table_is_the_printed_roll():
    after = give(met(), "greeks", "choose_way", 3, engagement="1.1", way="own_table", side="greeks")
    assert after.engagement is None and after.move.at == "syracusae", "3 + 1 - 2 = 2: success"


def test_l1_2_a_battle_needs_both_and_opens_with_both_fleets():
    assert refused(met(), "greeks", "open_battle", engagement="1.1") == "L1.2"
    state = give(agreed(met()), "greeks", "open_battle", engagement="1.1")
    battle = GALLEY.start(None, battle_position(state.engagement, 1), {}, Dice()).state
    assert len(battle.afloat("greeks")) == 5 + 3 and len(battle.afloat("carthaginians")) == 5


def test_l3_8_it_arrives_with_losses_up_to_a_third_at_the_limit():
    after = settled(met(), transports=1)
    assert after.move.at == "syracusae" and after.move.units == 2
    after = give(after, "greeks", "halt")
    assert stands(after, "syracusae", "greeks") == 2


def test_l3_8_with_more_lost_it_returns_and_the_move_is_over():
    after = settled(met(), transports=2)
    assert after.move is None and stands(after, "neapolis", "greeks") == 1


def test_l3_8_it_arrives_when_it_won():
    won = {"winner": "greeks", "turns": 4, "sides": {"greeks": {"transports": 2}, "carthaginians": {"sunk": 5}}}
    after = give(met(), "umpire", "settle", engagement="1.1", outcome=won)
    assert after.move.at == "syracusae" and after.move.units == 1


def test_l3_8_a_convoy_without_escort_and_transport_is_gone_and_its_leader_displaced():
    after = settled(met(), winner="carthaginians", transports=3, sunk=5)
    assert after.move is None and "timoleon" in after.displaced
    assert stands(after, "neapolis", "greeks") == stands(after, "syracusae", "greeks") == 0


def test_l1_3_battle_report_and_umpire_leave_the_same_position():
    table = give(agreed(met()), "greeks", "open_battle", engagement="1.1")
    by_battle = give(table, "greeks", "settle", engagement="1.1", outcome=outcome(transports=1))
    reporting = agreed(met(), "report")
    reporting = give(reporting, "greeks", "report", engagement="1.1", side="greeks", outcome=outcome(transports=1))
    by_report = give(reporting, "carthaginians", "assent", engagement="1.1", side="carthaginians")
    assert plain(by_battle) == plain(by_report) == plain(settled(met(), transports=1))


def test_l1_4_the_same_outcome_twice_changes_nothing():
    state = settled(met(), transports=1)
    assert give(state, "umpire", "settle", engagement="1.1", outcome=outcome(transports=1)) == state
    assert refused(state, "umpire", "settle", engagement="1.1", outcome=outcome()) == "L1.4"


def going_back():
    """Timoleon, intercepted at Syracusae, goes back by sea; Carthage contests it and the fleets meet."""
    here = position(
        army("greeks", "neapolis", 3, "timoleon"),
        army("carthaginians", "catina", 4, "bomilcar"),
        active="greeks",
        options={"battles_at_sea": True},
        control={"syracusae": "carthaginians", "catina": "carthaginians"},
    )
    here = give(here, "greeks", "activate", card=3, leader="timoleon", units=3)
    here = give(give(here, "greeks", "sail", to="syracusae"), "carthaginians", "pass")
    attempt = {"power": "carthaginians", "space": "catina", "leader": "bomilcar", "units": 4}
    here = give(here, "carthaginians", "declare", 1, side="carthaginians", intercepts=[attempt])
    here = give(give(here, "greeks", "decline"), "carthaginians", "permit", allow=True)
    return give(here, "carthaginians", "contest", card=2)


def test_l1_1_no_storm_comes_once_the_fleets_have_met():
    state = agreed(going_back())
    assert refused(state, "gauls", "storms_at_sea", side="gauls", card=1) == "L1.1"
    assert "storms_at_sea" not in [offer.type for offer in SWORD_OF_ROME.offers(state, "gauls")]
    state = give(state, "umpire", "settle", engagement="1.1", outcome=outcome(transports=2))
    assert state.engagement is None and state.battle.defender == "carthaginians" and state.move.units == 1


def test_l1_1_an_engagement_is_about_a_crossing_and_ends_with_the_game():
    state = agreed(going_back())
    raw = {**plain(state), "crossing": None}
    with pytest.raises(BadInput) as wrong:
        SWORD_OF_ROME.start(None, raw, {}, Dice())
    assert wrong.value.path == "position.engagement"
    assert give(state, "umpire", "end_game", winner=None, why="it is late").engagement is None
