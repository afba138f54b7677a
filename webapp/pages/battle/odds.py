"""Odds before one commits: in a line, and as calculators filled in from what is selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tactical import courses
from tactical import odds as engine
from tactical.battle import Battle
from tactical.kernel.record import BadInput
from tactical.rules import missiles, movement, ramming
from tactical.rules.movement import is_bow_to_bow
from tactical.ship import TYPES
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
    if meets_head_on(battle, ship_id, ship.contact):
        rams, rammed, both = percents(head_on(ship.crew, target.crew))
        parts.append(
            _("bow to bow: she rams %(rams)s, is rammed %(rammed)s, both %(both)s", rams=rams, rammed=rammed, both=both)
        )
    blow = blow_of(battle, ship_id, ship.contact, ramming.has_full_speed(battle.kind(ship), ship))
    parts.append(
        _(
            "%(span)s damage and a breach; sinks %(chance)s, by the turn's end %(later)s",
            span=blow.span,
            chance=percent(blow.sunk),
            later=percent(blow.sunk_this_turn),
        )
    )
    return "; ".join(parts)


def meets_head_on(battle: Battle, ship_id: str, foe: str) -> bool:
    """G6.1 Do the bows of two ships meet, so that both roll? Not with a transport (L2.3.a)."""
    ship, other = battle.ships[ship_id], battle.ships[foe]
    is_mutual = ship.contact == foe and movement.is_mutual(battle, ship_id)
    return (is_mutual or is_bow_to_bow(battle, ship, other)) and movement.can_ram(battle, other)


def head_on(crew: str, enemy: str) -> tuple[float, float, float]:
    """G6.1 Bow to bow: the chance to ram, to be rammed, and both."""
    ranks = {"poor": 0, "average": 1, "elite": 2}
    counts = [0, 0, 0]
    for one in range(1, 7):
        for other in range(1, 7):
            margin = ramming.head_on(one, ranks[crew], other, ranks[enemy])
            counts[0 if margin > 0 else 1 if margin < 0 else 2] += 1
    return counts[0] / 36, counts[1] / 36, counts[2] / 36


class Blow(NamedTuple):
    """What a ram does: its least and most damage, the chance to sink the target at once, and by the turn's end."""

    span: str
    sunk: float
    sunk_this_turn: float


def blow_of(battle: Battle, ship_id: str, foe: str, fast: bool) -> Blow:
    """G6.2, G9.3 What a ram by one ship does to another as she is: her hull, her breaches, a fight aboard."""
    found = engine.ram_by(battle.kind(battle.ships[ship_id]).ram or 0, fast, *state_of_hull(battle, foe))
    span = f"{min(map(int, found['damage']))}–{max(map(int, found['damage']))}"
    return Blow(span, float(found["sunk"]), float(found["sunk_this_turn"]))


class HullState(NamedTuple):
    """G6.5, G9.2 What decides whether a ship that is rammed sinks by the turn's end, as the calculator asks for it."""

    hull_left: int
    breaches: int
    boarding: bool


def state_of_hull(battle: Battle, name: str) -> HullState:
    """The state of a ship's hull; one that is gone counts as on its last point."""
    ship = battle.ships[name]
    return HullState(max(1, battle.kind(ship).hull - ship.damage), ship.breaches, ship.boarding is not None)


def boarding(battle: Battle, ship_id: str, foe: str) -> str:
    """G8.1, G8.4 How she boards, and who wins the fight in the end."""
    ship = battle.ships[ship_id]
    if ship.corvus:
        parts = [_("corvus: no roll needed")]
    elif foe in ship.may_board:
        parts = [_("no roll needed: she threw them back")]
    else:
        parts = [_("on 4 to 6: %(chance)s", chance=percent(courses.getting_aboard(battle, ship_id, foe)))]
    found = fight(*courses.fighters(battle, ship_id, foe))
    if found is not None:
        parts.append(
            _(
                "then takes her %(win)s, is thrown back %(lose)s",
                win=percent(found["attacker"]),
                lose=percent(found["defender"]),
            )
        )
    return "; ".join(parts)


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


