"""Play from odd positions: after the umpire's corrections, late, posted back. Somebody can always act.

For every campaign; the galley's own are in tests/tactical/test_neighbours.py. After every command the position is posted back to the same bytes, an adjustment
that changes nothing is accepted, and whoever is waited for has an offer that `apply` carries out.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from kit.lengths import ODD_POSITIONS, seeds
from strategic.hamilcar import HAMILCAR
from strategic.hannibal import HANNIBAL
from strategic.punic_wars import PUNIC_WARS
from strategic.sword_of_rome import SWORD_OF_ROME
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours, System
from tactical.kernel.random_play import QUITTING, fill, random_offer
from tactical.kernel.record import BadInput, encode, read

SYSTEMS = {
    "hannibal": (HANNIBAL, ("second_punic_war",)),
    "hamilcar": (HAMILCAR, ("first_punic_war", "off_mylae")),
    "punic_wars": (PUNIC_WARS, "123"),
    "sword_of_rome": (SWORD_OF_ROME, ("five_powers", "around_claudius")),
}
SLIPS: list[Any] = [0, 1, 2, 3, 5, 9, 20, True, False, None, "rome", "carthage", "romans", "greeks", "roma", "3315"]
LOOKED = 4  # every so many commands the position is looked at closely


def adjust(system: System, state: Any, path: str, value: Any) -> Any:
    """The position after the umpire's correction of one field."""
    command = read({"type": "adjust", "changes": {path: value}, "why": "as it stands on our table"}, system.command)
    return system.apply(state, "umpire", command, Dice()).state


def paths(raw: Any, before: str = "") -> list[str]:
    """The ways to all plain values of a position."""
    if not isinstance(raw, dict):
        return [before[1:]]
    return [way for name, value in raw.items() for way in paths(value, f"{before}.{name}")]


def corrected(system: System, state: Any, rng: random.Random) -> Any:
    """The position after some correction that is accepted; most slips are refused, and change nothing."""
    raw = json.loads(encode(state))
    fields = [path for path in paths(raw) if not path.startswith(("options", "house", "scenario", "result", "phase"))]
    for _ in range(12):
        before = encode(state)
        try:
            return adjust(system, state, rng.choice(fields), rng.choice(SLIPS))
        except BadInput:
            assert encode(state) == before
    return state


def is_sound(system: System, state: Any) -> bool:
    """The position stands by itself: posted back the same, adjusted without a change, and free of complaints."""
    assert system.invariants(state) == ()
    raw = json.loads(encode(system.view(state, "umpire")))
    assert encode(system.start(None, raw, {}, Dice()).state) == encode(state)
    adjust(system, state, "turn", state.turn)
    return True


def can_act(system: System, state: Any) -> bool:
    """Has somebody who is waited for an offer that is carried out?"""
    source = random_source(random.Random(2).randrange)
    for seat in system.waiting_for(state):
        for offer in system.offers(state, seat):
            if offer.type in QUITTING | system.by_hand:
                continue
            command = read(fill(offer, random.Random(3)), system.command)
            try:
                system.apply(state, seat, command, Dice(source=source, secret=source))
                return True
            except (Illegal, NotYours, BadInput):
                return False
    return False


@pytest.mark.parametrize("seed", seeds(range(5), ODD_POSITIONS))
@pytest.mark.parametrize("name", SYSTEMS)
def test_somebody_can_always_act_and_every_position_stands(name, seed):
    system, scenarios = SYSTEMS[name]
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    state = system.start(rng.choice(scenarios), None, {}, Dice(source=source, secret=source)).state
    for number in range(150):
        if system.is_over(state):
            break
        if number % 10 == 9:
            state = corrected(system, state, rng)
        if system.is_over(state):
            break
        assert can_act(system, state)
        if number % LOOKED == 0:
            assert is_sound(system, state)
        seat = rng.choice(system.waiting_for(state))
        offer = random_offer(system.offers(state, seat), rng, QUITTING | system.by_hand)
        command = read(fill(offer, rng), system.command)
        state = system.apply(state, seat, command, Dice(source=source, secret=source)).state
