"""Five seats play what they are offered: nothing offered is refused, nothing lost, no secret leaks, no dead end."""

import json
import random
from collections import Counter
from itertools import islice, product

import pytest

from kit.legions import army, from_position, march, position
from kit.lengths import TIGHT_SWORD_OF_ROME, seeds
from kit.met import count
from kit.sor_oracle import interceptors, wrongly_inside, wrongly_together
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.rules.interception import armies
from strategic.sword_of_rome.tables import LEADERS, PLAYED, POWERS, SEATS, home
from strategic.sword_of_rome.tables import SPACES as MAP
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import decode, plain, read

BY_HAND = frozenset(("take_card", "discard", "resign", "drop", "halt"))
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
            *forces,
            control=control,
            alliances=alliances,
            events=["duoviri_navales", "naval_transports"],
            runners={"volsci": "gauls"},
            hands={seat: [1, 2, 2, 3, 3, 3] for seat in SEATS},
            active="gauls",
        )
    )


@pytest.mark.parametrize("seed", range(12))
def test_random_play_in_a_crowded_italy(seed):
    """10, 11, 12 CUs and leaders are accounted for and secrets kept, after each command and in the replay."""
    raw = crowded(seed)

    system = from_position(raw)
    played = play_at_random(system, None, random.Random(seed), {}, rarely=BY_HAND)
    assert played.faults == [] and played.over


@pytest.mark.parametrize("seed", range(3))
def test_random_play_of_the_whole_game(seed):
    played = play_at_random(SWORD_OF_ROME, "five_powers", random.Random(seed), {"turns": 2}, rarely=BY_HAND)
    assert played.faults == [] and played.over


def changes_at_random(rng, state, seat):
    """One field or two of those that the seat may set, with values that may stand there or nearly so."""
    every = list(SWORD_OF_ROME.settable(state, seat))
    head = rng.choice(sorted({each.path.split(".")[0] for each in every}))
    found = [each for each in every if each.path.startswith(head)]
    held = [each for each in found if each.now] or found  # most spaces are empty: more often something that is there
    found = rng.sample(held if rng.random() < 0.7 else found, min(2, len(held)))
    return {
        each.path: list(rng.sample(each.values, rng.randrange(2))) if each.several else rng.choice(each.values)
        for each in found[: rng.randrange(1, 3)]
    }


@pytest.mark.parametrize("seed", [5, pytest.param(6, marks=pytest.mark.soak)])
def test_random_play_by_hand(seed):
    """7 Pieces, markers and alliances are changed at will, and every position holds what it must."""
    rng, taken = random.Random(seed), Counter()
    state = SWORD_OF_ROME.start("five_powers", None, {"cards": "entered"}, Dice()).state
    for number in range(400):
        seat = rng.choice(SWORD_OF_ROME.waiting_for(state) if number % 40 == 0 else list(SEATS))
        command = {"type": "by_hand", "changes": changes_at_random(rng, state, seat)}
        said = read({"type": "end_action"} if number % 40 == 0 else command, SWORD_OF_ROME.command)
        if SWORD_OF_ROME.why_not(state, seat, said) is None:
            state = SWORD_OF_ROME.apply(state, seat, said, Dice()).state
            taken.update(path.split(".")[0] for path in command["changes"])
            assert not SWORD_OF_ROME.invariants(state), command
    assert taken.keys() == {"forces", "control", "loyalty", "sieges", "alliances", "runners", "vp", "unrest", "events"}


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
    """Also of those who are not waited for: ships, storms, the Forks, and cards."""
    raw, rng, tried = crowded(seed + 50), random.Random(seed), Counter()

    system = from_position(raw)
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
    assert {"activate", "step", "declare", "take_card"} <= tried.keys()


def test_a_position_in_mid_play_comes_back_the_same():
    """3 The umpire's state, posted as a position, is the same state, whatever is being asked."""
    raw = crowded(7)

    system = from_position(raw)
    played = play_at_random(system, None, random.Random(7), {}, rarely=BY_HAND)
    kinds = set()
    for written in played.states:
        state = decode(written, SWORD_OF_ROME.state)
        kinds |= {prompt.kind for prompt in state.pending}
        assert SWORD_OF_ROME.start(None, plain(state), {}, Dice()).state == state
    assert {"declare", "battle"} <= kinds


