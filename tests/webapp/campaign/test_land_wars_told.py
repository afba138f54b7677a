"""Whatever happens in Hannibal and Hamilcar is told in a sentence, in every language, with nothing raw in it."""

from __future__ import annotations

import ast
import random
import re
from functools import cache
from pathlib import Path

import pytest
from flask_babel import force_locale

import strategic
from tactical.kernel.protocol import kinds
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import plain
from webapp.storage.journal.store import all_systems
from webapp.systems import messages as link_messages
from webapp.systems import presentation
from webapp.systems.messages import line

RAW = re.compile(r"[{}_]|%\(|\bNone\b|\bTrue\b|\bFalse\b")
ENGLISH = re.compile(r"\b(the|with|units?|loses|takes|tries|from)\b")
UMPIRE = frozenset(("adjust", "adjusted", "adjustment", "resigned", "resign"))  # told by their titles, with the reason
ROOT = Path(strategic.__file__).parent


def emitted(system: str) -> set[str]:
    """The kinds that the system's own folder and the shared land war write, read from the sources."""
    found: set[str] = set()
    for path in [*(ROOT / system).rglob("*.py"), *(ROOT / "point_to_point").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            called = getattr(node, "func", None)
            if getattr(called, "id", getattr(called, "attr", "")) != "event" or len(node.args) < 2:
                continue
            kind = node.args[1]
            if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                found.add(kind.value)
    return found


@pytest.mark.parametrize("system", ["hamilcar"])
def test_every_kind_of_the_sources_has_a_sentence(system):
    known = {*presentation(system).sentences, *link_messages.LINK, *UMPIRE}
    assert emitted(system) - known == set()


@cache
def events(system):
    """The events of a random game of every scenario."""
    rules = all_systems()[system]
    games = (play_at_random(rules, scenario.id, random.Random(11), limit=250) for scenario in rules.scenarios())
    entries = (entry for played in games for entry in played.entries)
    return [event for entry in entries for event in entry.events if event.type not in UMPIRE]


@pytest.mark.parametrize("language", ["en", "ru", "it"])
@pytest.mark.parametrize("system", ["hannibal", "hamilcar"])
def test_random_games_are_told_in_sentences(app, system, language):
    found = events(system)
    with app.test_request_context(), force_locale(language):
        told = {line(system, {"rule": one.rule, "type": one.type, **plain(one.data)}).text for one in found}
    assert len(told) > 100
    assert [text for text in told if RAW.search(text)] == []
    if language != "en":
        assert [text for text in told if ENGLISH.search(text)] == []


@pytest.mark.parametrize("system", ["hannibal", "hamilcar"])
def test_a_kind_of_a_journal_written_before_is_told_as_its_name_of_today(app, system):
    told = presentation(system).sentences
    renamed = {old: new for new, kind in kinds("point_to_point", system).items() for old in kind.old}
    assert {"battle_ends": "battle_ended", "generals_leave": "generals_left"}.items() <= renamed.items()
    assert not set(renamed) - set(told)
    event = {"generals": ["hanno"]}
    with app.test_request_context(), force_locale("en"):
        assert told["generals_leave"](event) == told["generals_left"](event) == "Leaving office: Hanno."
