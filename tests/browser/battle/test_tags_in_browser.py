"""The page of the tags by touch: what a size means is seen before it is kept, and the kept sheet is printed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from test_battle_own_table import own_table

from kit.screens import screens
from kit.tablets import PHONE, TABLET
from webapp.storage.services.archive import layout_of

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", screens(TABLET, PHONE))
def test_sizes_are_typed_looked_at_and_kept_and_the_sheet_is_printed(room, tablet, size):
    game, tokens = room.battle(position=own_table(4))
    rome = tablet(tokens["rome"], size)
    page = rome.page
    page.get_by_label("Menu").tap()
    page.get_by_role("link", name="Tags for the models").tap()
    expect(page.locator(".tag-strip svg")).to_be_visible()
    twelve = page.locator(".pixels tr", has_text="12 megapixels").locator("td").nth(1)
    expect(twelve).to_contain_text("26 (19)")
    side = page.get_by_label("Side of a tag")
    side.fill("20")
    side.press("Tab")
    expect(twelve).to_contain_text("32 (24)")
    expect(side).to_have_value("20")
    side.fill("30")
    side.press("Tab")
    expect(page.locator("#refusal")).to_contain_text("Side of a tag: a tag of 30 mm needs a base 35.0 mm wide")
    side.fill("16")
    side.press("Tab")
    expect(page.locator("#refusal")).to_have_count(0)
    page.get_by_role("button", name="Keep these sizes").tap()
    expect(page.locator("#sheet")).to_be_visible()
    assert layout_of(room.store, game).table == (1800, 1200)
    with page.expect_download() as got:
        page.get_by_role("link", name="PDF, 2 pages").tap()
    assert got.value.suggested_filename == f"navarch-{game}-tags.pdf"
