"""One Chromium for all browser tests of a worker: Playwright starts only once in a process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from benchmarks.browser import ARGS, CHROMIUM, WHOLE
from kit.arriving import patient_hands


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Under `make test` a page's test that fails is tried once more, and both are told: see docs/contributing.md."""
    if os.environ.get("TRIES") == "2":
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.flaky(reruns=1))


@contextmanager
def opened(driver: Playwright, path: str) -> Iterator[Browser]:
    """A headless Chromium; without one the test fails rather than being left out."""
    if not Path(path).exists():
        pytest.fail(f"there is no Chromium at {path}; `make test` installs it")
    browser = driver.chromium.launch(executable_path=path, args=list(ARGS))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    """Playwright, whose taps wait for where they lead."""
    with sync_playwright() as playwright, patient_hands():
        yield playwright


@pytest.fixture(scope="session")
def chromium(driver: Playwright) -> Iterator[Browser]:
    """The browser of the tests."""
    with opened(driver, CHROMIUM) as browser:
        yield browser


@pytest.fixture(scope="module")
def whole_chromium(driver: Playwright) -> Iterator[Browser]:
    """Chromium with what its shell has not: messages that are pushed."""
    with opened(driver, os.environ.get("CHROMIUM") or WHOLE) as browser:
        yield browser


@pytest.fixture(scope="session")
def browser(chromium: Browser) -> Browser:
    """The same browser under its other name."""
    return chromium
