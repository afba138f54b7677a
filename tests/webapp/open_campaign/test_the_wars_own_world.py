"""O1.1: the pages of a war draw its own world and nothing else, and a seat's link leads to where it has most to do."""

import gc
import re
import weakref

import pytest

from kit.open_war import go, position, run_turn
from kit.wars import War
from strategic.open_campaign.rules.world import chart, stock_world
from tactical.kernel import cache
from webapp.presenting.map.drawing import LEAST, around, home
from webapp.presenting.map.sheet import WIDTH
from webapp.storage.services import archive
from webapp.systems.open_campaign import presenter


def places_tapped(text):
    return set(re.findall(r'class="cell(?: hit)?" [^>]*data-space="([^"]+)"', text))


@pytest.fixture
def aegean(store, client):
    """A war in a world of its own, with a place that no other map has."""
    world = stock_world("crete")
    about = {"id": "harbour_of_our_own", "name": "Harbour of our own", "kind": "port", "rank": 95}
    point = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [24.0, 36.0]}, "properties": about}
    line = {"type": "LineString", "coordinates": [[24.0, 36.0], [24.0, 35.8], [24.02, 35.52]]}
    lane = {"type": "Feature", "geometry": line, "properties": {"from": about["id"], "to": "kydonia", "kind": "lane"}}
    return War(
        store,
        client,
        "open_campaign",
        position=position(world={**world, "features": [*world["features"], point, lane]}),
    )


@pytest.mark.parametrize("seat", ["umpire", "rhodes", "cretans", "spectator"])
def test_o1_1_nothing_but_the_places_of_the_war_can_be_tapped(aegean, seat):
    own = set(chart(aegean.state.world).spaces)
    text = aegean.page(seat).text
    assert places_tapped(text) == own and "harbour_of_our_own" in own
    assert set(re.findall(r'data-mark="([^"]+)"', text)) == own
    assert "Harbour of our own" in text and "Agrigentum" not in text
    assert aegean.page(seat, query="&space=agrigentum").text.count('id="place-title"') == 0
    assert "Harbour of our own</h2>" in aegean.page(seat, query="&space=harbour_of_our_own").text


def test_o1_1_television_replay_public_page_and_the_map_in_words_have_the_same_world(aegean):
    archive.perform(aegean.store, aegean.id, "publish", "umpire")
    own = set(chart(aegean.state.world).spaces)
    for path in (
        f"/display/{aegean.id}",
        f"/public/{aegean.id}",
        f"/campaign/{aegean.id}/replay/0?seat=umpire",
        f"/campaign/{aegean.id}/chronicle/0.svg?seat=umpire",
    ):
        assert set(re.findall(r'data-mark="([^"]+)"', aegean.client.get(path).text)) == own, path
    words = aegean.page("umpire", "spaces").text
    assert set(re.findall(r'<tr id="space-([^"]+)"', words)) == own


def test_o1_1_lanes_run_as_the_world_has_them_and_the_first_look_shows_the_seats_fleets(aegean):
    with aegean.client.application.test_request_context("/"):
        view = aegean.page_view("rhodes")
        sheet = presenter.world_map(view)
        lane = next(way for way in sheet.ways if way.start == "harbour_of_our_own")
        assert len(lane.line.coords) == 3 and sheet is presenter.world_map(aegean.page_view("umpire"))
        from webapp.presenting.map.drawing import drawing

        drawn = drawing("open_campaign", presenter.read(view))
        spot = sheet.spots["rhodos"]
        x, y, wide, high = home(drawn, "rhodes")
        assert x <= spot.x <= x + wide and y <= spot.y <= y + high and wide <= WIDTH * max(LEAST, 0.5)
        assert home(drawn, "rhodes") == around(sheet, {"rhodos"})


def test_a_world_of_one_row_of_places_has_a_map_to_look_at():
    places = [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [24.0, lat]}, "properties": {"id": f"p{lat}"}}
        for lat in (34, 38)
    ]
    sheet = presenter.world_map({"world": {"features": places}})
    assert sheet.height <= sheet.width * 1.3 and {spot.id for spot in sheet.spots.values()} == {"p34", "p38"}


@pytest.mark.parametrize(
    ("seat", "page"), [("rhodes", "/open/{}/orders"), ("umpire", "/open/{}/desk"), ("spectator", "/g/{}")]
)
def test_a_seats_link_leads_to_its_orders_the_umpires_to_the_desk_and_from_there_to_the_map(war, seat, page):
    joined = war.client.get(f"/join/{war.tokens[seat]}")
    led = war.client.get(joined.location)
    assert led.location == f"{page.format(war.id)}?seat={seat}"
    shown = war.client.get(led.location)
    assert shown.status_code == 200
    if seat != "spectator":
        assert f'href="/g/{war.id}?seat={seat}"' in shown.text


def test_games_of_this_browser_and_the_organizers_list_lead_the_same_way(war):
    for path in ("/games", "/organizer"):
        assert f'href="/g/{war.id}/home' in war.client.get(path).text
    assert f'href="/g/{war.id}/home' in war.client.get(f"/g/{war.id}/group?seat=rhodes").text


def test_a_tapped_place_leads_to_the_orders_with_fleet_and_goal_chosen(war):
    text = war.page("rhodes", query="&space=telos").text
    assert 'name="type" value="order"' not in text and "seek" not in text.lower()
    link = f"/open/{war.id}/orders?seat=rhodes&amp;fleet=guard&amp;to=telos"
    assert (
        f'class="button main" href="{link}">Guard: to Telos' in text
        and text.count("/orders?seat=rhodes&amp;fleet=") == 2
    )
    orders = war.client.get(link.replace("&amp;", "&")).text
    assert "<h2>Guard: Go Telos" in orders
    here = war.page("rhodes", query="&space=rhodos").text
    assert "Orders of Guard" in here and "to=rhodos" not in here
    assert "/orders?" not in war.page("spectator", query="&space=telos").text


def test_the_umpire_reads_whose_fleet_is_meant(war):
    text = war.page("umpire").text
    assert "<dt>Rhodes: Guard</dt>" in text and "<dt>Cretans: Lasthenes</dt>" in text
    assert "<dt>Guard</dt>" in war.page("rhodes").text
    assert "Side: cretans" not in text and "Sue for peace: Cretans" in text
    led = war.page("umpire", query="&space=kydonia").text
    assert f"/open/{war.id}/orders?seat=umpire&amp;side=cretans&amp;fleet=lasthenes" in led


def test_after_a_turn_the_page_still_leads_on(war):
    run_turn(war, go("rhodes", "guard", "telos"))
    assert f'class="button main" href="/open/{war.id}/orders?seat=rhodes"' in war.page("rhodes").text


def test_o1_1_what_is_drawn_of_a_world_goes_with_it(aegean, client):
    for seat in ("umpire", "rhodes"):
        assert aegean.page(seat).status_code == 200
    paper = weakref.ref(presenter.world_map(aegean.page_view("rhodes")))
    assert len(paper().kept) > 100
    cache.clear()
    gc.collect()
    assert paper() is None
