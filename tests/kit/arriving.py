"""Who taps a link has the next page before he looks: a tap by Playwright ends before the page that it leads to begins.

Without this, what follows a tap may look at the page before (and find it as wanted), or at a document that has
nothing in it yet. Each context is told to note when it leaves a page; each tap and click waits for the page after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Locator, Page

NOTED = """
window.tapped = 0;
addEventListener('click', () => { window.tapped += 1; }, true);
addEventListener('touchend', end => setTimeout(() => { if (end.defaultPrevented) window.tapped += 1; }), true);
addEventListener('submit', sent => {
  if (!sent.defaultPrevented && sent.target.method !== 'dialog' && !sent.target.target) window.leaving = true;
});
if (window.navigation) {
  navigation.addEventListener('navigate', going => {
    if (!going.hashChange && !going.destination.sameDocument && going.downloadRequest === null) window.leaving = true;
  });
  navigation.addEventListener('navigateerror', () => { window.leaving = false; });
}
"""
BEFORE = "[performance.timeOrigin, window.tapped]"
NOW = """[performance.timeOrigin, window.tapped,
  window.leaving !== true && document.documentElement !== null && document.readyState === 'complete']"""
BETWEEN = 20  # milliseconds from look to look
FELT, ARRIVED = 50, 500  # looks: for a tap that makes no click, and at a page that is held back on purpose


def asked(page: Page, question: str) -> list[Any] | None:
    """A page's answer; none while it is between two documents."""
    try:
        answer: list[Any] = page.evaluate(question)
    except Error:
        return None
    return answer


def arrive(page: Page, before: list[Any] | None, downloads: list[object]) -> None:
    """Wait until the tap was felt, and for the page to which it led, if it led to one; a saved file leads nowhere."""
    for look in range(ARRIVED):
        if page.is_closed() or downloads:
            return
        now = asked(page, NOW)
        if now is not None and now[2] and (before is None or now[:2] != before or look >= FELT):
            return
        page.wait_for_timeout(BETWEEN)


def arriving(act: Callable[..., None]) -> Callable[..., None]:
    """A tap or click that waits for where it leads."""

    def acted(self: Any, *arguments: Any, **named: Any) -> None:
        page = self if isinstance(self, Page) else self.page
        downloads: list[object] = []

        def saved(download: object) -> None:
            downloads.append(download)

        before = asked(page, BEFORE)
        page.on("download", saved)
        try:
            act(self, *arguments, **named)
            arrive(page, before, downloads)
        finally:
            page.remove_listener("download", saved)

    return acted


@contextmanager
def patient_hands() -> Iterator[None]:
    """While it lasts, every context of every browser notes when it leaves a page, and nothing moves by itself."""

    def opening(opened: Callable[..., Any]) -> Callable[..., Any]:
        def calm(self: Browser, **named: Any) -> Any:
            context = opened(self, **{"reduced_motion": "reduce"} | named)
            context.add_init_script(NOTED)
            return context

        return calm

    with pytest.MonkeyPatch.context() as patch:
        for begun in ("new_context", "new_page"):
            patch.setattr(Browser, begun, opening(getattr(Browser, begun)))
        for hand in (Locator, Page):
            for way in ("tap", "click"):
                patch.setattr(hand, way, arriving(getattr(hand, way)))
        yield
