"""Texts are those that flask-babel says, to the same bytes."""

from __future__ import annotations

from pathlib import Path

import flask_babel
import pytest
from flask import Flask, render_template_string
from markupsafe import Markup

from webapp import create_app
from webapp.http.language import gettext


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    app = create_app({"DATABASE": tmp_path / "games.db", "TESTING": True})

    @app.get("/said")
    def said() -> str:
        texts = ("Whole fleet", "no such text", "%(who)s throws: %(what)s", "100%")
        for text in texts:
            named = {"who": "<b>", "what": "&"} if "%(" in text else {}
            assert gettext(text, **named) == flask_babel.gettext(text, **named)
        return render_template_string(
            "{{ _('Whole fleet') }}|{{ _('%(who)s throws: %(what)s', who='<b>', what='&') }}|{{ _('100%%') }}"
        )

    return app


@pytest.mark.parametrize("tongue", ["en", "it", "ru"])
def test_each_language_says_its_own(app: Flask, tongue: str) -> None:
    client = app.test_client()
    for _ in range(2):  # found, then kept
        heard = client.get("/said", headers={"Accept-Language": tongue}).text
        with app.test_request_context(), flask_babel.force_locale(tongue):
            said = Markup(flask_babel.gettext("%(who)s throws: %(what)s")) % {"who": "<b>", "what": "&"}
            assert heard == f"{flask_babel.gettext('Whole fleet')}|{said}|100%"


def test_a_language_chosen_in_the_middle_of_a_request_holds_from_the_next_on(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/said?lang=it").text == client.get("/said").text != client.get("/said?lang=en").text


def test_a_text_for_another_reader_is_in_his_language_within_a_request_too(app: Flask) -> None:
    @app.get("/mailed")
    def mailed() -> list[str]:
        before = gettext("Whole fleet")
        with flask_babel.force_locale("it"):
            return [before, gettext("Whole fleet"), flask_babel.gettext("Whole fleet")]

    english, italian, known = app.test_client().get("/mailed", headers={"Accept-Language": "en"}).json  # type: ignore[misc]
    assert english == "Whole fleet" != italian == known
