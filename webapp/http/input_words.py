"""Why an input is not taken (BadInput), in the reader's language: positions, adjustments, forms, files, addresses.

The API and the command line say it in English.
"""

from __future__ import annotations

from typing import Any

from tactical.kernel.reason import Reason, in_english
from tactical.kernel.record import BadInput
from webapp.http.language import gettext


def _l(text: str) -> str:
    """Marks a word for the translators' catalogue."""
    return text


TYPES = {  # what msgspec calls the shapes of JSON
    "int": _l("a whole number"),
    "float": _l("a number"),
    "str": _l("a text"),
    "bool": _l("true or false"),
    "array": _l("a list"),
    "object": _l("an object"),
    "null": _l("nothing (null)"),
}
WORDS = {  # what fills gaps
    "a better ratio": _l("a better ratio"),
    "a higher die": _l("a higher die"),
    "columns": _l("columns"),
    "rows": _l("rows"),
    "land": _l("land points"),
    "naval": _l("naval points"),
    "sunk": _l("sunk"),
    "captured": _l("captured"),
    "withdrawn": _l("withdrawn"),
    "afloat": _l("afloat"),
    "roman": _l("roman"),
    "hellenistic": _l("hellenistic"),
    "asiatic": _l("asiatic"),
}
TYPED = ("wanted", "given", "kinds")  # gaps that hold a shape of JSON
WORDED = ("better", "kind", "what", "status", "navy", "type")  # gaps that hold a word of ours


def reason_text(why: Reason) -> str:
    """The reason of a BadInput in the reader's language; in English only shapes are put into words."""
    form = gettext(why.form)
    if form == why.form:
        shapes = {name: gap_text(name, value) for name, value in why.values.items() if name in TYPED}
        return str(Reason(form, {**why.values, **shapes}))
    return form % {name: gap_text(name, value) for name, value in why.values.items()} if why.values else form


def gap_text(name: str, value: Any) -> str:
    """What fills a gap: shapes and our own words in the reader's language, everything else as it was typed."""
    text = in_english(value).strip("'")
    if name in TYPED:
        return " / ".join(gettext(TYPES[part]) if part in TYPES else part for part in text.split(" | "))
    return gettext(WORDS.get(text, text)) if name in WORDED else text


def in_language(problem: BadInput) -> BadInput:
    """The same with its reason in the reader's language, for a page that shows both path and reason."""
    return BadInput(problem.path, reason_text(problem.why))
