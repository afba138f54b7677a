"""O9.1 The umpire's word; O1.1 what a space is for."""

import pytest
from msgspec.structs import replace
from waters import begun, said, war

from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.ending import end
from strategic.open_campaign.rules.fighting import garrison
from strategic.open_campaign.rules.money import income
from strategic.open_campaign.rules.sight import days_between
from strategic.open_campaign.rules.upkeep import has_room, night, refit
from strategic.open_campaign.state import Goal, Ship
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours


def test_o9_1_the_umpire_may_end_it_by_his_word_whatever_the_points_say():
    state = begun(war())
    with pytest.raises((Illegal, NotYours)):
        said(state, "side0", type="judge", winner="side0")
    with pytest.raises(Illegal, match="still playing"):
        said(state, UMPIRE, type="judge", winner="side9")
    after = said(state, UMPIRE, type="judge", winner="side1")
    assert (after.result.winner, after.result.why) == ("side1", "umpire") and OPEN_CAMPAIGN.is_over(after)


@pytest.mark.parametrize(
    ("mine", "theirs", "lost", "winner"),
    [
        (12, 10, (1, 0), "side0"),  # a fifth ahead
        (11, 10, (0, 1), "side0"),  # within it the losses decide
        (10, 10, (0, 1), "side0"),
        (11, 10, (1, 0), "side1"),
        (11, 10, (1, 1), None),
        (10, 10, (0, 0), None),
        (0, 0, (0, 0), None),
        (0, 0, (1, 0), "side1"),
    ],
)
@pytest.mark.parametrize("sides", [("side0", "side1"), ("side1", "side0")])
def test_o9_1_a_fifth_decides_within_it_fewer_ships_lost_and_never_the_alphabet(mine, theirs, lost, winner, sides):
    state = begun(war(ships=1))
    goals = tuple(Goal(side, "port", "p0", sum_, won=sum_) for side, sum_ in zip(sides, (mine, theirs), strict=True))
    ships = {
        f"{side}-{number}": Ship(side, "trireme", status="sunk")
        for side, gone in zip(sides, lost, strict=True)
        for number in range(gone)
    }
    ended, _ = end(replace(state, ships=ships, goals=goals), "date")
    assert ended.result.points == dict(zip(sides, (mine, theirs), strict=True))
    assert ended.result.winner == (winner and sides[int(winner[-1])])


def test_o9_1_of_three_sides_those_within_the_fifth_of_the_first_are_compared():
    state = begun(war(sides=3, ships=1))
    goals = tuple(Goal(f"side{number}", "port", "p0", 0, won=won) for number, won in enumerate((55, 50, 30)))
    ships = {"a": Ship("side0", "trireme", status="sunk")}
    assert end(replace(state, ships=ships, goals=goals), "date")[0].result.winner == "side1"


def of_its_own(**about):
    """A war in which the port p0 says of itself what it is."""
    position = war(options={"money": "simple"}, turn_length="week", money={"side0": 1000, "side1": 1000})
    position["world"]["features"][0]["properties"] |= about
    position["ports"] = {"p0": "side0", "p1": "side1"}
    return begun(position)


def test_o1_1_a_port_has_the_garrison_income_and_yard_that_the_map_says():
    state = of_its_own(garrison=7, income=3000, yard=2)
    assert garrison(state, "p0") == 7 and income(state, "p0", 30) == 3000
    assert garrison(state, "p1") == 80 // 30 and income(state, "p1", 30) == 300
    hurt = state.with_ships({"s0-0": replace(state.ships["s0-0"], damage=5)})
    assert refit(hurt).ships["s0-0"].damage == 3


def test_o1_1_whoever_finds_no_room_in_the_harbour_rides_at_anchor_and_neither_rests_nor_mends():
    full, wide = of_its_own(harbour=11), of_its_own(harbour=12)
    ends = []
    for state in (full, wide):
        state = state.with_ships({"s0-0": replace(state.ships["s0-0"], oars=True, damage=1)})
        state = replace(state.with_fleet("f0", weary=2), day=1)
        ends.append(refit(night(state, Dice())[0]))
    assert [has_room(state, "f0") for state in (full, wide)] == [False, True]
    assert [(end.fleets["f0"].weary, end.ships["s0-0"].oars, end.ships["s0-0"].damage) for end in ends] == [
        (2, True, 1),
        (1, False, 0),
    ]


def test_o1_1_the_sides_own_fleets_come_into_harbour_first():
    state = of_its_own(harbour=12).with_fleet("f1", at="p0")
    assert has_room(state, "f0") and not has_room(state, "f1")


def test_o1_1_a_road_carries_letters_where_it_is_quicker():
    road = {
        "type": "Feature",
        "geometry": {"type": "LineString", "coordinates": [[20, 36], [22.5, 36]]},
        "properties": {"from": "p0", "to": "p5", "kind": "road", "cost": 40},
    }
    position = war(options={"letters": "by_ship"}, ports=6)
    position["ports"] = {"p0": "side0", "p5": "side1"}
    assert days_between(begun(position), "side0", "side1") == 2
    position["world"]["features"].append(road)
    assert days_between(begun(position), "side0", "side1") == 1
