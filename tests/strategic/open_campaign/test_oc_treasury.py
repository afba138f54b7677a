"""O8.1 Full money: loans, subsidies, ransom, and pay in arrears. O3.1 When a turn's money comes and goes."""

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, said, war

from strategic.naval.handoff import ship_name
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.commands import Ready
from strategic.open_campaign.rules.fighting import admirals_fate
from strategic.open_campaign.rules.money import income_of, launch_ship, pay_fleets, upkeep
from strategic.open_campaign.setup import SCENARIOS, opening
from strategic.open_campaign.state import Captive, OnLane, Options, Stock, join_fleets
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import SPECTATOR, Illegal

ROW = TABLES.money


def chests(ships=12, money=(1000, 1000), **more):
    """Two sides of six ships with a port of rank 80 each and full money, a week a turn."""
    position = war(ships=ships, turn_length="week", options={"money": "full", **more.pop("options", {})}, **more)
    position["ports"] = {"p0": "side0", "p1": "side1"}
    position["money"] = {"side0": money[0], "side1": money[1]}
    return begun(position)


def throw(face):
    return Dice(source=lambda sides: face, secret=lambda sides: face)


def test_o8_1_a_loan_is_lent_on_the_ports_income_grows_and_is_paid_back():
    state = chests()
    most = ROW.loan * ROW.income["80"]
    state = said(state, "side0", type="borrow", side="side0", amount=most)
    assert (state.money["side0"], state.debts) == (1000 + most, {"side0": most})
    with pytest.raises(Illegal, match="at most 0"):
        said(state, "side0", type="borrow", side="side0", amount=1)
    after = pay_fleets(state, throw(1))[0]
    assert after.debts["side0"] == most + most * ROW.interest * 7 // 3000
    paid = said(state, "side0", type="repay", side="side0", amount=most)
    assert (paid.money["side0"], paid.debts) == (1000, {})
    assert OPEN_CAMPAIGN.view(state, "side1")["debts"] == {} == OPEN_CAMPAIGN.view(state, SPECTATOR)["debts"]


def test_o8_1_a_subsidy_is_paid_at_the_beginning_of_each_turn_as_far_as_the_chest_reaches():
    state = chests(ships=1)
    state = said(state, "side0", type="subsidize", side="side0", to="side1", amount=600, turns=2)
    assert OPEN_CAMPAIGN.view(state, "side1")["subsidies"] and not OPEN_CAMPAIGN.view(state, SPECTATOR)["subsidies"]
    income, pay = ROW.income["80"] * 7 // 30, ROW.upkeep["trireme"] * 7 // 30 // 4
    once = all_ready(state)
    assert once.money == {"side0": 1000 - pay + income - 600, "side1": 1000 - pay + income + 600}
    twice = all_ready(once)
    assert twice.money["side0"] == 0 and not twice.subsidies, "the chest does not hold all of it"
    assert said(state, "side0", type="subsidize", side="side0", to="side1", amount=0).subsidies == ()


def test_o8_1_an_admiral_who_was_taken_is_bought_back_and_commands_again():
    state = chests(money=(3000, 0)).with_fleet("f0", admiral="Duilius", seamanship=1, fight=2)
    state = admirals_fate(state, "f0", "side1", Dice((3,)))[0]
    price = ROW.ransom + 3 * ROW.ransom_rating
    assert state.captives == (Captive("side0", "side1", "Duilius", 1, 2, price),)
    state = said(state, "side0", type="ransom", side="side0", name="Duilius")
    assert state.money == {"side0": 3000 - price, "side1": price} and state.captives == ()
    fleet = state.fleets["f0"]
    assert (fleet.admiral, fleet.seamanship, fleet.fight) == ("Duilius", 1, 2)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ({"type": "ransom", "name": "Xanthippus"}, "No enemy holds anybody"),
        ({"type": "subsidize", "to": "side1", "amount": 1001}, "does not hold that much"),
        ({"type": "subsidize", "to": "side1", "amount": 1, "turns": 0}, "for 1 to 60 turns"),
        ({"type": "subsidize", "to": "side0", "amount": 1}, "another side"),
        ({"type": "repay", "amount": 1}, "at most 0 talents"),
    ],
)
def test_o8_1_nobody_pays_what_there_is_not(command, why):
    with pytest.raises(Illegal, match=why):
        said(chests(), "side0", side="side0", **command)
    with pytest.raises(Illegal, match="no loans"):
        said(begun(war(options={"money": "simple"}, money={"side0": 9, "side1": 9})), "side0", side="side0", **command)


