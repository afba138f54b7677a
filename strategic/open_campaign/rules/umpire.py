"""O3.7 The umpire's hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.changes import Handled
from strategic.open_campaign.rules.position import check
from strategic.open_campaign.state import State
from strategic.open_campaign.view import HIDDEN
from tactical.kernel import adjusting
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal, Offer, event


def adjust(state: State, command: adjusting.Adjust, dice: Dice) -> Handled:
    """O3.7 The umpire sets fields, with a reason; what is hidden stays so."""
    return adjusting.adjust(state, command.changes, command.why, "O3.7", HIDDEN, check)


def why_not_assign(state: State, command: c.Assign) -> Illegal | None:
    """O1.4 A fleet there is, and another side for it."""
    fleet = state.fleets.get(command.fleet)
    if fleet is None or command.to not in state.playing or fleet.side == command.to:
        return Illegal("O1.4", "Choose a fleet, and another side that is in the game.")
    if state.engagement is not None:
        return Illegal("O1.4", "While a meeting is waiting to be settled, no fleet can change hands.")
    return None


def assign(state: State, command: c.Assign, dice: Dice) -> Handled:
    """O1.4 The fleet and its ships are another side's from now on."""
    fleet = state.fleets[command.fleet]
    orders = {
        side: {name: order for name, order in given.items() if name != command.fleet and order.to != command.fleet}
        for side, given in state.orders.items()
    }
    state = replace(state, orders={side: given for side, given in orders.items() if given})
    state = state.with_ships({each: replace(state.ships[each], side=command.to) for each in fleet.ships})
    told = event(
        "O1.4", "assigned", tuple(sorted((fleet.side, command.to))), side=fleet.side, of=command.to, fleet=fleet.name
    )
    return state.with_fleet(command.fleet, side=command.to), (told,)


def nobody(state: State, command: Any) -> tuple[str, ...]:
    """The umpire's alone."""
    return ()


def offers(state: State, seat: str) -> Iterator[Offer]:
    """O3.7 The umpire lets a turn run, or sends what is held."""
    if seat == UMPIRE and state.result is None and state.step in ("orders", "day"):
        yield Offer("run", "O3.7")


def offer_send(state: State, seat: str) -> Iterator[Offer]:
    """O3.7 What is held waits for its sending."""
    yield Offer("send", "O3.7")
