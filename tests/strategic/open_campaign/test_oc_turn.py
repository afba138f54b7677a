"""O3 The turn: secret orders, readiness, the same turn whatever order they came in."""

import random
from itertools import permutations

import pytest
from waters import all_ready, begun, said, war

from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.commands import Command
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.journal import Entry, rolls_seen_by
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, NotYours
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import BadInput, encode, read


def order(side, fleet, do="go", **more):
    return {"type": "order", "side": side, "fleet": fleet, "do": do, **more}


def test_o3_5_the_same_orders_in_any_sequence_and_the_same_dice_give_the_same_position():
    orders = [order("side0", "f0", to="p3"), order("side1", "f1", to="p0", stance="seek"), order("side2", "f2", "stay")]
    found = set()
    for way in permutations(orders):
        state = begun(war(3))
        for each in way:
            state = said(state, each["side"], **each)
        found.add(encode(all_ready(state, 7)))
    assert len(found) == 1


def test_o3_2_nothing_that_others_see_changes_while_a_side_writes_its_orders():
    before = begun(war(3))
    after = said(before, "side0", **order("side0", "f0", to="p3", note="by night"))
    after = said(after, "side0", type="write", side="side0", text="A spy goes ashore.")
    for seat in ("side1", "side2", SPECTATOR):
        assert encode(OPEN_CAMPAIGN.view(before, seat)) == encode(OPEN_CAMPAIGN.view(after, seat))
        assert encode(OPEN_CAMPAIGN.offers(before, seat)) == encode(OPEN_CAMPAIGN.offers(after, seat))
    assert OPEN_CAMPAIGN.waiting_for(before) == OPEN_CAMPAIGN.waiting_for(after)
    assert OPEN_CAMPAIGN.view(after, "side0")["orders"]["side0"]["f0"]["to"] == "p3"


def test_o3_2_orders_are_changed_freely_until_all_are_ready():
    state = said(begun(war()), "side0", type="ready", side="side0")
    state = said(state, "side0", **order("side0", "f0", to="p2"))
    state = said(state, "side0", **order("side0", "f0", to="p3"))
    assert state.orders["side0"]["f0"].to == "p3" and state.turn == 1
    state = said(state, "side0", type="cancel_order", side="side0", fleet="f0")
    assert not state.orders
    state = said(state, "side0", type="ready", side="side0", ready=False)
    assert OPEN_CAMPAIGN.waiting_for(state) == ("side0", "side1")


def test_o3_1_the_turn_runs_when_all_are_ready_and_the_date_goes_on():
    state = all_ready(begun(war()))
    assert (state.turn, state.date, state.orders) == (2, "-260-03-02", {})
    assert state.ready == {"side0": False, "side1": False}


def test_o3_2_a_fleet_without_an_order_stays_in_port_and_goes_home_from_sea():
    position = war(ports=6) | {"ports": {"p0": "side0", "p5": "side1"}}
    position["fleets"]["f0"]["at"] = {"lane": "p0--p1", "miles": 20}
    position["fleets"]["f1"]["at"] = "p5"
    state = all_ready(begun(position))
    assert (state.fleets["f0"].at, state.fleets["f1"].at) == ("p0", "p5")


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (order("side0", "f1", to="p3"), "O2.2"),
        (order("side0", "nobody", to="p3"), "O2.2"),
        (order("side0", "f0", to="atlantis"), "O3.3"),
        (order("side0", "f0", "stay", to="p3"), "O3.3"),
        (order("side0", "f0", "escort", to="f0"), "O3.3"),
        (order("side0", "f0", "land", to="p3"), "O7.1"),
        (order("side0", "f0", to="p3", way=["p2", "p3"]), "O3.3"),
        ({"type": "cancel_order", "side": "side0", "fleet": "f0"}, "O3.2"),
        ({"type": "write", "side": "side0", "text": " "}, "O3.4"),
    ],
)
def test_o3_3_what_an_order_cannot_be(command, rule):
    with pytest.raises(Illegal) as refused:
        said(begun(war()), "side0", **command)
    assert refused.value.rule == rule


def test_o3_3_a_way_is_gone_space_by_space():
    state = said(begun(war()), "side0", **order("side0", "f0", to="p2", way=["p1", "p2"], stance="avoid", more_than=9))
    assert all_ready(state).fleets["f0"].at == "p2"


def test_o1_4_a_side_commands_its_own_fleets_only():
    with pytest.raises(NotYours):
        said(begun(war()), "side1", **order("side0", "f0", to="p3"))
    with pytest.raises(BadInput):
        said(begun(war()), "side1", **order("nobody", "f0", to="p3"))


def test_o3_4_a_letter_is_answered_and_only_its_writer_reads_it():
    state = said(begun(war()), "side0", type="write", side="side0", text="A spy goes ashore.")
    state = said(state, "side0", type="write", side="side0", text="He has gold.")
    state = said(state, UMPIRE, type="answer", side="side0", letter=0, text="He is taken.")
    assert OPEN_CAMPAIGN.view(state, "side0")["letters"]["side0"][0]["answer"] == "He is taken."
    assert OPEN_CAMPAIGN.view(state, "side1")["letters"] == {}
    with pytest.raises(Illegal, match="no such letter"):
        said(state, UMPIRE, type="answer", side="side1", letter=0, text="?")


def waiting_turn():
    """All are ready, and the turn waits for the answer to a letter."""
    state = said(begun(war()), "side0", type="write", side="side0", text="A spy goes ashore.")
    return all_ready(said(state, UMPIRE, type="answer", side="side0", letter=0, text="", waits=True))


