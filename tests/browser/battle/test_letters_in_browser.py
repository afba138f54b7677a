"""A letter that comes during a battle shows on the menu of the table by itself, until it is opened."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET
from webapp.storage.services import letters

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_a_letter_that_comes_is_counted_on_the_menu(room, tablet, size):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"], size)
    carthage.go(f"/g/{game}?seat=carthage")
    badge = carthage.page.locator("#menu > summary .badge")
    expect(carthage.page.locator("#live.on")).to_be_attached()
    expect(badge).to_have_count(0)
    letters.send(room.store, game, "rome", "carthage", "Shall we share Sicily?")
    expect(badge).to_have_text("1")
    carthage.page.locator("#menu > summary").tap()
    expect(carthage.page.locator("#letters-new")).to_be_visible()
    carthage.page.locator("#menu nav a", has_text="Letters").tap()
    expect(carthage.page.locator("article.letter.fresh")).to_contain_text("Shall we share Sicily?")
    carthage.page.get_by_role("link", name="Back to the game").tap()
    expect(carthage.page.locator("#live.on")).to_be_attached()
    expect(badge).to_have_count(0)
