"""O4 Wind, weather, daylight, nights, food and water; O2.3 what wears ships and mends them."""

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, said, war

from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.sailing import aspect, breaking, course, kind_of, morning, reach, region_at
from strategic.open_campaign.rules.sailing import modifier as weathers_modifier
from strategic.open_campaign.rules.sight import modifier
from strategic.open_campaign.rules.upkeep import AFLOAT, fleets_night, refit, rejoining, swung
from strategic.open_campaign.state import OnLane, Sky, scatter
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE

IONIAN = "ionian_sea"


def windy(sky="fresh", wind="E", hour=1, at="p1", **more):
    """A fleet under weather, off the Peloponnese, with an order to sail on to the west."""
    state = begun(war(options={"weather": True}, **more))
    state = replace(state, weather={IONIAN: Sky(wind, sky, hour)}, day=1)
    return state.with_fleet("f0", at=at)


@pytest.mark.parametrize(("wind", "miles"), [("W", 72), ("N", 60), ("E", 42)])
def test_o4_2_a_fresh_wind_lengthens_or_shortens_the_reach_by_course(wind, miles):
    state = windy("fresh", wind, at="p1")
    assert round(reach(state, "f0", "p2")) == miles


@pytest.mark.parametrize(("wind", "heading", "found"), [("N", 0, 2), ("N", 180, 0), ("N", 90, 1), ("SW", 45, 0)])
def test_o4_2_the_wind_is_astern_abeam_or_ahead(wind, heading, found):
    assert aspect(wind, heading) == found


@pytest.mark.parametrize(("total", "found"), [(8, "calm"), (9, "fresh"), (11, "gale"), (13, "storm")])
def test_o4_2_the_sum_of_two_dice_gives_the_weather(total, found):
    assert kind_of(total, region_at(21.0, 36.0), 5) == found


def test_o4_2_the_etesians_bring_no_storm_and_every_sea_has_its_region():
    assert kind_of(14, region_at(25.0, 36.0), 7) == "gale"
    assert (region_at(25.0, 39.0).name, region_at(13.0, 45.0).name) == ("northern_aegean", "adriatic")
    assert course((20.0, 36.0), (21.0, 36.0)) == pytest.approx(90)


def test_o4_2_a_gale_before_dawn_keeps_a_fleet_in_port_unless_it_takes_the_risk():
    state = begun(war(options={"weather": True}, date="-260-01-01"))
    dice = Dice((6, 6, 1) + (1,) * 9)
    assert morning(state, dice).fleets["f0"].kept
    order = {"type": "order", "side": "side0", "fleet": "f0", "do": "go", "to": "p5", "risk": True}
    assert not morning(said(state, "side0", **order), Dice((6, 6, 1) + (1,) * 9)).fleets["f0"].kept


def test_o4_2_each_ship_that_a_storm_finds_at_sea_is_thrown_for():
    state = windy("storm", ships=2, at="p1").with_fleet("f0", at=OnLane("p1--p2", 12))
    after, told = breaking(state, ["f0"], Dice((1,) * 5))
    assert [after.ships[each].status for each in ("s0-0", "s0-1")] == ["lost", "lost"]
    assert not after.fleets["f0"].ships and told[0].data["lost"] == 2
    after, _ = breaking(state, ["f0"], Dice((6,) * 5))
    assert [after.ships[each].status for each in ("s0-0", "s0-1")] == ["afloat", "afloat"]


def test_o4_2_scattered_ships_are_a_fleet_of_their_own_until_they_find_the_other():
    state = windy("storm", ships=2).with_fleet("f0", at=OnLane("p1--p2", 12)).with_fleet("f1", at="p5")
    after, _ = breaking(state, ["f0"], Dice((1, 6, 6, 4, 4)))
    assert after.fleets["f0-strays"].strays_of == "f0" and after.fleets["f0-strays"].ships == ("s0-1",)
    run = all_ready(replace(after, weather={}, day=0, options=replace(after.options, weather=False)), seed=5)
    assert sum(len(fleet.ships) for fleet in run.fleets.values() if fleet.side == "side0") == 2


