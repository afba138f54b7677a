"""A war of eight sides with names of their own: its pages in every scheme, and where a phone's first look falls."""

import pytest
from playwright.sync_api import expect

from kit.accessible import violations, violations_in
from kit.colours import COLOURS, OTHERS, wear
from strategic.open_campaign.rules.world import stock_world
from webapp.pages.open_campaign.founding import Answers, found
from webapp.storage.services import archive

pytestmark = pytest.mark.browser
SIDES = ("Rhodes", "Egypt", "Pergamum", "Crete", "Syria", "Athens", "Sparta", "Cyprus")
INSIDE = """([outer, inner]) => {
  const box = document.querySelector(outer).getBoundingClientRect();
  const shown = [...document.querySelectorAll(inner)].filter((each) => each.getBoundingClientRect().width);
  return shown.length && shown.every((each) => {
    const at = each.getBoundingClientRect(), x = (at.left + at.right) / 2, y = (at.top + at.bottom) / 2;
    return x > box.left && x < box.right && y > box.top && y < box.bottom;
  });
}"""


def begin(tables):
    tables.begin(position=found(Answers(world=stock_world("levant"), sides=SIDES, warships=4, transports=0)))


def test_axe_finds_nothing_on_the_pages_of_eight_sides_in_any_scheme(tables):
    begin(tables)
    page = tables.sit("umpire", 1024, 768, contrast="more")
    for path in (f"/g/{tables.id}?seat=umpire", f"/g/{tables.id}/group?seat=umpire"):
        page.goto(tables.address + path)
        assert violations_in(page, OTHERS) == [], path
    page.goto(f"{tables.address}/open/{tables.id}/desk?seat=umpire")
    for scheme in ("day", *OTHERS):
        wear(page, scheme)
        assert violations(page, runOnly=list(COLOURS)) == [], scheme
    assert not tables.faults


def test_a_phone_opens_on_the_fleets_of_its_side_and_the_public_page_on_the_whole_world(tables):
    begin(tables)
    archive.perform(tables.store, tables.id, "publish", "umpire")
    page = tables.sit("egypt")
    page.goto(f"{tables.address}/g/{tables.id}?seat=egypt")
    expect(page.locator(".map .counter:visible")).not_to_have_count(0)
    assert page.evaluate(INSIDE, [".mapbox", ".map .counter .frame"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("a.main:visible").tap()
    expect(page).to_have_url(f"{tables.address}/open/{tables.id}/orders?seat=egypt")
    page.goto(f"{tables.address}/public/{tables.id}")
    assert page.evaluate(INSIDE, [".public-map", ".map .pc"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not tables.faults
