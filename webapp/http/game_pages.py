"""How one kind of game answers under /g/<game>: given by the battle's and the campaign's folders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput
from webapp.storage.errors import Barred, Refused, Stale

REFUSALS = (Illegal, NotYours, Refused, Stale, BadInput, Barred)


@dataclass(frozen=True)
class GamePages:
    """How one kind of game answers.

    `page(game)` the whole page; `table(game)` the part that a live update or a tap swaps in; `again(game)` the answer
    after a change; `refused(game, fault)` the same with the sentence of a refusal; `log(game)` the journal;
    `display(game)` the television's page and `display_table(game)` what of it changes; `read(seat, seen)` says what a
    seat has read that gives a command, by its cursors; `is_still_shown(game, seat, seen, command)` whether a command
    that was sent from the page of version `seen` would stand on today's page as it stood there.
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
