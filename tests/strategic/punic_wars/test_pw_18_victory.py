"""18.0 Victory, and the special rules of the scenarios."""

from __future__ import annotations

import pytest

from kit.pw_table import after, attack, give, move, points, table, told
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.charts import printed_chart
from strategic.punic_wars.rules.control import judge
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal


def test_18_0_neutral_regions_give_no_points():
    """18.0"""
    state = table({"2908": {"rome": points(1)}}, {"rc": "2908"})
    assert judge(state, "18.0").points == {"carthage": 18, "rome": 40}


@pytest.mark.parametrize(
    "scenario, extra, level",
    [
        ("1", (), "draw"),
        ("1", ("Sicilia", "Siracusa"), "marginal"),
        ("1", ("Sicilia", "Siracusa", "Sardinia", "Corsica"), "substantial"),
        ("1", ("Sicilia", "Siracusa", "Sardinia", "Corsica", "Zeugitana"), "decisive"),
    ],
)
def test_19_15_levels_of_the_first_war(scenario, extra, level):
    """19.15: 31 or less a draw, 32 marginal, 36 substantial, 40 decisive."""
    alignment = {name: "rome" for name in extra}
    state = table({"2908": {"rome": points(1)}}, {"rc": "2908"}, scenario, alignment=alignment)
    result = judge(state, "18.0")
    assert result.level == level and (result.winner == "rome") == (level != "draw")


def test_19_25_levels_of_the_second_war():
    """19.25: 59 or less a draw, 60 marginal, 70 substantial, 85 decisive."""
    levels = []
    spain = ("Hispania", "Gallia", "Gallia Cisalpina")
    for names in (
        (),
        spain,
        (*spain, "Nova Carthago", "Zeugitana"),
        (*spain, "Nova Carthago", "Zeugitana", "Narbonensis", "Tarraconensis", "Massylii", "Massaesylii", "Venetia"),
    ):
        state = table({"2908": {"rome": points(1)}}, {"rc": "2908"}, alignment={name: "rome" for name in names})
        result = judge(state, "18.0")
        levels.append((result.points["rome"], result.level))
    assert levels == [(40, "draw"), (60, "marginal"), (70, "substantial"), (87, "decisive")]


def test_18_1_the_game_ends_when_both_agree():
    """18.1: at any time."""
    state = table({"2908": {"rome": points(1)}}, {"rc": "2908"})
    state = after(state, "carthage", {"type": "agree", "side": "carthage"})
    assert state.result is None
    with pytest.raises(Illegal, match=r"18\.1"):
        give(state, "carthage", {"type": "agree", "side": "carthage"})
    state = after(state, "rome", {"type": "agree", "side": "rome"})
    assert (state.result.level, state.result.winner) == ("draw", None)
    assert PUNIC_WARS.is_over(state) and PUNIC_WARS.offers(state, "rome") == ()
    with pytest.raises(Illegal):
        give(state, "rome", move("rc", "2907"))


def test_18_1_who_resigns_has_lost():
    """18.1"""
    state = table({"2908": {"rome": points(1)}}, {"rc": "2908"})
    over = after(state, "rome", {"type": "resign", "side": "rome"})
    assert (over.result.winner, over.result.level) == ("carthage", "decisive")


def test_18_21_the_automatic_level_wins_in_ones_own_tax_phase():
    """18.21"""
    alignment = {name: "rome" for name in ("Sicilia", "Siracusa", "Sardinia", "Corsica", "Zeugitana")}
    state = table(
        {"2908": {"rome": points(1)}, "2516": {"carthage": points(1)}},
        {"rc": "2908", "cb": "2516"},
        "1",
        "carthage",
        "recruit",
        alignment=alignment,
        turn=1,
    )
    assert state.result is None
    outcome = give(state, "carthage", {"type": "done", "side": "carthage"})
    assert outcome.state.result.rule == "18.21" and outcome.state.result.winner == "rome"
    assert outcome.state.treasury["rome"] == 50


def test_18_22_and_p9_carthage_wins_inside_rome():
    """18.22 (P9): land points in 2908 and no Roman land point there."""
    stacks = {"2907": {"carthage": points(2)}, "2909": {"rome": points(1)}}
    state = table(stacks, {"cb": ("2907", {"land": 2})}, side="carthage")
    outcome = give(state, "carthage", move("cb", "2908"))
    assert (outcome.state.result.winner, outcome.state.result.rule) == ("carthage", "18.22")
    held = table({**stacks, "2908": {"rome": points(1)}}, {"cb": ("2907", {"land": 2})}, side="carthage")
    assert after(held, "carthage", move("cb", "2908")).result is None