def astray(at, ships=("s0-1",)):
    """Fleet f0 lies at p3; ships of its own are astray there."""
    state = windy("calm", ships=3, at="p3").with_fleet("f1", at="p5")
    state = scatter(state.with_fleet("f0", at=at), "f0", ships)
    return state.with_fleet("f0", at="p3")


def test_o4_2_scattered_ships_are_a_party_of_their_own_where_they_were_scattered():
    state = astray(OnLane("p0--p1", 7))
    state = scatter(state.with_fleet("f0", at=OnLane("p3--p4", 3)), "f0", ("s0-2",))
    parties = {fleet.ships: fleet.at for fleet in state.fleets.values() if fleet.strays_of == "f0"}
    assert parties == {("s0-1",): OnLane("p0--p1", 7), ("s0-2",): OnLane("p3--p4", 3)}
    called = said(begun(war(ships=3)), "side0", type="detach", side="side0", fleet="f0", ships=["s0-2"], new="strays")
    parties = scatter(called, "f0", ("s0-1",)).fleets
    assert parties["f0-strays"].ships == ("s0-2",) and parties["f0-strays-2"].ships == ("s0-1",)


def test_o4_2_scattered_ships_that_have_word_of_their_fleet_sail_to_it():
    state = astray(OnLane("p0--p1", 7))
    assert rejoining(state, Dice((3,))) == state
    found = rejoining(state, Dice((4,)))
    party = found.fleets["f0-strays"]
    assert (party.at, party.course, party.ships) == (OnLane("p0--p1", 7), "p3", ("s0-1",))
    now = replace(found, weather={}, day=0, options=replace(found.options, weather=False))
    for _turn in range(3):
        now = all_ready(now)
    assert now.fleets["f0"].ships == ("s0-0", "s0-1", "s0-2") and not now.fleets["f0-strays"].ships


def test_o4_2_scattered_ships_that_lie_together_or_with_their_fleet_are_one_again():
    here = astray("p3")
    assert rejoining(here, Dice()).fleets["f0"].ships == ("s0-0", "s0-1", "s0-2")
    two = astray("p1").with_fleet("f0", at="p1")
    two = scatter(two, "f0", ("s0-2",)).with_fleet("f0", at="p3")
    one = rejoining(two, Dice((1,)))
    assert sorted(fleet.ships for fleet in one.fleets.values() if fleet.strays_of) == [(), ("s0-1", "s0-2")]
    waits = here.with_fleet("f0", engaged="t1-1-1-1")
    assert len(rejoining(waits, Dice((1,))).fleets["f0"].ships) == 2, "not while it waits for its battle"
    lost = here.with_fleet("f0", ships=())
    assert not rejoining(lost, Dice()).fleets["f0-strays"].strays_of


@pytest.mark.parametrize(("watch", "rough"), [(1, False), (2, True), (4, True)])
def test_o5_1_a_gale_blinds_lookouts_from_the_watch_in_which_it_breaks(watch, rough):
    gale, calm = (replace(windy(sky, hour=2), watch=watch) for sky in ("gale", "calm"))
    looks = [modifier(state, "f0", 3, 10, scouts=False) for state in (gale, calm)]
    assert looks[1] - looks[0] == (2 if rough else 0)


def test_o4_2_the_months_of_the_aegean_are_those_of_the_numbers():
    """The column of sums (numbers 2): June to August - 1, both Aegeans in July and August + 2 besides."""
    for place in ((25.0, 36.0), (25.0, 39.0)):
        assert [weathers_modifier(region_at(*place), month) for month in (6, 7, 8)] == [-1, 1, 1]
    throws = [one + other + 1 for one in range(1, 7) for other in range(1, 7)]
    found = [kind_of(total, region_at(25.0, 36.0), 7) for total in throws]
    assert [round(100 * found.count(kind) / 36) for kind in ("calm", "fresh", "gale")] == [58, 25, 17]


