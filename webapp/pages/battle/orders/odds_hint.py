"""Odds before one commits, in a line: from tactical.odds, which uses the rules' own tables and functions."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from tactical.battle import Battle
from tactical.rules import boarding as boarding_rules
from tactical.rules import contacts, missiles, ramming
from tactical.rules.movement import is_bow_to_bow
from tactical.ship import MARINES
from webapp.http import signs
from webapp.http.language import gettext as _


@cache
def odds() -> Any:
    """The odds of the engine; None while it has none."""
    try:
        return importlib.import_module("tactical.odds")
    except ModuleNotFoundError:
        return None


def percent(chance: float) -> str:
    """A chance in whole percent, never parted from its sign; the very small and the nearly certain stay visible."""
    if 0 < chance < 0.01:
        return _("under 1%")
    if 0.99 < chance < 1:
        return _("over 99%")
    return signs.percent(round(chance * 100))


def percent_sign(chance: float) -> str:
    """A chance as a card on the board has room for it: the very small and the nearly certain by < and >."""
    if 0 < chance < 0.01:
        return signs.percent("<1")
    if 0.99 < chance < 1:
        return signs.percent(">99")
    return signs.percent(round(chance * 100))


def percents(chances: Sequence[float]) -> list[str]:
    """Chances that make up the whole, in whole percent that add up to 100: the largest rests are rounded up."""
    whole = [int(chance * 100) for chance in chances]
    rests = sorted(range(len(whole)), key=lambda place: whole[place] - chances[place] * 100)
    for place in rests[: 100 - sum(whole)]:
        whole[place] += 1
    return [signs.percent(number) for number in whole]


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
    mutual = contacts.is_mutual(battle, ship_id)
    if (mutual or is_bow_to_bow(battle, ship, target)) and contacts.can_ram(battle, target):
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
    """G8.4 A boarding fight to its end; None while the engine has no odds."""
    engine = odds()
    if engine is None:
        return None
    if not sum(attackers.values()) or max(sum(attackers.values()), sum(defenders.values())) > engine.MOST:
        return None
    return fight_odds(tuple(attackers.items()), tuple(defenders.items()))


@lru_cache(maxsize=512)
def fight_odds(attackers: tuple[tuple[str, int], ...], defenders: tuple[tuple[str, int], ...]) -> Mapping[str, Any]:
    """The same, remembered: a page asks for the same fights again and again."""
    found: Mapping[str, Any] = odds().boarding(dict(attackers), dict(defenders))
    return found
