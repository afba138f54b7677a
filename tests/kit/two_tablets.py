"""Two sides at one campaign, each with a tablet: an act is a tap on the map, a card, a form's fields and its button."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

# What a side presses when it only wants the war to go on, the first of these that its page offers.
ONWARD = (
    "Accept battle",
    "Stand and fight",
    "Match the attack",
    "Attack",
    "Let it pass",
    "Leave it unmatched",
    "Retreat",
    "Nothing more",
)


class TwoTablets:
    """Each act waits until both pages show what the server has kept."""

    def __init__(self, table: Any, sides: tuple[str, ...] = ("rome", "carthage")) -> None:
        self.table = table
        self.tablets = {side: table.tablet(side) for side in sides}

    def page(self, side: str) -> Page:
        """A side's page."""
        found: Page = self.tablets[side].page
        return found

    def act(self, side: str, title: str, *faces: int, about: str | re.Pattern[str] = "", **chosen: str | int) -> None:
        """Fill in a form of an offer, the first or the one that is `about` something, press its button, throw dice.

        `chosen` names fields by their label and gives the words of an option, or a number.
        """
        before = self.table.version
        form = self.form(side, title, about)
        for name, value in chosen.items():
            if isinstance(value, int):
                form.get_by_label(re.compile(rf"^{name}\b", re.IGNORECASE)).fill(str(value))
            else:
                form.get_by_label(name.capitalize(), exact=True).select_option(label=value)
        form.locator("button:not([data-step])").first.click()
        self.settled(before, faces)

    def chooses(self, side: str, title: str, words: str | re.Pattern[str], *faces: int) -> None:
        """Take the first of an offer's ready choices that begins so: buttons while they are few, else a list."""
        before = self.table.version
        box = self.tablets[side].offer(title)
        begins = re.compile(f"^{re.escape(words)}") if isinstance(words, str) else words
        button = box.get_by_role("button", name=begins)
        button.or_(box.locator("form.ready select")).first.wait_for(state="attached")
        if button.count():
            button.first.click()
        else:
            form = box.locator("form.ready")
            option = form.locator("option").filter(has_text=begins).first
            form.locator("select").select_option(value=option.get_attribute("value"))
            form.get_by_role("button").click()
        self.settled(before, faces)

    def declares(self, side: str, *leaders: str) -> None:
        """Switch these leaders on (by their fields) and send what they do; with nobody named all stay."""
        before = self.table.version
        form = self.page(side).locator("form.switches")
        for leader in leaders:
            form.locator(f"input[name='{leader}']").check()
        form.locator("button.main").click()
        self.settled(before)

    def form(self, side: str, title: str, about: str | re.Pattern[str]) -> Locator:
        """A form of an offer, with what was folded away opened."""
        box = self.tablets[side].offer(title)
        for closed in box.locator("details:not([open]) > summary").all():
            closed.click()
        forms: Locator = box.locator("form")
        if about:
            forms = forms.filter(has=self.page(side).locator(".ask-text, button").get_by_text(about))
        return forms.first

    def taps(self, side: str, space: str) -> None:
        """Tap a space of the map and see its panel."""
        page = self.page(side)
        if page.locator("#table").get_attribute("data-space") != space:
            page.locator(f".cell[data-space='{space}']").dispatch_event("click")
            expect(page.locator("#table")).to_have_attribute("data-space", space)

    def goes(self, side: str, goal: str) -> None:
        """The army that is on the march, or retreats, goes to a space that is tapped."""
        before = self.table.version
        self.taps(side, goal)
        self.page(side).locator(".march .main").click()
        self.settled(before)

    def puts_by(self, side: str) -> None:
        """Close the panel of a space and put back a card."""
        for name in ("Close", "Put it back"):
            link = self.page(side).locator("#side").get_by_role("link", name=name)
            if link.count():
                link.first.click()
                expect(link).to_have_count(0)

    def picks(self, side: str, number: int) -> None:
        """Take a card of the hand."""
        page = self.page(side)
        page.locator(f".card[href*='pick={number}']").first.click()
        expect(page.locator("#table")).to_have_attribute("data-pick", str(number))

    def settled(self, before: int, faces: tuple[int, ...] = ()) -> None:
        """The act is done, after the dice that it asks for; whoever owes them throws these faces, in order."""
        for tablet in self.tablets.values():
            tablet.until(lambda: self.is_heard(before), f"an act after version {before}")
        left = list(faces)
        while (waiting := self.table.store.game(self.table.id).waiting) is not None:
            revision = self.table.store.game(self.table.id).revision
            wanted = len(waiting.asked.dice)
            thrown, left = left[:wanted], left[wanted:]
            assert len(thrown) == wanted, f"{wanted} dice are asked for {waiting.asked.label}, {thrown} are stated"
            self.throws(revision, *thrown)
        assert left == [], f"{left} were stated and never asked for"
        self.sees_all()

    def throws(self, revision: int, *faces: int) -> None:
        """The side that owes dice enters them."""
        for tablet in self.tablets.values():
            tablet.sees_revision(revision)
        (owing,) = (one for one in self.tablets.values() if one.page.locator(".roll [data-face]").count())
        owing.throws(*faces)
        for tablet in self.tablets.values():
            tablet.sees_revision(revision + 1)

    def is_heard(self, before: int) -> bool:
        """Has the server taken the command, or does it ask for dice? A refusal would stand on the page."""
        for tablet in self.tablets.values():
            refused = tablet.page.locator("#side .note[role=alert]")
            assert not refused.count(), refused.first.inner_text()
        game = self.table.store.game(self.table.id)
        return game.version > before or game.waiting is not None

    def sees_all(self) -> None:
        """Both pages show the newest version."""
        for tablet in self.tablets.values():
            tablet.sees_version(self.table.version)

    def both_see(self, text: str | re.Pattern[str]) -> None:
        """What happened last stands on both pages."""
        for side in self.tablets:
            expect(self.page(side).locator("#latest")).to_contain_text(text)

    def told(self, kind: str) -> list[dict[str, Any]]:
        """All events of a kind so far."""
        entries = self.table.store.entries(self.table.id)
        return [event.data for entry in entries for event in entry.events if event.type == kind]

    def goes_on(self) -> None:
        """Whoever is asked presses what brings the war on; the server throws the dice."""
        before = self.table.version
        self.sees_all()
        side = next(side for side, tablet in self.tablets.items() if tablet.is_asked())
        self.puts_by(side)
        self.onward(side)
        self.server_throws(before)

    def server_throws(self, before: int) -> None:
        """The act is done, after the dice that it asks for; the server throws them."""
        for tablet in self.tablets.values():
            tablet.until(lambda: self.is_heard(before), f"an act after version {before}")
        while self.table.store.game(self.table.id).waiting is not None:
            revision = self.table.store.game(self.table.id).revision
            for tablet in self.tablets.values():
                tablet.sees_revision(revision)
            for tablet in self.tablets.values():
                button = tablet.page.get_by_role("button", name="Let the server throw")
                if button.count():
                    button.click()
                    tablet.sees_revision(revision + 1)
                    break
        self.sees_all()

    def onward(self, side: str) -> None:
        """Press the most wished-for offer of a page, else its first; before a card is chosen, discard the first card."""
        page = self.page(side)
        boxes = page.locator("#side section.offer:visible")
        titles = boxes.locator("h3").all_inner_texts()
        for wish in ONWARD:
            for index, title in enumerate(titles):
                if title.startswith(wish):
                    self.tablets[side].presses(boxes.nth(index))
                    return
        if titles:
            self.tablets[side].presses(boxes.first)
            return
        self.discards(side)

    def discards(self, side: str) -> None:
        """Give up the first card of the hand that may be given up."""
        page = self.page(side)
        page.locator(".card.playable").first.click()
        expect(page.locator("#card-title")).to_be_visible()
        self.tablets[side].offer("Discard a card").get_by_role("button").click()
