"""Every page of the reference, on its one blueprint."""

from __future__ import annotations

from webapp.pages.reference import case_pages, handbooks, offline, views
from webapp.pages.reference.blueprint import bp

PAGES = (views, case_pages, handbooks, offline)

__all__ = ["PAGES", "bp"]
