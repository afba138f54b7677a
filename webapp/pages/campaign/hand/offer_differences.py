"""In what offers of the same words differ, in words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import field_word
from webapp.presenting.naming import say_value

NAMED_CHOICES = 3  # so many of a field's choices are named where they tell two forms apart


def join(text: str, more: str) -> str:
    """A text with what tells it from others of the same words."""
    return " · ".join(part for part in (text, more) if part)


def number(texts: Sequence[str]) -> list[str]:
    """The texts, those still alike (of pieces of one name in one place) with a number."""
    alike, found = Counter(texts), list[str]()
    seen: Counter[str] = Counter()
    for text in texts:
        seen[text] += 1
        found.append(f"{text} · {seen[text]}" if text and alike[text] > 1 else text)
    return found


def differences(system: str, texts: Sequence[str], fields: Sequence[Mapping[str, Any]]) -> list[str]:
    """For each text that another has too, the fields that differ among them, in words; empty for all else."""
    same: dict[str, list[int]] = {}
    for index, text in enumerate(texts):
        same.setdefault(text, []).append(index)
    found = [""] * len(texts)
    for group in same.values():
        names = dict.fromkeys(name for index in group for name in fields[index])
        differ = [name for name in names if len({json.dumps(fields[index].get(name)) for index in group}) > 1]
        for index in group if len(group) > 1 else ():
            found[index] = ", ".join(field_text(system, name, fields[index].get(name)) for name in differ)
    return found


def field_text(system: str, name: str, value: Any) -> str:
    """A field of an offer with its value, its range or the first of its choices."""
    label = field_word(system, name)
    if is_range(value):
        return _("%(field)s (%(low)s to %(high)s)", field=label, low=value["from"], high=value["to"])
    choices = value if isinstance(value, list | tuple) else [value]
    named = [say_value(system, part, name) for part in choices[:NAMED_CHOICES]]
    more = ["…"] if len(choices) > NAMED_CHOICES else []
    either = ", ".join([*named, *more]) or _("none")
    return f"{label}: {either}"


def is_range(value: Any) -> bool:
    """Is a field's value a whole number still to be chosen, from one to another?"""
    return isinstance(value, dict) and set(value) == {"from", "to"}
