"""Who has seen more than the server has is told so on the page, and sees what stands now."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from webapp.storage.services import backups

pytestmark = pytest.mark.browser
SENTENCE = "The server has lost moves"


def test_a_backup_put_in_the_place_of_the_file_is_told_on_every_screen(room, tablet):
    game, tokens = room.battle()
    room.store.submit(game, 0, "rome", {"type": "plot", "ship": "r1", "speed": 2})
    made = backups.back_up(room.store.file.path)
    rome, screen = tablet(tokens["rome"]), tablet().go(f"/display/{game}")
    for speed in (1, 3):
        seen = room.store.game(game).version
        room.store.submit(game, seen, "rome", {"type": "plot", "ship": "r1", "speed": speed})
    for each in (rome, screen):
        each.until(3)
        expect(each.page.locator("#lost-moves")).to_be_hidden()
    backups.put(made, room.store.file.path)
    for each in (rome, screen):
        expect(each.page.locator("#lost-moves")).to_contain_text(SENTENCE)
        expect(each.page.locator("#table")).to_have_attribute("data-version", "1")
    rome.page.locator("#lost-moves button").tap()
    expect(rome.page.locator("#lost-moves")).to_be_hidden()
    room.store.submit(game, 1, "rome", {"type": "plot", "ship": "r1", "speed": 3})
    rome.until(2)
    expect(rome.page.locator("#lost-moves")).to_be_hidden()


def test_a_page_that_slept_through_it_hears_when_it_wakes(room, tablet):
    game, tokens = room.battle()
    made = backups.back_up(room.store.file.path)
    room.store.submit(game, 0, "rome", {"type": "plot", "ship": "r1", "speed": 2})
    rome = tablet(tokens["rome"])
    assert rome.version == 1
    hidden = "value => { Object.defineProperty(document, 'hidden', {value, configurable: true}); "
    change = "document.dispatchEvent(new Event('visibilitychange')); }"
    rome.page.evaluate(hidden + change, True)
    backups.put(made, room.store.file.path)
    rome.page.evaluate(hidden + change, False)
    expect(rome.page.locator("#lost-moves")).to_contain_text(SENTENCE)
    expect(rome.page.locator("#table")).to_have_attribute("data-version", "0")
