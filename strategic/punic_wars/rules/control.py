"""14.0 Who controls a region, and what his regions are worth."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.rules.pieces import ENEMY, SIDES
from strategic.punic_wars.rules.towns import unbesieged_land
from strategic.punic_wars.state import Campaign

Strengths = dict[str, dict[str, int]]


def strengths(state: Campaign) -> Strengths:
    """14.14 Land points of each side that are not besieged, by region; fleets and the besieged never count.

    Reckoned once for a position, which never changes, and kept beside it.
    """
    known: Strengths | None = state.__dict__.get("strengths")
    if known is not None:
        return known
    found: Strengths = {}
    state.__dict__["strengths"] = found
    for at in state.stacks:
        region = state.chart.places[at].region
        if region is None:
            continue
        here = found.setdefault(region, {"carthage": 0, "rome": 0})
        for side in SIDES:
            here[side] += unbesieged_land(state, at, side)
    return found


def half(value: int) -> int:
    """14.13 Half the value of a region; Ruling P8: half of an odd value rounds up."""
    return (value + 1) // 2


def holds_by_force(state: Campaign, region: str, side: str, found: Strengths | None = None) -> bool:
    """14.13, 14.15 At least half the value in land points, and at least double the enemy's where he has any.

    Ruling P8: besieged land points count for neither side.
    """
    here = (strengths(state) if found is None else found).get(region, {})
    own, other = here.get(side, 0), here.get(ENEMY[side], 0)
    return own > 0 and own >= half(state.chart.regions[region].value) and own >= 2 * other


def controller(state: Campaign, region: str, found: Strengths | None = None) -> str | None:
    """14.12, 14.16 Who controls a region now: by force, else by alignment, else nobody."""
    found = strengths(state) if found is None else found
    for side in SIDES:
        if holds_by_force(state, region, side, found):
            return side
    aligned = state.alignment.get(region)
    return aligned if aligned in SIDES else None


def control(state: Campaign) -> dict[str, str]:
    """14.11 All controlled regions and their lords; reckoned once for a position."""
    known: dict[str, str] | None = state.__dict__.get("control")
    if known is not None:
        return known
    found = strengths(state)
    lords = {region: controller(state, region, found) for region in state.chart.regions}
    held = {region: lord for region, lord in lords.items() if lord is not None}
    state.__dict__["control"] = held
    return held


def worth(state: Campaign, side: str, lords: dict[str, str] | None = None) -> int:
    """15.0, 18.0 The values of the regions that a side controls; closed regions give nothing (19.14.E)."""
    lords = control(state) if lords is None else lords
    return sum(state.chart.regions[region].value for region, lord in lords.items() if lord == side)


def is_friendly(state: Campaign, region: str, side: str, lords: dict[str, str]) -> bool:
    """14.12 A region of one's own alignment that is still under one's own control."""
    return state.alignment.get(region) == side and lords.get(region) == side


def remember(state: Campaign) -> Campaign:
    """10.12 Keep who controlled each region last."""
    now = {**state.last_control, **control(state)}
    return state if now == state.last_control else replace(state, last_control=now)
