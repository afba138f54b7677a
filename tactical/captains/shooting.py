"""G5 Fire: whom each weapon shoots at, and whether it waits for a shorter range."""

from __future__ import annotations

from typing import Any

from tactical.captains.chances import shot, shots_sink
from tactical.captains.choice import Choice, Level, best_options, reason
from tactical.captains.sea import Sea
from tactical.captains.sight import bears
from tactical.kernel.protocol import Offer
from tactical.rules.ending import HALVES
from tactical.rules.missiles import WEAPONS, range_between
from tactical.ship import STEPS_OF, Ship, ShipType

LIGHTLY = 0.5  # an archer or engine killed, against a marine
FOUGHT = 1.5  # a target that a friend boards, or that may board one, counts so much more


def shoot(sea: Sea, offers: list[Offer]) -> Choice | None:
    """G5.1 The best shot of the side; None when what is left is better kept for a later phase."""
    options: list[tuple[dict[str, Any], float]] = []
    waiting = 0
    for offer in offers:
        for command, value in shots(sea, offer):
            if value > 0 and may_wait(sea, command):
                waiting += 1
            elif value > 0:
                options.append((command, value))
    if not options:
        return None
    best, value = max(options, key=lambda option: option[1])
    ship, target = sea.battle.ships[best["ship"]], sea.battle.ships[best["target"]]
    reach = range_between(sea.battle, ship, target) if ship.at and target.at else 1
    kills, hull = shot(best["weapon"], reach)
    kind = "fire_hull" if hull > kills else "fire_kill"
    why = reason(
        kind,
        rule="G5.2",
        odds=hull if hull > kills else kills,
        ship=best["ship"],
        foe=best["target"],
        weapon=best["weapon"],
        count=best["count"],
        range=reach,
    )
    return Choice(best, (why,), best_options(options), round(value, 3))


def shots(sea: Sea, offer: Offer) -> list[tuple[dict[str, Any], float]]:
    """The shots of one weapon group, all of it at one target, and what each is worth."""
    if "range" in offer.fields:
        return []  # G1.5: on the players' own table a captain does not see how far it is
    count = offer.fields["count"]
    most = count if isinstance(count, int) else count["to"]
    targets = offer.fields["target"]
    name, weapon = offer.fields["ship"], offer.fields["weapon"]
    found = []
    for target in [targets] if isinstance(targets, str) else targets:
        value = worth(sea, sea.battle.ships[name], weapon, most, target)
        command = {"type": "fire", "ship": name, "weapon": weapon, "count": most, "target": target}
        found.append((command, value))
    return found


KEPT = 4096
_worths: dict[tuple[Level, int, int, str, int], tuple[Ship, Ship, dict[str, ShipType], float]] = {}


def worth(sea: Sea, ship: Ship, weapon: str, count: int, target: str) -> float:
    """G5.2, G5.4 What a volley is worth; kept by the two sheets, which are others after every change."""
    foe = sea.battle.ships[target]
    key = sea.orders.level, id(ship), id(foe), weapon, count
    found = _worths.get(key)
    if found is not None and found[0] is ship and found[1] is foe and found[2] is sea.battle.types:
        return found[3]
    if len(_worths) >= KEPT:
        _worths.clear()
    value = worked_out(sea, ship, weapon, count, foe)
    _worths[key] = ship, foe, sea.battle.types, value
    return value


def worked_out(sea: Sea, ship: Ship, weapon: str, count: int, foe: Ship) -> float:
    """The same, reckoned: who falls next, and what the hull loses."""
    if ship.at is None or foe.at is None:
        return 0.0
    reach = range_between(sea.battle, ship, foe)
    kills, hull = shot(weapon, reach)
    shooters = foe.archers + foe.catapults + foe.stone_throwers
    expected = kills * count
    falls = min(expected, shooters) * LIGHTLY + max(0.0, min(expected - shooters, foe.marines))
    if shooters and foe.marines:
        falls += 0.1 * expected  # who shoots less and has fewer left is boarded sooner
    value = sea.weights.marine * falls
    if foe.boarding is not None or reach == 1:
        value *= FOUGHT
    if hull:
        left = max(1, sea.kind(foe).hull - foe.damage)
        sunk = shots_sink(weapon, count, reach, left)
        value += sea.weights.damage * min(left, hull * count) + sunk * sea.kind(foe).hull * HALVES["sunk"] / 2
    return value if sea.orders.level != "raw" else value / reach


def may_wait(sea: Sea, command: dict[str, Any]) -> bool:
    """G5.1 May the range become short later in this turn? Then the shot is kept."""
    phase = sea.battle.phase or 0
    ship, foe = sea.battle.ships[command["ship"]], sea.battle.ships[command["target"]]
    if not sea.weights.saves_fire or ship.at is None or foe.at is None or ship.facing is None or foe.facing is None:
        return False
    short = min(band.to for band in WEAPONS[command["weapon"]].band)
    away = range_between(sea.battle, ship, foe)
    if away <= short or not sea.battle.has_hexes:
        return False
    mine, theirs = coming(ship, phase), coming(foe, phase)
    delta = (foe.at[0] - ship.at[0], foe.at[1] - ship.at[1])
    closing = mine * max(0.0, bears(ship.facing, delta))
    closing += theirs * max(0.0, bears(foe.facing, (-delta[0], -delta[1])))
    return closing >= away - short


def coming(ship: Ship, phase: int) -> int:
    """The steps that a ship still makes this turn."""
    if ship.stopped or ship.boarding is not None or ship.speed <= 0:
        return 0
    return sum(1 for due in STEPS_OF[ship.speed] if due > phase)
