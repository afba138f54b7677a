"""Puzzles: one a day, all of them, and what the best line was, once one has played."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import NamedTuple

from flask import Blueprint, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from tactical.exercises import PUZZLE, Puzzle, all_puzzles, is_at_end, is_reached, is_solved, position
from tactical.kernel.record import plain
from tactical.solving import LEFT_OUT, Solver, TooLarge, solver_of
from webapp.http.language import gettext as _
from webapp.http.rate_limit import slow_down
from webapp.http.seats import store
from webapp.pages.captains.deeds import command_sentence
from webapp.pages.learn import games
from webapp.pages.lobby import tiles
from webapp.presenting.exercise_words import goal_sentence
from webapp.presenting.labels import words
from webapp.presenting.small_board import small_ships
from webapp.storage.errors import Unknown

bp = Blueprint("puzzles", __name__, template_folder="templates")
bp.context_processor(words)
SOLVED = "solved"  # the session's place for the puzzles whose goal was reached


def of_the_day(day: date) -> Puzzle:
    """The puzzle of a day: each in turn."""
    known = list(all_puzzles().values())
    return known[day.toordinal() % len(known)]


def today() -> date:
    """The day by the world's clock."""
    return datetime.now(UTC).date()


def find_puzzle(name: str) -> Puzzle:
    """The puzzle of that name. Raises Unknown."""
    found = all_puzzles().get(name)
    if found is None:
        raise Unknown(_("There is no such puzzle."))
    return found


@bp.get("/puzzles")
def listed() -> str:
    """All puzzles, today's first."""
    first = of_the_day(today())
    found = [first, *(each for each in all_puzzles().values() if each is not first)]
    pictures = {each.id: tiles.small_position(position(each.start, "")) for each in found}
    return render_template(
        "learn/puzzles.html",
        puzzles=found,
        pictures=pictures,
        goal_sentence=goal_sentence,
        solved=session.get(SOLVED, []),
        ships=small_ships(ship for each in pictures.values() for ship in each.ships),
    )


@bp.get("/puzzles/<name>")
def shown(name: str) -> str:
    """One puzzle: its position and its goal; after it was played the best line, and how one's own compares."""
    puzzle = find_puzzle(name)
    drawn = tiles.small_position(position(puzzle.start, ""))
    return render_template(
        "learn/puzzle.html",
        puzzle=puzzle,
        goal=goal_sentence(puzzle),
        picture=small_ships(drawn.ships) + drawn.svg,
        is_today=puzzle is of_the_day(today()),
        played=newest_attempt(puzzle),
        line=[command_sentence("galley", command, solver_of(name).start) for command in puzzle.line],
    )


@bp.post("/puzzles/<name>")
def begin(name: str) -> ResponseReturnValue:
    """Begin a puzzle, or begin it again; its first ship lies open."""
    slow_down("games")
    puzzle = find_puzzle(name)
    game = games.begin(PUZZLE + name, puzzle.start, puzzle.side, _("Puzzle"), puzzle.enemy)
    first = next(ship for ship, sheet in puzzle.start.ships.items() if sheet["side"] == puzzle.side)
    return redirect(url_for("game.page", game=game, seat=puzzle.side, ship=first), 303)


class Weighed(NamedTuple):
    """An order that was given: in words, the best chance before it, and the chance that it left, before its dice."""

    said: str
    best: float
    left: float


class Played(NamedTuple):
    """How this browser has played a puzzle: was the goal reached, and what each of its orders was worth."""

    is_solved: bool
    orders: list[Weighed]

    @property
    def lost(self) -> float:
        """How much chance the orders gave away altogether."""
        return sum(each.best - each.left for each in self.orders)


def newest_attempt(puzzle: Puzzle) -> Played | None:
    """How this browser's newest battle of the puzzle went; None when there is none, or when it still goes on."""
    game = session.get(games.GAMES, {}).get(PUZZLE + puzzle.id)
    try:
        state = store().load(game).state if game else None
    except Unknown:
        return None
    if state is None or not (is_reached(puzzle, state) or is_at_end(puzzle, state)):
        return None
    orders = weigh(solver_of(puzzle.id), game)
    reached = is_reached(puzzle, state) or is_solved(puzzle, state)
    if reached and puzzle.id not in session.get(SOLVED, []):
        session[SOLVED] = [*session.get(SOLVED, []), puzzle.id][-100:]
    return Played(reached, orders)


def weigh(solver: Solver, game: str) -> list[Weighed]:
    """The player's orders in a battle of the puzzle, while its goal was still open; without those that end it."""
    found = []
    for entry in store().entries(game):
        if entry.taken_back is not None or entry.seat != solver.puzzle.side or entry.command["type"] in LEFT_OUT:
            continue
        state = store().table_after(game, entry.number - 1).state
        if is_reached(solver.puzzle, state) or is_at_end(solver.puzzle, state):
            break
        try:
            best, left = solver.value(state), solver.worth(state, plain(entry.command))
        except TooLarge:
            break
        found.append(Weighed(command_sentence("galley", entry.command, state), float(best), float(left)))
    return found
