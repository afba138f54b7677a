"""The laboratory: plans refused by field, results that are never lost or counted twice, points, the report."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet
import pytest

from tactical.kernel.record import BadInput
from webapp.cli import main
from webapp.lab.fitting import fit, run
from webapp.lab.plan import Results, Row, cells, read_plan
from webapp.storage.journal.store import Store

SMALL = """
title = "Small <plan>"
games = 4
levels = [["raw", "random"]]
scenarios = ["first_oars"]
[options]
sprint = ["above_cruise", "maximum"]
[[fleets]]
name = "duel"
west = { trireme = 1 }
east = { "trireme:poor" = 1 }
columns = 12
rows = 8
turns = 4
"""


def planned(folder: Path, text: str = SMALL) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def test_a_plan_is_fought_through_and_reported(tmp_path, capsys):
    plan, out = planned(tmp_path), tmp_path / "out"
    assert main(["lab", str(plan), "--out", str(out), "--workers", "1"]) == 0
    told = capsys.readouterr().out
    assert "16 battles" in told and "raw against random" in told
    with sqlite3.connect(out / "results.sqlite") as db:
        rows = db.execute("select cell, number, won from battles").fetchall()
    assert len(rows) == len({row[:2] for row in rows}) == 16
    assert pyarrow.parquet.read_table(out / "results.parquet").num_rows == 16
    page = (out / "report.html").read_text()
    assert page.count("<svg") == 4 and "sprint = maximum" in page and "<plan>" not in page


def test_a_plan_is_resumed_where_it_stopped_and_never_mixed_up(tmp_path, capsys):
    plan, out = planned(tmp_path), tmp_path / "out"
    found = cells(read_plan(plan))
    results = Results(out, False)
    run(found[:1], results, 1, None, lambda done, of: None)
    before = results.rows()
    assert main(["lab", str(plan), "--out", str(out), "--workers", "1"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main(["lab", str(plan), "--out", str(out), "--workers", "1", "--resume"]) == 0
    after = Results(out, True).rows()
    assert len(after) == 16 and all(row in after for row in before)
    again = Results(tmp_path / "again", False)
    run(found, again, 1, None, lambda done, of: None)
    assert again.rows() == after


def test_a_battle_of_the_report_is_kept_as_a_game(tmp_path, capsys):
    plan = planned(tmp_path)
    cell = cells(read_plan(plan))[0]
    db = tmp_path / "games.db"
    assert main(["lab", str(plan), "--replay", f"{cell.id}:1", "--db", str(db)]) == 0
    game = Store(db).games()[0]
    assert game.over and game.version > 5 and game.id in capsys.readouterr().out
    assert main(["verify", "--db", str(db)]) == 0
    assert main(["lab", str(plan), "--replay", "nothing", "--db", str(db)]) == 2


@pytest.mark.parametrize(
    "change, path",
    [
        ('levels = [["raw", "divine"]]', r"levels\[0\]\[1\]"),
        ("games = 3", "games"),
        ('scenarios = ["nowhere"]', r"scenarios\[0\]"),
        ("hurry = 1", "hurry"),
        ("[options]\nsprint = [1]", "sprint"),
        ("[options]\nhaste = [1]", "haste"),
        ('[[fleets]]\nname = "x"\nwest = { canoe = 1 }\neast = { trireme = 1 }', r"fleets\[0\]\.west\.canoe"),
        ('[points]\ntypes = ["canoe"]\nfleets = 1', r"points\.types\[0\]"),
    ],
)
def test_a_bad_plan_is_refused_by_the_fields_name(tmp_path, change, path, capsys):
    given = dict(line.split(" = ", 1) for line in ('title = "x"', 'scenarios = ["first_oars"]'))
    first = change.split(" = ", 1)[0]
    given.pop(first, None)
    text = "\n".join(f"{name} = {value}" for name, value in given.items())
    plan = planned(tmp_path, f"{text}\n{change}\n")
    with pytest.raises(BadInput) as refused:
        cells(read_plan(plan))
    assert __import__("re").search(path, f"{refused.value.path}: {refused.value.reason}")
    assert main(["lab", str(plan), "--out", str(tmp_path / "out")]) == 2


def test_points_are_fitted_from_who_won_and_say_how_sure_they_are():
    text = 'title = "p"\n[points]\ntypes = ["trireme", "hepteres"]\nfleets = 60\nships = [1, 4]\n'
    plan = read_plan(planned(Path(os.environ.get("TMPDIR", "/tmp")), text))
    found = cells(plan)
    rows = []
    for cell in found:
        worth = {
            side: sum({"trireme": 1, "hepteres": 3}[kind] * n for kind, n in ships.items())
            for side, ships in cell.composition.items()
        }
        for number in (0, 1):
            mine, theirs = (worth["west"], worth["east"]) if number == 0 else (worth["east"], worth["west"])
            won = "a" if mine > theirs else "b" if mine < theirs else ""
            rows.append(Row(cell.id, number, cell.scenario, "{}", "able", "able", "1", won, "", "west", 5, 0, 0, 9))
    values = {value.type: value for value in fit(found, rows)}
    assert values["trireme"].points == 10
    assert values["hepteres"].low < 30 < values["hepteres"].high + 8 and values["hepteres"].points > 20
    assert fit(found, []) == []


def test_without_its_libraries_the_laboratory_refuses_before_it_fights(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)  # as where only the program's own are installed
    out = tmp_path / "out"
    assert main(["lab", str(planned(tmp_path)), "--out", str(out), "--workers", "1"]) == 2
    assert "make lab" in capsys.readouterr().err and not out.exists()


def test_without_a_scheduler_the_plan_is_refused(tmp_path, capsys):
    plan = planned(tmp_path)
    code = main(["lab", str(plan), "--out", str(tmp_path / "out"), "--scheduler", f"tcp://127.0.0.1:{free_port()}"])
    assert code == 2 and "scheduler" in capsys.readouterr().err


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """A real process of Dask's, in a group of its own."""
    command = [sys.executable, "-m", *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def test_a_worker_that_is_killed_in_the_middle_loses_and_doubles_nothing(tmp_path):
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler = started("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    worker = ("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    processes = [scheduler]
    try:
        processes += [started(*worker), started(*worker)]
        text = SMALL.replace("games = 4", "games = 12").replace('[["raw", "random"]]', '[["able", "raw"]]')
        found = cells(read_plan(planned(tmp_path, text)))
        results = Results(tmp_path / "out", False)
        killed = []

        def progress(done: int, of: int) -> None:
            if done >= 6 and not killed:
                killed.append(done)
                os.kill(processes[1].pid, signal.SIGKILL)

        run(found, results, 1, address, progress)
        rows = results.rows()
        assert killed and killed[0] < len(rows)
        assert len(rows) == len({(row.cell, row.number) for row in rows}) == sum(cell.games for cell in found)
        here = Results(tmp_path / "here", False)
        run(found[:1], here, 1, None, lambda done, of: None)
        assert here.rows() == [row for row in rows if row.cell == found[0].id]
    finally:
        for process in processes:
            process.kill()
            process.wait(10)
        time.sleep(0)
