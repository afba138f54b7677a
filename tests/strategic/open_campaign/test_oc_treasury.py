"""O8.1 Full money: loans, subsidies, ransom, and pay in arrears. O3.1 When a turn's money comes and goes."""

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, said, war

from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.commands import Ready
from strategic.open_campaign.rules.fighting import admirals_fate
from strategic.open_campaign.rules.money import pay_fleets
from strategic.open_campaign.state import Captive, OnLane
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
    assert after.debts["side0"] == most + -(-most * ROW.interest * 7 // 3000)
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
