"""A captain's reasons as sentences in the reader's language: data/events/captains.toml."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from flask_babel import format_decimal

from tactical.battle import Battle
from tactical.captains import Choice, Reason
from tactical.kernel.vocabulary import kinds
from webapp.http import signs
from webapp.presenting.battle_labels import ship_name
from webapp.presenting.labels import translate
from webapp.presenting.names import full_name
from webapp.presenting.naming import say_value
from webapp.presenting.sentences import tellers

TELLERS = tellers(kinds("captains"))


class Told(NamedTuple):
    """A reason as it is shown: the sentence, the paragraph, and the chance."""

    text: str
    rule: str | None
    odds: float | None


class Names:
    """What the ships of a battle are called; in a campaign what players call its generals and spaces."""

    def __init__(self, state: Any, system: str = "galley") -> None:
        self.state = state
        self.system = system

    def __getitem__(self, name: str) -> str:
        if isinstance(self.state, Battle) and name in self.state.ships:
            return str(ship_name(self.state, name))
        return say_value(self.system, name) if self.system != "galley" else translate(name.replace("_", " "))


def percent(chance: float | None) -> str:
    """A chance in per cent, whole, but never 0 or 100 when it is neither."""
    if chance is None:
        return "?"
    share = 100 * chance
    if 0 < share < 1:
        return signs.percent("<1")
    if 99 < share < 100:
        return signs.percent(">99")
    return signs.percent(f"{share:.0f}")


def sentence(reason: Reason, state: Any, system: str = "galley") -> Told:
    """One reason as a sentence."""
    teller, extras = TELLERS.get(reason.kind), {"chance": lambda it: percent(reason.odds)}
    text = teller.tell(reason.data, partial(say, Names(state, system)), extras) if teller else reason.kind
    return Told(text, reason.rule, reason.odds)


def say(names: Names, word: str, field: str, value: Any) -> Any:
    """A field of a reason as players say it: ships, generals and spaces by their names, a chance in per cent.

    A number with a decimal is written as the reader's language does.
    """
    if word in ("general", "ship", "space"):
        text = names[value] if value else ""
        return text if word == "ship" else full_name(text, person=word == "general")
    if not isinstance(value, float):
        return value
    return percent(value) if field == "rammed" else format_decimal(value)


def reasons(choice: Choice, state: Any, system: str = "galley") -> list[Told]:
    """The reasons of a choice as sentences."""
    return [sentence(each, state, system) for each in choice.reasons]
