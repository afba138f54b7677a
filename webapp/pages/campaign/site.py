"""Every page of a campaign, on its one blueprint."""

from __future__ import annotations

from webapp.pages.campaign.blueprint import bp
from webapp.pages.campaign.history import chronicle_pages, replay
from webapp.pages.campaign.panel import views
from webapp.pages.campaign.umpire import views as pages
from webapp.pages.organizer import views as organizer_pages
from webapp.pages.public import views as public

PAGES = (views, pages, chronicle_pages, organizer_pages, public, replay)

__all__ = ["PAGES", "bp"]
