"""O1, O2, O4, O5 The world, ships, sailing, food, seeing."""

import zlib

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, row, said, war

import data
from strategic.coast import COARSE, FINE, GRIDS, Grid, apart, lay_out
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.sailing import after_watch, move_along, reach
from strategic.open_campaign.rules.upkeep import larder
from strategic.open_campaign.rules.world import chart, cut, largest
from strategic.open_campaign.setup import SCENARIOS
from strategic.open_campaign.state import OnLane
from strategic.open_campaign.tables import TABLES, WORLDS
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput


@pytest.mark.parametrize("step", [COARSE, FINE])
def test_o1_2_the_grid_of_the_sea_is_that_of_the_drawn_coast(step):
    kept, laid = data.read(GRIDS, dict[str, Grid])[str(step)], lay_out(step)
    assert [zlib.decompress(part) for part in (kept.wet, kept.ways)] == [
        zlib.decompress(part) for part in (laid.wet, laid.ways)
    ]


@pytest.mark.parametrize("world", WORLDS)
def test_o1_2_every_ready_made_world_is_one_connected_net(world):
    found = chart(world)
    ways = [(lane.start, lane.end) for lane in found.lanes.values()]
    assert largest(found.spaces, ways) == set(found.spaces) and len(found.spaces) > 20
    for lane in found.lanes.values():
        straight = apart(found.spaces[lane.start].lonlat, found.spaces[lane.end].lonlat)
        assert lane.miles >= straight - 1


def test_o1_2_a_cut_holds_what_lies_between_its_corners():
    points = [each for each in cut(((22.2, 34.5), (28.7, 37.2)), 70)["features"] if each["geometry"]["type"] == "Point"]
    assert all(22.2 <= each["geometry"]["coordinates"][0] <= 28.7 for each in points)
    assert all(each["properties"]["rank"] >= 70 for each in points)


@pytest.mark.parametrize(
    ("world", "path"),
    [
        ("atlantis", "world"),
        ({"features": 3}, "world.features"),
        ({"features": []}, "world.features"),
        ({"features": [{"geometry": {"type": "Point"}, "properties": {}}]}, "world.features.0.geometry.coordinates"),
        ({"features": row()["features"][1:]}, "world.features"),
    ],
)
def test_o1_1_a_world_that_cannot_be_read_is_refused(world, path):
    with pytest.raises(BadInput) as refused:
        begun(war() | {"world": world})
    assert refused.value.path == path


def test_o2_1_and_o2_2_a_war_has_so_many_ships_and_fleets():
    for path, most, each in (("ships", 2000, {"side": "side0", "type": "trireme"}), ("fleets", 400, {})):
        position = war()
        position[path] = {f"x{number}": each for number in range(most + 1)}
        with pytest.raises(BadInput, match=f"at most {most}") as refused:
            begun(position)
        assert refused.value.path == path


def test_o2_1_and_o2_2_every_ship_sails_with_one_fleet():
    position = war()
    position["fleets"]["f1"]["ships"] = ["s0-1"]
    with pytest.raises(BadInput, match="cannot sail"):
        begun(position)
    position = war()
    position["fleets"]["f1"]["ships"].pop()
    with pytest.raises(BadInput, match="must sail with a fleet"):
        begun(position)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_o2_1_every_ship_of_a_scenario_has_a_sheet_with_her_name(scenario):
    state = OPEN_CAMPAIGN.start(scenario, None, {}, None).state
    for fleet in state.fleets.values():
        names = [state.ships[each].name for each in fleet.ships]
        assert len(set(names)) == len(names) and all(names)


def test_o4_1_a_fleet_goes_at_its_slowest_ships_pace():
    position = war()
    state = begun(position)
    assert reach(state, "f0") == TABLES.type["trireme"].cruise
    position["ships"]["s0-0"]["type"] = "transport"
    assert reach(begun(position), "f0") == TABLES.type["transport"].cruise
    position["ships"]["s0-0"] |= {"type": "trireme", "pips": 2}
    assert reach(begun(position), "f0") == pytest.approx(54)
    position["ships"]["s0-0"]["damage"] = 3
    assert reach(begun(position), "f0") == pytest.approx(43.2)


