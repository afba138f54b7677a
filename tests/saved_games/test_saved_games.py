"""Games that earlier versions saved open, stand, are verified, played on and exported."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from saved_games.writing import Table
from tactical.kernel.dice import random_source
from tactical.kernel.record import encode
from webapp.engagements.linked_battles import install
from webapp.storage.journal.store import Store
from webapp.storage.journal.systems import systems
from webapp.storage.journal.transfer import export, import_
from webapp.storage.journal.verifying import verify

GAMES = sorted(Path(__file__).parent.glob("*/*.json.gz"))
LONG = 600  # entries; a shorter game is read once more from its export


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.name.removesuffix('.json.gz')}"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "games.db", source=random_source(random.Random(1).randrange))
    install(store)
    return store


@pytest.mark.parametrize("path", GAMES, ids=named)
def test_a_saved_game_opens_is_verified_played_on_and_exported(store: Store, path: Path) -> None:
    raw: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    game = import_(store, raw)[0].id
    table = store.load(game)
    assert table.game.version == raw["game"]["version"] == len(raw["entries"]) - 1
    for entry in raw["entries"][::25]:
        at = store.table_after(game, entry["number"])
        for seat in (*at.sides, "umpire", "spectator"):
            encode(at.system.view(at.state, seat))
    assert [each.command for each in store.entries(game)] == [each["command"] for each in raw["entries"]]
    assert verify(store, game) == []
    Table(store, game, 5).play(25)
    assert verify(store, game) == []
    after = store.load(game)
    assert after.game.over or after.game.version > table.game.version or not after.system.waiting_for(after.state)
    exported = export(store, game)
    assert [each.command for each in exported.entries] == [each.command for each in store.entries(game)]
    if after.game.version > LONG:
        return  # it is read again as the file was
    again = import_(store, json.loads(encode(exported)))[0].id
    assert [each.engine for each in store.entries(again)] == [each.engine for each in store.entries(game)]
    assert store.state_after(again, after.game.head) == store.state_after(game, after.game.head)


def test_every_scenario_was_saved() -> None:
    saved = {path.name.removesuffix(".json.gz") for path in GAMES}
    for name, system in systems().items():
        for scenario in system.scenarios():
            assert f"{name}_{scenario.id}" in saved, "python tests/saved_games/writing.py VERSION"