def tight(seed):
    """Armies dealt into a few spaces that touch: two powers of one player together, garrisons with besiegers or with an
    ally before their walls, leaders alone, friends as neighbours, and cards of every value."""
    rng = random.Random(f"tight {seed}")
    spaces = rng.sample(["roma", "velitrae", "praeneste", "fregellae", "capua", "neapolis", "caudium", "paestum"], 7)
    leaders = {power: [each.id for each in LEADERS.values() if each.power == power] for power in POWERS}
    forces, control = [], {}

    def some(power, least=1):
        people = [leaders[power].pop()] if leaders[power] and rng.random() < 0.9 else []
        return {"units": rng.randrange(least, 9), "leaders": people}

    for space in spaces[:6]:
        powers = rng.choice([("etruscans", "samnites"), ("gauls", "volsci"), *((power,) for power in PLAYED), "b", "b"])
        if powers == "b":
            before, behind = rng.sample([power for power in PLAYED], 2)
            if PLAYED[before] == PLAYED[behind] or MAP[space].kind != "walled":
                continue
            control[space] = behind
            forces += [(space, before, some(before)), (space, behind, {"inside": rng.randrange(1, 4)})]
            continue
        forces += [(space, power, some(power, 0 if len(powers) == 1 else 1)) for power in powers]
        if rng.random() < 0.5 and home(space) != powers[0]:
            control[space] = powers[0]
    pairs = [["samnites", "romans"], ["gauls", "greeks"], ["greeks", "carthaginians"], ["etruscans", "romans"]]
    given = [
        each for each in forces if each[2].get("units", 0) + each[2].get("inside", 0) + len(each[2].get("leaders", ()))
    ]
    return plain(
        position(
            *given,
            control=control,
            alliances=[pair for pair in pairs if rng.random() < 0.5],
            events=["duoviri_navales", "naval_transports"],
            runners={"volsci": "gauls"},
            hands={seat: [1, 2, 3, 3] for seat in SEATS},
            options={"battles_at_sea": rng.random() < 0.5},
            active=rng.choice(list(SEATS)),
        )
    )


@pytest.mark.parametrize(
    "seed",
    seeds([*range(5), 16, 38], TIGHT_SWORD_OF_ROME),
)
def test_random_play_from_tight_positions(seed, record_property):
    """15.3, 9.3.1, 9.4.1, 11.1.1, L1.1 with seats that interrupt: pieces and cards change hands between the answers."""
    system = from_position(tight(seed))
    played = play_at_random(system, None, random.Random(seed), {}, rarely=BY_HAND, limit=250, interrupting=6)
    count(played, record_property)
    assert [fault for fault in played.faults if "after 250 commands" not in fault] == []
    for written in played.states:
        agrees_with_the_second_reckoning(written)


def agrees_with_the_second_reckoning(written):
    """15.3, 9.3.1 Who stands together and who is inside; 10.1, 10.2 who may intercept, reckoned again from the source."""
    raw, state = json.loads(written), decode(written, SWORD_OF_ROME.state)
    assert (wrongly_together(raw), wrongly_inside(raw)) == ([], []), raw["forces"]
    if state.asks("declare") is not None:
        may = {(power, space) for power in POWERS for space in armies(state, power)}
        assert may == interceptors(raw), (raw["move"], raw["forces"])


def test_10_2_the_second_reckoning_knows_who_may_intercept():
    """10.1, 10.2.c, 15.3, 9.3.1 It is not blind: to armies beside the way, held spaces, friends, and who is inside."""
    greeks, gauls = army("greeks", "praeneste", 4, "pyrrhus"), army("gauls", "fregellae", 3, "brennus")
    romans = army("romans", "roma", 5, "claudius")
    raw = plain(march(position(romans, greeks, gauls), "romans", "claudius", "velitrae"))
    assert interceptors(raw) == {("greeks", "praeneste"), ("gauls", "fregellae")}
    assert not interceptors({**raw, "alliances": [["gauls", "romans"], ["romans", "greeks"]]})
    raw["forces"]["velitrae"] = {"gauls": {"units": 1, "leaders": [], "inside": 0, "inside_leaders": []}}
    assert interceptors(raw) == {("gauls", "fregellae")}
    raw["forces"]["velitrae"]["greeks"] = raw["forces"]["velitrae"]["gauls"]
    assert not interceptors(raw) and wrongly_together(raw) == ["velitrae"]
    raw["forces"]["velitrae"]["greeks"] = {"units": 0, "leaders": [], "inside": 2, "inside_leaders": []}
    assert wrongly_inside(raw) == [("velitrae", "greeks")]
