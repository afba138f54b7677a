"""Every event of Punic Wars is told in a sentence, in every language, with nothing raw in it."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask_babel import force_locale

import strategic.punic_wars
from strategic.naval import settling
from strategic.punic_wars import PUNIC_WARS
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Event
from tactical.kernel.random_play import fill
from tactical.kernel.record import plain, read
from webapp.systems.messages import LINK, line
from webapp.systems.punic_wars.presenter import SENTENCES

LANGUAGES = ("en", "ru", "it")
RAW = re.compile(r"[{}_]|\b[a-z]+\.[a-z]|%\(|\bNone\b|\bTrue\b|\bFalse\b|\b\d+\.\d+\b|\b[rc][a-j]\b")
WEIGHTS = {"done": 0.3, "attack": 8.0, "move": 4.0, "finish": 0.2, "resign": 0.0, "agree": 0.0}


def kinds_in(path: Path) -> Iterator[str]:
    """The kinds of all events that a file tells of: the second word of each `event("paragraph", "kind", …)`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "event":
            kind = node.args[1]
            assert isinstance(kind, ast.Constant), f"{path}:{node.lineno}"
            yield str(kind.value)


def played(scenario: str, seed: int, commands: int, **options: Any) -> Iterator[Event]:
    """The events of a random game whose leaders are eager."""
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    outcome = PUNIC_WARS.start(scenario, None, options, Dice(source=source, secret=source))
    for _command in range(commands):
        yield from outcome.events
        state = outcome.state
        if PUNIC_WARS.is_over(state):
            return
        seat = rng.choice(PUNIC_WARS.waiting_for(state))
        offers = PUNIC_WARS.offers(state, seat)
        (offer,) = rng.choices(offers, [WEIGHTS.get(offer.type, 1.0) for offer in offers])
        command = read(fill(offer, rng), PUNIC_WARS.command)
        outcome = PUNIC_WARS.apply(state, seat, command, Dice(source=source, secret=source))


def test_every_kind_of_event_has_its_sentence():
    files = [*Path(strategic.punic_wars.__file__).parent.rglob("*.py"), Path(settling.__file__)]
    kinds = {kind for path in files for kind in kinds_in(path)}
    assert len(kinds) > 40
    assert kinds - set(SENTENCES) - set(LINK) == set()


@pytest.mark.parametrize("scenario", ["1", "2", "3"])
def test_a_random_game_is_told_without_anything_raw(app, scenario):
    events = [event for seed in (3, 4) for event in played(scenario, seed, 700)]
    assert len({event.type for event in events}) > 20
    raw = set()
    with app.test_request_context():
        for language in LANGUAGES:
            with force_locale(language):
                for event in events:
                    text = line("punic_wars", {"type": event.type, "rule": event.rule, **plain(event.data)}).text
                    if RAW.search(text) or not text.endswith((".", "!", "?")) or not text[:1].strip():
                        raw.add((language, event.type, text))
    assert raw == set()


def test_no_sentence_is_left_in_english(app):
    events = {event.type: event for event in played("2", 5, 900)}
    told: dict[str, set[str]] = {}
    with app.test_request_context():
        for language in LANGUAGES:
            with force_locale(language):
                for kind, event in events.items():
                    about = {"type": kind, "rule": event.rule, **plain(event.data)}
                    told.setdefault(kind, set()).add(line("punic_wars", about).text)
    assert {kind for kind, texts in told.items() if len(texts) < len(LANGUAGES)} == set()
