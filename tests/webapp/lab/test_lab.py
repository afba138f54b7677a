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

import msgspec
import pyarrow.parquet
import pytest
from msgspec.structs import replace

from navarch import main
from tactical.captains.worth import Fought, Table
from tactical.kernel.record import BadInput
from tactical.setup import all_scenarios
from webapp.captains.matches import dice_of
from webapp.lab.fitting import row_of, run, start_of
from webapp.lab.plan import Results, cells, read_plan
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
        ('[drawn]\nnations = ["atlantis"]\npairs = 1\nratios = [[1, 1]]', r"drawn\.nations\[0\]"),
        (
            '[[fleets]]\nname = "x"\nnations = ["romans", "romans"]\nwest = { trireme = 1 }\neast = { trireme = 1 }',
            r"fleets\[0\]\.sides\.west\.ships",
        ),
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


DRAWN = """
title = "Drawn"
games = 2
[drawn]
nations = ["romans", "asiatics"]
pairs = 4
ratios = [[1, 1], [1, 3]]
most = 3
turns = 3
quick_turns = 3
breaks_off = 2
"""
EQUAL = """
title = "Equal"
games = 4
scenarios = ["first_oars"]
[[fleets]]
name = "duel"
nations = ["romans", "carthaginians"]
west = { "quinquereme:poor:corvus" = 2 }
east = { quinquereme = 1, trireme = 1 }
turns = 3
"""


@pytest.mark.parametrize("text", [SMALL, DRAWN, EQUAL])
def test_no_battle_of_a_plan_is_another_one_again(tmp_path, text):
    found = cells(read_plan(planned(tmp_path, text)))
    results = Results(tmp_path / "out", False)
    run(found, results, 1, None, lambda done, of: None)
    rows = results.rows()
    assert len(rows) == sum(cell.games for cell in {cell.id: cell for cell in found}.values()) > 7
    assert results.twins() == [] and len({row.end for row in rows}) == len(rows)


def test_a_twin_is_found(tmp_path):
    found = cells(read_plan(planned(tmp_path, EQUAL)))
    results = Results(tmp_path / "out", False)
    row = row_of(found[1], 0)
    results.keep([row, replace(row, number=1, won=row.won and "b")])
    assert results.twins() == [(found[1].id, 1)]


def test_equal_captains_exchange_the_places_of_the_fleets_and_take_other_dice(tmp_path):
    duel = cells(read_plan(planned(tmp_path, EQUAL)))[1]
    first, second = start_of(duel, 0), start_of(duel, 1)
    assert [*first.sides] == [*second.sides][::-1] == ["west", "east"]

    def rows_of(start):
        return {side: {ship.facing for ship in start.ships.values() if ship.side == side} for side in start.sides}

    assert rows_of(first) == {"west": {"S"}, "east": {"N"}} and rows_of(second) == {"east": {"S"}, "west": {"N"}}
    ships = [(ship.side, ship.type, ship.crew, ship.corvus) for ship in second.ships.values()]
    assert sorted(ships) == sorted((ship.side, ship.type, ship.crew, ship.corvus) for ship in first.ships.values())
    assert ("west", "quinquereme", "poor", True) in ships and second.sides["west"].navy == "roman"
    dice = [dice_of("able", "able", "1", number).random() for number in range(4)]
    assert len({*dice}) == 4 and dice_of("able", "raw", "1", 0).random() == dice_of("able", "raw", "1", 1).random()


def test_drawn_fleets_stand_in_the_ratios_of_the_plan_and_every_other_one_may_break_off(tmp_path):
    found = cells(read_plan(planned(tmp_path, DRAWN)))
    numbers = [sorted(sum(side.values()) for side in cell.composition.values()) for cell in found]
    assert [few == many for few, many in numbers] == [True, True, False, False] and numbers[2] == [1, 3]
    assert [cell.breaks_off for cell in found] == [0, 2, 0, 2]
    assert {ship.split(":")[0] for cell in found for side in cell.composition.values() for ship in side} <= {
        "roman",
        "asiatic",
    }


def test_what_a_plan_fits_is_written_as_it_is_kept(tmp_path):
    plan, out = planned(tmp_path, EQUAL), tmp_path / "out"
    assert main(["lab", str(plan), "--out", str(out), "--workers", "1"]) == 0
    kept = msgspec.toml.decode((out / "fought.toml").read_bytes(), type=dict[str, Fought])
    assert kept["duel"].battles == 4 and sum(kept["duel"].won.values()) + kept["duel"].drawn == 4
    assert kept["duel"].fleets["west"] == {"roman:quinquereme:poor:corvus": 2}
    assert kept["first_oars"].won.keys() == all_scenarios()["first_oars"].sides.keys()
    assert main(["lab", str(planned(tmp_path, DRAWN)), "--out", str(tmp_path / "drawn"), "--workers", "1"]) == 0
    assert msgspec.toml.decode((tmp_path / "drawn/worth.toml").read_bytes(), type=Table).battles == 8


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
