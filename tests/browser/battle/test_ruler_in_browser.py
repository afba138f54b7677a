"""The ruler opens over the battle, measures to a hex, and closes to where one was."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_the_ruler_opens_over_the_battle_and_measures(room, tablet, size):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], size)
    rome.go(f"/g/{game}?seat=rome&ship=r1")
    rome.page.locator("#ruler").tap()
    over = rome.page.locator("#over")
    expect(over.locator("table")).to_contain_text("Tanit")
    over.locator("input[name=place][size]").fill("0305")
    over.get_by_role("button", name="Measure").tap()
    expect(over.locator("table")).to_contain_text("0305")
    rome.page.locator("#over-close").tap()
    expect(over).to_be_hidden()
    expect(rome.page.locator("#ship-name")).to_have_text("Aquila")
