"""Hannibal as the pages show it."""

from functools import partial

from webapp.presenting.presentation import Presentation
from webapp.systems import land_battle, land_goals, land_questions, land_stakes
from webapp.systems.hannibal import answers, march, messages, presenter, previews

PRESENTATION = Presentation(
    "hannibal",
    picture=presenter.read,
    strip=presenter.strip,
    prompt=presenter.prompt,
    sentences=messages.SENTENCES,
    soft=messages.SOFT,
    loud=messages.LOUD,
    together=messages.TOGETHER,
    hand=presenter.hand,
    facts=presenter.facts,
    space=presenter.space,
    previews=previews.previews,
    walk=march.walk,
    goals=partial(land_goals.answer_goals, "hannibal", {}),
    stakes=land_stakes.stakes,
    answer=answers.answer,
    recount=answers.recount,
    worded=partial(land_questions.question_of, "hannibal", {}),
    battle=partial(land_battle.panel, "hannibal", presenter.leaders),
)
