"""What an act cost: where a battle, a siege or a storm begins and ends in a journal, and what each side lost by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask_babel import ngettext

from strategic.point_to_point.state import SIDES, enemy
from tactical.kernel.protocol import Kind
from webapp.http.language import gettext as _
from webapp.presenting.sentences import all_hold, conditions

Data = Mapping[str, Any]
Lost = dict[str, Counter[str]]  # by side, then by thing: units (elephants among them), elephants, ships, points


@dataclass
class Act:
    """A battle, a siege or what the sea took, with its own effects: its events, each with its entry's number.

    `end` is the place among them of the event that names it; None while it goes on.
    """

    events: list[tuple[int, Data]] = field(default_factory=list)
    end: int | None = None

    @property
    def number(self) -> int:
        """The entry of the event that names it."""
        return self.events[-1 if self.end is None else self.end][0]

    @property
    def last(self) -> int:
        """The entry in which it ended, with its effects so far."""
        return self.events[-1][0]

    @property
    def winner(self) -> str:
        """The side that has won, or has taken the city."""
        for _number, it in reversed(self.events):
            if it.get("winner"):
                return str(it["winner"])
            if it["type"] == "city_taken":
                return str(it.get("side") or "")
        return ""


class Acts:
    """The acts of a system's journal, by what data/events says of each kind: its part in an act and its costs.

    An act "begins" and "ends", or is an event "alone"; what "follows" it directly, in its entry or in the answers that
    come of it, belongs to it. An end without a beginning goes with the act before if it follows that directly; what
    "breaks" an act leaves it without an end.
    """

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self.kinds = {old: kind for kind in kinds.values() for old in kind.old} | dict(kinds)
        self.parts = {
            name: [
                (conditions(each), part)
                for each, part in ({"else": kind.act} if isinstance(kind.act, str) else kind.act).items()
            ]
            for name, kind in self.kinds.items()
        }

    def part(self, it: Data) -> str:
        """The part of an event in an act: begins, ends, alone, follows, or none."""
        return next((part for wanted, part in self.parts[it["type"]] if all_hold(wanted, it)), "")

    def follows(self, it: Data) -> bool:
        """Is this an effect of a battle or siege?"""
        return it["type"] in self.kinds and self.part(it) == "follows"

    def last(self, events: Iterable[tuple[int, Data]]) -> Act | None:
        """The last act, when it has ended and no entry after it did anything else; None when none has."""
        act: Act | None = None
        is_near = False  # does the next event follow the act directly?
        for number, it in events:
            if it["type"] not in self.kinds:
                continue  # what the server marks beside a command
            part = self.part(it)
            is_open = act is not None and act.end is None
            begins_again = part == "begins" and act is not None and it["type"] == act.events[0][1]["type"]
            if part == "breaks":
                act = None
            elif act is not None and ((is_open and not begins_again) or (is_near and part in ("ends", "follows"))):
                act.events.append((number, it))
                act.end = len(act.events) - 1 if part in ("alone", "ends") else act.end
                is_near = act.end is not None
            elif part in ("begins", "ends", "alone"):
                act, is_near = Act([(number, it)], None if part == "begins" else 0), part != "begins"
            elif act is not None and number > act.last:
                act = None  # the next act has come
            else:
                is_near = False
        return act if act is not None and act.end is not None else None

    def lost(self, events: Iterable[Data]) -> Lost:
        """What each side lost by these events."""
        found: Lost = {}
        for it in events:
            if (kind := self.kinds.get(it["type"])) is None:
                continue
            for thing, names in kind.costs.items():
                for name in names:
                    for side, count in shares(it, kind.payer, it.get(name) if isinstance(name, str) else name):
                        if count:
                            found.setdefault(side, Counter())[thing] += count
        return found


NO_ACTS = Acts({})


def add_lost(total: Lost, more: Lost) -> None:
    """Add losses to a total."""
    for side, counts in more.items():
        total.setdefault(side, Counter()).update(counts)


def shares(it: Data, payer: str, value: Any) -> Iterable[tuple[str, int]]:
    """A loss by side: of a table by its keys, of a list of sides one by one, else the payer's."""
    if isinstance(value, Mapping):
        return [(str(side), size(count)) for side, count in value.items()]
    side = it.get(payer, payer)
    if payer == "enemy":
        side = enemy(it["side"]) if it.get("side") in SIDES else ""
    if isinstance(side, list | tuple):
        return list(zip(map(str, side), map(size, value or ()), strict=False))
    return [(str(side), size(value))]


def size(value: Any) -> int:
    """How many an event tells: a number, or as many as it names."""
    return len(value) if isinstance(value, list | tuple) else int(value or 0)


def lost_words(lost: Counter[str]) -> str:
    """What a side has lost, in words; a dash for nothing."""
    units, elephants = lost["units"], lost["elephants"]
    parts = []
    if units:
        text = ngettext("%(num)d unit", "%(num)d units", units)
        if elephants:
            beasts = ngettext("%(num)d elephant", "%(num)d elephants", elephants)
            text = (
                beasts if elephants == units else _("%(units)s, among them %(elephants)s", units=text, elephants=beasts)
            )
        parts.append(text)
    if lost["ships"]:
        parts.append(ngettext("%(num)d ship", "%(num)d ships", lost["ships"]))
    if lost["points"]:
        parts.append(ngettext("%(num)d point", "%(num)d points", lost["points"]))
    return "; ".join(parts) or "–"
