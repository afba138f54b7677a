"""Dice thrown by hand: the command waits, and nobody walks away from a roll."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.toy import SYSTEMS
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.journal.store import Store


def shoot(side: str = "red", note: str = "") -> dict[str, Any]:
    return {"type": "shoot", "side": side, "note": note}


@pytest.fixture
def physical(store: Store) -> str:
    return store.create("toy", "duel", dice="physical")[0].id


def test_the_command_waits_and_the_version_stays(store: Store, physical: str) -> None:
    answer = store.submit(physical, 0, "red", shoot())
    assert answer.version == 0 and answer.events is None and answer.roll_needed is not None
    assert (answer.roll_needed.rule, answer.roll_needed.dice) == ("T3", (6, 6))
    assert store.game(physical).waiting is not None
    assert len(store.entries(physical)) == 1


def test_rolls_continue_it_one_after_another(store: Store, physical: str) -> None:
    store.submit(physical, 0, "red", shoot())
    one = store.submit(physical, 0, "red", shoot(), [6])
    assert one.roll_needed is not None and one.roll_needed.dice == (6,)
    two = store.submit(physical, 0, "red", shoot(), [6, 2])
    assert two.roll_needed is not None and (two.roll_needed.rule, two.roll_needed.dice) == ("T3.1", (6,))
    assert store.submit(physical, 0, "red", shoot(), [6, 2, 5]).version == 1
    assert store.game(physical).waiting is None
    assert store.entry(physical, 1).faces == (6, 2, 5)


def test_all_rolls_at_once_need_no_waiting(store: Store, physical: str) -> None:
    assert store.submit(physical, 0, "red", shoot(), [1, 2]).version == 1


@pytest.mark.parametrize("none", [None, []])
def test_no_rolls_ask_again_and_keep_the_faces_so_far(store: Store, physical: str, none: Any) -> None:
    store.submit(physical, 0, "red", shoot(), [6])
    again = store.submit(physical, 0, "red", shoot(), none)
    assert again.roll_needed is not None and again.roll_needed.faces == (6,)


def test_the_server_throws_the_rest_and_keeps_what_was_thrown(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db", SYSTEMS, lambda sides: min(3, sides))
    game = store.create("toy", "duel", dice="physical")[0].id
    store.submit(game, 0, "red", shoot(), [6])
    store.submit(game, 0, "red", shoot(), "digital")
    rolls = store.entry(game, 1).rolls
    assert [(roll.faces, roll.by) for roll in rolls] == [((6, 3), "mixed"), ((3,), "server")]


def test_faces_in_a_digital_game_come_first(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db", SYSTEMS, lambda sides: min(2, sides))
    game = store.create("toy", "duel")[0].id
    store.submit(game, 0, "umpire", shoot(), [6, 6, 1])
    rolls = store.entry(game, 1).rolls
    assert [(roll.faces, roll.by) for roll in rolls] == [((6, 6), "table"), ((1, 2), "mixed")]


@pytest.mark.parametrize("faces", [[6], [6, 6, 1]])
def test_in_a_digital_game_no_side_gives_its_own_faces(store: Store, faces: list[int]) -> None:
    game = store.create("toy", "duel")[0].id
    with pytest.raises(Refused, match="only the umpire may enter faces") as refused:
        store.submit(game, 0, "red", shoot(), faces)
    assert refused.value.path == "rolls"
    assert store.game(game).version == 0
    assert store.submit(game, 0, "red", shoot(), []).version == 1


def test_faces_that_the_umpire_gives_are_told_to_all(store: Store) -> None:
    game = store.create("toy", "duel")[0].id
    store.submit(game, 0, "umpire", shoot(), [6, 6, 1, 1])
    told = store.entry(game, 1).events[-1]
    assert (told.type, told.data, told.only) == ("faces_given", {"count": 4, "by": "umpire"}, ())
    store.submit(game, 1, "umpire", shoot())
    assert all(happened.type != "faces_given" for happened in store.entry(game, 2).events)


def test_faces_that_contradict_the_table_are_refused(store: Store, physical: str) -> None:
    store.submit(physical, 0, "red", shoot(), [6])
    with pytest.raises(Refused, match="already been rolled at the table, and count: 6") as refused:
        store.submit(physical, 0, "red", shoot(), [5, 5])
    assert refused.value.path == "rolls"


@pytest.mark.parametrize("faces, told", [([7, 1], "not a face"), ([0, 1], "not a face"), ([1, 2, 3], "rolls only")])
def test_faces_that_no_die_has_and_dice_too_many_are_refused(
    store: Store, physical: str, faces: list[int], told: str
) -> None:
    with pytest.raises(Refused, match=told) as refused:
        store.submit(physical, 0, "red", shoot(), faces)
    assert (refused.value.rule, refused.value.path) == ("T3", "rolls")
    assert store.game(physical).version == 0 and store.game(physical).waiting is None


def test_other_commands_must_wait(store: Store, physical: str) -> None:
    store.submit(physical, 0, "red", shoot())
    for seat, command in (("blue", shoot("blue")), ("red", shoot(note="other")), ("blue", shoot("red"))):
        with pytest.raises(Refused, match="Dice must be rolled"):
            store.submit(physical, 0, seat, command, [1, 1])
    with pytest.raises(Refused, match="Dice must be rolled"):
        store.undo(physical, 0, "umpire")


def test_the_umpire_may_throw_for_a_side(store: Store, physical: str) -> None:
    store.submit(physical, 0, "red", shoot())
    store.submit(physical, 0, "umpire", shoot(), [1, 1])
    assert store.entry(physical, 1).seat == "red"


def test_only_the_umpire_cancels_a_roll(store: Store, physical: str) -> None:
    store.submit(physical, 0, "red", shoot(), [6])
    with pytest.raises(Barred):
        store.cancel_roll(physical, 0, "red")
    with pytest.raises(Stale):
        store.cancel_roll(physical, 1, "umpire")
    assert store.cancel_roll(physical, 0, "umpire") == 0
    with pytest.raises(Refused, match="not waiting for a roll"):
        store.cancel_roll(physical, 0, "umpire")
    assert store.submit(physical, 0, "blue", shoot("blue"), [1, 1]).version == 1


def test_a_key_is_kept_only_with_the_final_answer(store: Store, physical: str) -> None:
    assert store.submit(physical, 0, "red", shoot(), key="a").roll_needed is not None
    assert store.submit(physical, 0, "red", shoot(), [1, 1], key="a").version == 1


def test_waiting_outlives_the_program(tmp_path: Path) -> None:
    first = Store(tmp_path / "games.db", SYSTEMS)
    game = first.create("toy", "duel", dice="physical")[0].id
    first.submit(game, 0, "red", shoot(), [6])
    second = Store(tmp_path / "games.db", SYSTEMS)
    waiting = second.game(game).waiting
    assert waiting is not None and waiting.faces == (6,)
    assert second.submit(game, 0, "red", shoot(), [6, 1, 1]).version == 1