def test_o4_1_miles_are_made_along_lanes_in_both_directions():
    world = chart(row())
    assert move_along(world, "p0", ("p1", "p2"), 30) == OnLane("p1--p2", 6)
    assert move_along(world, OnLane("p1--p2", 6), ("p1", "p0"), 10) == OnLane("p0--p1", 20)
    assert move_along(world, OnLane("p1--p2", 6), ("p2",), 18) == "p2"
    assert move_along(world, "p0", ("p1",), 0) == "p0"


@pytest.mark.parametrize("lons", [(178.0, -178.0), (-179.0, 177.0), (10.0, 14.0)])
def test_o2_2_a_fleet_half_way_on_a_lane_is_half_way_also_over_180_degrees(lons):
    one, other = ({"type": "Point", "coordinates": [lon, 10.0]} for lon in lons)
    line = {"type": "LineString", "coordinates": [one["coordinates"], other["coordinates"]]}
    lane = {"kind": "lane", "from": "a", "to": "b", "cost": 100}
    shapes = (({"id": "a", "name": "A"}, one), ({"id": "b", "name": "B"}, other), (lane, line))
    features = [{"type": "Feature", "properties": own, "geometry": shape} for own, shape in shapes]
    lon, lat = chart({"type": "FeatureCollection", "features": features}).point(OnLane("a--b", 50))
    assert lat == pytest.approx(10) and apart((lon, lat), (lons[0], 10)) == pytest.approx(
        apart((lon, lat), (lons[1], 10))
    )
    assert apart((lon, lat), (lons[0], 10)) < 200 and -180 <= lon <= 180


def test_o4_1_a_day_at_a_cruise_is_sixty_miles():
    state = said(
        begun(war()),
        "side0",
        type="order",
        side="side0",
        fleet="f0",
        do="go",
        to="p5",
        stance="avoid",
        nights_at_sea=True,
    )
    state = all_ready(said(state, "side1", type="order", side="side1", fleet="f1", do="stay", stance="avoid"))
    assert state.fleets["f0"].at == OnLane("p2--p3", 12)


def test_o4_3_and_o4_4_nights_at_sea_tire_and_eat():
    state = said(
        begun(war()),
        "side0",
        type="order",
        side="side0",
        fleet="f0",
        do="go",
        to="p5",
        stance="avoid",
        nights_at_sea=True,
    )
    fleet = all_ready(state).fleets["f0"]
    assert (fleet.weary, fleet.provisions) == (1, 2)


def test_o4_4_without_food_rowers_are_lost_every_second_day():
    position = war(ports=6) | {"turn_length": "week", "ports": {"p0": "side1"}}
    position["fleets"]["f0"] |= {"at": {"lane": "p4--p5", "miles": 12}, "provisions": 0}
    position["fleets"]["f1"]["at"] = "p0"
    state = begun(position)
    state = said(state, "side0", type="order", side="side0", fleet="f0", do="patrol", to="p4")
    state = begun(
        {
            **position,
            "world": {
                "features": [{**each, "properties": {**each["properties"], "rank": 60}} for each in row()["features"]]
            },
        }
    )  # no market anywhere
    fleet = all_ready(state).fleets["f0"]
    assert fleet.hungry == 7
    assert {all_ready(state).ships[each].pips for each in fleet.ships} == {3}  # in one turn two are the most (O2.3)


def test_o4_4_a_transport_feeds_five_galleys_for_a_day():
    position = war()
    position["ships"] |= {f"s0-{number}": {"side": "side0", "type": "transport"} for number in range(2)}
    state = begun(position)
    assert larder(state, state.fleets["f0"]) == 4 and larder(state, state.fleets["f1"]) == 3


