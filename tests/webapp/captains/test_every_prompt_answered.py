"""Every prompt of every system that is met gets a stand-in's answer: legal, with its reason, in words in three languages."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest

from tactical.captains import Orders
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import read
from webapp import create_app
from webapp.captains.hints import reasons
from webapp.captains.seats import think
from webapp.pages.captains import command_sentence
from webapp.storage.journal.store import all_systems

# How many commands are given in a game, and the prompts that games of this length seldom meet.
GAMES = {"galley": 800, "hannibal": 1500, "hamilcar": 1200, "sword_of_rome": 2500, "punic_wars": 700}
SELDOM = {
    "galley": {"end"},  # asks in linked battles alone
    "hannibal": {"cancel", "elephants", "join", "pursuit", "return", "take_initiative"},
    "hamilcar": {
        *("cancel", "catcher", "counter_attack", "elect", "elephants", "hold_out", "intercepted", "join", "pursuit"),
        *("ships_catch", "ships_mended", "ships_sail", "ships_struck", "ships_wrecked"),
    },
    "sword_of_rome": {"avoid_to", "commander", "engagement", "foe", "order", "pursue"},
    "punic_wars": {"commander", "engagement", "supply", "tax", "threat"},
}
SEEDS = {"hannibal": (1, 2, 3, 5, 97)}  # of so many commands of a game all but one are by chance; its games are short
OFTEN = 2  # how often the same answer to the same prompt is looked at


@pytest.fixture(scope="module")
def app():
    return create_app({"TESTING": True})


def prompts_in(system, state):
    """The prompts that are open, else the box of the sequence that waits."""
    asked = getattr(state, "agenda", ())[-1:] or getattr(state, "pending", ()) or ()
    asked = asked if isinstance(asked, tuple) else (asked,)
    found = {prompt.kind for prompt in asked} or {getattr(state, "step", None) or getattr(state, "phase", "")}
    return tuple(sorted(found & {*system.prompts} or found))


def answers(name, scenario, seed):
    """What stand-ins answer in a game, prompt, choice and view; each must be legal. Of `seed` commands they give one."""
    system, generator = all_systems()[name], random.Random(f"{scenario} {seed}")
    source = random_source(generator.randrange)
    state = system.start(scenario, None, {}, Dice(source=source, secret=source)).state
    for number in range(GAMES[name]):
        if system.is_over(state):
            return
        seat = generator.choice(system.waiting_for(state))
        choice = think(system, state, seat, Orders())
        told = read(choice.command, system.command)
        after = system.apply(state, seat, told, Dice(source=source, secret=source)).state
        yield prompts_in(system, state), choice, system.view(state, seat)
        if number % seed:
            apart = {*QUITTING, *(system.by_hand or ())}
            usual = [offer for offer in system.offers(state, seat) if offer.type not in apart]
            command = read(fill(generator.choice(usual), generator), system.command) if usual else told
            after = system.apply(state, seat, command, Dice(source=source, secret=source)).state
        state = after


@pytest.mark.parametrize(
    "whole", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["until all are met", "whole"]
)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_prompt_that_is_met_is_answered_with_a_reason_in_three_languages(app, name, whole):
    met, looked, system = set(), {}, all_systems()[name]
    for scenario, seed in product(system.scenarios()[:3], SEEDS.get(name, (2, 97))):
        for kinds, choice, view in answers(name, scenario.id, seed):
            if not whole and {*system.prompts} - SELDOM[name] <= met:
                break
            met.update(kinds)
            kept = looked.setdefault((kinds, choice.command["type"], choice.reasons[0].kind), [])
            if len(kept) < OFTEN:
                kept.append((choice, view))
    assert {*system.prompts} - SELDOM[name] <= met, "longer games, please"
    say_in_three_languages(app, name, [each for kept in looked.values() for each in kept])


def say_in_three_languages(app, name, answered):
    """Each choice and its reasons in words: nothing empty, nothing left to be filled in, Russian in Russian."""
    for language in ("en", "it", "ru"):
        with app.test_request_context(headers={"Accept-Language": language}):
            for choice, view in answered:
                said = [
                    command_sentence(name, choice.command, view),
                    *(told.text for told in reasons(choice, view, name)),
                ]
                assert len(said) > 1 and all(said)
                assert not any("%(" in text or "{" in text for text in said), said
                assert language != "ru" or all(re.search("[а-я]", text) for text in said), said
