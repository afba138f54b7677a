"""Puzzles: each is solved anew by every order and every die; the pages tell its best line once it was played."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.insistence import insist
from kit.real_house import real_app, real_store  # noqa: F401
from tactical.battle import Battle
from tactical.exercises import MOST, Puzzle, all_puzzles, is_at_end, is_reached, outcomes, solver_of
from webapp.captains.seats import CaptainRunner
from webapp.lab.puzzles import CLEAR, LEAST
from webapp.pages.learn import of_the_day
from webapp.storage.journal.store import Store

# Every third is solved by each of its first orders; that the best line of every one keeps its chance, the test after it holds.
SOLVED = [
    pytest.param(name, marks=() if place % 3 == 0 else pytest.mark.soak) for place, name in enumerate(all_puzzles())
]


def test_there_are_puzzles_for_a_month_and_no_two_are_alike():
    starts = [repr(each.start) for each in all_puzzles().values()]
    assert len(starts) == len(set(starts)) >= 30
    assert len({(each.what, each.turns) for each in all_puzzles().values()}) >= 3


@pytest.mark.parametrize("name", SOLVED)
def test_a_puzzle_has_the_chance_that_it_says_and_one_clearly_best_first_order(name: str):
    puzzle, solver = all_puzzles()[name], solver_of(name)
    (best, first), (second, _other), *_rest = solver.choices(solver.start)
    assert (round(float(best), 4), round(float(second), 4)) == (puzzle.chance, puzzle.next)
    assert best >= LEAST and best - second >= CLEAR and first == puzzle.line[0]
    assert solver.looked <= MOST, "it is solved while somebody waits for the page"
    assert puzzle.rules


@pytest.mark.parametrize("name", all_puzzles())
def test_the_line_of_a_puzzle_keeps_its_chance_to_the_end(name: str):
    puzzle, solver = all_puzzles()[name], solver_of(name)
    state = solver.start
    for command in puzzle.line:
        while (enemy := solver.enemy_to_act(state)) is not None:
            ((_chance, state),) = outcomes(state, enemy, solver.answer(state, enemy))
        assert float(solver.worth(state, command)) == pytest.approx(puzzle.chance, abs=1e-4)
        after = list(outcomes(state, puzzle.side, command))
        assert sum(chance for chance, _state in after) == 1
        state = after[0][1]
    assert len(after) > 1 or is_reached(puzzle, state) or is_at_end(puzzle, state)


def test_each_day_has_the_next_puzzle():
    days = [date(2026, 1, 1) + timedelta(days=each) for each in range(len(all_puzzles()))]
    assert {of_the_day(day).id for day in days} == set(all_puzzles())


def certain() -> str:
    """A puzzle whose best line needs no luck."""
    return next(name for name, each in all_puzzles().items() if each.chance == 1)


def play(client: FlaskClient, store: Store, name: str, commands: list[dict[str, Any]]) -> str:
    """Begin a puzzle and give these orders, each when its ship may act; the battle's code."""
    game = client.post(f"/puzzles/{name}", data={}).location.split("/g/")[1][:8]
    side = all_puzzles()[name].side
    for command in commands:
        insist(store, game, side, command)
    return str(game)


def test_the_best_line_is_told_once_it_was_played_and_not_before(client: FlaskClient, store: Store):
    name = certain()
    puzzle = all_puzzles()[name]
    assert "The best line" not in client.get(f"/puzzles/{name}").text
    game = play(client, store, name, list(puzzle.line))
    assert is_reached(puzzle, store.load(game).state)
    assert f'href="/puzzles/{name}"' in client.get(f"/g/{game}?seat={puzzle.side}").text
    page = client.get(f"/puzzles/{name}").text
    assert "Solved" in page and "You lost nothing" in page and puzzle.rules[-1] in page
    assert "✓" in client.get("/puzzles").text


def awaited(store: Store, game: str, puzzle: Puzzle) -> Battle | None:
    """The position when the player must act, the enemy having acted; None when the puzzle is over."""
    captain = CaptainRunner(store, 0, apart=False)
    state: Battle = store.load(game).state
    while not is_reached(puzzle, state) and not is_at_end(puzzle, state):
        if not captain.play(game):
            return state
        state = store.load(game).state
    return None


def alike() -> str:
    """A puzzle in whose best line another order is as good."""
    name = "sink2_51_1"
    assert any(len(solver_of(name).best(state)) > 1 for state, _command in solver_of(name).states())
    return name


def test_any_order_of_equal_chance_solves_the_puzzle_and_is_told(client: FlaskClient, store: Store):
    """Speeds 2, 3 and 4 bring Paralos equally well before the enemy; the rest of the line follows from the position."""
    name = alike()
    solver, puzzle = solver_of(name), all_puzzles()[name]
    game, others = play(client, store, name, []), 0
    while (state := awaited(store, game, puzzle)) is not None:
        insist(store, game, puzzle.side, (best := solver.best(state))[-1])
        others += len(best) > 1
    page = client.get(f"/puzzles/{name}").text
    assert others and "just as good" in page and "Solved" in page and "You lost nothing" in page


def test_dice_that_fail_the_best_orders_leave_the_puzzle_solved_and_giving_up_does_not(
    client: FlaskClient, store: Store
):
    name = alike()
    solver, puzzle = solver_of(name), all_puzzles()[name]
    seen = set()
    for _try in range(40):
        game = play(client, store, name, [])
        while (state := awaited(store, game, puzzle)) is not None:
            insist(store, game, puzzle.side, solver.best(state)[0])
        page = client.get(f"/puzzles/{name}").text
        seen.add(is_hit := is_reached(puzzle, store.load(game).state))
        assert "✓ Solved" in page and ("dice were against you" in page) is not is_hit
        if len(seen) > 1:
            break
    assert len(seen) == 2
    play(client, store, name, [*puzzle.line[:2], {"type": "resign", "side": puzzle.side}])
    assert "Not this time" in client.get(f"/puzzles/{name}").text


def test_a_puzzle_of_the_day_is_on_the_start_page(client: FlaskClient):
    page = client.get("/").text
    assert any(f'href="/puzzles/{name}"' in page for name in all_puzzles())
    assert client.get("/puzzles/none").status_code == 404
