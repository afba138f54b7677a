"""Hints and explanations: a captain's choice with its reasons as sentences."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from flask_babel import format_decimal

from tactical.battle import Battle
from tactical.captains import Choice, Orders, Reason
from tactical.kernel.journal import command_seen_by
from tactical.kernel.protocol import SPECTATOR, UMPIRE, kinds
from webapp.captains.seats import may_ask_hints, move_of, think
from webapp.http import language
from webapp.presenting.battle_labels import ship_name
from webapp.presenting.labels import translate
from webapp.presenting.naming import say_value
from webapp.presenting.sentences import full_name, tellers
from webapp.storage.errors import Barred, Unknown
from webapp.storage.journal.records import dice_first
from webapp.storage.journal.store import Store

# -- A captain's reasons as sentences in the reader's language: data/events/captains.toml.

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
        return language.percent("<1")
    if 99 < share < 100:
        return language.percent(">99")
    return language.percent(f"{share:.0f}")


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


# -- Hints and explanations: a captain's choice with its reasons as sentences. Nothing changes by them.


def hint_for(store: Store, game: str, seat: str, orders: Orders) -> dict[str, Any]:
    """What a captain would do in this seat; for the umpire in that of the first side that must act.

    Raises Barred (a spectator; hints are off), Refused (nothing to decide; dice are awaited).
    """
    table = store.load(game)
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and gets no hints.")
    if seat != UMPIRE and not may_ask_hints(store, game):
        raise Barred("The umpire has turned hints off.")
    if table.game.waiting is not None:
        raise dice_first(table.game.waiting, seat)
    side = seat
    if seat == UMPIRE:
        side = next(iter(table.system.waiting_for(table.state)), UMPIRE)
    return choice_json(think(table.system, table.state, side, orders), table.view(side), table.system.name)


def choice_json(choice: Choice, view: Any, system: str) -> dict[str, Any]:
    """A choice as the API shows it."""
    return {
        "command": choice.command,
        "value": choice.value,
        "reasons": [
            {name: value for name, value in told._asdict().items() if value is not None}
            for told in reasons(choice, view, system)
        ],
        "considered": [{"command": each.command, "value": each.value} for each in choice.considered],
    }


def explanation(store: Store, game: str, seat: str, number: int) -> dict[str, Any]:
    """Why a captain gave the command of an entry, for those who may see the command.

    Raises Unknown (no such entry, or a person gave it), Barred (it is still hidden from this seat).
    """
    entry, move = store.entry(game, number, seat), move_of(store, game, number)
    if move is None:
        raise Unknown("This command was given by a person.")
    if command_seen_by(entry, seat) != entry.command:
        raise Barred("This command is hidden from you, and so are its reasons.")
    table = store.load(game)
    told = choice_json(move.choice, table.view(seat), table.system.name)
    return {"entry": number, "seat": move.seat, "level": move.level, **told}
