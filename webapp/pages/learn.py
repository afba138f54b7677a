"""Lessons, one rule each, and puzzles: played, not read."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from flask import Blueprint, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tactical.captains import Level
from tactical.exercises import (
    LEFT_OUT,
    LESSON,
    PUZZLE,
    Lesson,
    Puzzle,
    Solver,
    Start,
    TooLarge,
    all_lessons,
    all_puzzles,
    is_at_end,
    is_learnt,
    is_reached,
    is_solved,
    position,
    solver_of,
)
from tactical.kernel.record import plain
from webapp.captains import api, seats
from webapp.http.language import gettext as _
from webapp.http.rate_limit import slow_down
from webapp.http.seats import remember, store
from webapp.pages import lobby
from webapp.pages.captains import command_sentence
from webapp.pages.reference.odds import surprises
from webapp.presenting.labels import goal_sentence, translate, words
from webapp.presenting.small_pictures import small_ships
from webapp.storage.errors import Unknown

# -- The battles of lessons and puzzles that this browser plays: begun, forgotten, and what has been learnt in them.

GAMES, LEARNT = "exercises", "learnt"  # the session's places: the newest battle of each, and the lessons that are done
MOST = 24  # battles that a browser remembers


def begin_exercise(name: str, start: Start, side: str, title: str, enemy: Level) -> str:
    """A new battle of an exercise, in which this browser sits at `side` and a captain at all others; its code.

    `name` is its scenario. The battle that this browser had of the same exercise is forgotten.
    """
    known: dict[str, str] = dict(session.get(GAMES, {}))
    forget(known.pop(name, ""))
    game, tokens = store().create("galley", None, position(start, name), title=title)
    remember(next(each for each in store().seats(game.id) if each.id == side), tokens[side])
    for other in start.sides:
        if other != side:
            seats.hand_over(store(), seats.Held(game.id, other, enemy, given_by=side, since=store().now()))
    api.runner().look_at(game.id)
    known[name] = game.id
    for oldest in list(known)[:-MOST]:
        forget(known.pop(oldest))
    session[GAMES] = known
    return game.id


def forget(game: str) -> None:
    """Give up this browser's seats in a battle."""
    if game:
        session["seats"] = [each for each in session.get("seats", []) if each[0] != game]


def events_of(game: str) -> tuple[Any, list[Any]]:
    """A battle's position and all its events that were not taken back. Raises Unknown."""
    table = store().load(game)
    return table.state, [it for entry in store().entries(game) if entry.taken_back is None for it in entry.events]


def learnt() -> list[str]:
    """The lessons that this browser has done, in the order of the ladder; kept from now on."""
    known = set(session.get(LEARNT, []))
    for name, game in session.get(GAMES, {}).items():
        lesson = all_lessons().get(name.removeprefix(LESSON)) if name.startswith(LESSON) else None
        if lesson is not None and lesson.id not in known and is_done(lesson, game):
            known.add(lesson.id)
    found = [each for each in all_lessons() if each in known]
    if found != session.get(LEARNT, []):
        session[LEARNT] = found
    return found


def is_done(lesson: Lesson, game: str) -> bool:
    """Has the lesson been done in this battle?"""
    try:
        return is_learnt(lesson, *events_of(game))
    except Unknown:
        return False


def next_lesson() -> Lesson | None:
    """The first lesson that is still to be done; None when all are."""
    known = learnt()
    return next((each for each in all_lessons().values() if each.id not in known), None)


# -- Puzzles: one a day, all of them, and what the best line was, once one has played.

puzzles_bp = Blueprint("puzzles", __name__, template_folder="templates")
puzzles_bp.context_processor(words)
SOLVED = "solved"  # the session's place for the puzzles that are solved
WORTH_TELLING = 0.005  # of a chance


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


@puzzles_bp.get("/puzzles")
def listed() -> str:
    """All puzzles, today's first."""
    first = of_the_day(today())
    found = [first, *(each for each in all_puzzles().values() if each is not first)]
    pictures = {each.id: lobby.small_position(position(each.start, "")) for each in found}
    return render_template(
        "learn/puzzles.html",
        puzzles=found,
        pictures=pictures,
        goal_sentence=goal_sentence,
        solved=session.get(SOLVED, []),
        ships=small_ships(ship for each in pictures.values() for ship in each.ships),
    )


@puzzles_bp.get("/puzzles/<name>")
def shown(name: str) -> str:
    """One puzzle: its position and its goal; after it was played the best line, and how one's own compares."""
    puzzle = find_puzzle(name)
    drawn = lobby.small_position(position(puzzle.start, ""))
    played = newest_attempt(puzzle)
    return render_template(
        "learn/puzzle.html",
        puzzle=puzzle,
        goal=goal_sentence(puzzle),
        picture=small_ships(drawn.ships) + drawn.svg,
        is_today=puzzle is of_the_day(today()),
        played=played,
        line=best_line(solver_of(name)) if played else [],
    )


@puzzles_bp.post("/puzzles/<name>", endpoint="begin")
def begin_puzzle(name: str) -> ResponseReturnValue:
    """Begin a puzzle, or begin it again; its first ship lies open."""
    slow_down("games")
    puzzle = find_puzzle(name)
    game = begin_exercise(PUZZLE + name, puzzle.start, puzzle.side, _("Puzzle"), puzzle.enemy)
    first = next(ship for ship, sheet in puzzle.start.ships.items() if sheet["side"] == puzzle.side)
    return redirect(url_for("game.page", game=game, seat=puzzle.side, ship=first), 303)


class Weighed(NamedTuple):
    """An order that was given: in words, the best chance before it, and the chance that it left, before its dice."""

    said: str
    best: float
    left: float


