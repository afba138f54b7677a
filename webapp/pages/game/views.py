"""The addresses under /g/<game>, for every system that has pages."""

from __future__ import annotations

from webapp.pages.battle.views import PAGES as BATTLE
from webapp.pages.campaign.panel.views import PAGES as CAMPAIGN
from webapp.pages.game import acts as game
from webapp.storage.errors import Unknown
from webapp.systems.presentations import PRESENTATIONS

KINDS = {"galley": BATTLE, **dict.fromkeys(PRESENTATIONS, CAMPAIGN)}


def kind(system: str) -> game.GamePages:
    """The pages of a system's games. Raises Unknown for one that is played over the API alone."""
    if system not in KINDS:
        raise Unknown("There is no such game.")
    return KINDS[system]


bp = game.blueprint(kind)
