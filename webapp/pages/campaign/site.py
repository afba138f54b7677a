"""Every page of a campaign, on its one blueprint."""

from __future__ import annotations

from webapp.pages.campaign import chronicle_pages, organizer_pages, pages, public, replay, views
from webapp.pages.campaign.blueprint import bp

PAGES = (views, pages, chronicle_pages, organizer_pages, public, replay)

__all__ = ["PAGES", "bp"]
