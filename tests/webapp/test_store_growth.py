"""A position may stand beside an earlier one: small on disk, the same when read, with at most one row more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical.kernel.protocol import UMPIRE
from tactical.kernel.random_play import fill
from webapp.storage.journal import records
from webapp.storage.journal.records import EVERY, Whole, pack, pack_beside, unpack
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify


@given(st.binary(max_size=3000), st.binary(max_size=3000), st.integers(1, 200))
def test_what_was_packed_is_read_again(before: bytes, after: bytes, number: int) -> None:
    packed = pack_beside(after, Whole(0, before), number)
    assert unpack(packed.state, None if packed.beside is None else before) == after
    assert packed.beside in (None, 0) and (number < EVERY or packed.beside is None)


def test_a_small_change_in_a_large_position_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    before = b"".join(
        b'{"ship":"r%d","at":[%d,%d]}' % (n, chance.randrange(99), chance.randrange(99)) for n in range(900)
    )
    after = before.replace(b'"r899"', b'"r9000"')
    assert len(before) < records.WINDOW and len(pack_beside(after, Whole(3, before), 4).state) < 400


def test_a_position_beside_a_damaged_one_is_not_read_as_another() -> None:
    before, after = b"abc" * 300, b"abc" * 299 + b"abd"
    packed = pack_beside(after, Whole(0, before), 1)
    assert packed.beside == 0
    with pytest.raises(ValueError, match="damaged"):
        unpack(packed.state, before[:-1] + b"x")
    with pytest.raises(ValueError, match="damaged"):
        unpack(packed.state)


def played(store: Store, commands: int, seed: int) -> str:
    """A battle played at random, with an undo now and then."""
    chance = random.Random(seed)
    game = store.create("galley", "first_oars")[0].id
    for _ in range(commands):
        table = store.load(game)
        if table.game.over:
            break
        if table.game.version and chance.random() < 0.1:
            store.undo(game, table.game.version, UMPIRE)
            continue
        seat = chance.choice(table.system.waiting_for(table.state))
        offers = [offer for offer in table.system.offers(table.state, seat) if offer.type not in ("resign", "agree")]
        store.submit(game, table.game.version, seat, fill(chance.choice(offers), chance))
    return game


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_reads_and_verifies_over_several_whole_positions(tmp_path: Path, seed: int) -> None:
    store = Store(tmp_path / "games.db")
    game = played(store, 3 * EVERY, seed)
    rows = store.file.rows(
        "select number, beside, length(state) as size from entries where game = ? and state is not null", game
    )
    whole = {row["number"] for row in rows if row["beside"] is None}
    beside = [row for row in rows if row["beside"] is not None]
    assert len(whole) >= 2 and len(beside) > 2 * len(whole) and {row["beside"] for row in beside} <= whole
    assert max(row["number"] - row["beside"] for row in beside) < EVERY
    assert verify(store, game) == []
    again = Store(tmp_path / "games.db")
    assert again.load(game).state == store.load(game).state


def test_a_choice_taken_back_is_found_without_reading_the_others(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    plan = store.file.rows(
        "explain query plan select * from entries where game = ? and choice = ? and taken_back is not null"
        " order by number desc limit 1",
        "G",
        "C",
    )
    assert "idx_entries_taken_back" in plan[0]["detail"] and "SCAN" not in plan[0]["detail"]


def test_positions_of_older_files_stand_whole(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    game = played(store, 10, 3)
    with store.file.write() as db:  # as version 0.1 wrote them
        db.conn.execute("update entries set chain = null")
        for number in range(store.game(game).version + 1):
            state = store.stored_state(game, number)
            if state is not None:
                db.conn.execute(
                    "update entries set state = ?, beside = null where game = ? and number = ?",
                    (pack(state), game, number),
                )
    before = store.load(game).state
    assert verify(store, game) == [] and Store(tmp_path / "games.db").load(game).state == before
