"""2.2 A group's own values in place of the reconstructed ones, kept in the game."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from strategic.sword_of_rome.tables import LEADERS, SEATS, TABLES, Leader, Tables
from tactical.kernel.house_rules import OPTION, HouseRules, check_number, replacing, sheets
from tactical.kernel.record import BadInput, Input


class Ratings(Input, frozen=True):
    """8.1 A leader's tactics, and the least card that activates him (none: any)."""

    tactics: int
    initiative: int | None = None


class House(Input, frozen=True):
    """What a group replaces from its own copy of the game; what is left out stays as reconstructed.

    `hand` are cards by seat (6.2), `automatic` the ratio from which no battle is fought (12.2), `success` and `back`
    the bounds of the naval combat table, `attrition_divisor` the part of an army that it takes (9.6.4).
    """

    title: str = ""
    leaders: dict[str, Ratings] = {}
    hand: dict[str, int] = {}
    automatic: float | None = None
    success: int | None = None
    back: int | None = None
    attrition_divisor: int | None = None


@dataclass(frozen=True)
class Sheet:
    """The values in use: tables and leaders."""

    tables: Tables
    leaders: dict[str, Leader]


def check(house: House) -> None:
    """2.2 Raises BadInput for values that the game cannot be played with."""
    for name, ratings in house.leaders.items():
        if name not in LEADERS:
            raise BadInput(f"leaders.{name}", "there is no leader called %(leader)s", leader=repr(name))
        check_number(ratings.tactics, f"leaders.{name}.tactics", 0, 6)
        check_number(ratings.initiative, f"leaders.{name}.initiative", 1, 3)
    for seat, cards in house.hand.items():
        if seat not in SEATS:
            raise BadInput(f"hand.{seat}", "there is no such seat")
        check_number(cards, f"hand.{seat}", 1, 15)
    if house.automatic is not None and not 1 < house.automatic <= 99:
        raise BadInput("automatic", "the ratio must be above 1 and at most 99")
    check_number(house.success, "success", 0, 12)
    check_number(house.back, "back", 0, 12)
    check_number(house.attrition_divisor, "attrition_divisor", 1, 10)


def _sheet_of(house: House) -> Sheet:
    leaders = {
        name: replace(leader, tactics=own.tactics, initiative=own.initiative, source=OPTION)
        if (own := house.leaders.get(name))
        else leader
        for name, leader in LEADERS.items()
    }
    naval = replacing(
        TABLES.naval_combat, success=house.success, back=house.back, attrition_divisor=house.attrition_divisor
    )
    tables = replace(
        TABLES,
        naval_combat=naval,
        battle=replacing(TABLES.battle, automatic=house.automatic),
        cards=replace(TABLES.cards, hand={**TABLES.cards.hand, **house.hand}),
    )
    return Sheet(tables, leaders)


def default_house() -> House:
    """2.2 The program's own values as a group would write them."""
    return House(
        leaders={name: Ratings(leader.tactics, leader.initiative) for name, leader in LEADERS.items()},
        hand=TABLES.cards.hand,
        automatic=TABLES.battle.automatic,
        success=TABLES.naval_combat.success,
        back=TABLES.naval_combat.back,
        attrition_divisor=TABLES.naval_combat.attrition_divisor,
    )


EXAMPLE = """attrition_divisor = 2
[leaders.camillus]
tactics = 4"""
sheet = sheets(House, _sheet_of)
HOUSE = HouseRules(House, "2.2", check, default_house, example=EXAMPLE)
