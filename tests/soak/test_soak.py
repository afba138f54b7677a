"""`make soak`: random play and captains' games at length, for every system; not part of `make test`."""

import random
from collections import defaultdict

import pytest

from firsts.finding import firsts
from kit.lengths import CAPTAINS, FIRST_ONWARD, FIRST_TRIES, GAMES, scaled
from kit.met import count
from tactical.captains import LEVELS, Orders
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE, Offer
from tactical.kernel.random_play import Played, check_replay, fill, note, play_at_random, play_on
from tactical.kernel.record import read
from webapp.captains.seats import think
from webapp.storage.journal.store import all_systems

CASES = [
    (system.name, scenario.id, seed)
    for system in all_systems().values()
    for scenario in system.scenarios()
    for seed in range(scaled(GAMES[system.name]))
]


@pytest.mark.soak
@pytest.mark.parametrize("name, scenario, seed", CASES)
def test_a_game_at_random_has_no_fault(name, scenario, seed, record_property):
    """Every second game with seats that speak though they are not waited for."""
    played = play_at_random(
        all_systems()[name], scenario, random.Random(seed), limit=60_000, interrupting=20 * (seed % 2)
    )
    count(played, record_property)
    assert played.faults == [] and played.over


FIRST = [(system.name, number) for system in all_systems().values() for number in range(len(firsts(system.name)))]


@pytest.mark.soak
@pytest.mark.parametrize("name, number", FIRST)
def test_play_from_a_first_position_has_no_fault(name, number, record_property):
    """Every kind of command that any seat has there is given, and the game goes on at random from it."""
    system, state, generator = all_systems()[name], firsts(name)[number], random.Random(f"first {name} {number}")
    kinds: defaultdict[tuple[str, str], list[Offer]] = defaultdict(list)
    for seat in (*system.sides(state), UMPIRE):
        for offer in system.offers(state, seat):
            kinds[seat, offer.type].append(offer)
    for (seat, _), offers in kinds.items():
        for _ in range(scaled(FIRST_TRIES)):
            source = random_source(generator.randrange)
            command = fill(generator.choice(offers), generator)
            dice = Dice(source=source, secret=source)
            outcome = system.apply(state, seat, read(command, system.command), dice)
            first = Played(system, None, {})
            note(first, seat, command, outcome, dice)
            count(first, record_property)
            played = play_on(system, outcome, generator, FIRST_ONWARD, interrupting=10)
            count(played, record_property)
            assert first.faults + played.faults == [], command


LONGEST = {"sword_of_rome": 400, "punic_wars": 400}  # commands; their careful stand-ins play on without an end
BY_CAPTAINS = [
    (system.name, scenario.id, seed)
    for system in all_systems().values()
    for scenario in system.scenarios()
    for seed in range(scaled(CAPTAINS[system.name]))
]


@pytest.mark.soak
@pytest.mark.parametrize("name, scenario, seed", BY_CAPTAINS)
def test_a_game_of_captains_has_no_fault_and_is_replayed_to_the_byte(name, scenario, seed, record_property):
    """Each seat at a level of its own; every position is complete, and the journal gives the same again."""
    system, generator = all_systems()[name], random.Random(f"captains {seed}")
    played = Played(system, scenario, {})
    source = random_source(generator.randrange)
    dice = Dice(source=source, secret=source)
    outcome = system.start(scenario, None, {}, dice)
    note(played, UMPIRE, {"type": "start"}, outcome, dice)
    levels = dict(zip(system.sides(outcome.state), generator.sample(LEVELS * 3, len(LEVELS * 3)), strict=False))
    while not system.is_over(outcome.state) and played.commands < LONGEST.get(name, 20_000) and not played.faults:
        seat = generator.choice(system.waiting_for(outcome.state))
        raw = think(system, outcome.state, seat, Orders(levels[seat])).command
        dice = Dice(source=source, secret=source)
        outcome = system.apply(outcome.state, seat, read(raw, system.command), dice)
        note(played, seat, raw, outcome, dice)
    count(played, record_property)
    check_replay(played)
    assert played.faults == []
    assert system.is_over(outcome.state) or name in LONGEST
