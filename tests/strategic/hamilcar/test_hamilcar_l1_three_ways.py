"""L1, L3 Three ways to settle a meeting at sea, and the one function that takes its outcome home."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_fleets_met import COTTA, GISCO, lost, met, settle
from kit.hamilcar_war import ONE, War
from strategic.hamilcar import HAMILCAR
from strategic.hamilcar.state import State
from strategic.naval.engagement import NavalOutcome
from strategic.naval.handoff import battle_position, outcome_of
from tactical import GALLEY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.random_play import fill, random_offer
from tactical.kernel.record import encode, plain, read


def test_l1_2_the_own_table_needs_no_consent_the_others_both() -> None:
    table = met()
    name = table.state.engaged().id
    table.say("rome", "choose_way", engagement=name, way="battle", side="rome")
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "open_battle", engagement=name, models_per_unit=1)
    assert refusal.value.rule == "L1.2"
    table.say("carthage", "choose_way", engagement=name, way="own_table", side="carthage")
    assert table.state.naval is not None


def test_l1_2_with_both_consents_the_battle_opens_and_the_way_is_fixed() -> None:
    """L1.2, L2.1, L1.2.a Once a battle is open, both sides together may choose their own table instead; one alone may not."""
    table = met()
    name = table.state.engaged().id
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=name, way="battle", side=side)
    with pytest.raises(Illegal):
        table.say("rome", "open_battle", engagement=name, models_per_unit=6)
    table.say("rome", "open_battle", engagement=name, models_per_unit=2)
    opened = table.told("battle_opened")[0]
    assert opened["models_per_unit"] == 2 and table.state.engaged().opened
    with pytest.raises(Illegal):
        table.say("rome", "choose_way", engagement=name, way="report", side="rome")
    table.say("rome", "choose_way", engagement=name, way="own_table", side="rome")
    assert table.state.naval is None
    table.say("carthage", "choose_way", engagement=name, way="own_table", side="carthage")
    assert table.state.naval is not None and not table.state.engaged().opened


def test_l1_2_a_seat_speaks_only_for_itself() -> None:
    table = met()
    with pytest.raises(NotYours):
        table.say("rome", "choose_way", engagement=table.state.engaged().id, way="battle", side="carthage")


OUTCOME = {
    "winner": "rome",
    "turns": 4,
    "sides": {"carthage": {"sunk": 1, "captured": 1, "fled": True}, "rome": {"sunk": 1, "transports": 1}},
}


def by_battle() -> War:
    table = met()
    name = table.state.engaged().id
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=name, way="battle", side=side)
    table.say("carthage", "open_battle", engagement=name, models_per_unit=1)
    table.say("rome", "settle", engagement=name, outcome=OUTCOME)
    table.rolls_for_prizes(5)
    return table


def by_report() -> War:
    table = met()
    name = table.state.engaged().id
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=name, way="report", side=side)
    table.say("rome", "report", engagement=name, outcome=OUTCOME, side="rome")
    assert name not in table.state.settled
    table.say("carthage", "assent", engagement=name, side="carthage")
    table.rolls_for_prizes(5)
    return table


def by_own_table() -> War:
    """The same losses, fought on the players' own table: first the ships as they lie before Carthage flees, then its flight."""
    table = met()
    name = table.state.engaged().id
    table.say("rome", "choose_way", engagement=name, way="own_table", side="rome")
    battle = table.state.at_sea()
    rome, carthage = battle.fleets["rome"], battle.fleets["carthage"]
    rome = replace(rome, ready=rome.ready[:2], sunk=rome.ready[2:], transports=1, transports_lost=1, hand=())
    carthage = replace(carthage, ready=carthage.ready[:2], sunk=carthage.ready[2:3], taken=carthage.ready[3:])
    held = [*battle.fleets["rome"].hand]
    battle = replace(
        battle,
        fleets={"rome": rome, "carthage": carthage},
        round=4,
        order=("carthage", "rome"),
        turn=0,
        discard=(*battle.discard, *held),
    )
    table.state = replace(table.state, naval=battle)
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "flee", 1)
    table.rolls_for_prizes(5)
    return table


def test_l1_3_three_ways_one_function_the_same_campaign() -> None:
    """L1.3 The same losses by each way leave the same bytes, but for the outcome's own notes of names and supremacy."""
    states = []
    for table in (by_battle(), by_report(), by_own_table()):
        state = table.state
        states.append(replace(state, settled={}))
        assert len(state.ships["rome"]) == 3 and len(state.ships["carthage"]) == 2

    def without_names(state: State) -> bytes:
        return encode(
            replace(
                state,
                ships={
                    side: tuple(
                        sorted(
                            (replace(ship, name="") for ship in fleet),
                            key=lambda ship: (ship.ready, str(ship.built_by)),
                        )
                    )
                    for side, fleet in state.ships.items()
                },
            )
        )

    assert encode(states[0]) == encode(states[1])
    assert without_names(states[1]) == without_names(states[2])


def test_l1_4_the_same_outcome_twice_changes_nothing_and_another_is_refused() -> None:
    table = by_battle()
    name = next(iter(table.state.settled))
    before = encode(table.state)
    table.say("rome", "settle", engagement=name, outcome=OUTCOME)
    assert encode(table.state) == before and table.events == ()
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "settle", engagement=name, outcome={**OUTCOME, "turns": 9})
    assert refusal.value.rule == "L1.4"
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "settle", engagement="9.9", outcome=OUTCOME)


