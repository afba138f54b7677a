"""A battle by cards and its result in the panel: strengths, both cards, what an answer means, what it cost."""

from __future__ import annotations

import html
import random
import re
from collections import Counter
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from kit.books import flat, gained, stock
from kit.linked_battle import engagement, fleet
from kit.wars import War
from strategic.naval.engagement import Transport
from tactical.kernel.dice import random_source
from tactical.kernel.random_play import fill
from webapp.pages.campaign import screen
from webapp.pages.campaign.chronicle import chapters
from webapp.pages.campaign.engagement import blank, read_report
from webapp.pages.campaign.register import register
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
ACTS = 160  # of a war at random
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
        found = screen.result("hannibal", screen.recent(store, table, seat))
        return table.state.battle is None and found is not None and bool(found.winner)

    store.source = random_source(random.Random(5).randrange)
    war, seat = until(store, client, is_over, "concede")
    page = html.unescape(war.page(seat).text)
    part = page[page.index('id="result"') :].partition("</section>")[0]
    events = [event.flat() for entry in store.entries(war.id) for event in entry.events]
    end = max(place for place, it in enumerate(events) if it["type"] == "battle_ended")
    before = store.table_after(war.id, next(each.number for each in store.entries(war.id) if named(each, "battle")) - 1)
    lost = {side: armies(before.state, side) - armies(war.state, side) for side in ("rome", "carthage")}
    shown = {side: int(re.search(r"\d+|–", each)[0].replace("–", "0")) for side, each in costs_of(part)}
    assert shown == {side: count for side, count in lost.items() if side in shown} and sum(shown.values())
    assert sum(lost.values()) == sum(shown.values())
    assert f"won s{['rome', 'carthage'].index(events[end]['winner'])}" in part
    assert re.search(r"/replay/\d+\?seat=", part)


def named(entry: Any, kind: str) -> bool:
    return any(event.type == kind for event in entry.events)


def armies(state: Any, side: str) -> int:
    return sum(place.all_of(side).size for place in state.spaces.values())


def costs_of(part: str) -> list[tuple[str, str]]:
    """The sides that the result names, each with what it lost."""
    heads = re.findall(r'<th scope="col">([^<]*)</th>', part)
    return list(zip(map(str.lower, heads), re.findall(r"<td><strong>([^<]*)</strong>", part), strict=True))


BATTLE = [
    (19, {"type": "battle", "space": "massilia", "attacker": "carthage"}),
    (25, {"type": "retreat_losses", "side": "rome", "lost": 1}),
    (27, {"type": "retreated", "side": "rome", "to": "city", "lost": 0, "eliminated": 2}),
    (27, {"type": "battle_ended", "space": "massilia", "winner": "carthage"}),
]
CARD = {"type": "card_played", "side": "rome", "card": 44, "how": "event"}
ROLL = {"type": "siege_roll", "side": "carthage", "general": "hannibal", "space": "massilia", "points": 0, "lost": 0}


def test_what_the_walls_do_not_hold_is_lost_as_well(app: Flask):
    with app.test_request_context("/"):
        found = screen.result("hannibal", BATTLE)
    assert found is not None and found.winner == "carthage"
    assert found.lost == {"rome": {"units": 3}}


def test_a_siege_roll_tells_neither_the_losses_nor_the_winner_of_the_battle_before_it(app: Flask):
    with app.test_request_context("/"):
        found = screen.result("hannibal", [*BATTLE, (30, CARD), (33, ROLL)])
    assert found is not None and not found.winner and not any(found.lost.values()) and found.number == 33


