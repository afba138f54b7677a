"""A side of The Sword of Rome changes by hand what no rule moves: forms from the system's own table of fields."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from webapp.captains.seats import CaptainRunner, Held, agreement, hand_over
from webapp.storage.journal.store import Store

SPACES = "space.roma&and=space.velitrae"


class Romans:
    """The Romans of a game, on their pages."""

    def __init__(
        self, client: FlaskClient, system: str = "sword_of_rome", seat: str = "romans", word: str = ""
    ) -> None:
        scenario = client.application.extensions["navarch"].store.systems[system].scenarios()[0].id
        options = {"options": {"by_hand": word}} if word else {}
        made = client.post("/api/v1/games", json={"system": system, "scenario": scenario, **options}).json
        self.client, self.id = client, made["id"]
        self.tokens = {each["id"]: each["token"] for each in made["seats"]}
        client.get(f"/join/{self.tokens[seat]}")

    def page(self, of: str = "game") -> Any:
        return self.client.get(f"/campaign/{self.id}/hand?of={of}")

    def put(self, of: str, **fields: Any) -> Any:
        page = self.page(of).text
        token, seen = (re.search(rf'name="{name}" value="([^"]+)"', page) for name in ("csrf_token", "seen"))
        assert token and seen
        return self.client.post(
            f"/campaign/{self.id}/hand?of={of}", data={"csrf_token": token[1], "seen": seen[1], **fields}
        )

    def state(self) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens['umpire']}"}
        return self.client.get(f"/api/v1/games/{self.id}", headers=headers).json["state"]

    def log(self) -> str:
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.client.get(f"/g/{self.id}/log").text))


@pytest.fixture
def romans(client: FlaskClient) -> Romans:
    return Romans(client)


def test_pieces_go_from_one_space_to_another_and_the_journal_says_so(romans: Romans):
    units, there = (romans.state()["forces"][space]["romans"]["units"] for space in ("roma", "velitrae"))
    sent = {"f.forces.roma.romans.units": str(units - 1), "f.forces.velitrae.romans.units": str(there + 1)}
    assert romans.put(SPACES, **sent, why="Appian way").status_code == 303
    forces = romans.state()["forces"]
    assert [forces[space]["romans"]["units"] for space in ("roma", "velitrae")] == [units - 1, there + 1]
    assert "the Romans move 1 CU from Roma to Velitrae." in romans.log() and "Appian way" in romans.log()


def test_every_field_has_a_word_and_only_the_sides_own_are_shown(romans: Romans):
    for of in ("game", "space.roma", "space.luna"):
        labels = re.findall(r'<label class="field"><span>([^<]+)</span>', romans.page(of).text)
        assert labels and not [label for label in labels if "_" in label], labels
    assert "forces.luna.gauls" not in romans.page("space.luna").text
    assert "f.vp.romans" in romans.page().text and "f.vp.gauls" not in romans.page().text


def test_the_form_of_alliances_events_and_points_is_read(romans: Romans):
    sent = {"f.alliances.romans.greeks": "true", "f.vp.romans": "7", "f.events.appian_way": "true", "f.unrest": "2"}
    assert romans.put("game", **sent).status_code == 303
    state = romans.state()
    assert state["proposals"] == [["romans", "greeks"]] and state["vp"]["romans"] == 7 and state["unrest"] == 2
    assert state["events"] == ["appian_way"]


def test_who_of_several_leaders_commands_is_a_field_of_its_own(romans: Romans):
    space = "space.velitrae"
    there = romans.state()["forces"]["velitrae"]["romans"]["leaders"]
    free = next(
        name
        for name in re.findall(r'<option value="(\w+)"', romans.page(space).text.split("romans.leaders")[2])
        if name not in str(romans.state()["forces"]) and not name.startswith("minor")
    )
    path = "f.forces.velitrae.romans.leaders"
    assert romans.put(space, **{path: [*there, free], f"m.{path[2:]}": "1"}).status_code == 303
    assert romans.state()["forces"]["velitrae"]["romans"]["leaders"] == [*there, free]
    assert romans.put(space, **{f"{path}.first": free}).status_code == 303
    assert romans.state()["forces"]["velitrae"]["romans"]["leaders"][0] == free


def test_a_refusal_stands_on_the_form_and_nothing_is_changed(romans: Romans):
    before = romans.state()
    refused = romans.put("space.roma", **{"f.forces.roma.romans.units": "-1"})
    assert refused.status_code == 422 and "cannot be" in refused.text
    assert romans.put("game").status_code == 422 and romans.state() == before


def test_who_may_not_is_shown_no_form(client: FlaskClient):
    for who in (Romans(client, seat="spectator"), Romans(client, "hannibal", "rome")):
        assert who.page().status_code == 422 and 'name="f.' not in who.page().text


def test_the_page_of_a_space_leads_to_the_form(romans: Romans):
    page = romans.client.get(f"/g/{romans.id}?seat=romans&space=roma").text
    assert f"/campaign/{romans.id}/hand?seat=romans&amp;of=space.roma" in page
    assert f'/campaign/{romans.id}/hand?seat=romans"' in romans.client.get(f"/g/{romans.id}?seat=romans").text


# What is not the side's own affair: the Gauls act first, the Romans are off turn ----------------------------


def panel(romans: Romans, seat: str) -> str:
    """The panel of another seat's page, in plain text with its buttons."""
    romans.client.get(f"/join/{romans.tokens[seat]}")
    page = romans.client.get(f"/g/{romans.id}?seat={seat}").text
    return re.sub(r"\s+", " ", page[page.index('<aside id="side"') :])


