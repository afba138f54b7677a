"""Hamilcar as the pages show it."""

from webapp.presenting.presentation import Presentation
from webapp.presenting.spoken import told
from webapp.systems import land_war
from webapp.systems.hamilcar import answers, presenter

PRESENTATION = Presentation(
    "hamilcar",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=presenter.SENTENCES,
    **told(presenter.KINDS, answers.SPEAKER),
    hand=presenter.hand,
    facts=presenter.facts,
    previews=presenter.previews,
    walk=answers.walk,
    goals=answers.answer_goals,
    stakes=land_war.stakes,
    battle=presenter.panel,
    built=lambda state, side: state.built(side),
)
