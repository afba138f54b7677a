"""What must hold of the land war in every position that somebody is asked in."""

from __future__ import annotations

from collections.abc import Iterator

from strategic.point_to_point.displacement import is_contested, lone_among_enemies, lone_pairs
from strategic.point_to_point.state import Campaign
from strategic.point_to_point.survey import generals_at
from strategic.point_to_point.tables import enemy


def land_faults(state: Campaign) -> Iterator[str]:
    """Complaints about who stands where, and about what is left open with nobody under way."""
    for side, space in lone_among_enemies(state):
        yield f"{side} stands alone in {space} among enemy CUs"
    for space in lone_pairs(state):
        yield f"generals of both sides stand alone in {space}"
    yield from _outside_under_siege(state)
    if state.march is not None and state.play is None:
        yield "a general marches without a card"
    if not state.agenda and (state.march is not None or state.battle is not None):
        yield "a march or a battle is left open, and nobody is asked about it"


def _outside_under_siege(state: Campaign) -> Iterator[str]:
    """siege.7 Whoever is besieged is inside: CUs, trains and generals, unless relief has just come."""
    for space, place in state.spaces.items():
        owner = place.control
        if not place.besieged() or place.tribe or owner is None or is_contested(state, space):
            continue
        march = state.march
        if march is not None and march.at == space and march.side == owner:
            continue
        if not place.outside(owner).is_nothing or generals_at(state, owner, space, inside=False):
            yield f"{owner} is besieged in {space} by {enemy(owner)}, but not all are inside"
