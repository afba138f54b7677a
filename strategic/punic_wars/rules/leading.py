"""5.0, 9.11 Who may act now, with how many points, and whom he may lead."""

from __future__ import annotations

from strategic.punic_wars.rules.pieces import Leader
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.protocol import Illegal


def remaining_points(leader: Leader) -> int:
    """3.2 (movement allowance), 5.0 What a leader may still spend this phase."""
    return NUMBERS.movement.allowance - leader.spent


def mover(state: Campaign, id: str) -> Leader:
    """5.11, 5.0 (procedure) A leader that may act now: phasing, on the map, not finished, nobody else under way."""
    leader = state.leaders.get(id)
    if leader is None or leader.at is None:
        raise Illegal("5.0 (unit types)", "There is no leader called %(id)s on the map.", id=id)
    if leader.side != state.phasing:
        raise Illegal("5.11", "Only the phasing player may move units.")
    if state.returning:
        raise Illegal("8.32", "First place the leaders that come back: they return at the start of the phase.")
    if leader.finished:
        raise Illegal(
            "5.0 (procedure)", "Leader %(letter)s has finished his movement in this phase.", letter=leader.letter
        )
    if state.active not in (None, id):
        other = state.leaders[state.active or ""]
        raise Illegal(
            "5.0 (procedure)", "Leader %(letter)s is under way: finish his movement first.", letter=other.letter
        )
    return leader


def available(state: Campaign, id: str, kind: str) -> int:
    """5.13, 5.24, 8.21 Face-up points of his own nation in his hex that serve no other leader this phase."""
    leader = state.leaders[id]
    stack = state.stack(leader.at or "", leader.side)
    if stack.inside(kind):
        return 0
    bound = sum(points for other, points in stack.served(kind).items() if other != id)
    claimed = sum(
        max(0, man.force(kind) - stack.served(kind).get(other, 0))
        for other, man in state.leaders.items()
        if other != id and man.at == leader.at and man.side == leader.side
    )
    return stack.points(kind) - bound - claimed
