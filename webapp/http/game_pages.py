"""How one kind of game answers under /g/<game>: given by the battle's and the campaign's folders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import url_for

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput
from webapp.http.seats import current_seat
from webapp.storage.errors import Barred, Refused, Stale

REFUSALS = (Illegal, NotYours, Refused, Stale, BadInput, Barred)


def table_of(game: str) -> str:
    """The address of the game's own page for the seat that asks."""
    return url_for("game.page", game=game, seat=current_seat(game).id)


@dataclass(frozen=True)
class GamePages:
    """How one kind of game answers.

    `page(game)` the whole page; `table(game)` the part that a live update or a tap swaps in; `again(game)` the answer
    after a change; `refused(game, fault)` the same with the sentence of a refusal; `log(game)` the journal;
    `display(game)` the television's page and `display_table(game)` what of it changes; `read(seat, seen)` says what a
    seat has read that gives a command, by its cursors; `is_still_shown(game, seat, seen, command)` whether a command
    that was sent from the page of version `seen` would stand on today's page as it stood there; `home(game)` where a
    seat's link leads.
    """

    page: Callable[[str], Any]
    table: Callable[[str], Any]
    again: Callable[[str], Any]
    refused: Callable[[str, Exception], Any]
    log: Callable[[str], Any]
    display: Callable[[str], Any]
    display_table: Callable[[str], Any]
    read: Callable[[str, int], Mapping[str, int]] = lambda seat, seen: {}
    is_still_shown: Callable[[str, str, int, Mapping[str, Any]], bool] = lambda game, seat, seen, command: False
    home: Callable[[str], str] = table_of
