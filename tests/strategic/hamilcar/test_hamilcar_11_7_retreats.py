"""11.7 The third step: to regroup, flee, evade and pursue; the end."""

from __future__ import annotations

import pytest

from kit.hamilcar_naval_battle import (
    ADHERBAL,
    COTTA,
    HANNO,
    carthage,
    fight,
    rome,
)
from strategic.hamilcar.tables import TABLES
from tactical.kernel.protocol import Illegal


def test_11_7_regroup_example_an_admiral_with_a_one_regroups_on_a_one() -> None:
    """11.7.regroup, 11.7.regroup.example"""
    for face, good in ((1, True), (2, False)):
        table = fight("run", "run", "pursuit", "pursuit")
        table.say("carthage", "pass")
        table.say("carthage", "engage", 1, target="ships")
        table.say("carthage", "regroup", face)
        assert table.told("regrouped")[0]["success"] is good and len(carthage(table).hand) == 2 + good


def test_6_5_3_a_only_an_admiral_uses_his_rating_to_regroup_or_flee() -> None:
    """H8, 11.7.flee Adherbal (3, admiral) flees on a 3; Hanno (2) needs a 1."""
    for catcher, hand, face, good in ((ADHERBAL, 4, 3, True), (HANNO, 3, 2, False), (HANNO, 3, 1, True)):
        table = fight(*["ambush", "broken_oars", "envelopment", "run"][:hand], catcher=catcher)
        table.say("carthage", "pass")
        table.say("carthage", "engage", 1, target="ships")
        table.say("carthage", "flee", face)
        assert table.told("fled")[0]["success"] is good


def test_11_7_flee_a_failed_try_goes_on_with_the_battle() -> None:
    table = fight("run", "run", "ambush", "ambush")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "flee", 4)
    assert table.asked() == ("manoeuvre", "rome")


def test_11_7_evade_only_the_holder_and_11_2_a_for_supremacy_and_h8_a_without_a_die() -> None:
    """Supremacy passes; the battle ends at once when nobody pursues."""
    table = fight("run", "run", "ambush", "ambush", supremacy="carthage")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "evade")
    assert table.state.supremacy == "rome"
    table.say("rome", "pass")
    assert next(iter(table.state.settled.values())).of("carthage").evaded
    other = fight("run", "run", "run", "ambush", supremacy="rome")
    other.say("rome", "pass")
    other.say("rome", "engage", 1, target="ships")
    other.say("rome", "pass")
    other.say("carthage", "pass")
    other.say("carthage", "engage", 1, target="ships")
    with pytest.raises(Illegal):
        other.say("carthage", "evade")


@pytest.mark.parametrize("way", ["evade", "flee", "run"])
def test_11_7_pursuit_cancels_any_retreat_and_h8_a_supremacy_has_passed(way: str) -> None:
    """H6 Evading, fleeing and Run!; supremacy given up stays given up; besides the manoeuvre card."""
    table = fight("run", "ambush", "pursuit", "ambush")
    if way == "run":
        table.say("carthage", "tactic", card="run")
    else:
        table.say("carthage", "pass")
        table.say("carthage", "engage", 1, target="ships")
        table.say("carthage", way, *([1] if way == "flee" else []))
    assert table.asked() == ("sea_pursuit", "rome")
    table.say("rome", "cancel_retreat")
    assert table.state.naval is not None and rome(table).hand == ("ambush",)
    assert table.state.supremacy == ("rome" if way == "evade" else "carthage")
    if way != "run":
        table.say("rome", "tactic", card="ambush")  # the manoeuvre card is still his


def test_11_7_end_1_a_fleet_without_ready_ships_at_the_end_of_a_round_has_lost() -> None:
    """11.7.end.1, H9 The other half of the round is still played."""
    table = fight("splintered_hulls", "run", "run", "run", roman=1)
    table.say("carthage", "tactic", card="splintered_hulls")
    table.say("carthage", "target", target="ships")
    assert table.state.naval is not None
    table.say("carthage", "engage", 1, target="transports")
    table.say("carthage", "pass")  # the end of the round
    table.rolls_for_prizes(1)
    assert next(iter(table.state.settled.values())).winner == "carthage"


def test_11_7_end_2_who_stays_has_won() -> None:
    table = fight("run", "run", "ambush", "ambush")
    table.say("carthage", "tactic", card="run")
    table.say("rome", "pass")
    outcome = next(iter(table.state.settled.values()))
    assert outcome.winner == "rome" and outcome.of("carthage").fled


def test_11_7_end_3_after_five_rounds_nobody_has_won() -> None:
    """11.7.end.3, H9 All ships unready, supremacy stays, both go back, nobody loses PCs."""
    table = fight("ambush", "broken_oars", "ambush", "broken_oars")
    for _ in range(TABLES.naval.rounds):
        for side in ("carthage", "rome"):
            table.say(side, "pass")
            table.say(side, "engage", 1, target="ships")
            table.say(side, "pass")
    state = table.state
    assert next(iter(state.settled.values())).winner is None
    assert not state.ready("rome") and not state.ready("carthage")
    assert state.supremacy == "carthage" and table.asked() == ("move", "rome") and state.marching().stopped
    assert state.generals[COTTA].space == "messana"
