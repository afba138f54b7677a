"""O1.1 What people draw as a world is bounded at every door, and what is accepted every page can draw."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kit.doors import ELSEWHERE
from kit.large_world import large_world
from kit.straight_sea import row
from strategic.open_campaign.rules.world import MOST_BYTES, MOST_LANES, MOST_POINTS, MOST_SPACES
from tactical.kernel.record import encode, plain
from webapp.storage.journal import transfer

STRANGER = {"environ_overrides": ELSEWHERE}


def war_on(world: Any) -> dict[str, Any]:
    """A war of two sides on a world, whose fleets lie in its places p0 and p1."""
    ships = {f"{side}-1": {"side": side, "type": "trireme"} for side in ("a", "b")}
    fleets = {
        side: {"side": side, "name": side, "at": f"p{number}", "ships": [f"{side}-1"]}
        for number, side in enumerate(("a", "b"))
    }
    return {"world": world, "sides": {"a": {"name": "A"}, "b": {"name": "B"}}, "fleets": fleets, "ships": ships}


def begin(client, world, **more):
    return client.post("/api/v1/games", json={"system": "open_campaign", "position": war_on(world)}, **more)


def line_of(points: int) -> dict[str, Any]:
    """The straight sea with so many points in its first lane."""
    world = row()
    world["features"][6]["geometry"]["coordinates"] = [[20 + 0.5 * at / max(points - 1, 1), 36] for at in range(points)]
    return world


def test_o1_1_the_largest_world_begins_and_every_page_draws_it(client):
    begun = begin(client, large_world(MOST_SPACES, MOST_LANES))
    assert begun.status_code == 201, begun.text
    drawn_by_all_pages(client, begun.json)


def test_o1_1_a_world_may_have_as_many_routes_as_orbis(client):
    assert begin(client, large_world(294, 1157, 3)).status_code == 201
    assert begin(client, line_of(224)).status_code == 201


@pytest.mark.parametrize(
    ("world", "path", "said"),
    [
        (large_world(MOST_SPACES + 1, 1), "world.features", "400 places"),
        (large_world(20, MOST_LANES + 1), "world.features", "1500 lanes"),
        (row() | {"about": "x" * MOST_BYTES}, "world", "400 kB"),
        (line_of(MOST_POINTS + 1), "world.features.6.geometry.coordinates", "2 to 225"),
        (line_of(1), "world.features.6.geometry.coordinates", "2 to 225"),
        (line_of(0), "world.features.6.geometry.coordinates", "2 to 225"),
    ],
)
def test_o1_1_a_world_that_is_larger_is_refused_with_its_field(client, world, path, said):
    refused = begin(client, world)
    assert refused.status_code == 400
    assert refused.json["error"].startswith(f"position.{path}:") and said in refused.json["error"], refused.text


@pytest.mark.parametrize("value", ["20.5", True, None, 200, -181.5, [20]])
def test_o1_1_a_coordinate_is_a_number_on_the_globe(client, value):
    world = row()
    world["features"][2]["geometry"]["coordinates"][0] = value
    refused = begin(client, world)
    assert refused.status_code == 400
    assert refused.json["error"].startswith("position.world.features.2.geometry.coordinates.0:"), refused.text


@pytest.mark.parametrize("latitude", [-90, 86, "36"])
def test_o1_1_no_place_lies_at_a_pole(client, latitude):
    world = row()
    world["features"][2]["geometry"]["coordinates"][1] = latitude
    assert begin(client, world).status_code == 400


@pytest.mark.parametrize(("name", "value"), [("rank", "80"), ("cost", True), ("yard", -1), ("name", ["Telos"])])
def test_o1_1_a_feature_says_numbers_and_texts(client, name, value):
    world = row()
    world["features"][3]["properties"][name] = value
    refused = begin(client, world)
    assert refused.status_code == 400
    assert refused.json["error"].startswith(f"position.world.features.3.properties.{name}:"), refused.text


def test_o1_1_the_desk_the_file_and_the_editor_refuse_what_a_position_may_not_have(war):
    before = war.store.load(war.id).json
    too_many = large_world(MOST_SPACES + 1, 1)
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "why": "A larger sea."}
    file = (io.BytesIO(json.dumps(too_many).encode()), "world.geojson")
    sent = war.client.post(f"/open/{war.id}/world?seat=umpire", data={**form, "file": file})
    assert sent.status_code in (400, 422) and "at most 400" in sent.text
    for changes in ({"world": too_many}, {"world": line_of(1)}):
        refused = war.client.post(
            f"/api/v1/games/{war.id}/commands",
            json={"seen": war.version, "command": {"type": "adjust", "changes": changes, "why": "A larger sea."}},
            headers={"Authorization": f"Bearer {war.tokens['umpire']}"},
        )
        assert refused.status_code in (400, 422) and "changes.world.features" in refused.text
    assert war.store.load(war.id).json == before


def test_o1_3_a_part_of_a_world_is_bounded_like_the_whole(store):
    game = store.create("open_campaign", position=war_on(row()))[0].id
    for path, value in {
        "world.features.2.geometry.coordinates": [20.0, -90],
        "world.features": large_world(MOST_SPACES + 1, 1)["features"],
    }.items():
        with pytest.raises(ValueError, match=r"changes\.world\.features"):
            store.submit(game, 0, "umpire", {"type": "adjust", "changes": {path: value}, "why": "Drawn anew."})
    assert store.game(game).version == 0


def large_war_of_long_ago(store, monkeypatch) -> str:
    """A war with 450 places and a place at the pole, begun when no limit kept anybody from it."""
    world = large_world(450, 500)
    world["features"][449]["geometry"]["coordinates"][1] = 89.5
    with monkeypatch.context() as before:
        before.setattr("strategic.open_campaign.setup.DRAWN", {})
        before.setattr(store, "drawers", {})
        return str(store.create("open_campaign", position=war_on(world))[0].id)


def test_o1_1_a_war_of_before_the_limits_opens_and_its_umpire_goes_on_drawing(store, client, monkeypatch):
    game = large_war_of_long_ago(store, monkeypatch)
    state = plain(store.load(game).state)
    moved = copy.deepcopy(state["world"])
    moved["features"][3]["properties"]["name"] = "New Telos"
    store.submit(game, 0, "umpire", {"type": "adjust", "changes": {"fleets.a.name": "Guard"}, "why": "Its name."})
    store.submit(game, 1, "umpire", {"type": "adjust", "changes": {"world": moved}, "why": "A new name."})
    one_more = copy.deepcopy(moved)
    one_more["features"].append({**moved["features"][0], "properties": {"id": "new", "name": "New"}})
    with pytest.raises(ValueError, match="at most 450 places"):
        store.submit(game, 2, "umpire", {"type": "adjust", "changes": {"world": one_more}, "why": "One more."})


def test_o1_1_a_strangers_file_is_bounded_and_the_organizer_brings_in_older_games(store, client, monkeypatch):
    game = large_war_of_long_ago(store, monkeypatch)
    saved = json.loads(encode(transfer.export(store, game)))
    refused = client.post("/api/v1/games/import", json=saved, **STRANGER)
    assert refused.status_code == 400
    assert refused.json["error"].startswith("entries[0].state.world.features"), refused.text
    assert client.post("/api/v1/games/import", json=saved).status_code == 201


# Whatever is drawn, it is refused in words or every page shows it ---------------------------------------------


def drawn_by_all_pages(client, begun: dict[str, Any]) -> None:
    """Each page that draws the world answers 200, for the umpire and a side."""
    game, client = begun["id"], client.application.test_client()  # a browser remembers so many seats
    for seat in begun["seats"]:
        client.get(f"/join/{seat['token']}")
    pages = [
        "desk?seat=umpire",
        "world/edit?seat=umpire",
        "orders?seat=a",
        "world.geojson?seat=a",
        "desk?seat=umpire&near=1",
    ]
    for page in pages:
        answer = client.get(f"/open/{game}/{page}", follow_redirects=True)
        assert answer.status_code == 200, (page, answer.status_code)
    for seat in ("umpire", "a"):
        assert client.get(f"/g/{game}?seat={seat}", follow_redirects=True).status_code == 200


numbers = st.one_of(
    st.floats(-200, 200),
    st.integers(-100, 100),
    st.sampled_from([True, None, "20.5", 1e9, 179.99, -84.99, 85, -90, 0]),
)
degrees = st.one_of(st.floats(-180, 180), st.integers(-85, 85))
points = st.one_of(st.tuples(degrees, st.floats(-85, 85)).map(list), st.lists(numbers, max_size=4))
lines = st.lists(points, max_size=4)
words = st.one_of(
    st.text(max_size=8), st.sampled_from(["lane", "sea_lane", "road", "port", "sea", "town", ""]), numbers
)
abouts = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["p0", "p1", "x", 7]),
        "from": st.sampled_from(["p0", "p1", "x"]),
        "to": st.sampled_from(["p1", "p2", "p0"]),
        **dict.fromkeys(("name", "kind", "rank", "cost", "harbour", "yard"), words),
    },
)
shapes = st.one_of(
    st.none(),
    st.fixed_dictionaries({"type": st.just("Point"), "coordinates": points}),
    st.fixed_dictionaries({"type": st.sampled_from(["LineString", "MultiPoint"]), "coordinates": lines}),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["Polygon", "MultiLineString", "Circle"]), "coordinates": st.lists(lines, max_size=2)}
    ),
)
features = st.fixed_dictionaries({"type": st.just("Feature"), "properties": abouts, "geometry": shapes})
pictures = st.fixed_dictionaries({"at": points, "miles": numbers, "number": numbers})


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@example([], None, [20.5, 35.0, 20.5, 35.0, 20.5, 35.0])
@given(st.lists(features, max_size=3), st.one_of(st.none(), pictures), st.lists(degrees, min_size=6, max_size=6))
def test_o1_1_garbage_is_refused_in_words_or_drawn_by_every_page(client, more, picture, moved):
    world = row(3)
    for number, feature in enumerate(world["features"][:3]):
        feature["geometry"]["coordinates"] = [moved[2 * number], moved[2 * number + 1] * 85 / 180]
    world["features"] += more
    if picture is not None:
        world["picture"] = picture
    begun = begin(client, world)
    if begun.status_code == 201:
        drawn_by_all_pages(client, begun.json)
    else:
        assert begun.status_code in (400, 422), begun.text
        assert begun.json["error"].startswith("position.world"), begun.text
        assert "cannot make sense" not in begun.json["error"], begun.text