CALCULATORS = {each.name: each for each in engine.GALLEY}


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
    """The questions that may be asked about the ship now, each with the whole of today's position."""
    ship, foe_id = battle.ships[ship_id], opponent(battle, ship_id)
    if foe_id is None or not ship.is_afloat:
        return ()
    name = ship_name(battle, foe_id)
    found = []
    if (type_ := ram_type(battle, ship_id)) is not None:
        fast = ramming.has_full_speed(battle.kind(ship), ship)
        fields = {"type": type_, "full_speed": fast, **state_of_hull(battle, foe_id)._asdict()}
        found.append(link(_("Odds: she rams %(ship)s", ship=name), "ram", fields))
        if meets_head_on(battle, ship_id, foe_id):
            crews = {"crew": ship.crew, "enemy": battle.ships[foe_id].crew}
            found.append(link(_("Odds: bow to bow"), "head_on", crews))
    found += [fight_link(battle, ship_id, foe_id), fire_link(battle, ship_id, foe_id)]
    return tuple(each for each in found if each is not None)


def ram_type(battle: Battle, ship_id: str) -> str | None:
    """G6.2 The type of the rules that rams as this ship does, by preference her own; None where there is none."""
    kind, name = battle.kind(battle.ships[ship_id]), battle.ships[ship_id].type
    known = [each for each in engine.RAMS if TYPES[each].ram == kind.ram]
    return name if name in known else next(iter(known), None)


def fight_link(battle: Battle, ship_id: str, foe: str) -> OddsLink | None:
    """G8.1, G8.4 The fight that the ship is in or, where she is in none, the one aboard the enemy if she boards her."""
    fights_on = battle.ships[ship_id].boarding
    boarder, boarded = (ship_id, foe) if fights_on is None else (battle.boarders_of(fights_on)[0], fights_on)
    attackers, defenders = courses.fighters(battle, boarder, boarded)
    if not (battle.ships[boarder].marines if fights_on is None else sum(attackers.values())):
        return None
    crews: dict[str, str | int] = {"attacker": crew(attackers), "defender": crew(defenders)}
    if fights_on is not None:
        return link(_("Odds: the fight aboard %(ship)s", ship=ship_name(battle, boarded)), "boarding", crews)
    by_die = courses.getting_aboard(battle, ship_id, foe) < 1
    return link(_("Odds: she boards %(ship)s", ship=ship_name(battle, foe)), "boarding", {**crews, "by_die": by_die})


def fire_link(battle: Battle, ship_id: str, foe: str) -> OddsLink | None:
    """G5.2, G5.4 All that the ship may still fire at the enemy, and everybody aboard who may fall."""
    ship, target = battle.ships[ship_id], battle.ships[foe]
    reach = missiles.range_between(battle, ship, target) if ship.at is not None and target.at is not None else 1
    shots: dict[str, str | int] = {missiles.WEAPONS[key].field: count for key, count in missiles.weapons_of(ship)}
    if not any(reach <= missiles.WEAPONS[key].reach for key, _count in missiles.weapons_of(ship)):
        return None
    aboard = crew({field: getattr(target, field) for field in missiles.MISSILES.order})
    fields = {**shots, "range": reach, "hull_left": state_of_hull(battle, foe).hull_left, "target": aboard}
    return link(_("Odds: she fires at %(ship)s", ship=ship_name(battle, foe)), "missiles", fields)


def crew(figures: Mapping[str, int]) -> str:
    """A crew as a calculator reads it: `heavy:8,medium:2`."""
    return ",".join(f"{kind}:{count}" for kind, count in figures.items() if count) or "none"


def link(label: str, calculator: str, fields: Mapping[str, str | int]) -> OddsLink | None:
    """One calculator's address; None where it does not reckon with so much."""
    query = {name: str(int(value) if isinstance(value, bool) else value) for name, value in fields.items()}
    try:
        CALCULATORS[calculator].read(query)
    except BadInput:
        return None
    return OddsLink(label, f"/odds/{calculator}?{urlencode(query)}")
