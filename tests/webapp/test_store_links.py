"""A campaign's command opens a battle on this server, in one transaction; its seats are seats there too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.players import Player
from kit.toy import SYSTEMS
from tactical.kernel.protocol import Event, Illegal, Outcome, event
from webapp.storage.file.database import File
from webapp.storage.file.migrations import first_tables
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store, battles_of, campaign_of, link_battle
from webapp.storage.journal.transfer import verify


def open_duel(store: Store, table: Table, seat: str, command: Any, outcome: Outcome[Any]) -> tuple[Event, ...]:
    """A note "battle" opens a duel that settles it."""
    if getattr(command, "note", "") != "battle":
        return ()
    battle, _ = store.create("toy", "duel")
    link_battle(store, battle.id, table.game.id, "e1")
    return (event("L1.4", "battle_opened", game=battle.id),)


@pytest.fixture
def linked(game: Player, store: Store) -> tuple[Player, str]:
    store.transaction_hooks.append(open_duel)
    answer = game.give("red", 0, "shoot", side="red", note="battle")
    return game, answer.json["events"][-1]["game"]


def test_l1_4_the_battle_is_named_in_the_events_and_both_point_at_each_other(
    linked: tuple[Player, str], store: Store
) -> None:
    campaign, battle = linked
    tie = {"battle": battle, "campaign": campaign.id, "engagement": "e1"}
    assert campaign.get("red").json["battles"] == [tie] and campaign.get("red").json["settles"] is None
    shown = campaign.client.get(f"/api/v1/games/{battle}", headers=campaign.headers("blue")).json
    assert (shown["seat"], shown["settles"], shown["battles"]) == ("blue", tie, [])
    assert verify(store, campaign.id) == [], "the added event is no difference"


def test_a_seat_in_the_campaign_gives_commands_in_the_battle(linked: tuple[Player, str], client: FlaskClient) -> None:
    campaign, battle = linked
    path = f"/api/v1/games/{battle}/commands"
    body = {"seen": 0, "command": {"type": "shoot", "side": "red"}}
    assert client.post(path, json=body, headers=campaign.headers("blue")).status_code == 403
    assert client.post(path, json=body, headers=campaign.headers("red")).status_code == 200
    other = Player(client)
    assert client.get(f"/api/v1/games/{battle}", headers=other.headers("red")).status_code == 403


def test_a_browser_of_the_campaign_sits_in_the_battle(linked: tuple[Player, str], app: Flask) -> None:
    campaign, battle = linked
    browser = app.test_client()
    browser.get(f"/join/{campaign.tokens['blue']}")
    assert browser.get(f"/api/v1/games/{battle}").json["seat"] == "blue"


def test_a_hook_that_refuses_leaves_nothing(game: Player, store: Store) -> None:
    def refuses(store: Store, table: Table, seat: str, command: Any, outcome: Outcome[Any]) -> tuple[Event, ...]:
        open_duel(store, table, seat, command, outcome)
        raise Illegal("L1.2", "the way is fixed")

    store.transaction_hooks.append(refuses)
    before = len(store.games())
    assert game.give("red", 0, "shoot", side="red", note="battle").status_code == 422
    assert store.game(game.id).version == 0
    assert len(store.games()) == before and battles_of(store, game.id) == []


def test_deleting_a_battle_unties_it(linked: tuple[Player, str], store: Store) -> None:
    campaign, battle = linked
    store.delete(battle)
    assert campaign_of(store, battle) is None and battles_of(store, campaign.id) == []


def test_an_older_file_takes_the_new_steps(tmp_path: Path) -> None:
    """A file as the first step left it opens, keeps what it held, and gains the table of links."""
    old = File(tmp_path / "old.db")
    with old.write() as db:
        first_tables(db)
        db.conn.execute("pragma user_version = 1")
        db.table("secrets").insert({"name": "session", "value": "kept"})
    store = Store(tmp_path / "old.db", SYSTEMS)
    assert battles_of(store, "NOGAME") == []
    assert store.secret("session") == "kept"
