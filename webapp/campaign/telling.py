"""Events as lines that can be read: the kind in words, then who, where and how much, each by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from webapp.campaign.naming import said
from webapp.campaign.words import command_title, field_word
from webapp.linked import tellers

Sentences = Mapping[str, Callable[[Mapping[str, Any]], str]]
APART = ("rule", "type", "dice", "faces", "roll", "rolls")


@dataclass(frozen=True)
class Told:
    """One event: its paragraph, its sentence, the faces that fell, its kind and the side that it is about."""

    rule: str
    text: str
    dice: tuple[int, ...]
    kind: str
    side: str = ""


def told(system: str, events: Iterable[Mapping[str, Any]]) -> tuple[Told, ...]:
    """The events as lines."""
    return tuple(line(system, event) for event in events)


def line(system: str, event: Mapping[str, Any]) -> Told:
    """One event as a line: in the system's own sentence where it has one."""
    kind = str(event.get("type", ""))
    text = _own(system, kind, event) or plainly(system, kind, event)
    side = event.get("side") or event.get("seat") or ""
    return Told(str(event.get("rule", "")), text, faces(event), kind, side if isinstance(side, str) else "")


def faces(event: Mapping[str, Any]) -> tuple[int, ...]:
    """The faces that an event carries."""
    for name in ("dice", "faces", "roll"):
        value = event.get(name)
        if isinstance(value, int):
            return (value,)
        if isinstance(value, list | tuple) and all(isinstance(face, int) for face in value):
            return tuple(value)
    return ()


def plainly(system: str, kind: str, event: Mapping[str, Any]) -> str:
    """Any event: its kind, its names, then its numbers with what they count."""
    names, numbers = [], []
    for key, value in event.items():
        if key in APART or value in (None, "", [], {}):
            continue
        text = said(system, value, key)
        if isinstance(value, str) or (isinstance(value, list | tuple) and value and isinstance(value[0], str)):
            names.append(text)
        else:
            numbers.append(f"{field_word(key)} {text}")
    rest = "; ".join(part for part in (", ".join(names), ", ".join(numbers)) if part)
    title = command_title(kind)
    return f"{title}: {rest}." if rest else f"{title}."


def _own(system: str, kind: str, event: Mapping[str, Any]) -> str | None:
    sentence = None if tellers.is_ours(event) else _sentences(system).get(kind)
    return sentence(event) if sentence else tellers.sentence(system, event)


@cache
def _sentences(system: str) -> Sentences:
    name = f"webapp.campaign.tellers.{system}"
    return import_module(name).SENTENCES if find_spec(name) is not None else {}
