"""G5 Missile fire: archers, bolt throwers and stone throwers."""

from __future__ import annotations

from functools import cached_property

import msgspec

import data
from tactical.battle import Battle
from tactical.commands import Fire
from tactical.geometry import geometry
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import Record
from tactical.rules.ending import hole
from tactical.ship import Ship


class Effect(Record, frozen=True):
    """What one die does."""

    kills: int = 0
    hull: int = 0


class Band(Record, frozen=True):
    """A range band and the faces that hit in it."""

    from_: int = msgspec.field(name="from")
    to: int
    effects: dict[int, Effect]


class WeaponRow(Record, frozen=True):
    """One weapon: the sheet's field, whether it is artillery (G5.5), its bands."""

    field: str
    artillery: bool
    band: tuple[Band, ...]

    @cached_property
    def reach(self) -> int:
        """The end of the long range."""
        return max(band.to for band in self.band)

    def effect(self, reach: int, face: int) -> Effect:
        """What a face does at a range."""
        for band in self.band:
            if band.from_ <= reach <= band.to:
                return band.effects.get(face, MISS)
        return MISS


class MissileTable(Record, frozen=True):
    """data/galley/missiles.toml."""

    cite: str
    source: str
    order: tuple[str, ...]
    archer: WeaponRow
    catapult: WeaponRow
    stone_thrower: WeaponRow


MISS = Effect()
MISSILES = data.read("galley/missiles.toml", MissileTable)
WEAPONS: dict[str, WeaponRow] = {
    "archer": MISSILES.archer,
    "catapult": MISSILES.catapult,
    "stone_thrower": MISSILES.stone_thrower,
}
HAND_WEAPONS = tuple(name for name, row in WEAPONS.items() if not row.artillery)
WEAPON_OF = {row.field: name for name, row in WEAPONS.items()}
FIELDS = {name: row.field for name, row in WEAPONS.items()}
FARTHEST = max(weapon.reach for weapon in WEAPONS.values())


def ready(ship: Ship, weapon: str) -> int:
    """G5.1, G5.7 How many of a weapon may still fire: those aboard, and those killed in this very step."""
    aboard: int = getattr(ship, WEAPONS[weapon].field)
    left = aboard + ship.lost_this_step.get(weapon, 0) - ship.fired.get(weapon, 0)
    return left if left > 0 else 0


def may_fire(ship: Ship, weapon: str) -> bool:
    """G5.1, G5.5 Has the ship any of this weapon that may fire? Artillery is silent in a boarding fight."""
    return any(each == weapon for each, _ in weapons_of(ship))


def weapons_of(ship: Ship) -> list[tuple[str, int]]:
    """G5.1, G5.5 The weapons of a ship that may fire, and how many of each."""
    if ship.status != "afloat" or ship.paper or ship.finished:
        return []
    weapons = WEAPONS if ship.boarding is None else HAND_WEAPONS
    if ship.fired or ship.lost_this_step:
        return [(weapon, left) for weapon in weapons if (left := ready(ship, weapon))]
    return [(weapon, left) for weapon in weapons if (left := getattr(ship, FIELDS[weapon])) > 0]


def range_between(battle: Battle, one: Ship, other: Ship) -> int:
    """G1.3 The range of two ships, 1 at least."""
    return geometry(battle).range_between(battle, one, other)


def sees(battle: Battle, ship: Ship, other: Ship) -> bool:
    """G5.6 Is the line free? Land blocks; ships between the two only by the option."""
    return geometry(battle).sees(battle, ship, other)


def in_arc(battle: Battle, ship: Ship, target: Ship) -> bool:
    """G5.6 The source has no arcs; with the option "forward" a target must not lie abaft the beam."""
    return battle.options.arcs == "all_round" or geometry(battle).in_arc(ship, target)


def is_target(ship: Ship, other: Ship) -> bool:
    """G5.1, G8.6 An enemy afloat; prizes are not fired at."""
    return other.side != ship.side and other.status == "afloat"


def targets(battle: Battle, ship: Ship, weapon: str) -> list[str]:
    """G5.1, G5.6 The enemies that a weapon reaches and sees, the nearest first."""
    if geometry(battle).declared:
        return [name for name, other in battle.ships.items() if is_target(ship, other)]
    near = in_reach(battle.enemies_of(ship), weapon)
    if is_open_water(battle):
        return near
    seen = [(name, battle.ships[name]) for name in near]
    return [name for name, other in seen if in_arc(battle, ship, other) and sees(battle, ship, other)]


def in_reach(near: tuple[tuple[str, int], ...], weapon: str) -> list[str]:
    """G5.1 Those of these enemies, each with its range, that a weapon reaches."""
    reach = WEAPONS[weapon].reach
    return [name for name, range_ in near if range_ <= reach]


def is_open_water(battle: Battle) -> bool:
    """G5.6 Can nothing at all stand between a weapon and an enemy in its range?"""
    return not battle.board.has_land and not battle.options.ships_block_sight and battle.options.arcs == "all_round"


def has_shot(battle: Battle, ship: Ship) -> bool:
    """G5.1 May the ship fire anything at anyone?"""
    if not geometry(battle).declared and not battle.enemies_of(ship):
        return False
    return any(targets(battle, ship, weapon) for weapon, _ in weapons_of(ship))


