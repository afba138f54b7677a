"""Hamilcar as the pages show it."""

from functools import partial

from webapp.presenting.presentation import Presentation
from webapp.systems import land_goals, land_stakes
from webapp.systems.hamilcar import answers, march, messages, presenter, questions, sea_battle

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
    goals=partial(land_goals.answer_goals, "hamilcar"),
    stakes=land_stakes.stakes,
    answer=answers.answer,
    recount=answers.recount,
    worded=questions.posed,
    battle=sea_battle.panel,
    built=lambda state, side: state.built(side),
)
