"""What a battle teaches: in a lesson its goal until it is done, in a first battle each rule once, where it is met."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import session

from tactical.battle import Battle
from tactical.exercises import Lesson, all_lessons, is_at_end, is_learnt, is_reached, lesson_of, puzzle_of
from tactical.setup import all_scenarios
from webapp.http.language import gettext as _
from webapp.http.seats import store
from webapp.presenting.exercise_words import goal_sentence
from webapp.presenting.labels import translate
from webapp.storage.journal.records import Table


@dataclass(frozen=True)
class Taught:
    """What is told now: its name (so that it is told once), a head, a text, the rule.

    A puzzle's and a lesson's have a goal and say whether it is done; a lesson's tells what was learnt and what follows.
    """

    name: str
    head: str
    text: str
    rule: str
    goal: str = ""
    learnt: str = ""
    is_done: bool = False
    following: str = ""


def is_teaching(battle: Battle) -> bool:
    """Is this a scenario that teaches?"""
    return battle.scenario in lessons()


@cache
def lessons() -> frozenset[str]:
    """The scenarios that teach."""
    return frozenset(name for name, scenario in all_scenarios().items() if scenario.teaching)


def lesson(table: Table, battle: Battle, seat: str, page: Any) -> Taught | None:
    """What is told now: of a lesson its goal, of a first battle the first rule that fits and has not been read."""
    if seat == "spectator":
        return None
    if (rung := lesson_of(battle)) is not None:
        return on_the_ladder(table, battle, rung)
    if (puzzle := puzzle_of(battle)) is not None:
        is_done = is_reached(puzzle, battle) or is_at_end(puzzle, battle)
        return Taught(puzzle.id, _("Puzzle"), "", "", goal_sentence(puzzle), is_done=is_done)
    if not is_teaching(battle):
        return None
    read = read_by(table.game.id)
    if "left" in read:
        return None
    return next((each for each in fitting(battle, page) if each.name not in read), None)


def on_the_ladder(table: Table, battle: Battle, it: Lesson) -> Taught:
    """A lesson as it stands."""
    entries = store().entries(table.game.id)
    told = [event for entry in entries if entry.taken_back is None for event in entry.events]
    following = next((each.id for each in all_lessons().values() if each.order == it.order + 1), "")
    head = _(
        "Lesson %(number)s of %(total)s: %(title)s",
        number=it.order,
        total=len(all_lessons()),
        title=translate(it.title),
    )
    goal, learnt = translate(it.goal), translate(it.learnt)
    return Taught(it.id, head, translate(it.text), it.rule, goal, learnt, is_learnt(it, battle, told), following)


def fitting(battle: Battle, page: Any) -> list[Taught]:
    """The explanations that fit this moment, the most pressing first."""
    found: list[Taught] = []
    if page.roll is not None:
        dice = _(
            "Throw these dice on the table and tap their faces, or let the server throw. When there "
            "are several dice, each can be corrected until the last is tapped; a single die counts at once."
        )
        found.append(Taught("dice", _("Dice"), dice, "G5.2"))
    moments: set[str] = {battle.step} if battle.step != "move" or page.todo else set()
    if battle.turn > 1 and battle.step == "plot":
        moments.add("turn")
    for each in all_lessons().values():
        if each.moment in moments:
            found.append(Taught(each.moment, translate(each.title), translate(each.text), each.rule))
    if battle.is_over:
        over = _("The battle is over. The report shows what was sunk and taken, and how lucky the dice were.")
        found.append(Taught("over", _("Well rowed"), over, "G10.2"))
    return found


def read_by(game: str) -> tuple[str, ...]:
    """The explanations that this browser has read in a game."""
    return tuple(session.get("lessons", {}).get(game, ()))


def mark_read(game: str, name: str) -> None:
    """Remember that an explanation has been read; "left" ends them all."""
    lessons = dict(session.get("lessons", {}))
    lessons[game] = [*lessons.get(game, []), name][-20:]
    session["lessons"] = dict(list(lessons.items())[-8:])
