"""10.3, 9.5.6 What is said at the same time is the same in whatever order it comes in."""

from __future__ import annotations

import random
from itertools import permutations

from test_sor_random_play import crowded

from kit.legions import from_position
from strategic.sword_of_rome import SWORD_OF_ROME
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import fill, play_at_random
from tactical.kernel.record import decode, encode, read


def answers(state, rng):
    """An answer of each seat that is asked, chosen before anybody speaks."""
    found = {}
    for prompt in state.pending:
        offers = [
            offer for offer in SWORD_OF_ROME.offers(state, prompt.seat) if offer.type in ("declare", "confirm_flank")
        ]
        found[prompt.seat] = read(fill(rng.choice(offers), rng), SWORD_OF_ROME.command)
    return found


def said(state, given, order):
    """The position after these answers in this order; the dice are the same."""
    for seat in order:
        if not any(prompt.seat == seat for prompt in state.pending):
            break  # one no has closed the question of the flank
        source = random_source(random.Random(4).randrange)
        state = SWORD_OF_ROME.apply(state, seat, given[seat], Dice(source=source, secret=source)).state
    return state


def test_10_3_the_order_of_simultaneous_answers_changes_nothing():
    """10.3: all positions of six games in which several are asked at once, in every order of their answers."""
    rng, compared = random.Random(6), 0
    for seed in range(6):
        raw = crowded(seed + 20)

        system = from_position(raw)
        played = play_at_random(system, None, random.Random(seed), {}, limit=250)
        for written in played.states:
            state = decode(written, SWORD_OF_ROME.state)
            if len(state.pending) < 2 or state.pending[0].kind not in ("declare", "flank"):
                continue
            given = answers(state, rng)
            found = {encode(said(state, given, order)) for order in permutations(given)}
            assert len(found) == 1
            compared += 1
    assert compared > 20
