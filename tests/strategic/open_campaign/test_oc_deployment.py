"""O5.3, O6.1 How a battle begins that two fleets come to; O6.2, O6.3 what quick dice do, and what comes home of it."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from waters import begun, war

from strategic.naval.engagement import Deployment, NavalOutcome, SideOutcome, Wounds, check_outcome
from strategic.naval.handoff import TABLE, battle_position, outcome_of
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.days import report
from strategic.open_campaign.rules.fighting import Fate, enter, quick_dice, strength, throw_losses
from strategic.open_campaign.rules.meeting import battle, deployment, stance
from strategic.open_campaign.rules.sailing import after_watch
from strategic.open_campaign.rules.sight import eye_of
from strategic.open_campaign.state import OnLane, Order, Sky
from strategic.open_campaign.tables import TABLES
from tactical import GALLEY
from tactical.board import column_row
from tactical.kernel.dice import Dice
from tactical.kernel.record import encode, plain
from tactical.rules.end_of_turn import next_turn
from tactical.rules.ending import without_ships
from tactical.rules.linked import arrive

SEA = "ionian_sea"
THROWS = Dice(source=lambda sides: 3, secret=lambda sides: 3)


def waters(ships=10, **more):
    """Two fleets in one place and a third of the first side ten miles off, under an east wind."""
    position = war(ships=ships, options={"weather": True}, **more)
    third = {"side": "side0", "name": "Third", "at": {"lane": "p3--p4", "miles": 10}, "ships": []}
    third["ships"] = [f"t{number}" for number in range(10)]
    position["fleets"]["f9"] = third
    position["ships"] |= {ship: {"side": "side0", "type": "trireme"} for ship in third["ships"]}
    for name in ("f0", "f1"):
        position["fleets"][name]["at"] = "p3"
    state = replace(begun(position), weather={SEA: Sky("E", "calm")}, day=1, watch=1, step="running")
    return state.with_fleet("f0", heading="W")


def met(state):
    return battle(state, "f0", "f1", THROWS)[0]


def test_o5_3_a_third_fleet_comes_in_on_a_later_turn_with_its_ships():
    state = met(waters())
    assert state.engagement.late == dict.fromkeys([f"t{number}" for number in range(10)], 2 + round(60 / 7) + 3)
    assert state.engagement.facts == {}
    assert len(state.engagement.fleets["side0"].units) == 20
    shy = met(waters().with_fleet("f9", shy=True))
    assert shy.engagement.late == {} and len(shy.engagement.fleets["side0"].units) == 10


def test_o5_3_on_the_table_they_wait_until_their_turn_and_then_stand_along_their_own_edge():
    engagement = met(waters()).engagement
    table = GALLEY.start(None, battle_position(engagement), {}, Dice()).state
    assert len(table.ships) == 20
    (coming,) = table.link.arrivals
    assert (coming.side, coming.turn, len(coming.ships)) == ("side0", 14, 10)
    assert all(ship.heavy + ship.medium + ship.light for ship in coming.ships.values())
    early, told = arrive(table)
    assert early == table and not told
    eve = next_turn(replace(table, turn=13))
    there, told = arrive(eve)
    assert [each["type"] for each in map(plain, told)] == ["arrived"] and len(there.ships) == 30
    assert there.link.arrivals is UNSET and GALLEY.invariants(there) == ()
    assert len({ship.at for ship in there.ships.values()}) == 30
    assert {column_row(there.ships[name].at)[1] <= 4 for name in coming.ships} == {True}


def test_o5_3_a_battle_that_ends_before_they_come_sends_them_home_unhurt():
    engagement = met(waters()).engagement
    table = GALLEY.start(None, battle_position(engagement), {}, Dice()).state
    gone = {name: replace(ship, status="sunk", at=None) for name, ship in table.ships.items() if ship.side == "side0"}
    home = outcome_of(without_ships(table.with_ships(gone))[0], engagement)
    assert (home.winner, home.sides["side0"].sunk, home.sides["side0"].left) == ("side1", 10, 10)


def test_o5_3_ships_that_come_late_count_half_in_quick_dice():
    state = met(waters())
    assert strength(state, state.engagement, "side0") == pytest.approx(15 * TABLES.quick.value["trireme"])
    assert strength(state, state.engagement, "side1") == pytest.approx(10 * TABLES.quick.value["trireme"])


def test_o6_1_who_did_not_move_lay_at_anchor_with_the_shore_behind_and_who_came_with_the_wind_has_it():
    found = deployment(waters(), "f0", "f1")
    assert found == Deployment(anchored=("side1",), shore="side1", windward="side0")
    off = waters().with_fleet("f1", at=OnLane("p2--p3", 12), heading="E")
    off = off.with_fleet("f0", at="p3")
    assert deployment(off, "f0", "f1") == Deployment(windward="side0")
    assert deployment(off, "f1", "f0") == Deployment(windward="side0")
    calm = replace(waters(), weather={})
    assert deployment(calm, "f0", "f1").windward == ""


def test_o6_1_the_table_shows_the_shore_the_anchored_and_who_deploys_last():
    position = battle_position(met(waters()).engagement)
    assert {ship["speed"] for ship in position["ships"].values() if ship["side"] == "side1"} == {0}
    assert {ship["speed"] for ship in position["ships"].values() if ship["side"] == "side0"} == {2}
    rows = {column_row(at)[1] for at in position["board"]["land"]}
    assert rows == {TABLE.board.rows - 1}
    assert position["link"]["deploying"] == ["side0"]
    table = GALLEY.start(None, position, {}, Dice()).state
    assert GALLEY.invariants(table) == ()
    assert encode(GALLEY.start(None, plain(table), {}, Dice()).state) == encode(table)


def test_o6_2_a_side_alone_caught_at_anchor_has_two_less():
    state = met(waters(ships=12).with_fleet("f9", shy=True))
    caught = replace(state.engagement, deployment=Deployment(anchored=("side1",)))
    faces = (4, 3, *[100] * 30)
    free = replace(state.engagement, deployment=Deployment())

    def winner(engagement):
        dice = Dice(faces[:2], source=lambda sides: sides // 2 + 1)
        after, _ = quick_dice(replace(state, engagement=engagement), dice)
        return after.settled[engagement.id].winner

    assert winner(free) is None and winner(caught) == "side0"


def test_o6_2_ships_come_home_damaged_and_are_not_sunk_by_it():
    state = met(waters())
    routed, winner = Fate(False, True, 55, 55, 24), Fate(True, False, 6, 6, 24)
    hurt = throw_losses(state, state.engagement, "side1", routed, Dice(source=lambda sides: sides))
    assert set(hurt.damage) == {f"s1-{number}" for number in range(10)} and set(hurt.damage.values()) == {3}
    sound = throw_losses(state, state.engagement, "side1", winner, Dice(source=lambda sides: min(sides, 90)))
    assert sound.damage == {} and sound.lost == 0


def settled(after, do="patrol", **more):
    """What the first side does in its next days when it has won, with this standing order."""
    state = met(replace(waters(**more), ports={"p0": "side0", "p5": "side1"}))
    orders = {"side0": {"f0": Order(do, state.turn, to="p3", stance="seek", after=after)}}
    state = replace(state, orders=orders)
    outcome = NavalOutcome(winner="side0", turns=3, sides={"side1": SideOutcome(fled=True)})
    return enter(state, state.engagement, outcome, THROWS)[0]


@pytest.mark.parametrize(
    ("after", "course", "pursuit"),
    [
        ("", "", ""),
        ("follow", "p5", "follow"),
        ("blockade", "p5", "blockade"),
        ("besiege", "p5", "besiege"),
        ("home", "p0", ""),
    ],
)
def test_o6_3_the_winner_follows_blockades_besieges_or_goes_home_by_his_standing_order(after, course, pursuit):
    state = settled(after)
    assert (state.fleets["f0"].course, state.fleets["f0"].pursuit) == (course, pursuit)
    assert state.fleets["f1"].course == "p5" and stance(state, "f1", "f0") == "avoid"
    assert state.task("f0") == (pursuit or "patrol")
    if pursuit:
        assert stance(state, "f0", "f1") == "seek"


def test_o6_3_the_pursuit_sails_and_ends_with_the_turn():
    state = replace(settled("follow"), watch=0)
    assert after_watch(state, "f0") == OnLane("p3--p4", 14)  # weary after the battle
    ended = report(state, THROWS)[0]
    assert ended.fleets["f0"].pursuit == "" and ended.fleets["f0"].course == ""


def test_o2_1_breaches_oars_and_marines_come_home_from_the_table_and_go_back_to_it():
    state = met(waters())
    wounds = {"s0-0": Wounds(breaches=1, oars=True, marines=2)}
    told = NavalOutcome(turns=3, sides={"side0": SideOutcome(wounds=wounds), "side1": SideOutcome(wounds={})})
    check_outcome(state.engagement, told)
    after = enter(state, state.engagement, told, THROWS)[0]
    ship = after.ships["s0-0"]
    assert (ship.breaches, ship.oars, ship.marines) == (1, True, 2)
    again = met(replace(after, engagement=None, met=(), step="running"))
    sheet = battle_position(again.engagement)["ships"]["side01"]
    full = battle_position(state.engagement)["ships"]["side01"]
    assert (sheet["breaches"], sheet["oars_broken"]) == (1, True) and "heavy" not in full
    table = GALLEY.start(None, battle_position(again.engagement), {}, Dice()).state
    fresh = GALLEY.start(None, battle_position(state.engagement), {}, Dice()).state
    marines = [sum((each.heavy, each.medium, each.light)) for each in (fresh.ships["side01"], table.ships["side01"])]
    assert marines[0] - marines[1] == 2


def test_o2_1_a_table_that_ends_says_the_wounds_of_those_who_come_home():
    engagement = met(waters()).engagement
    table = GALLEY.start(None, battle_position(engagement), {}, Dice()).state
    table = table.with_ship("side01", replace(table.ships["side01"], breaches=2, damage=1))
    sunk = {name: replace(ship, status="sunk", at=None) for name, ship in table.ships.items() if ship.side == "side1"}
    ended, _ = without_ships(table.with_ships(sunk))
    home = outcome_of(ended, engagement)
    assert home.winner == "side0" and home.sides["side0"].wounds == {"s0-0": Wounds(breaches=2)}


def test_o2_1_every_ship_of_a_scenario_has_a_captain_and_a_home_port():
    state = OPEN_CAMPAIGN.start("sicily", None, {}, Dice()).state
    assert all(ship.captain and ship.home for ship in state.ships.values())
    assert len({ship.captain for ship in state.ships.values()}) >= 40


def test_o6_3_captains_drown_are_taken_or_praised():
    state = met(waters())
    side1 = SideOutcome(sunk=1, captured=1, fled=True, sunk_ships=("s1-0",), captured_ships=("s1-1",))
    told = NavalOutcome(winner="side0", turns=3, sides={"side0": SideOutcome(damage={"s0-0": 2}), "side1": side1})
    ships = enter(state, state.engagement, told, THROWS)[0].ships
    assert [ships[each].fate for each in ("s1-0", "s1-1", "s0-0", "s0-1")] == ["drowned", "taken", "praised", ""]


def patrolling(to="p3", **more):
    """The second fleet, ordered to patrol this space, where the first comes upon it."""
    state = waters().with_fleet("f1", **more)
    return replace(state, orders={"side1": {"f1": Order("patrol", state.turn, to=to)}})


def test_o3_3_a_patrol_is_not_caught_at_anchor_at_its_station_and_looks_out_as_a_scout_does():
    state = patrolling()
    assert deployment(state, "f0", "f1") == Deployment(windward="side0")
    assert eye_of(state, "f1", state.fleets["f1"], (0.0, 0.0)).scouts


@pytest.mark.parametrize("other", [{"to": "p4"}, {"kept": True}, {"course": "p5"}, {"pursuit": "blockade"}])
def test_o3_3_a_patrol_elsewhere_or_kept_in_or_that_flees_is_at_anchor_and_looks_out_as_others_do(other):
    state = patrolling(**other)
    assert deployment(state, "f0", "f1").anchored == ("side1",)
    assert not eye_of(state, "f1", state.fleets["f1"], (0.0, 0.0)).scouts
