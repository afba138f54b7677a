"""The battles of lessons and puzzles that this browser plays: begun, forgotten, and what has been learnt in them."""

from __future__ import annotations

from typing import Any

from flask import session

from tactical.captains import Level
from tactical.exercises import LESSON, Lesson, Start, all_lessons, is_learnt, position
from webapp.captains import api, seats
from webapp.http.seats import remember, store
from webapp.storage.errors import Unknown

GAMES, LEARNT = "exercises", "learnt"  # the session's places: the newest battle of each, and the lessons that are done
MOST = 24  # battles that a browser remembers


def begin(name: str, start: Start, side: str, title: str, enemy: Level) -> str:
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
