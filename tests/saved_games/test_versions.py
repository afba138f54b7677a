"""A game says by which version of the rules each entry was made, and goes on by the present one from a marked entry."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from saved_games.writing import Table
from tactical.kernel.dice import random_source
from tactical.kernel.protocol import Outcome
from webapp import create_app
from webapp.storage.journal.store import Store
from webapp.storage.journal.systems import systems
from webapp.storage.journal.transfer import import_
from webapp.storage.journal.verifying import verify

OLD = Path(__file__).parent / "v0.1"
GAMES = {"galley": "galley_mylae", "hannibal": "hannibal_second_punic_war"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db", source=random_source(random.Random(1).randrange))


@pytest.mark.parametrize("system", GAMES)
def test_a_game_of_an_earlier_version_goes_on_from_a_marked_entry(store: Store, system: str) -> None:
    raw = json.loads(gzip.decompress((OLD / f"{GAMES[system]}.json.gz").read_bytes()))
    game, tokens = import_(store, raw)
    now = systems()[system].version
    assert raw["game"]["engine"] != now, "the rules have changed since, and so has their version"
    Table(store, game.id, 5).play(3)
    made_by = [entry.engine for entry in store.entries(game.id)]
    old = len(raw["entries"])
    assert set(made_by[:old]) == {raw["game"]["engine"]} and set(made_by[old:]) == {now}
    client = create_app({"STORE": store, "TESTING": True}).test_client()
    seat = {"Authorization": f"Bearer {tokens['umpire']}"}
    told = client.get(f"/api/v1/games/{game.id}/journal?after={old - 2}", headers=seat).json["entries"]
    assert [entry["engine"] for entry in told][:2] == [raw["game"]["engine"], now]
    client.get(f"/join/{tokens['umpire']}")
    page = client.get(f"/g/{game.id}/log?lang=en&seat=umpire").text
    said = f"From here on version {now} of the rules applies; before, version {raw['game']['engine']}."
    assert page.count(said) == 1


def changed(system: Any, version: str) -> Any:
    """The same system with a rule that behaves otherwise: nobody's turn limit is what it was."""

    def apply(*given: Any) -> Outcome[Any]:
        outcome = system.apply(*given)
        return Outcome(msgspec.structs.replace(outcome.state, turn_limit=77), outcome.events)

    return replace(system, apply=apply, version=version)


def test_rules_that_change_without_their_version_are_found_out(store: Store, tmp_path: Path) -> None:
    galley = systems()["galley"]
    game, _ = store.create("galley", scenario="mylae")
    Table(store, game.id, 5).play(6)
    assert verify(store, game.id) == []
    silent = Store(store.file.path, {"galley": changed(galley, galley.version)})
    assert any("another position" in fault for fault in verify(silent, game.id))
    told = Store(store.file.path, {"galley": changed(galley, "next")})
    assert verify(told, game.id) == [], "what an earlier version made stands as it is"
