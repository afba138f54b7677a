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
from tactical.kernel.record import encode, read
from webapp.storage.journal.engagements import install
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.journal.transfer import Saved, cut, export, import_, verify

GAMES = sorted(Path(__file__).parent.glob("*/*.json.gz"))
LONG = 200  # entries: so far a long game is looked at here, and to its end in the soak


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.name.removesuffix('.json.gz')}"


def is_large(path: Path) -> bool:
    """May it have more entries than are looked at here?"""
    return path.stat().st_size > 10_000


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "games.db", source=random_source(random.Random(1).randrange))
    install(store)
    return store


@pytest.mark.parametrize(
    ("path", "length"),
    [pytest.param(path, LONG, id=named(path)) for path in GAMES]
    + [
        pytest.param(path, 10**6, id=f"whole-{named(path)}", marks=pytest.mark.soak) for path in GAMES if is_large(path)
    ],
)
def test_a_saved_game_opens_is_verified_played_on_and_exported(store: Store, path: Path, length: int) -> None:
    raw: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    if len(raw["entries"]) > length:
        raw = json.loads(encode(cut(read(raw, Saved), length, "cut")))
    game = import_(store, raw)[0].id
    table = store.load(game)
    assert table.game.version == raw["game"]["version"] == len(raw["entries"]) - 1
    for entry in raw["entries"][::25]:
        at = store.table_after(game, entry["number"])
        for seat in (*at.sides, "umpire", "spectator"):
            encode(at.system.view(at.state, seat))
    assert [each.command for each in store.entries(game)] == [each["command"] for each in raw["entries"]]
    Table(store, game, 5).play(25)
    assert verify(store, game) == []  # what was imported, and what was played on it
    after = store.load(game)
    assert after.game.over or after.game.version > table.game.version or not after.system.waiting_for(after.state)
    again = import_(store, json.loads(encode(export(store, game))))[0].id
    assert [each.engine for each in store.entries(again)] == [each.engine for each in store.entries(game)]
    assert store.state_after(again, after.game.head) == store.state_after(game, after.game.head)


def test_every_scenario_was_saved() -> None:
    saved = {path.name.removesuffix(".json.gz") for path in GAMES}
    for name, system in all_systems().items():
        for scenario in system.scenarios():
            assert f"{name}_{scenario.id}" in saved, "python tests/saved_games/writing.py VERSION"
