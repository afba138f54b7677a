"""G1.3 Who is where on hexes, and how far two hexes are apart, as a battle keeps it from command to command."""

from __future__ import annotations

from tactical.hexes import Hex, distance, within
from tactical.ship import Ship

LONGEST_SHOT = 10
WIDTH = 4096  # a hex as one number, so that the way between two of them is one number, too
RANGES: dict[int, int] = {q * WIDTH + r: max(1, distance((0, 0), (q, r))) for q, r in within((0, 0), LONGEST_SHOT)}


def moved_about(
    places: dict[Hex, tuple[str, ...]], old: dict[str, Ship], new: dict[str, Ship], moved: list[str]
) -> dict[Hex, tuple[str, ...]] | None:
    """Who is where after these ships have moved; None where two come to share a hex, for then their order counts."""
    found = dict(places)
    for name in moved:
        was = old[name].at
        if was is not None:
            rest = tuple(other for other in found[was] if other != name)
            if rest:
                found[was] = rest
            else:
                del found[was]
    for name in moved:
        at = new[name].at
        if at is not None:
            if at in found:
                return None
            found[at] = (name,)
    return found
