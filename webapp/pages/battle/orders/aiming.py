"""Tapping an enemy: the first tap shows what the selected ship can do to her and how likely, the second does it.

The same chances stand on the board: a percentage, and in a word what it is the chance of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tactical import fleet_orders
from tactical.battle import Battle
from tactical.kernel.protocol import Offer
from tactical.rules import contacts, missiles, ramming
from tactical.rules.movement import is_bow_to_bow
from webapp.http.language import gettext as _
from webapp.pages.battle.board.chances import Chance
from webapp.pages.battle.board.looking import Looking
from webapp.pages.battle.board.marks import Ghost
from webapp.pages.battle.orders import odds_hint, orders, whole_fleet
from webapp.pages.battle.orders.order_records import Action
from webapp.presenting.battle_labels import figures, ship_name


@dataclass(frozen=True)
class Aim:
    """What the selected ship can do to one enemy now; the first action is what a second tap on her does."""

    target: str
    name: str
    actions: tuple[Action, ...]
    chances: tuple[str, ...]
    odds: tuple[float, str]  # the chance of what the first action is for, and that in a word


def aims(battle: Battle, offers: Sequence[Offer], ship_id: str | None) -> Mapping[str, Aim]:
    """The enemies that the selected ship can fire at, board or settle a contact with, each with what it takes."""
    ship = battle.ships.get(ship_id or "")
    mine = [offer for offer in offers if offer.fields.get("ship") == ship_id]
    if ship is None or ship_id is None or not mine or not battle.has_places:
        return {}
    if battle.step == "fire":
        return {
            foe: Aim(foe, name, tuple(actions), chances(battle, ship_id, foe), of_fire(battle, ship_id, foe))
            for foe, name, actions in whole_fleet.fire_all(battle, [ship_id])
        }
    if battle.step == "ram" and ship.contact is not None:
        found = tuple(each for each in orders.meetings(battle, mine, ship_id) if isinstance(each, Action))
        if not found:
            return {}
        rams = any(offer.type == "ram" for offer in mine)
        odds = of_ram(battle, ship_id, ship.contact) if rams else (1.0, _("oars"))
        return {ship.contact: Aim(ship.contact, ship_name(battle, ship.contact), found, (), odds)}
    if battle.step == "board":
        boards = [each for each in orders.boardings(battle, mine, ship_id) if isinstance(each, Action)]
        by_foe: dict[str, list[Action]] = {}
        for foe in battle.ships:
            by_foe[foe] = [each for each in boards if f'"target":"{foe}"' in each.command]
        return {
            foe: Aim(foe, ship_name(battle, foe), tuple(found), (), of_boarding(battle, ship_id, foe))
            for foe, found in by_foe.items()
            if found
        }
    return {}


def chances(battle: Battle, ship_id: str, foe: str) -> tuple[str, ...]:
    """What each weapon does at this range."""
    ship, other = battle.ships[ship_id], battle.ships[foe]
    reach = missiles.range_between(battle, ship, other)
    return tuple(
        f"{figures(weapon, missiles.ready(ship, weapon))}: {odds_hint.one_shot(weapon, reach)}"
        for weapon in missiles.WEAPONS
        if missiles.may_fire(ship, weapon) and foe in missiles.targets(battle, ship, weapon)
    )


def of_fire(battle: Battle, ship_id: str, foe: str) -> tuple[float, str]:
    """G5.2 The chance that all her weapons together kill anybody or, where that is likelier, hole the hull."""
    ship = battle.ships[ship_id]
    reach = missiles.range_between(battle, ship, battle.ships[foe])
    no_death = no_hole = 1.0
    for weapon, row in missiles.WEAPONS.items():
        if not missiles.may_fire(ship, weapon) or foe not in missiles.targets(battle, ship, weapon):
            continue
        effects = [row.effect(reach, face) for face in range(1, 7)]
        count = missiles.ready(ship, weapon)
        no_death *= (sum(not effect.kills for effect in effects) / 6) ** count
        no_hole *= (sum(not effect.hull for effect in effects) / 6) ** count
    return (1 - no_hole, _("holed")) if no_hole < no_death else (1 - no_death, _("1 dead"))


def of_ram(battle: Battle, ship_id: str, foe: str) -> tuple[float, str]:
    """G6.1, G6.2 The chance that a ram sinks her; where it cannot, that it strikes at all."""
    ship, other = battle.ships[ship_id], battle.ships[foe]
    kind = battle.kind(ship)
    strikes = 1.0
    if is_head_on(battle, ship_id, foe):
        rams, _rammed, both = odds_hint.head_on(ship.crew, other.crew)
        strikes = rams + both
    left = battle.kind(other).hull - other.damage
    _damage, sinks = odds_hint.ram_damage(kind.ram or 0, ramming.has_full_speed(kind, ship), left)
    return (strikes * sinks, _("sinks")) if sinks else (strikes, _("rammed"))


def is_head_on(battle: Battle, ship_id: str, foe: str) -> bool:
    """G6.1 Do the two meet bow to bow, and may the other ram, too?"""
    ship, other = battle.ships[ship_id], battle.ships[foe]
    if ship.contact != foe:
        return False
    meet = contacts.is_mutual(battle, ship_id) or is_bow_to_bow(battle, ship, other)
    return meet and contacts.can_ram(battle, other)


def of_boarding(battle: Battle, ship_id: str, foe: str) -> tuple[float, str]:
    """G8.1, G8.4 The chance to come aboard and win the fight there."""
    chance = fleet_orders.getting_aboard(battle, ship_id, foe)
    return chance * fleet_orders.winning(battle, ship_id, foe), _("takes her")


def on_board(battle: Battle, look: Looking, found: Mapping[str, Aim], ghosts: Sequence[Ghost]) -> tuple[Chance, ...]:
    """The cards of the board: what can be done now, and dashed the rams that the steps on offer lead to."""
    now = [
        Chance(
            foe,
            aim.name,
            odds_hint.percent_sign(aim.odds[0]),
            aim.odds[1],
            look.url(target=foe),
            aim.actions[0].command if foe == look.target else "",
        )
        for foe, aim in found.items()
    ]
    ship = battle.ships.get(look.ship or "")
    later: dict[str, Chance] = {}
    if ship is not None and look.ship is not None and battle.kind(ship).ram is not None:
        for ghost in ghosts:
            foes = [name for name, each in battle.ships.items() if each.at == ghost.to and each.side != ship.side]
            for foe in foes if ghost.meets == "contact" else ():
                chance, word = of_ram(battle, look.ship, foe)
                later[foe] = Chance(foe, ship_name(battle, foe), odds_hint.percent_sign(chance), word)
    return (*now, *(each for foe, each in later.items() if foe not in found))
