"""Matches and forecasts on the command line, and what a forecast may start from."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import msgspec
import pytest

from navarch import main
from tactical import GALLEY
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, encode, plain
from webapp.captains.forecasts import Result, check_levels, fight, fight_one, start_of, summarize
from webapp.captains.matches import game, opening
from webapp.storage.errors import Refused
from webapp.storage.journal.store import Store


def test_a_match_mirrors_sides_and_dice_and_reports_in_the_contracts_words(capsys):
    code = main(
        ["match", "--scenario", "first_oars", "--a", "able", "--b", "random", "--games", "4", "--seed", "1", "--json"]
    )
    told = json.loads(capsys.readouterr().out)
    assert code == 0 and told["games"] == 4 == told["a"] + told["b"] + told["draws"]
    assert {"a", "b", "draws", "low", "high", "seconds", "commands"} <= told.keys()
    assert told["low"] <= told["share"] <= told["high"]


def test_two_equal_captains_keep_their_sides_and_never_fight_a_battle_again():
    start = opening("first_oars")
    played = [game(start, "raw", "raw", "7", number) for number in range(4)]
    assert len({each.end for each in played}) == 4
    first, other = start.sides
    assert all(each.side == {"a": first, "b": other}.get(each.won) for each in played)


@pytest.mark.parametrize("wrong", [["--scenario", "nowhere"], ["--scenario", "side", "--system", "hannibal"]])
def test_a_wrong_match_is_refused_with_the_field(wrong, capsys):
    assert main(["match", "--a", "able", "--b", "raw", "--games", "1", *wrong]) == 2
    assert wrong[-2].lstrip("-") in capsys.readouterr().err


def test_a_forecast_on_the_command_line_as_json_and_as_csv(capsys):
    asked = ["forecast", "--scenario", "first_oars", "--battles", "3", "--level", "raw", "--seed", "5"]
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["done"] and told["battles"] == told["of"] == 3
    assert sum(share["share"] for share in told["wins"].values()) + told["draw"]["share"] == pytest.approx(1, abs=1e-3)
    assert [each["kind"] for each in told["samples"]] == ["best", "median", "worst"]
    assert main([*asked, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["battle"] for row in rows] == ["0", "1", "2"]
    assert {row["winner"] for row in rows} <= {"athens", "corinth", ""}


def test_a_battle_of_a_forecast_hangs_on_its_seed_and_number_alone():
    start = opening("first_oars")
    levels = {"athens": "raw", "corinth": "raw"}
    raw = fight(encode(start), levels, "s", [2, 1])
    again = fight(encode(start), levels, "s", [1])
    assert raw[1] == again[0]
    assert encode(fight_one(start, levels, "s", 1).state) == encode(fight_one(start, levels, "s", 1, keep=True).state)


def test_losses_are_counted_by_value_and_by_ship():
    start = opening("first_oars")
    results = [
        Result(
            0, "athens", {"athens": 18, "corinth": 0}, {"athens": 0, "corinth": 18}, 4, {"c1": "sunk", "c2": "captured"}
        ),
        Result(1, "corinth", {"athens": 0, "corinth": 6}, {"athens": 6, "corinth": 0}, 8, {"a1": "sunk"}),
    ]
    found = summarize(start, results)
    assert found.losses["corinth"].mean == 9 and found.losses["corinth"].distribution == {"0": 0.5, "18": 0.5}
    assert found.ships["c2"].captured == 0.5 and found.ships["c1"].name == "Peirene"
    assert [(each.kind, each.number) for each in found.samples] == [("best", 0), ("median", 1), ("worst", 1)]
    assert summarize(start, []).wins["athens"].high == 1


def test_a_forecast_of_a_battle_under_way_sees_no_more_than_its_seat(tmp_path):
    store = Store(tmp_path / "games.db", {"galley": GALLEY})
    made, _ = store.create("galley", "first_oars")
    for version, (ship, speed) in enumerate({"c1": 3, "c2": 1}.items()):
        store.submit(made.id, version, "corinth", {"type": "plot", "ship": ship, "speed": speed})
    store.submit(made.id, 2, "corinth", {"type": "lock", "side": "corinth"})
    start = start_of(store, "athens", made.id, None, None, {})
    assert start.ships["c1"].plot is None and not start.sides["corinth"].locked
    assert start_of(store, UMPIRE, made.id, None, None, {}).ships["c1"].plot == 3
    assert fight_one(start, check_levels(start, {"athens": "raw", "corinth": "raw"}), "1", 0).state.is_over


def test_what_cannot_be_forecast_is_refused_with_the_field(tmp_path):
    store = Store(tmp_path / "games.db", {"galley": GALLEY})
    start = opening("first_oars")
    with pytest.raises(BadInput, match=r"levels\.sparta"):
        check_levels(start, {"sparta": "able"})
    with pytest.raises(BadInput, match=r"levels\.athens"):
        check_levels(start, {"athens": "divine"})
    with pytest.raises(BadInput, match="one of game, scenario and position"):
        start_of(store, UMPIRE, "X", "first_oars", None, {})
    over = msgspec.structs.replace(start, step="over", result=None)
    made, _ = store.create("galley", None, plain(over))
    with pytest.raises(Refused, match="over"):
        start_of(store, UMPIRE, made.id, None, None, {})
    assert Dice().faces == ()


@pytest.mark.soak
def test_a_forecast_of_large_fleets_keeps_within_its_memory():
    """Twenty battles of sixty ships in a process of its own: what captains remember does not grow with the battles.

    `ru_maxrss` would tell the most that the process of the tests had when it began this one.
    """
    told = (
        "from pathlib import Path\n"
        "from webapp.captains.forecasts import fight_one, start_of\n"
        "start = start_of(None, 'umpire', None, 'ecnomus', None, {})\n"
        "for number in range(20):\n"
        "    fight_one(start, {}, '1', number)\n"
        "    (most,) = [line.split()[1] for line in Path('/proc/self/status').read_text().splitlines() if 'VmHWM' in line]\n"
        "    print(int(most) // 1024)\n"
    )
    fought = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    most = [int(each) for each in fought.stdout.split()]
    assert len(most) == 20 and most[-1] < 300 and most[-1] - most[9] < 60
