"""A group's own values by fields: each with its meaning, the published value and its bounds."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from webapp.storage.journal.store import Store, all_systems

NAMES = [name for name, system in all_systems().items() if system.house is not None]
CHANGED = {
    "hannibal": ("generals.hannibal.battle", "5", {"generals": {"hannibal": {"strategy": 1, "battle": 5}}}),
    "hamilcar": ("siege.red_points.0", "1", None),
    "sword_of_rome": ("hand.gauls", "6", {"hand": {"gauls": 6}}),
    "punic_wars": ("map.values.Latium", "9", None),
}


def token(client: FlaskClient) -> str:
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/campaign/house/hannibal").text)
    assert found
    return found[1]


def post(client: FlaskClient, system: str, do: str, **values: str) -> Any:
    sent = {"csrf_token": token(client), "by": "fields", "do": do, **values}
    return client.post(f"/campaign/house/{system}", data=sent)


def inputs(page: str) -> dict[str, str]:
    return dict(re.findall(r'name="f\.([^"]+)" value="([^"]*)"', page))


@pytest.mark.parametrize("system", NAMES)
def test_every_value_is_a_field_and_what_is_sent_back_replaces_nothing(client: FlaskClient, system: str):
    page = client.get(f"/campaign/house/{system}").text
    shown = inputs(page)
    assert shown
    sent = {f"f.{path}": html.unescape(value) for path, value in shown.items()}
    answer = post(client, system, "download", **sent)
    assert answer.status_code == 200 and json.loads(answer.text) == {}


@pytest.mark.parametrize("system", CHANGED)
def test_one_changed_field_is_all_that_a_group_writes(client: FlaskClient, system: str):
    path, value, written = CHANGED[system]
    shown = {
        f"f.{name}": html.unescape(now) for name, now in inputs(client.get(f"/campaign/house/{system}").text).items()
    }
    answer = post(client, system, "download", **{**shown, f"f.{path}": value})
    assert answer.status_code == 200, answer.text[:2000]
    own = json.loads(answer.text)
    assert list(own) == [path.partition(".")[0]] and (written is None or own == written)
    assert all_systems()[system].house.from_text(answer.text)  # type: ignore[union-attr]
    page = post(client, system, "check", **{**shown, f"f.{path}": value}).text
    assert inputs(page)[path] == value and "These values are in order" in page and "published:" in page


def test_the_bounds_stand_beside_each_number_and_what_is_beyond_them_is_said_at_its_field(client: FlaskClient):
    page = client.get("/campaign/house/hannibal").text
    line = re.search(r"<legend>Hannibal\s*(.*?)</fieldset>", page, re.DOTALL)
    assert line and "Strategy rating (1–3)" in line[1] and "Battle rating (0–5)" in line[1]
    assert "1 to 15" in page
    refused = post(client, "hannibal", "check", **{"f.generals.hannibal.strategy": "4"})
    assert refused.status_code == 422 and "Hannibal · Strategy rating" in html.unescape(refused.text)
    assert re.search(r'name="f\.generals\.hannibal\.strategy" value="4"[^>]*aria-invalid', refused.text)


def test_what_goes_by_a_number_keeps_it_and_what_stands_in_a_row_is_counted_from_one(client: FlaskClient):
    legends = re.findall(r"<legend>([^<]*)", client.get("/campaign/house/open_campaign").text)
    assert {"100", "90", "80"} <= {legend.strip() for legend in legends}
    table = client.get("/campaign/house/hannibal").text.rpartition("<h3>Attrition")[2]
    assert re.findall(r'<th scope="row">([^<]*)</th>', table)[:2] == ["1", "2"]


def test_a_number_that_is_none_is_refused_by_its_name(client: FlaskClient):
    refused = post(client, "hannibal", "check", **{"f.passes": "many"})
    assert refused.status_code == 422 and "a whole number is needed" in refused.text


def test_a_war_begins_with_what_stands_in_the_fields(client: FlaskClient, store: Store):
    begun = post(client, "hannibal", "start", title="Ours", scenario="second_punic_war", **{"f.cards.0": "8"})
    assert begun.status_code == 303
    state = store.load(store.games()[0].id).state
    assert state.house.cards[0] == 8 and len(state.hands["rome"]) == 8