def why_not_fire(battle: Battle, command: Fire) -> Illegal | None:
    """G5.1 What forbids a shot; of several rules the first of G5.3, G5.6, G5.5, G5.1."""
    ship, target = battle.ship(command.ship), battle.ship(command.target)
    weapon = WEAPONS[command.weapon]
    name, foe = command.ship, command.target
    if not ship.is_afloat:
        return Illegal(
            "G8.6" if ship.is_prize else "G5.1",
            "%(ship)s is %(status)s and cannot fire.",
            ship=name,
            status=ship.status,
        )
    if target.side == ship.side:
        return Illegal("G5.1", "%(target)s is on %(ship)s's own side.", target=foe, ship=name)
    if not target.is_afloat:
        return Illegal(
            "G8.6" if target.is_prize else "G5.1",
            "%(target)s is %(status)s and cannot be fired at.",
            target=foe,
            status=target.status,
        )
    declared = geometry(battle).declared
    if not declared and command.range is not None:
        return Illegal("G1.3", "On a board the program counts the range; leave `range` out.")
    if declared and command.range is None:
        return Illegal(
            "G1.5", "On the players' own table, put the range, counted in steps of movement, into the field `range`."
        )
    reach = command.range or range_between(battle, ship, target)
    if reach > weapon.reach:
        return Illegal(
            "G5.3",
            "%(target)s is at range %(reach)s; this weapon (%(weapon)s) reaches %(reach2)s.",
            target=foe,
            reach=reach,
            weapon=command.weapon,
            reach2=weapon.reach,
        )
    if not sees(battle, ship, target):
        return Illegal("G5.6", "The line from %(ship)s to %(target)s is blocked.", ship=name, target=foe)
    if not in_arc(battle, ship, target):
        return Illegal(
            "G5.6",
            "%(target)s lies abaft the beam of %(ship)s; an optional rule of this battle forbids that shot.",
            target=foe,
            ship=name,
        )
    if weapon.artillery and ship.boarding is not None:
        return Illegal("G5.5", "%(ship)s is in a boarding fight; her artillery cannot fire.", ship=name)
    if battle.sides[ship.side].done or ship.finished or ship.paper:
        return Illegal("G5.1", "%(ship)s is done with this fire step, or her sheet is kept on paper.", ship=name)
    left = ready(ship, command.weapon)
    if command.count > left:
        return Illegal(
            "G5.1",
            "%(ship)s does not have that many weapons left to fire (%(weapon)s: %(left)s).",
            ship=name,
            left=left,
            weapon=command.weapon,
        )
    return None


def fire(battle: Battle, command: Fire, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G5.2 One die for each; kills and hull damage are taken at once, sinking waits for the step's end (G5.8)."""
    ship, target = battle.ships[command.ship], battle.ships[command.target]
    reach = command.range or range_between(battle, ship, target)
    faces = dice.roll(command.count, 6, "G5.2", ship=command.ship, target=command.target, weapon=command.weapon)
    effects = [WEAPONS[command.weapon].effect(reach, face) for face in faces]
    kills, hull = sum(effect.kills for effect in effects), sum(effect.hull for effect in effects)
    fired = {**ship.fired, command.weapon: ship.fired.get(command.weapon, 0) + command.count}
    changed = {command.ship: msgspec.structs.replace(ship, fired=fired)}
    dead: dict[str, int] = {}
    if kills or hull:
        hit = hole(battle, target.hit(hull), ship.side) if hull else target
        changed[command.target], dead = kill(hit, kills)
    happened = event(
        "G5.2",
        "fire",
        ship=command.ship,
        target=command.target,
        weapon=command.weapon,
        range=reach,
        dice=list(faces),
        kills=kills,
        hull=hull,
        dead=dead,
    )
    return battle.with_ships(changed), (happened,)


def kill(ship: Ship, kills: int) -> tuple[Ship, dict[str, int]]:
    """G5.4 Archers first, then catapults, stone throwers, then marines, lightest first; more kills are lost."""
    dead: dict[str, int] = {}
    lost = dict(ship.lost_this_step)
    for field in MISSILES.order:
        aboard: int = getattr(ship, field)
        fallen = min(kills, aboard)
        if not fallen:
            continue
        kills -= fallen
        dead[field] = fallen
        ship = msgspec.structs.replace(ship, **{field: aboard - fallen})
        if field in WEAPON_OF:
            lost[WEAPON_OF[field]] = lost.get(WEAPON_OF[field], 0) + fallen
    return msgspec.structs.replace(ship, lost_this_step=lost), dead


def count_losses(ship: Ship) -> Ship:
    """G5.4, G5.7 The losses of a fire step: of each group those that have fired fall first, the dead fire no more."""
    left = {weapon: count - min(count, ship.lost_this_step.get(weapon, 0)) for weapon, count in ship.fired.items()}
    return msgspec.structs.replace(
        ship, lost_this_step={}, fired={weapon: count for weapon, count in left.items() if count}
    )


def close(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G5.8 The fire step ends: ships whose damage has reached the hull sink, and the dead fire no more (G5.7)."""
    events: list[Event] = []
    for name, ship in battle.ships.items():
        if ship.status == "afloat" and ship.damage >= battle.kind(ship).hull:
            battle = battle.sunk(name)
            events.append(event("G5.8", "sunk", ship=name, by="missiles"))
        elif ship.lost_this_step:
            battle = battle.with_ship(name, count_losses(battle.ships[name]))
    off = {
        name: ship.off_contact()
        for name, ship in battle.ships.items()
        if ship.contact and (not battle.ships[ship.contact].is_afloat or not ship.is_afloat)
    }
    events += [event("G4.6", "contact_off", ship=name, target=battle.ships[name].contact) for name in off]
    return battle.with_ships(off).at_step("ram", battle.phase), tuple(events)
