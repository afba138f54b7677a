"""O10 A club's season by touch: the organizer on a tablet, players on phones, battles by captains and reported ones."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.seasons import CLUB_2016
from kit.tablets import PHONE, TABLET

pytestmark = pytest.mark.browser
NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Furio", "Gina", "Hugo")


class Organizer:
    """The organizer's tablet."""

    def __init__(self, room: Any, tablet: Any, **fields: str) -> None:
        self.room, self.page = room, tablet(size=TABLET).go("/seasons/new").page
        for label, value in {"Title": "Winter league", **fields}.items():
            self.page.get_by_label(label).fill(value)
        self.page.get_by_role("button", name="Begin the season").tap()
        expect(self.page.get_by_role("heading", name="Winter league")).to_be_visible()
        found = re.search(r"/g/(\w+)", self.page.url)
        assert found
        self.id = found[1]

    def enter(self, name: str) -> str:
        """Enter a player with two triremes, and return the link."""
        form = self.page.locator("#enter-player")
        if not form.evaluate("each => each.open"):
            form.locator("summary").tap()
        form.get_by_label("Name", exact=True).fill(name)
        form.get_by_label("Navy").select_option("hellenistic")
        form.get_by_label("trireme", exact=True).fill("2")
        form.get_by_role("button", name="Enter this player").tap()
        link = self.page.locator("#links a").get_attribute("href")
        assert link
        return link

    def begins(self, number: int) -> None:
        """Pair a round and publish it."""
        self.fresh()
        self.page.get_by_role("button", name=f"Pair round {number}").tap()
        self.page.get_by_role("button", name=f"Publish round {number}").tap()
        expect(self.page.get_by_text(f"Round {number} of ")).to_be_visible()

    def fresh(self) -> None:
        """The page as it is now."""
        self.page.goto(f"{self.room.url}/g/{self.id}?seat=umpire")

    def reports(self, pairing: str, names: tuple[str, str], winner: str) -> None:
        """Enter a result from the list of the round."""
        box = self.page.locator("li.organizers").filter(has_text=f"Enter the result of {names[0]} and {names[1]}")
        box.locator("summary").first.tap()
        box.get_by_label(winner, exact=True).check()
        box.get_by_role("button", name="Enter this result").tap()
        expect(self.page.locator(f"#{pairing}")).to_contain_text(f"{winner} won.")

    @property
    def season(self) -> Any:
        """The season on the server."""
        return self.room.state(self.id)


def by_captains(room: Any, season: Organizer, pairing: str) -> None:
    """The battle of a pairing, opened on the organizer's page and fought by captains to its end."""
    room.app.extensions["navarch"].captains.pace = 0
    names = [season.season.players[id].name for id in season.season.now.pairings[pairing].players]
    box = season.page.locator("li.organizers").filter(has_text=f"Enter the result of {names[0]} and {names[1]}")
    box.locator("summary").first.tap()
    box.get_by_role("button", name="Open the battle here").tap()
    expect(season.page.locator("#table")).to_be_visible()
    battle = season.season.now.pairings[pairing].game
    headers = {"Authorization": f"Bearer {room.store.reissue(season.id, 'umpire')}"}
    client = room.app.test_client()
    for side in season.season.now.pairings[pairing].players:
        body = {"seat": side, "level": "able"}
        assert client.post(f"/api/v1/games/{battle}/captains", json=body, headers=headers).status_code == 200
    season.page.goto(f"{room.url}/join/{headers['Authorization'].split()[1]}")
    for _ in range(600):
        if season.season.now.pairings[pairing].result is not None:
            break
        season.page.wait_for_timeout(100)
    season.fresh()
    assert season.season.now.pairings[pairing].result is not None, "the battle's end is entered by itself"


