"""Files that are damaged or no files of games: one line and exit 2 on the command line, and nothing is made worse."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kit.server import Server
from navarch import main
from webapp.storage.journal.store import Store


def spoilt(tmp_path: Path, how: str) -> Path:
    path = tmp_path / "games.db"
    if how == "letters":
        path.write_text("Dear Hasdrubal, " * 500)
        return path
    if how == "folder":
        path.mkdir()
        return path
    store = Store(path)
    for _ in range(3):
        store.create("galley", scenario="mylae")
    store.file.db.conn.execute("pragma wal_checkpoint(truncate)")
    store.file.close()
    with path.open("r+b") as file:
        if how == "header":
            file.write(b"\xa5" * 100)
        else:  # the first pages after the header's: the schema, and what it leads to
            file.seek(100)
            file.write(b"\xa5" * 4096 * 3)
    return path


@pytest.mark.parametrize("how", ["letters", "folder", "header", "pages"])
@pytest.mark.parametrize("command", [["verify"], ["serve", "--port", "1"], ["export", "ABCD2345"], ["backup"]])
def test_a_file_that_is_none_is_one_line_and_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str, command: list[str]
) -> None:
    path = spoilt(tmp_path, how)
    before = None if how == "folder" else path.read_bytes()
    assert main([*command, "--db", str(path)]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and "Traceback" not in said[0] and said[0].startswith("navarch: ")
    assert before is None or path.read_bytes() == before


def test_a_damaged_game_leaves_the_others_in_play(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db")
    store = Store(server.database)
    bad, _ = store.create("galley", scenario="mylae")
    good, tokens = store.create("galley", scenario="mylae")
    with sqlite3.connect(server.database) as db:
        db.execute("update entries set state = x'00' where game = ?", (bad.id,))
    try:
        server.start()
        assert server.ask("GET", f"/api/v1/games/{good.id}", token=tokens["umpire"])[0] == 200
        body = {"command": {"type": "adjust", "ship": "r1", "changes": {"name": "Aquila"}, "why": "a test"}, "seen": 0}
        assert server.ask("POST", f"/api/v1/games/{good.id}/commands", body, tokens["umpire"])[0] == 200
    finally:
        server.stop()