def test_o8_1_a_fleet_that_is_not_paid_loses_heart_and_rowers_and_is_paid_its_arrears_first():
    state = chests(money=(0, 1000)).with_fleet("f0", at=OnLane("p0--p1", 12))
    due = 12 * ROW.upkeep["trireme"] * 7 // 30
    after = pay_fleets(state, throw(6))[0]
    assert after.fleets["f0"].arrears == due
    assert {(ship.pips, ship.short) for name, ship in after.ships.items() if ship.side == "side0"} == {(4, 1)}
    rich = pay_fleets(replace(after, money={"side0": 3 * due, "side1": 0}), throw(6))[0]
    assert (rich.fleets["f0"].arrears, rich.money["side0"]) == (0, due)
    assert rich.ships["s0-0"] == after.ships["s0-0"]


def test_o8_1_the_arrears_of_both_are_owed_by_fleets_that_join_and_shared_by_those_that_part():
    state = chests().with_fleet("f0", arrears=601)
    apart = said(state, "side0", type="detach", side="side0", fleet="f0", ships=["s0-0", "s0-1", "s0-2"], new="x")
    assert [apart.fleets[name].arrears for name in ("f0", "f0-x")] == [451, 150], "a quarter of the ships, the pay"
    again = join_fleets(apart, "f0", "f0-x")
    assert [again.fleets[name].arrears for name in ("f0", "f0-x")] == [0, 601]
    assert not again.fleets["f0"].ships and len(again.fleets["f0-x"].ships) == 12


def test_o8_1_the_books_tell_what_was_paid_and_not_what_was_due():
    state = begun(war(options={"money": "simple"}, turn_length="week", money={"side0": 3, "side1": 9999}))
    after, told = pay_fleets(state, throw(1))
    spent = {each.data["side"]: each.data["spent"] for each in told}
    assert spent["side0"] == 3 and after.money["side0"] == 0
    assert spent["side1"] == 9999 - after.money["side1"] == 12 * ROW.upkeep["trireme"] * 7 // 30


@pytest.mark.parametrize(("length", "turns"), [("day", 30), ("week", 30), ("month", 1)])
@pytest.mark.parametrize("rank", [70, 80, 90, 100])
def test_o8_1_the_turns_of_a_month_bring_and_cost_what_the_month_does(rank, length, turns):
    position = war(ships=1, options={"money": "simple"}, turn_length=length)
    position["ports"] = {"p0": "side0"}
    position["world"]["features"][0]["properties"]["rank"] = rank
    state = begun(position)
    days = state.tables.days[length]
    each = [replace(state, turn=turn) for turn in range(1, turns + 1)]
    monthly = ROW.income[str(rank)]
    assert sum(income_of(now, "side0", days) for now in each) == monthly * turns * days // 30
    for at, pay in (("p5", ROW.upkeep["trireme"]), ("p0", ROW.upkeep["trireme"] / ROW.laid_up)):
        assert sum(upkeep(now.with_fleet("f0", at=at), "f0", days) for now in each) == int(pay * turns * days / 30)


def test_o2_1_a_ship_that_is_launched_has_a_name_of_her_sides_list_that_no_other_has():
    state = chests(ships=2)
    taken = {"s0-0": replace(state.ships["s0-0"], name=ship_name("side0", 0))}
    lost = {"s0-1": replace(state.ships["s0-1"], name=ship_name("side0", 1), side="side1", was="side0")}
    state = state.with_ships({**taken, **lost}).with_fleet("f0", ships=("s0-0",)).with_fleet("f1", ships=())
    for number in range(2, 4):
        before = set(state.ships)
        state = launch_ship(state, Stock("side0", "p0", "bireme", 0))
        (new,) = set(state.ships) - before
        assert state.ships[new].name == ship_name("side0", number) and state.ships[new].captain
    for scenario in SCENARIOS.values():
        borne = [(ship.side, ship.name) for ship in opening(scenario, Options()).ships.values()]
        assert len(set(borne)) == len(borne), "no name twice"


def test_o6_1_a_ship_that_is_launched_is_not_tied_to_a_fleet_that_waits_for_its_battle():
    state = chests(ships=2).with_fleet("f0", engaged="t1-1-1-1")
    after = launch_ship(state, Stock("side0", "p0", "bireme", 0))
    assert after.fleets["f0"].ships == ("s0-0", "s0-1")
    (new,) = set(after.fleets) - set(state.fleets)
    assert (after.fleets[new].at, after.fleets[new].engaged, len(after.fleets[new].ships)) == ("p0", "", 1)


def test_o3_1_income_comes_before_the_orders_and_upkeep_after_the_days():
    state = all_ready(chests(ships=1, money=(100, 100)))
    told = OPEN_CAMPAIGN.apply(
        replace(state, ready={"side0": True, "side1": False}),
        "side1",
        Ready(side="side1"),
        throw(3),
    ).events
    kinds = [each.type for each in told if each.type in ("books", "turn_begins", "income")]
    assert kinds == ["books", "books", "turn_begins", "income", "income"]
