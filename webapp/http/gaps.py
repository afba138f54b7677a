"""Gaps in what is drawn for several: a form's hidden fields, which hold this browser's token and the version shown.

Who names his seat by a bearer token has no session and needs none: his forms have no token of a browser's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import g
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from webapp.http.seats import bearer

CSRF, SEEN = "<!--c-->", "<!--s-->"


@contextmanager
def leave_gaps() -> Iterator[None]:
    """What is drawn in here leaves gaps."""
    before = g.get("leaves_gaps", False)
    g.leaves_gaps = True
    try:
        yield
    finally:
        g.leaves_gaps = before


def csrf_input() -> Markup:
    """The hidden field with this browser's token; a gap while that is drawn which others may share."""
    return Markup(CSRF) if g.get("leaves_gaps") else _token()


def seen_input(version: int) -> Markup:
    """The hidden field with the version that the page shows; a gap while that is drawn which others may share."""
    return Markup(SEEN) if g.get("leaves_gaps") else _version(version)


def fill_gaps(text: str, version: int) -> Markup:
    """A text with this browser's token and the version in its gaps."""
    plain = str(text)  # a Markup would escape what is put into it
    if CSRF in plain:
        plain = plain.replace(CSRF, str(_token()))
    return Markup(plain.replace(SEEN, str(_version(version))) if SEEN in plain else plain)


def _token() -> Markup:
    known: Markup | None = g.get("token_input")  # a request has one token
    if known is None:
        known = g.token_input = Markup("") if bearer() is not None else _field(generate_csrf())
    return known


def _field(token: str) -> Markup:
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(token)


def _version(version: int) -> Markup:
    return Markup(f'<input type="hidden" name="seen" value="{version:d}">')
