"""What a side is asked and what it may say, in sentences: data/questions and data/commands, told as events are.

A row's sentence has gaps. A gap is filled by a function of the system's `Speaker` ("army", "place"), else by the field
of the question or command of that name; what is still to be chosen fills none, so that a condition that names it does
not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any

from tactical.kernel.protocol import Kind
from tactical.kernel.protocol import kinds as all_kinds
from tactical.kernel.questions import commands, questions
from webapp.http.language import gettext as _
from webapp.presenting import naming
from webapp.presenting.acts import Acts
from webapp.presenting.naming import say_value, saying
from webapp.presenting.presentation import Asked, View
from webapp.presenting.sentences import Name, Teller, full_name, together, weighing

STACKS = ("agenda", "pending")  # what the systems call their stack of questions, or their only one
PLACES = ("to", "hex", "space", "at")  # the fields that name where something is
Gap = Callable[["Case"], Any]


@dataclass
class Case:
    """A question or a command as it is to be told: `it` are its fields, `kind` its name in the rows.

    `view` is that of the seat that asks, `state` the position where chances are asked (what they tell is open to all).
    """

    speaker: Speaker
    kind: str
    view: Mapping[str, Any]
    it: Mapping[str, Any]
    state: Any = None
    is_question: bool = False
    known: dict[str, Any] = field(default_factory=dict)

    def get(self, name: str, default: Any = None) -> Any:
        """What fills a gap: its function's answer, else the field where it is settled."""
        if name not in self.known:
            gap = self.speaker.gaps.get(name)
            value = self.it.get(name)
            self.known[name] = gap(self) if gap else value if self.is_question or not is_open(value) else None
        return self.known[name]

    def name(self, value: Any, field: str = "") -> Name:
        """A space, general, ship or card by its name, with its grammar."""
        return full_name(say_value(self.speaker.system, value, field))

    def names(self, *values: Any) -> str:
        """Names as a list, each once."""
        return ", ".join(self.name(each) for each in dict.fromkeys(values) if each)

    def side(self, value: Any) -> Name:
        """A side by its name."""
        return naming.side(self.speaker.system, str(value or ""))

    @property
    def named(self) -> str:
        """The place that a field names; empty where there is none, or where it is still to be chosen."""
        found = (self.it[name] for name in PLACES if name in self.it)
        return next((value for value in found if isinstance(value, str)), "")

    @property
    def prompt(self) -> Mapping[str, Any]:
        """The question that is answered."""
        stack = next((found for name in STACKS if (found := self.view.get(name))), ())
        last = stack if isinstance(stack, Mapping) else next(iter(reversed(stack)), {})
        return last if isinstance(last, Mapping) else {}


def is_open(value: Any) -> bool:
    """Is a command's field still to be chosen, from a list or a range?"""
    return isinstance(value, Mapping | list | tuple)


@dataclass(frozen=True)
class Speaker:
    """What tells the questions and commands of a system; `gaps` are the functions that fill its sentences."""

    system: str
    gaps: Mapping[str, Gap]

    @cached_property
    def extras(self) -> Mapping[str, Callable[[Any], Any]]:
        """The gaps as a `Teller` asks for them."""
        return {name: partial(read, name) for name in self.gaps}

    def tell(self, sentence: str | Mapping[str, str], fields: Mapping[str, str], case: Case) -> str:
        """The first sentence whose condition holds; empty when none does."""
        cases = {"else": sentence} if isinstance(sentence, str) else sentence
        teller = teller_of(tuple(cases.items()), tuple(fields.items()))
        return teller.tell(case, saying(self.system), self.extras).strip()

    def question(self, view: View, asked: Asked | None) -> Asked | None:
        """A question with what it is about; of kinds that ask for nothing special the title says enough."""
        row = questions(self.system).get(asked.kind) if asked else None
        if asked is None or row is None:
            return asked
        case = Case(self, asked.kind, view, {**asked.about, "seat": asked.seat}, is_question=True)
        text = self.tell(row.text, row.about, case)
        left = asked.about.get("left")
        asked = replace(asked, count=left if isinstance(left, int) else None, hint=_(row.tap) if row.tap else "")
        return replace(asked, text=text, about={}) if text or not asked.about else asked

    def answer(self, view: View, command: Mapping[str, Any], state: Any = None) -> str:
        """A command in words; empty for what its fields tell well enough, and while too much is still to be chosen."""
        kind = str(command.get("type"))
        row = commands(self.system).get(kind)
        if row is None:
            return ""
        case = Case(self, kind, view, command, state)
        text = self.tell(row.sentence, row.fields, case) if row.sentence else ""
        asked = questions(self.system).get(str(case.prompt.get("kind"))) if row.no else None
        if asked is not None:
            about = case.prompt.get("about") or {}
            text = self.tell(asked.no, asked.about, Case(self, kind, view, about, state, is_question=True))
        die = case.get(row.die) if text and row.die else ""
        return _("%(deed)s – %(die)s", deed=text, die=die) if die else text

    def recount(self, command: Mapping[str, Any]) -> str:
        """A command that was given, in words; empty where these would need the position of that moment."""
        return self.answer({}, command)


def read(name: str, case: Case) -> Any:
    """What fills a gap."""
    return case.get(name)


@cache
def teller_of(cases: tuple[tuple[str, str], ...], fields: tuple[tuple[str, str], ...]) -> Teller:
    """What tells a row: its sentences by condition, and the words of its fields."""
    return Teller(Kind(sentence=dict(cases), fields=dict(fields)))


def told(kinds: dict[str, Kind], speaker: Speaker | None = None) -> dict[str, Any]:
    """What a presentation takes from the rows of its system's events, and from who speaks for it."""
    spoken = {"answer": speaker.answer, "recount": speaker.recount, "worded": speaker.question} if speaker else {}
    return spoken | {
        "acts": Acts(all_kinds("naval") | kinds),
        "loud": weighing(kinds, "loud"),
        "soft": weighing(kinds, "soft"),
        "together": together(kinds),
    }
