"""movement.land.1 The march before it is made: where the army may come, by which way, and who may intercept it there.

Only what is open to both sides is read, so that either may be shown it. What the enemy does on the way is not foreseen.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

from strategic.atlas import Reach, reach
from strategic.interception import chance
from strategic.point_to_point.interception import intercept_modifier
from strategic.point_to_point.movement import loads, why_not_entry, why_not_way
from strategic.point_to_point.offering import least
from strategic.point_to_point.pieces import replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, March
from strategic.point_to_point.survey import enemy_units, generals_at, is_shut_in
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.reason import Reason
from tactical.kernel.record import Record


class Watcher(Record, frozen=True):
    """interception.general.1 An enemy general who could try to intercept there, and his chance."""

    general: str
    space: str
    success: Fraction


def whole_party(state: Campaign) -> dict[str, Any] | None:
    """movement.land.1b The fields of the largest party that may leave: most generals, most units, most elephants; None
    when nobody may."""
    march = state.marching()

    def size(fields: dict[str, Any]) -> tuple[int, int, int]:
        return len(fields["companions"][0]), fields["units"]["to"] + fields["elephants"], fields["elephants"]

    return max(loads(state, march, state.tables.movement.units, 1), key=size, default=None)


def ways_ahead(state: Campaign) -> Reach:
    """movement.land.1, movement.land.2 What the army on the march reaches with its points, as far as the enemy lets
    it: it goes no further than to enemy CUs."""
    march, chart = state.marching(), book_of(state).chart
    fields = whole_party(state)
    if march.stopped or fields is None:
        return Reach({march.at: 0}, {march.at: (march.at,)}, {})
    force, companions = least({**fields, "units": {"from": fields["units"]["to"]}}), tuple(fields["companions"][0])

    def barred(start: str, to: str, kind: str, spent: int) -> Reason | None:
        if start != march.at and enemy_units(state, march.side, start):
            return Reason("the enemy stands in the way")
        there = then(march, start, spent)
        way = chart.between(start, to)
        wrong = why_not_way(state, there, to) or why_not_entry(
            state, there, to, companions, force, there.points - (way.cost if way else 0)
        )
        return wrong.why if wrong else None

    return reach(chart, march.at, march.points, barred, "land")


def then(march: March, at: str, spent: int) -> March:
    """The same march further on, with these points spent."""
    if at == march.at:
        return march
    return cast(March, replace(cast(Any, march), path=(*march.path, at), points=march.points - spent))


def watchers(state: Campaign, side: Side, space: str) -> tuple[Watcher, ...]:
    """interception.general.1 The enemy generals next to a space by road who may try, with their chances."""
    other, book = enemy(side), book_of(state)
    modifier = intercept_modifier(state, other, space)
    found = []
    for near in dict.fromkeys(book.chart.neighbours(space, ("road",))):
        if not state.spaces[near].all_of(other).size or is_shut_in(state, other, near):
            continue
        for name in generals_at(state, other, near):
            most = book.limit(state, name, "intercept", False)
            found.append(Watcher(name, near, Fraction(*chance(most, modifier))))
    return tuple(found)
