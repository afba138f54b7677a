"""The lobby's pages without JavaScript: every way to begin, the links, joining by code, and refusals at the field."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.real_house import real_app, real_store  # noqa: F401
from strategic import SYSTEMS
from tactical.captains.worth import WORTH
from tactical.setup import all_scenarios
from webapp.captains.seats import held_in
from webapp.cli.serve import demo_battle
from webapp.pages.lobby import first
from webapp.pages.reference.odds import rowers_said
from webapp.storage.journal.store import Store

ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}  # not the machine that serves, whose user is the organizer


def begun(client: FlaskClient, **form: str) -> str:
    answered = client.post("/new", data={"system": "galley", **form})
    assert answered.status_code == 303, answered.text
    return str(answered.location).rsplit("/", 1)[1]


def test_every_scenario_has_a_tile_that_leads_to_its_page_with_its_history(client: FlaskClient):
    page = client.get("/battles").text
    for scenario in all_scenarios().values():
        (address,) = re.findall(rf'href="(/new\?system=galley&amp;scenario={scenario.id})"', page)
        assert scenario.history.split("'")[0][:40] in client.get(html.unescape(address)).text


def test_a_battle_begins_with_one_press_and_its_links_are_shown_to_its_umpire_only(client: FlaskClient, app: Flask):
    code = begun(client, scenario="first_oars")
    page = client.get(f"/seats/{code}").text
    tokens = re.findall(r'href="http://localhost/join/([\w-]+)"', page)
    assert len(set(tokens)) == 4
    assert page.count('class="qr"') == 5, "four seats, and the television"
    with app.test_client() as stranger:
        assert stranger.get(f"/seats/{code}", environ_base=ELSEWHERE).status_code == 403
        assert stranger.post(f"/seats/{code}", data={"seat": "athens"}, environ_base=ELSEWHERE).status_code == 403


def test_a_new_link_ends_the_old_one(client: FlaskClient, store: Store):
    code = begun(client, scenario="first_oars")

    def tokens() -> set[str]:
        return set(re.findall(r"/join/([\w-]+)", client.get(f"/seats/{code}").text))

    before = tokens()
    assert client.post(f"/seats/{code}", data={"seat": "athens"}).status_code == 303
    after = tokens()
    (ended,), (given,) = before - after, after - before
    assert store.seat_of(ended) is None
    seat = store.seat_of(given)
    assert seat is not None and (seat.game, seat.id) == (code, "athens")
    client.post(f"/seats/{code}", data={"seat": "umpire"})
    assert len(tokens()) == 4, "the umpire still sits there after renewing the umpire's own link"


def test_the_links_of_an_older_game_are_not_kept(client: FlaskClient):
    older = begun(client, scenario="first_oars")
    begun(client, scenario="first_oars")
    assert "/join/" not in client.get(f"/seats/{older}").text


def test_the_start_page_goes_on_with_games_of_this_browser(client: FlaskClient, app: Flask):
    code = begun(client, scenario="first_oars", title="A Tuesday")
    assert f'href="/g/{code}/home"' in client.get("/").text
    assert "A Tuesday" in client.get("/").text
    with app.test_client() as stranger:
        assert code not in stranger.get("/").text


def test_options_and_dice_are_recorded(client: FlaskClient, store: Store):
    code = begun(
        client, scenario="first_oars", dice="physical", **{"option.edge": "wall", "option.sprint": "above_cruise"}
    )
    game = store.game(code)
    assert (game.dice, game.options) == ("physical", {"edge": "wall"})


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_every_scenario_starts_from_its_form_as_it_stands(client: FlaskClient, store: Store, system: str):
    for scenario in SYSTEMS[system].scenarios():
        page = client.get(f"/new?system={system}&scenario={scenario.id}").text
        fields = dict(re.findall(r'<input type="(?:number|hidden)"[^>]* name="(option[^"]+)" value="([^"]*)"', page))
        for name, choices in re.findall(r'<select name="(option[^"]+)">(.*?)</select>', page, re.DOTALL):
            values = re.findall(r'<option value="([^"]*)"( selected)?', choices)
            fields[name] = next((value for value, selected in values if selected), values[0][0])
        assert fields
        own = {
            each.name: first(each)
            for each in SYSTEMS[system].options
            if first(each) != each.default and f"option.{each.name}" in fields
        }
        answered = client.post("/new", data={"system": system, "scenario": scenario.id, **fields})
        assert answered.status_code == 303, answered.text
        assert store.game(answered.headers["Location"].rsplit("/", 1)[1]).options == own


def test_an_option_may_be_a_number(client: FlaskClient, store: Store):
    asked = {"system": "sword_of_rome", "scenario": "five_powers", "option.turns": "5"}
    answered = client.post("/new", data=asked)
    assert store.game(answered.headers["Location"].rsplit("/", 1)[1]).options == {"turns": 5}
    refused = client.post("/new", data=asked | {"option.turns": "many"})
    assert refused.status_code == 400 and "options.turns" in refused.text


def test_an_unknown_option_is_refused_on_the_page(client: FlaskClient):
    answered = client.post("/new", data={"system": "galley", "scenario": "first_oars", "option.edge": "cliff"})
    assert answered.status_code == 400
    assert "options.edge" in answered.text and 'role="alert"' in answered.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "type or paste"),
        ("{", "not JSON"),
        ("[]", "object"),
        ('{"ships": {}}', "position.ships"),
        ('{"sides": {"a": {}, "b": {}}, "ships": {"x": {"side": "c", "type": "trireme"}}}', "position.ships.x.side"),
    ],
)
def test_a_typed_position_is_refused_at_its_field_and_kept(client: FlaskClient, text: str, said: str):
    answered = client.post("/new", data={"system": "galley", "position": text})
    assert answered.status_code == 400
    assert said in answered.text
    if text:
        assert text.replace('"', "&#34;") in answered.text


def test_the_example_position_begins_a_battle(client: FlaskClient):
    from webapp.pages.lobby import EXAMPLE

    begun(client, position=EXAMPLE)


def test_joining_by_code_forgives_case_and_blanks(client: FlaskClient, app: Flask):
    code = begun(client, scenario="first_oars")
    with app.test_client() as guest:
        joined = guest.get(f"/rejoin?code= {code.lower()[:3]} {code.lower()[3:]}")
        assert (joined.status_code, joined.location) == (303, f"/g/{code}/home")
        wrong = guest.get("/rejoin?code=ZZZZZZ")
        assert wrong.status_code == 404
        assert "ZZZZZZ" in wrong.text


def test_the_demo_shows_its_seats_to_all_when_there_is_one(client: FlaskClient, store: Store):
    assert client.get("/demo/battle").status_code == 404
    assert 'href="/demo/battle"' not in client.get("/battles").text
    demo_battle(store)
    assert 'href="/demo/battle"' in client.get("/battles").text
    page = client.get("/demo/battle").text
    assert len(set(re.findall(r"/join/([\w-]+)", page))) == 4
    assert 'name="seat"' not in page, "nobody may end the demo's links"


def form(**changes: str) -> dict[str, Any]:
    return {
        "first.nation": "romans",
        "first.quinquereme": "3",
        "second.nation": "carthaginians",
        "second.trireme": "2",
        "kind": "hexes",
        "columns": "20",
        "rows": "14",
        "coast": "open",
        "do": "draw",
        **changes,
    }


def test_the_builder_says_what_the_fleets_are_worth_and_how_sure_that_is(client: FlaskClient):
    even = client.post("/fleets", data=form()).text
    assert "points" in even.split('class="worth"')[1][:80] and even.count('class="worth"') == 2
    assert f"fitted to {WORTH.battles} battles between able captains" in even


def chance(page: str) -> int:
    """The chance of the first side, as the builder's page tells it."""
    found = re.search(r'id="fairness">[^<]*?(\d+)% \(', page)
    assert found is not None
    return int(found.group(1))


