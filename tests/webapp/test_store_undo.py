"""Taking back: what stays in the journal, who may, and why nobody gets new dice by it."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from kit.toy import SYSTEMS
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.journal.store import Store


def shoot(side: str = "red", note: str = "") -> dict[str, Any]:
    return {"type": "shoot", "side": side, "note": note}


def plot(side: str, number: int = 3) -> dict[str, Any]:
    return {"type": "plot", "side": side, "number": number}


@pytest.fixture
def thrown(tmp_path: Path) -> Store:
    """A store whose server throws 1, 2, 3, 4, 5, 1, 2, …: two throws are never alike by chance."""
    faces = cycle((1, 2, 3, 4, 5))
    return Store(tmp_path / "games.db", SYSTEMS, lambda sides: min(next(faces), sides))


def new(store: Store, dice: str = "digital") -> str:
    return store.create("toy", "duel", dice=dice)[0].id


def test_an_undo_is_an_entry_and_strikes_the_last_one(store: Store) -> None:
    game = new(store)
    start = store.state_after(game, 0)
    store.submit(game, 0, "red", plot("red"))
    answer = store.undo(game, 1, "red")
    assert (answer.version, answer.undone, answer.entry) == (2, True, 1)
    assert store.entry(game, 1).taken_back == 2
    assert store.game(game).head == 0
    assert store.state_after(game, 2) == start
    assert store.load(game).state.plots == {}


def test_undo_walks_on_further_back(store: Store) -> None:
    game = new(store)
    for seen, number in enumerate((1, 1, 1)):
        store.submit(game, seen, "umpire", shoot(note=str(seen)), [number, number])
    assert [store.undo(game, version, "umpire").entry for version in (3, 4, 5)] == [3, 2, 1]
    with pytest.raises(Refused, match="nothing to take back"):
        store.undo(game, 6, "umpire")


@pytest.mark.parametrize("after, limit", [(-1, -1), (-1, 3), (0, 2), (0, 9), (2, 1), (4, -1), (9, 5)])
def test_a_journal_read_in_part_holds_what_was_taken_back(store: Store, after: int, limit: int) -> None:
    game = new(store)
    for version in range(3):
        store.submit(game, version, "umpire", shoot(note=str(version)), [1, 1])
    version = store.undo(game, 3, "umpire").version
    store.submit(game, version, "umpire", shoot(note="again"), [1, 1])
    rest = [store.entry(game, number) for number in range(version + 2) if number > after]
    assert store.entries(game, after, limit) == (rest if limit < 0 else rest[:limit])
    assert [entry.number for entry in store.entries(game) if entry.taken_back is not None] == [3]


def test_undo_after_a_new_branch_follows_the_branch(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "umpire", shoot(note="a"), [1, 1])
    store.submit(game, 1, "umpire", shoot(note="b"), [1, 1])
    store.undo(game, 2, "umpire")
    store.submit(game, 3, "umpire", shoot(note="c"), [1, 1])
    assert store.entry(game, 4).parent == 1
    assert [store.undo(game, version, "umpire").entry for version in (4, 5)] == [4, 1]


def test_dice_bar_a_sides_undo_but_not_the_umpires(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "red", shoot())
    with pytest.raises(Barred, match="Dice have been rolled") as barred:
        store.undo(game, 1, "red")
    assert barred.value.missing == ("red", "blue")
    assert store.undo(game, 1, "umpire").undone
    assert store.entry(game, 1).faces, "the dice stay in the journal"


def test_another_seats_act_and_a_hidden_card_bar_it_too(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "red", plot("red"))
    with pytest.raises(Barred, match="by red"):
        store.undo(game, 1, "blue")
    store.submit(game, 1, "red", {"type": "draw", "side": "red"})
    with pytest.raises(Barred, match="hidden was shown"):
        store.undo(game, 2, "red")


def test_a_spectator_takes_nothing_back(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "red", plot("red"))
    with pytest.raises(Barred):
        store.undo(game, 1, "spectator", consent=True)


def test_the_consent_of_all_sides_takes_back(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "red", shoot())
    first = store.undo(game, 1, "red", consent=True)
    assert (first.undone, first.version, first.missing) == (False, 1, ("blue",))
    with pytest.raises(Barred) as barred:
        store.undo(game, 1, "red")
    assert barred.value.missing == ("blue",)
    assert store.undo(game, 1, "blue", consent=True).undone
    assert store.game(game).consents == ()


def test_who_is_asked_may_refuse_and_who_has_asked_may_ask_no_more(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "red", shoot())
    with pytest.raises(Refused, match="Nobody asks"):
        store.refuse_undo(game, 1, "blue")
    store.undo(game, 1, "blue", consent=True)
    assert store.game(game).consents == ("blue",), "who has asked stands first, whatever the order of the sides"
    with pytest.raises(Barred):
        store.refuse_undo(game, 1, "spectator")
    with pytest.raises(Stale):
        store.refuse_undo(game, 0, "red")
    assert not store.refuse_undo(game, 1, "red").undone
    now = store.game(game)
    assert (now.version, now.consents, now.refused) == (1, (), "red")
    store.undo(game, 1, "blue", consent=True)
    assert store.game(game).refused == ""
    store.refuse_undo(game, 1, "blue")
    assert (store.game(game).consents, store.game(game).refused) == ((), "")
    store.undo(game, 1, "blue", consent=True)
    store.refuse_undo(game, 1, "umpire")
    assert store.game(game).refused == "umpire"
    store.submit(game, 1, "blue", shoot("blue"))
    assert store.game(game).refused == "", "the next act is another question"


def test_seats_that_agree_to_everything_are_asked_at_once(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "red", shoot())
    store.agreeing.append(lambda store, game: ("blue",))
    assert store.undo(game, 1, "red", consent=True).undone


def test_consent_holds_for_one_version_only(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "red", shoot())
    store.undo(game, 1, "red", consent=True)
    store.submit(game, 1, "blue", shoot("blue"))
    assert not store.undo(game, 2, "blue", consent=True).undone


def test_a_stale_undo_is_refused(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "red", plot("red"))
    with pytest.raises(Stale):
        store.undo(game, 0, "red")


def test_an_undo_of_the_last_command_reopens_the_game(store: Store) -> None:
    position = {"points": {"red": 9, "blue": 0}}
    game = store.create("toy", position=position)[0].id
    store.submit(game, 0, "umpire", shoot(), [5, 1])
    assert store.game(game).over
    store.undo(game, 1, "umpire")
    assert not store.game(game).over


def test_l1_5_undo_never_gives_new_dice_for_the_same_choice(thrown: Store) -> None:
    game = new(thrown)
    thrown.submit(game, 0, "red", shoot())
    faces = thrown.entry(game, 1).faces
    thrown.undo(game, 1, "umpire")
    thrown.submit(game, 2, "red", shoot())
    assert thrown.entry(game, 3).faces == faces
    thrown.undo(game, 3, "umpire")
    thrown.submit(game, 4, "red", {"type": "shoot", "side": "red"})
    assert thrown.entry(game, 5).faces == faces, "a default left out is the same choice"
    thrown.undo(game, 5, "umpire")
    thrown.submit(game, 6, "red", shoot(note="another"))
    assert thrown.entry(game, 7).faces != faces


def test_l1_5_the_same_dice_fall_when_the_way_there_was_taken_back_too(thrown: Store) -> None:
    game = new(thrown)
    thrown.submit(game, 0, "red", plot("red"))
    thrown.submit(game, 1, "red", shoot())
    faces = thrown.entry(game, 2).faces
    thrown.undo(game, 2, "umpire")
    thrown.undo(game, 3, "umpire")
    thrown.submit(game, 4, "red", plot("red"))
    thrown.submit(game, 5, "red", shoot())
    assert thrown.entry(game, 6).faces == faces


def test_l1_5_a_side_cannot_replace_a_servers_throw_by_its_own(thrown: Store) -> None:
    game = new(thrown, "physical")
    thrown.submit(game, 0, "red", shoot(), "digital")
    thrown.undo(game, 1, "umpire")
    with pytest.raises(Refused, match="still counts") as refused:
        thrown.submit(game, 2, "red", shoot(), [6, 6, 6, 6])
    assert refused.value.path == "rolls"


def test_l1_5_a_roll_by_the_server_in_a_physical_game_stands(thrown: Store) -> None:
    game = new(thrown, "physical")
    thrown.submit(game, 0, "red", shoot(), "digital")
    faces = thrown.entry(game, 1).faces
    thrown.undo(game, 1, "umpire")
    assert thrown.submit(game, 2, "red", shoot()).version == 3
    assert thrown.entry(game, 3).faces == faces


def test_l1_5_a_roll_by_hand_stands_when_it_was_taken_back(thrown: Store) -> None:
    game = new(thrown, "physical")
    thrown.submit(game, 0, "red", shoot(), [1, 1])
    thrown.undo(game, 1, "umpire")
    with pytest.raises(Refused, match="still counts: 1, 1"):
        thrown.submit(game, 2, "red", shoot(), [6, 6])
    assert thrown.submit(game, 2, "red", shoot()).roll_needed is None
    again = thrown.entry(game, 3)
    assert again.faces == (1, 1) and {roll.by for roll in again.rolls} == {"table"}


def test_l1_5_the_umpire_may_have_it_thrown_anew_in_the_open(thrown: Store) -> None:
    game = new(thrown, "physical")
    thrown.submit(game, 0, "red", shoot(), [1, 1])
    thrown.undo(game, 1, "umpire")
    thrown.submit(game, 2, "umpire", shoot(), [1, 2])
    again, before = thrown.entry(game, 3), thrown.entry(game, 1)
    assert again.faces == (1, 2) and (again.seat, again.on_behalf) == ("umpire", "red")
    assert before.faces == (1, 1) and before.taken_back == 2, "what fell first stays in the journal"


def test_who_threw_stays_known_when_a_throw_is_used_again(store: Store) -> None:
    game = new(store)
    store.submit(game, 0, "umpire", shoot(), [1, 2])
    store.undo(game, 1, "umpire")
    store.submit(game, 2, "red", shoot())
    assert (store.entry(game, 3).faces, store.entry(game, 3).rolls[0].by) == ((1, 2), "table")
