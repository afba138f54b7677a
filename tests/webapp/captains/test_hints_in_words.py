"""A hint is told in words: no reader meets an id of ours, in any language or system."""

from __future__ import annotations

import random
import re

import pytest

from tactical.captains import Orders
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import read
from webapp import create_app
from webapp.captains.hints import reasons
from webapp.captains.seats import think
from webapp.pages.captains import command_sentence
from webapp.presenting.naming import names
from webapp.storage.journal.store import all_systems

COMMANDS = {"galley": 250, "hannibal": 300, "hamilcar": 300, "sword_of_rome": 40, "punic_wars": 200}
IDS = re.compile(r"[_\[\]{}\"]|\bnone\b|\bNone\b|\bTrue\b|\bFalse\b")
OURS = re.compile(r"\b[a-z]{3,}\b")  # a lower-case Latin word in a Russian sentence is none of its words


@pytest.fixture(scope="module")
def app():
    return create_app({"TESTING": True})


def choices(name):
    """What captains would do in positions of a game played at random, with the position."""
    system, generator = all_systems()[name], random.Random(f"hints {name}")
    source = random_source(generator.randrange)
    scenario = "side" if name == "galley" else system.scenarios()[0].id
    state = system.start(scenario, None, {}, Dice(source=source, secret=source)).state
    for _ in range(COMMANDS[name]):
        if system.is_over(state):
            return
        seat = generator.choice(system.waiting_for(state))
        yield think(system, state, seat, Orders()), system.view(state, seat)
        offers = system.offers(state, seat)
        usual = [offer for offer in offers if offer.type not in QUITTING] or list(offers)
        command = read(fill(generator.choice(usual), generator), system.command)
        state = system.apply(state, seat, command, Dice(source=source, secret=source)).state


def said(name, choice, view):
    """Every sentence of a hint."""
    yield from (command_sentence(name, each.command, view) for each in (choice, *choice.considered))
    yield from (told.text for told in reasons(choice, view, name))


def leaves(value):
    """The texts in a command."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return {leaf for part in value for leaf in leaves(part)}
    return {value} if isinstance(value, str) else set()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_no_hint_shows_an_id_in_any_language(app, name):
    called, kinds = names(name) if name != "galley" else {}, set()
    given = list(choices(name))
    for language in ("en", "it", "ru"):
        with app.test_request_context(headers={"Accept-Language": language}):
            for choice, view in given:
                kinds.add(choice.command["type"])
                for text in said(name, choice, view):
                    assert not IDS.search(text), text
                    assert language != "ru" or not OURS.search(text), text
                for each in (choice, *choice.considered):
                    fields = {key: value for key, value in each.command.items() if key != "type"}
                    words = command_sentence(name, each.command, view)
                    ships = view.ships if name == "galley" else {}
                    for leaf in leaves(fields) & ({*called} | {*ships}):
                        own = called.get(leaf) or ships[leaf].name
                        assert own == leaf or not re.search(rf"\b{re.escape(leaf)}\b", words), words
    assert len(kinds) >= 3