def test_the_builders_chance_hangs_on_rowers_corvus_and_navy(client: FlaskClient):
    fives = {"first.quinquereme": "6", "second.trireme": "", "second.quinquereme": "6"}
    pages = {
        name: chance(client.post("/fleets", data=form(**fives, **more)).text)
        for name, more in {
            "corvus": {"first.corvus": "yes"},
            "none": {"first.corvus": "no"},
            "poor": {"first.corvus": "no", "first.quinquereme.crew": "poor"},
            "punic": {"first.nation": "carthaginians", "first.corvus": "no"},
        }.items()
    }
    assert pages["corvus"] > pages["none"] > pages["poor"] and pages["none"] > pages["punic"] == 50


def test_the_builder_begins_with_a_turn_limit_and_forecasts_the_fleets_that_it_has_drawn_up(client: FlaskClient):
    assert 'name="turn_limit" value="15"' in client.get("/fleets").text
    page = client.post("/fleets", data=form(turn_limit="2", **{"first.quinquereme": "1", "second.trireme": "1"})).text
    assert 'formaction="/forecast"' in page
    written = re.search(r'name="position" value="([^"]+)"', page)
    assert written is not None
    position = written.group(1).replace("&#34;", '"').replace("&#39;", "'")
    answer = client.post("/forecast", data={"position": position, "battles": "1", "title": "Rome – Carthage"})
    assert answer.status_code == 303
    assert "Rome – Carthage" in client.get(answer.headers["Location"]).text
    assert client.post("/forecast", data={"position": "{", "battles": "1"}).status_code == 422


