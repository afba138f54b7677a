"""One question to a captain of any system: a choice for a seat, by that seat's view alone. No Flask."""

from __future__ import annotations

from typing import Any

import strategic.captains
from tactical.captains import Choice, Orders, choose
from tactical.kernel.protocol import System
from tactical.kernel.reason import because
from tactical.kernel.record import decode, encode
from webapp.storage.errors import Refused
from webapp.storage.journal.systems import systems


def think(system: System, state: Any, seat: str, orders: Orders) -> Choice:
    """What a captain would command for the seat now. Raises Refused when nothing waits for the seat."""
    offers = system.offers(state, seat)
    if seat not in system.waiting_for(state) or not offers:
        raise Refused(because("There is nothing for %(seat)s to decide.", seat=seat))
    view = system.view(state, seat)
    if system.name == "galley":
        return choose(view, seat, offers, orders)
    return strategic.captains.choose(system.name, view, seat, offers, orders)


def think_apart(system: str, state: bytes, seat: str, orders: bytes) -> bytes:
    """The same from and to JSON, for a process of its own."""
    rules = systems()[system]
    return encode(think(rules, decode(state, rules.state), seat, decode(orders, Orders)))
