"""The map of any system as a graph: spaces, connections by kind, reach, routes, who is cut off.

A system's `data/<system>/map.geojson` holds spaces as points and connections as lines with `from`, `to` and
`kind`; its `costs` give movement points by kind, and `sea` is "any_port" where every port reaches every other.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal

import data
from tactical.kernel.record import BadInput, Reason, Record, because

if TYPE_CHECKING:
    import networkx as nx  # a tenth of all memory, and few ask for what it finds

By = Literal["sea", "land", "any"]
SEA_KINDS = frozenset({"sea", "lane", "sea_lane"})


class Space(Record, frozen=True):
    """A point of the map; `about` holds every property that its file records, its `source` among them."""

    id: str
    name: str
    kind: str = "plain"
    province: str | None = None
    region: str | None = None
    port: bool = False
    lonlat: tuple[float, float] = (0.0, 0.0)
    about: dict[str, Any] = {}


class Connection(Record, frozen=True):
    """A way between two spaces; `cost` in movement points."""

    start: str
    end: str
    kind: str
    cost: int = 1
    about: dict[str, Any] = {}

    def other(self, space: str) -> str:
        """The end that is not `space`."""
        return self.end if space == self.start else self.start


class Step(Record, frozen=True):
    """One step of a route."""

    start: str
    end: str
    kind: str
    cost: int


@dataclass(frozen=True)
class Reach:
    """What some points reach: the points spent and the way to each space, and why its neighbours stay out."""

    cost: dict[str, int]
    path: dict[str, tuple[str, ...]]
    why_not: dict[str, Reason]


@dataclass(frozen=True)
class Atlas:
    """A system's map. `land` maps a space to its connections by land; `water` to its sea lanes."""

    system: str
    spaces: dict[str, Space]
    connections: tuple[Connection, ...]
    provinces: dict[str, dict[str, Any]]
    costs: dict[str, int]
    any_port: bool
    land: dict[str, tuple[Connection, ...]]
    water: dict[str, tuple[Connection, ...]]

    def graph(self, by: By = "any") -> nx.MultiGraph[str]:
        """The connections open by land, by sea or by either, as a networkx graph with `kind` and `cost`."""
        return _graph(self.system, by)

    def neighbours(self, space: str, kinds: Collection[str] | None = None) -> tuple[str, ...]:
        """The spaces next to one by land, over the given kinds of connection only."""
        return tuple(way.other(space) for way in self.land[space] if kinds is None or way.kind in kinds)

    def between(self, start: str, end: str) -> Connection | None:
        """The cheapest land connection of two spaces."""
        ways = [way for way in self.land[start] if way.other(start) == end]
        return min(ways, key=lambda way: way.cost) if ways else None

    def ports(self) -> tuple[str, ...]:
        """All ports, in the order of the map."""
        return tuple(space.id for space in self.spaces.values() if space.port)

    def in_province(self, province: str) -> tuple[str, ...]:
        """The spaces of a province, in the order of the map."""
        return _by_province(self.system).get(province, ())

    def voyages(self, space: str) -> tuple[Connection, ...]:
        """The steps by sea from a space: its lanes, or to any other port where the rules say so."""
        if not self.any_port:
            return self.water[space]
        if not self.spaces[space].port:
            return ()
        cost = self.costs.get("sea", 1)
        return tuple(Connection(space, port, "sea", cost) for port in self.ports() if port != space)


@cache
def atlas(system: str) -> Atlas:
    """Read a system's map. Raises BadInput for a system without one."""
    raw = geojson(system)
    costs: dict[str, int] = {**raw.get("costs", {})}
    spaces: dict[str, Space] = {}
    ways: list[Connection] = []
    for feature in raw["features"]:
        about = feature["properties"]
        if feature["geometry"]["type"] == "Point":
            spaces[about["id"]] = _space(about, feature["geometry"]["coordinates"])
    for feature in raw["features"]:
        about = feature["properties"]
        if feature["geometry"]["type"] == "LineString" and "from" in about:
            cost = about.get("cost") or costs.get(about["kind"], 1)
            ways.append(Connection(about["from"], about["to"], about["kind"], cost, about))
    land: dict[str, list[Connection]] = {space: [] for space in spaces}
    water: dict[str, list[Connection]] = {space: [] for space in spaces}
    for way in ways:
        side = water if way.kind in SEA_KINDS else land
        for end in (way.start, way.end):
            if end not in spaces:
                raise data.TableError(f"data/{system}/map.geojson: {way.start}--{way.end} leads to no space")
            side[end].append(way)
    return Atlas(
        system,
        spaces,
        tuple(ways),
        {province["id"]: province for province in raw.get("provinces", [])},
        costs,
        raw.get("sea") == "any_port",
        {space: tuple(found) for space, found in land.items()},
        {space: tuple(found) for space, found in water.items()},
    )


