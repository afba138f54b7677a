"""4.1 A position with random typing errors is refused with a path, or it can be played without a fault."""

from __future__ import annotations

import copy
import json
import random

import pytest

from kit.lengths import MANGLED_POSITIONS, seeds
from kit.pw_bold import wish
from strategic.punic_wars import PUNIC_WARS
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import BadInput, encode, read

SLIPS = [
    0,
    -1,
    99,
    5,
    "rome",
    "carthage",
    "2908",
    "3314",
    "2808",
    "ra",
    "cb",
    None,
    [],
    {},
    True,
    "losses",
    "campaign",
    "land",
]


def paths(value, before=()):
    """Every way to a value inside plain data."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*before, key)
        yield from paths(value[key], (*before, key))


def mangled(raw, rng):
    """The position with one slip of the pen."""
    raw = copy.deepcopy(raw)
    *way, last = rng.choice(list(paths(raw)))
    at = raw
    for key in way:
        at = at[key]
    if isinstance(at, dict) and rng.random() < 0.2:
        del at[last]
    else:
        at[last] = rng.choice(SLIPS)
    return raw


def some_turns(state, rng, source, commands):
    """So many commands of bold play, with the invariants after each."""
    for _ in range(commands):
        if state.result is not None:
            break
        seat = rng.choice(PUNIC_WARS.waiting_for(state))
        command = wish(state, seat, PUNIC_WARS.offers(state, seat), rng)
        dice = Dice(source=source, secret=source)
        state = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice).state
        assert PUNIC_WARS.invariants(state) == ()
    return state


@pytest.mark.parametrize("seed", seeds(range(4), MANGLED_POSITIONS))
def test_4_1_a_mangled_position_is_refused_with_a_path_or_can_be_played(seed):
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    state = PUNIC_WARS.start(rng.choice("123"), None, {"turn_limit": 9}, Dice(source=source, secret=source)).state
    raw = json.loads(encode(some_turns(state, rng, source, rng.randrange(120))))
    for _ in range(20):
        try:
            other = PUNIC_WARS.start(None, mangled(raw, rng), {}, Dice(source=source, secret=source)).state
        except BadInput as refused:
            assert refused.reason
            continue
        some_turns(other, rng, source, 6)