def test_a_round_is_paired_on_a_tablet_and_reported_from_two_phones(room, tablet):
    season = Organizer(room, tablet)
    phones = {}
    for name in NAMES[:3]:
        link = season.enter(name)
        phones[name] = tablet(size=PHONE).go(link.removeprefix(room.url)).page
    season.begins(1)
    pairing = season.season.now.pairings["r1-1"]
    one, other = (season.season.players[id].name for id in pairing.players)
    phone = phones[one]
    phone.goto(f"{room.url}/g/{season.id}")
    phone.get_by_text("Report a battle on your own table").tap()
    phone.get_by_label(one, exact=True).check()
    phone.get_by_label(f"Ships taken by {one}").fill("2")
    phone.get_by_role("button", name="Report this result").tap()
    expect(phone.get_by_text(f"Your report is waiting for an answer from {other}.")).to_be_visible()
    phones[other].goto(f"{room.url}/g/{season.id}")
    expect(phones[other].get_by_text(f"{one} reports: {one} won.")).to_be_visible()
    phones[other].get_by_role("button", name="Agree with the report").tap()
    expect(phones[other].locator("#r1-1")).to_contain_text("2 : 0")
    wall = tablet(size={"width": 1280, "height": 720}).go(f"/display/{season.id}").page
    expect(wall.locator("table.standings tbody tr").first).to_contain_text("1–0–0")
    for page, width in ((phone, 390), (wall, 1280), (season.page, 1024)):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing is wider than the screen"
    boxes = wall.locator("table.standings, .pairing").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(({left, right, top, bottom}) => ({left, right, top, bottom}))"
    )
    for one_box, next_box in pairwise(boxes):
        apart = one_box["right"] <= next_box["left"] or one_box["bottom"] <= next_box["top"]
        assert apart, "nothing on the wall lies over anything"


SIZES = screens(TABLET, PHONE, {"width": 1440, "height": 900})


@pytest.mark.parametrize("language", screens("ru", "en", "it"))
@pytest.mark.parametrize("size", SIZES)
def test_o10_1_a_tournament_file_comes_in_and_goes_on_by_touch(room, tablet, size, language):
    page = tablet(size=size).go("/seasons/new").page
    page.locator(f"button[name=lang][value={language}]").first.tap()
    expect(page.locator(f"button[name=lang][value={language}][aria-pressed=true]").first).to_be_visible()

    def fits() -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (
            "nothing is wider than the screen"
        )

    def send(text: str) -> None:
        file = {"name": "cup.trf", "mimeType": "text/plain", "buffer": text.encode()}
        page.locator("#by-file input[type=file]").set_input_files(file)
        page.locator("#by-file button").tap()

    fits()
    send(CLUB_2016.replace("1850", "18.0"))
    expect(page.locator("#refusal")).to_contain_text("18.0")
    send(CLUB_2016)
    expect(page.locator("#report")).to_contain_text("Bianchi, Bruno")
    fits()
    page.locator("#rows button.main").tap()
    expect(page.locator("#roster")).to_contain_text("Núñez, Elsa")
    page.locator("#bye-p4 > summary").tap()
    page.locator("#bye-p4 select").select_option("half")
    page.locator("#bye-p4 button").tap()
    expect(page.locator("#roster li").nth(3)).to_contain_text("4:")
    page.locator("#apart > summary").tap()
    page.locator("#apart select[name=one]").select_option("p3")
    page.locator("#apart select[name=other]").select_option("p5")
    page.locator("#apart form:has(select) button").tap()
    expect(page.locator("#apart > summary")).to_contain_text("2")
    page.locator("#bye-p4 > summary").tap()
    page.locator("#apart > summary").tap()
    fits()
    page.locator("#now button.main").tap()
    expect(page.locator("#r4-1")).to_be_visible()
    pairs = [each.players for each in room.state(re.search(r"/g/(\w+)", page.url)[1]).now.pairings.values()]
    assert (
        ("p4",) in pairs
        and len(pairs) == 3
        and not {("p1", "p3"), ("p3", "p1"), ("p3", "p5"), ("p5", "p3")} & set(pairs)
    )
    fits()


@pytest.mark.soak
def test_a_season_of_nine_over_five_rounds_with_two_battles_by_captains(room, tablet):
    season = Organizer(room, tablet, **{"Rounds (empty: as many as needed)": "5"})
    for name in NAMES:
        season.enter(name)
    for number in range(1, 6):
        if number == 2:
            season.enter("Ida")
        if number == 4:
            season.fresh()
            season.page.get_by_text("Withdraw Bruno").tap()
            season.page.locator("details[open]").get_by_role("button", name="Withdraw").tap()
        season.begins(number)
        for place, (id, pairing) in enumerate(season.season.now.pairings.items()):
            if len(pairing.players) != 2:
                continue
            if number <= 2 and place == 0:
                by_captains(room, season, id)
                continue
            names = tuple(season.season.players[player].name for player in pairing.players)
            season.reports(id, names, names[place % 2])
    pairs = [frozenset(each.players) for _round, each in season.season.paired().values() if len(each.players) == 2]
    assert len(pairs) == len(set(pairs)) == 4 * 5
    byes = [each.players[0] for _round, each in season.season.paired().values() if len(each.players) == 1]
    assert len(byes) == len(set(byes)) == 2
    season.page.get_by_text("End the season", exact=True).tap()
    season.page.get_by_role("button", name="End the season now").tap()
    expect(season.page.get_by_text("The season is over.").first).to_be_visible()
