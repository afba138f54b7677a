"""O3.7: what a held turn brings is the umpire's alone until he sends it; then all of it is told."""

import random
from functools import cache

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from waters import begun, said, war

from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.commands import Command
from strategic.open_campaign.rules.charge import CHARGES
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal
from tactical.kernel.record import encode, plain, read

SIDES = ("side0", "side1", "side2")
AT_ONCE = ("ready", "run", "held", "turn_begins")
COURSES = ((0, "patrol", "p11"), (1, "patrol", "p9"), (2, "go", "p5"))


def brought(state, seat, seed=1, **command):
    """The outcome of a command, and the dice that fell."""
    dice = Dice(source=random_source(random.Random(seed).randrange))
    return OPEN_CAMPAIGN.apply(state, seat, read(command, Command), dice), dice.rolls


def waters(dispatches, stance, **options):
    """Side 0 sails past side 1 at p9, and side 2 far away from both, in a week with weather; all but side 2 are ready."""
    position = war(3, ports=16, turn_length="week", options={"dispatches": dispatches, "weather": True, **options})
    for name, at in {"f0": "p8", "f1": "p9", "f2": "p0"}.items():
        position["fleets"][name]["at"] = at
    position["ports"] = {"p0": "side2", "p8": "side0", "p9": "side1"}
    state = begun(position)
    for number, do, to in COURSES:
        order = {"side": f"side{number}", "fleet": f"f{number}", "do": do, "to": to, "stance": stance}
        state = said(state, order["side"], type="order", **order)
    for side in SIDES[:2]:
        state = said(state, side, type="ready", side=side)
    return state


@cache
def run(dispatches, stance="avoid", seed=1, **options):
    """The position before the last side is ready, the outcome when it is, and the dice."""
    before = waters(dispatches, stance, **options)
    return before, *brought(before, "side2", seed, type="ready", side="side2")


def met(dispatches):
    """The first turn in which the fleets of sides 0 and 1 meet, with its position before, and its dice."""
    found = (run(dispatches, "seek", seed, small_battles=False) for seed in range(30))
    return next(each for each in found if each[1].state.engagement is not None)


def heard(events, seat):
    return [each.type for each in events_for(events, seat)]


def events_for(events, seat):
    return [each for each in events if each.seen_by(seat) and each.type not in AT_ONCE]


def view(state, seat):
    return plain(OPEN_CAMPAIGN.view(state, seat))


def as_it_ran(before, seat):
    """What a seat sees of a turn that is held: what it saw as it ran."""
    return view(before, seat) | {"step": "held", "ready": dict.fromkeys(SIDES, True)}


@pytest.mark.parametrize("dispatches", ["hold", "days"])
def test_o3_7_until_it_is_sent_a_side_sees_what_it_saw_when_the_turn_ran(dispatches):
    before, outcome, _ = run(dispatches)
    state = outcome.state
    assert state.step == ("held" if dispatches == "hold" else "day") and state.fleets != before.fleets
    assert [view(state, seat) for seat in (*SIDES, SPECTATOR)] == [
        as_it_ran(before, each) for each in (*SIDES, SPECTATOR)
    ]
    while state.step == "day":
        state = said(state, UMPIRE, type="run")
    assert view(state, "side2") == as_it_ran(before, "side2")
    sent = said(state, UMPIRE, type="send")
    assert view(sent, "side2")["fleets"]["f2"]["at"] == "p5" and not sent.unsent


def test_o3_7_the_sending_tells_each_side_what_a_turn_that_is_not_held_tells_it():
    at_once, held = run("run")[1], run("hold")[1]
    sent, _ = brought(held.state, UMPIRE, 7, type="send")
    for seat in (*SIDES, SPECTATOR):
        assert not events_for(held.events, seat)
        ended = [each.type for each in sent.events].index("turn_begins")
        assert events_for(plain_events(sent.events[:ended]), seat) == events_for(plain_events(turn_of(at_once)), seat)
    assert events_for(held.events, UMPIRE) and any(events_for(sent.events, side) for side in SIDES)


def turn_of(outcome):
    """The events of a turn that is not held, without those of the next one."""
    return outcome.events[: [each.type for each in outcome.events].index("turn_begins")]


def plain_events(events):
    """The events as their JSON reads back, by whom they have been seen before or not."""
    return [replace(each, again=UNSET) for each in read(plain(events), tuple[type(events[0]), ...])]


def choice(state, side, way):
    """A side that meets chooses a way: the outcome, and the dice."""
    return brought(state, side, type="choose_way", engagement=state.engagement.id, side=side, way=way)


@pytest.mark.parametrize(("dispatches", "theirs"), [("run", True), ("hold", False)])
def test_o3_7_the_dice_of_a_held_turn_are_the_umpires_alone(dispatches, theirs):
    _, outcome, rolls = met(dispatches)
    _, more = choice(outcome.state, "side0", "own_table")
    assert more and any(each.about.get("only") != UMPIRE for each in (*rolls, *more)) == theirs


