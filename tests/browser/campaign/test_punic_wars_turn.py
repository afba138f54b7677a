"""Two tablets play a whole game turn of the second war by the buttons of their pages: 4.2, box after box."""

from __future__ import annotations

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


def settled(table, tablets, before: int, face: int) -> None:
    """The act is done on every page; dice that are asked for are thrown by the side that owes them."""
    for tablet in tablets.values():
        tablet.sees_pulse(before + 1)
    for _roll in range(12):
        game = table.store.game(table.id)
        if game.waiting is None:
            break
        thrower = next(one for one in tablets.values() if one.page.locator(".roll [data-face]").count())
        thrower.throws(*[face] * len(game.waiting.asked.dice))
        for tablet in tablets.values():
            tablet.sees_pulse(game.pulse + 1)


def act(table, tablets, side: str, title: str, space: str | None = None, face: int = 3, **typed) -> None:
    """Tap a hex if one is named, fill in what is typed, and press the first button of the offer."""
    tablet = tablets[side]
    page = tablet.page
    before = table.store.game(table.id).pulse
    if space is not None:
        page.locator(f".cell[data-space='{space}']").click()
        expect(page.locator("#side")).to_have_attribute("data-space", space)
    elif page.locator("#place-title").count():
        page.get_by_role("link", name="Close").click()
        expect(page.locator("#place-title")).to_have_count(0)
    box = tablet.offer(title)
    for label, value in typed.items():
        box.get_by_label(label.capitalize()).first.fill(str(value))
    box.get_by_role("button").first.click(timeout=8000)
    settled(table, tablets, before, face)


def told(table, kind: str) -> list:
    """All events of a kind so far."""
    return [event.data for entry in table.store.entries(table.id) for event in entry.events if event.type == kind]


def test_4_2_a_whole_turn_of_the_second_war_by_both_sides(table):
    table.set_up("punic_wars", position=second_turn(), dice="physical", options={"naval_battles": "table"})
    tablets = {side: table.tablet(side) for side in ("carthage", "rome")}

    # 16.0 Diplomacy: two secret bids, then one die of the table
    act(table, tablets, "carthage", "Bid", points=2)
    assert "2 points" not in tablets["rome"].page.locator("#latest").inner_text()
    act(table, tablets, "rome", "Bid", points=1)
    assert told(table, "diplomacy")[0]["modifier"] == 1
    assert (table.state.phase, table.state.phasing) == ("campaign", "carthage")

    # 9.0 Hannibal falls upon the Roman army
    act(table, tablets, "carthage", "Take")
    act(table, tablets, "carthage", "Move", space="1508")
    act(table, tablets, "carthage", "Attack")
    assert told(table, "combat")[0]["losses"] == {"carthage": 3, "rome": 2}
    expect(tablets["rome"].page.locator("#latest")).to_contain_text("Combat")
    act(table, tablets, "carthage", "Finish")

    # 10.2 Saguntum is shut in
    act(table, tablets, "carthage", "Take")
    act(table, tablets, "carthage", "Move", space="1011")
    act(table, tablets, "carthage", "Move", space="1111")
    act(table, tablets, "carthage", "Finish")
    assert table.state.points("1111", "rome", "land") == table.state.inside("1111", "rome", "land") == 2
    expect(tablets["rome"].page.locator(".spot .works")).to_have_count(1)

    # 11.11 The sea takes its part of a fleet; what is left lands, and the campaign is over
    act(table, tablets, "carthage", "Take")
    act(table, tablets, "carthage", "Move", space="2615", face=1)
    at_sea = told(table, "attrition")[-1]
    assert (at_sea["cause"], at_sea["hex"]) == ("sea", "2615")
    assert at_sea["points"] > 0
    act(table, tablets, "carthage", "Move", space="2616")
    act(table, tablets, "carthage", "Finish")
    if table.state.phase == "campaign":
        act(table, tablets, "carthage", "Nothing more")

    # 12.0, 13.0 Supply is paid, and what is left buys recruits
    assert told(table, "supplied")[0]["side"] == "carthage"
    act(table, tablets, "carthage", "Recruit", points=1)
    assert told(table, "recruited")[0]["side"] == "carthage"
    if table.state.phasing == "carthage":
        act(table, tablets, "carthage", "Nothing more")

    # 8.4 Rome elects, places its leaders, campaigns, pays and recruits
    while table.state.phase == "election":
        act(table, tablets, "rome", "Accept")
    assert told(table, "elected")
    assert (table.state.phase, table.state.phasing) == ("campaign", "rome")
    act(table, tablets, "rome", "Nothing more")
    assert told(table, "supplied")[1]["side"] == "rome"
    act(table, tablets, "rome", "Recruit", points=1)
    if table.state.turn == 2:
        act(table, tablets, "rome", "Nothing more")
    assert (table.state.turn, table.state.phase, table.state.phasing) == (3, "diplomacy", "carthage")
    for tablet in tablets.values():
        tablet.sees_version(table.version)
        expect(tablet.page.locator(".turn")).to_contain_text("3")
