"""The other schemes of a page that is open: what the menu's buttons do (static/app.js), without loading it anew."""

from __future__ import annotations

from playwright.sync_api import Page

OTHERS = ("dark", "night")
COLOURS = ("color-contrast", "link-in-text-block")  # what axe finds of colours; the markup is the same in every scheme


def wear(page: Page, scheme: str) -> None:
    """Show the open page in another scheme, as a tap in its menu does."""
    page.evaluate(
        """scheme => {
          if (!document.documentElement.dataset.scheme) return;  // a printed page has one look
          document.documentElement.dataset.scheme = scheme;
          const look = document.querySelector('meta[name="color-scheme"]');
          if (look) look.content = scheme === "day" ? "light" : "dark";
        }""",
        scheme,
    )
