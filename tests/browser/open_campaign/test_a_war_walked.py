"""O12.1, O6.1: a war of three sides from the five questions, by touch: four turns, and a meeting settled in each way.

One person has the links of all seats on his device, as an organizer who tries it alone would.
"""

import re
import time
from random import Random

import pytest
from playwright.sync_api import expect

from kit.open_war import spot_on
from kit.patience import PATIENT
from kit.playing import Player
from tactical.kernel.dice import random_source
from webapp import create_app
from webapp.pages.open_campaign.orders import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.soak]
NAMES, GOAL, FIVE_MINUTES = ("Ann", "Ben", "Cleo"), "Messana", 300
ROUNDS = 60  # of both sides within a turn of a battle, at most
LOOKS = 3000  # at the store, 20 milliseconds apart, until a tap has been written


class Hand:
    """Taps upon a battle's page: each waits until the table has changed."""

    def __init__(self, page):
        self.page = page

    def tap(self, wanted):
        target = self.page.locator(wanted) if isinstance(wanted, str) else wanted
        self.page.evaluate("document.getElementById('state').dataset.old = '1'")
        target.tap()
        self.page.locator("#state:not([data-old])").wait_for(state="attached")
        self.page.wait_for_load_state()


class Walk:
    """One browser with every seat of a war that it has set up."""

    def __init__(self, tables, width, height):
        context = tables.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, service_workers="block"
        )
        context.add_init_script(PATIENT)
        self.tables, self.page, self.ways = tables, context.new_page(), ["table", "report"]
        self.chart, self.aimed = ("narrow" if width < 700 else "wide"), 0
        tables.store.source = random_source(Random(1).randrange)
        self.page.set_default_timeout(60_000)
        self.page.on("pageerror", lambda fault: tables.faults.append(str(fault)))

    @property
    def state(self):
        return self.tables.store.load(self.id).state

    def open(self, path, seat, more=""):
        self.page.goto(f"{self.tables.address}{path.format(self.id)}?seat={seat}{more}")

    def tap(self, name):
        """Tap a button by its name."""
        self.write(self.page.get_by_role("button", name=name, exact=True).first)

    def write(self, button, game=""):
        """Tap a button, and wait until the server has written something into the journal of the war, or of a game."""
        before = self.tables.store.game(game or self.id).version
        button.tap()
        for _look in range(LOOKS):
            if self.tables.store.game(game or self.id).version > before:
                break
            self.page.wait_for_timeout(20)
        assert self.tables.store.game(game or self.id).version > before, self.page.inner_text("body")[:800]
        expect(self.page.locator(".htmx-request")).to_have_count(0)

    def set_up(self):
        """The five questions, and a seat at each link."""
        page = self.page
        page.goto(f"{self.tables.address}/campaigns")
        page.get_by_role("link", name="A war of your own, from five questions").tap()
        for number, name in enumerate(NAMES, 1):
            page.get_by_label(f"Side {number}", exact=True).fill(name)
        page.get_by_label("Warships").fill("24")
        page.get_by_label("Transports").fill("0")
        page.get_by_role("radio", name="A month").tap()
        page.get_by_label("First day").fill("-260-06-01")
        page.get_by_role("button", name="Begin the war").tap()
        page.wait_for_url("**/seats/*")
        self.id = page.url.rsplit("/", 1)[1]
        for link in page.locator("input[value*='/join/']").evaluate_all("all => all.map((each) => each.value)"):
            page.context.request.get(link, max_redirects=0, headers={"Sec-Fetch-Dest": "document"})

    def order(self, side):
        """Both fleets seek the enemy at one place, which is tapped on the chart; the side's orders stand."""
        self.open("/open/{}/orders", side, "&near=0")
        for _fleet in range(sum(fleet.side == side and bool(fleet.ships) for fleet in self.state.fleets.values())):
            expect(self.page.locator(".panel h2")).not_to_contain_text(":")  # a fleet without an order
            self.aim(side)
            expect(self.page.locator(".panel h2")).to_contain_text(f"Go {GOAL}")
            self.page.get_by_role("link", name="Seek attack them").tap()
            expect(self.page.locator(".panel h2")).to_contain_text("seek")
            self.tap("Give this order")
        self.tap("Our orders stand")  # also a side that has lost its fleets

    def aim(self, side):
        """Tap the destination on the chart; where a fleet's plate lies over it, write its name."""
        with create_app({"STORE": self.tables.store}).test_request_context("/"):
            x, y = spot_on(self.tables.store.load(self.id), side, self.chart, GOAL.lower())
        box = self.page.locator(f".{self.chart} .seachart").bounding_box()
        at = box["x"] + x * box["width"] / SIZES[self.chart][0], box["y"] + y * box["height"] / SIZES[self.chart][1]
        if self.page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.matches('.tap') === true", at):
            self.page.touchscreen.tap(*at)
            self.aimed += 1
        else:
            if not self.page.locator("#more[open]").count():
                self.page.get_by_text("More, or a message to the umpire").tap()
            self.page.get_by_label("Name of the destination").fill(GOAL)
            self.page.get_by_role("button", name="Set the destination").tap()

    def settle(self):
        """The meeting that waits: at the table here, then by a report, then by dice."""
        way = self.ways.pop(0) if self.ways else "dice"
        getattr(self, way)(self.state.engagement)

    def dice(self, meeting):
        self.open("/open/{}/desk", "umpire")
        self.tap("Dice")

    def table(self, meeting):
        """A battle is opened on the table here, fought for a turn, and ended by the word of both sides."""
        self.open("/open/{}/desk", "umpire")
        self.tap("At a table")
        self.page.get_by_role("link", name="Go to the battle").tap()
        self.page.locator("#to-battle").tap()
        battle = re.search(r"/g/(\w+)", self.page.url)[1]
        self.fight(battle)
        for side in meeting.fleets:
            self.page.goto(f"{self.tables.address}/g/{battle}?seat={side}")
            self.page.locator("#menu summary, summary[aria-label='Menu']").first.tap()
            self.write(self.page.locator("button[value*='agree']").first, battle)
        expect(self.page.locator("body")).to_contain_text("The battle is over")
        self.open("/open/{}/desk", "umpire")
        self.tap("Enter its outcome")

    def fight(self, battle):
        """The first turn is plotted and played to its end by touch, the sides one after the other on this device."""
        players = {}
        for _round in range(ROUNDS):
            table = self.tables.store.load(battle)
            if table.state.turn > 1:
                break
            for side in table.waiting_for:
                self.page.goto(f"{self.tables.address}/g/{battle}?seat={side}")
                player = players.setdefault(side, Player(Hand(self.page)))
                while self.must_act(battle, side) and player.act():
                    pass
        assert self.tables.store.load(battle).state.turn > 1
        given = [entry for entry in self.tables.store.entries(battle) if entry.command["type"] == "lock"]
        assert {entry.seat for entry in given} == set(self.tables.store.load(battle).sides)
        assert all(player.taps > 1 for player in players.values())

    def must_act(self, battle, side):
        """Does the first turn of a battle wait for a side?"""
        table = self.tables.store.load(battle)
        return table.state.turn == 1 and side in table.waiting_for

    def report(self, meeting):
        """One side reports its own table, the other agrees."""
        one, other = meeting.fleets
        for side in (one, other):
            self.open("/g/{}", side)
            self.write(self.page.locator("#ways").get_by_role("button").nth(1))
        self.open("/linked/{}/report", one)
        self.page.get_by_label("Winner").select_option(one)
        self.page.get_by_label("Turns fought").fill("5")
        self.page.locator("fieldset").nth(1).locator("select").first.select_option("sunk")
        self.tap("Report this outcome")
        self.open("/g/{}", other)
        self.write(self.page.locator("#proposed .main"))


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (390, 844)])
def test_o12_1_a_war_from_five_questions_runs_four_turns_by_touch(tables, width, height):
    walk = Walk(tables, width, height)
    begun = time.monotonic()
    walk.set_up()
    assert time.monotonic() - begun < FIVE_MINUTES
    used = set()
    while walk.state.turn < 5:
        turn = walk.state.turn
        for side in walk.state.sides:
            walk.order(side)
        while walk.state.engagement is not None:
            used.add(walk.ways[0] if walk.ways else "dice")
            walk.settle()
        assert walk.state.turn == turn + 1
    assert walk.aimed >= len(NAMES) * 2, "the first orders at least are given on the chart"
    assert used == {"table", "report", "dice"}
    for side in walk.state.sides:
        walk.open("/open/{}/dispatch/" + side + "/4", side)
        expect(walk.page.locator("h1")).to_contain_text("The Dispatch of")
    assert not tables.faults
