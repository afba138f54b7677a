"""Where the tests find their own modules; and whatever event a test makes is one that its system has declared."""

import sys
from functools import partial
from pathlib import Path

import pytest

from strategic import SYSTEMS
from tactical import GALLEY
from tactical.kernel.vocabulary import wrong_in

sys.path.insert(0, str(Path(__file__).parent))


def told(answer, system, *given, **more):
    """What the engine answers, with each of its events held to the declarations."""
    outcome = answer(*given, **more)
    wrong = [fault for event in outcome.events if (fault := wrong_in(system.events, event))]
    assert not wrong, f"{system.name}: {wrong}"
    return outcome


@pytest.fixture(autouse=True, scope="session")
def events_as_declared():
    """Every `apply` and `start` of a real system is looked at."""
    for system in (GALLEY, *SYSTEMS.values()):
        for name in ("apply", "start"):
            object.__setattr__(system, name, partial(told, getattr(system, name), system))
