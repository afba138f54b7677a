"""A guest asks for a seat on his own tablet; the umpire's page shows it by itself; one tap, and the guest sits there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET

pytestmark = pytest.mark.browser


def ask(guest, room, game: str, name: str, side: str) -> None:
    """Open the game by its code and ask."""
    guest.go(f"/rejoin?code={game}")
    expect(guest.page).to_have_url(re.compile(f"/g/{game}"))
    guest.page.get_by_label("Your name").fill(name)
    guest.page.get_by_role("button", name=f"Take the seat {side}").tap()
    expect(guest.page.locator("#asking")).to_contain_text("The umpire has been notified")


@pytest.mark.parametrize("size", screens(TABLET, PHONE))
def test_one_tap_of_the_umpire_turns_the_guests_page_into_the_seats(room, tablet, size):
    game, tokens = room.battle()
    umpire, guest = tablet(tokens["umpire"], size), tablet(None, size)
    umpire.page.locator("#table").wait_for()
    ask(guest, room, game, "Ada", "Carthage")
    asked = umpire.page.locator(".asks-seat")
    expect(asked).to_contain_text("Ada asks for the seat Carthage")  # nobody has loaded anything anew
    umpire.tap(asked.get_by_role("button", name="Yes, let them in"))
    expect(asked).to_have_count(0)
    expect(guest.page).to_have_url(re.compile(rf"/g/{game}\?seat=carthage"))
    expect(guest.page.locator("#table")).to_have_attribute("data-seat", "carthage")
    expect(guest.page.get_by_role("button", name="All cruise").first).to_be_visible()
    guest.tap(guest.page.get_by_role("button", name="All cruise").first)
    assert all(ship.plot is not None for ship in room.state(game).ships.values() if ship.side == "carthage")


def test_no_is_told_where_the_guest_waits_and_he_asks_for_another_seat(room, tablet):
    game, tokens = room.battle()
    umpire, guest = tablet(tokens["umpire"]), tablet(None)
    umpire.page.locator("#table").wait_for()
    ask(guest, room, game, "Boris", "Rome")
    umpire.tap(umpire.page.locator(".asks-seat").get_by_role("button", name="No"))
    expect(guest.page.locator("#asking")).to_contain_text("The umpire has declined")
    guest.page.get_by_role("button", name="Take the seat Carthage").tap()
    expect(guest.page.locator("#asking")).to_contain_text("Carthage. The umpire has been notified")
    umpire.tap(umpire.page.locator(".asks-seat").get_by_role("button", name="Yes, let them in"))
    expect(guest.page).to_have_url(re.compile(rf"/g/{game}\?seat=carthage"))


def test_who_waits_on_the_page_of_links_is_seen_there_too(room, tablet):
    game, tokens = room.battle()
    umpire, guest = tablet(tokens["umpire"]), tablet(None)
    umpire.go(f"/seats/{game}")
    ask(guest, room, game, "Ada", "Rome")
    asked = umpire.page.locator(".asks-seat")
    expect(asked).to_contain_text("Ada asks for the seat Rome")
    asked.get_by_role("button", name="Yes, let them in").tap()
    expect(guest.page).to_have_url(re.compile(rf"/g/{game}\?seat=rome"))
    expect(asked).to_have_count(0)
    umpire.go("/organizer")
    other = tablet(None)
    ask(other, room, game, "Cleo", "Carthage")
    asked = umpire.page.locator(".asks-seat").filter(has_text=game)  # the organizer's page shows all games' guests
    expect(asked).to_contain_text("Cleo asks for the seat Carthage")
