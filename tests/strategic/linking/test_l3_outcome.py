"""L1, L3 The engagement and its battle; the outcome that goes home."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from kit.linked_battle import (
    adjusted,
    do,
    engagement,
    fleet,
    gone,
    last_to_leave,
    opened,
    sunk,
    turn_end,
)
from strategic.naval.engagement import (
    NavalOutcome,
    SideOutcome,
    check_outcome,
    count_losses,
)
from strategic.naval.handoff import battle_position, outcome_of
from tactical import GALLEY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import read


def test_l1_1_the_engagement_and_the_battle_name_each_other():
    link = opened().link
    assert (link.game, link.engagement, link.system) == ("CAMPGN", "e1", "hamilcar")


def test_l1_2_a_where_a_side_has_no_warship_only_the_own_table_settles():
    fleets = {**engagement().fleets, "rome": fleet("rome", 0, 2)}
    with pytest.raises(Illegal) as refused:
        battle_position(engagement(fleets=fleets))
    assert refused.value.rule == "L1.2"


def test_l1_2_a_battle_of_a_campaign_is_not_resigned():
    with pytest.raises(Illegal) as refused:
        do(opened(), "rome", "resign", side="rome")
    assert refused.value.rule == "L1.2" and not any(o.type == "resign" for o in GALLEY.offers(opened(), "rome"))


@pytest.mark.parametrize(
    "sunk_models, captured_models, per_unit, sent, lost",
    [
        (2, 1, 1, 5, (2, 1)),
        (1, 0, 2, 5, (1, 0)),
        (1, 0, 3, 5, (0, 0)),
        (2, 0, 3, 5, (1, 0)),
        (1, 1, 2, 5, (0, 1)),
        (9, 9, 1, 3, (0, 3)),
        (3, 2, 5, 4, (1, 0)),
        (2, 3, 5, 4, (0, 1)),
    ],
)
def test_l3_2_models_to_units_halves_up_and_never_more_than_sent(sunk_models, captured_models, per_unit, sent, lost):
    assert count_losses(sunk_models, captured_models, per_unit, sent) == lost


def test_l3_1_captured_transports_do_not_come_home():
    taken = {"status": "captured", "captured_by": "carthage"}
    battle = turn_end(adjusted(opened(), **sunk("c1", "c2", "r5"), r4=taken))
    assert outcome_of(battle, engagement()).of("rome").transports == 2


def test_l3_1_damage_is_carried_home_by_who_floats_and_by_who_left():
    battle = adjusted(opened(), **sunk("c1", "c2", "r3"), r1={"damage": 2}, **gone("r2"))
    assert outcome_of(turn_end(battle), engagement()).of("rome").damage == {"rome-1": 2}


def test_l1_2_nobody_loses_more_than_was_sent():
    too_many = NavalOutcome(winner="rome", supremacy=None, turns=3, sides={"carthage": SideOutcome(sunk=3)})
    with pytest.raises(Illegal, match="cannot lose") as refused:
        check_outcome(engagement(), too_many)
    assert refused.value.rule == "L1.2"


def test_l3_3_only_warships_count_and_the_last_side_with_one_wins():
    battle = turn_end(adjusted(opened(), **sunk("c1"), c2={"status": "captured", "captured_by": "rome"}))
    assert battle.is_over and battle.result.winner == "rome"
    outcome = outcome_of(battle, engagement())
    assert outcome.winner == "rome" and outcome.of("carthage").sunk_ships == ("carthage-1",)
    assert outcome.of("carthage").captured_ships == ("carthage-2",) and outcome.of("carthage").lost == 2
    roman = turn_end(adjusted(opened(), **sunk("r1", "r2", "r3")))
    assert roman.result.winner == "carthage", "the transports afloat do not save Rome"


def test_l3_3_at_the_turn_limit_nobody_has_won():
    battle = msgspec.to_builtins(opened())
    battle = GALLEY.start(None, {**battle, "turn": 15}, {}, Dice()).state
    battle = turn_end(adjusted(battle, **sunk("c1")))
    assert battle.is_over and battle.result.winner is None
    outcome = outcome_of(battle, engagement())
    assert outcome.winner is None and outcome.turns == 15 and outcome.of("carthage").sunk == 1


def test_l3_1_an_outcome_is_read_only_from_a_battle_that_has_ended():
    with pytest.raises(Illegal) as refused:
        outcome_of(opened(), engagement())
    assert refused.value.rule == "L1.4"


def test_l3_9_a_lost_flagship_changes_nothing_else():
    battle = turn_end(adjusted(opened(), **sunk("c1")))
    assert not battle.is_over and battle.ships["c2"].is_afloat


@pytest.mark.parametrize("seed", range(12))
def test_l3_1_battles_at_random_send_home_outcomes_that_hold(seed):
    """No ship or transport appears or vanishes: what comes home is what was sent, less what was lost."""
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    met = engagement()
    battle = opened(rng.choice([1, 2]), deployed=False, rerolls=seed % 2 == 0)
    for _ in range(6000):
        if battle.is_over:
            break
        seat = rng.choice(GALLEY.waiting_for(battle))
        offer = rng.choice([o for o in GALLEY.offers(battle, seat) if o.type != "agree"])
        fields = {
            name: rng.choice(value)
            if isinstance(value, list)
            else rng.randint(value["from"], value["to"])
            if isinstance(value, dict)
            else value
            for name, value in offer.fields.items()
        }
        battle = GALLEY.apply(
            battle, seat, read({"type": offer.type, **fields}, GALLEY.command), Dice((), source)
        ).state
        assert GALLEY.invariants(battle) == ()
    outcome = outcome_of(battle, met)
    check_outcome(met, outcome)
    assert outcome.turns <= 15
    for side, sent in met.fleets.items():
        assert 0 <= outcome.of(side).lost <= len(sent.units)


def test_l3_3_who_has_the_last_warship_has_won_also_when_both_agree_to_end():
    battle = last_to_leave()
    for side in ("rome", "carthage"):
        battle = do(battle, side, "agree", side=side).state
    assert battle.result.winner == "carthage" and battle.result.why == "agreed"
    assert outcome_of(battle, engagement()).of("rome").fled


def test_l3_1_an_outcome_names_every_hull_that_is_lost_or_has_left_transports_too():
    taken = {"status": "captured", "captured_by": "carthage"}
    battle = turn_end(adjusted(opened(), **sunk("c1", "c2", "r5"), r4=taken, **gone("r2")))
    told = outcome_of(battle, engagement()).of("rome")
    assert (told.transports, told.sunk_transports, told.captured_transports) == (2, ("rome-t2",), ("rome-t1",))
    assert told.fled_ships == ("rome-2",)


def test_l3_2_models_of_a_unit_are_counted_and_transports_named_all_the_same():
    battle = turn_end(adjusted(opened(2), **sunk("r1", "r2", "r7", "c1", "c2", "c3", "c4")))
    told = outcome_of(battle, engagement()).of("rome")
    assert (told.sunk, told.sunk_ships, told.sunk_transports, told.fled_ships) == (1, (), ("rome-t1",), ())


@pytest.mark.parametrize(
    "lost",
    [
        {"transports": 1, "sunk_transports": ("rome-1",)},
        {"transports": 2, "sunk_transports": ("rome-t1",)},
        {"transports": 2, "sunk_transports": ("rome-t1",), "captured_transports": ("rome-t1",)},
        {"fled_ships": ("carthage-1",)},
        {"sunk": 1, "sunk_ships": ("rome-1",), "fled_ships": ("rome-1",)},
    ],
)
def test_l2_4_an_outcome_names_each_ship_that_was_sent_once_and_as_many_as_it_counts(lost):
    with pytest.raises(Illegal) as refused:
        check_outcome(engagement(), NavalOutcome(sides={"rome": SideOutcome(**lost)}))
    assert refused.value.rule == "L2.4"


def test_l2_5_the_flagship_is_the_unit_that_the_commander_is_aboard_else_the_first():
    aboard = {**engagement().fleets, "rome": replace(fleet("rome", 3, commander="duilius"), flagship="rome-3")}
    for fleets, flagship in ((engagement().fleets, "r1"), (aboard, "r3")):
        ships = battle_position(engagement(fleets=fleets))["ships"]
        assert [name for name, ship in ships.items() if ship.get("flagship") and ship["side"] == "rome"] == [flagship]
