"""10.3, 11.1 The answer to a march of The Sword of Rome is set leader by leader, with one button."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from flask import Flask

from kit.wars import War
from strategic.sword_of_rome import SWORD_OF_ROME
from tactical.kernel.record import read
from webapp.systems.sword_of_rome.answers import declaration, switches

HANDS = {"romans": [1, 2, 3], "etruscans_samnites": [1, 2, 3], "greeks": [1, 2], "gauls": [3]}
FORCES = {
    "arretium": {"romans": {"units": 9, "leaders": ["claudius"]}},
    "ravenna": {"greeks": {"units": 6, "leaders": ["pyrrhus", "timoleon"]}},
}
SAMNITES = {
    "velitrae": {"romans": {"units": 9, "leaders": ["claudius"]}},
    "fregellae": {"samnites": {"units": 5, "leaders": ["egnatius", "minor_samnites_a"]}},
}


def marched(store: Any, client: Any, forces: Any, goal: str, **hands: list[int]) -> War:
    """Claudius has come to a space."""
    position = {"forces": forces, "hands": {**HANDS, **hands}, "active": "romans"}
    war = War(store, client, "sword_of_rome", position=position)
    for command in ({"type": "activate", "card": 3, "leader": "claudius", "units": 9}, {"type": "step", "to": goal}):
        assert war.post("romans", "command", command=json.dumps(command)).status_code == 303
    return war


@pytest.fixture
def beside(store: Any, client: Any) -> War:
    """The Greeks of Ravenna may intercept Claudius at Ariminum."""
    return marched(store, client, FORCES, "ariminum")


@pytest.fixture
def upon(store: Any, client: Any) -> War:
    """Claudius has come upon the Samnites of Fregellae, who may slip away."""
    return marched(store, client, SAMNITES, "fregellae")


def test_12_one_switch_for_each_leader_and_one_button(beside: War) -> None:
    page = html.unescape(beside.page("greeks").text)
    form = re.search(r'<form class="switches".*?</form>', page, re.S)
    assert form is not None
    assert re.findall(r'role="switch" name="([^"]+)"', form[0]) == ["greeks.ravenna.pyrrhus", "greeks.ravenna.timoleon"]
    assert "Pyrrhus</b>: Intercept – a roll of 3 or less" in form[0] and form[0].count('class="main"') == 1
    assert 'id="all-declare"' not in page and "Intercept from" not in page, "no list of combinations beside it"
    for seat in ("gauls", "romans", "spectator"):
        assert 'class="switches"' not in beside.page(seat).text


def test_12_a_switch_for_each_leader_upon_whom_the_army_has_come(upon: War) -> None:
    page = html.unescape(upon.page("etruscans_samnites").text)
    assert page.count('role="switch"') == 2 and "Egnatius</b>: Avoid battle" in page
    assert "CUs that avoid battle" in page and "Go inside the walls" not in page, "Fregellae has none"
    assert upon.post("etruscans_samnites", "switches", **{"samnites.fregellae.egnatius": "away"}).status_code == 303
    [slip] = upon.state.reaction.avoidances
    assert (slip.leaders, slip.units) == (("egnatius",), 5)


def test_12_what_is_switched_is_declared_and_the_commander_stays_with_a_unit(beside: War) -> None:
    sent = beside.post("greeks", "switches", **{"greeks.ravenna.timoleon": "try", "greeks.ravenna.units": "6"})
    assert sent.status_code == 303
    [attempt] = beside.state.reaction.attempts
    assert (attempt.leader, attempt.companions, attempt.units) == ("timoleon", (), 5)


def test_11_1_1_an_army_in_a_port_may_leave_by_sea_for_a_card(store: Any, client: Any) -> None:
    neapolis = {
        "capua": {"romans": {"units": 9, "leaders": ["claudius"]}},
        "neapolis": {"greeks": {"units": 3, "leaders": ["timoleon"]}},
    }
    war = marched(store, client, neapolis, "neapolis", greeks=[1, 2, 3])
    page = html.unescape(war.page("greeks").text)
    ways = re.findall(r'name="greeks.neapolis.way" value="([^"]+)"', page)
    assert ways[0] == "land" and "by sea to Syracusae for a card of value 3" in page
    sent = {"greeks.neapolis.timoleon": "away", "greeks.neapolis.units": "3", "greeks.neapolis.way": "syracusae.3"}
    assert war.post("greeks", "switches", **sent).status_code == 303
    [slip] = war.state.reaction.avoidances
    assert (slip.port, slip.card, slip.units) == ("syracusae", 3, 3)


def test_12_who_leaves_all_as_it_is_lets_the_army_pass(upon: War) -> None:
    assert upon.post("etruscans_samnites", "switches").status_code == 303
    assert upon.state.reaction.closed and not upon.state.reaction.avoidances


def test_12_a_refusal_stands_on_the_page(beside: War) -> None:
    wrong = {"greeks.ravenna.pyrrhus": "try", "greeks.ravenna.units": "all"}
    refused = beside.post("greeks", "switches", **wrong)
    assert refused.status_code == 422 and "whole number" in refused.text
    assert beside.post("gauls", "switches").status_code == 422


@pytest.mark.parametrize(("war", "seat"), [("beside", "greeks"), ("upon", "etruscans_samnites")])
def test_12_every_setting_of_the_switches_is_a_legal_answer(
    war: str, seat: str, app: Flask, request: pytest.FixtureRequest
) -> None:
    state = request.getfixturevalue(war).state
    with app.test_request_context("/?lang=en"):
        shown = switches(state, seat)
        assert shown is not None
        amounts = [amount for army in shown.armies for amount in army.amounts]
        settings: list[dict[str, str]] = [{}]
        for field in [switch for army in shown.armies for switch in army.leaders]:
            settings = [{**one, field.field: value} for one in settings for value, _text in field.choices]
        assert len(settings) == 4 and amounts
        for one in settings:
            for end in ("low", "high"):
                form = {**one, **{amount.field: str(getattr(amount, end)) for amount in amounts}}
                command = read(declaration(state, seat, form), SWORD_OF_ROME.command)
                assert SWORD_OF_ROME.why_not(state, seat, command) is None, form
