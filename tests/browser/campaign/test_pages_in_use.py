"""What a trial of the campaign's page found poor on a tablet, looked at in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

OWN_GROUND = """() => { const level = map.dataset.level, wrong = []; let seen = 0;
  const view = map.getBoundingClientRect();
  for (const hit of document.querySelectorAll(`.hits.l${level} .hit`)) {
    const box = hit.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (x < view.x || x > view.right || y < view.y || y > view.bottom) continue;
    const top = document.elementFromPoint(x, y);
    if (top.closest(".map-tools, .latest")) continue;
    seen += 1;
    const found = top.closest(".hit");
    if (!found || found.getAttribute("href") !== hit.getAttribute("href")) wrong.push(hit.getAttribute("href"));
  }
  return [seen, wrong]; }"""


def test_b4_a_counter_opens_its_own_space_and_the_first_view_fits_what_the_seat_has(table):
    table.set_up("hannibal")
    page = table.tablet("rome").page
    seen, wrong = page.evaluate(OWN_GROUND)
    assert seen >= 3 and wrong == []
    shown, whole = page.evaluate("[map.viewBox.baseVal.width, Number(map.dataset.width)]")
    assert shown < whole, "A7: Britain and the Sahara are left out"


def test_s2_s3_the_head_stays_and_undo_says_why_on_the_screen(table):
    """Also A3 and A5: what was told leaves the map; nearer and a new load keep what is chosen."""
    table.set_up("hamilcar", scenario="off_mylae", options={"sea_battles": "both"})
    tablet = table.tablet("rome")
    page = tablet.page

    def head() -> list[float]:
        place = "[strip.offsetHeight, document.querySelector('.undo')?.getBoundingClientRect().top ?? 0]"
        found: list[float] = page.evaluate(place)
        return found

    tall = head()[0]
    tops = set()
    for side in ("rome", "carthage"):
        command = {"type": "choose_way", "engagement": "2.1", "way": "own_table", "side": side}
        table.store.submit(table.id, table.version, side, command)
        tablet.sees_version(table.version)
        assert head()[0] == tall
        tops.add(head()[1])
    assert len(tops) == 1
    page.locator("#undo-why > summary").tap()
    why = page.locator("#undo-why .menu-body")
    expect(why).to_be_visible()
    box = why.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 1024
    page.keyboard.press("Escape")

    told = page.locator("#latest p").first
    page.evaluate("latest.style.setProperty('--stay', '0ms')")
    expect(told).to_be_hidden()
    expect(page.locator("#latest")).to_contain_text("how the meeting will be settled")

    page.locator(".cell[data-space=messana]").first.dispatch_event("click")
    expect(page.locator("#table")).to_have_attribute("data-space", "messana")
    page.locator("[data-zoom=in]").tap()
    near = page.locator("#map").get_attribute("viewBox")
    inside = "map.querySelector('[data-mark=messana]').getScreenCTM().e < map.getBoundingClientRect().right"
    assert page.evaluate(inside)
    page.reload()
    expect(page.locator("#map")).to_have_attribute("viewBox", near or "")


@pytest.mark.parametrize(("system", "seat"), [("hannibal", "rome"), ("punic_wars", "umpire")])
def test_the_page_is_as_high_as_its_window_and_its_menu_ends_within_it(table, system: str, seat: str):
    """A hand of cards and a long panel scroll within themselves; what comes into view there moves no head."""
    table.set_up(system)
    page = table.tablet(seat).page
    assert page.evaluate("document.documentElement.scrollHeight === innerHeight")
    page.locator("#menu > summary").tap()
    box = page.locator("#menu > .menu-body").bounding_box()
    assert box is not None and box["y"] + box["height"] <= page.evaluate("innerHeight")
