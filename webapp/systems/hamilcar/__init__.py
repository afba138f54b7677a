"""Hamilcar as the pages show it."""

from webapp.presenting.presentation import Presentation
from webapp.systems import land_war
from webapp.systems.hamilcar import answers, presenter

PRESENTATION = Presentation(
    "hamilcar",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=presenter.SENTENCES,
    acts=presenter.ACTS,
    soft=presenter.SOFT,
    loud=presenter.LOUD,
    together=presenter.TOGETHER,
    hand=presenter.hand,
    facts=presenter.facts,
    previews=presenter.previews,
    walk=answers.walk,
    goals=answers.answer_goals,
    stakes=land_war.stakes,
    answer=answers.SPEAKER.answer,
    recount=answers.SPEAKER.recount,
    worded=answers.SPEAKER.question,
    battle=presenter.panel,
    built=lambda state, side: state.built(side),
)
