"""What a full, locked, read-only or damaged disk says."""

from __future__ import annotations

import errno
import sqlite3
from typing import Any

import pytest

from kit.doors import (
    house,
    real_games,  # noqa: F401
)
from kit.toy import SYSTEMS
from navarch import main
from webapp.http import operations
from webapp.storage.file import database
from webapp.storage.journal.store import Store


def met(code: int) -> sqlite3.OperationalError:
    fault = sqlite3.OperationalError("told by SQLite")
    fault.sqlite_errorcode = code
    return fault


@pytest.mark.parametrize(
    "code, status, word",
    [
        (sqlite3.SQLITE_FULL, 507, "full"),
        (sqlite3.SQLITE_BUSY, 503, "locked"),
        (sqlite3.SQLITE_READONLY, 503, "only read"),
        (sqlite3.SQLITE_CORRUPT, 503, "damaged"),
    ],
)
def test_what_the_disk_says_is_told_in_a_sentence(
    real: Store, monkeypatch: pytest.MonkeyPatch, code: int, status: int, word: str
) -> None:
    game, tokens = real.create("galley", scenario="mylae")
    app = house(real)
    client = app.test_client()
    client.get(f"/join/{tokens['umpire']}")

    def broken(*_: Any, **__: Any) -> Any:
        raise met(code)

    monkeypatch.setattr("webapp.storage.journal.writing.submit", broken)
    body = {"command": {"type": "resign", "side": "rome"}, "seen": 0}
    told = client.post(
        f"/api/v1/games/{game.id}/commands", json=body, headers={"Authorization": f"Bearer {tokens['rome']}"}
    )
    assert (told.status_code, told.json["rule"]) == (status, None) and word in told.json["error"]
    page = client.post(f"/g/{game.id}/command", data={"seen": "0", "command": '{"type":"resign","side":"rome"}'})
    assert page.status_code == status and word in page.text
    assert word in client.get("/organizer").text


def test_every_trouble_is_told_in_the_readers_language() -> None:
    for trouble in {id(each): each for each in database.BY_CODE.values()}.values():
        assert str(trouble) in operations.HOUSE
    assert database.trouble(OSError(errno.ENOSPC, "no space")) is database.FULL
    assert database.trouble(OSError(errno.ENOENT, "no file")) is None


@pytest.mark.parametrize(
    "version, is_mended",
    [
        ((3, 40, 1), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((4, 0, 0), True),
    ],
)
def test_the_start_says_which_sqlite_is_loaded_and_whether_it_has_the_fault_of_its_log(
    version: tuple[int, ...], is_mended: bool
) -> None:
    told = database.sqlite_line(version)
    assert told.startswith(f"SQLite {'.'.join(map(str, version))}") and ("newer SQLite" not in told) == is_mended


def test_a_damaged_game_hides_no_other(real: Store, capsys: pytest.CaptureFixture[str]) -> None:
    bad, _ = real.create("galley", scenario="mylae")
    good, tokens = real.create("galley", scenario="mylae")
    with real.write() as db:
        db.conn.execute("update entries set state = x'00' where game = ?", (bad.id,))
    client = house(real).test_client()
    page = client.get("/organizer")
    assert page.status_code == 200 and "damaged" in page.text and good.id in page.text
    seat = {"Authorization": f"Bearer {tokens['umpire']}"}
    assert client.get(f"/api/v1/games/{good.id}", headers=seat).status_code == 200
    assert client.get(f"/display/{bad.id}").status_code == 503
    with real.write() as db:  # and an entry beside the start, so that there is something to verify
        db.conn.execute(
            "insert into entries select game, 1, 0, seat, time, command, rolls, draws, events, on_behalf,"
            " taken_back, choice, state, engine, null, null from entries where game = ?",
            (bad.id,),
        )
    assert main(["verify", "--db", str(real.file.path)]) == 1
    told = capsys.readouterr().out
    assert "damaged" in told and f"{good.id} galley version 0: well" in told


def test_a_transaction_that_could_not_end_is_over(store: Store) -> None:
    """After a commit that fails nothing of it is left open for the next writer of the thread."""
    store.create("toy", "duel")
    store.file.db.conn.execute("pragma max_page_count = 1")
    with pytest.raises(sqlite3.OperationalError):
        for _ in range(200):
            store.create("toy", "duel")
    assert not store.file.db.conn.in_transaction
    store.file.db.conn.execute("pragma max_page_count = 1000000")
    count = len(store.games())
    store.create("toy", "duel")
    assert len(Store(store.file.path, SYSTEMS).games()) == count + 1