def test_o4_2_from_november_to_march_the_open_sea_is_closed_for_whoever_does_not_insist():
    position = war(date="-260-12-01", options={"weather": True})
    for lane in position["world"]["features"][-5:]:
        lane["properties"]["kind"] = "sea_lane"
    order = {"type": "order", "side": "side0", "fleet": "f0", "do": "go", "to": "p5"}
    state = said(begun(position), "side0", **order)
    assert all_ready(state).fleets["f0"].at == "p0"
    sails = [all_ready(said(state, "side0", **order, risk=True), seed).fleets["f0"].at for seed in range(9)]
    assert any(at != "p0" for at in sails)


@pytest.mark.parametrize(("date", "miles"), [("-260-06-01", 100), ("-260-01-01", 100 * 10 / 14)])
def test_o4_1_no_pace_has_more_hours_than_daylight(date, miles):
    state = begun(war(date=date))
    state = said(state, "side0", type="order", side="side0", fleet="f0", do="go", to="p5", pace="hard")
    assert reach(state, "f0") == pytest.approx(miles)


def test_o4_1_transports_sail_with_the_wind_and_make_next_to_nothing_against_it():
    position = war(ships=1, options={"weather": True})
    position["ships"]["s0-0"]["type"] = "transport"
    state = replace(begun(position), weather={IONIAN: Sky("W", "fresh")}).with_fleet("f0", at="p1")
    assert reach(state, "f0", "p2") == 55 and reach(state, "f0", "p0") == 12


def test_o4_1_by_night_a_fleet_makes_half_a_day_more_and_tires():
    state = said(
        begun(war()), "side0", type="order", side="side0", fleet="f0", do="go", to="p5", by_night=True, stance="avoid"
    )
    after = all_ready(state)
    assert reach(state, "f0") == 90 and after.fleets["f0"].weary == 1


def test_o4_3_a_night_ashore_is_known_to_whoever_watches_that_coast():
    position = war(ports=2)
    position["ports"] = {"p1": "side1"}
    position["world"]["features"][1]["geometry"]["coordinates"] = [20.1, 36.0]
    after = all_ready(begun(position))
    assert any(each.near == "p0" and each.number == 10 for each in after.known["side1"]), "ashore near their port"


def test_o4_3_a_fleet_halts_for_the_night_where_it_can():
    order = {"type": "order", "side": "side0", "fleet": "f0", "do": "go", "to": "p5", "stance": "avoid"}
    after = all_ready(said(begun(war()), "side0", **order))
    assert after.fleets["f0"].at == "p2" and after.fleets["f0"].weary == 0


def test_o4_4_without_water_a_fleet_makes_half_its_way_and_without_food_rowers_desert():
    state = begun(war(turn_length="week"))
    state = state.with_fleet("f0", at=OnLane("p1--p2", 5), water=0, thirsty=1)
    assert reach(state, "f0") == 30
    hungry = begun(war(turn_length="week", ships=4))
    hungry = hungry.with_fleet("f0", at="p4", provisions=0)
    small = [{**each, "properties": {**each["properties"], "rank": 60}} for each in hungry.world["features"]]
    hungry = replace(hungry, world={**hungry.world, "features": small})
    told = [all_ready(hungry, seed).ships for seed in range(6)]
    assert any(ships["s0-0"].short for ships in told) and all(ships["s0-0"].pips < 5 for ships in told)


