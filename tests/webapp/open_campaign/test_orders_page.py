"""O4.5, O3.3: the orders page, tap by tap and without scripts; nothing on it that its side does not know."""

import collections
import html
import itertools
import re
from urllib.parse import urlencode

import pytest

from kit.open_war import go, play, position, run_turn, spot_on
from kit.wars import War
from strategic.open_campaign.rules.forecast import forecast, known_position
from strategic.open_campaign.rules.sailing import kind_of, modifier, region_at
from strategic.open_campaign.state import Order
from webapp.pages.campaign.screen import screen


def page(war, seat="rhodes", query=""):
    return war.client.get(f"/open/{war.id}/orders?seat={seat}{query}")


def bare(text, war):
    text = text.replace(war.id, "CODE")
    text = re.sub(r' data-(version|revision)="\d+"', "", text)  # how many entries there are is everybody's to know
    text = re.sub(r'(csrf[-_]token"[^>]*?(content|value)=")[^"]+', r"\1", text)
    return re.sub(r"since [^<.]*", "since", text)


def give(war, seat="rhodes", **form):
    form = {"csrf_token": war.csrf(), "turn": str(war.state.turn), "act": "order", **form}
    return war.client.post(f"/open/{war.id}/orders?seat={seat}", data=form)


def tap(war, query, place):
    """The page after a tap on a place of the wide chart, as a browser without scripts sends it."""
    text = page(war, query=f"&near=0{query}").text
    form = next(each for each in re.findall(r"<form.*?</form>", text, re.S) if 'name="chart" value="wide"' in each)
    fields = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form)
    beyond = int(re.search(r'<foreignObject x="-(\d+)"', text)[1])
    with war.client.application.test_request_context("/"):
        x, y = spot_on(war.store.load(war.id), "rhodes", "wide", place)
    taps = [("tap.x", round(x + beyond)), ("tap.y", round(y + beyond))]
    return war.client.get(f"/open/{war.id}/orders?{urlencode([*fields, *taps])}").text


def hrefs(text):
    return [html.unescape(found) for found in re.findall(r'href="([^"]+)"', text)]


def test_o4_5_following_taps_leads_to_an_order_and_the_next_fleet(war):
    text = page(war).text
    assert "Escort" in text and "Tap a destination on the chart" in text
    shown = tap(war, "", "telos")
    assert "Escort: Go Telos, accept" in shown and "Give this order" in shown
    assert re.search(r"\d+ miles, [\d.]+ h", shown)
    answer = give(war, fleet="escort", do="go", to="telos", stance="avoid", pace="hard", more_than="9", note="Quietly.")
    assert answer.status_code == 303
    (order,) = war.state.orders["rhodes"].values()
    assert (order.do, order.to, order.stance, order.pace, order.more_than) == ("go", "telos", "avoid", "hard", 9)
    assert "Guard" in re.search(r"<h2>([^<]*)</h2>", war.client.get(answer.location).text)[1]


def test_o3_3_behind_more_stand_scouting_joining_and_the_war_on_land(war):
    text = page(war, query="&fleet=escort").text
    more = re.search(r'aria-label="More orders">(.*?)</p>', text)[1]
    assert re.findall(r">([A-Z][a-z ]+)</a>", more) == ["Scout", "Join the fleet"]
    assert "Escort: Scout Telos" in tap(war, "&fleet=escort&do=scout", "telos")
    assert "Tap the fleet that this fleet joins." in page(war, query="&fleet=escort&do=join").text
    joins = next(each for each in hrefs(page(war, query="&fleet=escort&do=join").text) if "to=guard" in each)
    assert "Escort: Join the fleet Guard" in war.client.get(joins).text
    give(war, fleet="escort", do="join", to="guard")
    assert war.state.orders["rhodes"]["escort"].do == "join"


def test_o3_3_o7_1_with_a_war_on_land_raids_sieges_and_embarking_are_given_too(store, client):
    war = War(store, client, "open_campaign", position=position(options={"land": True}))
    assert all(f">{word}</a>" in page(war).text for word in ("Raid", "Besiege", "Embark companies"))
    give(war, fleet="guard", do="embark")
    give(war, fleet="escort", do="raid", to="kydonia")
    orders = war.state.orders["rhodes"]
    assert (orders["guard"].do, orders["escort"].do, orders["escort"].to) == ("embark", "raid", "kydonia")


