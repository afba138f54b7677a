"""The command line: exit codes, files, and random play that finds faults."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from kit import toy
from kit.toy import SYSTEMS, TOY, Toy
from navarch import main
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Offer, Outcome
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import encode
from webapp.cli import rules, trials
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import import_, verify
from webapp.storage.services import backups

SUBCOMMANDS = ("serve", "random-play", "verify", "coverage", "export", "import", "backup", "restore")


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.storage.journal.store.all_systems", lambda: SYSTEMS)
    monkeypatch.setattr("webapp.cli.trials.all_systems", lambda: SYSTEMS)


@pytest.fixture
def db(tmp_path: Path, toys: None) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def played(db: Path) -> str:
    """A game of three entries, one of them taken back."""
    store = Store(db)
    game = store.create("toy", "duel")[0].id
    store.submit(game, 0, "umpire", {"type": "shoot", "side": "red"}, [5, 5])
    store.undo(game, 1, "umpire")
    store.submit(game, 2, "red", {"type": "draw", "side": "red"})
    return game


def run(*words: object) -> int:
    return main([str(word) for word in words])


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_helps_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(name, "--help")
    assert ended.value.code == 0
    assert f"Example: navarch {name}" in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["sail"], ["random-play"], ["random-play", "toy", "--games", "0"]])
def test_wrong_use_is_2(words: list[str], toys: None) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*words)
    assert ended.value.code == 2


def test_unknown_systems_scenarios_files_and_games_are_2(db: Path, played: str, tmp_path: Path) -> None:
    assert run("random-play", "chess") == 2
    assert run("random-play", "toy", "--scenario", "trio") == 2
    assert run("verify", "--db", tmp_path / "none.db") == 2
    assert run("verify", "NOGAME", "--db", db) == 2
    assert run("export", "NOGAME", "--db", db) == 2
    assert run("import", tmp_path / "none.json", "--db", db) == 2
    assert run("restore", tmp_path / "none.db", "--db", db) == 2
    assert not (tmp_path / "none.db").exists()


def test_random_play_reports_as_json_and_the_same_seed_plays_the_same(
    toys: None, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = []
    for seed in ("7", "7", "8"):
        assert run("random-play", "toy", "--games", 3, "--seed", seed, "--json") == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert reports[0] == reports[1] and reports[0]["games"] != reports[2]["games"]
    assert reports[0]["faulty"] == 0 and len(reports[0]["games"]) == 3
    assert all(game["over"] and game["commands"] > 2 for game in reports[0]["games"])


def test_the_same_seed_is_the_same_game() -> None:
    one, other, third = (play_at_random(TOY, "duel", Random(seed)) for seed in (1, 1, 2))
    assert one.states == other.states != third.states
    assert one.over and not one.faults


def broken(**changes: Any) -> Any:
    return dataclasses.replace(TOY, **changes)


def offers_too_much(state: Toy, seat: str) -> tuple[Offer, ...]:
    return (Offer("plot", "T1", {"side": seat, "number": {"from": 6, "to": 7}}),)


def no_offers(state: Toy, seat: str) -> tuple[Offer, ...]:
    return ()


def edits_its_argument(state: Toy, seat: str, command: Any, dice: Dice) -> Outcome[Toy]:
    outcome = toy.apply(state, seat, command, dice)
    state.points["red"] += 1
    return outcome


def crashes(state: Toy, *given: Any) -> Outcome[Toy]:
    raise KeyError("a ship")


CLOCK = iter(range(1000, 9000))


def looks_at_a_clock(state: Toy, seat: str, command: Any, dice: Dice) -> Outcome[Toy]:
    outcome = toy.apply(state, seat, command, dice)
    return Outcome(msgspec.structs.replace(outcome.state, deck=(next(CLOCK),)), outcome.events)


def never_ends(state: Toy) -> bool:
    return False


def endless(state: Toy, seat: str) -> tuple[Offer, ...]:
    return (Offer("shoot", "T3", {"side": seat}),)


def apply_without_end(state: Toy, seat: str, command: Any, dice: Dice) -> Outcome[Toy]:
    return Outcome(state)


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"offers": offers_too_much}, "was offered"),
        ({"offers": no_offers}, "has no offer"),
        ({"apply": edits_its_argument}, "changed its argument"),
        ({"apply": crashes}, "KeyError('a ship')"),
        ({"apply": looks_at_a_clock}, "replay: entry"),
        ({"waiting_for": lambda state: ()}, "nobody is waited for"),
        ({"invariants": lambda state: ("two ships in a hex",)}, "two ships in a hex"),
        ({"view": crashes}, "cannot be read, shown"),
        ({"is_over": never_ends, "offers": endless, "apply": apply_without_end}, "not ended after 50"),
    ],
)
def test_random_play_finds(changes: Mapping[str, Any], told: str) -> None:
    played = play_at_random(broken(**changes), "duel", Random(1), limit=50)
    assert told in played.faults[0]


def test_a_fault_is_1_and_the_game_is_saved_to_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spent = broken(invariants=lambda state: ("too many points",) if max(state.points.values()) > 4 else ())
    monkeypatch.setattr(trials, "all_systems", lambda: {"toy": spent})
    assert run("random-play", "toy", "--seed", "3", "--out", tmp_path, "--json") == 1
    (report,) = json.loads(capsys.readouterr().out)["games"]
    assert "too many points" in report["faults"][0]
    store = Store(tmp_path / "games.db", SYSTEMS)
    game, _ = import_(store, json.loads(Path(report["saved"]).read_text()))
    assert game.version == report["commands"]
    assert max(store.load(game.id).state.points.values()) > 4


def test_verify_replays_every_entry(db: Path, played: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", played, "--db", db) == 0
    assert run("verify", "--db", db) == 0
    assert f"{played} toy version 3: well" in capsys.readouterr().out


def test_verify_finds_a_position_that_the_journal_does_not_give(db: Path, played: str) -> None:
    store = Store(db)
    with store.write() as file:
        file.conn.execute("update entries set state = (select state from entries where number = 0) where number = 1")
        file.conn.execute("""update entries set command = '{"type":"plot","side":"red","number":9}' where number = 3""")
    assert verify(store, played) == [
        "entry 1: it is not what was written, or what stood before it is not (its hash differs)",
        "entry 1: gives another position now",
        "entry 3: refused now (T1: a plot is 1 to 5)",
    ]
    assert run("verify", "--db", db) == 1


def test_export_and_import(db: Path, played: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "game.json"
    assert run("export", played.lower(), "--out", out, "--db", db) == 0
    assert run("export", played, "--db", db) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(out.read_text())
    other = tmp_path / "other.db"
    assert run("import", out, "--db", other) == 0
    told = capsys.readouterr().out
    code = told.split()[0]
    assert "/join/" in told
    assert encode(Store(other).load(code).state) == encode(Store(db).load(played).state)


def test_importing_what_is_no_game_is_2(db: Path, tmp_path: Path) -> None:
    for text in ("{", "{}", '{"navarch": 1}'):
        (tmp_path / "bad.json").write_text(text)
        assert run("import", tmp_path / "bad.json", "--db", db) == 2


def test_backup_and_restore(db: Path, played: str, tmp_path: Path) -> None:
    copy = tmp_path / "friday.db"
    assert run("backup", "--out", copy, "--db", db) == 0
    Store(db).submit(played, 3, "red", {"type": "shoot", "side": "red"})
    assert run("restore", copy, "--db", db) == 0
    assert Store(db).game(played).version == 3
    (kept,) = backups.backups(db)
    assert Store(kept).game(played).version == 4, "what was there before is kept"


def test_what_is_no_file_of_games_is_not_restored(db: Path, played: str, tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Hasdrubal, " * 500)
    sqlite3.connect(tmp_path / "empty.db").execute("create table x (y)").connection.commit()
    assert run("restore", tmp_path / "letter.db", "--db", db) == 2
    assert run("restore", tmp_path / "empty.db", "--db", db) == 2
    assert Store(db).game(played).version == 3


def test_the_newest_ten_rolling_backups_are_kept(db: Path, played: str) -> None:
    made = [backups.back_up(db) for _ in range(13)]
    assert backups.backups(db) == made[-10:]


def test_coverage_counts_by_status(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    marks = ["done", "done", "manual", "later", None]
    entries = [f'[[paragraph]]\nid = "T{n}"\n' + (f'status = "{m}"\n' if m else "") for n, m in enumerate(marks)]
    (tmp_path / "toy" / "paragraphs.toml").write_text("\n".join(entries))
    assert rules.count_paragraphs(tmp_path) == {
        "toy": {"done": 2, "manual": 1, "later": 1, "unmarked": 1, "paragraphs": 5}
    }


def test_coverage_of_the_real_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("coverage", "--json") in (0, 1)
    counts = json.loads(capsys.readouterr().out)
    assert counts["hannibal"]["paragraphs"] >= 259


@pytest.mark.parametrize("words", [["verify"], ["export", "ABCD2345"], ["backup"], ["forecast", "--game", "ABCD2345"]])
def test_without_a_games_file_the_option_is_named_and_nothing_is_made(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.db"
    assert run(*words, "--db", path) == 2
    assert f"there is no games file {path} here; give --db" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ["match", "--scenario", "side", "--a", "raw", "--b", "raw", "--games", "0"],
        ["forecast", "--scenario", "mylae", "--battles", "1e3"],
        ["serve", "--processes", "65"],
        ["serve", "--cache", "0"],
        ["serve", "--backup-minutes", "nan"],
        ["serve", "--backup-minutes", "-1"],
    ],
)
def test_a_number_out_of_its_range_is_wrong_use(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        run(*words)
    assert refused.value.code == 2 and f"argument {words[-2]}: expected a" in capsys.readouterr().err
