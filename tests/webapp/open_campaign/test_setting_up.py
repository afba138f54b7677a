"""O12.1, O1.2: a war from five questions, a cut by two taps, a world as a file; ready-made ones in one tap."""

import io
import json
import re

import pytest
import shapely

from strategic import SYSTEMS
from strategic.open_campaign.rules.world import stock_world
from tactical.kernel.protocol import Illegal
from webapp.pages.open_campaign.founding import Answers, found, paper
from webapp.post.deadlines import turn_sentence


def token(client):
    return re.search(r'name="csrf-token" content="([^"]+)"', client.get("/open/new").text)[1]


def send(client, **form):
    form = {
        "csrf_token": token(client),
        "world": "sicily",
        "side": ["Ann", "Ben"],
        "warships": "6",
        "transports": "1",
        **form,
    }
    return client.post("/open/new", data=form)


def begun(store, answer):
    assert answer.status_code == 303, answer.text
    return store.load(answer.location.rsplit("/", 1)[1]).state


def test_o12_1_five_answers_begin_a_war_in_which_each_side_has_a_port_and_two_fleets(client, store):
    state = begun(store, send(client, side=["Ann", "Ben", "Cleo"], type="quinquereme", turn_length="day", turns="5"))
    assert [side.name for side in state.sides.values()] == ["Ann", "Ben", "Cleo"]
    assert (state.turn_length, state.turns, state.step) == ("day", 5, "orders")
    assert sorted(state.ports.values()).count("ann") == 3
    assert len(state.fleets) == 6 and len({fleet.at for fleet in state.fleets.values()}) == 3
    assert [ship.type for ship in state.ships.values()].count("quinquereme") == 18


def test_the_one_sentence_calls_the_sides_by_the_names_that_their_organizer_gave(client, store):
    state = begun(store, send(client, side=["Ann", "Ben"]))
    (game,) = [each.id for each in store.games()]
    with client.application.test_request_context("/"):
        table = store.load(game)
        assert turn_sentence(store, table, "umpire").text.startswith("Ann and Ben must write orders")
        assert turn_sentence(store, table, "ann").text.startswith("Ann, you must")
    assert state.sides["ann"].name == "Ann"


def test_o1_2_two_taps_on_the_map_cut_the_world(client, store):
    form = {"csrf_token": token(client), "side": ["Ann", "Ben"]}
    (x1, y1), (x2, y2) = paper().at((11.5, 39.0)), paper().at((16.5, 36.0))
    first = client.post("/open/new", data={**form, "tap.x": str(round(x1)), "tap.y": str(round(y1))}).text
    assert "Now tap the other corner." in first
    corner = re.search(r'name="corner" value="([^"]+)"', first)[1]
    second = client.post(
        "/open/new", data={**form, "corner": corner, "tap.x": str(round(x2)), "tap.y": str(round(y2))}
    ).text
    corners = re.findall(r'name="corner" value="([^"]+)"', second)
    assert len(corners) == 2 and re.search(r"\d+ places lie there", second)
    lon, lat = map(float, corners[0].split(","))
    assert abs(lon - 11.5) < 0.2 and abs(lat - 39.0) < 0.2
    state = begun(store, send(client, world="cut", corner=corners))
    names = {f["properties"]["id"] for f in state.world["features"] if f["geometry"]["type"] == "Point"}
    assert "syracusae" in names and "rhodos" not in names


def test_o1_2_further_taps_draw_a_line_around_a_part_of_the_sea(client, store):
    form = {"csrf_token": token(client), "side": ["Ann", "Ben"], "corner": ["11.5,39.0", "16.5,39.0"]}
    x, y = paper().at((14.0, 35.0))
    text = client.post("/open/new", data={**form, "tap.x": str(round(x)), "tap.y": str(round(y))}).text
    corners = re.findall(r'name="corner" value="([^"]+)"', text)
    assert len(corners) == 3 and re.search(r"\d+ places lie there", text)
    assert "<polygon" in client.get(f"/open/sea.svg?corner={'&corner='.join(corners)}").text
    state = begun(store, send(client, world="cut", corner=corners))
    places = {f["properties"]["id"]: f["geometry"] for f in state.world["features"] if f["geometry"]["type"] == "Point"}
    line = shapely.Polygon([list(map(float, corner.split(","))) for corner in corners])
    assert "agrigentum" in places and all(line.covers(shapely.Point(at["coordinates"])) for at in places.values())
    again = client.post("/open/new", data={**form, "corner": corners, "again": "1"}).text
    assert 'name="corner"' not in again and 'value="Ben"' in again


@pytest.mark.parametrize("corners", [["0,40", "43,45"], ["nan,40"], ["1e400,40"], [f"{n},40" for n in range(25)]])
def test_o1_2_corners_that_are_none_are_refused_by_the_page_and_its_map(client, corners):
    for page in ("/open/new", "/open/sea.svg"):
        answer = client.get(page, query_string={"corner": corners})
        assert answer.status_code in (400, 422) and "corner" in answer.text


