"""The photograph of the players' own table: taken on one tablet, drawn on with a finger, seen on the other."""

from __future__ import annotations

import os
import struct
import zlib

import pytest
from playwright.sync_api import expect
from test_battle_own_table import own_table

from kit.screens import screens
from kit.tablets import PHONE, SIDE, TABLET

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("SHOTS")


def photo(width: int = 2400, height: int = 1800) -> bytes:
    """A picture larger than a page needs: a table with a blue cloth."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    rows = b"".join(b"\0" + bytes((30, 90 + y * 90 // height, 140)) * width for y in range(height))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("size", "scheme"), screens((TABLET, "day"), (PHONE, "dark"), (SIDE, "night")))
def test_a_photo_is_taken_and_drawn_on(room, tablet, size, scheme):
    game, tokens = room.battle(position=own_table(4))
    rome, carthage = tablet(tokens["rome"], size, scheme), tablet(tokens["carthage"], TABLET)
    for each in (carthage, rome):
        each.page.get_by_label("Menu").tap()
        each.tap(each.page.get_by_role("link", name="Photo"))
    page = rome.page
    page.locator("#photo-file").set_input_files({"name": "table.png", "mimeType": "image/png", "buffer": photo()})
    expect(page.locator("form.take-photo[data-ready]")).to_be_attached()
    page.get_by_role("button", name="Keep this photo").tap()
    expect(page.locator("#table-photo")).to_be_visible()
    kept = room.store.file.rows("select kind, width, height from table_photos where game = ?", game)
    assert kept == [{"kind": "image/jpeg", "width": 1600, "height": 1200}], "it was made small before it was sent"
    expect(carthage.page.locator("#table-photo")).to_be_visible()
    page.wait_for_load_state()  # the photo is seen before the script that draws on it has come
    page.locator("#table-photo").hover()
    box = page.locator("#table-photo").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1] + 30, steps=6)
    page.mouse.move(middle[0] + 20, middle[1] + 50, steps=6)
    page.mouse.up()
    expect(carthage.page.locator("#lines .line-over")).to_have_count(1)
    expect(page.locator("#lines .line0")).to_have_count(1)
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/photo-{size['width']}-{scheme}.png")
    rome.tap(page.get_by_role("button", name="Erase my last line"))
    expect(page.locator("#lines .line-over")).to_have_count(0)
    expect(carthage.page.locator("#lines .line-over")).to_have_count(0)
    assert rome.refusals == []
