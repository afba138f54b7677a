"""A game moves to another machine: out of one file of games, as a small file of its own, into another one.

It leaves with everything that belongs to it, its battles and the hashes of its tokens, so that every link stays as it
is. What left is removed here in the transaction that reads it: nothing can be acknowledged afterwards that did not go
along. Its code stays behind, with the machine that has it now.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from tactical.kernel.record import BadInput
from webapp.storage.file.anchors import GONE, End
from webapp.storage.file.tables import OF_A_GAME
from webapp.storage.journal import battle_links
from webapp.storage.journal.store import Store
from webapp.storage.journal.verifying import verify

COLUMNS = {"games": "id", "links": "campaign"} | dict.fromkeys(OF_A_GAME, "game")  # which column names the game
NUMBERED = {  # columns that hold a number which the other file may have given away: of which table
    "people.id": "people",
    "outbox.person": "people",
    "devices.person": "people",
    "devices.id": "devices",
    "outbox.device": "devices",
    "letters.id": "letters",
    "letters_read.letter": "letters",
    "notes.id": "notes",
    "photos.note": "notes",
    "outbox.id": "outbox",
    "acts.id": "acts",
    "seat_requests.id": "seat_requests",
    "table_lines.id": "table_lines",
    "pings.id": "pings",
}
ON_THE_WAY = ""  # the machine of a game that has left and has not arrived yet


def bundle_of(store: Store, game: str) -> Path:
    """The file that a game leaves in; it stays here afterwards."""
    return store.file.path.with_name(f"{store.file.path.name}.moved") / f"{game}.db"


def whereabouts(store: Store, game: str) -> str | None:
    """The machine of a game that left; ON_THE_WAY, or None for one that did not leave."""
    found = store.file.rows("select machine from moved where code = ?", game)
    return str(found[0]["machine"]) if found else None


def leave(store: Store, game: str) -> Path:
    """Take a game with its battles out of this file; the file that holds them now.

    For one that has left already and not arrived, that file once more. Raises Unknown, BadInput, OSError.
    """
    bundle = bundle_of(store, game)
    with store.write(is_move=True) as db:
        if (machine := whereabouts(store, game)) is not None:
            if machine == ON_THE_WAY and bundle.exists():
                return bundle
            raise BadInput("GAME", "this game is on the machine %(machine)s", machine=machine)
        store.game(game)
        if (link := battle_links.campaign_of(store, game)) is not None:
            raise BadInput(
                "GAME", "this battle belongs to the campaign %(campaign)s: move the campaign", campaign=link.campaign
            )
        codes = [game, *(link.battle for link in battle_links.battles_of(store, game))]
        write_bundle(db, codes, bundle)
        for code in codes:
            for table, column in COLUMNS.items():
                db.conn.execute(f"delete from {table} where {column} = ?", (code,))
            db.ends.append(End(code, GONE, "-"))
        left = ({"code": code, "along": game, "machine": ON_THE_WAY} for code in codes)
        db.table("moved").insert_all(left, replace=True)
    return bundle


def settle(store: Store, game: str, machine: str) -> None:
    """Write down that a game which left has arrived on a machine."""
    with store.write(is_move=True) as db:
        db.conn.execute("update moved set machine = ? where along = ?", (machine, game))


def arrive(store: Store, bundle: Path) -> dict[str, int]:
    """Take a game with its battles into this file: the version of each, verified.

    One that is here with the same journal is left as it is, so that it may be sent twice. Raises BadInput.
    """
    with closing(sqlite3.connect(f"{bundle.absolute().as_uri()}?mode=ro", uri=True)) as raw:
        raw.row_factory = sqlite3.Row
        codes, rows = read_bundle(raw, store.file.db)
    with store.write(is_move=True) as db:
        found = {code: _end(rows["entries"], code) for code in codes}
        here = {end.game: end for code in codes for end in _ends_here(db, code)}
        if here == found:
            return {code: end.number for code, end in found.items()}
        if here:
            raise BadInput("game", "another game has the code %(code)s here", code=next(iter(here)))
        taken = {of: _highest(db, of) for of in set(NUMBERED.values())}
        for table, each in rows.items():
            _insert(db, table, each, taken)
        db.conn.execute("delete from moved where along = ?", (codes[0],))
        for code in codes:
            if faults := verify(store, code):
                raise BadInput("game", "%(code)s: %(fault)s", code=code, fault=faults[0])
        db.ends.extend(found.values())
    for end in found.values():
        store.announce(end.game, end.number, 0)
    return {code: end.number for code, end in found.items()}


def write_bundle(db: Database, codes: list[str], bundle: Path) -> None:
    """Write every row of the games into a new file, which is on the disk when this returns. Raises OSError."""
    bundle.parent.mkdir(mode=0o700, exist_ok=True)
    bundle.unlink(missing_ok=True)
    bundle.touch(mode=0o600)
    with closing(sqlite3.connect(bundle)) as to, to:
        step = db.conn.execute("PRAGMA user_version").fetchone()[0]
        to.execute(f"PRAGMA user_version = {step}")
        for table, column in COLUMNS.items():
            to.execute(db.table(table).schema)
            marks = ", ".join("?" * len(codes))
            order = f"order by instr('{' '.join(codes)}', {column})"  # the game itself before its battles
            rows = db.conn.execute(f"select * from {table} where {column} in ({marks}) {order}", codes).fetchall()
            if rows:
                to.executemany(f"insert into {table} values ({', '.join('?' * len(rows[0]))})", rows)
    with bundle.open("rb") as written:
        os.fsync(written.fileno())


def read_bundle(raw: sqlite3.Connection, db: Database) -> tuple[list[str], dict[str, list[dict[str, object]]]]:
    """The codes and the rows by table of such a file. Raises BadInput when it is none, or another version's."""
    try:
        step = raw.execute("PRAGMA user_version").fetchone()[0]
        if raw.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise BadInput("game", "this file is damaged")
        if step != db.conn.execute("PRAGMA user_version").fetchone()[0]:
            raise BadInput("game", "this game comes from another version of the program: update both machines first")
        rows = {table: [dict(row) for row in raw.execute(f"select * from {table}")] for table in COLUMNS}
    except sqlite3.DatabaseError as fault:
        raise BadInput(
            "game", "this is not a game moved here from another machine (%(fault)s)", fault=str(fault)
        ) from None
    codes = [str(row["id"]) for row in rows["games"]]
    strange = any(row.keys() != db.table(table).columns_dict.keys() for table in COLUMNS for row in rows[table][:1])
    if (
        not codes
        or strange
        or any(row[column] not in codes for table, column in COLUMNS.items() for row in rows[table])
    ):
        raise BadInput("game", "this is not a game moved here from another machine")
    return codes, rows


