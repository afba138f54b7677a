"""The start page: one filled button, what goes on with who must act, battles and campaigns as pictures; and its weight."""

from __future__ import annotations

import gzip
import re

from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from kit.real_house import real_app, real_store  # noqa: F401
from strategic import SYSTEMS
from tactical.battle import Battle
from tactical.kernel.dice import Dice
from tactical.setup import all_scenarios, position_of, start
from webapp.pages.lobby import short
from webapp.presenting.small_pictures import WIDE, small_board, tile
from webapp.storage.journal.store import Store


def start_page(client: FlaskClient) -> str:
    answered = client.get("/")
    assert answered.status_code == 200
    return str(answered.text)


def test_the_start_page_has_one_filled_button_and_it_plays_alone(client: FlaskClient):
    page = start_page(client)
    assert re.findall(r'<(?:button|a)[^>]* class="[^"]*\bmain\b[^"]*"[^>]*>([^<]*)<', page) == ["Play now, alone"]
    assert '<meta name="description" content="Galley battles' in page


def test_play_now_leads_to_the_board_with_the_first_ships_sheet_open(client: FlaskClient, store: Store):
    form = re.search(r'<form method="post" action="/play">(.*?)</form>', start_page(client), re.S)
    assert form is not None
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[1]))
    answered = client.post("/play", data=sent)
    seated = re.search(r"/g/(\w+)\?seat=(\w+)&ship=(\w+)$", answered.location)
    assert seated is not None
    state = store.load(seated[1]).state
    assert (state.scenario, state.ships[seated[3]].side) == ("first_oars", seated[2])
    page = client.get(answered.location).text
    assert re.search(rf'"ship":"{seated[3]}","speed":\d', page.replace("&#34;", '"')), "the second tap plots her"


def test_what_waits_for_this_browser_stands_first_and_says_so(client: FlaskClient, app: Flask, store: Store):
    older = client.post("/play", data={"scenario": "mylae"}).location.split("/g/")[1][:8]
    newer = client.post("/new", data={"system": "hannibal", "scenario": "second_punic_war"}).location[-8:]
    page = start_page(client)
    assert page.index(older) < page.index(newer), "the newer game waits for others"
    rows = dict(
        re.findall(r'<a class="go" href="/g/(\w+)/home".*?<span class="go-words">(.*?)</span></span>', page, re.S)
    )
    assert "Mylae, turn 1" in rows[older] and 'class="yours">your orders' in rows[older]
    assert "20 ships left" in rows[older]
    with app.test_client() as stranger:
        assert older not in start_page(stranger)


def test_the_start_page_shows_two_games_and_the_rest_a_tap_away(client: FlaskClient):
    codes = [client.post("/play", data={"scenario": "first_oars"}).location.split("/g/")[1][:8] for _ in range(3)]
    page, rest = start_page(client), client.get("/games").text
    assert sum(code in page for code in codes) == 2 and 'href="/games"' in page
    assert all(code in rest for code in codes)


def test_each_campaign_has_a_picture_its_players_and_its_length(client: FlaskClient):
    page = start_page(client)
    for name, system in SYSTEMS.items():
        if name != "galley":
            assert tile(name).players in page and f'href="/campaigns#{name}"' in page, system
    campaigns = len(SYSTEMS) - ("galley" in SYSTEMS)
    assert page.count('class="small-map"') == campaigns + 1  # and a war of one's own


def test_a_small_board_shows_every_ship_within_the_picture():
    for scenario in all_scenarios().values():
        battle: Battle = start(None, position_of(scenario), {}, Dice()).state
        drawn = small_board(battle)
        spots = re.findall(r"translate\(([\d.-]+) ([\d.-]+)\)rotate", drawn.svg)
        assert len(spots) == len(battle.ships), scenario.id
        assert all(0 < float(x) < WIDE and 0 < float(y) < 88 for x, y in spots), scenario.id


def test_a_sunk_ship_is_not_on_the_small_board():
    battle: Battle = start("first_oars", None, {}, Dice()).state
    gone = battle.with_ships({"a1": replace(battle.ships["a1"], status="sunk")})
    assert small_board(gone).svg.count("<use") == small_board(battle).svg.count("<use") - 1


def test_a_title_is_cut_at_its_year_or_subtitle():
    assert [short(each) for each in ("Mylae, 260 BC", "First oars: two triremes a side", "Side")] == [
        "Mylae",
        "First oars",
        "Side",
    ]


def test_the_start_page_is_light(client: FlaskClient):
    assert len(gzip.compress(start_page(client).encode())) < 30_000
