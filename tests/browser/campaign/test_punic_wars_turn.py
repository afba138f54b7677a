"""Two tablets play a whole game turn of the second war by the buttons of their pages: 4.2, box after box."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def leader(id: str, value: int, at: str, **more) -> dict:
    return {"side": "rome" if id[0] == "r" else "carthage", "value": value, "letter": id[1].upper(), "at": at, **more}


def land(points: int, **more) -> dict:
    return {"land": points, **more}


def second_turn() -> dict:
    """Hannibal beside a Roman army, an army before Saguntum, a fleet in Carthage: the second turn begins."""
    return {
        "scenario": "2",
        "turn": 2,
        "phase": "diplomacy",
        "phasing": "carthage",
        "begun": True,
        "treasury": {"carthage": 40, "rome": 40},
        "alignment": {"Saguntum": "rome"},
        "stacks": {
            "1607": {"carthage": land(10)},
            "1508": {"rome": land(4)},
            "1010": {"carthage": land(6)},
            "1111": {"rome": land(2, land_inside=True)},
            "2516": {"carthage": {"land": 3, "naval": 3}},
            "2908": {"rome": land(4)},
            "2915": {"rome": {"land": 3, "naval": 3}},
        },
        "leaders": {
            "ca": leader("ca", 3, "1607", land=10),
            "cb": leader("cb", 2, "1010", land=6),
            "cc": leader("cc", 2, "2516", land=3, naval=3),
            "rb": leader("rb", 2, "2915"),
            "rc": leader("rc", 1, "1508"),
            "rd": leader("rd", 1, "2908"),
        },
        "roman_leaders": 4,
    }


class Turn:
    """Two tablets at one table. Each act waits until both pages show what the server has kept."""

    def __init__(self, table) -> None:
        self.table = table
        self.tablets = {side: table.tablet(side) for side in ("carthage", "rome")}

    def act(self, side: str, title: str, space: str | None = None, button: str | None = None, face: int = 3, **typed):
        """Tap a hex if one is named, fill in what is typed, and press a button of the offer: the first, or by name."""
        tablet, page, before = self.tablets[side], self.tablets[side].page, self.table.version
        if space is not None:
            self.opens(side, space)
        elif page.locator("#place-title").count():
            page.get_by_role("link", name="Close").click()
            expect(page.locator("#place-title")).to_have_count(0)
        box = tablet.offer(title)
        for label, value in typed.items():
            for field in box.get_by_label(label.capitalize()).all()[:1]:  # where only one number may be, none is asked
                field.fill(str(value))
        buttons = box.locator("button:not([data-step])")
        (buttons.filter(has_text=button) if button else buttons).first.click()
        self.settled(before, face)

    def settled(self, before: int, face: int) -> None:
        """The act is done, after as many dice as are asked for, thrown by the side that owes them."""
        for tablet in self.tablets.values():
            tablet.until(lambda: self.is_heard(before), f"an act after version {before}")
        while (waiting := self.table.store.game(self.table.id).waiting) is not None:
            revision = self.table.store.game(self.table.id).revision
            for tablet in self.tablets.values():
                tablet.sees_revision(revision)
            owing = [one for one in self.tablets.values() if one.page.locator(".roll [data-face]").count()]
            assert len(owing) == 1
            owing[0].throws(*[face] * len(waiting.asked.dice))  # those that are still missing
            for tablet in self.tablets.values():
                tablet.sees_revision(revision + 1)
        assert self.table.version > before
        for tablet in self.tablets.values():
            tablet.sees_version(self.table.version)

    def is_heard(self, before: int) -> bool:
        """Has the server taken the command, or does it ask for dice? A refusal would stand on the page."""
        for tablet in self.tablets.values():
            refused = tablet.page.locator("#side .note[role=alert]")
            assert not refused.count(), refused.first.inner_text()
        game = self.table.store.game(self.table.id)
        return game.version > before or game.waiting is not None

    def opens(self, side: str, space: str) -> None:
        """Tap a hex and see what stands there."""
        page = self.tablets[side].page
        if page.locator("#table").get_attribute("data-space") == space:
            return
        page.locator(f".cell[data-space='{space}']").dispatch_event("click")
        expect(page.locator("#table")).to_have_attribute("data-space", space)

    def ringed(self, side: str) -> str:
        """The first space that the side's map points out."""
        found = self.tablets[side].page.locator(".spot.hot").first
        expect(found).to_be_attached()
        return found.get_attribute("data-mark")

    def told(self, kind: str) -> list:
        """All events of a kind so far."""
        return [
            event.data
            for entry in self.table.store.entries(self.table.id)
            for event in entry.events
            if event.type == kind
        ]

    def both_see(self, text: str | re.Pattern[str]) -> None:
        """What happened last stands on both pages."""
        for tablet in self.tablets.values():
            expect(tablet.page.locator("#latest")).to_contain_text(text)

    def stands(self, side: str, space: str, *texts: str) -> None:
        """The panel of a hex shows these words."""
        self.opens(side, space)
        for text in texts:
            expect(self.tablets[side].page.locator("section.place")).to_contain_text(text)

    def ledger(self, side: str, row: str) -> list[str]:
        """A side's row of the ledger on a page: victory, treasury, revenue, supply."""
        row_there = self.tablets[side].page.locator(".ledger tbody tr").filter(has_text=row)
        return row_there.locator("td").all_inner_texts()