def test_o2_2_ships_leave_a_fleet_by_their_number_the_most_damaged_where_it_is_asked(store, client):
    hurt = position()
    hurt["ships"]["guard-2"]["damage"] = 3
    war = War(store, client, "open_campaign", position=hurt)
    assert "trireme (of 4)" in page(war, query="&fleet=guard").text.lower()
    give(war, act="detach", fleet="guard", **{"number.trireme": "1"}, worst="1", name="Lame")
    assert war.state.fleets["guard-1"].ships == ("guard-2",) and war.state.fleets["guard-1"].name == "Lame"
    give(war, act="detach", fleet="guard", **{"number.trireme": "1"})
    assert len(war.state.fleets["guard"].ships) == 2 and len(war.state.fleets["guard-2"].ships) == 1
    assert "say how many ships leave" in give(war, act="detach", fleet="guard").text
    assert "Choose some of the ships" in give(war, act="detach", fleet="guard", **{"number.trireme": "2"}).text


def test_o3_2_an_order_that_stands_is_shown_so_in_the_next_turn(war):
    run_turn(war, go("rhodes", "guard", "telos", stance="avoid", stands=True))
    text = page(war, query="&fleet=guard").text
    assert re.search(r'name="stands" value="1" form="give" checked', text) and "ordered: Go Telos, avoid" in text
    give(war, fleet="guard", do="stay", stands="0")
    assert not war.state.orders["rhodes"]["guard"].stands


def test_o4_5_a_goal_is_also_written_by_its_name_and_a_tap_means_go_where_the_order_has_no_place(war):
    assert "Escort: Go Telos" in page(war, query="&fleet=escort&place=Telos").text
    assert "Tap a destination on the chart" in page(war, query="&fleet=escort&place=Nowhere").text
    assert "Escort: Patrol Telos" in tap(war, "&fleet=escort&do=patrol", "telos")
    assert "At its station a patrol looks out as a scout does" in tap(war, "&fleet=escort&do=patrol", "telos")
    assert "Escort: Go Telos" in tap(war, "&fleet=escort&do=stay", "telos")


def test_o4_5_rings_stand_about_the_goals_of_the_fleet_that_was_chosen_and_of_no_other(war):
    assert 'class="reached"' not in page(war).text
    assert 'class="reached"' in page(war, query="&fleet=guard").text
    with war.client.application.test_request_context("/"):
        table = war.store.load(war.id)
        assert screen(war.store, table, "rhodes").hot == {"rhodos"}, "upon the campaign's map where its fleets are"
        assert screen(war.store, table, "rhodes", "rhodos").hot == {"rhodos"}, "goals are tapped on the orders page"


def test_o1_1_the_world_is_drawn_once_and_a_browser_keeps_it_as_long_as_it_is_the_same(war):
    (sheet,) = set(re.findall(r'href="([^"#]+/world/[^"#]+)#land"', page(war).text))
    answer = war.client.get(html.unescape(sheet))
    assert answer.mimetype == "image/svg+xml" and "immutable" in answer.headers["Cache-Control"]
    assert 'id="land"' in answer.text and 'id="lane"' in answer.text
    assert html.unescape(sheet) == re.search(r'href="([^"#]+/world/[^"#]+)#land"', page(war, query="&near=3").text)[1]
    assert war.client.get(f"/open/{war.id}/world/0.svg?seat=rhodes").status_code == 404


def test_o3_2_a_side_whose_fleets_have_no_order_is_asked_again(war):
    asked = give(war, act="ready", ready="true")
    assert asked.status_code == 200 and not war.state.ready.get("rhodes")
    assert "2 fleets have no order: they stay where they are." in asked.text and "runs at once" not in asked.text
    play(war, go("rhodes", "guard", "telos"), {"type": "ready", "side": "cretans"})
    asked = give(war, act="ready", ready="true").text
    assert "1 fleet has no order: it stays where it is." in asked and "the turn runs at once" in asked
    turn = war.state.turn
    again = re.search(r'<div class="note careful" id="asks-again".*?</form>', asked, re.S)
    fields = dict(re.findall(r'<(?:input type="hidden"|button class="main") name="([^"]+)" value="([^"]*)"', again[0]))
    assert give(war, **fields).status_code == 303 and war.state.turn == turn + 1


