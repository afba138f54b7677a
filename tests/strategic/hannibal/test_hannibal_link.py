"""L2.6, L3.8 Carthage's contested crossings on the table."""

from __future__ import annotations

import random

import pytest

from kit.hannibal_war import do, force, march, not_yours, refused, sail, war
from strategic.hannibal import HANNIBAL
from strategic.hannibal.rules.sea import survivors
from strategic.hannibal.state import State
from strategic.naval.engagement import NavalOutcome
from strategic.naval.handoff import battle_position, outcome_of
from strategic.point_to_point.state import Troops
from tactical import GALLEY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import plain, read


def met(units: int = 5, card: int = 3) -> State:
    """Hasdrubal has put out from Carthage to New Carthage with these CUs, and Rome may come out."""
    rome = force("rome", "cosa", 8, "p_scipio")
    state = war(
        force("carthage", "carthage", units, "hasdrubal"), rome, cards=(card,), options={"battles_at_sea": True}
    )
    return sail(march(state, "hasdrubal", card), "new_carthage", units).state


def agreed(state: State, way: str = "battle") -> State:
    for side in ("carthage", "rome"):
        state = do(state, side, "choose_way", engagement="1.1", way=way, side=side).state
    return state


def outcome(winner=None, transports=0, sunk=0, turns=5, **more):
    sides = {"carthage": {"transports": transports, "sunk": sunk, **more}, "rome": {}}
    return {"winner": winner, "turns": turns, "sides": sides}


def settled(state: State, **told) -> State:
    return do(state, "umpire", "settle", engagement="1.1", outcome=outcome(**told)).state


def test_l2_6_escorts_and_the_roman_squadron():
    """Escorts 2 and half of 5 CUs; the squadron 4, 2 more and the -4 of Carthage to New Carthage."""
    state = met()
    fleets = state.engagement.fleets
    assert len(fleets["carthage"].units) == 4 and len(fleets["carthage"].transports) == 5
    assert len(fleets["rome"].units) == max(1, 4 + 2 - 4)
    assert len(met(1).engagement.fleets["rome"].units) == 1, "at least 1"


def test_l1_1_the_campaign_waits_on_the_engagement_and_on_nothing_else():
    state = met()
    assert set(HANNIBAL.waiting_for(state)) == {"rome", "carthage"}
    refused(state, "carthage", "halt", "L1.1")
    assert {offer.type for offer in HANNIBAL.offers(state, "rome")} == {"choose_way", "resign"}
    not_yours(state, "rome", "choose_way", engagement="1.1", way="battle", side="carthage")


@pytest.mark.parametrize("side", ["rome", "carthage"])
def test_l1_2_the_own_table_needs_no_consent_and_is_the_printed_roll(side):
    after = do(met(), side, "choose_way", 5, engagement="1.1", way="own_table", side=side).state
    assert after.engagement is None and after.spaces["new_carthage"].carthage == Troops(5)


def test_l1_2_a_battle_needs_both_and_then_the_way_is_fixed():
    state = met()
    refused(state, "carthage", "open_battle", "L1.2", engagement="1.1")
    state = do(agreed(state), "rome", "open_battle", engagement="1.1").state
    assert state.engagement.opened
    refused(state, "rome", "choose_way", "L1.2", engagement="1.1", way="report", side="rome")
    refused(state, "carthage", "report", "L1.2", engagement="1.1", outcome=outcome(), side="carthage")


def test_l1_2_a_both_may_leave_an_open_battle_for_the_own_table():
    state = do(agreed(met()), "rome", "open_battle", engagement="1.1").state
    state = do(state, "rome", "choose_way", engagement="1.1", way="own_table", side="rome").state
    assert state.engagement is not None
    state = do(state, "carthage", "choose_way", 1, engagement="1.1", way="own_table", side="carthage").state
    assert state.engagement is None


def test_l1_2_a_report_needs_the_assent_of_both_and_stays_within_what_was_sent():
    state = agreed(met(), "report")
    refused(state, "carthage", "report", "L1.2", engagement="1.1", side="carthage", outcome=outcome(transports=6))
    state = do(state, "carthage", "report", engagement="1.1", side="carthage", outcome=outcome(transports=1)).state
    assert state.engagement is not None
    state = do(state, "rome", "assent", engagement="1.1", side="rome").state
    assert state.spaces["new_carthage"].carthage == Troops(4)


