"""Positions that are kept in memory: read once, never another journal's, views and offers for each seat apart."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kit.toy import SYSTEMS, Toy
from tactical.kernel import cache
from tactical.kernel.record import BadInput, encode
from webapp.storage.journal import records
from webapp.storage.journal.new_game import may_bring_names
from webapp.storage.journal.records import Position, Positions
from webapp.storage.journal.store import Store

PLOT = {"type": "plot", "side": "red", "number": 3}
OTHER = {"type": "plot", "side": "red", "number": 5}


def test_a_position_is_read_once(store: Store) -> None:
    game = store.create("toy", "duel")[0].id
    first = store.load(game)
    assert store.load(game).state is first.state


def test_a_position_just_written_is_the_one_that_is_stored(store: Store, tmp_path: Path) -> None:
    game = store.create("toy", "duel")[0].id
    store.submit(game, 0, "red", PLOT)
    fresh = Store(store.file.path, systems=SYSTEMS).load(game)
    assert encode(store.load(game).state) == encode(fresh.state) == fresh.json == store.load(game).json
    assert store.load(game).kept.whole == fresh.kept.whole


def test_what_another_process_has_written_is_read(store: Store) -> None:
    game = store.create("toy", "duel")[0].id
    store.load(game)
    other = Store(store.file.path, systems=SYSTEMS)
    other.submit(game, 0, "red", PLOT)
    assert store.load(game).state.plots == {"red": 3}
    other.undo(game, 1, "red")
    assert store.load(game).state.plots == {}


def test_another_journal_under_the_same_code_is_another_position(store: Store, tmp_path: Path) -> None:
    """A backup that was put back may go on otherwise: the entry's number is the same, its chain is not."""
    game = store.create("toy", "duel")[0].id
    store.submit(game, 0, "red", PLOT)
    known = store.load(game)
    with store.write() as db:
        db.conn.execute("delete from entries where game = ? and number = 1", (game,))
        db.conn.execute("update games set version = 0, head = 0 where id = ?", (game,))
    Store(store.file.path, systems=SYSTEMS).submit(game, 0, "red", OTHER)
    again = store.load(game)
    assert (again.game.version, again.game.head) == (known.game.version, known.game.head)
    assert again.state.plots == {"red": 5}


def test_views_and_offers_are_kept_for_each_seat_apart(store: Store) -> None:
    game = store.create("toy", "duel")[0].id
    store.submit(game, 0, "red", PLOT)
    for _ in range(2):
        table = store.load(game)
        for seat in ("red", "blue", "umpire", "spectator"):
            assert table.view(seat) == table.system.view(table.state, seat)
            assert table.offers(seat) == list(table.system.offers(table.state, seat))
    assert store.load(game).view("blue") is store.load(game).view("blue")
    assert encode(store.load(game).view("blue")) != encode(store.load(game).view("red"))


def test_only_so_many_bytes_are_kept(fresh_cache: None) -> None:
    kept, size = Positions(), cache.MOST // (3 * records.TIMES)
    for number in range(3):
        kept.keep(("g", number, "c"), Position(number), size)
    assert kept.get(("g", 0, "c")) is None
    assert [found.state for number in (1, 2) if (found := kept.get(("g", number, "c")))] == [1, 2]


def test_names_are_looked_for_in_what_is_new_alone() -> None:
    before = Toy(points={"A strange name": 1, "red": 0})
    assert not may_bring_names(before, before)
    assert not may_bring_names(msgspec.structs.replace(before, plots={"blue": 2}), before)
    assert not may_bring_names(Toy(points={"A strange name": 2}), before)
    assert may_bring_names(Toy(plots={"A strange name": 1}), before)
    assert may_bring_names(before, None)
    assert may_bring_names({"spaces": [{"roma": {"<b>": 1}}]}, {"spaces": [{"roma": {}}]})
    assert not may_bring_names(Toy(points={"2.1": 1}), before)


def test_a_command_that_brings_a_strange_name_is_refused(store: Store) -> None:
    game = store.create("toy", "duel")[0].id
    with pytest.raises(BadInput, match="'<b>' is not a name"):
        store.submit(game, 0, "umpire", {"type": "adjust", "points": {"<b>": 1}, "why": "a test"})
    assert store.load(game).game.version == 0
