"""Pages on both sides of the link hear of each other: a change on one side touches the revision of the other's game."""

from __future__ import annotations

from typing import Any

from tactical.battle import Battle
from tactical.kernel.protocol import Event, Outcome
from webapp.storage.journal.battle_links import battles_of, campaign_of
from webapp.storage.journal.records import Table
from webapp.storage.journal.revisions import touch
from webapp.storage.journal.store import Store

TOLD = frozenset(("settled", "way", "battle_opened", "report"))


def touch_linked_games(store: Store, table: Table, seat: str, command: Any, outcome: Outcome[Any]) -> tuple[Event, ...]:
    """L1.4 Within the command's transaction: the other page is told that there is something to look at."""
    if isinstance(outcome.state, Battle):
        link = campaign_of(store, table.game.id) if moved_on(table.state, outcome.state) else None
        if link is not None:
            touch(store, link.campaign)
    elif any(happened.type in TOLD for happened in outcome.events):
        for link in battles_of(store, table.game.id):
            touch(store, link.battle)
    return ()


def moved_on(before: Battle, after: Battle) -> bool:
    """Has what the campaign's page shows of a battle changed: its turn, its end, the ships that are left?"""
    if before.link is None:
        return False
    return (before.turn, before.is_over, len(before.afloat())) != (after.turn, after.is_over, len(after.afloat()))
