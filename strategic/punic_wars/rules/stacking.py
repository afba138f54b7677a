"""7.0, 7.31 Stacking: any units of both sides share a hex; posture and points served are kept by kind.

7.33 The order in a stack has no bearing on anything but what shows (7.32, view.py). 6.0 There are no zones of control:
nothing here or in movement looks at a neighbouring hex.
"""

from __future__ import annotations

from strategic.punic_wars.rules.pieces import KINDS
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import limit


def bound(state: Campaign, id: str, kind: str) -> Campaign:
    """5.24 The points under a leader are his for the rest of the phase (P26: once they move or fight)."""
    leader = state.leaders[id]
    at = leader.at or ""
    stack = state.stack(at, leader.side)
    served = max(stack.served(kind).get(id, 0), leader.force(kind))
    return state.with_stack(at, leader.side, stack.serving(kind, id, served)) if served else state


def carry(state: Campaign, id: str, to: str) -> Campaign:
    """7.11, 7.34 The force goes from the leader's stack to the one in the next hex, where its kinds stand face up."""
    leader = state.leaders[id]
    side, origin = leader.side, leader.at or ""
    for kind in KINDS:
        points = leader.force(kind)
        if not points:
            continue
        here = state.stack(origin, side)
        left = here.served(kind).get(id, 0) - points
        state = state.with_stack(
            origin, side, here.serving(kind, id, left).with_points(kind, here.points(kind) - points)
        )
        there = state.stack(to, side)
        serving = there.served(kind).get(id, 0) + points
        there = there.with_points(kind, there.points(kind) + points).serving(kind, id, serving)
        state = state.with_stack(to, side, there).turned(to, side, kind, False)
    return state


def room(state: Campaign, nation: str, kind: str) -> int:
    """7.35, 7.35 (limits) How many points may still be added under the counter mix."""
    return limit(nation, kind) - state.in_play(nation, kind)


def change(points: int, shown_as: tuple[int, ...]) -> tuple[int, ...]:
    """3.2, 7.35 Counters that show a stack: points are coins, and any composition of equal strength is the same."""
    counters: tuple[int, ...] = ()
    for worth in shown_as:
        counters += (worth,) * (points // worth)
        points %= worth
    return counters
