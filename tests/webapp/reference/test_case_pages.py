"""The catalogue's pages: every case with its pictures, its commands, and as data."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from webapp.pages.reference.cases import cases, with_cases

ASTERN = next(number for number, case in cases().items() if case.title == "From right astern")


def test_the_catalogue_links_every_case(client: FlaskClient):
    page = client.get("/cases").text
    for number, case in cases().items():
        assert f'<li value="{number}"><a href="/cases/{number}">{escape(case.title)}' in page


@pytest.mark.parametrize("number", cases())
def test_every_case_has_its_page(client: FlaskClient, number: int):
    page = client.get(f"/cases/{number}")
    assert page.status_code == 200
    has_board = cases()[number].position["board"]["kind"] != "table"
    assert page.text.count("board-picture") == 2 * has_board and page.text.count('class="water"') == has_board
    assert 'class="badge good"' in page.text


def test_a_case_is_served_as_data_that_can_be_run(client: FlaskClient):
    case = client.get(f"/cases/{ASTERN}.json").json
    assert set(case) == {"number", "title", "cites", "text", "position", "play", "expect"}
    assert client.get("/cases.json").json[ASTERN - 1] == case
    made = client.post("/api/v1/games", json={"system": "galley", "position": case["position"], "dice": "physical"})
    assert made.status_code == 201, made.text
    tokens = {seat["id"]: seat["token"] for seat in made.json["seats"]}
    for seen, told in enumerate(case["play"]):
        answered = client.post(
            f"/api/v1/games/{made.json['id']}/commands",
            json={"command": told["command"], "seen": seen, "rolls": told.get("dice", [])},
            headers={"Authorization": f"Bearer {tokens[told['seat']]}"},
        )
        assert answered.status_code == 200, answered.text
        assert "roll_needed" not in answered.json


@pytest.mark.parametrize("system", [name for name in with_cases() if name != "galley"])
def test_a_campaigns_cases_have_their_pages(client: FlaskClient, system: str):
    page = client.get(f"/cases/{system}").text
    assert f'href="/cases/{system}.json"' in page and f'href="/cases/{system}"' in client.get("/cases").text
    for number, case in cases(system).items():
        assert f'<li value="{number}"><a href="/cases/{system}/{number}">{escape(case.title)}' in page
        one = client.get(f"/cases/{system}/{number}")
        assert one.status_code == 200 and 'class="badge good"' in one.text
        assert one.text.count("board-picture") + one.text.count('class="case-map"') == 2, (
            f"{system} {number} has no picture"
        )
        assert client.get(f"/cases/{system}/{number}.json").json["position"] == case.position
    assert client.get(f"/cases/{system}.json").json[0]["number"] == 1
    cite = cases(system)[1].cites[0]
    assert f'href="/cases/{system}/1"' in client.get(f"/reference/{system}/{cite}").text


def test_the_picture_of_a_campaigns_case_is_cut_to_its_spaces(client: FlaskClient):
    """Hannibal's first: the march from Cannae to Arpi, with the consuls' nine CUs before and after."""
    page = client.get("/cases/hannibal/1").text
    before, after = page.split('class="case-map"')[1:]
    assert ">Cannae<" in before and ">Arpi<" in before and ">Carthage<" not in before
    assert '<text class="strength" y="3.5">9</text>' in before and '<text class="strength" y="3.5">9</text>' in after
    assert before.split('class="token')[1] != after.split('class="token')[1], "the counter has moved"
    assert "Marcellus" in after


def test_the_cases_of_the_link_show_the_board_or_the_map(client: FlaskClient):
    pages = [client.get(f"/cases/linking/{number}").text for number in cases("linking")]
    assert any("board-picture" in page for page in pages) and any('class="case-map"' in page for page in pages)
    assert any("<code>outcome.winner</code>" in page for page in pages)
    assert 'href="/cases/linking/1"' in client.get("/reference/linking/L1.2").text


def test_a_case_that_is_not_there(client: FlaskClient):
    assert client.get("/cases/9999").status_code == 404
    assert client.get("/cases/9999.json").status_code == 404
    assert client.get("/cases/chess").status_code == 404 and client.get("/cases/chess.json").status_code == 404
    assert client.get("/cases/punic_wars/9999").status_code == 404


def test_a_paragraph_names_its_cases(client: FlaskClient):
    assert f'href="/cases/{ASTERN}"' in client.get("/reference/galley/G6.1").text
