"""One Chromium for all browser tests of a worker: Playwright starts only once in a process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.arriving import patient_hands

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Under `make test` a page's test that fails is tried once more, and both are told: see docs/contributing.md."""
    if os.environ.get("TRIES") == "2":
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless Chromium; without one the test fails rather than being left out."""
    if not Path(CHROMIUM).exists():
        pytest.fail(f"there is no Chromium at {CHROMIUM}; `make test` installs it")
    with sync_playwright() as playwright, patient_hands():
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser(chromium: Browser) -> Browser:
    """The same browser under its other name."""
    return chromium
