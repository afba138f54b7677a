"""A battle by cards and its result in the panel: strengths, both cards, what an answer means, what it cost."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.wars import War
from webapp.pages.campaign import screen
from webapp.storage.journal.store import Store

FIELD = {
    "spaces": {
        "insubrians": {"carthage": {"units": 9, "elephants": 0}},
        "boii": {"rome": {"units": 8, "elephants": 0}},
        "rome": {"control": "rome"},
        "carthage": {"control": "carthage"},
    },
    "generals": {"hannibal": {"space": "insubrians"}, "p_scipio": {"space": "boii"}},
    "active": "carthage",
    "phase": "strategy",
    "hands": {"carthage": [33, 34], "rome": [62, 61]},
}
WISHES = ("activate", "step", "stand", "accept_battle", "attack", "match", "concede", "retreat", "pass", "done", "halt")


def until(store: Store, client: FlaskClient, wanted: Any, *wishes: str) -> tuple[War, str]:
    """Hannibal marches against Publius Scipio and attacks, until something holds; and whose seat that is then."""
    war = War(store, client, position=FIELD)
    for _act in range(200):
        table = store.load(war.id)
        seat = table.waiting_for[0]
        if wanted(table, seat):
            return war, seat
        offers = {one.type: one for one in sorted(table.offers(seat), key=size) if one.type not in ("resign", "agree")}
        kind = next((wish for wish in (*wishes, *WISHES) if wish in offers), next(iter(offers)))
        command = first_of(offers[kind])
        store.submit(war.id, table.game.version, seat, command)
    raise AssertionError("it never came to that")


def size(offer: Any) -> tuple[bool, int]:
    """The offer that goes to the enemy with most units comes last."""
    units = offer.fields.get("units")
    return "boii" in (offer.fields.get("to") or ()), units["to"] if isinstance(units, dict) else 0


def first_of(offer: Any) -> dict[str, Any]:
    """The first command of an offer, to the enemy where it marches, with all units."""
    found: dict[str, Any] = {"type": offer.type}
    for name, value in offer.fields.items():
        if isinstance(value, dict):
            found[name] = value["to"]
        elif isinstance(value, list):
            found[name] = "boii" if "boii" in value else value[0]
        else:
            found[name] = value
    return found


def is_asked_to_match(table: Any, seat: str) -> bool:
    battle = table.state.battle
    return battle is not None and bool(battle.played) and table.state.agenda[-1].kind == "match"


def test_p2_who_must_answer_sees_strengths_the_card_played_and_what_an_answer_does(store: Store, client: FlaskClient):
    war, seat = until(store, client, is_asked_to_match)
    battle = war.state.battle
    page = html.unescape(war.page(seat).text)
    panel = page[page.index('class="part battle-panel"') : page.index('id="hand"')]
    for side in ("rome", "carthage"):
        assert f">{len(battle.hands[side])}</strong>" in panel
        assert f"of {battle.start[side]}" in panel
    assert panel.count('class="played') == 2 and "Your answer goes here" in panel
    assert "to attack next, " in page or "without a roll" in page or "match" not in page
    hand = page[page.index('id="hand"') :]
    held = set(battle.hands[seat])
    assert hand.count("battle-card") == len(held)
    for kind in re.findall(r'"card": ?"(\w+)"', " ".join(re.findall(r'value="([^>]*)" aria-label', hand))):
        assert kind in held


def test_a_battle_hand_stands_on_no_other_page(store: Store, client: FlaskClient):
    war, seat = until(store, client, is_asked_to_match)
    other = next(side for side in ("rome", "carthage") if side != seat)
    hand = war.page(other).text
    assert "The answer goes here" in hand and "Your answer" not in hand
    spectator = war.page("spectator").text if "spectator" in war.tokens else hand
    assert 'name="command"' not in spectator[spectator.index('id="hand"') :].partition("</section>")[0]


def test_p9_after_a_battle_the_panel_says_who_won_what_it_cost_and_leads_to_it(store: Store, client: FlaskClient):
    def is_over(table: Any, seat: str) -> bool:
        found = screen.result("hannibal", screen.recent(store, table, seat), table.game.version)
        return table.state.battle is None and found is not None and bool(found.winner)

    war, seat = until(store, client, is_over, "concede")
    page = html.unescape(war.page(seat).text)
    part = page[page.index('id="result"') :].partition("</section>")[0]
    events = [event.flat() for entry in store.entries(war.id) for event in entry.events]
    end = max(place for place, it in enumerate(events) if it["type"] == "battle_ended")
    begun = max(place for place, it in enumerate(events[:end]) if it["type"] == "battle")
    lost = {"rome": 0, "carthage": 0}
    for it in events[begun:]:
        for side, count in screen.lost_in(it).items():
            lost[side] += count
    shown = [int(each.replace("–", "0")) for each in re.findall(r"<td><strong>([^<]*)</strong>", part)]
    assert sorted(shown) == sorted(count for side, count in lost.items() if count or len(shown) > 1)
    assert f"won s{['rome', 'carthage'].index(events[end]['winner'])}" in part
    assert re.search(r"/replay/\d+\?seat=", part)


def test_a_result_goes_when_the_next_battle_begins():
    events = [(3, {"type": "battle"}), (5, {"type": "battle_ended", "space": "cannae", "winner": "rome"})]
    assert screen.result("hannibal", [*events, (6, {"type": "battle"})], 6) is None
    assert screen.result("hannibal", events, 5 + screen.SHOWN + 1) is None


@pytest.mark.parametrize(
    "event, costs",
    [
        ({"type": "went_inside", "side": "rome", "hex": "1904", "kind": "land"}, {}),
        ({"type": "relief_failed", "side": "rome", "hex": "1904"}, {}),
        (
            {
                "type": "attrition",
                "side": "rome",
                "hex": "1904",
                "cause": "siege",
                "points": 2,
                "percent": 30,
                "dice": [6],
            },
            {"rome": 2},
        ),
        (
            {
                "type": "attrition",
                "side": "carthage",
                "hex": "2516",
                "cause": "sea",
                "points": 1,
                "percent": 10,
                "dice": [5],
            },
            {"carthage": 1},
        ),
    ],
)
def test_p9_sieges_and_storms_of_punic_wars_have_a_result_of_their_own(app: Flask, event, costs):
    """Each by itself: what an earlier battle cost is not counted again."""
    old = {
        "type": "combat",
        "hex": "1904",
        "kind": "land",
        "losses": {"rome": 5, "carthage": 5},
        "dice": [1],
        "ratio": "1:1",
    }
    old |= {"attackers": 3, "defenders": 3, "modifier": 0, "percents": [0, 0]}
    with app.test_request_context("/"):
        found = screen.result("punic_wars", [(3, {"type": "attack", "side": "rome"}), (3, old), (4, event)], 4)
    assert found is not None and dict(found.lost) == costs and found.number == 4


def test_p9_attrition_for_want_of_pay_is_no_result(app: Flask):
    with app.test_request_context("/"):
        assert (
            screen.result("punic_wars", [(1, {"type": "attrition", "side": "rome", "cause": "unpaid", "points": 1})], 1)
            is None
        )
