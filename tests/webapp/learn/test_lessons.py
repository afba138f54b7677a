"""The ladder of lessons: each is played by a few commands, is done by them and not before, and leads to the next."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.insistence import insist
from kit.real_house import real_app, real_store  # noqa: F401
from tactical.captains import Orders
from tactical.exercises import LESSON, all_lessons, is_learnt, position
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event
from tactical.kernel.record import read
from webapp.captains.seats import think
from webapp.storage.journal.store import Store, all_systems

GALLEY = all_systems()["galley"]
PLAYED: dict[str, list[dict[str, Any]]] = {
    "plot": [
        {"type": "plot", "ship": "a1", "speed": 3},
        {"type": "plot", "ship": "a2", "speed": 3},
        {"type": "lock", "side": "athens"},
    ],
    "turn": [{"type": "step", "ship": "a1", "turn": "left"}],
    "missiles": [{"type": "fire", "ship": "a1", "weapon": "archer", "count": 2, "target": "c1"}],
    "ram": [{"type": "step", "ship": "a1", "turn": "none"}, {"type": "ram", "ship": "a1"}],
    "bow_to_bow": [{"type": "step", "ship": "a1", "turn": "none"}, {"type": "ram", "ship": "a1"}],
    "oars": [{"type": "step", "ship": "a1", "turn": "none"}, {"type": "rake", "ship": "a1"}],
    "board": [{"type": "board", "ship": "a1", "target": "c1"}],
    "corvus": [{"type": "board", "ship": "a1", "target": "c1"}],
}


def sixes(sides: int) -> int:
    return sides


def others(state: Any, side: str) -> tuple[Any, tuple[Event, ...]]:
    """What the captain who stands still does until the lesson's side must act."""
    found: list[Event] = []
    for _ in range(50):
        waiting = [seat for seat in GALLEY.waiting_for(state) if seat != side]
        if not waiting or GALLEY.is_over(state):
            break
        command = think(GALLEY, state, waiting[0], Orders("still")).command
        outcome = GALLEY.apply(state, waiting[0], read(command, GALLEY.command), Dice(source=sixes))
        state, found = outcome.state, [*found, *outcome.events]
    return state, tuple(found)


@pytest.mark.parametrize("name", all_lessons())
def test_a_lesson_is_done_by_what_it_is_about_and_not_before(name: str):
    lesson = all_lessons()[name]
    outcome = GALLEY.start(None, position(lesson.start, LESSON + name), {}, Dice())
    state, events = outcome.state, list(outcome.events)
    for command in PLAYED[name]:
        assert not is_learnt(lesson, state, events), "done before it was played"
        outcome = GALLEY.apply(state, lesson.side, read(command, GALLEY.command), Dice(source=sixes))
        state, events = outcome.state, [*events, *outcome.events]
        if not is_learnt(lesson, state, events):
            state, told = others(state, lesson.side)
            events += told
    assert is_learnt(lesson, state, events)


@pytest.mark.parametrize("name", all_lessons())
def test_the_other_sides_deed_does_not_count(name: str):
    lesson = all_lessons()[name]
    state = GALLEY.start(None, position(lesson.start, LESSON + name), {}, Dice()).state
    theirs = Event("", lesson.event, {"ship": "c1", "side": "corinth", **{n: v[0] for n, v in lesson.fields.items()}})
    assert not is_learnt(lesson, state, [theirs])


def test_there_are_eight_lessons_in_order_and_each_is_played_here():
    assert [each.order for each in all_lessons().values()] == list(range(1, 9))
    assert set(PLAYED) == set(all_lessons())


def begun(client: FlaskClient, name: str) -> str:
    client.get("/lessons")
    answered = client.post(f"/lessons/{name}", data={})
    assert answered.status_code == 303
    return str(answered.location)


def shoot(store: Store, game: str) -> None:
    """The archers shoot, whatever the captain does meanwhile."""
    insist(store, game, "athens", PLAYED["missiles"][0])


def test_a_lessons_page_says_its_goal_and_then_the_next_is_one_tap(client: FlaskClient, store: Store):
    address = begun(client, "missiles")
    page = client.get(address).text
    assert all_lessons()["missiles"].goal in page and 'id="next-lesson"' not in page
    shoot(store, address.split("/g/")[1][:8])
    page = client.get(address).text
    assert all_lessons()["missiles"].learnt in page
    following = re.search(r'action="(/lessons/\w+)">(?:(?!</form>).)*id="next-lesson"', page)
    assert following is not None and following[1] == "/lessons/ram"


def test_progress_is_kept_when_a_lesson_is_begun_again(client: FlaskClient, store: Store):
    game = begun(client, "missiles").split("/g/")[1][:8]
    assert "✓" not in client.get("/lessons").text
    shoot(store, game)
    begun(client, "missiles")
    page = client.get("/lessons").text
    assert page.count("✓") == 1 and "1 of 8 done" in page
    assert "1 of 8 done" in client.get("/").text


def test_a_lesson_is_no_game_to_go_on_with_and_gives_its_seat_back(client: FlaskClient):
    older, newer = (begun(client, "ram").split("/g/")[1][:8] for _ in range(2))
    page = client.get("/").text + client.get("/games").text
    assert older not in page and newer not in page
    with client.session_transaction() as session:
        assert [each[0] for each in session["seats"]] == [newer]


def test_every_ship_of_the_start_page_has_its_symbol(client: FlaskClient):
    page = client.get("/").text
    used, there = set(re.findall(r'href="#(small-[\w-]+)"', page)), re.findall(r' id="(small-[\w-]+)"', page)
    assert used <= set(there) and len(there) == len(set(there))


def test_a_lesson_that_is_not_there_is_not_begun(client: FlaskClient):
    client.get("/lessons")
    assert client.post("/lessons/swim", data={}).status_code == 404
