"""Saved games: changes instead of whole positions, and the same bytes again."""

from __future__ import annotations

import json
import random
import tracemalloc
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kit.toy import SYSTEMS
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import BadInput, encode
from webapp.cli.trials import saved_play
from webapp.storage.journal.records import apply_changes, changes
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.journal.transfer import export, import_

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from([0.0, 1.0]) | st.sampled_from("ab"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(JSON, JSON)
def test_changes_lead_to_the_same_bytes(before: Any, after: Any) -> None:
    kept = encode(before)
    assert encode(apply_changes(before, changes(before, after))) == encode(after)
    assert encode(before) == kept, "the first value is left as it was"


def test_changes_are_small() -> None:
    before = {"ships": {"a": {"hull": 3, "at": [1, 2]}, "b": {"hull": 5}}, "plots": {"a": 1}}
    after = {"ships": {"a": {"hull": 2, "at": [1, 3]}, "b": {"hull": 5}}, "plots": {}}
    assert changes(before, after) == [[["ships", "a", "hull"], 2], [["ships", "a", "at", 1], 3], [["plots", "a"]]]
    assert changes(before, before) == []


@pytest.mark.parametrize(
    "wrong",
    [[1], [[]], [[[]]], [[["x"]]], [["x", 1]], [[["x", "y"], 1]], [[["a", 5], 1]], [[[0], 1]], [[["a", True], 1]]],
)
def test_changes_that_do_not_fit_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError):
        apply_changes({"a": [1, 2]}, wrong)


def test_a_saved_game_is_plain_json_with_the_whole_start(store: Store) -> None:
    game = store.create("toy", "duel")[0].id
    store.submit(game, 0, "umpire", {"type": "shoot", "side": "red"}, [5, 5])
    saved = json.loads(encode(export(store, game)))
    assert saved["entries"][0]["state"] == json.loads(store.state_after(game, 0))
    assert saved["entries"][1]["changes"] == [[["points", "red"], 2]]


def test_a_roll_that_is_awaited_is_saved_too(store: Store) -> None:
    game = store.create("toy", "duel", dice="physical")[0].id
    store.submit(game, 0, "red", {"type": "shoot", "side": "red"}, [6])
    new, _ = import_(store, json.loads(encode(export(store, game))))
    assert store.game(new.id).waiting == store.game(game).waiting
    assert store.submit(new.id, 0, "red", {"type": "shoot", "side": "red"}, [6, 1, 1]).version == 1


@pytest.mark.parametrize("name", ["galley", "toy"])
def test_a_long_game_fits_through_the_api_and_comes_back(store: Store, name: str) -> None:
    system = {**all_systems(), **SYSTEMS}[name]
    scenario = "mylae" if name == "galley" else "duel"
    played = play_at_random(system, scenario, random.Random(11))
    assert not played.faults
    store.systems = {name: system}
    written = encode(saved_play(played, "11"))
    assert len(written) < 4 * 1024 * 1024
    game, _ = import_(store, json.loads(written))
    assert [store.state_after(game.id, number) for number in range(len(played.states))] == played.states
    assert encode(export(store, game.id).entries) == encode(saved_play(played, "11").entries)


def test_a_version_that_the_journal_does_not_have_costs_nothing(store: Store) -> None:
    """A version of a thousand million once made a list of so many numbers, and ended the server."""
    game, _ = store.create("toy", "duel")
    saved = json.loads(encode(export(store, game.id)))
    saved["game"]["version"] = 10**9
    tracemalloc.start()
    with pytest.raises(BadInput, match="without a gap"):
        import_(store, saved)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10 * 1024 * 1024