class Played(NamedTuple):
    """How a puzzle was played: was the goal reached, what each of the orders was worth, and are these all of them?"""

    is_reached: bool
    orders: list[Weighed]
    is_whole: bool

    @property
    def lost(self) -> float:
        """How much chance the orders gave away altogether."""
        return sum(each.best - each.left for each in self.orders)

    @property
    def is_best(self) -> bool:
        """Had every order as good a chance as any?"""
        return self.is_whole and bool(self.orders) and self.lost < WORTH_TELLING

    @property
    def is_solved(self) -> bool:
        """Was the goal reached, or were there no better orders, and the dice alone stood against it?"""
        return self.is_reached or self.is_best


def newest_attempt(puzzle: Puzzle) -> Played | None:
    """How this browser's newest battle of the puzzle went; None when there is none, or when it still goes on."""
    game = session.get(GAMES, {}).get(PUZZLE + puzzle.id)
    try:
        state = store().load(game).state if game else None
    except Unknown:
        return None
    if state is None or not (is_reached(puzzle, state) or is_at_end(puzzle, state)):
        return None
    played = Played(is_reached(puzzle, state) or is_solved(puzzle, state), *weigh(solver_of(puzzle.id), game))
    if played.is_solved and puzzle.id not in session.get(SOLVED, []):
        session[SOLVED] = [*session.get(SOLVED, []), puzzle.id][-100:]
    return played


def weigh(solver: Solver, game: str) -> tuple[list[Weighed], bool]:
    """The player's orders in a battle of the puzzle, while its goal was still open, and whether these are all of them.

    Orders that the solver does not look at are left out, and so is what follows one whose chance takes too long.
    """
    found: list[Weighed] = []
    is_whole = True
    for entry in store().entries(game):
        if entry.taken_back is not None or entry.seat != solver.puzzle.side:
            continue
        if entry.command["type"] in LEFT_OUT:
            is_whole = False
            continue
        state = store().table_after(game, entry.number - 1).state
        if is_reached(solver.puzzle, state) or is_at_end(solver.puzzle, state):
            break
        try:
            best, left = solver.value(state), solver.worth(state, plain(entry.command))
        except TooLarge:
            return found, False
        found.append(Weighed(command_sentence("galley", entry.command, state), float(best), float(left)))
    return found, is_whole


class Order(NamedTuple):
    """An order of the best line in words, and those that have the same chance."""

    said: str
    others: list[str]


def best_line(solver: Solver) -> list[Order]:
    """A puzzle's line, with the orders that are as good at each point of it."""
    found = []
    for state, command in solver.states():
        others = [each for each in solver.best(state) if each != command]
        said, *rest = (command_sentence("galley", each, state) for each in (command, *others))
        found.append(Order(said, rest))
    return found


# -- The ladder of lessons: a page with all of them, and the beginning of each.

bp = Blueprint("learn", __name__, template_folder="templates")
bp.context_processor(words)


@bp.get("/lessons")
def lessons() -> str:
    """All lessons, the next one first to tap."""
    pictures = {each.id: lobby.small_position(position(each.start, "")) for each in all_lessons().values()}
    return render_template(
        "learn/lessons.html",
        lessons=list(all_lessons().values()),
        done=learnt(),
        following=next_lesson(),
        pictures=pictures,
        ships=small_ships(ship for each in pictures.values() for ship in each.ships),
        said={each.id: each.said[0] for each in surprises() if each.said},
    )


@bp.post("/lessons/<name>", endpoint="begin")
def begin_lesson(name: str) -> ResponseReturnValue:
    """Begin a lesson, or begin it again; its first ship lies open."""
    slow_down("games")
    lesson = all_lessons().get(name)
    if lesson is None:
        raise Unknown(_("There is no such lesson."))
    learnt()  # before its battle gives way to a new one
    game = begin_exercise(LESSON + name, lesson.start, lesson.side, translate(lesson.title), "still")
    first = next(ship for ship, sheet in lesson.start.ships.items() if sheet["side"] == lesson.side)
    return redirect(url_for("game.page", game=game, seat=lesson.side, ship=first), 303)


class Way(NamedTuple):
    """A line of the start page: where it leads, its picture, and its words."""

    href: str
    picture: Markup
    title: str
    said: str


@bp.app_template_global("ships_to_learn_with")
def ships_to_learn_with(known: Collection[tuple[str, str, int]]) -> Markup:
    """The symbols of the ships in the pictures of `ways_to_learn`, but for those that the page has."""
    following = next_lesson() or next(iter(all_lessons().values()))
    starts = (following.start, of_the_day(today()).start)
    return small_ships(
        {each for start in starts for each in lobby.small_position(position(start, "")).ships} - {*known}
    )


@bp.app_template_global("ways_to_learn")
def ways_to_learn() -> list[Way]:
    """What the start page offers of lessons and puzzles."""
    done, following, total = learnt(), next_lesson(), len(all_lessons())
    shown = following or next(iter(all_lessons().values()))
    picture = lobby.small_position(position(shown.start, "")).svg
    if not done:
        said = _("eight short lessons to play") if total == 8 else ""
    elif following is None:
        said = _("all lessons done")
    else:
        title = translate(following.title)
        said = _("%(done)s of %(total)s done; next: %(title)s", done=len(done), total=total, title=title)
    puzzle = of_the_day(today())
    drawn = lobby.small_position(position(puzzle.start, "")).svg
    return [
        Way("/lessons", picture, _("Learn by playing"), said),
        Way(f"/puzzles/{puzzle.id}", drawn, _("Today's puzzle"), goal_sentence(puzzle)),
    ]
