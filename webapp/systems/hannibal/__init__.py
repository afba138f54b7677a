"""Hannibal as the pages show it."""

from functools import partial

from webapp.presenting.presentation import Presentation
from webapp.presenting.spoken import told
from webapp.systems import land_march, land_war
from webapp.systems.hannibal import presenter

PRESENTATION = Presentation(
    "hannibal",
    picture=presenter.read,
    strip=presenter.strip,
    prompt=presenter.prompt,
    sentences=presenter.SENTENCES,
    **told(presenter.KINDS, presenter.SPEAKER),
    hand=presenter.hand,
    facts=presenter.facts,
    space=presenter.space,
    previews=presenter.previews,
    walk=presenter.walk,
    goals=partial(land_march.answer_goals, "hannibal", {}),
    stakes=land_war.stakes,
    battle=partial(land_war.panel, "hannibal", presenter.leaders),
)
