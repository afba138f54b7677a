"""What is read of a file is shown on a phone before anything counts; a tap enters it, and the way back changes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kit.accessible import violations
from kit.screens import screens
from kit.tablets import PHONE, TABLET

pytestmark = pytest.mark.browser
SIZES = screens(PHONE, TABLET)
FLEET = "Fleet of Anna;;\ntype;name;painted\nquinquereme;Aquila;yes\ntrireme;Lupa;\n"
LONG = {"name": "a" * 90, "note": "A polygon"}
WORLD = {
    "type": "FeatureCollection",
    "features": [
        {"properties": {"name": "Rhodos"}, "geometry": {"type": "Point", "coordinates": [28.23, 36.45]}},
        {"properties": {"name": "Telos"}, "geometry": {"type": "Point", "coordinates": [27.35, 36.43]}},
        {"properties": {"from": "rhodos", "to": "telos"}, "geometry": None},
        {
            "properties": LONG,
            "geometry": {"type": "Polygon", "coordinates": [[[27, 36], [28, 36], [28, 37], [27, 36]]]},
        },
    ],
}


def send(page: Page, form: str, name: str, text: str) -> None:
    """Send a file by a form of the page."""
    file: Any = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    page.locator(f"{form} input[type=file]").set_input_files(file)
    page.locator(f"{form} button").last.tap()


def looks_well(page: Page, size: dict[str, int]) -> None:
    """Nothing is wider than the screen, nor hard to read or reach."""
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert violations(page) == []
    for each in page.locator("main a.button, main button").all():
        box = each.bounding_box()
        assert box is None or box["height"] >= 44


@pytest.fixture
def season(room: Any) -> tuple[str, str]:
    """A season with a player; its code and the organizer's token."""
    client = room.app.test_client()
    made = client.post("/api/v1/seasons", json={"title": "Winter"}).json
    head = {"Authorization": f"Bearer {made['token']}"}
    client.post(f"/api/v1/seasons/{made['id']}/players", json={"name": "Anna"}, headers=head)
    return made["id"], made["token"]


@pytest.mark.parametrize("size", SIZES)
def test_a_fleet_is_shown_with_its_faults_and_counts_after_a_tap(room, tablet, season, size):
    code, token = season
    page = tablet(token, size=size).page

    def ships() -> list[str]:
        return [ship.name for ship in room.state(code).players["p1"].ships.values()]

    def upload() -> None:
        page.locator("#sheet-p1 > summary").tap()
        send(page, "#sheet-p1 form", "fleet.csv", FLEET)
        expect(page.locator("#report")).to_contain_text("2 ships")

    upload()
    for said in ("A1", "C2", "painted", "row 2"):
        expect(page.locator("#report")).to_contain_text(said)
    expect(page.locator("#rows")).to_contain_text("Aquila")
    assert ships() == []
    looks_well(page, size)
    page.get_by_role("link", name="Back, and change nothing").tap()
    expect(page.get_by_role("heading", name="Winter")).to_be_visible()
    assert ships() == []
    upload()
    page.get_by_role("button", name="Enter this fleet").tap()
    expect(page.locator("#roster")).to_be_visible()
    assert ships() == ["Aquila", "Lupa"]


@pytest.mark.parametrize("size", SIZES)
def test_a_pasted_list_of_players_is_shown_and_its_people_are_entered_after_a_tap(room, tablet, season, size):
    code, token = season
    page = tablet(token, size=size).page
    page.locator("#enter-list > summary").tap()
    page.locator("#enter-list textarea").fill("Nome; Elo\n1. Rossi, Bruno; 1850\n2. Carla\nanna\n")
    page.locator("#enter-list button.main").tap()
    expect(page.locator("#report")).to_contain_text("2 players")
    expect(page.locator("#report tbody tr")).to_have_count(2)
    looks_well(page, size)
    assert len(room.state(code).players) == 1
    page.get_by_role("button", name="Enter these players").tap()
    expect(page.locator("#links a")).to_have_count(2)
    found = [(each.name, each.rating) for each in room.state(code).players.values()]
    assert found == [("Anna", 0), ("Rossi, Bruno", 1850), ("Carla", 0)]


@pytest.mark.parametrize("size", SIZES)
def test_a_world_is_shown_with_what_is_left_out_and_a_war_begins_in_it_after_a_tap(room, tablet, size):
    page = tablet(size=size).go("/open/new").page
    games = len(room.store.games())

    def upload() -> None:
        page.locator("input[name=world][value=file]").check()
        for number, name in enumerate(("Anna", "Bruno")):
            page.locator("input[name=side]").nth(number).fill(name)
        page.locator("input[name=warships]").fill("3")
        send(page, "form.questions", "world.geojson", json.dumps(WORLD))
        expect(page.locator("#report")).to_contain_text("2 places")

    upload()
    expect(page.locator("#report")).to_contain_text("Polygon")
    expect(page.locator("#rows")).to_contain_text("Telos")
    looks_well(page, size)
    page.get_by_role("link", name="Back, and change nothing").tap()
    expect(page.locator("form.questions")).to_be_visible()
    assert len(room.store.games()) == games
    upload()
    page.get_by_role("button", name="Begin the war").tap()
    expect(page).to_have_url(f"{room.url}/seats/{room.store.games()[0].id}")
    assert len(room.store.games()) == games + 1
