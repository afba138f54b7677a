"""Events as lines that can be read: the kind in words, then who, where and how much, each by its name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import ngettext

from tactical.kernel.adjusting import HIDDEN
from tactical.kernel.protocol import ADJUSTED
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import command_title, field_word
from webapp.presenting.map.layout import has_map, sheet
from webapp.presenting.naming import say_value
from webapp.presenting.server_events import SENTENCES
from webapp.presenting.umpires_words import position_word
from webapp.storage.journal.writing import FACES_GIVEN
from webapp.systems import engagement_messages as messages
from webapp.systems.presentations import presentation

WHERE = ("to", "space", "at", "hex", "place", "start")  # what events call the space that they are about
APART = ("rule", "type", "dice", "faces", "roll", "rolls")


@dataclass(frozen=True)
class Told:
    """One event: its paragraph, its sentence, the faces that fell, its kind and the side that it is about."""

    rule: str
    text: str
    dice: tuple[int, ...]
    kind: str
    side: str = ""
    space: str = ""  # where it happened, when that is on the map


def lines_of(system: str, events: Iterable[Mapping[str, Any]], told: set[Hashable] | None = None) -> tuple[Told, ...]:
    """The events as lines, without those that repeat what was told; `told` is handed on from entry to entry."""
    kept = presentation(system).without_repeats(events, set() if told is None else told)
    return tuple(line(system, event) for event in kept)


def line(system: str, event: Mapping[str, Any]) -> Told:
    """One event as a line: in the system's own sentence where it has one."""
    kind = str(event.get("type", ""))
    text = _own(system, kind, event) or plainly(system, kind, event)
    side = event.get("side") or event.get("seat") or ""
    return Told(
        str(event.get("rule", "")),
        text,
        faces(event),
        kind,
        side if isinstance(side, str) else "",
        space_of(system, event),
    )


def space_of(system: str, event: Mapping[str, Any]) -> str:
    """Where an event happened: where it led to rather than where it began."""
    spots = sheet(system).spots if has_map(system) else {}
    return next((event[name] for name in WHERE if isinstance(event.get(name), str) and event[name] in spots), "")


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
        text = say_value(system, value, key)
        if isinstance(value, str) or (isinstance(value, list | tuple) and value and isinstance(value[0], str)):
            names.append(text)
        else:
            numbers.append(f"{field_word(system, key)} {text}")
    rest = "; ".join(part for part in (", ".join(names), ", ".join(numbers)) if part)
    title = command_title(system, kind)
    return f"{title}: {rest}." if rest else f"{title}."


def adjustment_words(system: str, event: Mapping[str, Any]) -> str:
    """What the umpire set, before and after; of a hidden field only the name."""
    before = event.get("before", {})
    changes = "; ".join(
        _("%(field)s (hidden)", field=path_words(system, path))
        if value == HIDDEN
        else change_words(system, path, before.get(path), value)
        for path, value in event["changes"].items()
    )
    return _("The umpire adjusts the position: %(changes)s (%(why)s).", changes=changes, why=event.get("why"))


def change_words(system: str, path: str, old: Any, new: Any) -> str:
    """A field that was set, with what stood there and what stands there now."""
    return f"{path_words(system, path)} {say_value(system, old)} → {say_value(system, new)}"


def path_words(system: str, path: str) -> str:
    """A field of the position in words: what it belongs to, then what it is."""
    parts = [part for part in path.split(".") if part not in ("spaces", "generals", "leaders", "stacks", "forces")]
    return ", ".join(position_word(system, part) or say_value(system, part) for part in parts)


def faces_words(event: Mapping[str, Any]) -> str:
    """In a digital game the umpire gave faces."""
    count = int(event.get("count") or 0)
    return ngettext("The umpire set %(num)d die by hand.", "The umpire set %(num)d dice by hand.", count)


# Events of this server rather than of a system.
EVERYWHERE: dict[str, Callable[[Mapping[str, Any]], str]] = {FACES_GIVEN: faces_words, **SENTENCES}


def _own(system: str, kind: str, event: Mapping[str, Any]) -> str | None:
    if kind == ADJUSTED and "hidden" in event:
        return adjustment_words(system, event)
    if kind in EVERYWHERE:
        return EVERYWHERE[kind](event)
    sentence = None if messages.is_ours(event) else presentation(system).sentences.get(kind)
    return sentence(event) if sentence else messages.sentence(system, event)