def test_18_23_rome_wins_inside_carthage_when_the_garrison_falls():
    """18.23"""
    stacks = {"2516": {"rome": points(9), "carthage": points(1, inside="land")}}
    state = table(stacks, {"ra": "2516"}, holders={"2516": "carthage"})
    assert state.result is None
    outcome = give(state, "rome", attack("ra"), 6)
    assert told(outcome, "over").data["winner"] == "rome" and outcome.state.result.rule == "18.23"


def test_18_23_fleets_alone_take_nothing():
    """18.23: a land point."""
    state = table({"2515": {"rome": points(0, 2)}}, {"rc": ("2515", {"naval": 2})})
    assert after(state, "rome", move("rc", "2516")).result is None


def test_19_34_D_only_the_fall_of_carthage_ends_the_third_war():
    """19.34.D: neither region totals nor Rome count."""
    stacks = {"2907": {"carthage": points(2)}, "2516": {"carthage": points(1)}}
    state = table(stacks, {"cb": ("2907", {"land": 2})}, "3", "carthage")
    assert after(state, "carthage", move("cb", "2908")).result is None
    assert judge(state, "18.0").level == "draw"
    fallen = table({"2515": {"rome": points(1)}}, {"rc": ("2515", {"land": 1})}, "3")
    assert after(fallen, "rome", move("rc", "2516")).result.rule == "19.34.D"


def test_19_14_C_romans_at_sea_take_two_from_the_die_in_the_first_war():
    """19.14.C: and not in the second, nor Carthage."""
    fleet = {"2908": {"rome": points(0, 8)}}
    first = table(fleet, {"rc": ("2908", {"naval": 8})}, "1")
    assert told(give(first, "rome", move("rc", "2808"), 6), "attrition").data["modifier"] == -1
    second = table(fleet, {"rc": ("2908", {"naval": 8})})
    assert told(give(second, "rome", move("rc", "2808"), 6), "attrition").data["modifier"] == 1
    punic = table({"2516": {"carthage": points(0, 8)}}, {"cb": ("2516", {"naval": 8})}, "1", "carthage")
    assert told(give(punic, "carthage", move("cb", "2615"), 6), "attrition").data["modifier"] == 2


def shipwrights(state, *faces):
    """From the end of the Roman campaign phase into recruiting."""
    return give(state, "rome", {"type": "done", "side": "rome"}, *faces)


def test_19_14_D_rome_builds_fleets_after_a_one_or_a_two():
    """19.14.D"""
    first = table({"2908": {"rome": points(2)}}, {"rc": "2908"}, "1", shipbuilding=False)
    build = {"type": "recruit", "hex": "2908", "kind": "naval", "points": 1}
    unlearned = shipwrights(first, 3).state
    with pytest.raises(Illegal, match=r"19\.14\.D"):
        give(unlearned, "rome", build)
    learned = shipwrights(first, 2).state
    assert learned.shipbuilding and after(learned, "rome", build).points("2908", "rome", "naval") == 1
    assert not any(
        e.type == "shipwrights" for e in shipwrights(table({"2908": {"rome": points(2)}}, {"rc": "2908"}, "1")).events
    )


def test_19_14_D_a_75_per_cent_loss_at_sea_takes_the_art_away():
    """19.14.D"""
    state = table({"2908": {"rome": points(0, 4)}}, {"rc": ("2908", {"naval": 4})}, "1")
    assert state.shipbuilding
    assert after(state, "rome", move("rc", "2808"), 3).shipbuilding  # 50 per cent
    assert not after(state, "rome", move("rc", "2808"), 2).shipbuilding  # 75 per cent


def test_19_14_D_rome_begins_the_first_war_without_shipwrights():
    """19.14.D"""
    assert not PUNIC_WARS.start("1", None, {}, Dice()).state.shipbuilding
    assert PUNIC_WARS.start("2", None, {}, Dice()).state.shipbuilding


def test_18_0_a_war_without_points_and_money_ends():
    """18.0: a group's own map without values, and nobody on it: the engine does not turn for ever."""
    worthless = {name: 0 for name in printed_chart().regions}
    raw = {"scenario": "3", "phase": "campaign", "house": {"map": {"values": worthless}}}
    state = PUNIC_WARS.start(None, raw, {}, Dice(secret=lambda sides: 1)).state
    assert state.result is not None and state.result.level == "draw"


def test_18_1_a_turn_limit_is_an_option():
    """18.1, 18.0"""
    state = table(
        {"2908": {"rome": points(1)}}, {"rc": "2908"}, side="rome", phase="recruit", options={"turn_limit": 2}
    )
    assert after(state, "rome", {"type": "done", "side": "rome"}).result.level == "draw"