def seeing():
    """Two fleets in one space, which look at each other for a day and fight no more."""
    position = war()
    for fleet in position["fleets"].values():
        fleet |= {"at": "p3", "shy": True}
    return begun(position)


def test_o5_1_who_is_seen_is_known_with_place_and_day_and_to_nobody_else():
    state = all_ready(seeing(), 3)
    seen = state.known["side0"][0]
    assert (seen.side, seen.near, seen.turn, seen.day, seen.number) == ("side1", "p3", 1, 1, 12)
    for seat in ("side1", SPECTATOR):
        assert "side0" not in OPEN_CAMPAIGN.view(state, seat)["known"]
        assert set(OPEN_CAMPAIGN.view(state, seat)["fleets"]) <= {"f1"}
    assert set(OPEN_CAMPAIGN.view(state, UMPIRE)["fleets"]) == {"f0", "f1"}


def test_o5_1_beyond_ten_miles_nothing_is_seen():
    assert not all_ready(begun(war()), 3).known


def test_o2_3_a_week_in_a_yard_mends_and_drills():
    position = war(ports=6) | {"turn_length": "week", "ports": {"p0": "side0", "p5": "side1"}}
    position["fleets"]["f1"]["at"] = "p5"
    position["ships"]["s0-0"] |= {"damage": 3}
    state = all_ready(begun(position))
    assert state.ships["s0-0"].damage == 0 and state.ships["s0-0"].pips == 6


def order(do, fleet="f0", **more):
    return {"type": "order", "side": "side0", "fleet": fleet, "do": do, **more}


def two_of_one_side(here, there):
    """Side 0 with a small fleet `g` there beside its fleet here, and no enemy near."""
    position = war()
    position["ships"]["g1"] = {"side": "side0", "type": "trireme"}
    position["fleets"]["g"] = {"side": "side0", "name": "G", "at": there, "ships": ["g1"]}
    position["fleets"]["f0"]["at"], position["fleets"]["f1"]["at"] = here, "p5"
    return said(begun(position), "side0", **order("stay", "g"))


@pytest.mark.parametrize("here", ["p0", "p1", "p2", {"lane": "p0--p1", "miles": 3}, {"lane": "p0--p1", "miles": 10}])
def test_o2_2_a_fleet_joins_another_at_sea(here):
    state = said(two_of_one_side(here, {"lane": "p0--p1", "miles": 10}), "side0", **order("join", to="g"))
    state = all_ready(state)
    assert not state.fleets["f0"].ships and len(state.fleets["g"].ships) == 13
    assert state.fleets["g"].at == OnLane("p0--p1", 10)


def test_o2_2_an_escort_comes_up_along_the_lane_no_farther_than_its_reach():
    state = said(two_of_one_side("p2", {"lane": "p2--p3", "miles": 20}), "side0", **order("escort", to="g"))
    watches = [after_watch(replace(state, watch=watch), "f0") for watch in range(2)]
    assert watches == [OnLane("p2--p3", 15), OnLane("p2--p3", 15)]
    assert all_ready(state).fleets["f0"].at == OnLane("p2--p3", 20)


def test_o3_2_a_fleet_without_an_order_goes_home_from_the_open_sea():
    position = war() | {"ports": {"p0": "side0", "p5": "side1"}}
    position["world"]["features"][2]["properties"]["kind"] = "sea"
    position["fleets"]["f0"]["at"], position["fleets"]["f1"]["at"] = "p2", "p5"
    assert all_ready(begun(position)).fleets["f0"].at == "p0"


def test_o3_2_an_order_that_stands_is_the_next_turns_too_until_there_is_another():
    state = two_of_one_side("p0", "p0")
    state = all_ready(said(state, "side0", **order("go", to="p1", stance="avoid", note="Quietly.", stands=True)))
    kept = state.orders["side0"]
    assert list(kept) == ["f0"] and (kept["f0"].to, kept["f0"].turn, kept["f0"].note) == ("p1", 2, "")
    state = all_ready(said(state, "side0", **order("stay")))
    assert not state.orders
