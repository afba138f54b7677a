"""What another process wrote is played on from what stood here: the same position, with what is unchanged kept."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from toy import SYSTEMS

from tactical.kernel.protocol import Illegal
from tactical.kernel.record import encode
from tests.random_acts import change
from webapp.storage import playing_on
from webapp.storage.games import Store
from webapp.storage.playing_on import played_on
from webapp.systems import systems

PLOT = {"type": "plot", "side": "red", "number": 3}


@pytest.mark.parametrize("name", systems())
def test_a_process_that_plays_on_has_the_position_that_is_stored(tmp_path: Path, name: str) -> None:
    """Random commands and undos by one, looked at by another now and then, and by one that has only just come."""
    here, there = Store(tmp_path / "games.db"), Store(tmp_path / "games.db")
    chance = random.Random(5)
    scenario = "mylae" if name == "galley" else here.systems[name].scenarios()[0].id
    game = here.create(name, scenario)[0].id
    there.load(game)
    played = 0
    for _ in range(150):
        change(here, game, chance)
        if chance.random() < 0.4:
            head = here.load(game).game.head
            played += played_on(there.file, there.positions, game, head, there.systems[name]) is not None
            mine, theirs, fresh = (store.load(game) for store in (here, there, Store(tmp_path / "games.db")))
            assert encode(theirs.state) == encode(mine.state) == fresh.json
            assert theirs.kept.whole == fresh.kept.whole
            assert theirs.kept.chain == mine.kept.chain
            for seat in theirs.sides:
                assert encode(theirs.view(seat)) == encode(fresh.view(seat))
                assert theirs.offers(seat) == fresh.offers(seat)
    assert played > 25


def test_what_is_unchanged_stays_the_same_value(tmp_path: Path) -> None:
    here, there = Store(tmp_path / "games.db"), Store(tmp_path / "games.db")
    game = here.create("galley", "mylae")[0].id
    before = there.load(game).state
    name, *others = before.ships
    here.submit(game, 0, before.ships[name].side, {"type": "plot", "ship": name, "speed": 1})
    after = there.load(game).state
    assert after.ships[name] != before.ships[name]
    assert all(after.ships[other] is before.ships[other] for other in others)


def played(store: Store, game: str, number: int) -> bool:
    return played_on(store.file, store.positions, game, number, SYSTEMS["toy"]) is not None


@pytest.fixture
def both(store: Store) -> tuple[Store, Store, str]:
    """Two stores of one file, and a game that both have read."""
    game = store.create("toy", "duel")[0].id
    there = Store(store.file.path, systems=SYSTEMS)
    there.load(game)
    return store, there, game


def test_it_is_played_on_over_a_few_commands_only(
    both: tuple[Store, Store, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, game = both
    monkeypatch.setattr(playing_on, "FEW", 1)
    here.submit(game, 0, "red", PLOT)
    assert played(there, game, 1)
    here.submit(game, 1, "blue", {**PLOT, "side": "blue"})
    assert not played(there, game, 2)
    assert encode(there.load(game).state) == encode(here.load(game).state)


def test_what_was_taken_back_or_comes_after_it_is_read(both: tuple[Store, Store, str]) -> None:
    here, there, game = both
    here.submit(game, 0, "red", PLOT)
    here.undo(game, 1, "red")
    assert not played(there, game, 1)
    here.submit(game, 2, "red", {**PLOT, "number": 5})
    assert not played(there, game, 3)
    assert there.load(game).state.plots == {"red": 5}


def test_another_journal_is_read(both: tuple[Store, Store, str]) -> None:
    here, there, game = both
    here.submit(game, 0, "red", PLOT)
    with here.write() as db:
        db.conn.execute("update entries set chain = 'another' where game = ? and number = 0", (game,))
    assert not played(there, game, 1)


def test_what_other_rules_wrote_or_refuse_now_is_read(both: tuple[Store, Store, str]) -> None:
    here, there, game = both
    here.submit(game, 0, "red", PLOT)
    with here.write() as db:
        db.conn.execute("update entries set engine = '0.0' where game = ? and number = 1", (game,))
    assert not played(there, game, 1)

    def refused(*_: object) -> None:
        raise Illegal("no more", "X1")

    with here.write() as db:
        db.conn.execute("update entries set engine = ? where game = ? and number = 1", (SYSTEMS["toy"].version, game))
    assert played(there, game, 1)
    assert played_on(there.file, there.positions, game, 1, replace(SYSTEMS["toy"], apply=refused)) is None


def test_a_game_that_is_no_more_is_not_played_on(both: tuple[Store, Store, str]) -> None:
    here, there, game = both
    here.submit(game, 0, "red", PLOT)
    with here.write() as db:
        db.conn.execute("delete from entries where game = ?", (game,))
    assert not played(there, game, 1)
