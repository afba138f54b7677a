"""What captains keep from one question to the next never changes an answer."""

from __future__ import annotations

import gc
import random

import pytest

from tactical import GALLEY
from tactical.captains import LEVELS, Orders, choose_all, fighting, judgement, steering, water
from tactical.captains.captain import play
from tactical.captains.water import chart, room
from tactical.kernel.record import encode
from tests.tactical.captains.test_captains_choose import states

DICTS = (
    judgement._sheets,
    judgement._numbers,
    judgement._waters,
    judgement._prospects,
    judgement._charms,
    fighting._worths,
)
CACHES = (chart, room, water.mix, water.of_speed, steering.likely_plots, judgement.meeting, judgement.ram_value)


def forget():
    """Nothing is known any more."""
    for kept in DICTS:
        kept.clear()
    for cache in CACHES:
        cache.cache_clear()


@pytest.mark.parametrize("level", LEVELS)
def test_a_captain_answers_the_same_whatever_it_was_asked_before(level):
    """Positions of two waters by turns, one captain that remembers and one that forgets before each question."""
    asked = [
        (state, seat)
        for pair in zip(*(states(name, "kept", 0.05) for name in ("side", "mylae")), strict=False)
        for state in pair
        for seat in GALLEY.waiting_for(state)
    ]
    answered = [answer(*each, level) for each in asked]
    assert {kind for kind, _ in answered} >= {"step", "together"}
    for each, known in zip(asked, answered, strict=True):
        forget()
        assert answer(*each, level) == known


def answer(state, seat, level):
    """The whole choice, its reasons and what else was weighed."""
    choice = choose_all(GALLEY.view(state, seat), seat, GALLEY.offers(state, seat), Orders(level))
    return choice.command["type"], encode(choice)


def test_a_battle_leaves_the_sweeping_of_garbage_as_it_was():
    before = gc.get_threshold()
    state = next(states("first_oars", "swept", 1.0))
    play(GALLEY, state, dict.fromkeys(state.sides, Orders("raw")), random.Random(1))
    assert gc.get_threshold() == before