def test_o1_2_a_tap_too_many_leaves_the_line_as_it_is(client):
    line = [f"{10 + 0.3 * number},36" for number in range(12)] + [f"{13.3 - 0.3 * number},39" for number in range(12)]
    form = {"csrf_token": token(client), "side": ["Ann", "Ben"], "corner": line, "tap.x": "400", "tap.y": "100"}
    answer = client.post("/open/new", data=form)
    assert answer.status_code == 422 and len(re.findall(r'name="corner"', answer.text)) == len(line) == 24


def test_o1_1_a_world_is_taken_out_and_put_back(client, store):
    file = (io.BytesIO(json.dumps(stock_world("crete")).encode()), "crete.geojson")
    state = begun(store, send(client, world="file", file=file))
    assert state.world["features"] and begun(store, send(client, world="crete")).ports == state.ports


@pytest.mark.parametrize(
    "form",
    [
        {"side": ["Alone"]},
        {"world": "atlantis"},
        {"world": "cut"},
        {"warships": "0"},
        {"date": "today"},
        {"world": "cut", "corner": ["x,y", "1,2"]},
        {"world": "cut", "corner": ["nan,40", "1,42"]},
        {"world": "cut", "corner": ["0,40", "43,45"]},
        {"world": "cut", "corner": ["0,40", "1,2,3"]},
        {"world": "cut", "corner": [f"{number},40" for number in range(25)]},
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence_and_the_answers_stay(client, form):
    answer = send(client, **form)
    assert (answer.status_code == 422 and 'role="alert"' in answer.text and 'value="Ben"' in answer.text) or form.get(
        "side"
    )


def test_o12_1_the_start_page_and_the_list_of_campaigns_lead_to_the_five_questions(client):
    assert 'href="/open/new"' in client.get("/").text and "/open/new" in client.get("/campaigns").text


def test_o8_1_money_letters_by_boat_and_war_on_land_are_chosen_before_it_begins(client, store):
    options = begun(store, send(client)).options
    assert (options.money, options.letters, options.land) == ("none", "at_once", False)
    state = begun(store, send(client, money="full", chest="30", letters="by_ship", land="1"))
    assert (state.options.money, state.options.letters, state.options.land) == ("full", "by_ship", True)
    assert state.money == {"ann": 3000, "ben": 3000}


def test_o1_2_a_war_begins_on_an_empty_sea_with_a_port_for_each_side(client, store):
    state = begun(store, send(client, side=["Ann", "Ben", "Cleo"], world="empty"))
    assert sorted(state.ports.values()) == ["ann", "ben", "cleo"]
    assert {fleet.at for fleet in state.fleets.values()} == set(state.ports)


def test_o1_2_a_war_begins_on_the_ports_of_a_printed_board(client, store):
    assert "The ports of a printed campaign: Hannibal" in client.get("/open/new").text
    state = begun(store, send(client, side=["Ann", "Ben", "Cleo"], world="printed-hannibal"))
    assert {"ann", "ben", "cleo"} == set(state.ports.values()) and "gades" in state.ports
    assert send(client, world="printed-atlantis").status_code == 422


@pytest.mark.parametrize("war", SYSTEMS["open_campaign"].scenarios(), ids=lambda war: war.id)
def test_o12_1_a_ready_made_war_begins_in_one_tap(client, store, war):
    text = client.get("/open/new").text
    (form,) = re.findall(rf'<form[^>]* method="post" action="/open/new/{war.id}">(.*?)</form>', text, re.S)
    assert war.title in form and war.history in form
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    assert form.count("<button") == 1 and form.count("<input") == len(fields), "one button, and nothing to fill in"
    state = begun(store, client.post(f"/open/new/{war.id}", data=fields))
    assert (state.scenario, state.step, set(state.sides)) == (war.id, "orders", set(war.sides))


def test_o1_4_homes_lie_apart_and_the_number_of_sides_is_bounded():
    with pytest.raises(Illegal):
        found(Answers(world=stock_world("crete"), sides=tuple("abcdefghi")))
    ports = found(Answers(world=stock_world("sicily"), sides=("a", "b")))["ports"]
    assert set(ports.values()) == {"a", "b"} and len(ports) == 6


def homes(state):
    """Where each side's fleets lie."""
    return {side: {fleet.at for fleet in state.fleets.values() if fleet.side == side} for side in state.sides}


def test_o1_4_a_side_begins_at_the_port_that_it_names_or_that_has_its_name(client, store):
    aegean = ["19.9,34.5", "30.5,41.5"]
    state = begun(
        store,
        send(
            client,
            world="cut",
            corner=aegean,
            side=["Rhodes", "", "Athens", "Crete", "Pergamum"],
            home=["", "", "", "Kydonia", ""],
        ),
    )
    found = homes(state)
    assert found["rhodes"] == {"rhodos"} and len({*map(frozenset, found.values())}) == 4
    tapped = {"csrf_token": token(client), "corner": aegean, "tap.x": "1", "tap.y": "1"}
    assert '<datalist id="ports"><option' in client.post("/open/new", data=tapped).text


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (["Atlantis", ""], "There is no port called Atlantis on this map."),
        (["Syracusae", "syracusae"], "Two sides cannot begin at the same port"),
    ],
)
def test_o1_4_a_home_port_that_cannot_be_is_refused(client, store, wanted, said):
    answer = send(client, home=wanted)
    assert answer.status_code == 422 and said in answer.text and not store.games()
    assert f'value="{wanted[0]}"' in answer.text
