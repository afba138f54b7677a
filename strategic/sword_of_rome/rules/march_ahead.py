"""9.2 What the army on the move reaches with its points, and by which way, as far as the enemy lets it."""

from __future__ import annotations

import heapq

from msgspec.structs import replace

from strategic.atlas import Reach
from strategic.sword_of_rome.rules.land import why_not_step
from strategic.sword_of_rome.rules.survey import enemy_in_the_open
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import cost, ways
from tactical.kernel.reason import Reason


def ways_ahead(state: State) -> Reach:
    """9.2, 9.4 Each space that the army may come to by land, the points that it takes and the cheapest way; the army
    goes no further than to an enemy in the open."""
    move = state.army
    spent: dict[str, int] = {move.at: 0}
    path: dict[str, tuple[str, ...]] = {move.at: (move.at,)}
    why_not: dict[str, Reason] = {}
    queue = [(0, move.at)]
    while queue:
        so_far, here = heapq.heappop(queue)
        if so_far > spent[here] or (here != move.at and enemy_in_the_open(state, move.power, here)):
            continue
        there = state.with_move(replace(move, at=here, points=move.points - so_far))
        for way in ways(here):
            to, total = way.other(here), so_far + cost(move.power, way)
            if total >= spent.get(to, total + 1):
                continue
            wrong = why_not_step(there, to)
            if wrong is not None:
                why_not.setdefault(to, wrong.why)
                continue
            spent[to], path[to] = total, (*path[here], to)
            heapq.heappush(queue, (total, to))
    return Reach(spent, path, {to: why for to, why in why_not.items() if to not in spent})
