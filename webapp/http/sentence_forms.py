"""A sentence of an engine taken apart: its form, and what fills its gaps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

PART = re.compile(r"%\((\w+)\)s")


@cache
def pattern(form: str) -> re.Pattern[str]:
    """What a form looks like when its gaps are filled."""
    pieces = PART.split(form.replace("%%", "%"))
    shaped = [re.escape(piece) if number % 2 == 0 else f"(?P<{piece}>.+?)" for number, piece in enumerate(pieces)]
    first = shaped[0][:1]
    if first.isalpha():  # a reason may have become a sentence already
        shaped[0] = f"[{first.upper()}{first.lower()}]" + shaped[0][1:]
    return re.compile("".join(shaped).removesuffix(r"\.") + r"\.?")


@cache
def by_weight(forms: Sequence[str]) -> tuple[str, ...]:
    """The forms with those first that say most besides their gaps."""
    return tuple(sorted(forms, key=lambda form: -len(PART.sub("", form))))


def understood(forms: tuple[str, ...], reason: str) -> tuple[str, dict[str, str]] | None:
    """The form of a sentence and what fills its gaps; None for one that is not known here."""
    for form in by_weight(forms):
        found = pattern(form).fullmatch(reason)
        if found is not None:
            return form, found.groupdict()
    return None
