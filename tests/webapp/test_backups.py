"""Backups: checked before they count, dailies kept, the last good one never pushed out, read by their owner alone."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from kit.toy import SYSTEMS
from webapp.storage.journal.store import Store
from webapp.storage.services import backups


@pytest.fixture
def database(tmp_path: Path) -> Path:
    store = Store(tmp_path / "games.db", SYSTEMS)
    for _ in range(40):
        store.create("toy", "duel")
    store.file.db.conn.execute("pragma wal_checkpoint(truncate)")
    store.file.close()
    return tmp_path / "games.db"


def damage(path: Path) -> None:
    """Overwrite pages in the middle until the check finds it."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        for place in range(size // 4096 // 2, size // 4096):
            file.seek(place * 4096)
            file.write(b"\xa5" * 4096)
    with pytest.raises(OSError):
        backups.check(path)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_damaged_file_makes_no_backup_and_pushes_none_out(database: Path) -> None:
    good = [backups.back_up(database) for _ in range(3)]
    damage(database)
    for _ in range(12):
        with pytest.raises(OSError):
            backups.back_up(database)
    assert backups.backups(database) == good
    assert not list(backups.folder_of(database).glob("*.part"))
    assert "damaged" in (backups.fault(database) or "") or "cannot be copied" in (backups.fault(database) or "")


def test_the_fault_is_forgotten_when_a_backup_succeeds(database: Path) -> None:
    backups.back_up(database)
    (backups.folder_of(database) / "fault.txt").write_text("yesterday")
    backups.back_up(database)
    assert backups.fault(database) is None


def test_the_last_backup_of_each_day_is_kept() -> None:
    found = [Path(f"202611{day:02d}-{hour:02d}0000-0.db") for day in range(1, 23) for hour in (9, 12, 18)]
    kept = backups.worth_keeping(found)
    assert [each.name[:11] for each in kept if each not in found[-10:]] == [
        f"202611{day:02d}-18" for day in range(9, 19)
    ]
    assert set(found[-10:]) <= set(kept)


def test_only_the_owner_reads_them(database: Path, tmp_path: Path) -> None:
    made = backups.back_up(database)
    backups.copy(database, tmp_path / "friday.db")
    assert (mode(made), mode(made.parent), mode(tmp_path / "friday.db")) == (0o600, 0o700, 0o600)


def test_what_earlier_versions_left_open_is_closed(database: Path) -> None:
    made = backups.back_up(database)
    made.chmod(0o644)
    made.parent.chmod(0o755)
    backups.tighten(database)
    assert (mode(made), mode(made.parent)) == (0o600, 0o700)


def test_a_damaged_file_is_set_aside_whole_when_a_backup_takes_its_place(database: Path) -> None:
    good = backups.back_up(database)
    damage(database)
    spoilt = database.read_bytes()
    aside = backups.restore(good, database)
    assert aside is not None and aside.read_bytes() == spoilt
    assert len(Store(database, SYSTEMS).games()) == 40


def test_a_damaged_backup_is_not_restored(database: Path) -> None:
    bad = backups.back_up(database)
    damage(bad)
    before = database.read_bytes()
    with pytest.raises(OSError):
        backups.restore(bad, database)
    assert database.read_bytes() == before and sqlite3.connect(database).execute("pragma quick_check").fetchone() == (
        "ok",
    )
