"""Why an input is not taken (BadInput), in the reader's language: positions, adjustments, forms, files, addresses.

Engines and server say it as an English fragment; each fragment's form stands in `data/refusals/inputs/<who>.toml`, so
that it can be translated. The API and the command line stay English. tests/webapp/test_bad_input_told.py holds the
lists against the sources.
"""

from __future__ import annotations

import data
from tactical.kernel.record import BadInput, Input
from webapp.http.language import gettext
from webapp.http.sentence_forms import understood


def _l(text: str) -> str:
    """Marks a word for the translators' catalogue."""
    return text


class Forms(Input, frozen=True):
    """data/refusals/inputs/<who>.toml: fragments with gaps, in English; the catalogues translate them."""

    forms: tuple[str, ...]


FORMS = tuple(form for path in data.files("refusals/inputs") for form in data.read(path, Forms).forms)
TYPES = {  # what msgspec calls the shapes of JSON
    "int": _l("a whole number"), "float": _l("a number"), "str": _l("a text"), "bool": _l("true or false"),
    "array": _l("a list"), "object": _l("an object"), "null": _l("nothing (null)"),
}  # fmt: skip
WORDS = {  # what fills gaps
    "a better ratio": _l("a better ratio"), "a higher die": _l("a higher die"), "columns": _l("columns"),
    "rows": _l("rows"), "land": _l("land points"), "naval": _l("naval points"), "sunk": _l("sunk"),
    "captured": _l("captured"), "withdrawn": _l("withdrawn"), "afloat": _l("afloat"),
}  # fmt: skip
TYPED = ("wanted", "given", "kinds")  # gaps that hold a shape of JSON
WORDED = ("better", "kind", "what", "status")  # gaps that hold a word of ours


def reason_said(reason: str) -> str:
    """The reason of a BadInput in the reader's language; one that is not known here stays as it is."""
    known = understood(FORMS, reason)
    if known is None:
        return reason
    form, parts = known
    told = gettext(form)
    return reason if told == form else told % {name: filled(name, value) for name, value in parts.items()}


def filled(name: str, value: str) -> str:
    """What fills a gap: shapes and our own words in the reader's language, everything else as it was typed."""
    value = value.strip("'")
    if name in TYPED:
        return " / ".join(gettext(TYPES[part]) if part in TYPES else part for part in value.split(" | "))
    return gettext(WORDS.get(value, value)) if name in WORDED else value


def told(problem: BadInput) -> BadInput:
    """The same with its reason in the reader's language, for a page that shows both path and reason."""
    return BadInput(problem.path, reason_said(problem.reason))
