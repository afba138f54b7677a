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
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.journal.transfer import import_, verify

OLD = Path(__file__).parent / "v0.1"
GAMES = {"galley": "galley_mylae", "hannibal": "hannibal_second_punic_war"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db", source=random_source(random.Random(1).randrange))


@pytest.mark.parametrize("system", GAMES)
def test_a_game_of_an_earlier_version_goes_on_from_a_marked_entry(store: Store, system: str) -> None:
    raw = json.loads(gzip.decompress((OLD / f"{GAMES[system]}.json.gz").read_bytes()))
    game, tokens = import_(store, raw)
    now = all_systems()[system].version
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
    galley = all_systems()["galley"]
    game, _ = store.create("galley", scenario="mylae")
    Table(store, game.id, 5).play(6)
    assert verify(store, game.id) == []
    silent = Store(store.file.path, {"galley": changed(galley, galley.version)})
    assert any("another position" in fault for fault in verify(silent, game.id))
    told = Store(store.file.path, {"galley": changed(galley, "next")})
    assert verify(told, game.id) == [], "what an earlier version made stands as it is"


def test_o6_1_a_war_that_version_2_stopped_in_a_meeting_goes_on(store: Store) -> None:
    """There everybody waited for the meeting: when it is settled, the days of all others follow."""
    raw = json.loads(gzip.decompress((OLD.parent / "v0.3" / "open_campaign_2_in_a_meeting.json.gz").read_bytes()))
    game, _ = import_(store, raw)
    state = store.load(game.id).state
    assert (raw["game"]["engine"], state.step, state.turn, state.day) == ("2", "engagement", 1, 1)
    assert state.fleets["escort"].at != "kos"
    after = state
    for _meeting in range(3):  # others may meet when their days follow
        if after.engagement is None:
            break
        way = {"type": "choose_way", "engagement": after.engagement.id, "side": "rhodes", "way": "own_table"}
        store.submit(game.id, store.game(game.id).version, "rhodes", way, "digital")
        after = store.load(game.id).state
    assert (after.step, after.turn, after.engagement) == ("orders", 2, None)
    assert state.engagement.id in after.settled
    assert after.fleets["escort"].at == "kos"
    assert verify(store, game.id) == []
    for side in after.playing:
        store.submit(game.id, store.game(game.id).version, side, {"type": "ready", "side": side}, "digital")
    assert store.load(game.id).state.turn == 3
