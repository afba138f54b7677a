"""What was acknowledged and is gone is said: at the start, on the organizer's page, and to whoever has seen more."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from pathlib import Path

import pytest

from kit.players import SERVER, Player
from kit.real_house import Browser
from kit.toy import SYSTEMS
from webapp import create_app
from webapp.storage.errors import Stale
from webapp.storage.file import anchors
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify
from webapp.storage.services import backups

SHOT = {"type": "shoot", "side": "red"}


def played(store: Store, count: int) -> str:
    game = store.create("toy", "duel")[0].id
    store.source = lambda sides: 1  # no hits: the game goes on
    for seen in range(count):
        store.submit(game, seen, "red", SHOT)
    return game


def crashed(store: Store, tmp_path: Path) -> Path:
    """The files as they lie after the program was killed: the newest moves in the log alone."""
    copy = tmp_path / "crashed.db"
    for ending in ("", "-wal", ".anchors"):
        shutil.copy(f"{store.file.path}{ending}", f"{copy}{ending}")
    return copy


@pytest.fixture
def small(tmp_path: Path) -> Store:
    store = Store(tmp_path / "games.db", SYSTEMS)
    store.file.db.conn.execute("pragma wal_autocheckpoint = 0")
    return store


def test_a_log_cut_in_half_is_noticed(small: Store, tmp_path: Path) -> None:
    game = played(small, 3)
    backups.checkpoint(small.file.path)
    for seen in range(3, 12):
        small.submit(game, seen, "red", SHOT)
    path = crashed(small, tmp_path)
    log = Path(f"{path}-wal")
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    store = Store(path, SYSTEMS)
    (lost,) = journal_store.look(store)
    assert (lost.game, lost.had) == (game, 12) and 3 <= lost.has < 12
    assert journal_store.read(store) == [lost], "kept until the organizer knows"
    assert journal_store.look(store) == [] and journal_store.read(store) == [lost]
    journal_store.clear(store)
    assert journal_store.read(store) == []


def test_a_log_that_is_gone_is_noticed(small: Store, tmp_path: Path) -> None:
    backups.checkpoint(small.file.path)
    game = played(small, 2)
    path = crashed(small, tmp_path)
    Path(f"{path}-wal").unlink()
    (lost,) = journal_store.look(Store(path, SYSTEMS))
    assert (lost.game, lost.had, lost.has) == (game, 2, -1)


def test_nothing_is_said_when_nothing_is_lost(small: Store, tmp_path: Path) -> None:
    played(small, 3)
    small.undo(played(small, 2), 2, "umpire")
    small.delete(played(small, 1))
    assert journal_store.look(Store(crashed(small, tmp_path), SYSTEMS)) == []


def test_an_acknowledged_entry_that_became_another_is_noticed(small: Store, tmp_path: Path) -> None:
    game = played(small, 3)
    with small.write() as db:
        db.conn.execute("update entries set chain = ? where game = ? and number = 3", ("0" * 32, game))
    assert [each.had for each in journal_store.look(Store(crashed(small, tmp_path), SYSTEMS))] == [3]


def test_half_a_line_and_a_missing_file_of_anchors_are_passed_over(small: Store) -> None:
    played(small, 1)
    path = anchors.beside(small.file.path)
    path.write_text(path.read_text() + "ABCD2345 1")
    assert journal_store.look(small) == []
    path.unlink()
    assert journal_store.look(small) == []


def test_the_anchors_are_small_and_their_owners(small: Store) -> None:
    played(small, 4)
    journal_store.look(small)
    assert len(anchors.beside(small.file.path).read_text().splitlines()) == 1
    assert anchors.beside(small.file.path).stat().st_mode & 0o077 == 0


def test_what_did_not_happen_is_not_acknowledged(small: Store) -> None:
    game = played(small, 1)
    with pytest.raises(ZeroDivisionError), small.write():
        small.submit(game, 1, "red", SHOT)
        raise ZeroDivisionError
    assert anchors.read_ends(small.file.path)[game].number == 1
    assert journal_store.look(small) == []


def test_going_back_to_a_backup_is_no_loss(small: Store) -> None:
    game = played(small, 2)
    made = backups.back_up(small.file.path)
    small.submit(game, 2, "red", SHOT)
    backups.restore(made, small.file.path)
    assert journal_store.look(Store(small.file.path, SYSTEMS)) == []


def test_verify_follows_the_chain(small: Store) -> None:
    game = played(small, 4)
    assert verify(small, game) == []
    with small.write() as db:
        db.conn.execute("update entries set time = '1999' where game = ? and number = 2", (game,))
    assert any("entry 2" in fault and "hash" in fault for fault in verify(small, game))


def test_who_has_seen_more_hears_that_moves_are_lost(small: Store) -> None:
    game = played(small, 2)
    with pytest.raises(Stale, match="lost moves"):
        small.submit(game, 9, "red", SHOT)
    with pytest.raises(Stale, match="lost moves"):
        small.undo(game, 9, "umpire")
    with pytest.raises(Stale, match="moved on"):
        small.submit(game, 1, "red", SHOT)


def test_a_stream_that_comes_back_from_beyond_hears_it_too(store: Store) -> None:
    app = create_app({"STORE": store, "TESTING": True, "BLUEPRINTS": SERVER})
    player = Player(app.test_client())
    player.give("red", 0, "shoot", side="red")
    answer = app.test_client().get(
        f"/api/v1/games/{player.id}/stream", headers={**player.headers("red"), "Last-Event-ID": "9"}
    )
    told = ""
    for piece in answer.response:
        told += piece if isinstance(piece, str) else piece.decode()
        if "data:" in told:
            break
    answer.close()
    assert "event: lost\nid: 1\ndata: 1" in told


def test_an_open_stream_hears_of_a_backup_put_in_the_place_of_the_file(small: Store) -> None:
    game = played(small, 2)
    made = backups.back_up(small.file.path)
    small.submit(game, 2, "red", SHOT)
    app = create_app({"STORE": small, "TESTING": True, "BLUEPRINTS": SERVER})
    hub = app.extensions["navarch"].hub
    stream = hub.stream(game, 3, "127.0.0.1")
    assert "retry" in stream.news() and stream.news() == ""
    backups.put(made, small.file.path)
    for _ in range(600):
        if (told := stream.news()) or hub.closed:
            break
        time.sleep(0.02)
    assert told == "event: lost\nid: 2\ndata: 2\n\n" and stream.news() == ""
    small.submit(game, 2, "red", SHOT)
    assert "event: version\ndata: 3" in stream.news()
    hub.publish(game, 2, 2)
    assert stream.news() == "", "what two writers publish in the other order is no loss"
    stream.close()


def test_the_organizer_reads_what_is_lost_and_says_that_he_knows(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    store.keep_note("lost moves", json.dumps([["ABCD2345", 12, 3], ["WXYZ6789", 2, -1]]))
    app = create_app({"STORE": store, "TESTING": True})
    app.test_client_class = Browser
    client = app.test_client()
    page = client.get("/organizer").text
    assert (
        "players saw entry 12 confirmed, but the file ends at entry 3" in page and "nothing of the game is left" in page
    )
    assert "ABCD2345" not in client.get("/organizer", environ_base={"REMOTE_ADDR": "203.0.113.9"}).text
    assert client.post("/organizer/known", data={}).status_code == 303
    assert "ABCD2345" not in client.get("/organizer").text


@pytest.mark.parametrize(
    "system, form",
    [
        ("galley", {"command": '{"type":"resign","side":"rome"}'}),
        ("hannibal", {"command": '{"type":"resign","side":"rome"}'}),
    ],
)
def test_a_form_from_beyond_is_refused_in_the_readers_words(tmp_path: Path, system: str, form: dict[str, str]) -> None:
    store = Store(tmp_path / "games.db")
    game, tokens = store.create(system, scenario=store.systems[system].scenarios()[0].id)
    app = create_app({"STORE": store, "TESTING": True})
    app.test_client_class = Browser
    client = app.test_client()
    client.get(f"/join/{tokens['umpire']}")
    refused = client.post(f"/g/{game.id}/command", data={"seen": "9", **form})
    assert refused.status_code == 409 and "The server has lost moves: what you last saw" in refused.text


def test_the_log_comes_home_when_nobody_writes(small: Store) -> None:
    played(small, 5)
    log = Path(f"{small.file.path}-wal")
    assert log.stat().st_size > 0
    assert backups.checkpoint(small.file.path) and log.stat().st_size == 0
    worker = backups.keep_checkpointing(small.file.path, idle=0.05)
    played(small, 1)
    for _ in range(600):
        if log.stat().st_size == 0:
            break
        time.sleep(0.05)
    worker.stop()
    assert log.stat().st_size == 0


def test_files_of_earlier_versions_have_no_hashes_and_go_on(small: Store) -> None:
    game = played(small, 2)
    with small.write() as db:
        db.conn.execute("update entries set chain = null")
    small.submit(game, 2, "red", SHOT)
    assert verify(small, game) == []
    assert sqlite3.connect(small.file.path).execute("select chain from entries where number = 3").fetchone()[0]