def _insert(db: Database, table: str, rows: list[dict[str, object]], taken: dict[str, int]) -> None:
    """Insert rows; numbers that the file gives away itself move beyond those that are `taken` in a table."""
    for row in rows:
        for name, value in row.items():
            of = NUMBERED.get(f"{table}.{name}")
            if of is not None and isinstance(value, int) and value > 0:
                row[name] = value + taken[of]
    if rows:
        marks = ", ".join(f":{name}" for name in rows[0])
        db.conn.executemany(f"insert into {table} ({_columns(rows[0])}) values ({marks})", rows)


def _columns(row: dict[str, object]) -> str:
    return ", ".join(f'"{name}"' for name in row)


def _highest(db: Database, table: str) -> int:
    return int(db.conn.execute(f"select coalesce(max(id), 0) from {table}").fetchone()[0])


def _end(entries: list[dict[str, object]], game: str) -> End:
    last = max((entry for entry in entries if entry["game"] == game), key=lambda entry: int(str(entry["number"])))
    return End(game, int(str(last["number"])), str(last["chain"]))


def _ends_here(db: Database, game: str) -> list[End]:
    sql = "select number, chain from entries where game = ? order by number desc limit 1"
    return [End(game, number, chain) for number, chain in db.conn.execute(sql, (game,)).fetchall()]
