"""Hamilcar as the pages show it."""

from functools import partial

from webapp.systems import land_battle
from webapp.systems.hamilcar import messages, presenter
from webapp.systems.presentation import Presentation

PRESENTATION = Presentation(
    "hamilcar",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=messages.SENTENCES,
    soft=messages.SOFT,
    hand=presenter.hand,
    facts=presenter.facts,
    previews=presenter.previews,
    battle=partial(land_battle.panel, "hamilcar"),
)
