"""The one write path: commands, versions, keys, several writers."""

from __future__ import annotations

import multiprocessing
import threading
from pathlib import Path
from typing import Any

import pytest

from kit.insistence import insist
from kit.toy import SYSTEMS
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, encode
from webapp.storage.errors import Stale, Unknown
from webapp.storage.file.anchors import read_ends
from webapp.storage.file.database import File, TicketLock
from webapp.storage.journal.store import Store


def shoot(side: str = "red", note: str = "") -> dict[str, Any]:
    return {"type": "shoot", "side": side, "note": note}


def plot(side: str, number: int = 3) -> dict[str, Any]:
    return {"type": "plot", "side": side, "number": number}


@pytest.fixture
def duel(store: Store) -> str:
    game, _ = store.create("toy", "duel")
    return game.id


def test_a_command_becomes_an_entry_and_the_next_version(store: Store) -> None:
    duel = store.create("toy", "duel", dice="physical")[0].id
    answer = store.submit(duel, 0, "red", shoot(), [5, 1])
    assert answer.version == 1
    assert store.load(duel).state.points == {"red": 1, "blue": 0}
    entry = store.entry(duel, 1)
    assert (entry.seat, entry.parent, entry.faces, entry.rolls[0].by) == ("red", 0, (5, 1), "table")


def test_the_start_is_entry_0_and_keeps_its_hidden_draws(store: Store, duel: str) -> None:
    start = store.entry(duel, 0)
    assert start.command == {"type": "start", "scenario": "duel"}
    assert len(start.draws) == 8


@pytest.mark.parametrize(
    "seat, command, refusal",
    [
        ("blue", shoot("red"), NotYours),
        ("spectator", shoot("red"), NotYours),
        ("red", plot("red", 9), Illegal),
        ("red", {"type": "sail"}, BadInput),
        ("red", {"type": "shoot", "side": "red", "gun": 1}, BadInput),
    ],
)
def test_a_refused_command_changes_nothing(
    store: Store, duel: str, seat: str, command: dict[str, Any], refusal: type[Exception]
) -> None:
    before = store.game(duel), store.entries(duel)
    with pytest.raises(refusal):
        store.submit(duel, 0, seat, command)
    assert (store.game(duel), store.entries(duel)) == before


def test_a_stale_command_is_refused_with_the_current_version(store: Store, duel: str) -> None:
    store.submit(duel, 0, "red", plot("red"))
    with pytest.raises(Stale) as stale:
        store.submit(duel, 0, "blue", plot("blue"))
    assert stale.value.version == 1


def test_the_same_key_of_the_same_seat_gives_the_first_answer(store: Store, duel: str) -> None:
    first = store.submit(duel, 0, "red", shoot(), key="a")
    store.submit(duel, 1, "blue", shoot("blue"))
    again = store.submit(duel, 0, "red", shoot(), key="a")
    assert encode(again) == encode(first)
    assert store.game(duel).version == 2
    assert store.submit(duel, 2, "blue", shoot("blue"), key="a").version == 3


def test_a_refused_command_does_not_use_up_its_key(store: Store, duel: str) -> None:
    with pytest.raises(Illegal):
        store.submit(duel, 0, "red", plot("red", 9), key="a")
    assert store.submit(duel, 0, "red", plot("red", 4), key="a").version == 1


def test_only_the_events_that_the_seat_may_see_come_back(store: Store, duel: str) -> None:
    assert store.submit(duel, 0, "red", plot("red")).events == [
        {"rule": "T1", "type": "plotted", "side": "red", "number": 3}
    ]


def test_the_umpire_acts_for_a_side_and_the_journal_says_so(store: Store, duel: str) -> None:
    store.submit(duel, 0, "umpire", shoot("blue"), [1, 2])
    store.submit(duel, 1, "umpire", {"type": "adjust", "points": {"red": 4}, "why": "a miscount"})
    assert [store.entry(duel, number).on_behalf for number in (1, 2)] == ["blue", None]


def test_the_umpire_acts_for_the_side_whose_ship_is_named(store: Store) -> None:
    from webapp.storage.journal.writing import side_of_command

    class Names:
        ship = "r1"

    position = {"ships": {"r1": {"side": "red"}}, "points": {"red": 0, "blue": 0}}
    game, _ = store.create("toy", position=position)
    assert side_of_command(store.load(game.id), Names()) == "red"


def test_an_unknown_game_is_unknown(store: Store) -> None:
    with pytest.raises(Unknown):
        store.submit("NOGAME", 0, "red", shoot())


def test_reading_a_game_reads_no_more_rows_when_the_journal_is_long(store: Store, duel: str) -> None:
    def cost() -> int:
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += 1
            return 0

        store.file.db.conn.set_progress_handler(count, 1)
        store.load(duel)
        store.file.db.conn.set_progress_handler(None, 1)
        return steps

    store.submit(duel, 0, "umpire", shoot(), [1, 1])
    short = cost()
    for seen in range(1, 60):
        store.submit(duel, seen, "umpire", shoot(note=str(seen)), [1, 1])
    assert cost() == short


