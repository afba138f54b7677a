"""What happens by the rules of The Sword of Rome is told in a sentence, in every language, with nothing raw in it."""

from __future__ import annotations

import random
import re

import pytest
from flask_babel import force_locale

from strategic.sword_of_rome import SWORD_OF_ROME
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import plain
from webapp.campaign.tellers.sword_of_rome import SENTENCES
from webapp.campaign.telling import line

RAW = re.compile(r"[{}_]|%\(|\bNone\b|\bTrue\b|\bFalse\b|\bminor \w+ [a-c]\b")
BY_HAND = frozenset(("start", "dealt", "hand", "turn_ended", "resign", "closed", "discard"))  # told by their titles


def events():
    """The events of random games of every scenario."""
    for scenario in SWORD_OF_ROME.scenarios():
        for seed in range(4):
            played = play_at_random(SWORD_OF_ROME, scenario.id, random.Random(seed), limit=300)
            for entry in played.entries:
                yield from entry.events


@pytest.mark.parametrize("language", ["en", "ru", "it"])
def test_random_games_are_told_in_sentences(app, language):
    found = list(events())
    rules = [event for event in found if not event.data.get("by_hand") and event.type not in BY_HAND]
    assert len({event.type for event in rules}) > 15
    assert {event.type for event in rules} - set(SENTENCES) == set()
    with app.test_request_context(), force_locale(language):
        told = {line("sword_of_rome", {"rule": one.rule, "type": one.type, **plain(one.data)}).text for one in rules}
    assert [text for text in told if RAW.search(text)] == []


def test_an_interception_says_who_from_where_and_what_was_needed(app):
    data = {"power": "gauls", "space": "bononia", "leader": "brennus", "units": 4, "dice": [4], "modifier": 0,
            "needed": 3, "success": False}  # fmt: skip
    with app.test_request_context(), force_locale("en"):
        told = line("sword_of_rome", {"rule": "10.4", "type": "interception", **data})
    assert told.text == "Brennus tries to intercept from Bononia, needs 3 or less (modifier +0): it fails."
    assert told.dice == (4,)