@pytest.mark.soak  # test_first_turns_by_map plays such a turn by touch in `make test`
def test_4_2_a_whole_turn_of_the_second_war_by_both_sides(table):
    table.set_up("punic_wars", position=second_turn(), dice="physical", options={"naval_battles": "table"})
    turn = Turn(table)
    carthage_bids_and_campaigns(turn)
    carthage_pays_and_recruits(turn)
    rome_elects_and_campaigns(turn)
    rome_pays_and_recruits(turn)
    assert (table.state.turn, table.state.phase, table.state.phasing) == (3, "diplomacy", "carthage")
    for tablet in turn.tablets.values():
        expect(tablet.page.locator(".turn")).to_contain_text("3")


def carthage_bids_and_campaigns(turn: Turn) -> None:
    table, rome = turn.table, turn.tablets["rome"].page

    # 16.0 Diplomacy: two secret bids, then one die of the table; 15.0 the treasury is filled
    assert turn.ledger("carthage", "Carthage")[1] == "40"
    turn.act("carthage", "Bid", points=2)
    expect(rome.locator("#latest")).to_contain_text("Carthage has written its bid.")
    expect(rome.locator("#latest")).not_to_contain_text("2 points")
    turn.act("rome", "Bid", points=1)
    turn.both_see("The bids: Carthage 2, Rome 1.")
    turn.both_see("Revolt in Sardinia and Corsica.")
    assert (table.state.phase, table.state.phasing) == ("campaign", "carthage")
    assert turn.ledger("rome", "Carthage")[1] == str(40 - 2 + turn.told("taxes")[0]["points"])

    # 9.0 Hannibal falls upon the Roman army
    turn.act("carthage", "Take")
    turn.act("carthage", "Move", space="1508")
    turn.stands("rome", "1508", "Rome 4", "Carthage 10")
    turn.act("carthage", "Attack")
    assert turn.told("combat")[0]["losses"] == {"carthage": 3, "rome": 2}
    turn.both_see("10 points against 4, ratio 2:1, modifier +2. Losses: Carthage 3, Rome 2.")
    for side in turn.tablets:
        turn.stands(side, "1508", "Rome 2", "Carthage 7")
    turn.act("carthage", "Finish")

    # 10.2 Saguntum is shut in
    turn.act("carthage", "Take")
    turn.act("carthage", "Move", space="1011")
    turn.act("carthage", "Move", space="1111")
    turn.stands("rome", "1111", "Rome 2", "inside the walls", "besieged", "Carthage 6")
    turn.act("carthage", "Finish")
    assert table.state.inside("1111", "rome", "land") == 2
    expect(rome.locator(".spot .works")).to_have_count(1)

    # 11.11 The sea takes its part of a fleet; what is left lands, and the campaign is over
    turn.act("carthage", "Take")
    turn.act("carthage", "Move", space="2615", face=1)
    assert turn.told("attrition")[-1]["cause"] == "sea"
    turn.both_see(re.compile(r"Attrition for Carthage at [^.]*: 25%, 1 point lost"))
    turn.act("carthage", "Move", space="2616")
    turn.stands("carthage", "2616", "Carthage 2", "2 naval points")
    turn.act("carthage", "Finish")


