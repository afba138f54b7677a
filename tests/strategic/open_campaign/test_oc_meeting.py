"""O5.3, O6, O9 Meetings, quick dice, what comes home, the end."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, said, war

from strategic.naval.engagement import NavalOutcome, SideOutcome, check_outcome
from strategic.naval.handoff import battle_position
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.commands import Command
from strategic.open_campaign.rules.fighting import instant, quick_dice, result, strength
from strategic.open_campaign.rules.meeting import contingent, stance
from strategic.open_campaign.tables import TABLES, after
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal
from tactical.kernel.record import BadInput, read


def meeting(ships=12, seed=3, **more):
    """Two fleets that seek each other in one place of the open sea, when they have met."""
    position = war(ships=ships, **more)
    for fleet in position["fleets"].values():
        fleet["at"] = "p3"
    state = begun(position)
    for side, fleet in (("side0", "f0"), ("side1", "f1")):
        state = said(state, side, type="order", side=side, fleet=fleet, do="patrol", to="p3", stance="seek")
    return all_ready(state, seed)


def met():
    """The first such meeting that waits to be settled."""
    return next(state for state in map(lambda seed: meeting(seed=seed), range(20)) if state.engagement is not None)


def test_o6_1_a_meeting_of_large_fleets_waits_and_only_those_who_meet_see_it():
    state = met()
    assert set(OPEN_CAMPAIGN.waiting_for(state)) == {"side0", "side1"}
    assert OPEN_CAMPAIGN.view(state, "side0")["engagements"].keys() == {state.engagement.id}
    assert OPEN_CAMPAIGN.view(state, SPECTATOR)["engagements"] == {}


def test_o6_1_a_small_meeting_is_settled_without_asking():
    found = [meeting(ships=4, seed=seed) for seed in range(6)]
    assert any(state.settled for state in found) and all(state.engagement is None for state in found)


def test_o6_1_the_ships_come_to_the_table_as_they_are():
    state = met()
    ships = battle_position(state.engagement)["ships"]
    assert {ship["type"] for ship in ships.values()} == {"trireme"}
    assert {ship["crew"] for ship in ships.values()} == {"average"}
    assert len(ships) == 24


def outcome(state, **sides):
    return {
        "type": "settle",
        "engagement": state.engagement.id,
        "outcome": {"winner": "side0", "turns": 5, "sides": sides},
    }


def test_o6_3_sunk_captured_and_damaged_ships_come_home_by_name():
    state = met()
    side1 = {"sunk": 1, "captured": 1, "sunk_ships": ["s1-0"], "captured_ships": ["s1-1"], "fled": True}
    after_ = said(state, UMPIRE, **outcome(state, side0={"damage": {"s0-0": 2}}, side1=side1))
    assert (after_.ships["s1-0"].status, after_.ships["s1-1"].status) == ("sunk", "captured")
    assert after_.ships["s1-1"].captured_by == "side0" and after_.ships["s0-0"].damage == 2
    assert len(after_.ships) == 24 and len(after_.fleets["f1"].ships) == 10
    assert (after_.ships["s0-3"].pips, after_.ships["s1-3"].pips) == (6, 4)  # O2.3
    again = said(after_, UMPIRE, **outcome(state, side0={"damage": {"s0-0": 2}}, side1=side1))
    assert again == after_


def test_o6_3_losses_without_names_are_the_last_ships():
    state = met()
    after_ = said(state, UMPIRE, **outcome(state, side0={}, side1={"sunk": 2, "captured": 1, "fled": True}))
    counted = Counter(ship.status for ship in after_.ships.values())
    assert counted == {"afloat": 21, "sunk": 2, "captured": 1}


def test_o6_3_the_beaten_make_for_the_nearest_port_and_avoid():
    state = met()
    state = begun({**OPEN_CAMPAIGN.view(state, UMPIRE), "ports": {"p0": "side1"}, "turn_length": "week"})
    state = said(state, UMPIRE, **outcome(state, side1={"fled": True}))
    assert state.turn == 2 and state.fleets["f1"].at == "p0"


def test_o6_2_quick_dice_give_outcomes_that_the_link_takes():
    state = met()
    for faces in range(2, 13):
        first = [min(6, faces - 1), faces - min(6, faces - 1)]
        dice = Dice(tuple(first), source=lambda sides: 3)
        after_, _events = quick_dice(state, dice)
        told: NavalOutcome = after_.settled[state.engagement.id]
        check_outcome(state.engagement, told)
        assert len(after_.ships) == 24


@pytest.mark.parametrize(
    ("total", "name"), [(2, "worsted"), (1, "routed"), (7, "undecided"), (9, "worsted"), (12, "beaten"), (14, "routed")]
)
def test_o6_2_the_table_of_results(total, name):
    expected = {2: "beaten"}.get(total, name)
    assert result(TABLES, total).name == expected


def test_o5_3_who_has_fled_avoids():
    state = meeting(ships=12)
    assert stance(state, "f0", "f1") in ("seek", "accept")
    state = state.with_fleet("f0", shy=True)
    assert stance(state, "f0", "f1") == "avoid"


def facing(wish, told, more_than=0, **fleets):
    """What fleet f0 of ten ships wants of f1 with this order, when its lookouts have told of so many sail."""
    position = war(ships=10)
    for each in position["fleets"].values():
        each["at"] = "p3"
    for name, side in fleets.items():
        position["ships"] |= {f"{name}-{number}": {"side": side, "type": "trireme"} for number in range(10)}
        own = [f"{name}-{number}" for number in range(10)]
        position["fleets"][name] = {"side": side, "name": name, "at": "p3", "ships": own}
    order = {"do": "patrol", "to": "p3", "stance": wish, "more_than": more_than}
    position["orders"] = {"side0": {"f0": order}}
    return stance(replace(begun(position), counted={"f0": told}), "f0", "f1")


@pytest.mark.parametrize(
    ("wish", "told", "more_than", "wants"),
    [
        ("seek", 11, 0, "seek"),
        ("seek", 40, 0, "seek"),
        ("seek", 13, 12, "avoid"),
        ("seek", 12, 12, "seek"),
        ("accept", 11, 0, "avoid"),
        ("accept", 10, 0, "accept"),
        ("accept", 15, 20, "accept"),
        ("accept", 0, 5, "accept"),  # who has not counted them turns away from nobody
        ("accept", 0, 0, "accept"),
    ],
)
def test_o5_3_a_limit_is_held_against_the_number_told(wish, told, more_than, wants):
    assert facing(wish, {"f1": told} if told else {}, more_than) == wants


def test_o5_3_fleets_that_would_fight_as_one_are_counted_as_one():
    assert facing("accept", {"f1": 10, "g1": 10}, g1="side1") == "avoid"
    assert facing("accept", {"f1": 10, "g1": 10}, g1="side1", g0="side0") == "accept"


def test_o5_3_a_fleet_that_seeks_hunts_one_more_than_itself():
    position = war(ships=11)
    position["fleets"]["f0"]["ships"].pop()
    position["ships"].pop("s0-10")
    for each in position["fleets"].values():
        each["at"] = "p3"
    order = {"type": "order", "side": "side0", "fleet": "f0", "do": "patrol", "to": "p3", "stance": "seek"}
    flight = {**order, "side": "side1", "fleet": "f1", "stance": "avoid"}
    for seed in range(5):
        after_ = all_ready(said(said(begun(position), "side0", **order), "side1", **flight), seed)
        assert after_.settled or after_.engagement or after_.fleets["f1"].shy, "nobody was hunted"


def test_o5_1_the_number_told_is_forgotten_with_the_turn_and_the_umpires_alone():
    state = met()
    assert state.counted["f0"]["f1"] >= 9
    assert "counted" not in OPEN_CAMPAIGN.view(state, "side0")
    assert not all_ready(meeting(ships=4)).counted


def test_o5_3_in_its_own_port_nobody_need_come_out():
    position = war() | {"ports": {"p3": "side1"}}
    for fleet in position["fleets"].values():
        fleet["at"] = "p3"
    state = begun(position)
    state = said(state, "side0", type="order", side="side0", fleet="f0", do="blockade", to="p3", stance="seek")
    for seed in range(6):
        after_ = all_ready(state, seed)
        assert not after_.settled and after_.engagement is None


def test_o9_1_the_campaign_ends_at_its_date_and_then_everything_is_everybodys():
    state = begun(war())
    for _turn in range(3):
        state = all_ready(state)
    assert state.result is not None and OPEN_CAMPAIGN.is_over(state)
    assert state.result.points == {"side0": 36, "side1": 36} and state.result.winner is None
    assert set(OPEN_CAMPAIGN.view(state, SPECTATOR)["fleets"]) == {"f0", "f1"}


def test_o9_1_who_gives_up_ends_a_war_of_two_and_a_war_of_three_goes_on():
    state = said(begun(war(3)), "side0", type="resign", side="side0")
    assert state.result is None and OPEN_CAMPAIGN.waiting_for(state) == ("side1", "side2")
    with pytest.raises(Illegal, match="given up"):
        said(state, "side0", type="resign", side="side0")
    assert said(state, "side1", type="resign", side="side1").result.winner == "side2"


def test_o9_1_goals_bring_points():
    goals = [
        {"side": "side0", "what": "warships", "space": "p0", "points": 10},
        {"side": "side1", "what": "cleared", "space": "p0", "points": 5},
    ]
    state = begun(war(goals=goals))
    for _turn in range(3):
        state = all_ready(state)
    assert state.result.points == {"side0": 46, "side1": 36} and state.result.winner == "side0"


def test_o3_6_the_date_goes_on_over_months_and_from_before_christ_to_after():
    assert after("-260-03-31", 1) == "-260-04-01"
    assert after("-1-12-31", 1) == "1-01-01"
    with pytest.raises(BadInput):
        begun(war(date="yesterday"))


def test_o6_3_nothing_lost_is_an_outcome_too():
    state = met()
    told = {"type": "settle", "engagement": state.engagement.id, "outcome": {}}
    after_ = said(state, UMPIRE, **told)
    assert after_.settled == {state.engagement.id: NavalOutcome()}
    assert after_.settled[state.engagement.id].of("side0") == SideOutcome()


def test_o6_1_meetings_of_one_watch_are_settled_one_after_the_other():
    position = war(4)
    for fleet in position["fleets"].values():
        fleet["at"] = "p3"
    for seed in range(20):
        state = begun(position)
        for number in range(4):
            told = {"side": f"side{number}", "fleet": f"f{number}", "do": "patrol", "to": "p3", "stance": "seek"}
            state = said(state, told["side"], type="order", **told)
        state = all_ready(state, seed)
        if len(state.pairs) > 2:
            break
    ids = []
    while state.engagement is not None:
        assert state.engagement.id not in ids
        ids.append(state.engagement.id)
        state = said(state, UMPIRE, type="settle", engagement=ids[-1], outcome={"turns": 3})
        assert not OPEN_CAMPAIGN.invariants(state)
    assert len(ids) > 2 and list(state.settled) == ids and state.turn == 2


def test_o6_1_a_report_settles_when_the_other_side_assents():
    state = met()
    told = {"engagement": state.engagement.id, "outcome": {"winner": "side1", "sides": {"side0": {"fled": True}}}}
    state = said(state, "side0", type="report", side="side0", **told)
    assert OPEN_CAMPAIGN.waiting_for(state) == ("side1",)
    state = said(state, "side1", type="assent", side="side1", engagement=told["engagement"])
    assert state.settled[told["engagement"]].winner == "side1"


def test_o6_1_both_choose_a_battle_and_it_stands_on_the_table():
    state = met()
    name = state.engagement.id
    for side in ("side0", "side1"):
        state = said(state, side, type="choose_way", side=side, engagement=name, way="battle")
    opened = said(state, "side0", type="open_battle", engagement=name, models_per_unit=1)
    assert opened.engagement.opened and OPEN_CAMPAIGN.effects(state, opened)
    for side in ("side0", "side1"):
        opened = said(opened, side, type="choose_way", side=side, engagement=name, way="own_table")
    assert name in opened.settled


def test_o4_3_weary_rowers_fight_a_quality_lower_on_the_table_and_in_quick_dice():
    state = met()
    rested = state.engagement
    tired = replace(contingent(state.with_fleet("f0", weary=2), ("f0",)), commander=rested.fleets["side0"].commander)
    assert {unit.crew for unit in rested.fleets["side0"].units} == {"average"}
    assert {unit.crew for unit in tired.units} == {"poor"}
    weary = state.with_fleet("f0", weary=2)
    assert strength(weary, rested, "side0") < strength(state, rested, "side0")
    assert strength(weary, rested, "side1") == strength(state, rested, "side1")
    assert instant(weary, rested, "side1") == instant(state, rested, "side1") != instant(weary, rested)


def test_o5_1_a_sighting_tells_the_course_of_whom_it_saw():
    seen = [each for state in map(lambda seed: under_way(seed), range(8)) for each in state]
    assert seen and {each.data["course"] for each in seen} == {"W"}


def under_way(seed):
    """What side 0 is told of a fleet that sails past it to the west."""
    position = war(ships=12, ports=6) | {"ports": {"p2": "side0"}}
    position["fleets"]["f0"]["at"], position["fleets"]["f1"]["at"] = "p2", "p4"
    state = begun(position)
    order = {"type": "order", "side": "side1", "fleet": "f1", "do": "go", "to": "p0", "stance": "avoid"}
    state = said(said(state, "side1", **order, nights_at_sea=True), "side0", type="ready", side="side0")
    source = random_source(random.Random(seed).randrange)
    ready = read({"type": "ready", "side": "side1"}, Command)
    told = OPEN_CAMPAIGN.apply(state, "side1", ready, Dice(source=source, secret=source)).events
    return [each for each in told if each.type == "sighted" and each.data["side"] == "side0"]
