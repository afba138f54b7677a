"""The cheapest way between two spaces of a campaign map, whatever map the system has."""

from __future__ import annotations

from typing import Any

from strategic.atlas import atlas, cheapest
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules import geography
from tactical.kernel.record import BadInput


def routes(system: str, start: str, end: str, by: str = "any") -> dict[str, Any]:
    """The cheapest way and its cost, by the system's own movement costs: `path`, `cost`, `steps`.

    No way: an empty path, no steps and the cost null. Raises BadInput naming `from`, `to` or `by`.
    """
    if system == PUNIC_WARS.name:  # a map of hexes: its spaces have sides rather than connections
        return geography.routes(start, end, by)
    chart = atlas(system)
    for name, space in (("from", start), ("to", end)):
        if space not in chart.spaces:
            raise BadInput(name, f"there is no space '{space}' on the map of {system}")
    if by not in ("sea", "land", "any"):
        raise BadInput("by", f"'{by}' is none of sea, land, any")
    found = cheapest(chart, start, end, "sea" if by == "sea" else "land" if by == "land" else "any")
    if found is None:
        return {"path": [], "cost": None, "steps": []}
    steps = [{"from": step.start, "to": step.end, "kind": step.kind, "cost": step.cost} for step in found]
    path = [start, *(step.end for step in found)]
    return {"path": path, "cost": sum(step.cost for step in found), "steps": steps}