def test_l1_2_a_side_alone_cannot_enter_an_outcome() -> None:
    """L1.2 Without a battle on the table a side's word is a report, which the other must agree to."""
    table = met()
    name = table.state.engaged().id
    table.say("rome", "settle", engagement=name, outcome=OUTCOME)
    assert name not in table.state.settled and table.state.engaged().assents == ("rome",)
    other = {**OUTCOME, "turns": 5}
    table.say("carthage", "report", engagement=name, outcome=other, side="carthage")
    assert table.state.engaged().assents == ("carthage",)  # another report needs a new assent
    table.say("rome", "assent", engagement=name, side="rome")
    assert name in table.state.settled


@pytest.mark.parametrize(
    "rule, outcome",
    [
        ("L1.2", {"winner": "carthage", "sides": {"rome": {"sunk": 4}}}),
        ("L1.2", {"winner": "carthage", "sides": {"rome": {"sunk": 3, "transports": 3}}}),
        ("L3.1", {"winner": "carthage", "sides": {"rome": {"sunk": -1, "fled": True}}}),
        ("L3.1", {"winner": None, "sides": {"rome": {"fled": True}}}),
        ("L3.3", {"winner": "carthage", "sides": {"rome": {"sunk": 1}}}),
        ("L3.1", {"winner": "gaul", "sides": {}}),
        ("L3.1", {"winner": None, "sides": {"gaul": {"sunk": 1}}}),
        ("L2.4", {"winner": None, "sides": {"rome": {"sunk": 1, "sunk_ships": ["Argo"]}}}),
    ],
)
def test_l1_2_an_outcome_may_not_exceed_what_was_sent(rule: str, outcome: dict[str, Any]) -> None:
    """L1.2, L3.1, L3.3 Nothing is changed by a refused outcome."""
    table = met()
    before = encode(table.state)
    with pytest.raises(Illegal) as refusal:
        settle(table, **outcome)
    assert refusal.value.rule == rule and encode(table.state) == before


def test_l1_1_the_engagement_holds_what_matters_at_sea() -> None:
    """L1.1, L2.2, L2.3"""
    table = met(corvus=True, seamanship=1)
    engagement = table.state.engaged()
    rome, carthage = engagement.fleets["rome"], engagement.fleets["carthage"]
    assert (engagement.mover, engagement.place, engagement.start, engagement.rule) == (
        "rome",
        "lipara",
        "messana",
        "11.7",
    )
    assert rome.corvus and rome.seamanship == "fair" and not carthage.corvus and carthage.seamanship is None
    assert [each.trains for each in rome.transports] == [1, 0] and len(carthage.transports) == 1
    assert (rome.commander, rome.rating, rome.admiral) == (COTTA, 2, False)
    assert (carthage.commander, carthage.rating, carthage.admiral) == (GISCO, 1, True)
    assert engagement.supremacy == "carthage"
    with pytest.raises(Illegal):
        table.say("rome", "halt")  # the campaign waits on it and on nothing else


def test_l2_5_a_the_option_hands_the_ratings_down_as_re_rolls() -> None:
    table = met()
    table.state = replace(table.state, options=replace(table.state.options, commander_rerolls=True))
    name = table.state.engaged().id
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=name, way="battle", side=side)
    table.say("rome", "open_battle", engagement=name)
    assert table.told("battle_opened")[0]["rerolls"] == {"rome": 2, "carthage": 1}


def test_26_7_with_naval_stores_all_who_fought_are_unready() -> None:
    table = met()
    table.state = replace(table.state, options=replace(table.state.options, naval_stores=True))
    settle(table, winner="rome", turns=2, sides={"carthage": lost(evaded=True)})
    table.say("rome", "after_sea", choice="home")
    assert not table.state.ready("rome") and not table.state.ready("carthage")


@pytest.mark.parametrize("seed", range(3))
def test_l3_a_battle_played_on_the_table_comes_home(seed: int) -> None:
    """L1.3, L2, L3 Random play of the tactical battle; its outcome enters, and every ship and unit is accounted for."""
    generator = random.Random(seed)
    source = random_source(generator.randrange)
    table = met(roman=2, carthaginian=2)
    engagement = table.state.engaged()
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=engagement.id, way="battle", side=side)
    table.say("rome", "open_battle", engagement=engagement.id)
    battle = GALLEY.start(None, battle_position(table.state.engaged(), 1, campaign="c"), {}, Dice(source=source)).state
    while not GALLEY.is_over(battle):
        seat = generator.choice(GALLEY.waiting_for(battle))
        command = fill(random_offer(GALLEY.offers(battle, seat), generator, {"resign", "agree"}), generator)
        battle = GALLEY.apply(battle, seat, read(command, GALLEY.command), Dice(source=source)).state
    outcome: NavalOutcome = outcome_of(battle, table.state.engaged())
    command = read({"type": "settle", "engagement": engagement.id, "outcome": plain(outcome)}, HAMILCAR.command)
    after = HAMILCAR.apply(table.state, "rome", command, Dice(source=source, secret=source)).state
    assert HAMILCAR.invariants(after) == ()
    total = sum(len(fleet) for fleet in after.ships.values())
    assert total == 4 - sum(outcome.of(side).sunk for side in ("rome", "carthage"))


def test_8_2_the_next_card_comes_after_the_battle() -> None:
    """strategy.4 After the move the other side plays."""
    table = met()
    settle(table, winner=None, turns=5, sides={})
    table.say("rome", "halt")
    assert table.asked() == ("impulse", "carthage") and ONE not in table.state.hands["rome"]
