"""Why an input is not taken, in the reader's language, with what msgspec says of its shape."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_babel import force_locale
from msgspec import ValidationError

from kit.real_house import shared_app, shared_store  # noqa: F401
from tactical import GALLEY
from tactical.kernel.record import BadInput, bad_input, read
from webapp.http.forms import reason_text
from webapp.presenting.refusals import flash_of


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"type": "dance"},
        {"type": "plot"},
        {"type": "plot", "ship": 7, "speed": 1},
        {"type": "plot", "ship": "r1"},
        {"type": "plot", "ship": "r1", "speed": "fast"},
        {"type": "plot", "ship": "r1", "speed": 1.5},
        [],
        "plot",
        {"type": "plot", "ship": "r1", "speed": 1, "haste": True},
        {"type": "step", "ship": "r1", "turn": "about"},
        {"type": "fire", "ship": "r1", "weapon": "archer", "count": 0, "target": "c1"},
        {"type": "plot", "ship": "r1", "speed": None},
        {"type": "plot", "ship": "r1", "speed": 10**30},
        {"type": "deploy", "ship": "r1", "at": [1], "facing": "N"},
        {"type": "adjust", "changes": [], "why": "x"},
    ],
)
def test_what_is_not_of_its_shape_is_told_in_every_language(app: Flask, command: Any) -> None:
    with pytest.raises(BadInput) as wrong:
        read(command, GALLEY.command, "command")
    for language in ("ru", "it"):
        with app.test_request_context(), force_locale(language):
            said = reason_text(wrong.value.why)
            assert said != wrong.value.reason and "expected" not in said, wrong.value.reason


@pytest.mark.parametrize(
    "text",
    [
        "Expected `int`, got `str` - at `$.a`",
        "Expected `int` >= 1 - at `$.a`",
        "Expected `int` <= 9 - at `$.a`",
        "Expected `str` of length >= 1 - at `$.a`",
        "Expected `str` of length <= 40 - at `$.a`",
        "Expected `array` of length 2 - at `$.a`",
        "Expected `array` of length 2, got 3 - at `$.a`",
        "Expected `str` matching regex '^[a-z]+$' - at `$.a`",
        "Expected `int | null`, got `object` - at `$.a`",
        "Object missing required field `why`",
        "Object contains unknown field `haste`",
        "Invalid enum value 'x' - at `$.a`",
        "Invalid value 'x' - at `$.type`",
        "Integer value out of range - at `$.a`",
    ],
)
def test_what_msgspec_says_is_told_in_russian(app: Flask, text: str) -> None:
    why = bad_input(ValidationError(text)).why
    with app.test_request_context(), force_locale("ru"):
        said = reason_text(why)
        assert re.match("[а-яё]", said) and not re.search("expected|object|array|null,", said), said


def test_a_flash_names_the_field_and_the_reason_in_the_readers_language(app: Flask) -> None:
    wrong = BadInput("command.speed", "expected %(wanted)s, got %(given)s", wanted="int", given="str")
    with app.test_request_context(), force_locale("it"):
        assert "serve: un numero intero, non un testo" in flash_of(wrong, "hannibal").text
    with app.test_request_context(), force_locale("en"):
        assert flash_of(wrong, "hannibal").text == "Speed: expected a whole number, got a text."


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