def test_o3_4_a_turn_waits_for_the_answer_to_a_letter_and_then_runs_by_itself():
    state = waiting_turn()
    assert (state.turn, state.step, OPEN_CAMPAIGN.waiting_for(state)) == (1, "orders", (UMPIRE,))
    assert OPEN_CAMPAIGN.view(state, "side1")["letters"] == {}
    with pytest.raises(Illegal, match="still to be written"):
        said(state, UMPIRE, type="answer", side="side0", letter=0, text="Yes.", waits=True)
    assert said(state, UMPIRE, type="answer", side="side0", letter=0, text="He is taken.").turn == 2


def test_o3_4_the_umpire_runs_a_turn_that_waits_all_the_same():
    assert said(waiting_turn(), UMPIRE, type="run").turn == 2


def test_o3_4_a_turn_that_waits_for_a_letter_waits_for_the_sides_first():
    state = said(waiting_turn(), "side1", type="ready", side="side1", ready=False)
    assert OPEN_CAMPAIGN.waiting_for(state) == ("side1",)
    state = said(state, UMPIRE, type="answer", side="side0", letter=0, text="He is taken.")
    assert (state.turn, state.step) == (1, "orders")


def test_o3_7_the_umpire_runs_a_turn_and_holds_its_dispatches_until_he_sends_them():
    position = war() | {"options": {"dispatches": "hold"}}
    state = said(begun(position), UMPIRE, type="run")
    assert (state.step, state.turn, OPEN_CAMPAIGN.waiting_for(state)) == ("held", 1, (UMPIRE,))
    state = said(state, UMPIRE, type="send")
    assert (state.step, state.turn) == ("orders", 2)
    with pytest.raises(NotYours):
        said(state, "side0", type="run")


@pytest.mark.parametrize("sides", range(2, 9))
def test_o1_4_two_to_eight_sides_play_to_the_end(sides):
    rules = OPEN_CAMPAIGN
    source = random.Random(sides)
    state = begun(war(sides, ports=10))
    assert rules.sides(state) == tuple(f"side{number}" for number in range(sides))
    every = set(state.ships)
    for _ in range(400):
        if rules.is_over(state):
            break
        seat = source.choice(rules.waiting_for(state))
        offers = [each for each in rules.offers(state, seat) if each.type not in ("resign", "open_battle")]
        offer = source.choice(offers)
        fields = {
            name: source.choice(value) if isinstance(value, list) else value for name, value in offer.fields.items()
        }
        state = said(state, seat, source.randrange(999), type=offer.type, **fields)
        assert set(state.ships) == every and not rules.invariants(state)
    assert rules.is_over(state) and state.engagement is None


@pytest.mark.parametrize("sides", [1, 9])
def test_o1_4_one_side_or_nine_are_no_campaign(sides):
    with pytest.raises(BadInput, match="two to eight"):
        begun(war(sides, ports=10))


LONG = ("athens_before_syracuse", "rhodes_and_antiochus")  # left to the soak; their goldens play a part of them


@pytest.mark.parametrize(
    "scenario",
    [pytest.param(each.id, marks=[pytest.mark.soak] if each.id in LONG else []) for each in OPEN_CAMPAIGN.scenarios()],
)
def test_o12_1_ready_made_campaigns_are_played_at_random_to_the_end(scenario):
    played = play_at_random(OPEN_CAMPAIGN, scenario, random.Random(5))
    assert played.over and not played.faults


def test_o5_2_the_dice_of_a_look_are_the_umpires_and_those_of_a_battle_of_who_meet():
    position = war(3, ships=4)
    for fleet in position["fleets"].values():
        fleet["at"] = "p3"
    state = begun(position)
    for number in range(2):
        state = said(state, f"side{number}", type="ready", side=f"side{number}")
    source = random_source(random.Random(1).randrange)
    dice = Dice(source=source, secret=source)
    ready = read({"type": "ready", "side": "side2"}, Command)
    outcome = OPEN_CAMPAIGN.apply(state, "side2", ready, dice)
    entry = Entry(1, 0, "side2", "", {"type": "ready"}, tuple(dice.rolls), (), outcome.events)
    assert {roll.rule for roll in rolls_seen_by(entry, UMPIRE)} >= {"O5.1", "O6.2"}
    assert rolls_seen_by(entry, SPECTATOR) == ()
    for seat in ("side0", "side1", "side2"):
        assert all(seat in roll.about["only"].split() for roll in rolls_seen_by(entry, seat))


def test_o3_3_an_escort_keeps_with_its_charge_and_two_that_follow_each_other_stay():
    position = war(sides=2, ports=6)
    position["fleets"]["f9"] = {"side": "side0", "name": "Slow", "at": "p0", "ships": ["h0"]}
    position["ships"]["h0"] = {"side": "side0", "type": "hepteres"}
    position["fleets"]["f1"]["at"] = "p5"
    state = begun(position)
    sail = {"type": "order", "side": "side0", "fleet": "f9", "do": "go", "to": "p4"}
    with_it = {"type": "order", "side": "side0", "fleet": "f0", "do": "escort", "to": "f9"}
    gone = all_ready(said(said(state, "side0", **sail), "side0", **with_it))
    assert gone.fleets["f0"].at == gone.fleets["f9"].at != "p0"
    round_ = said(said(state, "side0", **with_it), "side0", **{**with_it, "fleet": "f9", "to": "f0"})
    assert all_ready(round_).fleets["f0"].at == "p0"
