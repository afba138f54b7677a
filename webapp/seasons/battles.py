"""O10.1 The battles of a season: one is opened for a pairing, and its end is entered by itself."""

from __future__ import annotations

import logging
from typing import Any

from strategic.season import SEASON
from strategic.season.rules.battle import battle_position, fought_out
from tactical.battle import Battle
from tactical.kernel.protocol import UMPIRE, Event, Illegal, Outcome
from tactical.kernel.record import plain
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.journal.battle_links import battles_of, campaign_of, link_battle
from webapp.storage.journal.records import Submitted, Table
from webapp.storage.journal.repository import Repository
from webapp.storage.journal.store import Store

LOG = logging.getLogger("navarch")


def season_of(store: Store, game: str) -> Table:
    """The season of this code. Raises Unknown for any other game."""
    table = store.load(game)
    if table.game.system != SEASON.name:
        raise Unknown("There is no such season.")
    return table


def give(store: Store, game: str, seat: str, command: dict[str, object]) -> Submitted:
    """Give a command to a season as it stands now. Raises what `Store.submit` raises, but Stale."""
    while True:
        try:
            return store.submit(game, store.game(game).version, seat, command)
        except Stale:
            continue


def enroll(store: Store, game: str, seat: str, name: str, fleet: dict[str, Any]) -> tuple[str, str]:
    """Enter a player with a fleet; his seat and its token. Raises as `give` does, and Unknown."""
    season_of(store, game)
    give(store, game, seat, {"type": "enroll", "name": name, **fleet})
    players = store.load(game).state.players
    player = list(players)[-1]
    store.name_seat(game, player, players[player].name)
    return player, store.reissue(game, player)


def open_battle(store: Store, game: str, seat: str, pairing: str) -> str:
    """Open the battle of a pairing, and enter its code in the season; both or neither."""
    table = season_of(store, game)
    position = battle_position(table.state, pairing, game)
    command: dict[str, object] = {"type": "open", "pairing": pairing, "game": ""}
    with store.write():
        names = [side["name"] for side in position["sides"].values()]
        title = f"{' – '.join(names)} · {table.game.title}"
        battle, _tokens = store.create("galley", None, position, {}, title, table.game.dice)
        link_battle(store, battle.id, game, pairing)
        give(store, game, seat, {**command, "game": battle.id})
    return battle.id


def enter(store: Store, game: str, pairing: str) -> Submitted | None:
    """Enter the outcome of a pairing's battle that has ended; None while it is fought, or when it is entered."""
    season = season_of(store, game).state
    found = season.paired().get(pairing)
    links = [link for link in battles_of(store, game) if link.engagement == pairing]
    if found is None or found[1].result is not None or not links:
        return None
    battle = store.load(links[-1].battle)
    if not battle.game.over or not isinstance(battle.state, Battle):
        return None
    events = [event for each in store.entries(battle.game.id) if each.taken_back is None for event in each.events]
    result = plain(fought_out(season, pairing, battle.state, events))
    return give(store, game, UMPIRE, {"type": "report", "pairing": pairing, "result": result})


class Recorder:
    """Enters a season's battle in its season as soon as the battle has ended and is safe on the disk."""

    def __init__(self, store: Store) -> None:
        self.store, self.ended = store, set[str]()
        store.transaction_hooks.append(self.note)
        store.listeners.append(self.hear)

    def note(
        self, store: Repository, table: Table, seat: str, command: Any, outcome: Outcome[Any]
    ) -> tuple[Event, ...]:
        """Within the command's transaction: does it end a battle of a season?"""
        link = getattr(table.state, "link", None)
        if link is not None and link.system == SEASON.name and table.system.is_over(outcome.state):
            self.ended.add(table.game.id)
        return ()

    def hear(self, game: str, version: int, revision: int) -> None:
        """A game has changed, and the change is safe."""
        if game not in self.ended:
            return
        self.ended.discard(game)
        link = campaign_of(self.store, game)
        try:
            if link is not None:
                enter(self.store, link.campaign, link.engagement)
        except (Illegal, Refused, Barred, Unknown) as fault:
            LOG.warning("the battle %s was not entered in its season: %s", game, fault)
