"""A march by its goal where armies go space by space: reach with costs, the way with its dangers, one button."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from firsts.finding import firsts
from kit.commands_of import picked
from kit.wars import War
from strategic import SYSTEMS
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain, read
from webapp.storage.journal.store import Store
from webapp.systems import presentation
from webapp.systems.hannibal import presenter as hannibal

STEPPED = ("hannibal", "hamilcar", "sword_of_rome")
ENDS = ("resign", "agree")


def orders(page: str) -> list[dict[str, Any]]:
    """The steps that the button of a page sends."""
    found = re.search(r'name="orders" value="([^"]*)"', page)
    assert found, "no march is offered"
    return json.loads(html.unescape(found[1]))


def going(store: Store, war: War, chance: random.Random, least: int = 1) -> str:
    """Random play up to a march with at least so many points; whose it is."""
    for _try in range(600):
        table = store.load(war.id)
        seat = table.waiting_for[0]
        walk = presentation(table.system.name).walk(table.state, seat, None, None)
        if walk is not None and walk.left >= least and len(walk.tints) > 3:
            return seat
        offers = [one for one in table.offers(seat) if one.type not in ENDS]
        wanted = [one for one in offers if one.type == "activate"] or offers
        store.submit(war.id, table.game.version, seat, chance.choice(picked(chance.choice(wanted), 1, chance)))
    raise AssertionError("nobody marches")


@pytest.mark.parametrize("system", STEPPED)
def test_m2_m3_m6_a_goal_far_off_is_reached_by_one_button(store: Store, client: FlaskClient, system: str):
    war, chance = War(store, client, system), random.Random(5)
    seat = going(store, war, chance, least=2)
    page = war.page(seat).text
    walk = presentation(system).walk(war.state, seat, None, None)
    assert page.count('class="cost') == len([tint for tint in walk.tints if tint.disc])
    goals = [tint for tint in walk.tints if tint.shape]
    goal = max(goals, key=lambda tint: tint.points)
    shown = war.page(seat, query=f"&space={goal.hex}").text
    steps = orders(shown)
    assert re.search(rf"March to [^<]* · {goal.points} of {walk.left}", html.unescape(shown))
    assert len(re.findall(r'class="march-step', shown)) == len(steps) and steps[-1]["to"] == goal.hex
    before = war.version
    answer = war.post(seat, "march", orders=json.dumps(steps), query=f"&space={goal.hex}")
    assert answer.status_code == 303
    moves = [entry.command["type"] for entry in store.entries(war.id, before)]
    assert moves and set(moves) == {"step"} and len(moves) <= len(steps)


@pytest.mark.parametrize("system", STEPPED)
def test_m3_every_first_step_of_every_way_is_legal(store: Store, client: FlaskClient, system: str):
    war, chance = War(store, client, system), random.Random(8)
    for _march in range(6):
        seat = going(store, war, chance)
        state = war.state
        rules = SYSTEMS[system]
        walk = presentation(system).walk(state, seat, None, None)
        for tint in walk.tints:
            way = presentation(system).walk(state, seat, None, tint.hex)
            first = json.loads(way.orders)[0]
            assert rules.why_not(state, seat, decoded(rules, first)) is None, first
        table = store.load(war.id)
        offers = [one for one in table.offers(seat) if one.type not in ENDS]
        store.submit(war.id, table.game.version, seat, chance.choice(picked(chance.choice(offers), 1, chance)))


def decoded(rules: Any, command: dict[str, Any]) -> Any:
    return read(command, rules.command)


def test_m7_how_many_go_is_a_stepper_preset_to_all(store: Store, client: FlaskClient):
    war, chance = War(store, client, "hannibal"), random.Random(5)
    for _try in range(12):
        seat = going(store, war, chance)
        walk = presentation("hannibal").walk(war.state, seat, None, None)
        way = presentation("hannibal").walk(war.state, seat, None, walk.tints[0].hex)
        if way.going.units:
            break
        table = store.load(war.id)
        offers = [one for one in table.offers(seat) if one.type not in ENDS]
        store.submit(war.id, table.game.version, seat, chance.choice(picked(chance.choice(offers), 1, chance)))
    shown = war.page(seat, query=f"&space={walk.tints[0].hex}").text
    low, most = way.going.units
    elephants = json.loads(way.orders)[0]["elephants"]
    assert f'name="units" min="{low}" max="{most}" value="{most}"' in shown
    war.post(seat, "march", orders=way.orders, units=str(low))
    assert store.entry(war.id, war.version).command["units"] == low - elephants


def test_a_march_that_is_no_march_is_refused(war: War):
    for text in ("", "[]", "{", '[{"type": "resign"}]', json.dumps([{"type": "step"}] * 21)):
        before = war.version
        assert war.post("rome", "march", orders=text).status_code in (400, 422)
        assert war.version == before


def test_m1_an_army_without_points_is_not_asked_where_to(store: Store, client: FlaskClient):
    war = War(store, client, "sword_of_rome", scenario="gauls_before_greeks")
    store.submit(war.id, 0, "romans", {"type": "activate", "card": 2, "leader": "claudius", "units": 6})
    assert "where to?" in war.page("romans").text
    for to in ("faesulae", "arretium", "faesulae", "arretium"):
        store.submit(war.id, war.version, "romans", {"type": "step", "to": to})
    page = html.unescape(war.page("romans").text)
    assert "0 points left" in page and "where to?" not in page
    assert page.index("End the move") < page.index("Leave units behind")


def test_m7_in_punic_wars_the_hexes_that_a_leader_may_enter_are_no_list_and_no_button_is_filled(
    store: Store, client: FlaskClient
):
    state = next(
        one
        for one in firsts("punic_wars")
        for seat in SYSTEMS["punic_wars"].waiting_for(one)
        if any(offer.type == "move" for offer in SYSTEMS["punic_wars"].offers(one, seat))
    )
    war = War(store, client, "punic_wars", position=plain(SYSTEMS["punic_wars"].view(state, UMPIRE)))
    page = war.page(SYSTEMS["punic_wars"].waiting_for(state)[0]).text
    assert "Who marches?" in page and "Other moves" in page
    assert page.index("Other moves") < page.index(">Move ") and 'class="main"' not in page


THREES = [3, 4, 9, 23]  # cards of three points, by which one may sail
HOSTS = {
    "spaces": {
        "rome": {"control": "rome", "rome": {"units": 8, "elephants": 0}},
        "carthage": {"control": "carthage", "carthage": {"units": 8, "elephants": 2}},
        "massilia": {"control": "rome"},
    },
    "generals": {"p_scipio": {"space": "rome"}, "hannibal": {"space": "carthage"}},
    "phase": "strategy",
}


def on_the_march(store: Store, client: FlaskClient, side: str, field: Mapping[str, Any] = HOSTS) -> War:
    """Publius Scipio at Rome with 8 units, or Hannibal at Carthage with 8 and 2 elephants, is activated."""
    war = War(store, client, position={**field, "active": side, "hands": {side: THREES}})
    for _act in range(9):
        table = store.load(war.id)
        seat = table.waiting_for[0]
        offers = {one.type: one.fields for one in table.offers(seat)}
        if "sail" in offers or "step" in offers:
            return war
        kind = next(kind for kind in ("activate", "pass", "done", *offers) if kind in offers)
        command = {name: one_of(value) for name, value in offers[kind].items()}
        store.submit(war.id, table.game.version, seat, {"type": kind, **command})
    raise AssertionError("nobody is on the march")


def one_of(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return next((name for name in ("hannibal", "p_scipio") if name in value), value[0])


def panel(war: War, seat: str, space: str) -> str:
    page = html.unescape(war.page(seat, query=f"&space={space}").text)
    part = page[page.index('class="part march"') :]
    return part[: part.index("</section>")]


def test_what_sails_and_what_stays_without_a_general_is_told_before_the_button(store: Store, client: FlaskClient):
    shown = panel(on_the_march(store, client, "rome"), "rome", "massilia")
    assert shown.index("5 of 8 units go.") < shown.index("3 units stay at Rome, with no general.")
    assert shown.index("with no general.") < shown.index("Sail to Massilia · 3 of 4 points")


def test_elephants_are_among_the_units_that_go_and_the_number_of_the_stepper_counts_them(
    store: Store, client: FlaskClient
):
    war = on_the_march(store, client, "carthage")
    seat, walk = "carthage", presentation("hannibal").walk
    goal = next(
        tint.hex for tint in walk(war.state, "carthage", None, None).tints if tint.hex in ("utica", "hadrumetum")
    )
    low, most = walk(war.state, seat, None, goal).going.units
    shown = panel(war, seat, goal)
    assert most == 10 and "All 10 units may go." in shown and "Elephants among those that go: 2." in shown
    assert "Units that do not go stay at Carthage, with no general." in shown
    way = walk(war.state, seat, None, goal)
    war.post(seat, "march", orders=way.orders, units="7")
    said = store.entry(war.id, war.version).command
    assert (said["units"], said["elephants"]) == (5, 2) and low <= 7


def test_p4_a_voyage_that_every_roll_sinks_is_asked_twice(store: Store, client: FlaskClient, monkeypatch):
    war, found = on_the_march(store, client, "carthage"), hannibal.naval_odds
    assert 'id="march-twice"' not in panel(war, "carthage", "syracuse")
    certain = replace(found(war.state, "syracuse", 5, []), passes=Fraction(0), returns=Fraction(0), sunk=Fraction(1))
    monkeypatch.setattr(hannibal, "naval_odds", lambda *_values: certain)
    shown = panel(war, "umpire", "syracuse")
    twice = shown[shown.index('id="march-twice"') :]
    assert twice.index("<summary") < twice.index("Every roll sinks the fleet") < twice.index("Sail to Syracuse · 3 of")
    assert "main" not in re.findall(r'<button class="(\w+)"', shown)


def test_an_interception_that_is_let_pass_leaves_the_goal_chosen(store: Store, client: FlaskClient):
    """Rome answers, and the way to the goal stands there with its button, without another tap on the map."""
    field = {
        **HOSTS,
        "spaces": {
            "insubrians": {"carthage": {"units": 6, "elephants": 0}},
            "boii": {"rome": {"units": 6, "elephants": 0}},
            "rome": {"control": "rome"},
            "carthage": {"control": "carthage"},
        },
        "generals": {"hannibal": {"space": "insubrians"}, "p_scipio": {"space": "boii"}},
    }
    war = on_the_march(store, client, "carthage", field)
    walk = partial(presentation("hannibal").walk, war.state, "carthage", None)
    ways = {tint.hex: walk(tint.hex) for tint in walk(None).tints}
    goal, way = next((goal, way) for goal, way in ways.items() if len(way.steps) > 1 and way.steps[0].dangers)
    query = f"&space={goal}"
    answer = war.post("carthage", "march", orders=way.orders, query=query)
    assert answer.status_code == 303 and query[1:] in answer.headers["Location"]
    table = store.load(war.id)
    assert table.waiting_for == ("rome",)
    store.submit(war.id, table.game.version, "rome", {"type": "done"})
    assert f"March to {way.goal} · " in panel(war, "carthage", goal)
