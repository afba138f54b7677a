"""Games that earlier versions saved, in files of games of every earlier form, opened by the installed program.

`python tools/earlier_files.py FOLDER SAVED.json.gz …`, by the Python of the environment to be tried (`make release`).
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
from pathlib import Path

from sqlite_utils import Database

import navarch  # says where the program's folders are
from webapp.storage.file.migrations import STEPS
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import import_

SMALL = 6000  # bytes: the smaller games stand for all in the files of every form


def main(folder: Path, saved: list[Path]) -> None:
    """Import all, then write the small ones into a file of each earlier form, and replay every journal."""
    whole, small = folder / "whole.db", folder / "small.db"
    for target, games in ((whole, saved), (small, [path for path in saved if path.stat().st_size < SMALL])):
        store = Store(target)
        for path in games:
            import_(store, json.loads(gzip.decompress(path.read_bytes())))
        store.file.let_go()
    if navarch.main(["verify", "--db", str(whole)]):
        raise SystemExit(1)
    for steps in range(1, len(STEPS)):
        earlier = folder / f"form_{steps}.db"
        write_earlier(small, earlier, steps)
        if navarch.main(["verify", "--db", str(earlier)]):
            raise SystemExit(f"a file of form {steps} is not what it was")
    games = sqlite3.connect(small).execute("select count(*) from games").fetchone()[0]
    print(
        f"{len(saved)} games of earlier versions replayed, {len(STEPS) - 1} earlier forms of the file, {games} in each"
    )


def write_earlier(source: Path, target: Path, steps: int) -> None:
    """A file that has taken the first steps alone, with what the source has for its tables and columns."""
    made = Database(target)
    for step in STEPS[:steps]:
        step(made)
    made.conn.execute("attach ? as source", [str(source)])
    for table in made.table_names():
        columns = ", ".join(f'"{name}"' for name in made.table(table).columns_dict)
        made.conn.execute(f'insert or ignore into "{table}" ({columns}) select {columns} from source."{table}"')
    made.conn.execute(f"pragma user_version = {steps}")
    made.conn.commit()
    made.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(word) for word in sys.argv[2:]])
