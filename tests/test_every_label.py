"""Every kind of event, command and prompt of every system has its words in the reader's language."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from tactical.kernel.protocol import declare
from tactical.kernel.questions import commands, questions
from webapp import create_app
from webapp.pages.battle import results as battle_messages
from webapp.presenting import campaign_labels as labels
from webapp.storage.journal.store import all_systems
from webapp.systems import messages as link_messages
from webapp.systems import presentation

ROOT = Path(__file__).parents[1]

NAMES = list(all_systems())


def kinds_of_events(system: str) -> set[str]:
    """Every kind that stands as the second argument of an `event(…)` in the system's own folder."""
    folder = ROOT / ("tactical" if system == "galley" else f"strategic/{system}")
    found = set()
    for path in folder.rglob("*.py"):
        if "kernel" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or len(node.args) < 2 or not isinstance(node.args[1], ast.Constant):
                continue
            if getattr(node.func, "id", getattr(node.func, "attr", "")) in ("event", "Event"):
                found.add(str(node.args[1].value))
    return found


@pytest.mark.parametrize("system", NAMES)
def test_every_kind_of_event_is_declared_and_told_in_words(system: str) -> None:
    rules = all_systems()[system]
    assert not kinds_of_events(system) - set(rules.events)
    if system == "galley":
        known = {*battle_messages.WRITERS, *(kind for kind, it in battle_messages.KINDS.items() if it.sentence)}
    else:
        known = {*presentation(system).sentences, *link_messages.LINK}
    assert not set(rules.events) - known - {"adjusted", "anyway"}


def test_every_declared_kind_is_told_by_its_part() -> None:
    """The reasons of captains are held to their kinds by tests/webapp/captains/test_captains_pages.py."""
    folders = {"kernel": "tactical/kernel", "approval": "tactical/kernel", "galley": "tactical"}
    for part in sorted(set((ROOT / "data" / "events").glob("*.toml")) - {ROOT / "data/events/captains.toml"}):
        folder = ROOT / folders.get(part.stem, f"strategic/{part.stem}")
        told = "".join(path.read_text() for path in folder.rglob("*.py"))
        assert not [kind for kind in declare(part.stem) if f'"{kind}"' not in told], part.stem


@pytest.mark.parametrize("system", [name for name in NAMES if name != "galley"])
def test_every_command_and_prompt_has_a_label(system: str) -> None:
    rules = all_systems()[system]
    tags = {each.__struct_config__.tag for each in rules.command.__args__}
    assert not [tag for tag in tags if not commands(system)[tag].title]
    rows = questions(system)
    assert not [kind for kind in rules.prompts if not rows[kind].title or not rows[kind].deed]


@pytest.mark.parametrize("system", [name for name in NAMES if name != "galley"])
def test_every_question_of_a_position_is_a_step_that_asks_or_goes_by_itself_as_its_row_says(system: str) -> None:
    rows, steps = questions(system), import_module(f"strategic.{system}.sequence").SEQUENCE.steps
    open_to = {kind: row.asks for kind, row in rows.items() if row.asks != "box"}
    assert not set(open_to) - set(steps)
    by_themselves = {kind for kind in open_to if not steps[kind].actions}
    assert by_themselves - {"engagement"} == {kind for kind, asks in open_to.items() if asks == "nobody"}


@pytest.mark.parametrize("language", ["it", "ru"])
@pytest.mark.parametrize("system", [name for name in NAMES if name != "galley"])
def test_every_prompt_is_asked_in_the_readers_language(system: str, language: str, tmp_path: Path) -> None:
    app = create_app({"DATABASE": str(tmp_path / "games.db")})
    with app.test_request_context(f"/?lang={language}"):
        said = {kind: labels.prompt_word(system, kind) for kind in all_systems()[system].prompts}
    assert not [kind for kind, word in said.items() if word == labels.sentence_case(kind)]
