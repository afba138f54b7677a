"""The ladder of lessons: a page with all of them, and the beginning of each."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tactical.exercises import LESSON, Lesson, all_lessons, position
from webapp.http.language import gettext as _
from webapp.http.rate_limit import slow_down
from webapp.pages.learn import games, puzzles
from webapp.pages.lobby import tiles
from webapp.presenting.exercise_words import goal_sentence
from webapp.presenting.labels import translate, words
from webapp.presenting.small_board import small_ships
from webapp.storage.errors import Unknown

bp = Blueprint("learn", __name__, template_folder="templates")
bp.context_processor(words)


class Rung(NamedTuple):
    """A lesson on the ladder."""

    lesson: Lesson
    is_done: bool
    is_next: bool
    picture: Markup


@bp.get("/lessons")
def lessons() -> str:
    """All lessons, the next one first to tap."""
    done, following = games.learnt(), games.next_lesson()
    pictures = {each.id: tiles.small_position(position(each.start, "")) for each in all_lessons().values()}
    rungs = [Rung(each, each.id in done, each is following, pictures[each.id].svg) for each in all_lessons().values()]
    ships = small_ships(ship for each in pictures.values() for ship in each.ships)
    return render_template("learn/lessons.html", rungs=rungs, done=len(done), ships=ships)


@bp.post("/lessons/<name>")
def begin(name: str) -> ResponseReturnValue:
    """Begin a lesson, or begin it again; its first ship lies open."""
    slow_down("games")
    lesson = all_lessons().get(name)
    if lesson is None:
        raise Unknown(_("There is no such lesson."))
    games.learnt()  # before its battle gives way to a new one
    game = games.begin(LESSON + name, lesson.start, lesson.side, translate(lesson.title), "still")
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
    following = games.next_lesson() or next(iter(all_lessons().values()))
    starts = (following.start, puzzles.of_the_day(puzzles.today()).start)
    return small_ships(
        {each for start in starts for each in tiles.small_position(position(start, "")).ships} - {*known}
    )


@bp.app_template_global("ways_to_learn")
def ways_to_learn() -> list[Way]:
    """What the start page offers of lessons and puzzles."""
    done, following, total = games.learnt(), games.next_lesson(), len(all_lessons())
    shown = following or next(iter(all_lessons().values()))
    picture = tiles.small_position(position(shown.start, "")).svg
    if not done:
        said = _("eight short lessons to play") if total == 8 else ""
    elif following is None:
        said = _("all lessons done")
    else:
        title = translate(following.title)
        said = _("%(done)s of %(total)s done; next: %(title)s", done=len(done), total=total, title=title)
    puzzle = puzzles.of_the_day(puzzles.today())
    drawn = tiles.small_position(position(puzzle.start, "")).svg
    return [
        Way("/lessons", picture, _("Learn by playing"), said),
        Way(f"/puzzles/{puzzle.id}", drawn, _("Today's puzzle"), goal_sentence(puzzle)),
    ]
