"""Seeded random play of all three scenarios, with the invariants after every command and a replay at the end."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest

from kit.lengths import TIGHT_PUNIC_WARS, WARS_AT_RANDOM, scaled, seeds
from kit.met import count
from kit.pw_bold import play
from kit.pw_oracle import OTHER, SETTLEMENTS, Towns, is_besieged, lords
from kit.pw_table import points, table
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.towns import holder, sieges
from strategic.punic_wars.state import Campaign
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import BadInput, decode, encode, plain

SCENARIOS = ("1", "2", "3")
LATER = [pytest.param(*each, marks=pytest.mark.soak) for each in (("1", 1), ("2", 0), ("3", 1))]


@pytest.mark.parametrize(("scenario", "seed"), [("1", 0), ("2", 1), ("3", 0), *LATER])
def test_random_play_with_a_purpose(scenario, seed):
    options = {"turn_limit": 3, "naval_battles": "ask" if seed else "table"}
    assert play(scenario, seed, options).faults == []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_play_of_any_offer(scenario):
    assert play_at_random(PUNIC_WARS, scenario, random.Random(7), {"turn_limit": 3}).faults == []


@pytest.mark.soak
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seed", range(scaled(WARS_AT_RANDOM["punic_wars"])))
def test_games_of_each_scenario(scenario, seed):
    played = play(scenario, 1000 + seed, {"turn_limit": 8, "naval_battles": "ask" if seed % 3 == 0 else "table"}, 20000)
    assert played.faults == [] and played.over


def test_the_invariants_find_what_is_wrong():
    state = table({"2908": {"rome": points(2)}}, {"rc": "2908"})
    assert PUNIC_WARS.invariants(state) == ()
    more = state.with_stack("2908", "rome", state.stack("2908", "rome").with_points("land", 3))
    assert any("accounted" in broken for broken in PUNIC_WARS.invariants(more))
    inland = state.with_stack("2907", "rome", state.stack("2908", "rome").with_points("naval", 1))
    assert any(broken.startswith("5.32") for broken in PUNIC_WARS.invariants(inland))


def test_a_position_survives_its_json():
    state = table({"2908": {"rome": points(2, 1, "naval")}}, {"rc": ("2908", {"land": 1})})
    assert decode(encode(state), Campaign) == state


def tight(seed):
    """Both sides in and around Syracuse and a few towns of Latium and Etruria: some inside, some before the walls.

    Deals again while what was dealt contradicts itself.
    """
    rng = random.Random(f"tight {seed}")
    while True:
        scenario = rng.choice(SCENARIOS)
        siracusa = rng.choice(["carthage", "rome"])
        fleets = {"land": rng.randrange(3), "naval": rng.randrange(3)}
        stacks = {
            "3315": {"syracuse": {**fleets, "land_inside": rng.random() < 0.5, "naval_inside": rng.random() < 0.5}}
        }
        for at in ("3315", "2707", rng.choice(["3215", "3314", "3214"]), "2908", "2516"):
            for side in ("carthage", "rome"):
                if rng.random() < 0.7:
                    inside = rng.random() < 0.4
                    force = {"land": rng.randrange(1, 7), "naval": rng.randrange(3) if at != "2707" else 0}
                    stacks.setdefault(at, {})[side] = {**force, "land_inside": inside, "naval_inside": inside}
        men = {id: (rng.choice(list(stacks)), {}) for id in ("rc", "rd", "cb", "cc")}
        more = {
            "alignment": {"Siracusa": siracusa},
            "treasury": {"rome": rng.randrange(6), "carthage": rng.randrange(6)},
        }
        if scenario != "3" and siracusa == "carthage":
            more |= {"defected": ["Siracusa"], "markers": {"Siracusa": "3215"}}
        try:
            return table(stacks, men, scenario, rng.choice(["carthage", "rome"]), **more)
        except BadInput:
            continue


@pytest.mark.parametrize("seed", seeds([*range(5), 35], TIGHT_PUNIC_WARS))
def test_random_play_from_tight_positions(seed, record_property):
    """10.11, 10.22, 17.32, P19: one side at most is inside a town, and it holds it; what is paid is gone."""
    begun = tight(seed)

    def start(scenario, given, options, dice):
        return PUNIC_WARS.start(scenario, given or plain(begun), options, dice)

    system = dataclasses.replace(PUNIC_WARS, start=start)
    played = play_at_random(system, None, random.Random(seed), {}, limit=150, interrupting=10)
    count(played, record_property)
    assert [fault for fault in played.faults if "after 150 commands" not in fault] == []
    for written in played.states:
        state = decode(written, Campaign)
        for at, here in state.stacks.items():
            inside = {
                state.owner(nation) for nation, stack in here.items() if stack.inside("land") or stack.inside("naval")
            }
            assert len(inside) <= 1 and inside <= {holder(state, at)}
    agrees_with_the_second_reckoning(played)


def agrees_with_the_second_reckoning(played):
    """14.1, 10.42, 10.1 Regions, sieges and holders of towns after each command, reckoned again from the source."""
    towns = Towns(json.loads(played.states[0]))
    for entry, written in zip(played.entries, played.states, strict=True):
        raw, state = json.loads(written), decode(written, Campaign)
        command, about = entry.command, (entry.number, entry.command)
        assert lords(raw) == control(state), about
        for side in OTHER:
            assert {at for at in raw["stacks"] if is_besieged(raw, at, side)} == sieges(state, side), about
        towns.follow(raw, command["path"] if command["type"] == "march" else ())
        if not raw["pending"] and not raw["result"]:
            assert {at: towns.holder(raw, at) for at in SETTLEMENTS} == {at: holder(state, at) for at in SETTLEMENTS}, (
                about
            )


def test_10_42_the_second_reckoning_knows_a_siege_from_a_garrison():
    """10.42, 10.11, 14.14 It is not blind: nine Romans before three inside, who hold the town and no region."""
    stacks = {"3315": {"carthage": points(3, 0, "land"), "rome": points(9)}, "2516": {"carthage": points(2)}}
    raw = plain(table(stacks, {"rc": "3315"}, alignment={"Siracusa": "carthage"}, holders={"3315": "carthage"}))
    assert is_besieged(raw, "3315", "carthage") and lords(raw)["Siracusa"] == "rome"
    assert Towns(raw).holder(raw, "3315") == "carthage"
    raw["stacks"]["3315"]["rome"]["land"] = 2
    assert not is_besieged(raw, "3315", "carthage") and lords(raw)["Siracusa"] == "carthage"
    del raw["stacks"]["3315"]["carthage"]
    assert Towns(raw).holder(raw, "3315") == "rome"
