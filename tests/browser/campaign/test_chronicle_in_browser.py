"""The chronicle and the public page in a real browser: maps are drawn, the paper becomes a PDF with text and pictures."""

from __future__ import annotations

import io
import unicodedata

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from kit.accessible import violations
from kit.club_room import Server, club_server, is_too_wide
from kit.screens import screens
from strategic.captains.stand_in import choose
from webapp.storage.journal.store import Store
from webapp.storage.services import archive

__all__ = ["club_server"]
pytestmark = pytest.mark.browser
DRAWN = "[...document.querySelectorAll('figure img')].every(img => img.complete && img.naturalWidth > 0)"


def played(store: Store, moves: int) -> tuple[str, dict[str, str]]:
    game, tokens = store.create("hannibal", "second_punic_war")
    for _ in range(moves):
        table = store.load(game.id)
        seat = table.waiting_for[0]
        offers = [offer for offer in table.offers(seat) if offer.type != "resign"]
        command = choose("hannibal", table.view(seat), seat, offers).command
        store.submit(game.id, table.game.version, seat, command, "digital")
    return game.id, tokens


def drawn(page: Page) -> None:
    """Every picture has come; lazy ones come when they are looked at."""
    for picture in page.locator("figure img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_be_visible()
    for _look in range(200):
        if page.evaluate(DRAWN):
            return
        page.wait_for_timeout(50)
    raise AssertionError("a map was not drawn")


@pytest.mark.parametrize(
    ("width", "height", "scheme"), screens((1024, 768, "day"), (390, 844, "night"), (844, 390, "dark"))
)
def test_the_chronicle_and_the_public_page_are_read_on_any_screen(
    server: Server, chromium: Browser, width: int, height: int, scheme: str
) -> None:
    store: Store = server.app.extensions["navarch"].store
    game, tokens = played(store, 40)
    context = chromium.new_context(viewport={"width": width, "height": height}, has_touch=True)
    context.add_cookies([{"name": "scheme", "value": scheme, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}/join/{tokens['umpire']}")
    page.goto(f"{server.url}/campaign/{game}/chronicle")
    assert page.locator(".told-aloud").count() >= 1
    drawn(page)
    assert not is_too_wide(page) and violations(page) == []
    page.goto(f"{server.url}/seats/{game}")
    page.get_by_role("button", name="Open the public page").tap()
    expect(page.locator("#public .qr")).to_be_visible()
    link = page.locator("#public a").get_attribute("href") or ""
    assert not is_too_wide(page)
    stranger = chromium.new_context(viewport={"width": width, "height": height}, has_touch=True)
    public = stranger.new_page()
    public.goto(server.url + link)
    expect(public.locator("#map")).to_be_visible()
    assert not is_too_wide(public) and violations(public) == []
    public.get_by_role("link", name="Chronicle").tap()
    drawn(public)
    assert (
        not is_too_wide(public)
        and public.locator("form[method=post]").count() == page.locator("body > header form[method=post]").count()
    )
    stranger.close()
    context.close()


def test_the_paper_becomes_a_pdf_with_the_story_and_its_maps(server: Server, chromium: Browser) -> None:
    store: Store = server.app.extensions["navarch"].store
    game, _ = played(store, 60)
    archive.perform(store, game, "publish", "umpire")
    page = chromium.new_page()
    page.goto(f"{server.url}/public/{game}/chronicle?paper=a4")
    drawn(page)
    said = [each for each in page.locator(".told-aloud").all_inner_texts() if each]
    read = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    drawn_text = " ".join(each.extract_text() for each in read.pages)
    text = " ".join(unicodedata.normalize("NFKC", drawn_text).split())  # the paper may draw "ffi" as one sign
    assert said and all(" ".join(each.split()[:6]) in text for each in said)
    assert "Print this page" not in text and "Web feed" not in text
    assert "Saguntum" in text, "the map's own names"
    box = read.pages[0].mediabox
    assert (round(float(box.width)), round(float(box.height))) in ((595, 842), (594, 841), (595, 841), (596, 842))
    page.close()
