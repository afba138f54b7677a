"""Odds before one commits: in a line, and as calculators filled in from what is selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from tactical import odds as engine
from tactical.battle import Battle
from tactical.rules import boarding as boarding_rules
from tactical.rules import missiles, movement, ramming
from tactical.rules.movement import is_bow_to_bow
from tactical.ship import MARINES, Ship
from webapp.http import language
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import ship_name

# -- Odds before one commits, in a line: from tactical.odds, which uses the rules' own tables and functions.


def percent(chance: float) -> str:
    """A chance in whole percent, never parted from its sign; the very small and the nearly certain stay visible."""
    if 0 < chance < 0.01:
        return _("under 1%")
    if 0.99 < chance < 1:
        return _("over 99%")
    return language.percent(round(chance * 100))


def percent_sign(chance: float) -> str:
    """A chance as a card on the board has room for it: the very small and the nearly certain by < and >."""
    if 0 < chance < 0.01:
        return language.percent("<1")
    if 0.99 < chance < 1:
        return language.percent(">99")
    return language.percent(round(chance * 100))


def percents(chances: Sequence[float]) -> list[str]:
    """Chances that make up the whole, in whole percent that add up to 100: the largest rests are rounded up."""
    whole = [int(chance * 100) for chance in chances]
    rests = sorted(range(len(whole)), key=lambda place: whole[place] - chances[place] * 100)
    for place in rests[: 100 - sum(whole)]:
        whole[place] += 1
    return [language.percent(number) for number in whole]


def one_shot(weapon: str, reach: int) -> str:
    """G5.2 What one weapon does at a range: the faces that hit, and their chance."""
    row = missiles.WEAPONS[weapon]
    hits = {face: row.effect(reach, face) for face in range(1, 7)}
    good = [face for face, effect in hits.items() if effect.kills or effect.hull]
    if not good:
        return _("range %(range)s: no effect", range=reach)
    faces = "–".join(str(face) for face in (good[0], good[-1])) if len(good) > 1 else str(good[0])
    hull = any(effect.hull for effect in hits.values())
    chance = percent(len(good) / 6)
    if hull:
        return _("range %(range)s, %(faces)s hits: %(chance)s each", range=reach, faces=faces, chance=chance)
    return _("range %(range)s, %(faces)s kills: %(chance)s each", range=reach, faces=faces, chance=chance)


def faces_and_chance(weapon: str, reach: int) -> str:
    """G5.2 The chance of one weapon at a range, for a chip; a dash where it does nothing."""
    row = missiles.WEAPONS[weapon]
    good = [face for face in range(1, 7) if row.effect(reach, face).kills or row.effect(reach, face).hull]
    return percent(len(good) / 6) if good else "–"


def ram(battle: Battle, ship_id: str) -> str:
    """G6.1, G6.2 The chances of a ram now."""
    ship = battle.ships[ship_id]
    if ship.contact is None:
        return ""
    target = battle.ships[ship.contact]
    parts = []
    mutual = movement.is_mutual(battle, ship_id)
    if (mutual or is_bow_to_bow(battle, ship, target)) and movement.can_ram(battle, target):
        rams, rammed, both = percents(head_on(ship.crew, target.crew))
        parts.append(
            _("bow to bow: she rams %(rams)s, is rammed %(rammed)s, both %(both)s", rams=rams, rammed=rammed, both=both)
        )
    kind = battle.kind(ship)
    fast = ramming.has_full_speed(kind, ship)
    left = battle.kind(target).hull - target.damage
    damage, sunk = ram_damage(kind.ram or 0, fast, left)
    span = f"{min(damage)}–{max(damage)}"
    parts.append(_("%(span)s damage and a breach; sinks %(chance)s", span=span, chance=percent(sunk)))
    return "; ".join(parts)


def head_on(crew: str, enemy: str) -> tuple[float, float, float]:
    """G6.1 Bow to bow: the chance to ram, to be rammed, and both."""
    ranks = {"poor": 0, "average": 1, "elite": 2}
    counts = [0, 0, 0]
    for one in range(1, 7):
        for other in range(1, 7):
            margin = ramming.head_on(one, ranks[crew], other, ranks[enemy])
            counts[0 if margin > 0 else 1 if margin < 0 else 2] += 1
    return counts[0] / 36, counts[1] / 36, counts[2] / 36


def ram_damage(modifier: int, fast: bool, left: int) -> tuple[dict[int, float], float]:
    """G6.2 The damage of a ram by chance, and the chance that it sinks a hull with so much left."""
    spread: dict[int, float] = {}
    for face in range(1, 7):
        damage = ramming.ram_damage(face, modifier, fast)
        spread[damage] = spread.get(damage, 0) + 1 / 6
    return spread, sum(chance for damage, chance in spread.items() if damage >= left)


def boarding(battle: Battle, ship_id: str, foe: str) -> str:
    """G8.1, G8.4 How she boards, and who wins the fight in the end."""
    ship = battle.ships[ship_id]
    if ship.corvus:
        parts = [_("corvus: no roll needed")]
    elif foe in ship.may_board:
        parts = [_("no roll needed: she threw them back")]
    else:
        parts = [_("on 4 to 6: %(chance)s", chance=percent(len(boarding_rules.TABLE.board.succeeds) / 6))]
    found = fight_for(battle, ship_id, foe)
    if found is not None:
        parts.append(
            _(
                "then takes her %(win)s, is thrown back %(lose)s",
                win=percent(found["attacker"]),
                lose=percent(found["defender"]),
            )
        )
    return "; ".join(parts)


def fight_for(battle: Battle, ship_id: str, foe: str) -> Mapping[str, Any] | None:
    """G8.4 The fight aboard an enemy to its end, once the ship has boarded her beside those who already do."""
    joined = [battle.ships[name] for name in battle.boarders_of(foe)] + [battle.ships[ship_id]]
    attackers = {kind: sum(getattr(each, kind) for each in joined) for kind in MARINES}
    defenders = {kind: getattr(battle.ships[foe], kind) for kind in MARINES}
    return fight(attackers, defenders)


def fight(attackers: Mapping[str, int], defenders: Mapping[str, int]) -> Mapping[str, Any] | None:
    """G8.4 A boarding fight to its end; None where a crew is none, or larger than the engine reckons with."""
    if not sum(attackers.values()) or max(sum(attackers.values()), sum(defenders.values())) > engine.MOST_MARINES:
        return None
    return fight_odds(tuple(attackers.items()), tuple(defenders.items()))


@lru_cache(maxsize=512)
def fight_odds(attackers: tuple[tuple[str, int], ...], defenders: tuple[tuple[str, int], ...]) -> Mapping[str, Any]:
    """The same, remembered: a page asks for the same fights again and again."""
    found: Mapping[str, Any] = engine.boarding(dict(attackers), dict(defenders))
    return found


# -- The calculators filled in from what is selected: one ship and the enemy she is about to meet.


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