def test_the_builder_says_what_rowers_do_beside_them(client: FlaskClient):
    assert all(said in client.get("/fleets").text for said in rowers_said()) and len(rowers_said()) == 2


def test_the_builder_draws_up_fleets_that_begin_a_battle(client: FlaskClient, store: Store):
    page = client.post("/fleets", data=form()).text
    written = re.search(r'name="position" value="([^"]+)"', page)
    assert written is not None
    code = begun(client, position=written.group(1).replace("&#34;", '"').replace("&#39;", "'"))
    assert len(store.load(code).state.ships) == 5


def test_the_largest_ship_leads_and_the_seats_are_called_by_their_sides(client: FlaskClient, store: Store):
    page = client.post("/fleets", data=form(**{"second.quinquereme": "1", "second.name": "Qart Hadasht"})).text
    written = re.search(r'name="position" value="([^"]+)"', page)
    assert written is not None
    code = begun(client, position=written.group(1).replace("&#34;", '"').replace("&#39;", "'"))
    leaders = [ship.type for ship in store.load(code).state.ships.values() if ship.flagship]
    assert leaders == ["quinquereme", "quinquereme"]
    assert "<h2>Qart Hadasht</h2>" in client.get(f"/seats/{code}").text


def test_other_names_are_other_names_and_the_same_ships(client: FlaskClient):
    one, other = (client.post("/fleets", data=form(do=wish)).text for wish in ("draw", "names"))
    assert 'name="seed" value="1"' in other
    first, second = (re.findall(r"<li>([\w' ]+) <span", page) for page in (one, other))
    assert len(first) == len(second) == 5
    assert first != second