def carthage_pays_and_recruits(turn: Turn) -> None:
    # 12.0, 13.0 Supply is paid, and what is left buys recruits
    paid = turn.told("supplied")[0]
    assert paid["side"] == "carthage"
    turn.both_see(f"Carthage pays {paid['paid']} points for supply.")
    money = int(turn.ledger("rome", "Carthage")[1])
    turn.act("carthage", "Recruit", turn.ringed("carthage"), points=1)
    raised = turn.told("recruited")[0]
    turn.both_see("Carthage spends")
    expect(turn.tablets["carthage"].page.locator("#latest")).to_contain_text("Carthage raises 1 land point at")
    assert turn.ledger("rome", "Carthage")[1] == str(money - turn.told("recruiting")[0]["cost"])
    turn.stands("carthage", raised["hex"], "Carthage 1")
    turn.act("carthage", "Nothing more")


def rome_elects_and_campaigns(turn: Turn) -> None:
    table = turn.table

    # 8.4 Rome elects and places its leaders
    while table.state.phase == "election":
        turn.act("rome", "Accept")
    assert turn.told("elected")
    assert (table.state.phase, table.state.phasing) == ("campaign", "rome")
    assert table.state.leaders["rb"].at == "2915"  # 8.42 the better man with the fleet stays

    # 11.11 The Roman fleet loses a part at sea
    turn.act("rome", "Take")
    turn.act("rome", "Move", space="2815", face=1)
    turn.both_see(re.compile(r"Attrition for Rome at [^.]*: 25%, 1 point lost"))
    turn.act("rome", "Move", space="2716", face=6)
    turn.both_see("no losses")
    turn.act("rome", "Move", space="2616")
    turn.stands("carthage", "2616", "Rome 2", "Carthage 2")

    # 9.16, 10.2 What it threatens goes inside, first the army, then the fleet; Clupea is besieged
    for kind in ("land points", "naval points"):
        turn.act("rome", "Attack", button=kind)
        expect(turn.tablets["carthage"].page.locator(".note.asked")).to_contain_text(
            "What do the threatened armies do?"
        )
        turn.act("carthage", "Answer the attack", button="Go inside the walls")
        turn.both_see(re.compile("of Carthage (go|stays) inside the (walls|port) of Clupea"))
    turn.stands("carthage", "2616", "inside the walls", "besieged")
    expect(turn.tablets["carthage"].page.locator(".spot .works")).to_have_count(2)

    # 9.22 The village is stormed
    turn.act("rome", "Attack", button="land points")
    assert turn.told("combat")[1]["losses"] == {"carthage": 1, "rome": 1}
    turn.both_see("Combat at Clupea: 2 points against 2, ratio 1:1, modifier −1. Losses: Rome 1, Carthage 1.")
    turn.stands("rome", "2616", "Rome 1", "Carthage 1")
    turn.act("rome", "Finish")
    turn.act("rome", "Nothing more")


def rome_pays_and_recruits(turn: Turn) -> None:
    table = turn.table

    # 12.33, 11.21 The besieged and those far from home are not paid for and waste away; 13.0 Rome recruits
    assert turn.told("supplied")[1]["side"] == "rome"
    assert any(one["cause"] == "unsupplied" for one in turn.told("attrition"))
    turn.both_see("Attrition for Rome")
    money = int(turn.ledger("carthage", "Rome")[1])
    turn.act("rome", "Recruit", turn.ringed("rome"), points=1)
    turn.both_see("Rome spends")
    expect(turn.tablets["rome"].page.locator("#latest")).to_contain_text("Rome raises 1 land point at")
    cost = turn.told("recruiting")[1]["cost"]
    assert turn.ledger("carthage", "Rome")[1] == str(money - cost)
    if table.state.turn == 2:
        turn.act("rome", "Nothing more")
