"""Every system, played at random by seats that are waited for and by seats that interrupt.

No command on offer fails, no position is refused when it is posted back or adjusted without a change.
"""

from __future__ import annotations

import random

import pytest

from tactical.kernel.random_play import play_at_random
from webapp.storage.journal.store import all_systems

SCENARIOS = [(name, scenario.id) for name, system in all_systems().items() for scenario in system.scenarios()]
MOST = [100, pytest.param(250, marks=pytest.mark.soak)]  # commands of a game


@pytest.mark.parametrize("most", MOST)
@pytest.mark.parametrize("name, scenario", SCENARIOS)
def test_seats_that_interrupt_find_no_fault(name: str, scenario: str, most: int) -> None:
    played = play_at_random(
        all_systems()[name], scenario, random.Random(f"{name} {scenario}"), limit=most, interrupting=8
    )
    assert [fault for fault in played.faults if f"after {most} commands" not in fault] == []
