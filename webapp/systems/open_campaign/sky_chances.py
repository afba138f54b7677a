"""O4.2, O4.5 How likely a day's weather is at a place in a month, by the two dice and the tables of the rule itself."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

from strategic.open_campaign.rules.weather import kind_of, modifier, region_at

DICE = tuple(product(range(1, 7), repeat=2))


@cache
def sky_chances(lon: float, lat: float, month: int) -> tuple[int, int, int]:
    """In how many of a hundred days it is calm, fresh, or blows a gale or a storm; they come to a hundred.

    >>> sky_chances(27.4, 36.4, 7)
    (41, 31, 28)
    """
    where = region_at(round(lon, 1), round(lat, 1))
    found = Counter(kind_of(red + white + modifier(where, month), where, month) for red, white in DICE)
    fresh = round(100 * found["fresh"] / len(DICE))
    rough = round(100 * (found["gale"] + found["storm"]) / len(DICE))
    return 100 - fresh - rough, fresh, rough