def test_o3_2_orders_are_cancelled_and_said_to_stand(war):
    play(war, go("rhodes", "guard", "telos"), go("rhodes", "escort", "telos"))
    assert "Our orders stand</button>" in page(war).text
    give(war, act="ready", ready="true")
    assert war.state.ready["rhodes"] and "the turn runs when all are ready" in page(war).text
    give(war, act="cancel", fleet="guard")
    assert set(war.state.orders["rhodes"]) == {"escort"}
    give(war, act="write", text="Send the pilot ashore.")
    assert war.state.letters["rhodes"][0].text == "Send the pilot ashore."


def test_o3_2_a_side_that_has_lost_its_fleets_says_that_its_orders_stand(store, client):
    fleet, ships = position()["fleets"]["lasthenes"], position()["ships"]
    afloat = {id: ship for id, ship in ships.items() if id in fleet["ships"]}
    without = position(fleets={"lasthenes": fleet}, ships=afloat)
    war = War(store, client, "open_campaign", position=without)
    shown = page(war).text
    assert "No fleet left" in shown and "Our orders stand</button>" in shown and "Treaties and letters" in shown
    play(war, {"type": "ready", "side": "cretans"})
    assert give(war, act="ready", ready="true", fleet="").status_code == 303 and war.state.turn == 2


def test_a_form_of_a_turn_that_is_over_is_refused_and_others_orders_do_not_outdate_it(war):
    play(war, go("cretans", "lasthenes", "hierapytna"))
    assert give(war, fleet="guard", do="stay").status_code == 303
    run_turn(war)
    answer = give(war, fleet="guard", do="stay", turn="1")
    assert answer.status_code == 409 and "The game has moved on" in answer.text


def test_o5_2_no_byte_of_the_page_tells_of_others_orders_fleets_or_letters(store, client):
    texts = []
    for place in ("kydonia", "telos"):
        where = position()
        where["fleets"]["lasthenes"]["at"] = place
        war = War(store, client, "open_campaign", position=where)
        play(war, go("rhodes", "guard", "telos"))
        if place == "telos":
            play(war, go("cretans", "lasthenes", "rhodos"), {"type": "write", "side": "cretans", "text": "Secret."})
        texts.append(
            bare(page(war, query="&fleet=guard").text + page(war, query="&fleet=escort&do=go&to=telos").text, war)
        )
    assert texts[0] == texts[1]


def test_o5_2_another_sides_fleet_or_page_is_not_to_be_had(war):
    assert "Lasthenes" not in page(war, query="&fleet=lasthenes").text
    assert page(war, "spectator").status_code == 404
    assert "Lasthenes" in page(war, "umpire", "&side=cretans").text
    assert give(war, fleet="lasthenes", do="stay").status_code == 422
    assert "Lasthenes" not in war.client.get(f"/open/{war.id}/lists?seat=rhodes").text


def test_o5_2_a_slider_tells_what_was_known_some_days_ago(store, client):
    first = {"side": "cretans", "number": 5, "near": "telos", "lon": 27.4, "lat": 36.4, "turn": 1, "day": 1}
    war = War(
        store,
        client,
        "open_campaign",
        position=position(turn=4, known={"rhodes": [first, {**first, "number": 9, "turn": 3}]}),
    )
    assert "Cretans: 9 sail" in page(war).text
    old = page(war, query="&back=1").text
    assert "Cretans: 5 sail" in old and "9 sail" not in old


@pytest.mark.parametrize(
    "query",
    [
        "&do=land&to=telos",
        "&do=escort&to=guard",
        "&do=escort",
        "&near=3&about=telos",
        "&near=0",
        "&to=nowhere&do=go",
        "&more_than=x&note=%3Cb%3E",
    ],
)
def test_whatever_the_address_says_the_page_is_shown(war, query):
    answer = page(war, query=f"&fleet=escort{query}")
    assert answer.status_code == 200 and '<b>"' not in answer.text


def test_the_lists_tell_fleets_ships_and_ports(war):
    text = war.client.get(f"/open/{war.id}/lists?seat=rhodes").text
    assert "4 × trireme" in text and "guard 1" in text and "Kydonia" in text


@pytest.mark.parametrize(
    ("seat", "pages"), [("rhodes", ("orders", "dispatch", "lists")), ("umpire", ("desk", "dispatch"))]
)
def test_the_campaigns_page_leads_to_these_pages_and_they_to_others_that_there_are(war, seat, pages):
    found = hrefs(war.page(seat).text)
    for name in pages:
        assert any(f"/open/{war.id}/{name}?" in each for each in found), name
    own = hrefs(war.client.get(next(each for each in found if f"/{pages[0]}?" in each)).text)
    for each in own:
        if war.id in each and "/orders?" not in each and "near=" not in each:
            assert war.client.get(each).status_code in (200, 302), each


