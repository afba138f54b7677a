"""Every system, played at random by seats that are waited for and by seats that interrupt.

No command on offer fails, no position is refused when it is posted back or adjusted without a change.
"""

from __future__ import annotations

import random

import pytest

from tactical.kernel.random_play import play_at_random
from webapp.storage.journal.systems import systems

SCENARIOS = [(name, scenario.id) for name, system in systems().items() for scenario in system.scenarios()]
MOST = 250  # commands of a game


@pytest.mark.parametrize("name, scenario", SCENARIOS)
def test_seats_that_interrupt_find_no_fault(name: str, scenario: str) -> None:
    played = play_at_random(systems()[name], scenario, random.Random(f"{name} {scenario}"), limit=MOST, interrupting=8)
    assert [fault for fault in played.faults if f"after {MOST} commands" not in fault] == []
