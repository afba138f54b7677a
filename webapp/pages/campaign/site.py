"""Every page of a campaign, on its one blueprint."""

from __future__ import annotations

from webapp.pages.campaign import house_rules, pages, replay, views
from webapp.pages.campaign.blueprint import bp

PAGES = (views, pages, replay, house_rules)

__all__ = ["PAGES", "bp"]
