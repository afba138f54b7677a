"""Hints and explanations: a captain's choice with its reasons as sentences. Nothing changes by them."""

from __future__ import annotations

from typing import Any

from tactical.captains import Choice, Orders
from tactical.kernel.journal import command_seen_by
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from webapp.captains.seats import may_ask_hints, move_of
from webapp.captains.sentences import reasons
from webapp.captains.thinking import think
from webapp.storage.errors import Barred, Unknown
from webapp.storage.journal.records import dice_first
from webapp.storage.journal.store import Store


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
