"""O6.2 Quick dice between fleets of any size: what they take, and what the forecast says of it."""

from __future__ import annotations

import random
from itertools import product
from math import sqrt
from typing import Any

import pytest
from msgspec.structs import replace
from waters import begun, war

from strategic.naval.engagement import Engagement
from strategic.open_campaign.rules.fighting import (
    footing,
    instant,
    mean_loss,
    quick_dice,
    shift,
    throw_outcome,
    value,
)
from strategic.open_campaign.rules.meeting import contingent
from strategic.open_campaign.state import State
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice, random_source

TWO_DICE = tuple(product(range(1, 7), repeat=2))
SINKS = TABLES.quick.sinks
TIMES = 10  # throws for the ships after each throw of the two dice


def meeting(one: int, other: int, kinds: tuple[str, str] = ("quinquereme", "bireme"), transports: int = 0) -> State:
    """So many ships of one side and the other in a meeting, the other's with so many transports."""
    names = {"f0": [f"s0-{number}" for number in range(one)], "f1": [f"s1-{number}" for number in range(other)]}
    names["f1"] += [f"t{number}" for number in range(transports)]
    types = dict(zip(names, kinds, strict=True))
    position = war(turns=9)
    for fleet, ships in names.items():
        position["fleets"][fleet] |= {"at": "p3", "ships": ships}
    position["ships"] = {
        each: {"side": f"side{fleet[1]}", "type": "transport" if each[0] == "t" else types[fleet]}
        for fleet, ships in names.items()
        for each in ships
    }
    state = begun(position)
    sent = {f"side{fleet[1]}": contingent(state, (fleet,)) for fleet in names}
    return replace(state, engagement=Engagement("m", "open_campaign", "p3", sent, "side0", rule="O6.1", turn=1))


def thrown(state: State, faces: tuple[int, ...], source: Any) -> Any:
    """The outcome with these faces of the two dice, the ships' from the source."""
    assert state.engagement is not None
    return throw_outcome(state, state.engagement, Dice(faces, source=source))


def all_lost(sides: int) -> int:
    """Every ship throws as low as she can."""
    return 1


def test_o6_2_a_fleet_of_one_or_two_ships_can_be_lost():
    for ships in (1, 2):
        outcome = thrown(meeting(20, ships), (6, 6), all_lost)
        assert outcome.winner == "side0" and outcome.of("side1").lost == ships


def test_o6_2_a_lone_ship_takes_no_more_than_she_could_sink():
    outcome = thrown(meeting(20, 1), (1, 1), all_lost)
    assert outcome.of("side0").lost == SINKS, "whatever the share of the table"
    state = meeting(20, 1)
    forecast = instant(state, state.engagement)
    assert forecast.losses["side0"] < 0.5, "one bireme is no weapon against twenty quinqueremes"
    assert forecast.losses["side1"] == pytest.approx(0.56, abs=0.01)


def test_o6_2_a_winner_keeps_a_ship():
    outcome = thrown(meeting(1, 1, ("trireme", "trireme")), (6, 6), all_lost)
    assert outcome.winner == "side0" and outcome.of("side0").lost == 0 and outcome.of("side1").lost == 1


def test_o6_2_where_more_are_lost_than_can_be_the_lowest_throws_are():
    faces = iter((50, 9, 2, 1, 9, 3))
    state = meeting(1, 5, ("hepteres", "bireme"))
    outcome = thrown(state, (6, 6), lambda sides: next(faces, 1) if sides == 100 else 1)
    lost = {*outcome.of("side1").sunk_ships, *outcome.of("side1").captured_ships}
    assert lost == {"s1-1", "s1-2"}, "side0's one ship threw the 50"


def test_o6_2_transports_count_among_the_ships_that_are_in_danger_and_sink_nobody():
    outcome = thrown(meeting(1, 1, transports=5), (6, 6), all_lost)
    told = outcome.of("side1")
    assert told.lost == 1 and told.transports == SINKS - 1
    alone = thrown(meeting(3, 0, transports=2), (1, 1), all_lost)
    assert alone.winner is None and alone.of("side0").lost == 0 and not alone.of("side1").fled


