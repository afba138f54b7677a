"""The prompts that no play meets: a stand-in answers them in the positions to which the tests of the rules lead."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tactical.captains import Orders
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import read
from tests.webapp.captains.test_every_prompt_answered import SELDOM, prompts_in, say_in_three_languages
from webapp import create_app
from webapp.captains.seats import think
from webapp.storage.journal.store import all_systems

# Where the tests of the rules come to each prompt: the file's last words, the beginning of the test's name, its parameters.
WAYS: dict[str, dict[str, tuple[Any, ...]]] = {
    "galley": {"end": ("l3_4_leaving", "test_l3_5_evading_comes_after")},
    "hannibal": {
        "cancel": ("battle", "test_round_1b_the_defender_may_cancel"),
        "elephants": ("battle", "test_battle_4_elephants_charge"),
        "join": ("siege", "test_siege_6_they_join"),
        "pursuit": ("interception", "test_avoid_2a_fabius"),
        "return": ("reinforcements", "test_reinforcements_2_rome_must_build"),
        "take_initiative": ("battle", "test_withdrawal_2_the_option"),
    },
    "hamilcar": {
        "cancel": ("14_land", "test_11_9_an_army_withdraws_by_sea"),
        "catcher": ("11_6_interception", "test_11_6_2_b_one_try_a_space"),
        "counter_attack": ("14_land", "test_round_2_a_match_gives"),
        "elephants": ("14_land", "test_17_a_a_modified_one_or_less", 1),
        "hold_out": ("19_council_and_sieges", "test_20_2_8_only_points_just_scored"),
        "intercepted": ("11_6_interception", "test_11_7_second_those_who_lost_at_sea"),
        "join": ("14_land", "test_siege_6_the_besieged_join"),
        "pursuit": ("14_land", "test_avoid_2_an_army_slips_away"),
        "ships_catch": ("11_6_interception", "test_l2_4_the_owner_says_which_ships_sail"),
        "ships_mended": ("11_6_interception", "test_l2_4_and_6_5_3_b_rome"),
        "ships_sail": ("11_6_interception", "test_l2_4_the_owner_says_which_ships_sail"),
        "ships_struck": ("11_6_interception", "test_l2_4_the_owner_says_which_ships_are_hit"),
        "ships_wrecked": ("11_6_interception", "test_l2_4_a_storm"),
    },
    "sword_of_rome": {
        "avoid_to": ("11_avoiding", "test_11_1_free_if_the_enemy"),
        "commander": ("10_attempts", "test_10_4_a_the_interceptor_chooses"),
        "engagement": ("link", "test_l1_1_the_two_seats"),
        "foe": ("15_together", "test_9_4_1_the_mover_names"),
        "order": ("10_attempts", "test_10_3_example_gauls_before_greeks"),
        "pursue": ("11_avoiding", "test_11_1_a_the_player_chooses"),
    },
    "punic_wars": {
        "commander": ("08_leaders", "test_8_22_the_defender_names"),
        "engagement": ("09_combat", "test_L1_1_fleets_that_meet"),
        "threat": ("09_combat", "test_9_16_the_threatened_may_go"),
    },
}
RULES = Path(__file__).parents[2] / "strategic"
SHORT = {"sword_of_rome": ["sor"], "punic_wars": ["pw"], "galley": []}
CASES = [(name, kind) for name, ways in WAYS.items() for kind in ways]


@pytest.fixture(scope="module")
def app():
    return create_app({"TESTING": True})


def way(name: str, kind: str) -> tuple[Any, tuple[Any, ...]]:
    """The test of the rules that comes to the prompt, and its parameters."""
    part, begins, *given = WAYS[name][kind]
    module = importlib.import_module("_".join(["test", *SHORT.get(name, [name]), part]))
    (found,) = [each for each in vars(module) if each.startswith(begins)]
    return getattr(module, found), tuple(given)


@contextmanager
def watched(system) -> Iterator[list[Any]]:
    """Every position that is reached meanwhile."""
    seen: list[Any] = []
    apply = system.apply

    def told(*given: Any, **named: Any) -> Any:
        outcome = apply(*given, **named)
        seen.append(outcome.state)
        return outcome

    object.__setattr__(system, "apply", told)
    try:
        yield seen
    finally:
        object.__setattr__(system, "apply", apply)


def positions(name: str, kind: str, patch: pytest.MonkeyPatch) -> list[Any]:
    """The positions on the way in which the prompt is open."""
    system = all_systems()[name]
    patch.syspath_prepend(RULES / ("linking" if name == "galley" else name))
    test, given = way(name, kind)
    with watched(system) as seen:
        test(*given)
    return [state for state in seen if kind in prompts_in(system, state)]


def answers(name: str, state: Any) -> Iterator[tuple[Any, Any]]:
    """What stand-ins of each level answer, choice and view; each must be legal."""
    system, source = all_systems()[name], random_source(random.Random(1).randrange)
    for seat in system.waiting_for(state):
        for level in ("raw", "able"):
            choice = think(system, state, seat, Orders(level))
            after = system.apply(state, seat, read(choice.command, system.command), Dice(source=source, secret=source))
            assert after.state != state
            yield choice, system.view(state, seat)


@pytest.mark.parametrize("name, kind", CASES)
def test_a_prompt_that_no_play_meets_is_answered_with_a_reason_in_three_languages(app, name, kind, monkeypatch):
    found = [each for state in positions(name, kind, monkeypatch) for each in answers(name, state)]
    assert found and all(choice.reasons and choice.command["type"] not in ("resign", "agree") for choice, _ in found)
    say_in_three_languages(app, name, found)


def test_rome_elects_a_consul(app):
    """26.14 By an option that no play is tried with: stand-ins play on until Rome is asked."""
    system, generator = all_systems()["hamilcar"], random.Random(1)
    source = random_source(generator.randrange)
    dice = Dice(source=source, secret=source)
    state = system.start("first_punic_war", None, {"elected_consuls": 1}, dice).state
    while "elect" not in prompts_in(system, state):
        seat = generator.choice(system.waiting_for(state))
        choice = think(system, state, seat, Orders())
        state = system.apply(state, seat, read(choice.command, system.command), dice).state
    found = list(answers("hamilcar", state))
    assert {choice.command["type"] for choice, _ in found} == {"elect"}
    say_in_three_languages(app, "hamilcar", found)


def test_every_prompt_that_no_play_meets_has_its_position_here():
    """What a system does by itself asks nobody: the taxes and the supply of Punic Wars."""
    by_itself = {("punic_wars", "tax"), ("punic_wars", "supply")}
    every = {(name, kind) for name, kinds in SELDOM.items() for kind in kinds}
    assert every - by_itself - {("hamilcar", "elect")} == set(CASES)
