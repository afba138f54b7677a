"""O3.7 The umpire's hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strategic.open_campaign.rules.orders import Handled
from strategic.open_campaign.rules.position import check
from strategic.open_campaign.state import State
from strategic.open_campaign.view import HIDDEN
from tactical.kernel import adjusting
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Offer


def adjust(state: State, command: adjusting.Adjust, dice: Dice) -> Handled:
    """O3.7 The umpire sets fields, with a reason; what is hidden stays so."""
    return adjusting.adjust(state, command.changes, command.why, "O3.7", HIDDEN, check)


def nobody(state: State, command: Any) -> tuple[str, ...]:
    """The umpire's alone."""
    return ()


def offers(state: State, seat: str) -> Iterator[Offer]:
    """O3.7 The umpire lets a turn run, or sends what is held."""
    if seat == UMPIRE and state.result is None and state.step == "orders":
        yield Offer("run", "O3.7")


def offer_send(state: State, seat: str) -> Iterator[Offer]:
    """O3.7 What is held waits for its sending."""
    yield Offer("send", "O3.7")