def answer(romans: Romans, seat: str, word: str) -> Any:
    """Tap one of the answers to the change that waits."""
    page = panel(romans, seat)
    tapped = next(each for each in re.findall(r"<button name=.command. value=.([^>]+)>", page) if word in each)
    command = json.loads(unescape(tapped.split('" aria-label')[0]))
    token, seen = (re.search(rf'name="{name}" value="([^"]+)"', page) for name in ("csrf_token", "seen"))
    assert token and seen
    data = {"csrf_token": token[1], "seen": seen[1], "command": json.dumps(command)}
    return romans.client.post(f"/g/{romans.id}/command?seat={seat}", data=data)


def test_points_off_turn_wait_in_the_panel_until_another_player_agrees(client: FlaskClient) -> None:
    romans = Romans(client, word="one")
    assert "One other player or the umpire must agree" in romans.page().text
    assert romans.put("game", **{"f.vp.romans": "12"}).status_code == 303
    before = romans.state()["vp"]["romans"]
    assert before != 12
    assert "Your change by hand counts once" in panel(romans, "romans") and "Take it back" in panel(romans, "romans")
    wish = panel(romans, "greeks")
    assert "Do you agree to this change by hand?" in wish and "12" in wish and ">Agree<" in wish and ">Refuse<" in wish
    assert ">Agree<" not in panel(romans, "spectator") and panel(romans, "umpire").count(">Agree<") == 1
    assert answer(romans, "greeks", "Agree").status_code in (200, 303)
    assert romans.state()["vp"]["romans"] == 12 and "wishes" not in romans.state()
    assert "ask the others to agree to a change by hand" in romans.log()


def test_a_refusal_or_the_players_own_second_thought_leaves_all_as_it_was(client: FlaskClient) -> None:
    romans = Romans(client, word="all")
    before = romans.state()
    for seat, word in (("gauls", "Refuse"), ("romans", "Take it back")):
        romans.client.get(f"/join/{romans.tokens['romans']}")
        assert romans.put("game", **{"f.vp.romans": "12"}).status_code == 303
        assert answer(romans, seat, word).status_code in (200, 303)
        assert romans.state() == before


def test_a_card_that_waits_is_shown_to_nobody_else(client: FlaskClient) -> None:
    romans = Romans(client, word="one")
    headers = {"Authorization": f"Bearer {romans.tokens['romans']}"}
    seen = romans.client.get(f"/api/v1/games/{romans.id}", headers=headers).json["version"]
    body = {"command": {"type": "take_card", "side": "romans", "card": 3}, "seen": seen}
    assert romans.client.post(f"/api/v1/games/{romans.id}/commands", json=body, headers=headers).status_code == 200
    others = {"Authorization": f"Bearer {romans.tokens['greeks']}"}
    shown = romans.client.get(f"/api/v1/games/{romans.id}", headers=others).json
    assert shown["state"]["wishes"]["1"]["command"] == ""
    told = romans.client.get(f"/api/v1/games/{romans.id}/journal?after={seen}", headers=others).json["entries"]
    assert "card" not in told[0]["command"] and [each["type"] for each in told[0]["events"]] == ["wished"]


def test_a_war_that_is_begun_on_the_pages_wants_another_players_word(client: FlaskClient) -> None:
    page = client.get("/new?system=sword_of_rome&scenario=five_powers").text
    chosen = page[page.index('name="option.by_hand"') :]
    assert re.search(r'value="(\w+)" selected', chosen)[1] == "one"  # type: ignore[index]


@pytest.mark.parametrize(("people", "points"), [((), 12), (("greeks",), None)])
def test_among_captains_alone_it_counts_at_once_and_among_people_no_captain_decides(
    client: FlaskClient, store: Store, people: tuple[str, ...], points: int | None
) -> None:
    romans = Romans(client, word="one")
    before = romans.state()["vp"]["romans"]
    assert romans.put("game", **{"f.vp.romans": "12"}).status_code == 303
    captains = [seat for seat in ("gauls", "etruscans_samnites", "greeks", "carthaginians") if seat not in people]
    for seat in captains:
        hand_over(store, Held(romans.id, seat, "raw"))
    table = store.load(romans.id)
    assert (agreement(table.system, table.state, captains) is None) == bool(people)
    runner = CaptainRunner(store, 0, apart=False)
    for _ in range(3):  # the Gauls act, and whoever may gives his word between two actions
        runner.play(romans.id)
    assert romans.state()["vp"]["romans"] == (points or before)
