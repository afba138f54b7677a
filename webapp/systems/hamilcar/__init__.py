"""Hamilcar as the pages show it."""

from webapp.presenting.presentation import Presentation
from webapp.systems import land_stakes
from webapp.systems.hamilcar import answers, goals, march, messages, presenter, questions, sea_battle

PRESENTATION = Presentation(
    "hamilcar",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=messages.SENTENCES,
    soft=messages.SOFT,
    loud=messages.LOUD,
    together=messages.TOGETHER,
    hand=presenter.hand,
    facts=presenter.facts,
    previews=presenter.previews,
    walk=march.walk,
    goals=goals.answer_goals,
    stakes=land_stakes.stakes,
    answer=answers.answer,
    recount=answers.recount,
    worded=questions.question_of,
    battle=sea_battle.panel,
    built=lambda state, side: state.built(side),
)
