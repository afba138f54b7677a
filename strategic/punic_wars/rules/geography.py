"""3.1 Questions about the map: what can be reached, the cheapest way, and why not; the map as GeoJSON.

Costs are the rules' own: every hex entered is one point (5.12, 5.31). No units are looked at here, so a ferry side
counts as open, and by sea means with as many naval as land points (5.33).
"""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import data
from strategic.punic_wars.rules.charts import MAP, Chart, Place, around, printed_chart
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.record import BadInput, Reason, Record, because

By = Literal["land", "sea", "any"]


class Barred(NamedTuple):
    """Why a hex cannot be entered: the clause, and the reason."""

    rule: str
    reason: Reason


class Reach(Record, frozen=True):
    """What some points reach: points spent and the way to each hex, and why hexes beside it stay out."""

    cost: dict[str, int]
    path: dict[str, tuple[str, ...]]
    why_not: dict[str, Barred]


def passable(chart: Chart, origin: str, to: str, by: str) -> bool:
    """5.32, 5.37 May land points (`land`), fleets (`sea`) or a leader alone (`any`) take this step?"""
    kind, place = chart.sides[origin][to], chart.places[to]
    if by == "land":
        return place.terrain != "sea" and kind != "sea"
    if by == "sea":
        return place.terrain != "land" and kind != "land"
    return True


def why_not(chart: Chart, origin: str, to: str, by: str) -> Barred | None:
    """5.32 Why a step is not possible; None when it is."""
    if to not in chart.sides.get(origin, {}):
        return Barred("5.12", because("%(ship)s is not beside %(other)s.", ship=to, other=origin))
    if passable(chart, origin, to, by):
        return None
    reasons = {
        "land": Reason("Land points cannot cross all-sea hexes or hexsides without ships (5.32, 5.33)."),
        "sea": Reason("Fleets cannot enter all-land hexes or cross all-land hexsides (5.32)."),
    }
    return Barred("5.32", reasons[by])


def spread(chart: Chart, start: str, by: str, points: int) -> dict[str, tuple[int, str | None]]:
    """All hexes within so many points of a hex: what each costs, and from which hex it is entered."""
    found: dict[str, tuple[int, str | None]] = {start: (0, None)}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        cost = found[at][0]
        if cost == points:
            continue
        for to in chart.sides[at]:
            if to not in found and passable(chart, at, to, by):
                found[to] = (cost + 1, at)
                waiting.append(to)
    return found


def reach(start: str, points: int, by: By = "any", chart: Chart | None = None) -> Reach:
    """5.12 The hexes that can be reached with so many movement points, and why their neighbours cannot."""
    chart = chart or printed_chart()
    _check_names(chart, start, "from")
    found = spread(chart, start, by, points)
    refused = {
        to: why_not(chart, at, to, by)
        or Barred(
            "5.12",
            because(
                "%(to)s is more than %(points)s movement %(points|point|points)s away (5.12).", to=to, points=points
            ),
        )
        for at in found
        for to in chart.sides[at]
        if to not in found
    }
    return Reach({at: cost for at, (cost, _) in found.items()}, {at: _way(found, at) for at in found}, refused)


def _way(found: dict[str, tuple[int, str | None]], to: str) -> tuple[str, ...]:
    """The hexes from the start to one that was found."""
    way = [to]
    while (before := found[way[-1]][1]) is not None:
        way.append(before)
    return tuple(reversed(way))


def routes(start: str, to: str, by: str = "any", chart: Chart | None = None) -> dict[str, Any]:
    """The cheapest way by the system's own costs: `path`, `cost`, `steps`; no way: an empty path and the cost null.

    Raises BadInput naming `from`, `to` or `by`.
    """
    chart = chart or printed_chart()
    _check_names(chart, start, "from")
    _check_names(chart, to, "to")
    if by not in ("land", "sea", "any"):
        raise BadInput("by", "'%(by)s' must be sea, land or any", by=by)
    found = spread(chart, start, by, len(chart.places))
    if to not in found:
        return {"path": [], "cost": None, "steps": []}
    way = _way(found, to)
    steps = [
        {"from": one, "to": other, "kind": chart.sides[one][other], "cost": NUMBERS.movement.hex_cost}
        for one, other in pairwise(way)
    ]
    return {"path": list(way), "cost": sum(step["cost"] for step in steps), "steps": steps}


def _check_names(chart: Chart, at: str, field: str) -> None:
    if at not in chart.places:
        raise BadInput(field, "there is no hex %(at)s; hexes are numbered from 0101 to 3920", at=at)


def region_of(at: str, chart: Chart | None = None) -> str | None:
    """14.0 The region of a hex."""
    return (chart or printed_chart()).places[at].region


def neighbours(at: str) -> tuple[str, ...]:
    """The hexes beside one, from north clockwise."""
    return around(at)


def geojson(chart: Chart | None = None) -> dict[str, Any]:
    """The map as GeoJSON: hexes and hexsides as features, a group's own readings in their place."""
    raw: dict[str, Any] = data.raw_json(MAP)
    raw["regions"] = [
        {"name": region.name, "value": region.value, "source": region.source}
        for region in (chart or printed_chart()).regions.values()
    ]
    if chart is None:
        return raw
    for feature in raw["features"]:
        facts = feature["properties"]
        if facts["kind"] == "hex":
            place = chart.places[feature["id"]]
            facts.update(terrain=place.terrain, mountain=place.mountain, region=place.region, source=place.source)
        else:
            kind = chart.sides[facts["from"]][facts["to"]]
            if kind != facts["side"]:
                facts.update(side=kind, source="house")
    return raw


# Where a force may stop (5.25) -----------------------------------------------------------------------------


def stop_distance(state: Campaign, at: str, land: int, naval: int, sieges: frozenset[str]) -> int | None:
    """5.25 Steps from a sea or mountain hex to the nearest hex where such a force may stop; None if there is none.

    Ferries are left out, and so are closed regions and the `sieges`, hexes with besieged friends, whose relief could be
    refused (10.29).
    """
    shut = frozenset(name for name, aligned in state.alignment.items() if aligned == "closed")
    how = "any" if not land + naval else "sea" if naval >= land else "both" if naval else "land"
    return _distances(_Key(state.chart), how, shut, sieges if land + naval else frozenset()).get(at)


class _Key:
    """A chart as a cache key: charts are few and never change."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart

    def __hash__(self) -> int:
        return id(self.chart)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.chart is other.chart


def _may_pass(chart: Chart, origin: str, to: str, how: str) -> bool:
    if chart.sides[origin][to] == "ferry" and how in ("land", "both"):
        return False
    if how == "both":
        return passable(chart, origin, to, "land") and passable(chart, origin, to, "sea")
    return passable(chart, origin, to, how)


@cache
def _distances(key: _Key, how: str, shut: frozenset[str], sieges: frozenset[str]) -> dict[str, int]:
    """Steps to the nearest stop from every hex, from all stops at once and backwards."""
    chart = key.chart

    def open_to(place: Place) -> bool:
        return place.region not in shut

    found = {
        place.id: 0
        for place in chart.places.values()
        if place.can_stop
        and open_to(place)
        and place.id not in sieges
        and (how in ("any", "land") or place.terrain == "coast")
    }
    waiting = deque(found)
    while waiting:
        at = waiting.popleft()
        for origin in chart.sides[at]:
            if origin not in found and open_to(chart.places[origin]) and _may_pass(chart, origin, at, how):
                if origin in sieges:
                    continue
                found[origin] = found[at] + 1
                waiting.append(origin)
    return found
