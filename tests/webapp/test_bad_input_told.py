"""Why an input is not taken, in the reader's language: every sentence of the sources, and what msgspec says."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_babel import force_locale
from msgspec import ValidationError
from real_house import real_app, real_store  # noqa: F401
from test_refusals_told import told

from tactical import GALLEY
from tactical.kernel.record import BadInput, bad_input, read
from webapp.http.input_words import FORMS, reason_said
from webapp.http.sentence_forms import understood
from webapp.pages.campaign.flash import refused

ROOT = Path(__file__).parents[2]
ENGLISH = ("webapp/cli", "webapp/lab", "webapp/captains/matches.py", "webapp/pages/reference/capabilities.py")
SAYING = ("BadInput", "NotAllowed")
PASSED_ON = ("webapp/storage/json_delta.py", "ValueError")  # the importer tells it as a BadInput
MADE = {"better": ("a better ratio", "a higher die")}  # strategic/punic_wars/rules/house_rules.py, _order
WORDED = re.compile(r"(x1|\d+|[ ,.:'()\[\]-])*")


def sources() -> Iterator[Path]:
    """The sources that a page may speak for; the command line and the laboratory speak English."""
    for folder in ("tactical", "strategic", "webapp"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not str(path.relative_to(ROOT)).startswith(ENGLISH):
                yield path


def said_in(path: Path) -> Iterator[tuple[str, str]]:
    """What a source gives as the reason of a BadInput, with something in each gap, and where."""
    said: list[tuple[ast.expr, int]] = []
    passed = str(path).endswith(PASSED_ON[0])
    for node in ast.walk(ast.parse(path.read_text())):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and node.args and (name in SAYING or (passed and name == PASSED_ON[1])):
            said.append((node.args[1 if name == "BadInput" and len(node.args) > 1 else 0], node.lineno))
        elif isinstance(node, ast.FunctionDef) and node.returns and "tuple[str, str]" in ast.unparse(node.returns):
            said += [
                (each.value.elts[1], each.lineno)
                for each in ast.walk(node)
                if isinstance(each, ast.Yield | ast.Return) and isinstance(each.value, ast.Tuple)
                and len(each.value.elts) == 2 and "webapp" not in path.parts
            ]  # fmt: skip
        elif isinstance(node, ast.FunctionDef) and node.name == "_order":
            said += [
                (each.value, each.lineno) for each in ast.walk(node) if isinstance(each, ast.Return) and each.value
            ]
    yield from (
        (text, f"{path.name}:{line}")
        for value, line in said
        for text in told(value)
        if " " in text.replace("x1 (x1)", "")
    )


def found() -> dict[str, str]:
    return {text: where for path in sources() for text, where in said_in(path)}


def is_known(text: str) -> bool:
    """Whether a form has all words of the sentence, and its gaps only what is typed or counted."""
    known = understood(FORMS, text)
    return known is not None and all(
        WORDED.fullmatch(value) or value in MADE.get(name, ()) for name, value in known[1].items()
    )


def test_every_reason_of_the_sources_is_known() -> None:
    reasons = found()
    assert len(reasons) > 350
    unknown = {text: where for text, where in reasons.items() if not is_known(text)}
    assert not unknown, unknown


def test_every_form_is_said_by_a_source_or_by_msgspec() -> None:
    left = {form for form in FORMS if not form.startswith(("expected '", "object ", "invalid ", "integer "))}
    for text in found():
        known = understood(tuple(left), text)
        while known is not None:
            left.discard(known[0])
            known = understood(tuple(left), text)
    assert not left, left


@pytest.mark.parametrize("language, letters", [("ru", "[а-яё]"), ("it", "[a-zàèéìòù]")])
def test_every_reason_is_told_in_every_language(app: Flask, language: str, letters: str) -> None:
    with app.test_request_context(), force_locale(language):
        for text in found():
            said = reason_said(text)
            assert said != text and re.search(letters, said), text
    with app.test_request_context(), force_locale("en"):
        assert all(reason_said(text) == text for text in found())


@pytest.mark.parametrize(
    "command",
    [
        {}, {"type": "dance"}, {"type": "plot"}, {"type": "plot", "ship": 7, "speed": 1}, {"type": "plot", "ship": "r1"},
        {"type": "plot", "ship": "r1", "speed": "fast"}, {"type": "plot", "ship": "r1", "speed": 1.5}, [], "plot",
        {"type": "plot", "ship": "r1", "speed": 1, "haste": True}, {"type": "step", "ship": "r1", "turn": "about"},
        {"type": "fire", "ship": "r1", "weapon": "archer", "count": 0, "target": "c1"},
        {"type": "plot", "ship": "r1", "speed": None}, {"type": "plot", "ship": "r1", "speed": 10**30},
        {"type": "deploy", "ship": "r1", "at": [1], "facing": "N"}, {"type": "adjust", "changes": [], "why": "x"},
    ],
)  # fmt: skip
def test_what_is_not_of_its_shape_is_told_in_every_language(app: Flask, command: Any) -> None:
    with pytest.raises(BadInput) as wrong:
        read(command, GALLEY.command, "command")
    for language in ("ru", "it"):
        with app.test_request_context(), force_locale(language):
            said = reason_said(wrong.value.reason)
            assert said != wrong.value.reason and "expected" not in said, wrong.value.reason


@pytest.mark.parametrize(
    "text",
    [
        "Expected `int`, got `str` - at `$.a`", "Expected `int` >= 1 - at `$.a`", "Expected `int` <= 9 - at `$.a`",
        "Expected `str` of length >= 1 - at `$.a`", "Expected `str` of length <= 40 - at `$.a`",
        "Expected `array` of length 2 - at `$.a`", "Expected `array` of length 2, got 3 - at `$.a`",
        "Expected `str` matching regex '^[a-z]+$' - at `$.a`", "Expected `int | null`, got `object` - at `$.a`",
        "Object missing required field `why`", "Object contains unknown field `haste`",
        "Invalid enum value 'x' - at `$.a`", "Invalid value 'x' - at `$.type`", "Integer value out of range - at `$.a`",
    ],
)  # fmt: skip
def test_what_msgspec_says_is_told_in_russian(app: Flask, text: str) -> None:
    reason = bad_input(ValidationError(text)).reason
    with app.test_request_context(), force_locale("ru"):
        said = reason_said(reason)
        assert re.match("[а-яё]", said) and not re.search("expected|object|array|null,", said), said


def test_a_flash_names_the_field_and_the_reason_in_the_readers_language(app: Flask) -> None:
    wrong = BadInput("command.speed", "expected 'int', got 'str'")
    with app.test_request_context(), force_locale("it"):
        assert "serve: un numero intero, non un testo" in refused(wrong, "hannibal").text
    with app.test_request_context(), force_locale("en"):
        assert refused(wrong, "hannibal").text == "Speed: expected 'int', got 'str'."


@pytest.mark.parametrize(
    ("language", "said"), [("ru", "нужно целое число от 1 до 99"), ("it", "serve un numero intero da 1 a 99")]
)
def test_a_calculator_says_it_in_the_readers_language(client: FlaskClient, language: str, said: str) -> None:
    assert said in client.get(f"/odds/ram?type=trireme&hull_left=0&lang={language}").text


@pytest.mark.parametrize(("language", "said"), [("ru", "гекс [1, 1] — суша"), ("it", "l&#39;esagono [1, 1] è terra")])
def test_a_typed_position_is_refused_in_the_readers_language(app: Flask, language: str, said: str) -> None:
    """Beside the position's text, with the path as it is written there."""
    app.config["WTF_CSRF_ENABLED"] = False
    ship = {"side": "rome", "type": "quinquereme", "at": [1, 1], "facing": "N"}
    board = {"columns": 9, "rows": 9, "land": [[1, 1]]}
    position = {"board": board, "ships": {"r1": ship, "c1": {**ship, "side": "carthage", "at": [4, 4]}}}
    client = app.test_client()
    client.get(f"/?lang={language}")
    page = client.post("/new", data={"system": "galley", "position": json.dumps(position)})
    assert page.status_code == 400 and "<code>ships.r1.at</code>" in page.text.replace("position.", "")
    assert said in page.text


def test_the_api_says_it_in_english(app: Flask) -> None:
    client = app.test_client()
    client.get("/?lang=ru")
    answer = client.get("/api/v1/odds/ram?type=trireme&hull_left=0")
    assert answer.status_code == 400 and "expected a whole number from 1 to 99" in answer.get_json()["error"]
