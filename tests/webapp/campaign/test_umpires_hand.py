"""The umpire's hand: every field of every system has a name, is read back as it was put, and the journal tells it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.facts_of import facts_of
from strategic import NAMES
from tactical.kernel.record import BadInput
from webapp.pages.campaign import corrections
from webapp.presenting.campaign_labels import position_word, side_word
from webapp.presenting.map.sheet import has_map, sheet
from webapp.presenting.naming import names


class Umpire:
    """The umpire of a game, on its pages."""

    def __init__(self, client: FlaskClient, system: str, scenario: str, seat: str = "umpire") -> None:
        made = client.post("/api/v1/games", json={"system": system, "scenario": scenario}).json
        self.client, self.id = client, made["id"]
        self.tokens = {each["id"]: each["token"] for each in made["seats"]}
        client.get(f"/join/{self.tokens[seat]}")

    def page(self, of: str) -> Any:
        return self.client.get(f"/campaign/{self.id}/hand?of={of}")

    def put(self, of: str, why: str = "a slip", **fields: str) -> Any:
        page = self.client.get(f"/campaign/{self.id}/hand?of={of}").text
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        seen = re.search(r'name="seen" value="(\d+)"', page)
        assert token and seen
        sent = {"csrf_token": token[1], "seen": seen[1], "why": why, **fields}
        return self.client.post(f"/campaign/{self.id}/hand?of={of}", data=sent)

    def state(self) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens['umpire']}"}
        return self.client.get(f"/api/v1/games/{self.id}", headers=headers).json["state"]


def scenario_of(app: Flask, system: str) -> str:
    found: str = app.extensions["navarch"].store.systems[system].scenarios()[0].id
    return found


@pytest.mark.parametrize("system", NAMES)
def test_every_field_and_every_choice_has_a_word(app: Flask, system: str, monkeypatch: pytest.MonkeyPatch):
    store, nameless = app.extensions["navarch"].store, set()
    was = corrections.Walker.called

    def called(self: corrections.Walker, word: str) -> str:
        fleets = (self.state.get("ships") or {}).values()
        ships = {ship["name"] for fleet in fleets if isinstance(fleet, list) for ship in fleet}
        if not position_word(system, word) and not side_word(word) and word not in names(system) and word not in ships:
            nameless.add(word)
        return was(self, word)

    monkeypatch.setattr(corrections.Walker, "called", called)
    with app.test_request_context("/"):
        for scenario in store.systems[system].scenarios():
            table = store.load(store.create(system, scenario.id)[0].id)
            tapped = [f"space.{space}" for space in (list(sheet(system).spots)[:40] if has_map(system) else ())]
            for of in [
                *tapped,
                *(id for those in corrections.walker_of(table).targets().values() for id in those),
            ]:
                try:
                    assert corrections.walker_of(table).parts(of)
                except BadInput:
                    assert of.startswith("space."), f"{of} is offered and has nothing to change"
    assert not nameless


@pytest.mark.parametrize("system", NAMES)
def test_a_tapped_space_shows_its_fields_and_nothing_is_changed_by_sending_them_back(
    app: Flask, client: FlaskClient, system: str
):
    umpire = Umpire(client, system, scenario_of(app, system))
    table = app.extensions["navarch"].store.load(umpire.id)
    with app.test_request_context("/"):
        elsewhere = [id for those in corrections.walker_of(table).targets().values() for id in those]
        of = f"space.{facts_of(system).tapped}" if has_map(system) else elsewhere[0]
    page = umpire.page(of).text
    with app.test_request_context("/"):
        fields = [field for part in corrections.walker_of(table).parts(of) for field in part.fields]
    assert fields and all(f'name="f.{field.path}"' in page for field in fields)
    before = umpire.state()
    answer = umpire.put(of, **{f"f.{field.path}": field.value for field in fields if field.kind != "many"})
    assert answer.status_code == 422 and "othing was changed" in answer.text
    assert umpire.state() == before


def test_what_is_put_stands_and_the_journal_tells_it_in_words(client: FlaskClient):
    umpire = Umpire(client, "hannibal", "second_punic_war")
    answer = umpire.put("space.saguntum", why="forgotten reinforcements", **{"f.spaces.saguntum.carthage.units": "9"})
    assert answer.status_code == 303 and "space=saguntum" in answer.headers["Location"]
    assert umpire.state()["spaces"]["saguntum"]["carthage"]["units"] == 9
    log = client.get(f"/g/{umpire.id}/log?seat=umpire").text
    assert "Saguntum, Carthage, Units 8 → 9 (forgotten reinforcements)" in log


def test_a_general_is_put_elsewhere(client: FlaskClient):
    umpire = Umpire(client, "hannibal", "second_punic_war")
    assert umpire.put("leader.mago", **{"f.generals.mago.space": "gades"}).status_code == 303
    assert umpire.state()["generals"]["mago"]["space"] == "gades"


def test_a_hand_is_changed_by_choosing_cards_and_the_other_side_does_not_see_which(client: FlaskClient):
    umpire = Umpire(client, "hannibal", "second_punic_war")
    held = umpire.state()["hands"]["rome"]
    fields: dict[str, Any] = {"f.hands.rome": [str(card) for card in held[:-1]], "m.hands.rome": "1"}
    assert umpire.put("side.rome", **fields).status_code == 303
    assert umpire.state()["hands"]["rome"] == held[:-1] and umpire.state()["deck"][-1] == held[-1]
    drawn = umpire.state()["deck"][0]
    fields = {"f.hands.rome": [str(card) for card in (*held[:-1], drawn)], "m.hands.rome": "1"}
    assert umpire.put("side.rome", **fields).status_code == 303
    assert umpire.state()["hands"]["rome"] == [*held[:-1], drawn] and drawn not in umpire.state()["deck"]
    client.get(f"/join/{umpire.tokens['carthage']}")
    log = client.get(f"/g/{umpire.id}/log?seat=carthage").text
    assert "(hidden)" in log
    assert not any(re.search(rf"→[^<]*\b{card}\b", log) for card in held)


@pytest.mark.parametrize(
    ("of", "field", "value", "said"),
    [
        ("space.saguntum", "f.spaces.saguntum.carthage.units", "many", "a whole number is needed"),
        ("space.saguntum", "f.spaces.saguntum.carthage.units", "-3", ""),
        ("space.saguntum", "f.spaces.saguntum.control", "egypt", "choose one of the values offered"),
        ("leader.mago", "f.generals.mago.space", "atlantis", "choose one of the values offered"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(client: FlaskClient, of: str, field: str, value: str, said: str):
    umpire = Umpire(client, "hannibal", "second_punic_war")
    before = umpire.state()
    answer = umpire.put(of, **{field: value})
    assert answer.status_code == 422 and said in answer.text and 'role="alert"' in answer.text
    assert umpire.state() == before


def test_a_change_needs_a_reason(client: FlaskClient):
    umpire = Umpire(client, "hannibal", "second_punic_war")
    answer = umpire.put("game", why=" ", **{"f.turn": "2"})
    assert answer.status_code == 422 and umpire.state()["turn"] == 1


def test_nobody_else_has_this_hand(client: FlaskClient):
    umpire = Umpire(client, "hannibal", "second_punic_war", seat="rome")
    refused = umpire.page("game")
    assert refused.status_code == 422 and 'name="f.' not in refused.text
    for of in ("", "space.atlantis", "side.egypt", "leader.nobody", "game.turn"):
        client.get(f"/join/{umpire.tokens['umpire']}")
        assert umpire.page(of).status_code in (200, 422)
