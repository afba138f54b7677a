"""3.3 The page of a group's own tables: shown with their sources, checked by field, kept with a game, shared."""

from __future__ import annotations

import json
import re

import pytest

PAGE = "/campaign/house/punic_wars"
OWN = 'title = "Our copy"\n[map.values]\nLatium = 9\n[map.hexes."3108"]\nmountain = false\n'


def post(client, **form):
    token = re.search(r'name="csrf-token" content="([^"]+)"', client.get(PAGE).text).group(1)
    return client.post(PAGE, data={"csrf_token": token, **form})


def test_3_3_the_tables_in_use_stand_there_with_their_sources(client):
    seen = client.get(PAGE)
    assert seen.status_code == 200
    assert "reconstructed" in seen.text
    assert "Latium" in seen.text


def test_3_3_own_values_are_shown_in_place_of_ours(client):
    seen = post(client, text=OWN, do="check")
    assert seen.status_code == 200
    assert re.search(r"Latium</th><td>9</td><td><span class=\"badge\">your own", seen.text)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[map.values]\nAtlantis = 3\n", "house.map.values.Atlantis"),
        ("[attrition]\nrows = [{loss = 0, upto = 2}, {loss = 50}]\n", "house.attrition.rows"),
        ("[attrition]\nrows = [{loss = 50, upto = 2}]\n", "house.attrition"),
        ("surprise = 1\n", "surprise"),
        ("this is nothing", "house"),
    ],
)
def test_3_3_a_table_that_does_not_hold_is_refused_by_its_field(client, text, field):
    seen = post(client, text=text, do="check")
    assert seen.status_code == 422
    assert field in re.search(r'role="alert">(.*?)</div>', seen.text, re.S).group(1)
    assert text.split("\n")[0].replace('"', "&#34;") in seen.text  # what was typed is not lost


def test_3_3_the_file_that_is_given_back_can_be_sent_in_again(client):
    file = post(client, text=OWN, do="download")
    assert "attachment" in file.headers["Content-Disposition"]
    assert json.loads(file.text)["map"]["values"] == {"Latium": 9}
    assert post(client, text=file.text, do="check").status_code == 200
    assert post(client, text=client.get(f"{PAGE}/tables.json").text, do="check").status_code == 200


def test_3_3_a_game_begins_with_the_tables_and_keeps_them(client, store):
    answer = post(client, text=OWN, do="start", scenario="2")
    assert answer.status_code == 303
    (game,) = store.games()
    state = store.load(game.id).state
    assert state.chart.regions["Latium"].value == 9
    assert state.house.title == "Our copy"
    shared = client.get(f"/campaign/{game.id}/house.json?seat=umpire")
    assert json.loads(shared.text)["map"]["values"] == {"Latium": 9}
    assert f"/campaign/{game.id}/house.json" in client.get(f"/g/{game.id}?seat=umpire").text


def test_3_1_a_hex_of_ones_own_is_told_on_the_page(client, store):
    own = '[map.hexes."3108"]\nmountain = true\nterrain = "coast"\n'
    post(client, text=own, do="start", scenario="2")
    (game,) = store.games()
    seen = client.get(f"/g/{game.id}?seat=umpire&space=3108").text
    assert re.search(r"Mountain</dt><dd>yes", seen)
    assert re.search(r"From your own copy</dt><dd>Coast", seen)
