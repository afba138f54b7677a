"""Texts in the reader's language, each looked up once a language; what flask-babel would say, to the same bytes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import flask_babel
from babel import Locale
from flask import Flask
from markupsafe import Markup

MOST = 60_000  # texts that are remembered: more than there are in three languages, fewer than people may type


def tag() -> str:
    """The reader's language, as "it"."""
    return _tag(flask_babel.get_locale())


@lru_cache
def _tag(found: Locale | None) -> str:
    return str(found)


@lru_cache(MOST)
def _text(found: Locale | None, text: str) -> Markup:
    return Markup(flask_babel.gettext(text))


def gettext(text: str, **variables: Any) -> str:
    """The text in the reader's language, with the variables in it."""
    said = str(_text(flask_babel.get_locale(), text))
    return said % variables if variables else said


def _of_template(text: str, **variables: Any) -> str:
    """The same for a template: what the variables hold is escaped; %% is a percent sign even without variables."""
    said = _text(flask_babel.get_locale(), text)
    return said % variables if variables or "%" in said else said


def speak(app: Flask) -> None:
    """Let the application's templates take their texts from here; after flask-babel's own set-up."""
    app.jinja_env.globals["_"] = app.jinja_env.globals["gettext"] = _of_template
