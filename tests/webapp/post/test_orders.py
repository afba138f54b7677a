"""Standing orders: recognised in play, answered by themselves, marked in the journal, true for whose turn it is."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from flask import Flask

from kit.by_post import Group
from kit.facts_of import facts_of
from strategic import NAMES
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Offer
from tactical.kernel.random_play import QUITTING, fill, random_offer
from tactical.kernel.record import read
from webapp.post import orders
from webapp.post.deadlines import waits
from webapp.post.postman import Postman
from webapp.storage.journal.store import all_systems


def usual(offers: tuple[Offer, ...], by_hand: frozenset[str]) -> list[Offer]:
    return [offer for offer in offers if offer.type not in orders.ALWAYS_THERE | by_hand]


@pytest.mark.parametrize("name", NAMES)
def test_each_question_is_met_in_play_and_its_no_is_taken(name: str):
    system, met = all_systems()[name], set()
    known = {question.id for question in orders.questions(name)}
    for seed in range(40):
        if met >= known - facts_of(name).rare:
            break
        met |= questions_met(system, seed)
    assert met >= known - facts_of(name).rare


def questions_met(system: Any, seed: int) -> set[str]:
    """Play a stretch at random; each question that comes is let pass in a copy, which must be taken."""
    dice = random.Random(seed)
    source = random_source(dice.randrange)
    scenarios = sorted(scenario.id for scenario in system.scenarios())
    state = system.start(scenarios[seed % len(scenarios)], None, {}, Dice(source=source, secret=source)).state
    met = set()
    for _ in range(250):
        if system.is_over(state):
            break
        seat = dice.choice(system.waiting_for(state))
        offers = system.offers(state, seat)
        asked = usual(offers, system.by_hand)
        for question in orders.questions(system.name):
            if question.has(asked):
                no = orders.with_side(question.no, seat, asked)
                system.apply(state, seat, read(no, system.command), Dice(source=source, secret=source))
                met.add(question.id)
        command = fill(random_offer(offers, dice, QUITTING | system.by_hand), dice)
        state = system.apply(state, seat, read(command, system.command), Dice(source=source, secret=source)).state
    return met


def test_an_order_answers_and_the_journal_says_so(postman: Postman, group: Group):
    asked = group.state()["waiting_for"][0]
    answer = group.ask("PUT", asked, "/orders", {"orders": {"open": "pass"}})
    assert answer.status_code == 200 and answer.json["orders"]["open"] == "pass"
    postman.round([group.id])
    entry = group.ask("GET", "rome", "/journal").json["entries"][0]
    assert entry["seat"] == asked and entry["command"] == {"type": "pass"}
    assert entry["events"][-1] == {"rule": "", "type": "standing_order", "side": asked}


def test_empty_passes_only_when_nothing_else_could_be_done(app: Flask, group: Group):
    store = app.extensions["navarch"].store
    table = store.load(group.id)
    seat = table.system.waiting_for(table.state)[0]
    offers = usual(table.system.offers(table.state, seat), table.system.by_hand)
    has_more = {offer.type for offer in offers} != {"pass"}
    orders.keep(store, group.id, seat, {"open": "empty"})
    assert (orders.answer_of(store, store.load(group.id), seat) is None) is has_more


def test_who_has_an_order_is_not_waited_for(app: Flask, group: Group):
    store = app.extensions["navarch"].store
    asked = group.state()["waiting_for"][0]
    assert [wait.seat for wait in waits(store, store.load(group.id))] == [asked]
    orders.keep(store, group.id, asked, {"open": "pass"})
    assert waits(store, store.load(group.id)) == ()


def test_orders_are_ones_own(group: Group):
    group.ask("PUT", "carthage", "/orders", {"orders": {"intercept": "pass"}})
    assert group.ask("GET", "carthage", "/orders").json["orders"]["intercept"] == "pass"
    for seat in ("rome", "umpire", "spectator"):
        assert group.ask("GET", seat, "/orders").json["orders"]["intercept"] == "ask"
    assert group.ask("PUT", "umpire", "/orders", {"orders": {"open": "pass"}}).status_code == 403


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"siesta": "pass"}, "orders.siesta"),
        ({"open": "perhaps"}, "orders.open"),
        ({"open": "do"}, "orders.open"),
    ],
)
def test_bad_orders_are_refused_by_the_name_of_the_field(group: Group, given: dict[str, str], field: str):
    answer = group.ask("PUT", "rome", "/orders", {"orders": given})
    assert answer.status_code == 400 and answer.json["detail"]["path"] == field


def test_an_order_taken_back_does_not_come_again_of_itself(app: Flask, postman: Postman, group: Group):
    asked = group.state()["waiting_for"][0]
    group.ask("PUT", asked, "/orders", {"orders": {"open": "pass"}})
    postman.round([group.id])
    version = group.state()["version"]
    assert version == 1
    group.ask("PUT", asked, "/orders", {"orders": {"open": "ask"}})
    assert group.ask("POST", "umpire", "/undo", {"seen": version}).status_code == 200
    postman.round([group.id])
    assert group.state()["version"] == 2 and group.state()["waiting_for"] == [asked]


def test_the_pages_show_and_set_orders(app: Flask, group: Group):
    client = app.test_client()
    client.get(f"/join/{group.tokens['rome']}")
    page = client.get(f"/g/{group.id}/group").text
    assert "Standing orders of Rome" in page and 'name="orders.intercept"' in page
    sent = {"csrf_token": re.search(r'name="csrf-token" content="([^"]+)"', page)[1]}  # type: ignore[index]
    assert client.post(f"/g/{group.id}/group/orders", data={**sent, "orders.intercept": "do"}).status_code == 303
    assert '<option value="do" selected>' in client.get(f"/g/{group.id}/group").text
    assert client.post(f"/g/{group.id}/group/orders", data={**sent, "orders.siesta": "do"}).status_code == 422
