"""A real server with a war of one's own, and tablets and phones at it."""

import pytest
from playwright.sync_api import expect

from kit.open_tables import Tables
from strategic import NAMES

expect.set_options(timeout=30_000)

collect_ignore_glob = [] if "open_campaign" in NAMES else ["test_*"]


@pytest.fixture
def tables(browser, tmp_path):
    here = Tables(browser, tmp_path / "games.db")
    yield here
    here.close()