def test_a_result_goes_when_the_next_act_comes_and_tells_its_own_effects_alone(app: Flask):
    lifted = (27, {"type": "siege_lifted", "space": "massilia"})
    ended = (27, {"type": "reinforcements", "turn": 2})
    with app.test_request_context("/"):
        found = screen.result("hannibal", [*BATTLE, lifted, ended])
        assert found is not None and "Massilia" in found.follows[-1] and "2" not in found.follows[-1]
        assert screen.result("hannibal", [*BATTLE, lifted, ended, (28, CARD)]) is None
        assert screen.result("hannibal", [*BATTLE, (28, {"type": "battle", "space": "massilia"})]) is None
        marked = [*BATTLE, (27, {"type": "captain", "level": "able"})]
        assert screen.result("hannibal", marked) is not None, "what the server marks is no act"


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
            {"rome": {"points": 2}},
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
            {"carthage": {"points": 1}},
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
    paid = [
        (4, {"type": "lost", "side": side, "nation": side, "hex": "1904", "kind": "land", "cause": "x", **points})
        for side, points in costs.items()
    ]
    with app.test_request_context("/"):
        found = screen.result("punic_wars", [(3, {"type": "attack", "side": "rome"}), (3, old), (4, event), *paid])
    assert found is not None and found.lost == costs and found.number == 4


def test_p9_attrition_for_want_of_pay_is_no_result(app: Flask):
    unpaid = {"type": "attrition", "side": "rome", "cause": "unpaid", "points": 1}
    with app.test_request_context("/"):
        assert screen.result("punic_wars", [(1, unpaid)]) is None


@pytest.mark.parametrize("system", ["hannibal", "hamilcar"])
def test_the_register_and_the_chronicle_have_lost_what_the_positions_have(
    store: Store, client: FlaskClient, system: str
):
    """Over a war at random: the sums of both are those of the positions, by side and by thing."""
    chance = random.Random(8)
    store.source = random_source(chance.randrange)
    war = War(store, client, system, **({"position": FIELD} if system == "hannibal" else {}))
    first = stock(system, war.state)
    for _act in range(ACTS):
        table = store.load(war.id)
        seat = table.waiting_for[0]
        offers = [one for one in table.offers(seat) if one.type not in ("resign", "agree")]
        fights = [one for one in offers if one.type in ("step", "besiege", "attack")]
        store.submit(war.id, table.game.version, seat, fill(chance.choice(fights or offers), chance))
    events = [event for entry in store.entries(war.id) for event in entry.events]
    due = first + gained(events)
    due.subtract(stock(system, war.state))
    due = +due
    table = store.load(war.id)
    told: Counter[tuple[str, str]] = Counter()
    for chapter in chapters(store, table, "rome"):
        told.update(flat(chapter.lost))
    assert due and told == due == flat(register(store, table, "rome").lost)
    if system == "hamilcar":
        ships = register(store, table, "rome").by_side()
        gone = {side: sum(ship.holder != side for ship in fleet) for side, fleet in ships}
        assert gone == {side: due[side, "ships"] for side in gone}
    page = html.unescape(war.page("rome", "chronicle").text)
    assert "Lost in this turn:" in page


def test_l3_1_the_form_asks_what_became_of_each_transport_that_has_a_name(app: Flask) -> None:
    tubs = (Transport("rome-t1", name="Tub"), Transport("rome-t2", name="Keel"))
    fleets = {"rome": replace(fleet("rome", 2), transports=tubs), "carthage": fleet("carthage", 2, 1)}
    met = engagement(fleets=fleets)
    form = {"rome.rome-t1.fate": "captured", "rome.rome-t2.fate": "sunk", "carthage.transports": "1", "turns": "3"}
    with app.test_request_context():
        typed = read_report(met, form)
        rome, carthage = (typed.outcome.of(side) for side in ("rome", "carthage"))
        assert (rome.transports, rome.sunk_transports, rome.captured_transports) == (2, ("rome-t2",), ("rome-t1",))
        assert (carthage.transports, carthage.sunk_transports) == (1, ())
        again = {side.id: side for side in blank(met, typed.outcome).sides}
        rows = [(row.name, row.fate) for row in again["rome"].ships if row.is_transport]
        assert rows == [("Tub", "captured"), ("Keel", "sunk")] and again["rome"].transports_sent == 0
        wrong = read_report(met, {**form, "rome.rome-t1.fate": "hurt"})
        assert wrong.outcome is None and "rome.rome-t1.fate" in wrong.faults
