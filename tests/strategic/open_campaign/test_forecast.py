"""O4.5: what an order means before it is given, from what its side knows alone."""

import random
from collections import Counter
from math import sqrt

import pytest
from msgspec.structs import replace
from waters import begun, war

from kit.open_war import position
from strategic.open_campaign.rules.days import watch
from strategic.open_campaign.rules.forecast import chance_of_sight, forecast, hours_of_weather, weather_chances
from strategic.open_campaign.rules.sailing import WATCHES, morning, reach
from strategic.open_campaign.setup import start
from strategic.open_campaign.state import OnLane, Order, Sky
from tactical.kernel.dice import Dice, random_source


def beginning(**changes):
    return start(None, position(**changes), {}, Dice(())).state


def test_o4_5_a_day_ends_where_the_engine_puts_the_fleet_and_says_miles_hours_and_food():
    state = beginning()
    (day,) = forecast(state, "guard", Order(do="go", to="telos"))
    assert (day.near, day.is_ashore) == ("telos", True)
    assert 0 < day.miles <= reach(state, "guard") and 0 < day.hours <= 12
    week = forecast(replace(state, turn_length="week"), "guard", Order(do="go", to="kydonia"))
    assert [each.day for each in week] == [1, 2, 3, 4, 5, 6, 7]
    assert week[-1].at == "kydonia" and week[-1].hours == 0
    assert week[0].miles == 60 and week[0].hours == 12


def test_o4_4_o4_5_food_runs_down_where_no_port_fills_it():
    state = beginning(turn_length="week")
    days = forecast(state, "guard", Order(do="go", to="kydonia"))
    assert not days[-1].is_fed, "the port is the enemy's"
    assert days[-1].provisions < days[0].provisions or days[0].provisions < 3
    stays = forecast(state, "guard", Order(do="stay"))
    assert all(day.is_fed and day.miles == 0 for day in stays)


def test_o4_5_only_a_known_enemy_may_see_the_fleet():
    assert all(day.chance == 0 for day in forecast(beginning(), "guard", Order(do="go", to="telos")))
    seen = {"side": "cretans", "number": 6, "near": "telos", "lon": 27.38, "lat": 36.43, "turn": 1, "day": 0}
    state = beginning(known={"rhodes": [seen]})
    (day,) = forecast(state, "guard", Order(do="go", to="telos"))
    assert day.seen_by == "cretans" and 0 < day.chance <= 1
    (shy,) = forecast(state, "guard", Order(do="go", to="telos", stance="avoid"))
    assert shy.chance < day.chance


def test_o5_2_a_forecast_is_the_same_whatever_the_side_has_not_seen():
    order = Order(do="go", to="kydonia")
    here, there = beginning(), position()
    there["fleets"]["lasthenes"]["at"] = "telos"
    other = start(None, there, {}, Dice(())).state
    assert forecast(here, "guard", order) == forecast(other, "guard", order)


@pytest.mark.parametrize(
    ("number", "miles", "avoids", "of_36"), [(10, 8, False, 15), (10, 4, False, 21), (2, 8, True, 3)]
)
def test_o5_1_the_chance_of_a_look_is_exact(number, miles, avoids, of_36):
    assert chance_of_sight(number, miles, avoids) == of_36 / 36


def simulated(state, fleet, days):
    """In how many of so many days the watchers have seen the fleet by dusk, by the engine itself."""
    chance = random.Random(5)
    seen = 0
    for _ in range(days):
        now = replace(state, step="running", day=1, watch=0)
        source = random_source(chance.randrange)
        for _ in range(WATCHES):
            now = watch(now, Dice(source=source, secret=source))[0]
        seen += any(each.side == now.fleets[fleet].side for each in now.known.get("side1", ()))
    return seen / days


