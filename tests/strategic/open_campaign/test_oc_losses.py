"""O2.4, O6.3, L2.2, L2.5: a battle's losses by name: transports, flagships and who is aboard, fittings, prizes."""

import pytest
from msgspec.structs import replace
from waters import begun, war

from strategic.naval.engagement import NavalOutcome, SideOutcome, check_outcome
from strategic.naval.handoff import battle_position, outcome_of
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.ending import lost_by, points
from strategic.open_campaign.rules.fighting import Fate, enter, float_prizes, throw_losses
from strategic.open_campaign.rules.meeting import battle
from strategic.open_campaign.state import Goal, join_fleets
from tactical import GALLEY
from tactical.battle import Result as Over
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE

CHIEF = {"admiral": "The Chief", "fight": 2}


def met(ships=4, transports=0, **fleets):
    """Fleet f0 of side 0 with transports and companies has met f1 of side 1 at p3; more fleets as given, by id."""
    position = war(ships=ships + transports, options={"small_battles": False, "land": True})
    for number in range(transports):
        position["ships"][f"s0-{ships + number}"] |= {"type": "transport", "companies": 1, "name": f"Tub {number}"}
    for each in ("f0", "f1"):
        position["fleets"][each] |= {"at": "p3", **fleets.pop(each, {})}
    for name, more in fleets.items():
        own = [f"{name}-{number}" for number in range(ships)]
        position["ships"] |= {ship: {"side": more["side"], "type": "trireme"} for ship in own}
        position["fleets"][name] = {"name": name, "at": "p3", "ships": own, **more}
    return battle(begun(position), "f0", "f1", Dice(source=lambda sides: 1))[0]


def come_home(state, *faces, winner=None, **sides):
    """The position after an outcome by side; what is rolled, in order."""
    told = NavalOutcome(winner, 5, {side: SideOutcome(**lost) for side, lost in sides.items()})
    check_outcome(state.engagement, told)
    return enter(state, state.engagement, told, Dice(faces))[0]


def fates(state, *ships):
    return [state.ships[each].status for each in ships]


# -- O6.3, L3.1 An outcome names every hull.


def test_o6_3_the_transport_that_is_named_is_lost_with_her_company_and_no_other():
    state = met(transports=3)
    lost = {"transports": 2, "sunk_transports": ("s0-6",), "captured_transports": ("s0-5",)}
    after = come_home(state, side0=lost)
    assert fates(after, "s0-4", "s0-5", "s0-6") == ["afloat", "captured", "sunk"]
    assert after.fleets["f0"].ships == ("s0-0", "s0-1", "s0-2", "s0-3", "s0-4")


@pytest.mark.parametrize("winner", ["side1", None])
def test_o6_3_a_transport_is_sunk_or_taken_as_it_was_on_the_table_whoever_has_won(winner):
    lost = {"transports": 2, "sunk_transports": ("s0-4",), "captured_transports": ("s0-5",), "fled": winner == "side1"}
    after = come_home(met(transports=2), winner=winner, side0=lost)
    assert fates(after, "s0-4", "s0-5") == ["sunk", "captured"]
    assert (after.ships["s0-4"].prize, after.ships["s0-5"].prize) == (0, 1 if winner else 0)


@pytest.mark.parametrize(("winner", "fate"), [("side1", "captured"), (None, "sunk")])
def test_o6_3_an_outcome_with_the_number_of_transports_alone_still_counts(winner, fate):
    after = come_home(met(transports=3), winner=winner, side0={"transports": 2, "fled": winner == "side1"})
    assert fates(after, "s0-4", "s0-5", "s0-6") == [fate, fate, "afloat"]


def test_o6_3_what_goes_to_the_table_comes_home_by_name():
    state = met(transports=3)
    table = GALLEY.start(None, battle_position(state.engagement), {}, Dice()).state
    models = {unit: name for name, unit in table.link.units.items()}
    assert table.ships[models["s0-6"]].name == "Tub 2"
    fallen = {"s0-6": "sunk", "s0-4": "captured", "s1-0": "withdrawn", "s0-5": "withdrawn"}
    ships = {models[unit]: replace(table.ships[models[unit]].away(fate)) for unit, fate in fallen.items()}
    told = outcome_of(table.with_ships(ships).ended(Over(None, {}, "limit")), state.engagement)
    mine = told.of("side0")
    assert (mine.sunk_transports, mine.captured_transports, mine.transports) == (("s0-6",), ("s0-4",), 2)
    assert (mine.fled_ships, told.of("side1").fled_ships) == (("s0-5",), ("s1-0",))
    after = enter(state, state.engagement, told, Dice())[0]
    assert fates(after, "s0-4", "s0-5", "s0-6") == ["captured", "afloat", "sunk"]