def _space(about: dict[str, Any], place: list[float]) -> Space:
    return Space(
        about["id"],
        about.get("name", about["id"]),
        about.get("kind", "plain"),
        about.get("province"),
        about.get("region"),
        bool(about.get("port")),
        (place[0], place[1]),
        about,
    )


@cache
def _by_province(system: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for space in atlas(system).spaces.values():
        if space.province is not None:
            found[space.province] = (*found.get(space.province, ()), space.id)
    return found


@cache
def _graph(system: str, by: By) -> nx.MultiGraph[str]:
    import networkx as nx

    chart = atlas(system)
    graph: nx.MultiGraph[str] = nx.MultiGraph(system=system)
    for space in chart.spaces.values():
        graph.add_node(space.id)
    for way in chart.connections:
        if by == "any" or (way.kind in SEA_KINDS) == (by == "sea"):
            graph.add_edge(way.start, way.end, kind=way.kind, cost=way.cost)
    if chart.any_port and by != "land":
        for start, end in combinations(chart.ports(), 2):
            graph.add_edge(start, end, kind="sea", cost=chart.costs.get("sea", 1))
    return graph


def geojson(system: str) -> dict[str, Any]:
    """The whole map with the origin of every record, as GeoJSON. Raises BadInput for a system without one."""
    if system not in {each.parent.name for each in data.ROOT.glob("*/map.geojson")}:
        raise BadInput("system", "there is no map of '%(system)s'", system=system)
    found: dict[str, Any] = data.raw_json(f"{system}/map.geojson")
    return found


def cheapest(chart: Atlas, start: str, end: str, by: By = "any") -> tuple[Step, ...] | None:
    """The steps of the cheapest way; None when there is no way."""
    import networkx as nx

    graph = chart.graph(by)
    try:
        path = nx.dijkstra_path(graph, start, end, weight="cost")
    except nx.NetworkXNoPath:
        return None
    steps = []
    for here, there in pairwise(path):
        edge = min(graph[here][there].values(), key=lambda way: (way["cost"], way["kind"]))
        steps.append(Step(here, there, edge["kind"], edge["cost"]))
    return tuple(steps)


Barred = Callable[[str, str, str, int], Reason | None]


def why_short(cost: int, left: int) -> Reason | None:
    """Why so many points do not suffice; None when they do."""
    return None if cost <= left else because("points needed: %(cost)s, left: %(left)s", cost=cost, left=left)


def reach(chart: Atlas, start: str, points: int, barred: Barred, by: By = "any") -> Reach:
    """What an army reaches with these points. `barred(from, to, kind, spent)` tells why a step is closed."""
    cost: dict[str, int] = {start: 0}
    path: dict[str, tuple[str, ...]] = {start: (start,)}
    why_not: dict[str, Reason] = {}
    queue = [(0, start)]
    while queue:
        spent, here = heapq.heappop(queue)
        if spent > cost[here]:
            continue
        ways: Iterable[Connection] = () if by == "sea" else chart.land[here]
        for way in (*ways, *(() if by == "land" else chart.voyages(here))):
            there, total = way.other(here), spent + way.cost
            if total >= cost.get(there, total + 1):
                continue
            reason = barred(here, there, way.kind, spent) or why_short(way.cost, points - spent)
            if reason is not None:
                why_not.setdefault(there, reason)
                continue
            cost[there], path[there] = total, (*path[here], there)
            heapq.heappush(queue, (total, there))
    return Reach(cost, path, {space: why for space, why in why_not.items() if space not in cost})


def cut_off(
    chart: Atlas,
    markers: Iterable[str],
    anchors: Collection[str],
    may_enter: Callable[[str], bool],
    crosses: Callable[[str], bool],
) -> tuple[str, ...]:
    """The markers from which no path by land leads to an anchor, over connections whose kind may be crossed."""
    joined, edge = set(anchors), list(anchors)
    while edge:
        here = edge.pop()
        for way in chart.land[here]:
            there = way.other(here)
            if crosses(way.kind) and there not in joined and may_enter(there):
                joined.add(there)
                edge.append(there)
    return tuple(marker for marker in markers if marker not in joined)


@dataclass(frozen=True)
class Touch:
    """What touches a space of a route: whether it is a port, and the watching spaces next to it."""

    space: str
    port: bool
    watchers: tuple[str, ...]


def touching(
    chart: Atlas, path: Iterable[str], watchers: Collection[str], kinds: Collection[str] | None = None
) -> tuple[Touch, ...]:
    """For each space of a route: is it a port, and which armies stand next to it (by these connections)."""
    return tuple(
        Touch(space, chart.spaces[space].port, tuple(s for s in chart.neighbours(space, kinds) if s in watchers))
        for space in path
    )