def test_a_nation_proposes_its_fleet_and_leaves_the_other_side(client: FlaskClient):
    page = client.post("/fleets", data=form(do="propose.second", **{"second.nation": "rhodians"})).text
    assert re.search(r'name="second.quadrireme" value="6"', page)
    assert re.search(r'name="first.quinquereme" value="3"', page)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"first.trireme": "1"}, "First side, trireme: the source gives a roman navy no trireme"),
        ({"first.trireme": "1", "first.trireme.figures.heavy": "x"}, "First side, trireme, heavy marines: expected a"),
        ({"columns": "many"}, "Columns: expected a whole number"),
        ({"columns": "2"}, "Columns: "),
        ({"first.nation": "elves"}, "First side, Nation: there is no nation"),
        ({"do": "propose.first", "first.nation": "elves"}, "First side, Nation: choose one"),
    ],
)
def test_the_builder_refuses_at_the_field_in_the_pages_own_words(
    client: FlaskClient, changes: dict[str, str], field: str
):
    answered = client.post("/fleets", data=form(**changes))
    assert answered.status_code == 422
    said = re.search(r'id="refusal">(.*?)</p>', answered.text)
    assert said is not None and said[1].startswith(field) and not re.search(r"\w\.\w|\[|_", said[1].replace("G2.1", ""))


def test_g2_1_the_builder_says_beside_a_ship_that_a_navy_had_none_and_takes_figures_of_her_own(client: FlaskClient):
    page = client.get("/fleets").text
    beside = re.findall(r"<td colspan=\"3\">(\w+): not in this navy", page)
    assert "trireme" in beside and "quinquereme" not in beside and "heavy:" not in page
    own = {"first.trireme": "1", "first.trireme.figures.heavy": "4", "first.trireme.figures.archers": "1"}
    answered = client.post("/fleets", data=form(**own)).text
    position = re.search(r'name="position" value="([^"]+)"', answered)
    assert position is not None
    ships = json.loads(html.unescape(position[1]))["ships"]
    (ship,) = (each for each in ships.values() if each["side"] == "romans" and each["type"] == "trireme")
    assert (ship["heavy"], ship["archers"]) == (4, 1)


def test_one_nation_against_itself(client: FlaskClient):
    page = client.post(
        "/fleets", data=form(**{"second.nation": "romans", "second.trireme": "", "second.quinquereme": "2"})
    )
    assert page.status_code == 200 and 'name="position"' in page.text


def test_s8_every_number_of_the_builder_is_a_stepper_and_the_points_follow_each_tap(client: FlaskClient):
    page = client.get("/fleets").text
    assert 'type="number"' not in page and 'aria-label="More: trireme"' in page
    before = client.post("/fleets", data=form(do="more.second.trireme")).text
    after = client.post("/fleets", data=form(do="less.second.trireme")).text
    assert 'name="second.trireme" value="3"' in before and 'name="second.trireme" value="1"' in after
    assert re.findall(r'class="worth">(.*?)<', before)[1] != re.findall(r'class="worth">(.*?)<', after)[1]
    assert 'id="fairness"' in after and 'name="position"' not in after
    figures = client.post("/fleets", data=form(do="more.first.trireme.figures.heavy")).text
    assert 'name="first.trireme.figures.heavy" value="0"' in figures
    assert 'name="columns" value="22"' in client.post("/fleets", data=form(do="more.columns")).text


def test_g2_5_the_builder_parts_a_fleet_into_squadrons(client: FlaskClient, store: Store):
    page = client.post("/fleets", data=form(do="more.first.squadrons")).text
    assert 'name="first.squadrons" value="2"' in page and 'name="second.squadrons" value=""' in page
    drawn = client.post("/fleets", data=form(**{"first.quinquereme": "5", "first.squadrons": "3"})).text
    written = html.unescape(re.search(r'name="position" value="([^"]+)"', drawn)[1])
    ships = store.load(begun(client, position=written)).state.ships.values()
    assert [ship.squadron for ship in ships] == ["I", "I", "I", "II", "II", None, None], "nobody sails alone"


@pytest.mark.parametrize("coast", ["open", "west", "east", "both", "island"])
def test_g1_6_the_builder_puts_fleets_on_the_measured_sea(client: FlaskClient, store: Store, coast: str):
    page = client.post("/fleets", data=form(kind="open", coast=coast, **{"first.quinquereme": "12"})).text
    written = re.search(r'name="position" value="([^"]+)"', page)
    assert written is not None, re.findall(r'id="refusal">(.*?)</p>', page)
    state = store.load(begun(client, position=html.unescape(written.group(1)))).state
    assert state.board.kind == "open" and len(state.ships) == 14 and bool(state.board.coasts) == (coast != "open")


