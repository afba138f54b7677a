"""What the service worker is told to keep, and the page of common odds."""

from __future__ import annotations

import json
import re

import pytest
from flask.testing import FlaskClient

from kit.real_house import real_app, real_store  # noqa: F401
from tactical.odds import GALLEY
from webapp.pages.reference import odds as reference_odds

BY_NAME = {calculator.name: calculator for calculator in GALLEY}


def test_the_shell_is_public_and_everything_in_it_is_there(client: FlaskClient):
    script = client.get("/sw.js")
    assert script.mimetype == "text/javascript"
    assert script.headers["Cache-Control"] == "no-cache"
    found = re.search(r"const SHELL = (.*);", script.text)
    assert found is not None
    shell = json.loads(found.group(1))
    assert {"/reference/galley", "/reference/galley/table/fire", "/odds/common"} <= set(shell)
    assert "/no-network" in shell
    for address in shell:
        answered = client.get(address)
        assert answered.status_code == 200, address
        for needed in re.findall(r'(?:<link rel="stylesheet" href|<script src)="([^"]+)"', answered.text):
            assert needed in shell, f"{address} needs {needed}"
        assert not address.startswith(("/g/", "/join", "/seats", "/api")) and address != "/"


def test_the_version_is_of_what_is_shipped(client: FlaskClient):
    versions = {re.search(r'"navarch-(\w+)"', client.get("/sw.js").text).group(1) for _ in range(2)}  # type: ignore[union-attr]
    assert len(versions) == 1 and "{{" not in client.get("/sw.js").text


def test_the_manifest_names_an_icon_that_is_there(client: FlaskClient):
    manifest = client.get("/manifest.webmanifest")
    assert manifest.mimetype == "application/manifest+json"
    told = manifest.json
    assert (told["display"], told["scope"], told["start_url"]) == ("standalone", "/", "/")
    for address in (
        told["start_url"],
        *(icon["src"] for icon in told["icons"]),
        *(each["url"] for each in told["shortcuts"]),
    ):
        assert client.get(address).status_code == 200, address


def test_pages_link_the_manifest(client: FlaskClient):
    assert 'rel="manifest"' in client.get("/reference").text


def test_g8_4_the_common_fights_are_the_calculators_own():
    for grid in reference_odds.fights():
        for attackers, cells in grid.rows[::4]:
            for defenders, cell in list(zip(grid.sizes, cells, strict=True))[::4]:
                odds = BY_NAME["boarding"].answer(
                    {"attacker": f"{grid.attacker}:{attackers}", "defender": f"{grid.defender}:{defenders}"}
                )
                assert cell == pytest.approx((odds["attacker"], odds["defender"], odds["neither"]), abs=1e-12)


def test_g6_2_the_common_rams_are_the_calculators_own():
    assert len(reference_odds.rams()) == 10
    for name, fast, chances in reference_odds.rams():
        for left, chance in zip(reference_odds.HULLS, chances, strict=True):
            odds = BY_NAME["ram"].answer({"type": name, "full_speed": str(int(fast)), "hull_left": str(left)})
            assert chance == pytest.approx(float(odds["sunk_this_turn"]))


def test_g5_2_one_archer_near_does_something_on_two_faces_of_six():
    told = {(weapon, low): chances for weapon, low, _high, chances in reference_odds.volleys()}
    assert told["archers", 1][0] == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert told["stone_throwers", 1][0] == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert told["stone_throwers", 4][1][0] == pytest.approx(11 / 36)


def test_g9_2_one_breach_in_a_fight_closes_on_a_six():
    closed = {(breaches, fighting): chance for breaches, fighting, chance, _water in reference_odds.leaks()}
    assert closed[1, True] == pytest.approx(1 / 6)
    assert closed[2, False] == pytest.approx(1 / 9)


def test_the_page_shows_every_fight_without_javascript(client: FlaskClient):
    page = client.get("/odds/common").text
    assert page.count("data-a=") == 9 * len(reference_odds.CREW_SIZES) ** 2
