"""O4.5: what an order means before it is given, from what its side knows alone."""

import pytest
from msgspec.structs import replace

from kit.open_war import position
from strategic.open_campaign.rules.forecast import chance_of_sight, forecast
from strategic.open_campaign.rules.sailing import reach
from strategic.open_campaign.setup import start
from strategic.open_campaign.state import Order
from tactical.kernel.dice import Dice


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