def test_o6_2_quick_dice_name_the_transports_that_are_lost_taken_of_the_beaten_and_sunk_of_others():
    state = met(transports=3)
    beaten = Fate(has_won=False, fled=True, warships=0, transports=1, most=9)
    for fate, lost in ((beaten, "captured"), (beaten._replace(fled=False), "sunk")):
        told = throw_losses(state, state.engagement, "side0", fate, Dice((50,) * 4 + (90, 1, 90)))
        names = {"sunk": told.sunk_transports, "captured": told.captured_transports}
        assert told.transports == 1 and names == {"sunk": (), "captured": (), lost: ("s0-5",)}


# -- O2.4, L2.5 Whoever is aboard a ship is aboard that ship.


def two_fleets(**more):
    """The Chief with his own fleet beside one that has nobody of a name, against f1."""
    return met(zzz={"side": "side0", **CHIEF, **more})


def test_l2_5_the_commanders_ship_is_the_flagship_on_the_table():
    sent = two_fleets().engagement.fleets["side0"]
    assert (sent.commander, sent.flagship, sent.rating) == ("zzz", "zzz-0", 2)
    position = battle_position(two_fleets().engagement)
    flagships = {position["link"]["units"][name] for name, ship in position["ships"].items() if ship.get("flagship")}
    assert flagships == {"zzz-0", "s1-0"}


@pytest.mark.parametrize(("sunk", "admiral"), [("s0-0", "The Chief"), ("zzz-1", "The Chief"), ("zzz-0", "")])
def test_o2_4_an_admiral_drowns_with_his_own_ship_alone(sunk, admiral):
    after = come_home(two_fleets(), *(() if admiral else (1,)), side0={"sunk": 1, "sunk_ships": (sunk,)})
    assert after.fleets["zzz"].admiral == admiral


def test_o2_4_an_admiral_who_does_not_command_the_side_is_aboard_his_ship_all_the_same():
    state = two_fleets().with_fleet("f0", admiral="Duilius", fight=1)
    after = come_home(state, 1, side0={"sunk": 1, "sunk_ships": ("s0-0",)})
    assert (after.fleets["f0"].admiral, after.fleets["zzz"].admiral) == ("", "The Chief")


def test_o2_4_an_admiral_of_transports_is_aboard_one_and_leaves_the_command_to_who_has_warships():
    state = met()
    tubs = {f"tub-{number}": replace(state.ships["s0-0"], type="transport") for number in range(2)}
    convoy = replace(state.fleets["f0"], ships=tuple(tubs), admiral="The Chief", fight=2)
    state = replace(state.with_ships(tubs), fleets=unengaged({**state.fleets, "convoy": convoy}), engagement=None)
    state = battle(state, "f0", "f1", Dice(source=lambda _: 1))[0]
    sent = state.engagement.fleets["side0"]
    assert (sent.commander, sent.flagship, sent.rating) == ("f0", "s0-0", 0)
    after = come_home(state, 1, side0={"transports": 1, "sunk_transports": ("tub-0",)})
    assert after.fleets["convoy"].admiral == ""


# -- O2.1, L2.2 A fitting belongs to its ship.


def test_l2_2_only_the_ship_that_has_the_corvus_has_it_on_the_table():
    state = met()
    fitted = state.with_ships({"s0-2": replace(state.ships["s0-2"], corvus=True)})
    fleets = {"f0": fitted.fleets["f0"], "f1": fitted.fleets["f1"]}
    again = battle(replace(fitted, engagement=None, fleets=unengaged(fleets)), "f0", "f1", Dice(source=lambda _: 1))[0]
    position = battle_position(again.engagement)
    assert {position["link"]["units"][name] for name, ship in position["ships"].items() if ship.get("corvus")} == {
        "s0-2"
    }


def unengaged(fleets):
    return {name: replace(fleet, engaged="", halted=()) for name, fleet in fleets.items()}


def test_l2_2_an_engagement_of_an_earlier_version_puts_the_corvus_on_all_as_it_did():
    state = met()
    sent = state.engagement.fleets["side0"]
    old = replace(sent, corvus=True, flagship="", units=tuple(replace(each, corvus=None) for each in sent.units))
    position = battle_position(replace(state.engagement, fleets={**state.engagement.fleets, "side0": old}))
    ships = [ship for ship in position["ships"].values() if ship["side"] == "side0"]
    assert all(ship["corvus"] for ship in ships) and [ship["flagship"] for ship in ships].count(True) == 1


