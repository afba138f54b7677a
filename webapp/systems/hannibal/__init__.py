"""Hannibal as the pages show it."""

from functools import partial

from webapp.systems import land_battle
from webapp.systems.hannibal import messages, presenter, previews
from webapp.systems.presentation import Presentation

PRESENTATION = Presentation(
    "hannibal",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=messages.SENTENCES,
    soft=messages.SOFT,
    hand=presenter.hand,
    facts=presenter.facts,
    space=presenter.space,
    previews=previews.previews,
    battle=partial(land_battle.panel, "hannibal"),
)
