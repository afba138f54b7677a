"""Random acts in a battle of the store, as its sides may give them."""

from __future__ import annotations

import random

from kit.commands_of import picked
from webapp.storage.journal.store import Store

LEFT_OUT = (
    "resign",
    "agree",
    "level",
    "evade",
    "leave",
    "squadron",
    "paper",
)  # they end it, or change how it is played


def change(store: Store, game: str, chance: random.Random) -> None:
    """One random act of some side, now and then taken back."""
    table = store.load(game)
    if table.game.head and chance.random() < 0.05:
        store.undo(game, table.game.version, "umpire")
        return
    offers = [(seat, offer) for seat in table.sides for offer in table.offers(seat) if offer.type not in LEFT_OUT]
    seat, offer = chance.choice(offers)
    store.submit(game, table.game.version, seat, chance.choice(picked(offer, 1, chance)))