# -- O6.3, O4.1 Prizes stay with who has taken them.

TAKEN = {"captured": 1, "captured_ships": ("s1-3",), "fled": True}


def prize(**fleets):
    """Fleet f0 has taken s1-3 at p3 while the largest fleet of its side lies far off; it is the next turn."""
    state = replace(met(**fleets), ports={"p0": "side0", "p5": "side1"})
    return replace(come_home(state, winner="side0", side1=TAKEN), turn=2)


def test_o6_3_a_prize_sails_with_the_fleet_that_has_taken_her():
    state = prize(big={"side": "side0", "at": "p0"})
    state = state.with_fleet("big", ships=(*state.fleets["big"].ships, *state.fleets["f0"].ships[1:]))
    state = state.with_fleet("f0", ships=state.fleets["f0"].ships[:1])
    after = float_prizes(state, Dice((6,)))[0]
    assert "s1-3" in after.fleets["f0"].ships and not after.prizes
    OPEN_CAMPAIGN.check(after)


@pytest.mark.parametrize("lost", ["sunk", "engaged"])
def test_o6_3_a_prize_whose_captor_is_lost_or_waits_for_a_battle_makes_for_the_nearest_port_of_his(lost):
    state = prize(big={"side": "side0", "at": "p5"})
    if lost == "sunk":
        gone = {each: replace(state.ships[each], status="sunk") for each in state.fleets["f0"].ships}
        state = state.with_ships(gone).with_fleet("f0", ships=())
    else:
        state = state.with_fleet("f0", engaged="t2-1-1-1")
    after = float_prizes(state, Dice((6,)))[0]
    (name,) = (name for name, fleet in after.fleets.items() if "s1-3" in fleet.ships)
    assert (after.fleets[name].at, after.fleets[name].side) == ("p0", "side0")


def test_o6_3_a_prize_goes_with_her_captor_into_the_fleet_that_he_joins():
    state = prize(big={"side": "side0", "at": "p3"})
    after = float_prizes(join_fleets(state, "f0", "big"), Dice((6,)))[0]
    assert "s1-3" in after.fleets["big"].ships


def test_o6_3_nobody_but_the_umpire_reads_with_whom_a_prize_sails():
    state = prize()
    assert OPEN_CAMPAIGN.view(state, UMPIRE)["prizes"] == {"s1-3": {"fleet": "f0", "place": "p3"}}
    assert all("prizes" not in OPEN_CAMPAIGN.view(state, side) for side in ("side0", "side1"))


# -- O9.1 Points for taking stay taken; getting one's own ship back is no taking.


def test_o9_1_points_for_a_ship_that_was_taken_stay_when_she_is_sunk_and_when_she_is_taken_back():
    goals = tuple(Goal(side, "taken", "p3", 10) for side in ("side0", "side1"))
    state = replace(prize(), goals=goals)
    state = float_prizes(state, Dice((6,)))[0]
    before = points(state)

    def goal_points(now):
        return {side: sum_ - value(now, side) for side, sum_ in points(now).items()}

    assert goal_points(state) == {"side0": 10, "side1": 0}
    again = battle(replace(state, fleets=unengaged(state.fleets)), "f0", "f1", Dice(source=lambda _: 1))[0]
    sunk = come_home(again, side0={"sunk": 1, "sunk_ships": ("s1-3",)})
    assert goal_points(sunk) == {"side0": 10, "side1": 0} and points(sunk) != before
    back = come_home(again, winner="side1", side0={"captured": 1, "captured_ships": ("s1-3",), "fled": True})
    home = float_prizes(replace(back, turn=3), Dice((6,)))[0]
    assert goal_points(home) == {"side0": 10, "side1": 0}
    mine = home.ships["s1-3"]
    assert (mine.side, mine.was, mine.captured_by, lost_by(home, "side1")) == ("side1", "", None, 0)
    assert OPEN_CAMPAIGN.view(home, "side0")["taken"] == {"side0": ("s1-3",)}
    assert OPEN_CAMPAIGN.view(home, "side0")["stopped_now"]["side0"] == points(home)["side0"]


def value(state, side):
    return round(
        sum(
            state.tables.type[ship.type].value
            for ship in state.ships.values()
            if (ship.side, ship.status) == (side, "afloat")
        )
    )
