"""What must hold in every position of Hannibal."""

from __future__ import annotations

from strategic.hannibal.rules.checks import faults
from strategic.hannibal.state import State
from strategic.point_to_point.invariants import land_faults


def invariants(state: State) -> tuple[str, ...]:
    """setup.4 Complaints about a position: contradictions, who stands where, what is left open."""
    found = [f"{path}: {reason}" for path, reason in faults(state)]
    if state.result is None:
        found += land_faults(state)
        if state.engagement is not None and (state.march is None or state.march.crossing is None):
            found.append("fleets have met, and nobody sails")
    return tuple(found)
