"""Admirals command whole wars against each other, each order with its reason, from their side's view alone."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from strategic import SYSTEMS
from strategic.captains import admirals, choose
from strategic.captains.admirals import victory
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import read

SYSTEM = SYSTEMS["open_campaign"]
WARS = [each.id for each in SYSTEM.scenarios()]
SHORT = "pirates_of_crete"


LAND = {"land": True, "money": "simple"}
PLAYED = [(war, options) for war in WARS for options in ({}, LAND)]
LONG = [case for case in PLAYED if case not in ((SHORT, {}), ("athens_before_syracuse", LAND))]


def events_in(war, options, seed):
    """A war that admirals play to its end: the last position, what happened, and how often orders had which reason."""
    source = random_source(random.Random(seed).randrange)
    state = SYSTEM.start(war, None, options, Dice(source=source, secret=source)).state
    happened, why = [], Counter()
    while not SYSTEM.is_over(state):
        seat = SYSTEM.waiting_for(state)[0]
        choice = choose(SYSTEM.name, SYSTEM.view(state, seat), seat, SYSTEM.offers(state, seat))
        assert choice.reasons
        why[choice.reasons[0].kind] += choice.command["type"] in ("order", "build")
        command, dice = read(choice.command, SYSTEM.command), Dice(source=source, secret=source)
        state, events = (outcome := SYSTEM.apply(state, seat, command, dice)).state, outcome.events
        happened += events
    return state, happened, why


@pytest.mark.parametrize(
    ("war", "options"), [pytest.param(*case, marks=pytest.mark.soak) if case in LONG else case for case in PLAYED]
)
def test_admirals_play_a_ready_made_war_to_its_end(war, options):
    state, _, why = events_in(war, options, 7)
    assert state.result is not None and len([kind for kind, count in why.items() if count]) >= 3
    assert not SYSTEM.invariants(state)
    if war == "athens_before_syracuse" and options:
        assert why["fleet_lands"] and any(each.winner for each in state.settled.values())


@pytest.mark.soak
@pytest.mark.parametrize("war", WARS)
def test_o5_3_fleets_of_admirals_meet_in_every_ready_made_war(war):
    met = Counter(event.type for seed in range(1, 7) for event in events_in(war, {}, seed)[1])
    assert met["engagement"] and met["settled"] == met["engagement"]


@pytest.mark.parametrize(
    ("mine", "theirs", "ships", "skill", "of_36"),
    [(1, 1, 1, 0, 10), (1.2, 1, 1, 0, 15), (1.2, 1, 8, 0, 21), (3, 1, 1, 0, 26), (1, 3, 1, 0, 1), (1, 1, 1, 2, 21)],
)
def test_o6_2_the_chance_of_a_victory_is_that_of_quick_dice(mine, theirs, ships, skill, of_36):
    assert victory(mine, theirs, ships, skill) == of_36 / 36


def wanted(state, seat):
    """What the side does next."""
    return choose(SYSTEM.name, SYSTEM.view(state, seat), seat, SYSTEM.offers(state, seat))


def war_near(number, fleets=("guard",), **more):
    """Rhodes, whose fleets of six triremes lie in port, has seen so many sail near Telos."""
    ships = {f"{name}{n}": {"side": "rhodes", "type": "trireme"} for name in fleets for n in range(6)}
    own = {
        name: {"side": "rhodes", "name": name, "at": "rhodos", "ships": [f"{name}{n}" for n in range(6)]}
        for name in fleets
    }
    seen = {"side": "cretans", "number": number, "near": "telos", "lon": 27.37, "lat": 36.43, "turn": 1, "day": 1}
    position = {
        "world": "crete",
        "sides": {"rhodes": {"name": "Rhodes"}, "cretans": {"name": "The Cretans"}},
        "fleets": own | {"foe": {"side": "cretans", "name": "Foe", "at": "kydonia", "ships": ["foe"]}},
        "ships": ships | {"foe": {"side": "cretans", "type": "bireme"}},
        "ports": {"rhodos": "rhodes", "kydonia": "cretans"},
        "known": {"rhodes": [seen]},
        "turn": 2,
        "turns": 9,
        "turn_length": "day",
        "date": "-204-06-01",
        **more,
    }
    return SYSTEM.start(None, position, {}, Dice()).state


def test_a_battle_that_will_probably_be_won_is_forced_and_followed_up():
    choice = wanted(war_near(4), "rhodes")
    assert choice.reasons[0].kind == "fleet_hunts" and choice.reasons[0].odds == round(victory(6, 4, 4), 4)
    assert (choice.command["stance"], choice.command["to"], choice.command["after"]) == ("seek", "telos", "follow")
    assert choice.command["more_than"] >= 4
    assert wanted(war_near(20), "rhodes").reasons[0].kind == "fleet_runs"


@pytest.mark.parametrize(("length", "rests"), [("day", True), ("week", True), ("month", False)])
def test_o4_3_weary_rowers_rest_for_a_turn_unless_that_is_a_month(length, rests):
    state = war_near(4, turn_length=length, turn=1)
    state = replace(state, fleets={**state.fleets, "guard": replace(state.fleets["guard"], weary=3)})
    assert (wanted(state, "rhodes").reasons[0].kind == "fleet_mends") == rests


def test_fleets_gather_to_beat_together_what_neither_beats_alone():
    choice = wanted(war_near(7, ("first", "second")), "rhodes")
    assert (choice.reasons[0].kind, choice.command["do"], choice.command["to"]) == ("fleet_gathers", "join", "second")


def test_what_the_chest_pays_for_is_laid_down_and_no_more():
    state = war_near(4, options={"money": "simple"}, money={"rhodes": 5000, "cretans": 0})
    order = wanted(state, "rhodes").command
    state = SYSTEM.apply(state, "rhodes", read(order, SYSTEM.command), Dice()).state
    choice = wanted(state, "rhodes")
    assert (choice.reasons[0].kind, choice.command["ship"]) == ("side_builds", "hepteres")
    assert wanted(replace(state, money={"rhodes": 1000, "cretans": 0}), "rhodes").command["type"] == "ready"


def test_peace_is_made_by_who_has_other_enemies_or_is_beaten_and_the_last_enemy_gets_none():
    two = war_near(4, treaties=[{"by": "cretans", "to": "rhodes", "terms": ["peace"]}])
    assert admirals.accept(SYSTEM.view(two, "rhodes"), "rhodes", SYSTEM.offers(two, "rhodes")) is None
    lost = {name: replace(ship, status="sunk") for name, ship in list(two.ships.items())[:3] if ship.side == "rhodes"}
    fleet = replace(two.fleets["guard"], ships=tuple(each for each in two.fleets["guard"].ships if each not in lost))
    beaten = replace(two, ships={**two.ships, **lost}, fleets={**two.fleets, "guard": fleet})
    choice = admirals.accept(SYSTEM.view(beaten, "rhodes"), "rhodes", SYSTEM.offers(beaten, "rhodes"))
    assert choice.command == {"type": "agree_treaty", "side": "rhodes", "to": "cretans"}
