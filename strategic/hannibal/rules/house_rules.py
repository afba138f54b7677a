"""reading.1 A group's own values where editions differ from the published tables, kept in the game."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from strategic.hannibal.tables import LEADERS, TABLES, Leader, Tables
from tactical.kernel.house_rules import HouseRules, check_number, check_row, check_rows, replacing, sheets
from tactical.kernel.record import BadInput, Input

DIE = 6


class Ratings(Input, frozen=True):
    """A general's strategy and battle ratings."""

    strategy: int
    battle: int


class House(Input, frozen=True):
    """What a group replaces from its own copy of the game; what is left out stays as published."""

    title: str = ""
    generals: dict[str, Ratings] = {}
    cards: tuple[int, ...] | None = None
    siege_points: tuple[int, ...] | None = None
    siege_losses: tuple[int, ...] | None = None
    attrition: tuple[tuple[int, ...], ...] | None = None
    retreat: tuple[tuple[int, ...], ...] | None = None
    passes: int | None = None
    returns: int | None = None


@dataclass(frozen=True)
class Sheet:
    """The values in use: tables and generals."""

    tables: Tables
    leaders: dict[str, Leader]


def check(house: House) -> None:
    """reading.1 Raises BadInput for values that the game cannot be played with."""
    for name, ratings in house.generals.items():
        if name not in LEADERS:
            raise BadInput(f"generals.{name}", "there is no such general")
        check_number(ratings.strategy, f"generals.{name}.strategy", 1, 3)
        check_number(ratings.battle, f"generals.{name}.battle", 0, 5)
    check_row(house.cards, "cards", TABLES.turns.last, 1, 15)
    for name in ("points", "losses"):
        check_row(getattr(house, f"siege_{name}"), f"siege_{name}", len(getattr(TABLES.siege, name)), 0, 3)
    for name, table, most in (("attrition", TABLES.attrition, 9), ("retreat", TABLES.retreat, TABLES.retreat.all)):
        check_rows(getattr(house, name), name, (len(table.losses), len(table.columns)), most)
    for name in ("passes", "returns"):
        check_number(getattr(house, name), name, 0, 2 * DIE)


def _sheet_of(house: House) -> Sheet:
    leaders = {
        name: replacing(leader, strategy=own.strategy, battle=own.battle)
        if (own := house.generals.get(name))
        else leader
        for name, leader in LEADERS.items()
    }
    tables = replace(
        TABLES,
        attrition=replacing(TABLES.attrition, losses=house.attrition),
        retreat=replacing(TABLES.retreat, losses=house.retreat),
        siege=replacing(TABLES.siege, points=house.siege_points, losses=house.siege_losses),
        naval=replacing(TABLES.naval, passes=house.passes, returns=house.returns),
        turns=replacing(TABLES.turns, cards=house.cards),
    )
    return Sheet(tables, leaders)


def default_house() -> House:
    """The published values as a group would write them."""
    return House(
        generals={name: Ratings(leader.strategy, leader.battle) for name, leader in LEADERS.items()},
        cards=TABLES.turns.cards,
        siege_points=TABLES.siege.points,
        siege_losses=TABLES.siege.losses,
        attrition=TABLES.attrition.losses,
        retreat=TABLES.retreat.losses,
        passes=TABLES.naval.passes,
        returns=TABLES.naval.returns,
    )


EXAMPLE = """cards = [7, 7, 7, 8, 8, 8, 9, 9, 9]
[generals.hannibal]
strategy = 1
battle = 5"""
sheet = sheets(House, _sheet_of)
HOUSE = HouseRules(House, "reading.1", check, default_house, example=EXAMPLE)
