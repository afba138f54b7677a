"""The disk is full, another program holds the file, it may only be read, a page or the log is damaged: each is told in a
sentence with what to do, by page, API and command line; nothing acknowledged is lost, and other games go on."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kit.command_line import COMMAND, SURROUNDINGS
from kit.server import Server
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify
from webapp.storage.services import backups

SMALL = 6 * 1024 * 1024  # bytes of a disk


def cli(*arguments: str | Path) -> tuple[int, str]:
    """Run the command line: its exit code and what it says of a fault, which is one line."""
    command = [*COMMAND, *map(str, arguments)]
    done = subprocess.run(command, env=SURROUNDINGS, capture_output=True, text=True, timeout=90, check=False)
    assert "Traceback" not in done.stderr and len(done.stderr.strip().splitlines()) <= 1, done.stderr
    return done.returncode, done.stderr + done.stdout


class Table:
    """A battle on a server, and its next command."""

    def __init__(self, server: Server, game: str, token: str) -> None:
        self.server, self.id, self.token, self.seen = server, game, token, 0

    def give(self, why: str = "a test") -> tuple[int, Any]:
        command = {"type": "adjust", "ship": "r1", "changes": {"name": why[:20]}, "why": why}
        body = {"command": command, "seen": self.seen}
        status, answer = self.server.ask("POST", f"/api/v1/games/{self.id}/commands", body, self.token)
        if status == 200:
            self.seen = answer["version"]
        return status, answer

    def form(self) -> tuple[int, str]:
        """The same by the page's form."""
        command = '{"type":"adjust","ship":"r1","changes":{"name":"Aquila"},"why":"a form"}'
        return self.server.browse(
            f"/g/{self.id}/command?seat=umpire", self.token, {"seen": str(self.seen), "command": command}
        )

    def shows(self) -> tuple[int, int]:
        """Does its page open, and the API's answer?"""
        page, _ = self.server.browse(f"/g/{self.id}?seat=umpire", self.token)
        return page, self.server.ask("GET", f"/api/v1/games/{self.id}", token=self.token)[0]


def tables(server: Server, count: int = 2) -> list[Table]:
    """Battles in the server's file, made before it starts."""
    store = Store(server.database)
    found = []
    for _ in range(count):
        game, tokens = store.create("galley", scenario="mylae")
        found.append(Table(server, game.id, tokens["umpire"]))
    backups.checkpoint(server.database)
    store.file.close()
    return found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "games.db")
    yield made
    made.stop()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few megabytes; left out, with a sentence, where none can be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be mounted here: only the test with a bound on the file's size was made")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def until_refused(table: Table) -> Any:
    """Commands until the disk takes no more; the refusal."""
    for number in range(4000):
        status, answer = table.give(f"{number} " + "x" * 450)
        if status != 200:
            assert status == 507, (status, answer)
            return answer
    raise AssertionError("the disk is never full")


@pytest.mark.soak  # the next test holds the same in `make test`, without a small disk
def test_a_full_disk_is_told_and_play_goes_on_when_there_is_room(small_disk: Path) -> None:
    server = Server(small_disk / "games.db")
    one, other = tables(server)
    try:
        server.start()
        assert one.give()[0] == 200
        filler = small_disk / "filler"
        room = shutil.disk_usage(small_disk).free
        filler.write_bytes(b"x" * (room - 256 * 1024))
        refused = until_refused(one)
        assert "disk is full" in refused["error"] and "make room" in refused["error"]
        status, page = other.form()
        assert status == 507 and "disk is full" in page and "make room" in page
        assert one.shows() == other.shows() == (200, 200)
        assert "disk is full" in server.browse("/organizer")[1]
        filler.write_bytes(b"x" * (shutil.disk_usage(small_disk).free + filler.stat().st_size))  # to the last byte
        code, said = cli("backup", "--db", server.database)
        assert code == 2 and "full" in said.lower(), said
        filler.unlink()
        assert one.give()[0] == other.give()[0] == 200
        server.kill()
        whole(server, one, other)
    finally:
        server.stop()


