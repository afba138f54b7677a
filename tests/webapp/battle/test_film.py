"""The replay as a film: its timeline, the words beside the board, and the link that everybody may have."""

from __future__ import annotations

import re

import pytest
from test_battle_seen import RAMMING, give, until_contact
from test_moments import NEAR, goes_on, weighty


@pytest.fixture
def played(battle, store):
    """A battle that is over, with its seats."""
    seats = battle(NEAR)
    goes_on(store, seats["rome"].game, lambda state: False)
    return seats


def marks(page):
    return re.findall(r'<rect class="film-mark (\w+)"', page)


def test_the_timeline_marks_each_event_of_weight_and_plays_on_to_what_is_seen(played, store):
    rome = played["rome"]
    page = rome.get("/replay/0").text
    entries = {entry.number: entry for entry in store.entries(rome.game)}
    kinds = marks(page)
    assert len(kinds) == len(weighty(store, rome.game)) and kinds[-1] == "over"
    following = int(re.search(r'data-next="(\d+)"', page)[1])
    assert not any(event.type == "plot" for event in entries[following].events)
    assert all(event.type != "step" for number in range(1, following) for event in entries[number].events)


def test_what_came_before_in_the_turn_stands_beside_the_board_and_htmx_gets_the_part_alone(played, store):
    rome = played["rome"]
    last = weighty(store, rome.game)[-1]
    page = rome.get(f"/replay/{last}").text
    beside = re.search(r'<ol class="film-before">(.*?)</ol>', page, re.S)[1]
    assert 0 < beside.count("<li>") <= 6 and 'data-film data-entries="[[' in page
    part = rome.client.get(f"/g/{rome.game}/replay/{last}", headers={"HX-Request": "true"}).text
    assert part.lstrip().startswith('<div id="replay"') and "<html" not in part


def test_a_battle_that_is_over_is_shared_and_no_longer_shared_by_those_who_sat_at_it(played, store, app):
    rome, stranger = played["rome"], app.test_client()
    address = f"/shared/{rome.game}"
    assert stranger.get(address).status_code == 404
    assert played["spectator"].post("/share").status_code == 404
    assert rome.post("/share").status_code == 303
    page = stranger.get(address)
    assert page.status_code == 200 and page.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert address in rome.get("/report").text and f"/g/{rome.game}" not in page.text and "seat=" not in page.text
    assert stranger.get(f"{address}/99999").status_code == 404
    said = re.search(r'<div class="film-now.*?</div>', stranger.get(f"{address}/1").text, re.S)[0]
    assert said == re.search(r'<div class="film-now.*?</div>', played["spectator"].get("/replay/1").text, re.S)[0]
    assert rome.post("/share").status_code == 303
    assert stranger.get(address).status_code == 404


def test_a_battle_that_goes_on_is_not_shared(battle, store, app):
    rome = battle(NEAR)["rome"]
    assert rome.post("/share").status_code == 404
    assert app.test_client().get(f"/shared/{rome.game}").status_code == 404


def test_the_best_ram_is_marked_and_watched_from_a_little_before_it(battle, store):
    rome = battle(RAMMING)["rome"]
    until_contact(store, rome.game)
    give(store, rome.game, "rome", {"type": "ram", "ship": "r1"})
    ram = store.game(rome.game).version
    assert "best-ram" not in rome.get("/report").text
    give(store, rome.game, "carthage", {"type": "resign", "side": "carthage"})
    found = re.search(r'id="best-ram" href="[^"]*/replay/(\d+)\?[^"]*until=(\d+)', rome.get("/report").text)
    assert (int(found[1]), int(found[2])) == (ram - 4, ram)
    assert "ram" in marks(rome.get(f"/replay/{ram}").text)