def test_l3_8_every_transport_lost_is_a_unit_lost_and_a_third_may_be_lost():
    after = settled(met(), transports=1)
    assert after.spaces["new_carthage"].carthage == Troops(4) and after.spaces["carthage"].carthage == Troops(0)
    assert after.generals["hasdrubal"].space == "new_carthage"


def test_l3_8_with_more_lost_it_returns_with_the_rest():
    after = settled(met(), transports=2)
    assert after.spaces["carthage"].carthage == Troops(3) and after.spaces["new_carthage"].carthage == Troops(0)
    assert after.generals["hasdrubal"].space == "carthage"


def test_l3_8_it_arrives_when_it_won_whatever_it_lost():
    sides = {"carthage": {"transports": 4}, "rome": {"sunk": 2}}
    after = do(
        met(), "umpire", "settle", engagement="1.1", outcome={"winner": "carthage", "turns": 3, "sides": sides}
    ).state
    assert after.spaces["new_carthage"].carthage == Troops(1)


def test_l3_8_without_escort_and_transport_it_is_sunk_and_nobody_pays_politically():
    state = met()
    control = {space: place.control for space, place in state.spaces.items()}
    after = settled(state, winner="rome", transports=5, sunk=4)
    assert after.spaces["carthage"].carthage == Troops(0) and after.generals["hasdrubal"].status == "displaced"
    assert {space: place.control for space, place in after.spaces.items()} == control


def test_l3_8_beaten_with_transports_left_it_returns():
    after = settled(met(), winner="rome", transports=2, sunk=4)
    assert after.spaces["carthage"].carthage == Troops(3) and after.generals["hasdrubal"].space == "carthage"


def test_l3_8_ordinary_units_are_lost_before_elephants():
    assert survivors(Troops(2, 1), 1) == Troops(1, 1) and survivors(Troops(2, 1), 3) == Troops(0, 0)


def test_l1_4_the_same_outcome_twice_changes_nothing_and_another_is_refused():
    state = settled(met(), transports=1)
    again = do(state, "umpire", "settle", engagement="1.1", outcome=outcome(transports=1))
    assert again.state == state and again.events == ()
    refused(state, "umpire", "settle", "L1.4", engagement="1.1", outcome=outcome(transports=2))


def test_l1_3_three_ways_give_the_same_campaign():
    """The battle's and the report's outcome of the same losses leave the same position, byte for byte."""
    table = do(agreed(met()), "rome", "open_battle", engagement="1.1").state
    by_battle = do(table, "carthage", "settle", engagement="1.1", outcome=outcome(transports=1)).state
    reporting = agreed(met(), "report")
    reporting = do(reporting, "rome", "report", engagement="1.1", side="rome", outcome=outcome(transports=1)).state
    by_report = do(reporting, "carthage", "assent", engagement="1.1", side="carthage").state
    by_umpire = settled(met(), transports=1)
    assert plain(by_battle) == plain(by_report) == plain(by_umpire)


@pytest.mark.parametrize("seed", range(3))
def test_l1_3_a_battle_fought_at_random_comes_home(seed):
    state = do(agreed(met()), "rome", "open_battle", engagement="1.1").state
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    battle = GALLEY.start(None, battle_position(state.engagement, 1), {}, Dice()).state
    while not battle.is_over:
        seat = rng.choice(GALLEY.waiting_for(battle))
        offer = rng.choice([each for each in GALLEY.offers(battle, seat) if each.type != "agree"])
        fields = {
            name: rng.choice(v)
            if isinstance(v, list)
            else rng.randint(v["from"], v["to"])
            if isinstance(v, dict)
            else v
            for name, v in offer.fields.items()
        }
        command = read({"type": offer.type, **fields}, GALLEY.command)
        battle = GALLEY.apply(battle, seat, command, Dice((), source)).state
    fought = outcome_of(battle, state.engagement)
    after = do(state, "rome", "settle", engagement="1.1", outcome=plain(fought)).state
    afloat = sum(place.carthage.size for place in after.spaces.values())
    assert afloat == 5 - fought.of("carthage").transports or after.generals["hasdrubal"].status == "displaced"
    assert isinstance(after.settled["1.1"], NavalOutcome)