def test_a_file_that_may_not_grow_is_told(tmp_path: Path) -> None:
    """What a quota does, where no small disk can be mounted."""
    server = Server(tmp_path / "games.db", largest=SMALL // 8)
    one, other = tables(server)
    try:
        server.start()
        refused = until_refused(one)
        assert "disk is full" in refused["error"]
        assert one.shows() == other.shows() == (200, 200)
        server.kill()
        whole(server, one, other)
    finally:
        server.stop()


def whole(server: Server, *played: Table) -> None:
    """Every acknowledged command stands, and nothing else."""
    store = Store(server.database)
    assert journal_store.look(store) == []
    for table in played:
        assert store.game(table.id).version >= table.seen and verify(store, table.id) == []
    store.file.close()


def test_a_lock_is_told_and_play_goes_on_when_it_is_let_go(server: Server) -> None:
    (table,) = tables(server, 1)
    server.start()
    game = Path(server.database.parent / "game.json")
    assert cli("export", table.id, "--out", game, "--db", server.database)[0] == 0
    holder = sqlite3.connect(server.database, isolation_level=None)
    holder.execute("begin immediate")
    with ThreadPoolExecutor() as at_once:  # each waits for the lock as long as the program does
        asked = [at_once.submit(table.give), at_once.submit(table.form), at_once.submit(table.shows)]
        typed = at_once.submit(cli, "import", game, "--db", server.database)
    status, answer = asked[0].result()
    assert status == 503 and "Another program has locked" in answer["error"] and "Try again" in answer["error"]
    status, page = asked[1].result()
    assert status == 503 and "Another program has locked" in page
    assert asked[2].result() == (200, 200)
    assert typed.result()[0] == 2 and "Another program has locked" in typed.result()[1]
    holder.execute("rollback")
    assert table.give()[0] == 200


def test_a_file_that_may_only_be_read_is_told(small_disk: Path) -> None:
    server = Server(small_disk / "games.db")
    (table,) = tables(server, 1)
    for ending in ("-wal", "-shm"):
        Path(f"{server.database}{ending}").unlink(missing_ok=True)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for command in (["serve", "--port", "1"], ["verify"], ["export", table.id], ["backup"]):
        code, said = cli(*command, "--db", server.database)
        assert code == 2, said
        assert "only read" in said or "cannot be opened" in said or "Read-only" in said, said


@pytest.mark.parametrize("place", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_a_damaged_page_hits_what_lies_there_and_nothing_else(server: Server, place: int) -> None:
    """Wherever a page is spoilt, each game answers or says so, and none that can be read is held up by another."""
    played = tables(server, 6)
    pages = leaves(server.database)
    spoil(server.database, pages[place * len(pages) // 2])
    server.start()
    for table in played:
        assert set(table.shows()) in ({200}, {503})
        status, answer = table.give()
        if table.shows() == (200, 200) and status != 200:
            assert status == 503 and "damaged" in answer["error"] and "navarch restore" in answer["error"]
        if table.shows() != (200, 200):
            assert "damaged" in server.browse(f"/g/{table.id}?seat=umpire", table.token)[1]
    assert sum(table.shows() == (200, 200) for table in played) >= 4
    server.kill()
    code, said = cli("verify", "--db", server.database)
    assert code == 1 or "6 games, 0 differences" in said, said


def leaves(database: Path) -> list[int]:
    """The pages that hold entries."""
    with sqlite3.connect(database) as db:
        try:
            sql = "select pageno from dbstat where name = 'entries' and pagetype in ('leaf', 'overflow')"
            return [int(row[0]) for row in db.execute(sql)]
        except sqlite3.OperationalError:
            size = database.stat().st_size // 4096
            return list(range(size // 2, size))


def spoil(database: Path, page: int) -> None:
    """Overwrite a page of the file."""
    with database.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)


def test_a_damaged_file_is_told_at_the_start_and_the_page_goes_back_to_a_backup(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db", "--backup-minutes", "60")
    one, other = tables(server)
    made = backups.back_up(server.database)
    for page in leaves(server.database):
        spoil(server.database, page)
    try:
        server.start()
        for _ in range(100):
            if (backups.folder_of(server.database) / "fault.txt").exists():
                break
            time.sleep(0.1)
        organizer = server.browse("/organizer")[1]
        assert "damaged" in organizer and made.name in organizer and "Go back to this backup" in organizer
        assert server.browse("/organizer/restore", fields={"backup": made.name})[0] == 200
        assert one.shows() == other.shows() == (200, 200)
        assert one.give()[0] == 200
        assert list(tmp_path.glob("games.db.damaged-*")), "what was there is kept"
    finally:
        server.stop()


def test_a_damaged_log_is_told_to_the_organizer_and_to_who_has_seen_more(server: Server) -> None:
    (table,) = tables(server, 1)
    server.start()
    for _ in range(8):
        assert table.give()[0] == 200
    server.kill()
    log = Path(f"{server.database}-wal")
    kept = log.read_bytes()
    log.write_bytes(kept[: len(kept) // 2])
    server.start()
    assert "lost moves" in (server.database.parent / "server.log").read_text()
    assert "confirmed" in server.browse("/organizer")[1]
    status, answer = table.give()
    assert status == 409 and "lost moves" in answer["error"] and "organizer" in answer["error"]
    table.seen = answer["detail"]["version"]
    assert table.give()[0] == 200
