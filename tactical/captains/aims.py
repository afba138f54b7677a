"""Whom each ship hunts, keeps off or covers: by what a meeting would bring, how far it is, and the squadron's role."""

from __future__ import annotations

from typing import NamedTuple

from tactical.captains.chart import Water
from tactical.captains.choice import Level, Role
from tactical.captains.sea import Hull, Sea, Sheet
from tactical.captains.weights import weights_of
from tactical.captains.worth import boards, meeting
from tactical.hexes import Hex, distance, from_column_row

STAND_OFF = 3  # G5.2 the short range of artillery: whence a ship that had better not close shoots
KEPT = 65536
LOOKED = 8  # enemies that are looked at, the nearest
_charms: dict[tuple[Level, int, int], float] = {}  # by the numbers of the hulls
PER_HEX = 0.35  # points of hull that a hex of way is worth when a target is chosen


class Aim(NamedTuple):
    """What a ship steers by: a hex, at which distance, how urgently, whom it means, and why ("hunt", "keep_off" …)."""

    at: Hex
    range: int
    weight: float
    foe: str | None
    why: str


def aim_of(sea: Sea, name: str, hunted: dict[str, int] | None = None) -> Aim:
    """The aim of one ship; `hunted` counts how many friends hunt each enemy already."""
    role = role_of(sea, name)
    foes = sea.foes_near(name)
    at = sea.battle.ships[name].at
    assert at is not None
    if not foes:
        return Aim(middle(sea.water), 0, 0.2, None, "no_enemy")
    if leads_at_the_end(sea):
        return Aim(nearest(sea, foes), 7, 2.0, foes[0][1], "keep_lead")
    if role == "guard" and (ward := ward_of(sea, at)) is not None:
        menace = min((distance(ward, sea.battle.ships[foe].at or ward), foe) for _, foe in foes)
        if menace[0] > sea.weights.guard + 2:
            return Aim(ward, 2, 1.0, None, "guard")
        return hunt(sea, menace[1], "guard")
    if role == "reserve" and foes[0][0] > sea.weights.reserve and not has_begun(sea):
        return Aim(at, 0, 0.6, None, "reserve")
    mine, best, top, promise = sea.sheet(name), foes[0][1], -1e9, 0.0
    for away, foe in foes[: 1 if sea.orders.level == "raw" else LOOKED]:
        promised = attraction(sea, mine, foe)
        value = promised - PER_HEX * away
        if hunted:
            value -= sea.weights.spreads * max(0, hunted.get(foe, 0) - 1)
        if value > top:
            best, top, promise = foe, value, promised
    if sea.orders.level != "raw" and promise < 0:
        return Aim(nearest(sea, foes), STAND_OFF if role != "screen" else STAND_OFF - 1, 0.8, foes[0][1], "keep_off")
    return hunt(sea, best, "hunt")


def hunt(sea: Sea, foe: str, why: str) -> Aim:
    """An aim at an enemy where it lies now."""
    at = sea.battle.ships[foe].at
    assert at is not None
    return Aim(at, 1, 1.0, foe, why)


def role_of(sea: Sea, name: str) -> Role:
    """The role of the ship's squadron; a ship without one is of the line."""
    squadron = sea.battle.ships[name].squadron
    return sea.orders.roles.get(squadron, "line") if squadron else "line"


def attraction(sea: Sea, mine: Sheet, foe: str) -> float:
    """What it would bring to meet this enemy on the beam, or to board it."""
    theirs = sea.sheet(foe)
    key = sea.orders.level, mine.number, theirs.number
    found = _charms.get(key)
    if found is None:
        if len(_charms) >= KEPT:
            _charms.clear()
        found = _charms[key] = charm(sea.orders.level, mine.hull, theirs.hull)
    return found


def charm(level: Level, mine: Hull, theirs: Hull) -> float:
    """The same of two hulls."""
    if mine.ram is None:
        return -1.0
    found = meeting(level, mine, theirs, "beam", False, False, True)
    return max(found.value, boards(level, mine, theirs) - weights_of(level).risk * boards(level, theirs, mine))


def nearest(sea: Sea, foes: tuple[tuple[int, str], ...]) -> Hex:
    """Where the nearest enemy lies."""
    at = sea.battle.ships[foes[0][1]].at
    assert at is not None
    return at


def ward_of(sea: Sea, at: Hex) -> Hex | None:
    """L2.3 The nearest transport of one's own."""
    places = [ship.at for ship in sea.mine.values() if sea.kind(ship).ram is None and ship.at is not None]
    return min(places, key=lambda place: distance(at, place), default=None)


def has_begun(sea: Sea) -> bool:
    """Has the fight begun: a ship hurt, boarded, or gone?"""
    return any(ship.damage or ship.boarding is not None for ship in sea.mine.values()) or any(
        ship.side == sea.side and ship.status != "afloat" for ship in sea.battle.ships.values()
    )


def leads_at_the_end(sea: Sea) -> bool:
    """G10.1 Near the turn limit, with a lead in points: time to keep away."""
    if sea.turns_left() > sea.weights.last or sea.battle.link is not None:
        return False
    return sea.lead >= sea.weights.ahead


def middle(water: Water) -> Hex:
    """The hex in the middle of the board."""
    return from_column_row(water.columns // 2, water.rows // 2)
