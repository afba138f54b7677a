"""What happens by the rules of The Sword of Rome is told in a sentence, in every language, with nothing raw in it."""

from __future__ import annotations

import html
import json
import random
import re
from functools import cache, partial
from typing import Any

import pytest
from flask_babel import force_locale

from kit.wars import War
from strategic.sword_of_rome import SWORD_OF_ROME
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import plain
from webapp.systems import presentation
from webapp.systems.messages import line
from webapp.systems.sword_of_rome.presenter import SENTENCES

RAW = re.compile(r"[{}_]|%\(|\bNone\b|\bTrue\b|\bFalse\b|\bminor \w+ [a-c]\b")
BY_HAND = frozenset(("start", "dealt", "hand", "turn_ended", "resign", "closed", "discard"))  # told by their titles


@cache
def events():
    """The events of random games of every scenario."""
    games = (
        play_at_random(SWORD_OF_ROME, scenario.id, random.Random(seed), limit=300)
        for scenario in SWORD_OF_ROME.scenarios()
        for seed in range(4)
    )
    return [event for played in games for entry in played.entries for event in entry.events]


@pytest.mark.parametrize("language", ["en", "ru", "it"])
def test_random_games_are_told_in_sentences(app, language):
    found = events()
    rules = [event for event in found if not event.data.get("by_hand") and event.type not in BY_HAND]
    assert len({event.type for event in rules}) > 15
    assert {event.type for event in rules} - set(SENTENCES) == set()
    with app.test_request_context(), force_locale(language):
        told = {line("sword_of_rome", {"rule": one.rule, "type": one.type, **plain(one.data)}).text for one in rules}
    assert [text for text in told if RAW.search(text)] == []


def test_an_interception_says_who_from_where_and_what_was_needed(app):
    data = {
        "power": "gauls",
        "space": "bononia",
        "leader": "brennus",
        "units": 4,
        "dice": [4],
        "modifier": 0,
        "needed": 3,
        "success": False,
    }
    with app.test_request_context(), force_locale("en"):
        told = line("sword_of_rome", {"rule": "10.4", "type": "interception", **data})
    assert told.text == "Brennus tries to intercept from Bononia and fails (needed: 3 or less; modifier +0)."
    assert told.dice == (4,)


def test_a_reaction_is_offered_in_sentences_and_says_who_comes(app):
    view = {
        "move": {
            "power": "gauls",
            "leader": "brennus",
            "companions": (),
            "units": 4,
            "at": "pisae",
            "came_from": "luna",
            "points": 2,
        },
        "reaction": {"space": "pisae"},
        "pending": ({"kind": "declare", "seat": "etruscans_samnites", "rule": "10.3", "about": {"space": "pisae"}},),
    }
    slip = {
        "power": "etruscans",
        "leaders": (),
        "units": 0,
        "inside_leaders": (),
        "inside": 2,
        "port": None,
        "card": None,
    }
    shown = presentation("sword_of_rome")
    with app.test_request_context(), force_locale("en"):
        assert (
            shown.answer(view, {"type": "declare", "intercepts": [], "avoids": []})
            == "Intercept nobody: stay where you are"
        )
        assert shown.answer(view, {"type": "declare", "intercepts": [], "avoids": [slip]}) == (
            "Go inside the walls of Pisae: 2 CUs"
        )
        asked = shown.asked(view, "etruscans_samnites")
        assert asked.text == "On the march: Brennus (Gauls) with 4 CUs, from Luna to Pisae, 2 points left."


def test_9_4_1_whom_an_army_attacks_first_is_asked_with_the_strength_of_each(store, client):
    forces = {
        "velitrae": {"romans": {"units": 9, "leaders": ["claudius"]}},
        "fregellae": {
            "etruscans": {"units": 4, "leaders": ["minor_etruscans_a"]},
            "samnites": {"units": 3, "leaders": ["egnatius"]},
        },
    }
    hands = {"romans": [1, 2, 3], "etruscans_samnites": [1, 2, 3]}
    war = War(store, client, "sword_of_rome", position={"forces": forces, "hands": hands, "active": "romans"})
    act = partial(given, war)
    act("romans", type="activate", card=2, leader="claudius", units=9)
    act("romans", type="step", to="fregellae")
    while war.state.asks("declare"):
        act("etruscans_samnites", type="declare", side="etruscans_samnites")
    page = html.unescape(war.page("romans").text)
    assert "Which army is attacked next?" in page
    assert "Several enemy armies stand there: it attacks them one after the other." in page
    assert (
        "Attack the Etruscans: Etruscan leader A with 4 CUs" in page
        and "Attack the Samnites: Egnatius with 3 CUs" in page
    )
    assert "Attack the Samnites" not in war.page("etruscans_samnites").text
    act("romans", type="choose_foe", power="samnites")
    assert war.state.battle.defender == "samnites"


def given(war: War, seat: str, **command: Any) -> None:
    """A command that the page accepts."""
    answer = war.post(seat, "command", command=json.dumps(command))
    assert answer.status_code == 303, answer.text
