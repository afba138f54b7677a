"""What was read of a stranger's file: how much of each kind, what was left out and why. Told before anything counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask_babel import ngettext

from tactical.kernel.record import Reason
from webapp.http.forms import reason_text

MOST_TOLD = 100  # of what was left out: the rest is counted
NOUNS: Mapping[str, Callable[[int], str]] = {
    "players": lambda count: ngettext("%(num)d player", "%(num)d players", count),
    "rounds": lambda count: ngettext("%(num)d round", "%(num)d rounds", count),
    "battles": lambda count: ngettext("%(num)d battle", "%(num)d battles", count),
    "rows": lambda count: ngettext("%(num)d row", "%(num)d rows", count),
    "ships": lambda count: ngettext("%(num)d ship", "%(num)d ships", count),
    "sides": lambda count: ngettext("%(num)d side", "%(num)d sides", count),
    "types": lambda count: ngettext("%(num)d ship type", "%(num)d ship types", count),
    "owners": lambda count: ngettext("%(num)d owner", "%(num)d owners", count),
    "models": lambda count: ngettext("%(num)d model", "%(num)d models", count),
    "features": lambda count: ngettext("%(num)d feature", "%(num)d features", count),
    "places": lambda count: ngettext("%(num)d place", "%(num)d places", count),
    "lanes": lambda count: ngettext("%(num)d lane", "%(num)d lanes", count),
    "roads": lambda count: ngettext("%(num)d road", "%(num)d roads", count),
}  # what can be counted in a file, and how a page says a number of it


@dataclass(frozen=True)
class LeftOut:
    """Something that was not read: a cell (`B7`, `ships!B7`), a feature (`features[3]`) or a name, and the reason."""

    where: str
    why: Reason

    def text(self) -> str:
        """The reason in the reader's language."""
        return reason_text(self.why)


@dataclass(frozen=True)
class Report:
    """What was read of a file of this format; `counts` by a noun of `NOUNS`.

    `encoding` and `separator` are those that were found in a file of plain text; `notes` say what was not written as
    usual and yet was read, as "the heads stand in row 3".
    """

    format: str
    counts: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[Reason, ...] = ()
    encoding: str = ""
    separator: str = ""

    def counted(self) -> list[str]:
        """How much was read of each kind, as a page says it."""
        return [NOUNS[noun](count) for noun, count in self.counts.items()]

    def told(self) -> tuple[LeftOut, ...]:
        """As much of what was left out as is told one by one."""
        return self.left_out[:MOST_TOLD]

    def untold(self) -> int:
        """How many more were left out."""
        return max(0, len(self.left_out) - MOST_TOLD)

    def note_texts(self) -> list[str]:
        """The notes in the reader's language."""
        return [reason_text(note) for note in self.notes]

    def as_json(self) -> dict[str, Any]:
        """The same for a program, with reasons in English."""
        return {
            "format": self.format,
            "encoding": self.encoding,
            "separator": self.separator,
            "counts": dict(self.counts),
            "left_out": [{"where": each.where, "why": str(each.why)} for each in self.told()],
            "left_out_more": self.untold(),
            "notes": [str(note) for note in self.notes],
        }