def test_every_answer_is_on_the_disk_first(store: Store) -> None:
    connection = store.file.db.conn
    assert connection.execute("pragma synchronous").fetchone() == (2,)
    assert connection.execute("pragma journal_mode").fetchone() == ("wal",)


def test_a_write_that_fails_leaves_nothing(store: Store, duel: str) -> None:
    with pytest.raises(ZeroDivisionError), store.write() as db:
        db.conn.execute("delete from games")
        raise ZeroDivisionError
    assert store.game(duel).id == duel


def shoot_often(path: Path, game: str, side: str, count: int) -> None:
    """Give `count` commands, each as often as it takes."""
    store = Store(path, SYSTEMS)
    for number in range(count):
        insist(store, game, side, shoot(side, f"{side} {number}"), [1, 1], f"{side} {number}")


def test_two_processes_lose_and_double_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = Store(path, SYSTEMS)
    game, _ = store.create("toy", "duel", dice="physical")
    store.file.close()
    start = multiprocessing.get_context("spawn").Process
    writers = [start(target=shoot_often, args=(path, game.id, side, 40)) for side in ("red", "blue", "umpire")]
    for writer in writers[:2]:
        writer.start()
    for writer in writers[:2]:
        writer.join(120)
        assert writer.exitcode == 0
    notes = [entry.command["note"] for entry in store.entries(game.id)[1:]]
    assert sorted(notes) == sorted(f"{side} {number}" for side in ("red", "blue") for number in range(40))
    assert store.game(game.id).version == 80


def test_the_same_key_from_many_threads_is_applied_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db", SYSTEMS)
    game, _ = store.create("toy", "duel")
    answers: list[bytes] = []
    gate = threading.Barrier(8)

    def give() -> None:
        gate.wait()
        answers.append(encode(store.submit(game.id, 0, "red", shoot(), key="once")))

    threads = [threading.Thread(target=give) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8 and len(set(answers)) == 1
    assert store.game(game.id).version == 1


def test_writers_are_served_in_the_order_in_which_they_came() -> None:
    lock, served = TicketLock(), []

    def work(number: int) -> None:
        with lock:
            served.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(5)]
    with lock:
        for number, thread in enumerate(threads, 1):
            thread.start()
            while len(lock._waiting) < number:
                pass
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2, 3, 4]


def test_a_file_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    from webapp.storage.file.migrations import TooNew, migrate

    file = File(tmp_path / "games.db")
    file.db.conn.execute("pragma user_version = 99")
    with pytest.raises(TooNew):
        migrate(file)


def test_a_deleted_game_leaves_no_row(store: Store, duel: str) -> None:
    store.submit(duel, 0, "red", shoot(), key="a")
    store.looked(duel, "red", 1)
    store.delete(duel)
    for table in ("games", "seats", "entries", "keys", "cursors"):
        assert store.file.rows(f"select * from {table}") == []


def test_the_last_look_is_kept_for_each_seat(store: Store, duel: str) -> None:
    store.looked(duel, "red", 3)
    store.looked(duel, "red", 5)
    assert (store.last_look(duel, "red"), store.last_look(duel, "blue")) == (5, 0)


def test_the_secret_of_the_sessions_is_made_once(tmp_path: Path) -> None:
    first = Store(tmp_path / "games.db", SYSTEMS).secret("session")
    assert len(first) >= 32
    assert Store(tmp_path / "games.db", SYSTEMS).secret("session") == first


def test_tokens_are_stored_as_hashes_and_can_be_reissued(store: Store) -> None:
    game, tokens = store.create("toy", "duel")
    stored = {row["token"] for row in store.file.rows("select token from seats")}
    assert not stored & set(tokens.values())
    fresh = store.reissue(game.id, "red")
    assert store.seat_of(tokens["red"]) is None
    seat = store.seat_of(fresh)
    assert seat is not None and seat.id == "red"


def test_what_a_part_that_fails_has_written_is_taken_back_and_the_rest_stands(store: Store, duel: str) -> None:
    heard: list[int] = []
    store.listeners.append(lambda game, version, revision: heard.append(version))
    with store.write():
        store.submit(duel, 0, "red", plot("red"))
        with pytest.raises(NotYours), store.write():
            store.submit(duel, 1, "blue", plot("blue"))
            store.submit(duel, 2, "blue", plot("red"))
        assert not heard, "nothing is told before it is on the disk"
    assert heard == [1] and store.game(duel).version == 1
    assert [entry.number for entry in store.entries(duel)] == [0, 1]
    assert read_ends(store.file.path)[duel].number == 1
