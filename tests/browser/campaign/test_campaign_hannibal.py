"""Two tablets play Hannibal by the buttons of their pages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import TimeoutError, expect

pytestmark = pytest.mark.browser

# What a tablet taps when it is asked, first what moves a battle on. Whatever is left: the first offer.
WISHES = (
    "Accept battle",
    "Stand and fight",
    "Match the attack",
    "Attack",
    "Let it pass",
    "Leave it unmatched",
    "Retreat",
    "Nothing more",
)


def activate(tablet, general: str) -> None:
    """Play the first card that can move this general, and see him active: a space tapped before shows him at rest."""
    before = tablet.version
    tablet.page.locator(".card.playable").first.click()
    box = tablet.offer("Activate a general")
    option = box.locator("option", has_text=re.compile(rf"^{general}"))
    if option.count():
        box.locator("select").select_option(value=option.first.get_attribute("value"))
        box.get_by_role("button").click()
    else:
        box.get_by_role("button", name=general).click()
    tablet.sees_version(before + 1)


def march(tablet, to: str) -> None:
    """March to a space with everything that can go along."""
    goal = to.lower().replace(" ", "_")
    tablet.page.locator(f".cell[data-space='{goal}']").dispatch_event("click")
    tablet.page.locator(f"#table[data-space='{goal}'] .march .main").click()


def on(table, tablets, until, most: int = 70, face: int = 3) -> None:
    """Whoever is asked taps something that brings the war on, until the events show what is wanted."""
    for _act in range(most):
        for tablet in tablets.values():
            tablet.answered()
        if until in table.events():
            return
        before = table.store.game(table.id).revision
        for tablet in tablets.values():
            tablet.sees_revision(before)
        tablet = next(tablet for tablet in tablets.values() if tablet.is_asked())
        try:
            if tablet.page.locator(".roll").count():
                tablet.throws(*[face] * len(table.store.game(table.id).waiting.asked.dice))
            else:
                tap(tablet)
        except TimeoutError:
            continue  # the page was renewed under the finger: look again
        tablet.sees_revision(before + 1)
    raise AssertionError(f"{until} did not happen: {table.events()[-12:]}")


def tap(tablet) -> None:
    """The most wished-for offer on the page; before a card is chosen, the first card."""
    boxes = tablet.page.locator("#side section.offer:visible")
    titles = tablet.page.locator("#side section.offer:visible h3").all_inner_texts()
    for wish in WISHES:
        for index, title in enumerate(titles):
            if title.startswith(wish):
                return tablet.presses(boxes.nth(index))
    if titles:
        return tablet.presses(boxes.first)
    tablet.page.locator(".card.playable").first.click()
    return tablet.page.locator(".part:has(#card-title) section.offer").get_by_role("button").last.click(timeout=4000)


@pytest.mark.soak  # test_first_turns_by_map plays such a turn by touch in `make test`
def test_two_tablets_play_a_turn_and_each_sees_what_the_other_does(table):
    table.set_up()
    tablets = {seat: table.tablet(seat) for seat in ("rome", "carthage")}
    on(table, tablets, "count", most=90)
    last = table.version
    for tablet in tablets.values():
        tablet.sees_version(last)
        expect(tablet.page.locator(".turn")).to_contain_text("2")


@pytest.mark.soak  # test_first_turns_by_map marches, fights and besieges by touch in `make test`
def test_the_crossing_of_the_alps_an_interception_and_the_battle_that_follows(table, position):
    position.army("carthage", "isere", 8, ("hannibal", "mago", "h_gisgo"), elephants=2)
    position.army("rome", "verona", 8, ("p_scipio",))
    position.plays("carthage")
    table.set_up(position=position.raw, dice="physical")
    tablets = {seat: table.tablet(seat) for seat in ("rome", "carthage")}
    rome, carthage = tablets["rome"], tablets["carthage"]
    activate(carthage, "Hannibal")
    march(carthage, "Insubrians")
    expect(carthage.page.get_by_role("heading", name=re.compile("Throw the dice"))).to_be_visible()
    expect(rome.page.locator(".roll")).to_be_visible()  # the other tablet sees that dice are awaited
    carthage.throws(4)
    carthage.sees_version(2)
    assert "attrition" in table.events()
    assert table.state.generals["hannibal"].space == "insubrians"
    for _question in range(6):
        rome.sees_version(table.version)
        if rome.offer("Intercept").count():
            break
        version = table.version
        rome.offer("Let it pass").get_by_role("button").click()
        rome.sees_version(version + 1)
    rome.offer("Intercept").get_by_role("button", name="Intercept").first.click()
    on(table, tablets, "interception", face=1)
    on(table, tablets, "battle")
    on(table, tablets, "battle_ended")
    expect(carthage.page.locator("#latest")).to_be_visible()


@pytest.mark.soak
def test_a_siege_is_laid_and_rolled_for_at_the_table(table, position):
    position.army("carthage", "saguntum", 8, ("hannibal",))
    position.raw["spaces"]["saguntum"]["control"] = "rome"
    position.raw["spaces"]["saguntum"]["inside"] = {"units": 1, "elephants": 0}
    position.plays("carthage")
    table.set_up(position=position.raw, dice="physical")
    tablets = {seat: table.tablet(seat) for seat in ("carthage", "rome")}
    carthage = tablets["carthage"]
    activate(carthage, "Hannibal")
    carthage.offer("Besiege").get_by_role("button").first.click()
    on(table, tablets, "siege_roll", most=12)
    expect(tablets["rome"].page.locator("#latest")).to_contain_text(re.compile("siege", re.I))


def test_a_space_that_is_tapped_shows_what_stands_there(table):
    table.set_up()
    tablet = table.tablet("carthage")
    tablet.page.locator(".cell[data-space=saguntum]").dispatch_event("click")
    expect(tablet.page.locator("#place-title")).to_have_text("Saguntum")
    expect(tablet.page.locator("#side")).to_contain_text("Mago")
    expect(tablet.page.locator(".spot.chosen")).to_have_count(1)


def test_the_map_is_walked_by_keyboard_and_drawn_nearer(table):
    table.set_up()
    tablet = table.tablet("rome")
    page = tablet.page
    assert page.locator("#map").get_attribute("data-level") == "4"
    page.locator("#map").focus()
    for _twice in range(3):
        page.keyboard.press("+")
    assert page.locator("#map").get_attribute("data-level") in ("5", "6")
    page.keyboard.press("0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    expect(page.locator("#place-title")).to_have_text(name)


def test_a_drag_moves_the_map_and_opens_nothing(table):
    table.set_up()
    page = table.tablet("rome").page
    before = page.locator("#map").get_attribute("viewBox")
    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.move(380, 340, steps=5)
    page.mouse.up()
    assert page.locator("#map").get_attribute("viewBox") != before
    expect(page.locator("#place-title")).to_have_count(0)
