"""Texts in the reader's language: the language is found once a request, each text once a language.

Everything here says what flask-babel would say, to the same bytes; it only does not ask it again for every text.
Outside a request (a digest that is written, a test) flask-babel itself answers.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import flask_babel
from flask import Flask
from markupsafe import Markup

MOST = 20_000  # texts kept for a language: more than there are, fewer than people may type


@dataclass(frozen=True)
class Kept:
    """The texts of one language that were asked for so far, and those of templates."""

    tag: str
    plain: dict[str, str] = field(default_factory=dict)
    marked: dict[str, Markup] = field(default_factory=dict)


class Tongue:
    """The language of one request, found when the first text is asked for."""

    __slots__ = ("kept",)

    def __init__(self) -> None:
        self.kept: Kept | None = None

    def plain(self, text: str) -> str:
        """A text as it is."""
        known = (self.kept or self.find()).plain
        said = known.get(text)
        if said is None:
            said = flask_babel.gettext(text)
            if len(known) < MOST:
                known[text] = said
        return said

    def marked(self, text: str) -> Markup:
        """A text of a template, which is no markup to be escaped and may hold %(names)s."""
        known = (self.kept or self.find()).marked
        said = known.get(text)
        if said is None:
            said = Markup(flask_babel.gettext(text))
            if len(known) < MOST:
                known[text] = said
        return said

    def find(self) -> Kept:
        """Ask for the language, once; its texts."""
        tag = str(flask_babel.get_locale())
        self.kept = _said.setdefault(tag, Kept(tag))
        return self.kept


_said: dict[str, Kept] = {}
_tongue: ContextVar[Tongue | None] = ContextVar("tongue", default=None)


def gettext(text: str, **variables: Any) -> str:
    """The text in the reader's language, with the variables in it."""
    tongue = _tongue.get()
    said = flask_babel.gettext(text) if tongue is None else tongue.plain(text)
    return said % variables if variables else said


def tag() -> str:
    """The reader's language, as "it"."""
    tongue = _tongue.get()
    return str(flask_babel.get_locale()) if tongue is None else (tongue.kept or tongue.find()).tag


def _of_template(text: str, **variables: Any) -> str:
    """The same for a template: what the variables hold is escaped; %% is a percent sign even without variables."""
    tongue = _tongue.get()
    said = Markup(flask_babel.gettext(text)) if tongue is None else tongue.marked(text)  # as above
    return said % variables if variables or "%" in said else said


def speak(app: Flask) -> None:
    """Let the application's requests and templates take their texts from here; after flask-babel's own set-up."""

    @app.before_request
    def begin() -> None:
        _tongue.set(Tongue())

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        _tongue.set(None)

    app.jinja_env.globals["_"] = app.jinja_env.globals["gettext"] = _of_template
