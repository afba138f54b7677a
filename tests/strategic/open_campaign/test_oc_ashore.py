"""O7.1 Landings, sieges, raids; O8.1 simple money. Both are switches, off at first."""

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, said, war

from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.fighting import ashore, embark, garrison, sieges
from strategic.open_campaign.rules.money import income, launch, pay_fleets, take_in
from strategic.open_campaign.setup import SCENARIOS, opening
from strategic.open_campaign.state import Options, Ship, Side, Siege, Treaty
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal


def landing(do="land", companies=4, **more):
    """Side 0 with companies before a port of side 1, and its order."""
    position = war(ships=8, turn_length="week", options={"land": True, "money": "simple"}, **more)
    position["fleets"]["f0"]["at"] = "p3"
    position["ports"] = {"p0": "side0", "p3": "side1"}
    position["garrisons"] = {"p3": 2}
    position["pins"] = {"side0": [{"space": f"p{number}", "note": "look", "turn": 1} for number in (1, 2)]}
    position["treaties"] = [{"by": "side0", "to": "side1", "terms": [], "text": "No fire ships.", "turn": 1}]
    position["money"] = {"side0": 1000, "side1": 1000}
    for number in range(4):
        position["ships"][f"s0-{number}"] |= {"type": "transport", "companies": int(number < companies)}
    return said(begun(position), "side0", type="order", side="side0", fleet="f0", do=do, to="p3")


@pytest.mark.parametrize(
    ("faces", "holder", "siege", "left"),
    [((5, 3), "side0", False, 0), ((3, 3), "side1", True, 4), ((2, 2), "side1", False, 2)],
)
def test_o7_1_a_landing_takes_the_port_besieges_it_or_is_beaten_off(faces, holder, siege, left):
    state = landing()
    assert garrison(state, "p3") == 2
    after, _ = ashore(state, Dice(faces))
    assert (after.ports["p3"], "p3" in after.sieges) == (holder, siege)
    assert sum(ship.companies for ship in after.ships.values()) == left
    assert holder == "side1" or garrison(after, "p3") == 4


@pytest.mark.parametrize(("ships", "points"), [(4, 1), (12, 2)])
def test_o7_1_a_siege_gains_a_point_a_week_and_two_under_a_blockade(ships, points):
    state = landing("besiege")
    more = {f"x{number}": replace(state.ships["s0-7"]) for number in range(ships)}
    state = state.with_ships(more).with_fleet("f0", ships=(*state.fleets["f0"].ships, *more))
    if ships < 10:
        state = state.with_fleet("f0", ships=state.fleets["f0"].ships[:4])
    after, _ = ashore(state, Dice())
    assert after.sieges["p3"].points == points


def test_o7_1_a_besieged_port_falls_at_a_tenth_of_its_rank_and_a_siege_without_companies_is_lifted():
    state = replace(landing("besiege"), sieges={"p3": Siege("side0", 7)})
    assert sieges(state)[0].ports["p3"] == "side0"
    assert not sieges(replace(landing(companies=0), sieges={"p3": Siege("side0", 7)}))[0].sieges


def allied(first="besiege", second="besiege", ally="side2"):
    """Side 0 with companies, and an ally of it with one company and seven triremes, before a port of side 1."""
    state = landing(first)
    ships = {f"ally-{number}": Ship(ally, "trireme") for number in range(7)}
    ships["ally-7"] = Ship(ally, "transport", companies=1)
    fleet = replace(state.fleets["f0"], side=ally, ships=tuple(ships))
    sides = {**state.sides, ally: Side(ally, allies=("side0",))}
    fleets = {"aaa": fleet, **state.fleets}
    orders = {**state.orders, ally: {"aaa": replace(state.orders["side0"]["f0"], do=second)}}
    return replace(state.with_ships(ships), sides=sides, fleets=fleets, orders=orders)


def weeks_of_siege(state, turns):
    """The points of the siege after each of so many weeks with the same orders; None once the port has fallen."""
    found = []
    for _ in range(turns):
        state, _told = ashore(state, Dice())
        found.append(state.sieges["p3"].points if "p3" in state.sieges else None)
    return found


def test_o7_1_two_allies_who_besiege_one_port_take_it_no_later_than_one_alone():
    alone, together = (weeks_of_siege(state, 8) for state in (landing("besiege"), allied()))
    assert alone == [1, 2, 3, 4, 5, 6, 7, None]
    assert together == [2, 4, 6, None, None, None, None, None], "the triremes of both are a blockade"


def test_o7_1_a_siege_goes_on_with_the_ally_when_the_side_that_began_it_is_gone():
    state = replace(allied(), sieges={"p3": Siege("side0", 5)})
    state = state.with_fleet("f0", at="p0")
    after, _ = ashore(state, Dice())
    assert after.sieges["p3"] == Siege("side2", 6)


def test_o7_1_no_enemy_of_the_besiegers_breaks_or_inherits_their_siege():
    state = replace(allied(), sieges={"p3": Siege("side0", 5)})
    state = replace(state, sides={**state.sides, "side2": Side("side2")})
    assert ashore(state, Dice())[0].sieges["p3"] == Siege("side0", 6)
    gone, _ = ashore(state.with_fleet("f0", at="p0"), Dice())
    assert gone.sieges["p3"] == Siege("side2", 1)


