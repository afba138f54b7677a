"""What a table looks up of any campaign: exact odds of its rolls, the cheapest way between two spaces."""

from __future__ import annotations

from typing import Any

from strategic import SYSTEMS
from strategic.atlas import atlas, cheapest
from tactical.kernel.record import BadInput
from tactical.odds import Calculator

# -- Exact odds of the campaigns' rolls, from the same tables and functions that their rules read.

CALCULATORS: tuple[Calculator, ...] = tuple(each for system in SYSTEMS.values() for each in system.calculators)


# -- The cheapest way between two spaces of a campaign map, whatever map the system has.


def routes(system: str, start: str, end: str, by: str = "any") -> dict[str, Any]:
    """The cheapest way and its cost, by the system's own movement costs: `path`, `cost`, `steps`.

    No way: an empty path, no steps and the cost null. Raises BadInput naming `from`, `to` or `by`.
    """
    own = SYSTEMS[system].routes if system in SYSTEMS else None
    if own is not None:
        return own(start, end, by)
    chart = atlas(system)
    for name, space in (("from", start), ("to", end)):
        if space not in chart.spaces:
            raise BadInput(
                name, "there is no space called '%(space)s' on the map of %(system)s", space=space, system=system
            )
    if by not in ("sea", "land", "any"):
        raise BadInput("by", "'%(by)s' must be sea, land or any", by=by)
    found = cheapest(chart, start, end, "sea" if by == "sea" else "land" if by == "land" else "any")
    if found is None:
        return {"path": [], "cost": None, "steps": []}
    steps = [{"from": step.start, "to": step.end, "kind": step.kind, "cost": step.cost} for step in found]
    path = [start, *(step.end for step in found)]
    return {"path": path, "cost": sum(step.cost for step in found), "steps": steps}