def test_o2_3_ships_grow_foul_at_sea_and_clean_ashore_and_crews_mend_oars_on_a_beach():
    state = begun(war(turn_length="week", ships=1))
    at_sea = state.with_fleet("f0", at=OnLane("p1--p2", 5))
    assert refit(at_sea).ships["s0-0"].weeks == 1 and refit(state).ships["s0-0"].weeks == 0
    broken = state.with_ships({"s0-0": replace(state.ships["s0-0"], oars=True, weeks=20)})
    assert reach(broken, "f0") == pytest.approx(60 * 0.7 * 0.85)
    holed = broken.with_ships({"s0-0": replace(broken.ships["s0-0"], breaches=2)})
    assert reach(holed, "f0") == pytest.approx(60 * 0.7 * 0.85 * 0.8)
    one = fleets_night(holed, "f0", Dice())[0]
    assert (one.ships["s0-0"].breaches, one.ships["s0-0"].oars) == (1, True)
    three = fleets_night(fleets_night(one, "f0", Dice())[0], "f0", Dice())[0]
    assert (three.ships["s0-0"].breaches, three.ships["s0-0"].oars) == (0, False)
    at_sea = fleets_night(at_sea.with_ships(holed.ships), "f0", Dice())[0]
    assert at_sea.ships["s0-0"].breaches == 2


def test_o3_7_the_umpire_reads_the_weather_and_no_side_does():
    state = windy()
    assert OPEN_CAMPAIGN.view(state, UMPIRE)["weather"] and "weather" not in OPEN_CAMPAIGN.view(state, "side0")


def test_o2_3_rowers_gain_one_pip_and_lose_two_in_a_turn_at_most():
    state = begun(war(ships=1))
    ship = state.ships["s0-0"]
    assert swung(swung(ship, 1), 1).pips == 6
    assert swung(swung(swung(ship, -1), -1), -1).pips == 3
    assert swung(swung(ship, -1), 1).pips == 5  # what is won back is the same pip
    assert swung(replace(ship, pips=9), 1).swing == 0
    assert all(each.swing == 0 for each in all_ready(state.with_ships({"s0-0": swung(ship, 1)})).ships.values())


def test_o2_3_four_nights_running_at_sea_cost_a_pip_and_new_rowers_too():
    state = begun(war(ships=1, turn_length="week", options={"provisions": False})).with_fleet(
        "f0", at=OnLane("p1--p2", 5)
    )
    for _ in range(AFLOAT):
        assert state.ships["s0-0"].pips == 5
        state = fleets_night(state, "f0", Dice())[0]
    assert state.ships["s0-0"].pips == 4 and state.fleets["f0"].nights == AFLOAT
    held = replace(begun(war(ships=1, turn_length="week")), ports={"p0": "side0"})
    spent = held.with_ships({"s0-0": replace(held.ships["s0-0"], short=4, marines=3, pips=6)})
    after = refit(spent).ships["s0-0"]
    assert (after.pips, after.short, after.marines) == (5, 0, 0)


def test_o4_2_a_storm_finds_a_fleet_that_lies_in_the_open_sea_and_the_weather_keeps_none_in_there():
    state = windy("storm", ships=2, at="p1")
    world = {**state.world, "features": [dict(each) for each in state.world["features"]]}
    world["features"][1]["properties"] = {**world["features"][1]["properties"], "kind": "sea"}
    after, told = breaking(replace(state, world=world), ["f0"], Dice((1,) * 4))
    assert told[0].data["lost"] == 2 and not after.fleets["f0"].ships
    assert not breaking(state, ["f0"], Dice())[1]
    rough = begun(war(options={"weather": True}, date="-260-01-01")).with_fleet("f0", at="p1")
    assert not morning(replace(rough, world=world), Dice((6, 6, 1) + (1,) * 9)).fleets["f0"].kept


@pytest.mark.parametrize(
    ("length", "turn", "mended"), [("day", 6, 0), ("day", 7, 12), ("week", 1, 12), ("month", 1, 36)]
)
def test_o2_3_a_yard_mends_its_points_for_each_week_of_a_turn(length, turn, mended):
    state = begun(war() | {"turn_length": length, "turns": 30, "ports": {"p0": "side0"}, "turn": turn})
    hurt = state.with_ships({each: replace(ship, damage=3) for each, ship in state.ships.items()})
    after = refit(hurt)
    assert sum(3 - after.ships[each].damage for each in after.fleets["f0"].ships) == mended
    assert after.ships["s0-0"].pips == 5 + bool(mended)
