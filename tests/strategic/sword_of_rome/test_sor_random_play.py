"""Five seats play what they are offered: nothing offered is refused, nothing lost, no secret leaks, no dead end."""

import dataclasses
import random
from collections import Counter
from itertools import islice, product

import pytest
from legions import army, position

from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.tables import LEADERS, SEATS, home
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import QUITTING, play_at_random
from tactical.kernel.record import decode, plain, read

BY_HAND = frozenset(
    ("place", "remove", "move_by_hand", "set_commander", "set_control", "set_alliance", "set_siege", "set_points", "set_unrest",
     "set_event", "set_runner", "take_card", "discard", "resign", "drop", "halt")
)  # fmt: skip
SPACES = [
    "roma",
    "velitrae",
    "praeneste",
    "tarracina",
    "capua",
    "antium",
    "fregellae",
    "neapolis",
    "narnia",
    "sutrium",
    "tarquinii",
    "pisae",
    "populonium",
    "luna",
    "volaterrae",
    "clusium",
    "spoletium",
    "paestum",
    "syracusae",
    "catina",
    "messana",
    "caudium",
    "aufidena",
    "bovianum",
    "alba_fucens",
    "elea",
]


def crowded(seed):
    """Every leader in the middle of Italy and in Sicily, with strange neighbours, alliances and cards."""
    rng = random.Random(seed)
    free = list(SPACES)
    rng.shuffle(free)
    forces, control = [], {}
    for leader in LEADERS.values():
        if leader.power != "transalpine_gauls" and free:
            space = free.pop()
            forces.append(army(leader.power, space, rng.randrange(1, 13), leader.id))
            if rng.random() < 0.6 and home(space) != leader.power:
                control[space] = leader.power
    alliances = [pair for pair in (["greeks", "carthaginians"], ["etruscans", "romans"]) if rng.random() < 0.5]
    return plain(
        position(
            *forces, control=control, alliances=alliances, events=["duoviri_navales", "naval_transports"],
            runners={"volsci": "gauls"}, hands={seat: [1, 2, 2, 3, 3, 3] for seat in SEATS}, active="gauls",
        )
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_random_play_in_a_crowded_italy(seed):
    """10, 11, 12 CUs and leaders are accounted for and secrets kept, after each command and in the replay."""
    raw = crowded(seed)

    def start(scenario, given, options, dice):
        return SWORD_OF_ROME.start(None, raw, {"turns": 1, "cards": "entered"}, Dice())

    system = dataclasses.replace(SWORD_OF_ROME, start=start)
    played = play_at_random(system, None, random.Random(seed), {}, rarely=BY_HAND)
    assert played.faults == [] and played.over


@pytest.mark.parametrize("seed", range(3))
def test_random_play_of_the_whole_game(seed):
    played = play_at_random(SWORD_OF_ROME, "five_powers", random.Random(seed), {"turns": 2}, rarely=BY_HAND)
    assert played.faults == [] and played.over


@pytest.mark.parametrize("seed", [5, 6])
def test_random_play_by_hand(seed):
    """7 A run of their own: pieces, markers, alliances and cards are changed at will."""
    played = play_at_random(SWORD_OF_ROME, "five_powers", random.Random(seed), {"turns": 1}, rarely=QUITTING)
    assert played.faults == [] and played.over
    given = Counter(entry.command["type"] for entry in played.entries)
    assert {"place", "remove", "move_by_hand", "set_control", "set_siege", "set_unrest", "take_card"} <= given.keys()


def combinations(offer, most=400):
    """Every command that the offer stands for, ranges by their ends."""
    choices = []
    for name, value in offer.fields.items():
        if isinstance(value, dict) and value.keys() == {"from", "to"}:
            value = sorted({value["from"], value["to"]})
        choices.append([(name, each) for each in (value if isinstance(value, list) else [value])])
    return islice(({"type": offer.type, **dict(fields)} for fields in product(*choices)), most)


@pytest.mark.parametrize("seed", range(3))
def test_every_combination_of_an_offer_is_accepted(seed):
    """Also of those who are not waited for: ships, storms, the Forks, and what is done by hand."""
    raw, rng, tried = crowded(seed + 50), random.Random(seed), Counter()

    def start(scenario, given, options, dice):
        return SWORD_OF_ROME.start(None, raw, {"turns": 1, "cards": "entered"}, Dice())

    system = dataclasses.replace(SWORD_OF_ROME, start=start)
    played = play_at_random(system, None, rng, {}, rarely=BY_HAND, limit=300)
    for number, written in enumerate(played.states):
        if number % 15 and b'"kind":"declare"' not in written:
            continue
        state = decode(written, SWORD_OF_ROME.state)
        for seat in SEATS:
            for offer in SWORD_OF_ROME.offers(state, seat):
                most = 30 if offer.type in BY_HAND else 400
                for command in combinations(offer, most):
                    source = random_source(rng.randrange)
                    SWORD_OF_ROME.apply(
                        state, seat, read(command, SWORD_OF_ROME.command), Dice(source=source, secret=source)
                    )
                    tried[offer.type] += 1
    assert {"activate", "step", "declare", "place"} <= tried.keys()


def test_a_position_in_mid_play_comes_back_the_same():
    """3 The umpire's state, posted as a position, is the same state, whatever is being asked."""
    raw = crowded(7)

    def start(scenario, given, options, dice):
        return SWORD_OF_ROME.start(None, raw, {"turns": 1, "cards": "entered"}, Dice())

    system = dataclasses.replace(SWORD_OF_ROME, start=start)
    played = play_at_random(system, None, random.Random(7), {}, rarely=BY_HAND)
    kinds = set()
    for written in played.states:
        state = decode(written, SWORD_OF_ROME.state)
        kinds |= {prompt.kind for prompt in state.pending}
        assert SWORD_OF_ROME.start(None, plain(state), {}, Dice()).state == state
    assert {"declare", "battle"} <= kinds