def position_on(page: str) -> str:
    """The position that the fleets on a page begin from."""
    written = re.search(r'name="position" value="([^"]+)"', page)
    assert written is not None
    return html.unescape(written.group(1))


def test_a_captain_is_offered_when_ones_own_fleet_starts(client: FlaskClient, store: Store):
    page = client.post("/fleets", data=form()).text
    assert 'action="/play"' in page and "Its temper" in page
    chosen = {"side": "carthaginians", "level": "raw", "temper": "boarder", "title": "Rome – Carthage"}
    answer = client.post("/play", data={"position": position_on(page), **chosen})
    assert answer.status_code == 303 and "seat=carthaginians" in answer.headers["Location"]
    code = re.search(r"/g/(\w+)", answer.headers["Location"])[1]  # type: ignore[index]
    (held,) = held_in(store, code)
    assert (held.seat, held.level, held.temper) == ("romans", "raw", "boarder")
    assert store.game(code).title == "Rome – Carthage" and len(store.load(code).state.ships) == 5


@pytest.mark.parametrize("wrong", [{"position": "{"}, {"position": '{"sides": 3}'}, {"position": "[]"}])
def test_a_bad_position_begins_no_battle_against_a_captain(client: FlaskClient, wrong: dict[str, str]):
    assert client.post("/play", data=wrong).status_code == 400


MODELS = "Kyme, trireme\nAiantis, trireme\nLeontis\nTyche, Quinquereme\n"


def test_ones_own_ships_give_a_side_their_names_and_make_its_fleet(client: FlaskClient):
    named = {"own": MODELS, "own.side": "second"}
    page = client.post("/fleets", data=form(**named)).text
    ships = json.loads(position_on(page))["ships"].values()
    assert {ship["name"] for ship in ships if ship["side"] == "carthaginians"} == {"Kyme", "Aiantis"}
    assert "Kyme" not in {ship["name"] for ship in ships if ship["side"] == "romans"}
    made = client.post("/fleets", data=form(do="own", **named)).text
    assert re.search(r'name="second.trireme" value="2"', made) and re.search(
        r'name="second.quinquereme" value="1"', made
    )
    assert "Leontis" in made, "the list stays as it was typed"
    drawn = client.post("/fleets", data=form(**named, **{"second.quinquereme": "2"})).text
    fives = [ship for ship in json.loads(position_on(drawn))["ships"].values() if ship["type"] == "quinquereme"]
    assert {"Tyche", "Leontis"} <= {ship["name"] for ship in fives}, "who has no type sails as any"


def test_an_unknown_type_in_the_list_of_ones_own_ships_is_refused_at_its_field(client: FlaskClient):
    refused = client.post("/fleets", data=form(own="Kyme, tryreme"))
    assert refused.status_code == 422 and "My ships: " in refused.text and "tryreme" in refused.text


def test_where_the_worth_leaves_too_much_open_the_fleets_that_are_drawn_up_are_forecast(
    client: FlaskClient, app: Flask
):
    app.config["FORECAST_FLEETS"] = True
    page = client.post("/fleets", data=form(turn_limit="1", **{"first.quinquereme": "1", "second.trireme": "1"})).text
    address = re.search(r'hx-get="(/forecast/[^"]+)" hx-trigger="load"', page)
    assert address is not None
    part = client.get(html.unescape(address[1]), headers={"HX-Request": "true"}).text
    assert "<progress" in part and "of 50 battles fought" in part and "Each ship" not in part
    client.post(address[1].split("?")[0] + "/stop")
    tapped = client.post("/fleets", data=form(do="more.first.quinquereme")).text
    assert 'hx-trigger="load"' not in tapped, "nothing is fought while ships are still counted"
