"""Tapping an enemy: the first tap shows what the selected ship can do to her and how likely, the second does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tactical.battle import Battle
from tactical.kernel.protocol import Offer
from tactical.rules import missiles
from webapp.pages.battle import fleet, odds_hint, orders
from webapp.pages.battle.order_records import Action
from webapp.presenting.battle_labels import figures, ship_name


@dataclass(frozen=True)
class Aim:
    """What the selected ship can do to one enemy now; the first action is what a second tap on her does."""

    target: str
    name: str
    actions: tuple[Action, ...]
    chances: tuple[str, ...]


def aims(battle: Battle, offers: Sequence[Offer], ship_id: str | None) -> Mapping[str, Aim]:
    """The enemies that the selected ship can fire at, board or settle a contact with, each with what it takes."""
    ship = battle.ships.get(ship_id or "")
    mine = [offer for offer in offers if offer.fields.get("ship") == ship_id]
    if ship is None or ship_id is None or not mine or not battle.has_places:
        return {}
    if battle.step == "fire":
        return {
            foe: Aim(foe, name, tuple(actions), chances(battle, ship_id, foe))
            for foe, name, actions in fleet.fire_all(battle, [ship_id])
        }
    if battle.step == "ram" and ship.contact is not None:
        found = tuple(each for each in orders.meetings(battle, mine, ship_id) if isinstance(each, Action))
        return {ship.contact: Aim(ship.contact, ship_name(battle, ship.contact), found, ())} if found else {}
    if battle.step == "board":
        boards = [each for each in orders.boardings(battle, mine, ship_id) if isinstance(each, Action)]
        by_foe: dict[str, list[Action]] = {}
        for foe in battle.ships:
            by_foe[foe] = [each for each in boards if f'"target":"{foe}"' in each.command]
        return {foe: Aim(foe, ship_name(battle, foe), tuple(found), ()) for foe, found in by_foe.items() if found}
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
