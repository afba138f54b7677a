"""O2.2 Models of the table; O2.4 ratings as captains' levels; O6.2 the forecast by the table of quick dice."""

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, said, war

from strategic.naval.handoff import battle_position
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.fighting import captains_level, instant, quick_dice, result
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal

FOUND = {"Lidia": {"trireme": 5, "quinquereme": 2}, "Marco": {"trireme": 1}}


def meeting(ships=12, seed=0, **options):
    position = war(ships=ships, options=options)
    for fleet in position["fleets"].values():
        fleet["at"] = "p3"
    for number in range(seed, seed + 20):
        state = begun(position)
        for side, fleet in (("side0", "f0"), ("side1", "f1")):
            state = said(state, side, type="order", side=side, fleet=fleet, do="patrol", to="p3", stance="seek")
        state = all_ready(state, number)
        if state.engagement is not None:
            return state
    raise AssertionError("they never meet")


def on_the_table(state, most=1):
    name = state.engagement.id
    for side in ("side0", "side1"):
        state = said(state, side, type="choose_way", side=side, engagement=name, way="battle")
    return said(state, UMPIRE, type="open_battle", engagement=name, models_per_unit=most)


def test_o2_2_models_are_registered_by_owner_and_seen_by_all():
    state = begun(war())
    for owner, own in FOUND.items():
        state = said(state, "side0", type="register", side="side0", owner=owner, models=own)
    assert state.models == {"side0": FOUND} == OPEN_CAMPAIGN.view(state, "side1")["models"]
    state = said(state, "side0", type="register", side="side0", owner="Lidia", models={})
    assert state.models == {"side0": {"Marco": {"trireme": 1}}}
    with pytest.raises(Illegal, match="0 to 200 models"):
        said(state, "side0", type="register", side="side0", owner="Marco", models={"raft": 1})


@pytest.mark.parametrize(("most", "own", "models"), [(8, 0, 6), (0, 8, 4), (0, 0, 12), (12, 24, 12)])
def test_o2_2_a_battle_asks_for_no_more_models_than_the_table_has(most, own, models):
    state = meeting(models=most)
    if own:
        state = said(state, "side1", type="register", side="side1", owner="Marco", models={"trireme": own})
    opened = on_the_table(state)
    assert {len(fleet.units) for fleet in opened.engagement.fleets.values()} == {models}
    assert len(battle_position(opened.engagement)["ships"]) == 2 * models
    assert not OPEN_CAMPAIGN.invariants(opened)


def test_o2_2_what_befell_a_model_befell_the_ships_for_which_it_stands():
    opened = on_the_table(meeting(models=8))
    name = opened.engagement.id
    assert opened.squadrons[name].ships["s0-0"] == ("s0-0", "s0-1")
    sides = {
        "side0": {"damage": {"s0-4": 2}},
        "side1": {"sunk": 1, "sunk_ships": ["s1-0"], "captured": 1, "captured_ships": ["s1-2"], "fled": True},
    }
    outcome = {"winner": "side0", "turns": 5, "sides": sides}
    after = said(opened, UMPIRE, type="settle", engagement=name, outcome=outcome)
    lost = {each for each, ship in after.ships.items() if ship.status != "afloat"}
    assert lost == {"s1-0", "s1-1", "s1-2", "s1-3"} and not after.squadrons
    assert {after.ships[each].damage for each in ("s0-4", "s0-5")} == {2} and after.ships["s0-6"].damage == 0
    assert said(after, UMPIRE, type="settle", engagement=name, outcome=outcome) == after, "L1.4: the same outcome twice"


def test_o2_2_a_battle_that_is_left_is_thrown_for_with_all_ships():
    opened = on_the_table(meeting(models=8))
    name = opened.engagement.id
    for side in ("side0", "side1"):
        opened = said(opened, side, type="choose_way", side=side, engagement=name, way="own_table")
    assert name in opened.settled and not opened.squadrons and not OPEN_CAMPAIGN.invariants(opened)


@pytest.mark.parametrize(
    ("rating", "ill", "level"), [(0, False, "raw"), (1, False, "able"), (2, False, "seasoned"), (2, True, "raw")]
)
def test_o2_4_an_admirals_rating_is_the_level_of_his_captains(rating, ill, level):
    state, engagement = begun(war()).with_fleet("f0", fight=rating, ill=ill), meeting().engagement
    own = replace(engagement.fleets["side0"], rating=state.skill("f0")[1])
    assert captains_level(replace(engagement, fleets={**engagement.fleets, "side0": own}), "side0") == level


def test_o6_2_the_forecast_is_the_table_over_all_throws():
    state = meeting()
    forecast = instant(state, state.engagement)
    assert abs(sum(forecast.wins.values()) + forecast.neither - 1) < 1e-9
    assert forecast.wins["side0"] == forecast.wins["side1"] == pytest.approx(10 / 36), "alike: 9 or more, 5 or less"
    rows = [result(TABLES, one + other) for one in range(1, 7) for other in range(1, 7)]
    share = sum(row.loser + row.winner for row in rows) / len(rows) / 200
    assert sum(forecast.losses.values()) == pytest.approx(24 * share)
    assert OPEN_CAMPAIGN.view(state, "side0")["instant"].keys() == {state.engagement.id}
    assert OPEN_CAMPAIGN.view(state, "spectator")["instant"] == {}


@pytest.mark.parametrize("hidden", [{"damage": 5}, {"corvus": True}, {"pips": 1}, {"type": "transport", "damage": 3}])
def test_o5_2_the_forecast_tells_a_side_no_more_of_an_enemys_ship_than_the_meeting_shows(hidden):
    state = meeting()
    own, enemy, umpire = (
        [
            OPEN_CAMPAIGN.view(state.with_ships(changed), seat)["instant"]
            for changed in ({}, {f"s0-{n}": replace(state.ships[f"s0-{n}"], **hidden) for n in range(12)})
        ]
        for seat in ("side0", "side1", UMPIRE)
    )
    assert enemy[0] == enemy[1] == umpire[0] == own[0] and own[0] != own[1] == umpire[1]


def test_o6_2_the_dice_win_as_often_as_the_forecast_says():
    state = meeting()
    elite = state.with_ships(
        {name: replace(ship, pips=9) for name, ship in state.ships.items() if ship.side == "side0"}
    )
    forecast = instant(elite, elite.engagement)
    won = []
    for faces in ((one, other) for one in range(1, 7) for other in range(1, 7)):
        thrown = iter(faces)
        dice = Dice(source=lambda sides, thrown=thrown: next(thrown, sides), secret=lambda sides: sides)
        after, _ = quick_dice(elite, dice)
        won.append(after.settled[elite.engagement.id].winner)
    assert won.count("side0") / 36 == pytest.approx(forecast.wins["side0"])
    assert won.count("side1") / 36 == pytest.approx(forecast.wins["side1"])