def test_o6_2_a_lost_fleet_is_entered():
    state = meeting(20, 1)
    after, _events = quick_dice(state, Dice((6, 6), source=all_lost, secret=all_lost))
    assert after.fleets["f1"].ships == () and after.ships["s1-0"].status in ("sunk", "captured")


@pytest.mark.parametrize(("ships", "share", "most"), [(1, 50, 9), (3, 50, 1), (5, 34, 3), (20, 1, 2), (9, 0, 4)])
def test_o6_2_the_mean_loss_is_that_of_all_throws(ships, share, most):
    chance = share / 100
    ways = product((0, 1), repeat=min(ships, 20))
    if ships > 10:
        none, one = (1 - chance) ** ships, ships * chance * (1 - chance) ** (ships - 1)
        assert mean_loss(ships, share, most) == pytest.approx(one + 2 * (1 - none - one))
        return
    mean = sum(min(sum(way), most) * chance ** sum(way) * (1 - chance) ** (ships - sum(way)) for way in ways)
    assert mean_loss(ships, share, most) == pytest.approx(mean)


@pytest.mark.parametrize("one", [1, 2, 3, 5, 10, 20])
@pytest.mark.parametrize("other", [1, 2, 4, 7, 20])
def test_o6_2_the_throws_bring_on_average_what_the_forecast_says(one, other):
    """Every throw of the two dice, and many for the ships; no fleet ever loses more than its enemy could sink."""
    state = meeting(one, other)
    assert state.engagement is not None
    source = random_source(random.Random(f"{one} {other}").randrange)
    forecast = instant(state, state.engagement)
    losses: dict[str, list[int]] = {"side0": [], "side1": []}
    wins = dict.fromkeys(losses, 0)
    numbers = {"side0": one, "side1": other}
    for faces in TWO_DICE * TIMES:
        outcome = thrown(state, faces, source)
        for side, lost in losses.items():
            lost.append(outcome.of(side).lost)
            foe = numbers["side1" if side == "side0" else "side0"]
            assert lost[-1] <= min(numbers[side] - (outcome.winner == side), SINKS * foe)
            wins[side] += outcome.winner == side
    for side, lost in losses.items():
        mean = sum(lost) / len(lost)
        spread = sqrt(sum((each - mean) ** 2 for each in lost) / len(lost) / len(lost))
        assert forecast.losses[side] == pytest.approx(mean, abs=4 * spread + 0.02)
        assert forecast.wins[side] == pytest.approx(wins[side] / len(lost))


def test_o6_2_navy_rowers_and_corvus_count():
    def wins(state: State) -> float:
        assert state.engagement is not None
        return instant(state, state.engagement).wins["side0"]

    even = meeting(4, 4, ("trireme", "trireme"))
    elite = even.with_ships({f"s0-{n}": replace(even.ships[f"s0-{n}"], pips=9) for n in range(4)})
    poor = elite.with_ships({f"s1-{n}": replace(even.ships[f"s1-{n}"], pips=1) for n in range(4)})
    assert wins(poor) > wins(elite) > wins(even)
    fives = meeting(6, 6, ("quinquereme", "quinquereme"))
    corvus = fives.with_ships({f"s0-{n}": replace(fives.ships[f"s0-{n}"], corvus=True) for n in range(6)})
    assert wins(corvus) > wins(fives)
    ship = fives.ships["s0-0"]
    assert value(TABLES, replace(ship, side="rome")) > 1.3 * value(TABLES, ship)


def test_o6_2_of_many_ships_the_luck_evens_out():
    assert [shift(TABLES, 1.3, 1.0, ships) for ships in (1, 4, 10)] == [1, 2, 4]
    assert shift(TABLES, 1.0, 1.0, 40) == 0 and shift(TABLES, 1.0, 0.0, 1) == len(TABLES.quick.shift)


def test_o6_2_the_stronger_is_told_by_value_not_by_number():
    state = meeting(2, 10, ("hepteres", "trireme"))
    assert state.engagement is not None
    assert footing(state, state.engagement)[0] == "side0"
