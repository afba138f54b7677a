"""Retreats, avoiding battle, placing and deploying by a tap on the map: each goal with its cost, what follows, one button."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from firsts.finding import firsts
from kit.commands_of import is_covered
from kit.hamilcar_war import army, empty, turn_of
from kit.panel_seen import panel_of
from kit.wars import War
from strategic import SYSTEMS
from strategic.hamilcar.tables import CARDS
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import encode
from webapp.presenting.presentation import Goals
from webapp.storage.journal.store import Store
from webapp.systems import presentation
from webapp.systems.hamilcar.answers import paying

BY_GOAL = {
    "hannibal": {
        "avoid",
        "land",
        "place_consul",
        "put",
        "reinforce",
        "remove",
        "retreat",
        "return_general",
        "withdraw",
    },
    "hamilcar": {
        "avoid",
        "hire",
        "place_general",
        "put",
        "reinforce",
        "remove",
        "retreat",
        "spend_train",
        "supply",
        "withdraw",
    },
    "sword_of_rome": {"avoid_to", "retreat"},
    "punic_wars": {"deploy", "lose", "place", "recruit"},
}
PICKS = (None, "0", "1", "supply:False", "spend_train:False", "spend_train:True")


def met(system: str) -> Iterator[tuple[Any, str, Goals]]:
    """The first positions in which a seat answers by a goal: the position, the seat, the goals."""
    how = presentation(system)
    for state in firsts(system):
        for seat in SYSTEMS[system].waiting_for(state):
            offers = SYSTEMS[system].offers(state, seat)
            for pick in PICKS:
                if found := how.goals(state, seat, offers, pick, None):
                    yield state, seat, found


@pytest.mark.parametrize("system", BY_GOAL)
def test_m6_every_goal_that_is_shaded_is_an_answer_that_the_engine_offers(app: Flask, system: str):
    how, rules, seen = presentation(system), SYSTEMS[system], set[str]()
    with app.test_request_context("/"):
        for state, seat, found in met(system):
            seen |= set(found.kinds)
            offers = rules.offers(state, seat)
            for tint in found.tints:
                pick = found.chosen if found.walkers else found.chosen.partition(":")[2]
                one = how.goals(state, seat, offers, pick, tint.hex)
                assert one is not None and is_covered(rules, json.loads(one.command), offers), (system, tint.hex)
                assert one.goal in one.button and len(one.steps) == len(one.marks)
    assert seen == BY_GOAL[system]


def opened(store: Store, client: FlaskClient, system: str, kind: str) -> tuple[War, str, Goals]:
    """A game in a first position whose question is answered by goals of a kind."""
    state, seat, found = next(one for one in met(system) if kind in one[2].kinds)
    position = msgspec.json.decode(encode(SYSTEMS[system].view(state, UMPIRE)))
    return War(store, client, system, position=position), seat, found


@pytest.mark.parametrize(
    "system, kind",
    [
        ("hannibal", "retreat"),
        ("hannibal", "avoid"),
        ("hannibal", "reinforce"),
        ("hannibal", "withdraw"),
        ("hamilcar", "put"),
        ("sword_of_rome", "retreat"),
        ("sword_of_rome", "avoid_to"),
        ("punic_wars", "recruit"),
        ("punic_wars", "lose"),
        ("punic_wars", "place"),
    ],
)
def test_m2_m3_m6_a_goal_is_tapped_and_one_button_gives_the_answer(
    store: Store, client: FlaskClient, system: str, kind: str
):
    war, seat, found = opened(store, client, system, kind)
    page = war.page(seat).text
    assert page.count('class="within"') == len(found.tints)
    assert page.count('class="cost"') == sum(bool(tint.disc) for tint in found.tints)
    assert not [one for one in panel_of(page).seen if "data-goal" in one.words]
    goal = found.tints[-1]
    shown = war.page(seat, query=f"&space={goal.hex}").text
    (main,) = [one for one in panel_of(shown).seen if "main" in one.classes]
    command = shown.split("data-goal>")[0].rpartition('value="')[2].partition('"')[0]
    before = war.version
    amount = {"points:int": "1"} if kind in ("lose", "recruit") else {}
    answer = war.post(seat, "command", query=f"&space={goal.hex}", command=html.unescape(command), **amount)
    assert answer.status_code == 303 and main.words
    assert store.entries(war.id, before)[0].command["type"] == kind


def test_19_0_a_group_is_tapped_then_a_hex_and_one_button_deploys_it(store: Store, client: FlaskClient):
    war = War(store, client, "punic_wars")
    seat = store.load(war.id).waiting_for[0]
    group = next(one for one in store.load(war.id).offers(seat) if one.type == "deploy").fields["group"]
    page = war.page(seat, query=f"&pick={group}").text
    first = page.partition('data-goal="')[2].partition('"')[0]
    shown = war.page(seat, query=f"&pick={group}&space={first}").text
    assert "data-goal>" in shown and f"&#34;hex&#34;: &#34;{first}&#34;" in shown


def test_retreat_8_what_a_goal_costs_stands_on_the_map_and_on_the_button(app: Flask):
    """A way onto enemy ground costs a unit; the disc, the step and the button say the same."""
    how, rules = presentation("hannibal"), SYSTEMS["hannibal"]
    with app.test_request_context("/"):
        state, seat, _found = next(one for one in met("hannibal") if "retreat" in one[2].kinds)
        battle = state.fighting()
        goal = json.loads(how.goals(state, seat, rules.offers(state, seat), None, _found.tints[0].hex).command)["to"]
        place = state.spaces[goal]
        other = next(side for side in ("rome", "carthage") if side != seat)
        more = place.with_outside(
            seat,
            state.spaces[battle.space]
            .outside(seat)
            .plus(place.outside(seat))
            .plus(state.spaces[battle.space].outside(seat)),
        )
        state = state.with_place(goal, msgspec.structs.replace(more, control=other))
        found = how.goals(state, seat, rules.offers(state, seat), None, goal)
        assert found is not None
        tint = next(one for one in found.tints if one.hex == goal)
        assert tint.price == "−1" and "1 unit lost" in found.button
        assert found.steps[-1].spent == 1 and found.steps[-1].dangers


def test_19_0_a_hex_that_fits_one_group_alone_takes_it(store: Store, client: FlaskClient):
    war = War(store, client, "punic_wars", scenario="3")
    seat = store.load(war.id).waiting_for[0]
    fitting: dict[str, set[int]] = {}
    for offer in store.load(war.id).offers(seat):
        for at in offer.fields.get("hex", ()) if offer.type == "deploy" else ():
            fitting.setdefault(at, set()).add(offer.fields["group"])
    alone = next(at for at, groups in fitting.items() if len(groups) == 1)
    other = next(group for groups in fitting.values() for group in groups if group not in fitting[alone])
    for query in ("", f"&pick={other}"):
        shown = war.page(seat, query=f"&space={alone}{query}").text
        assert "data-goal>" in shown and f"&#34;group&#34;: {min(fitting[alone])}" in shown


def captains_to_hire(store: Store, client: FlaskClient) -> War:
    """Carthage plays first, and its Council has five markers: it can hire Xanthippus."""
    council = ((1, 1), (1, 2), (1, 3), (2, 2), (3, 3))
    state = msgspec.structs.replace(army(empty(), "carthage", "carthago", 2, "hanno"), council=council)
    state = turn_of(state, "carthage", next(iter(CARDS))).state
    return War(store, client, "hamilcar", position=msgspec.json.decode(encode(SYSTEMS["hamilcar"].view(state, UMPIRE))))


def test_6_1_2_a_captain_is_hired_by_tapping_where_he_lands(store: Store, client: FlaskClient):
    """What is asked is a card: nothing is shaded until he, or a port where he may land, is tapped."""
    war = captains_to_hire(store, client)
    page = war.page("carthage").text
    assert 'class="within"' not in page and "pick=hire%3Axanthippus" in page
    picked = war.page("carthage", query="&pick=hire:xanthippus").text
    assert picked.count('class="within"') > 1
    shown = war.page("carthage", query="&space=utica").text
    assert "Hire: Utica · 3 markers of the Council" in shown and shown.count('name="cells:json"') > 1
    command = shown.split("data-goal>")[0].rpartition('value="')[2].partition('"')[0]
    paid = shown.split('name="cells:json" value="')[2].partition('"')[0]
    before = war.version
    fields = {"command": html.unescape(command), "cells:json": html.unescape(paid)}
    assert war.post("carthage", "command", query="&space=utica", **fields).status_code == 303
    assert store.entries(war.id, before)[0].command["cells"] == json.loads(html.unescape(paid))


def test_6_1_2_the_markers_that_pay_first_leave_the_most(app: Flask):
    """19.5 Of five markers with the centre, two that stay in one row leave a unit; the first choice leaves the most."""
    state = msgspec.structs.replace(empty(), council=((1, 1), (1, 2), (2, 1), (2, 2), (3, 3)))
    with app.test_request_context("/"):
        cells = [list(map(list, group)) for group in combinations(state.council, 3)]
        words = [text for _cells, text in paying(state, {"cells": cells})]
    assert words[0] in ("leaves 1 unit", "leaves 1 general")
    assert words[-1] == "leaves nothing" and len(set(words)) == len(words)
