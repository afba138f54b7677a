"""A march to its goal, carried out space by space: each step is a command, and the first question ends it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput
from webapp.http.forms import parse_field, whole
from webapp.storage.errors import Stale
from webapp.storage.journal.store import Store

MOST = 20  # steps of one march
LONGEST = 6000  # letters of its orders
KINDS = ("sail", "step")


def orders_of(form: Mapping[str, str]) -> list[dict[str, Any]]:
    """The steps that a form sends, with so many units where it says how many. Raises BadInput."""
    text, units = form.get("orders", ""), form.get("units", "")
    orders = parse_field(text, "orders") if len(text) <= LONGEST else None
    if not isinstance(orders, list) or not 0 < len(orders) <= MOST:
        raise BadInput("orders", "these are not the steps of a march")
    if not all(isinstance(one, dict) and one.get("type") in KINDS for one in orders):
        raise BadInput("orders", "these are not the steps of a march")
    many = whole(units, "units") if units else None
    return [{**one, "units": many} if many is not None and "units" in one else one for one in orders]


def go(store: Store, game: str, seen: int, seat: str, orders: list[dict[str, Any]]) -> None:
    """Give the steps one after the other, until the army has come to its goal, dice are asked for, or somebody must
    answer. Raises what refuses the first step (Illegal, NotYours, BadInput, Stale, Barred, Refused)."""
    store.submit(game, seen, seat, orders[0])
    for order in orders[1:]:
        table = store.load(game)
        if table.game.waiting or table.waiting_for != (seat,):
            return
        if not any(offer.type == order["type"] for offer in table.offers(seat)):
            return
        try:
            store.submit(game, table.game.version, seat, order)
        except (Illegal, NotYours, BadInput, Stale):
            return  # something on the way has changed what may go: the page shows where the army stands