def test_o3_7_those_who_meet_know_their_meeting_and_nobody_else_does():
    before, outcome, _ = met("hold")
    state = outcome.state
    for side, fleet in (("side0", "f0"), ("side1", "f1")):
        found = view(state, side)
        assert (found["step"], found["engagement"]["id"]) == ("engagement", state.engagement.id)
        assert found["fleets"] == {fleet: plain(state.fleets[fleet])} and not found["known"]
        assert heard(outcome.events, side) == ["engagement"]
    assert view(state, "side2") == as_it_ran(before, "side2") and not heard(outcome.events, "side2")
    after, _ = choice(state, "side0", "own_table")
    assert [view(after.state, side) for side in SIDES] == [as_it_ran(before, side) for side in SIDES]
    assert [bool(heard(after.events, seat)) for seat in (*SIDES, UMPIRE)] == [False, False, False, True]
    sent, _ = brought(after.state, UMPIRE, type="send")
    assert ["settled" in heard(sent.events, seat) for seat in (*SIDES, UMPIRE)] == [True, True, False, False]


@pytest.mark.parametrize("dispatches", ["run", "hold"])
def test_o6_1_what_is_said_of_a_meeting_is_said_to_those_who_meet(dispatches):
    state = met(dispatches)[1].state
    first, _ = choice(state, "side0", "battle")
    second, _ = choice(first.state, "side1", "battle")
    opened, _ = brought(second.state, "side0", type="open_battle", engagement=state.engagement.id)
    told = [*first.events, *second.events, *opened.events]
    there = ["way", "way", "battle_opened"]
    assert [heard(told, seat) for seat in (*SIDES, SPECTATOR)] == [there, there, [], []]


def test_o3_7_what_the_umpire_corrects_is_told_to_nobody_and_is_so_when_he_sends():
    before, outcome, _ = run("hold")
    change = {"type": "adjust", "changes": {"fleets.f2.at": "p7", "ports.p9": "side0"}, "why": "The oars were wet."}
    after, _ = brought(outcome.state, UMPIRE, **change)
    assert [heard(after.events, seat) for seat in (*SIDES, SPECTATOR)] == [[]] * 4 and heard(after.events, UMPIRE)
    assert [view(after.state, side) for side in SIDES] == [as_it_ran(before, side) for side in SIDES]
    sent, _ = brought(after.state, UMPIRE, type="send")
    assert (
        view(sent.state, "side2")["fleets"]["f2"]["at"] == "p7"
        and view(sent.state, SPECTATOR)["ports"]["p9"] == "side0"
    )
    assert "adjusted" not in heard(sent.events, "side2")


def test_o3_7_nobody_acts_on_what_he_has_not_been_told():
    state = run("hold")[1].state
    detach = {"type": "detach", "side": "side2", "fleet": "f2", "ships": ["s2-0"], "new": "van"}
    for wish in (detach, {"type": "borrow", "side": "side2", "amount": 100}):
        with pytest.raises(Illegal, match="has not sent the dispatches"):
            said(state, "side2", **wish)
    written = said(state, "side2", type="mark", side="side2", space="p7", note="Here?")
    assert view(written, "side2")["pins"]["side2"] and view(written, "side0") == view(state, "side0")
    assert view(said(written, UMPIRE, type="send"), "side2")["fleets"]["f2"]["ships"]


def test_o2_2_o3_7_models_that_are_registered_while_a_turn_is_held_stay_when_it_is_taken_back():
    state = said(run("hold")[1].state, "side2", type="register", side="side2", owner="Ann", models={"trireme": 8})
    assert view(state, "side0")["models"] == {"side2": {"Ann": {"trireme": 8}}}
    assert said(state, UMPIRE, type="take_back").models == state.models


def test_o3_7_a_war_that_ends_while_a_turn_is_held_tells_all_of_it():
    held = run("hold")[1]
    ended, _ = brought(held.state, UMPIRE, type="judge", winner="side1")
    assert ended.state.result and not ended.state.unsent
    assert events_for(plain_events(held.state.unsent), "side2") == [
        each for each in events_for(plain_events(ended.events), "side2") if each.type != "over"
    ]


def test_o1_4_o3_7_who_has_charge_of_a_fleet_knows_of_a_held_turn_what_he_knew_before():
    before, outcome, _ = run("hold", letters="by_ship")
    one, other = (
        view(CHARGES.knowledge(replace(each, step="held", ready={}), "side2", ("f2",)), "side2")
        for each in (before, outcome.state)
    )
    assert encode(one | {"ready": {}}) == encode(other | {"ready": {}})


def test_o3_7_a_turn_that_an_earlier_version_holds_is_sent():
    state = run("hold")[1].state
    old = replace(state, unsent=(), before={name: it for name, it in state.before.items() if name != "unsent"})
    assert OPEN_CAMPAIGN.view(old, "side2")["fleets"]["f2"]["at"] == plain(state.before)["fleets"]["f2"]["at"]
    assert said(old, UMPIRE, type="send").turn == 2
