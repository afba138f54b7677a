"""G2.5 The fleet builder, by its function and over the API."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.real_house import real_app, real_store  # noqa: F401
from tactical.kernel.record import BadInput
from tactical.position import read_position
from tactical.setup import COASTS, BoardWanted
from webapp.api.fleets import (
    NAMES,
    NATIONS,
    FleetsWanted,
    FleetWanted,
    ShipsWanted,
    position,
)


@pytest.mark.parametrize("place, called", [("first", "First side"), ("second", "Second side")])
def test_g8_1_an_unknown_choice_of_the_corvus_is_refused_by_name(client: FlaskClient, place: str, called: str):
    form = {"first.nation": "romans", "second.nation": "greeks", "first.quinquereme": "3", "second.quinquereme": "3"}
    assert client.post("/fleets", data={**form, f"{place}.corvus": "no"}).status_code == 200
    refused = client.post("/fleets", data={**form, f"{place}.corvus": "all"})
    assert refused.status_code == 422
    assert f"{called}, Corvus" in refused.text and "&#39;all&#39; is not one of yes, no" in refused.text


def fleets(first: FleetWanted, second: FleetWanted, **rest: Any) -> dict[str, Any]:
    return position(FleetsWanted({"one": first, "two": second}, **rest))


def quinqueremes(nation: str, count: int = 3, **rest: Any) -> FleetWanted:
    return FleetWanted(nation, (ShipsWanted("quinquereme", count, **rest),))


def test_g2_5_a_roman_flagship_has_average_rowers_and_the_others_may_be_poor():
    found = fleets(quinqueremes("romans"), quinqueremes("asiatics"))
    flagships = [ship for ship in found["ships"].values() if ship["flagship"]]
    assert [ship["crew"] for ship in flagships] == ["average", "poor"]
    assert NATIONS["romans"].crews == ("average", "poor")
    poor = fleets(quinqueremes("romans", crew="poor"), quinqueremes("greeks"))
    assert {ship["crew"] for ship in poor["ships"].values() if ship["side"] == "one"} == {"poor"}


@pytest.mark.parametrize(
    ("nation", "crew"),
    [
        ("greeks", "average"),
        ("rhodians", "elite"),
        ("athenians", "elite"),
        ("asiatics", "poor"),
        ("carthaginians", "average"),
    ],
)
def test_g2_5_the_rowers_of_the_nations(nation: str, crew: str):
    found = fleets(quinqueremes(nation), quinqueremes("romans"))
    assert {ship["crew"] for ship in found["ships"].values() if ship["side"] == "one"} == {crew}


def test_g2_6_asiatic_marines_are_light_and_romans_heavy():
    battle = read_position(fleets(quinqueremes("asiatics"), quinqueremes("romans")), {})
    assert (battle.ships["o1"].light, battle.ships["o1"].medium) == (8, 0)
    assert battle.ships["t1"].heavy == 10


def test_g2_1_a_roman_trireme_needs_figures_of_its_own():
    with pytest.raises(BadInput) as refused:
        fleets(FleetWanted("romans", (ShipsWanted("trireme", 1),)), quinqueremes("greeks"))
    assert refused.value.path == "sides.one.ships[0].type"
    own = fleets(FleetWanted("romans", (ShipsWanted("trireme", 1, heavy=3),)), quinqueremes("greeks"))
    battle = read_position(own, {})
    assert (battle.ships["o1"].heavy, battle.ships["o1"].archers) == (3, 0)


def test_no_name_is_given_twice_even_to_two_fleets_of_one_nation():
    found = fleets(quinqueremes("romans", 60), quinqueremes("romans", 60), board=BoardWanted(columns=40, rows=24))
    names = [ship["name"] for ship in found["ships"].values()]
    assert len(set(names)) == len(names) == 120


def test_the_seed_draws_the_names():
    one = fleets(quinqueremes("romans"), quinqueremes("greeks"), seed=1)
    assert one == fleets(quinqueremes("romans"), quinqueremes("greeks"), seed=1)
    assert one != fleets(quinqueremes("romans"), quinqueremes("greeks"), seed=2)


@pytest.mark.parametrize("nation", list(NATIONS))
def test_every_nation_has_names_enough_and_none_twice(nation: str):
    assert len(NAMES[nation]) >= 40
    assert len(set(NAMES[nation])) == len(NAMES[nation])


@pytest.mark.parametrize("coast", COASTS)
def test_g1_2_the_fleets_stand_on_water_on_every_coast(coast: Any):
    found = fleets(quinqueremes("romans", 20), quinqueremes("greeks", 20), board=BoardWanted(coast=coast), speed=3)
    battle = read_position(found, {})
    assert bool(battle.board.land) == (coast != "open")
    assert {ship.speed for ship in battle.ships.values()} == {2}


def test_g1_6_hulls_are_as_large_as_the_bases_on_the_measured_sea_alone():
    given = {"base": (80.0, 25.0), "seed": 1}
    found = fleets(quinqueremes("romans"), quinqueremes("greeks"), board=BoardWanted(kind="open"), **given)
    battle = read_position(found, {})
    assert {(battle.kind(ship).length, battle.kind(ship).beam) for ship in battle.ships.values()} == {(1.0, 0.3125)}
    assert "types" not in fleets(quinqueremes("romans"), quinqueremes("greeks"), **given)


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        (("80", ""), "Width of the base: write both sizes"),
        (("80", "900"), "Width of the base: expected a number from 10"),
    ],
)
def test_g1_6_the_builder_takes_both_sizes_of_the_bases_within_bounds(client: FlaskClient, sizes: Any, said: str):
    form = {"first.nation": "romans", "second.nation": "greeks", "first.quinquereme": "3", "second.quinquereme": "3"}
    form |= {"kind": "open", "base_length": "80", "base_width": "25,5"}
    assert "&#34;beam&#34;:0.3187" in client.post("/fleets", data=form).text
    refused = client.post("/fleets", data={**form, "base_length": sizes[0], "base_width": sizes[1]})
    assert refused.status_code == 422 and said in refused.text


def test_g1_5_on_the_players_own_table_ships_have_no_place():
    found = fleets(quinqueremes("romans"), quinqueremes("greeks"), board=BoardWanted(kind="table"))
    assert all("at" not in ship for ship in found["ships"].values())
    assert not read_position(found, {}).has_hexes


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ({"sides": {"a": {"nation": "romans", "ships": []}}}, "sides"),
        ({"sides": {"a": {"nation": "elves", "ships": []}, "b": {"nation": "romans", "ships": []}}}, "sides.a.nation"),
        ({"sides": {"a": {"nation": "romans", "ships": []}, "b": {"nation": "romans", "ships": []}}}, "sides.a.ships"),
        ({"sides": {}, "board": {"columns": 3}}, "board.columns"),
        ({"sides": {}, "bord": {}}, "bord"),
    ],
)
def test_bad_wishes_are_refused_by_name(client: FlaskClient, wanted: Any, path: str):
    refused = client.post("/api/v1/fleets", json=wanted)
    assert refused.status_code == 400
    assert refused.json["detail"]["path"] == path


def test_too_many_for_the_board():
    small = BoardWanted(columns=6, rows=6)
    with pytest.raises(BadInput, match="too small"):
        fleets(quinqueremes("romans", 20), quinqueremes("greeks", 2), board=small)


def test_a_game_begins_from_what_the_api_answers(client: FlaskClient):
    wanted = {
        "sides": {
            "rome": {"nation": "romans", "ships": [{"type": "quinquereme", "count": 2}]},
            "carthage": {"nation": "carthaginians", "ships": [{"type": "trireme", "count": 3, "names": ["Tanit"]}]},
        },
        "board": {"coast": "east"},
    }
    drawn = client.post("/api/v1/fleets", json=wanted)
    assert drawn.status_code == 200
    assert drawn.json["position"]["ships"]["c1"]["name"] == "Tanit"
    made = client.post("/api/v1/games", json={"system": "galley", "position": drawn.json["position"]})
    assert made.status_code == 201, made.text
