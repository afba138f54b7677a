"""What a meeting is worth: rams, rakes and boardings by their exact odds, in points of hull (G10.2).

Each value is a gain for the ship that acts, its risk taken off. Kept by the hulls that meet, not by the ships.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tactical.captains.chances import BOARDS, blow, fight, head_on, sinks_by_flooding
from tactical.captains.choice import Level
from tactical.captains.sea import Hull
from tactical.captains.weights import weights_of
from tactical.hexes import OPPOSITE, TURNED
from tactical.rules.ending import HALVES
from tactical.ship import CREWS

SUNK: float = HALVES["sunk"] / 2
CAPTURED: float = HALVES["captured"] / 2


class Meeting(NamedTuple):
    """How a ship best settles a meeting: `deed` is "ram", "rake" or "hold" (to board, or to do nothing)."""

    deed: str
    value: float
    ram: float
    rake: float
    hold: float


@lru_cache(maxsize=65536)
def boarding_value(level: Level, one: Hull, other: Hull) -> float:
    """G8.4 The gain of a boarding fight that is begun: the prize, against being thrown back and boarded in turn.

    A prize that goes down counts as sunk (G9.4), so a hull full of water is worth less.
    """
    weights = weights_of(level)
    won, lost = fight(one.marines, other.marines)
    sinks = sinks_by_flooding(other.breaches, other.left, False) if other.breaches else 0.0
    prize = other.hull * (CAPTURED * (1 - sinks) + SUNK * sinks)
    retaken = one.hull * CAPTURED * weights.retaken if sum(other.marines) else 0.0
    return weights.prize * won * prize - weights.risk * lost * retaken


def boards(level: Level, one: Hull, other: Hull) -> float:
    """G8.1 The gain of trying to board now: with the corvus at once, else by a die; 0 when it is better left."""
    if not sum(one.marines) or one.fighting or other.fighting:
        return 0.0
    chance = 1.0 if one.corvus else BOARDS
    return chance * max(0.0, boarding_value(level, one, other))


@lru_cache(maxsize=65536)
def ram_value(level: Level, one: Hull, other: Hull, full_speed: bool) -> float:
    """G6.2 The gain of one ram that strikes: the hull sunk, or the share of it that is broken."""
    weights = weights_of(level)
    struck = blow(one.ram or 0, full_speed, other.left, other.breaches)
    broken = struck.damage / other.hull
    return other.hull * SUNK * (struck.sinks_soon + (1 - struck.sinks_soon) * weights.damage * broken)


def hit_before_boarding(level: Level, one: Hull, other: Hull, full_speed: bool, boards_her: float) -> float:
    """G6.2, G8.4 A ram by a ship that will then board with this chance: what it breaks of its own prize is no gain."""
    struck = blow(one.ram or 0, full_speed, other.left, other.breaches)
    lost_later = (struck.sinks_soon - struck.sinks) / max(1e-9, 1 - struck.sinks)
    won, _ = fight(one.marines, other.marines)
    taken = boards_her * won
    prize = CAPTURED * (1 - lost_later) + SUNK * lost_later
    broken = SUNK * (lost_later + (1 - lost_later) * weights_of(level).damage * struck.damage / other.hull)
    return other.hull * (SUNK * struck.sinks + (1 - struck.sinks) * (taken * prize + (1 - taken) * broken))


@lru_cache(maxsize=131072)
def meeting(
    level: Level, one: Hull, other: Hull, aspect: str, full_speed: bool, their_full_speed: bool, open_beyond: bool
) -> Meeting:
    """G6.1, G6.9, G7.1 What a ship gains from a contact; `aspect` is "head", "stern" or "beam".

    After the ram step comes the boarding step: whoever is left afloat may board the other.
    """
    weights = weights_of(level)
    mine, theirs = boards(level, one, other), boards(level, other, one)
    first = (1.0 if one.corvus else BOARDS) if mine > theirs else 0.0
    after = mine - weights.risk * theirs * (1 - first)
    if one.ram is None:
        return Meeting("hold", after, -99.0, -99.0, after)
    hit = ram_value(level, one, other, full_speed)
    sinks = blow(one.ram, full_speed, other.left, other.breaches).sinks
    later = after
    if first and mine > 0:
        hit = hit_before_boarding(level, one, other, full_speed, first)
        later = -weights.risk * theirs * (1 - first)
    if aspect == "head" and other.ram is not None:
        rams, rammed, both = head_on(one.crew, other.crew)
        theirs_hit = ram_value(level, other, one, their_full_speed)
        ram = (rams + both) * hit - weights.risk * (rammed + both) * theirs_hit - weights.owing
        ram += (1 - (rams + both) * sinks) * later
    else:
        ram = hit - weights.owing + (1 - sinks) * later
    rake = -99.0
    better = CREWS[one.crew].rank > CREWS[other.crew].rank
    if better and aspect != "beam" and not other.oars and open_beyond:
        rake = weights.oars * other.hull
    deed, value = max((("ram", ram), ("rake", rake), ("hold", after)), key=lambda each: each[1])
    return Meeting(deed, value, ram, rake, after)


def aspect_of(facing: str, target: str) -> str:
    """G6.1, G7.1 How a ship with this heading strikes one with that: head on, astern, or on the beam."""
    if facing == OPPOSITE[target]:
        return "head"
    return "stern" if facing == target else "beam"


QUARTERS = {
    (facing, other): 0
    if facing == other
    else 1
    if other in (TURNED[facing, "left"], TURNED[facing, "right"])
    else 2
    if OPPOSITE[facing] != other
    else 3
    for facing in OPPOSITE
    for other in OPPOSITE
}  # sixths of a circle between two headings
