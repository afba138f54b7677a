"""The organizer's page by touch: pause and go on, a copy after an entry, into the archive and out of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from kit.accessible import violations
from kit.club_room import Server, club_server, is_too_wide
from kit.screens import screens
from webapp.storage.journal.store import Store

__all__ = ["club_server"]
pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("width", "height", "scheme"), screens((1024, 768, "day"), (390, 844, "night"), (844, 390, "dark"))
)
def test_a_campaign_is_paused_copied_and_archived_by_touch(
    server: Server, chromium: Browser, width: int, height: int, scheme: str
) -> None:
    store: Store = server.app.extensions["navarch"].store
    game, tokens = store.create("hannibal", "second_punic_war")
    context = chromium.new_context(viewport={"width": width, "height": height}, has_touch=True)
    context.add_cookies([{"name": "scheme", "value": scheme, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}/join/{tokens['umpire']}")
    page.goto(f"{server.url}/organizer")
    kept = page.locator(f"#keep-{game.id}")
    kept.locator("summary").tap()
    kept.get_by_role("button", name="Pause", exact=True).tap()
    expect(page.locator(f"#game-{game.id}")).to_contain_text("paused")
    assert not is_too_wide(page)
    page.goto(f"{server.url}/g/{game.id}?seat=umpire")
    expect(page.locator("#halted")).to_contain_text("This game is paused")
    expect(page.locator(".waits")).to_contain_text("paused")
    assert page.locator(".offer").count() == 0 and not is_too_wide(page)
    page.goto(f"{server.url}/organizer")
    kept.locator("summary").tap()
    kept.get_by_role("button", name="Resume").tap()
    expect(page.locator(f"#game-{game.id}")).to_contain_text("Rome must")
    kept.locator("summary").tap()
    kept.get_by_label("Title of the copy").fill("What if")
    assert violations(page) == [] and not is_too_wide(page)
    kept.get_by_role("button", name="Copy into a new game").tap()
    expect(page.get_by_role("heading", name="What if")).to_be_visible()
    page.goto(f"{server.url}/organizer")
    kept.locator("summary").tap()
    kept.get_by_role("button", name="Put into the archive").tap()
    expect(page.locator(f"tr#game-{game.id}")).to_have_count(0)
    expect(page.locator(f"#archive #game-{game.id}")).to_be_visible()
    assert violations(page) == [] and not is_too_wide(page)
    page.get_by_role("button", name="Take out of the archive").tap()
    expect(page.locator(f"tr#game-{game.id}")).to_have_count(1)
    context.close()
