"""Each step of the handbooks does what it tells, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tools.handbook import STEPS, Walk

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def walk(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    found = Walk(chromium, Path(tmp_path_factory.mktemp("handbook")))
    yield found
    found.stop()


@pytest.mark.parametrize(("who", "step"), [(who, step) for who, steps in STEPS.items() for step in steps])
def test_a_step_can_be_walked(walk: Walk, who: str, step: str):
    page = STEPS[who][step](walk)
    page.context.close()
    assert walk.faults == []
