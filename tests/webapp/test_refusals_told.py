"""Refusals and undo reasons of every system in the reader's language: those in the sources, and those met in play."""

from __future__ import annotations

import ast
import itertools
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask_babel import force_locale
from real_house import real_app, real_store  # noqa: F401

sys.path.insert(0, str(Path(__file__).parents[1]))

from commands_of import near, picked, plain_commands, pools_of, refusal
from goldens.playing import kept, scenarios, states
from proven import shared

from strategic import NAMES
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, NotYours
from webapp.http import sentence_forms as matching
from webapp.pages.battle import refusal_text
from webapp.pages.campaign.flash import refused
from webapp.pages.campaign.refusals import FORMS, refusal_said, table
from webapp.storage.errors import Barred
from webapp.systems import systems

ROOT = Path(__file__).parents[2]
SOURCES = {
    **{name: tuple(each for each in shared(name) if (ROOT / each).is_dir()) for name in NAMES},
    "": ("tactical/kernel", "webapp"),
}
WORDS = ("Illegal", "NotYours", "Barred", "Refused")
RETURNING = (  # where a reason is returned before it is refused with, or shown beside a preview
    "strategic/hannibal/rules/event*.py", "strategic/hannibal/rules/preview.py", "strategic/atlas.py",
    "tactical/kernel/journal.py",    "webapp/engagements/companion.py", "webapp/storage/keeping.py", "webapp/storage/writing.py",
)  # fmt: skip
EVERY, NEAR = 12, 60


def sentences(folder: str) -> Iterator[tuple[str, str]]:
    """What the calls of a folder's sources say, with something in each gap, and where."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if name in WORDS and isinstance(node, ast.Call) and node.args:
                said = node.args[1 if name == "Illegal" and len(node.args) > 1 else 0]
                yield from ((text, f"{path.name}:{node.lineno}") for text in told(said))


def returned() -> set[str]:
    """The reasons that functions and lambdas return."""
    found: set[str] = set()
    for path in (path for pattern in RETURNING for path in ROOT.glob(pattern)):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.returns and ast.unparse(node.returns) == "str | None":
                values = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value]
                found.update(text for value in values for text in told(value))
            elif isinstance(node, ast.Lambda):
                found.update(told(node.body))
    return {text for text in found if " " in text}


def told(said: ast.expr) -> list[str]:
    """The sentences that an expression may be; none for one that is made elsewhere."""
    if isinstance(said, ast.Constant):
        return [str(said.value)]
    if isinstance(said, ast.IfExp):
        return [*told(said.body), *told(said.orelse)]
    if isinstance(said, ast.JoinedStr):
        parts = [
            [str(part.value)] if isinstance(part, ast.Constant)
            else told(part.value) or ["x1"] if isinstance(part, ast.FormattedValue) else ["x1"]
            for part in said.values
        ]  # fmt: skip
        return ["".join(each) for each in itertools.product(*parts)]
    return []


@pytest.mark.parametrize(("system", "folder"), [(name, each) for name, all_ in SOURCES.items() for each in all_])
def test_every_refusal_of_the_sources_is_known(system: str, folder: str) -> None:
    found = dict(sentences(folder))
    assert found
    forms = FORMS.get(system, (*table.FORMS, *refusal_text.FORMS))
    unknown = {text: where for text, where in found.items() if matching.understood(forms, text) is None}
    assert not unknown, unknown


def test_every_reason_that_is_returned_is_known() -> None:
    reasons = returned()
    assert len(reasons) > 15
    assert not [text for text in reasons if matching.understood(FORMS["hannibal"], text) is None]


def test_every_form_is_said_by_a_source() -> None:
    """A form that no source says any more is taken out."""
    said = {text for folders in SOURCES.values() for folder in folders for text, _ in sentences(folder)}
    said |= returned()
    left = {form for forms in FORMS.values() for form in forms if form not in MADE}
    for text in said:
        known = matching.understood(tuple(left), text)
        while known is not None:
            left.discard(known[0])
            known = matching.understood(tuple(left), text)
    assert not left, left


MADE = {  # from words and variables at once
    "This meeting is between %(list)s.",
}  # fmt: skip


def heard(system: str, scenario: str) -> set[str]:
    """The refusals of near misses in a golden game."""
    rules, throw, found = systems()[system], random.Random(11), set()
    for state in states(system, kept(system, scenario), EVERY):
        offers = [offer for seat in rules.waiting_for(state) for offer in rules.offers(state, seat)]
        pools = pools_of(offers)
        for _ in range(NEAR if offers else 0):
            seat = throw.choice((*rules.waiting_for(state), *rules.sides(state), UMPIRE, SPECTATOR))
            command = near(picked(throw.choice(offers), 1, throw)[0], pools, throw)
            command = command or throw.choice(plain_commands(rules, seat))
            wrong = refusal(rules, state, seat, command)
            if isinstance(wrong, Illegal | NotYours):
                found.add(wrong.reason)
    return found


@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_what_is_refused_in_play_is_told_in_every_language(app: Flask, system: str, scenario: str) -> None:
    reasons = heard(system, scenario)
    assert reasons
    for language in ("ru", "it"):
        with app.test_request_context(), force_locale(language):
            for reason in reasons:
                if system == "galley":
                    assert refusal_text.understood(reason) is not None, reason
                    continue
                said = refusal_said(system, reason)
                assert said != reason, reason
                assert language != "ru" or re.search("[а-я]", said), said


def test_a_refusal_names_what_the_engine_knows_by_id(app: Flask) -> None:
    with app.test_request_context(), force_locale("ru"):
        wrong = Illegal("movement.land.1", "no road leads from capua to new_carthage")
        assert refused(wrong, "hannibal").text == "Дороги нет: Капуя — Новый Карфаген."
        assert refused(wrong).text == "No road leads from capua to new_carthage.", "nobody knows whose it is"
    with app.test_request_context(), force_locale("en"):
        assert refused(wrong, "hannibal").text == "No road leads from Capua to New Carthage."


@pytest.mark.parametrize(
    "reason",
    [
        "There is nothing to take back.",
        "The last act was by rome: only the umpire, or all sides together, can take it back.",
        "Dice have fallen: only the umpire, or all sides together, can take this back.",
        "Something hidden was shown: only the umpire, or all sides together, can take this back.",
        "In the battle ABCDEFGH a plot is locked: the way is fixed.",
        "A spectator looks on and takes nothing back.",
    ],
)
def test_why_nothing_is_taken_back(app: Flask, reason: str) -> None:
    for language in ("ru", "it"):
        with app.test_request_context(), force_locale(language):
            assert refusal_said("hamilcar", reason) != reason
            assert reason not in refused(Barred(reason, ("rome",)), "hamilcar").text