def test_o4_5_a_day_says_how_far_the_fleet_likely_gets_and_how_far_in_each_weather(store, client):
    war = War(store, client, "open_campaign", position=position(date="-204-03-01"))
    day = forecast(known_position(war.state, "rhodes"), "guard", Order(do="go", to="kydonia"))[0]
    text = page(war, query="&fleet=guard&do=go&to=kydonia").text
    assert day.likely != day.miles and f"<span>likely {day.likely}</span>" in text
    assert f"calm {round(day.weather['calm'] * 100)}%: {day.reach['calm']} miles" in text


def test_o4_5_the_weathers_chance_is_the_rules_own_and_tells_nothing_of_todays_sky(war):
    text = page(war, query="&fleet=escort&do=go&to=telos").text
    where, total = region_at(28.2, 36.4), collections.Counter()
    for red, white in itertools.product(range(1, 7), repeat=2):
        total[kind_of(red + white + modifier(where, 6), where, 6)] += 1
    fresh, rough = round(total["fresh"] / 0.36), round((total["gale"] + total["storm"]) / 0.36)
    assert f"Weather: calm {100 - fresh - rough}%, fresh {fresh}%, gale or storm {rough}%" in text
    skies = {where.name: {"wind": "W", "sky": "storm", "hour": 1}}
    play(war, {"type": "adjust", "changes": {"weather": skies}, "why": "A storm."})
    again = page(war, query="&fleet=escort&do=go&to=telos").text
    days = r'<ol class="days">.*?</ol>'
    assert re.search(days, again, re.S)[0] == re.search(days, text, re.S)[0]


def test_m8_where_one_may_be_seen_the_way_is_dashed_white(store, client):
    near = {"side": "cretans", "number": 5, "near": "telos", "lon": 27.4, "lat": 36.4, "turn": 1, "day": 0}
    war = War(store, client, "open_campaign", position=position(known={"rhodes": [near]}))
    text = page(war, query="&fleet=guard&do=go&to=telos").text
    assert 'class="way-seen"' in text and "Cretans may see it:" in text
    assert 'class="way-seen"' not in page(war, query="&fleet=guard&do=stay").text


def test_o5_2_a_pin_of_ones_own_stands_on_ones_own_chart_and_is_taken_off(war):
    give(war, act="mark", fleet="guard", space="telos", pin="Meet <Hiero>")
    assert "Meet &lt;Hiero&gt;</text>" in page(war).text
    assert "Hiero" not in page(war, "cretans").text
    assert 'value="Meet &lt;Hiero&gt;"' in page(war, query="&fleet=guard&to=telos").text
    give(war, act="mark", fleet="guard", space="telos", pin="")
    assert "Hiero" not in page(war).text


def test_o3_3_conditions_nights_and_risk_are_given_and_shown_again(war):
    more = {"unmet_by": "3", "then": "home", "by_night": ["0", "1"], "nights_at_sea": ["0", "1"], "risk": "0"}
    give(war, fleet="guard", do="go", to="telos", more_than="9", **more)
    order = war.state.orders["rhodes"]["guard"]
    assert (order.unmet_by, order.then, order.more_than) == (3, "home", 9)
    assert (order.by_night, order.nights_at_sea, order.risk) == (True, True, False)
    text = page(war, query="&fleet=guard").text
    assert (
        'name="by_night" value="1" form="give" checked' in text
        and 'name="unmet_by" min="0" max="31" inputmode="numeric" value="3"' in text
    )
    text = page(war, query="&fleet=guard&do=go&by_night=1&by_night=0").text
    assert "checked" not in re.search(r'name="by_night" value="1"[^>]*', text)[0]


def test_the_page_follows_the_stream_and_a_refresh_brings_its_part_alone(war):
    text = page(war).text
    assert f"/api/v1/games/{war.id}/stream?seat=rhodes" in text and "0 of 2 sides are ready" in text
    play(war, {"type": "ready", "side": "cretans"})
    refresh = html.unescape(re.search(r'data-refresh="([^"]+)"', text)[1])
    part = war.client.get(refresh, headers={"HX-Request": "true"}).text
    assert part.lstrip().startswith('<div id="orders"') and "1 of 2 sides are ready" in part
    assert "ORBIS" in part and "Pleiades" in part
