"""The calculators filled in from what is selected: one ship and the enemy she is about to meet."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from tactical.battle import Battle
from tactical.rules import missiles, ramming
from tactical.rules.movement import is_bow_to_bow
from tactical.ship import MARINES, Ship
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import ship_name


@dataclass(frozen=True)
class OddsLink:
    """A calculator's page with its fields filled in."""

    label: str
    address: str


def opponent(battle: Battle, ship_id: str) -> str | None:
    """The enemy that matters most to a ship: in contact, in a fight, else the nearest on the board."""
    ship = battle.ships[ship_id]
    for name in (ship.contact, ship.boarding):
        if name and name != ship_id and name in battle.ships:
            return name
    foes = [
        (missiles.range_between(battle, ship, foe), name)
        for name, foe in battle.ships.items()
        if foe.side != ship.side and foe.is_afloat and foe.at is not None and ship.at is not None
    ]
    return min(foes)[1] if foes else None


def odds_links(battle: Battle, ship_id: str) -> tuple[OddsLink, ...]:
    """The questions that may be asked about the ship now, each with today's numbers."""
    ship, foe_id = battle.ships[ship_id], opponent(battle, ship_id)
    if foe_id is None or not ship.is_afloat:
        return ()
    foe = battle.ships[foe_id]
    left = max(1, battle.kind(foe).hull - foe.damage)
    name = ship_name(battle, foe_id)
    found = []
    if battle.kind(ship).ram is not None:
        fast = ramming.has_full_speed(battle.kind(ship), ship)
        fields: dict[str, str | int] = {"type": ship.type, "hull_left": left, "breaches": foe.breaches}
        if fast:
            fields["full_speed"] = 1
        found.append(link(_("Odds: she rams %(ship)s", ship=name), "ram", fields))
        if is_bow_to_bow(battle, ship, foe):
            found.append(link(_("Odds: bow to bow"), "head_on", {"crew": ship.crew, "enemy": foe.crew}))
    if ship.marines:
        crews = {**marines("attacker", ship), **marines("defender", foe)}
        found.append(link(_("Odds: she boards %(ship)s", ship=name), "boarding", crews))
    if shots := {row.field: count for key, row in missiles.WEAPONS.items() if (count := missiles.ready(ship, key))}:
        reach = missiles.range_between(battle, ship, foe) if ship.at is not None and foe.at is not None else 1
        aboard = {f"target.{field}": getattr(foe, field) for field in ("archers", "light", "medium", "heavy")}
        fields = {**shots, "range": reach, "hull_left": left, **aboard}
        found.append(link(_("Odds: she fires at %(ship)s", ship=name), "missiles", fields))
    return tuple(found)


def marines(prefix: str, ship: Ship) -> dict[str, str | int]:
    """The marines aboard as a calculator's fields."""
    return {f"{prefix}.{kind}": getattr(ship, kind) for kind in MARINES}


def link(label: str, calculator: str, fields: dict[str, str | int]) -> OddsLink:
    """One calculator's address."""
    return OddsLink(label, f"/odds/{calculator}?{urlencode(fields)}")
