"""Texts and numbers in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import flask_babel
from babel import Locale
from flask import Flask, g
from markupsafe import Markup

# -- Texts in the reader's language, each looked up once a language; what flask-babel would say, to the same bytes.

LANGUAGES = ("en", "it", "ru")  # each a language of its own: none is that of one country
MOST = 60_000  # texts that are remembered: more than there are in three languages, fewer than people may type


def tag() -> str:
    """The reader's language, as "it"; "None" outside of a request. A page asks some hundred times."""
    try:
        found: Locale | None = g._flask_babel.babel_locale  # what it has found in this request
    except (AttributeError, RuntimeError):
        found = flask_babel.get_locale()
    return str(found) if found is None else str(found.language)


@lru_cache(MOST)
def _text(language: str, text: str) -> Markup:
    return Markup(flask_babel.gettext(text))


def gettext(text: str, **variables: Any) -> str:
    """The text in the reader's language, with the variables in it."""
    said = str(_text(tag(), text))
    return said % variables if variables else said


def _of_template(text: str, **variables: Any) -> str:
    """The same for a template: what the variables hold is escaped; %% is a percent sign even without variables."""
    said = _text(tag(), text)
    return said % variables if variables or "%" in said else said


def speak(app: Flask) -> None:
    """Let the application's templates take their texts from here; after flask-babel's own set-up."""
    app.jinja_env.globals["_"] = app.jinja_env.globals["gettext"] = _of_template


# -- Numbers as pages show them: with a minus sign, which is not a hyphen, and the percent sign of the language.


def minus(number: int | float) -> str:
    """A number; −2 with the minus sign."""
    return str(number).replace("-", "−")


def with_sign(number: int) -> str:
    """A modifier: +1, −2, +0."""
    return f"{number:+d}".replace("-", "−")


def percent(number: int | float | str) -> str:
    """A number of hundredths as the reader's language writes it: 65%, in Russian with a space."""
    return gettext("%(number)s%%", number=number)


def faces(shown: Iterable[int]) -> str:
    """Faces of a die, as in 4–6."""
    found = sorted(shown)
    if len(found) > 1 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]}–{found[-1]}"
    return ", ".join(map(str, found))