@pytest.mark.parametrize(("stance", "ships"), [("accept", 12), ("avoid", 12), ("accept", 2)])
def test_o5_2_the_chance_of_being_seen_agrees_with_the_engine(stance, ships):
    """Past a watched port, off which the day ends at sea: a thousand days by the engine's dice beside the exact chance."""
    given = Order("go", 1, to="p5", stance=stance, nights_at_sea=True)
    state = begun(war(ships=ships))
    state = replace(state, ports={"p3": "side1"}, orders={"side0": {"f0": given}})
    state = state.with_fleet("f0", at=OnLane("p1--p2", 20)).with_fleet("f1", arrives=9)
    (day,) = forecast(state, "f0", given)
    assert not day.is_ashore and day.seen_by == "side1" and 0.05 < day.chance < 0.98
    found = simulated(state, "f0", 1000)
    assert abs(found - day.chance) < 4 * sqrt(day.chance * (1 - day.chance) / 1000)


def test_o5_2_a_night_ashore_near_watchers_is_known_for_certain_and_ports_that_rest_see_nothing():
    state = replace(begun(war()), ports={"p3": "side1"}).with_fleet("f0", at="p1").with_fleet("f1", arrives=9)
    (far,) = forecast(state, "f0", Order("stay"))
    assert far.chance == 0
    here = state.with_fleet("f0", at="p3")
    assert forecast(here, "f0", Order("stay"))[0].chance == 1


def test_o4_5_the_chance_of_weather_agrees_with_the_engine():
    state = begun(war(options={"weather": True}, date="-260-10-01"))
    told = weather_chances(state, "f0")
    assert sum(told.values()) == pytest.approx(1) and forecast(state, "f0", Order("stay"))[0].weather == told
    source = random_source(random.Random(3).randrange)
    thrown = Counter(
        next(iter(morning(state, Dice(source=source, secret=source)).weather.values())).sky for _ in range(2000)
    )
    assert all(abs(thrown[kind] / 2000 - chance) < 0.05 for kind, chance in told.items())
    assert sum(hours_of_weather(state, "f0").values()) == pytest.approx(1)


def test_o4_5_a_gale_makes_it_harder_to_see_and_yesterdays_weather_is_no_secret_told():
    assert chance_of_sight(30, 5, False, rough=True) < chance_of_sight(30, 5, False)
    state = begun(war(options={"weather": True}))
    given = Order("go", 1, to="p4")
    stormy = replace(state, weather={"ionian_sea": Sky("W", "storm")})
    assert forecast(stormy, "f0", given) == forecast(state, "f0", given)


def test_o4_5_the_miles_are_told_for_each_weather_and_on_average_as_the_engine_makes_them():
    state = begun(war(options={"weather": True}, date="-260-10-01", ports=12))
    state = replace(state.with_fleet("f0", at=OnLane("p5--p6", 1)), orders={})
    given = Order("go", 1, to="p11", nights_at_sea=True)
    (day,) = forecast(state, "f0", given)
    assert day.reach["storm"] == 0 < day.reach["gale"] < day.reach["calm"] == day.miles
    source = random_source(random.Random(3).randrange)
    made = []
    for _ in range(600):
        now = replace(morning(state, Dice(source=source, secret=source)), orders={"side0": {"f0": given}}, watch=3)
        made.append(reach(now, "f0", "p6"))
    thrown = [far for far in made if far]
    assert sum(made) / len(made) == pytest.approx(day.likely, abs=2) and len(thrown) <= len(made)


def test_o4_5_a_fleet_in_port_stays_in_when_the_weather_breaks_before_dawn_or_is_seen_coming():
    state = begun(war(options={"weather": True}, date="-260-10-01", ports=12)).with_fleet("f0", at="p5")
    (stays,), (risks,) = (forecast(state, "f0", Order("go", 1, to="p11", risk=risk)) for risk in (False, True))
    assert stays.reach["gale"] < risks.reach["gale"] and stays.likely < risks.likely < stays.reach["calm"] * 1.2
    assert forecast(state, "f0", Order("stay"))[0].likely == 0