def test_o7_1_an_ally_storms_with_the_points_of_the_siege():
    state = replace(allied("besiege", "land"), sieges={"p3": Siege("side0", 4)})
    assert ashore(state, Dice((4, 3)))[0].ports["p3"] == "side2", "a throw of 7, a company less 2, 4 points"


def test_o7_1_with_peace_the_siege_is_over():
    peace = Treaty("side0", "side1", ("peace",), turn=1)
    state = replace(landing("besiege"), sieges={"p3": Siege("side0", 7)}, treaties=(peace,))
    after, _ = ashore(state, Dice())
    assert not after.sieges and after.ports["p3"] == "side1"


def test_o7_1_companies_embark_in_a_port_of_their_own_and_one_stays():
    state = landing(companies=0).with_fleet("f0", at="p0")
    after = embark(state, "f0")
    assert sum(ship.companies for ship in after.ships.values()) == 1 and garrison(after, "p0") == 1
    aboard = opening(SCENARIOS["sicily"], Options(land=True)).ships.values()
    assert all(ship.companies == (not ship.is_warship) for ship in aboard)


def test_o7_1_a_raid_takes_a_weeks_income():
    after, told = ashore(landing("raid"), Dice())
    week = income(after, "p3", 7)
    assert week == 70 and after.money == {"side0": 1000 + week, "side1": 1000 - week} and told[0].type == "raided"


@pytest.mark.parametrize("do", ["land", "raid", "besiege", "embark"])
def test_o7_1_without_the_switch_there_is_no_war_on_land(do):
    to = {} if do == "embark" else {"to": "p3"}
    with pytest.raises(Illegal, match="no war on land"):
        said(begun(war()), "side0", type="order", side="side0", fleet="f0", do=do, **to)


def turn_of(state, faces=()):
    """The money of a turn: what it brings at its beginning and costs at its end."""
    return pay_fleets(take_in(state)[0], Dice(secret=iter(faces).__next__ if faces else None))[0]


def test_o8_1_ports_bring_income_and_ships_cost_upkeep_a_quarter_in_port():
    state = landing()
    after = turn_of(state)
    transports, triremes = 4 * 25, 4 * 100
    assert after.money["side0"] == 1000 + 70 - (transports + triremes) * 7 // 30
    laid_up = turn_of(state.with_fleet("f0", at="p0"))
    assert laid_up.money["side0"] == 1000 + 70 - (transports + triremes) * 7 // 30 // 4


def test_o8_1_rowers_at_sea_who_are_not_paid_lose_heart_and_repair_is_paid():
    state = replace(landing(), money={"side0": 0, "side1": 0})
    assert turn_of(state).ships["s0-7"].pips == state.ships["s0-7"].pips - 1
    hurt = state.with_ships({"s0-7": replace(state.ships["s0-7"], damage=3)}).with_fleet("f0", at="p0")
    poor, rich = (all_ready(replace(hurt, money={"side0": left, "side1": 0}, orders={})) for left in (0, 500))
    assert (poor.ships["s0-7"].damage, rich.ships["s0-7"].damage) == (3, 0)


def test_o8_1_a_ship_is_laid_down_paid_and_launched_after_her_weeks():
    state = said(landing(), "side0", type="build", side="side0", port="p0", ship="bireme")
    assert state.money["side0"] == 900 and not OPEN_CAMPAIGN.view(state, "side1")["stocks"]
    ready = replace(state, stocks=(replace(state.stocks[0], days=7),))
    after, _ = launch(ready)
    (new,) = set(after.ships) - set(state.ships)
    assert (after.ships[new].type, after.ships[new].pips) == ("bireme", 2) and not after.stocks
    OPEN_CAMPAIGN.check(after)


@pytest.mark.parametrize(
    ("port", "ship", "why"),
    [("p3", "bireme", "does not hold the port"), ("p0", "hepteres", "does not hold"), ("p0", "raft", "does not hold")],
)
def test_o8_1_only_in_a_yard_of_ones_own_and_for_what_the_chest_holds(port, ship, why):
    state = replace(landing(), money={"side0": 400, "side1": 0})
    with pytest.raises(Illegal, match=why):
        said(state, "side0", type="build", side="side0", port=port, ship=ship)


def test_o8_1_without_money_nothing_is_built_and_the_umpire_sees_all_chests():
    with pytest.raises(Illegal, match="no money"):
        said(begun(war()), "side0", type="build", side="side0", port="p0", ship="bireme")
    state = landing()
    assert OPEN_CAMPAIGN.view(state, "side0")["money"] == {"side0": 1000}
    assert OPEN_CAMPAIGN.view(state, UMPIRE)["money"] == {"side0": 1000, "side1": 1000}


def test_o7_1_companies_that_land_in_a_port_of_their_own_join_its_garrison():
    state = said(landing(), "side0", type="order", side="side0", fleet="f0", do="land", to="p0").with_fleet(
        "f0", at="p0"
    )
    after, told = ashore(state, Dice())
    assert garrison(after, "p0") == garrison(state, "p0") + 4 and not told
    assert not any(ship.companies for ship in after.ships.values())
