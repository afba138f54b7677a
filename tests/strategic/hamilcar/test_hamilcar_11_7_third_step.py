"""11.7 The third step of a side's part of a round: regroup or retreat, with a general and without one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_naval_battle import COTTA, carthage, fight
from kit.hamilcar_war import TWO, War, army, control, drawn_for, empty, ships, turn_of
from tactical.kernel.protocol import NotYours


def third_step(table: War) -> War:
    """Carthage, which begins, neither manoeuvres nor hits."""
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    return table


def leaderless() -> War:
    """By supremacy and a marker in Lipara the ships of Carthage alone have caught Cotta (11.6.3)."""
    state = army(ships(ships(empty(), "rome", 2), "carthage", 2), "rome", "messana", 2, COTTA)
    table = turn_of(replace(control(state, "carthage", "lipara"), seamanship=2), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=2, units=2, elephants=0)
    table.say("carthage", "sea_intercept", ships=2, tries=[])
    cards = drawn_for(("ambush", "ambush", "broken_oars"))
    table.say("rome", "choose_way", engagement=table.state.engaged().id, way="own_table", side="rome", drawn=cards)
    return third_step(table)


@pytest.mark.parametrize("word, told", [("regroup", "regrouped"), ("flee", "fled")])
@pytest.mark.parametrize("face, good", [(1, True), (2, False)])
def test_11_7_leaderless_a_fleet_without_a_general_regroups_or_flees_on_a_one(
    word: str, told: str, face: int, good: bool
) -> None:
    table = leaderless()
    assert carthage(table).rating == 0 and table.state.engaged().fleets["carthage"].commander is None
    table.say("carthage", word, face)
    assert table.told(told)[0]["success"] is good


def test_11_7_choice_in_the_third_step_a_side_regroups_or_retreats_but_not_both() -> None:
    table = third_step(fight("run", "run", "ambush", "ambush"))
    assert {offer.type for offer in table.offers("carthage")} - {"resign"} == {"regroup", "flee", "evade", "pass"}
    table.say("carthage", "regroup", 6)
    assert table.asked() == ("manoeuvre", "rome")
    with pytest.raises(NotYours):
        table.say("carthage", "flee", 1)
