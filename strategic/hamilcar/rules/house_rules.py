"""H.table, H.dice, H.scoring A group's own values in place of the reconstructed ones, kept in the game."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from strategic.hamilcar.tables import LEADERS, PROVINCES, TABLES, Leader, Tables
from tactical.kernel.house_rules import HouseRules, check_number, check_row, replacing, sheets
from tactical.kernel.record import BadInput, Input

DIE = 6


class SiegeDice(Input, frozen=True):
    """H.dice Points and losses by face 1 to 6 of the red and the white die."""

    red_points: tuple[int, ...]
    red_losses: tuple[int, ...]
    white_points: tuple[int, ...]
    white_losses: tuple[int, ...]


class Grid(Input, frozen=True):
    """H.council What each row and column of the Council shows: "cu", "general" or nothing."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    line: int = 2


class Ratings(Input, frozen=True):
    """6.5 A general's ratings and marks."""

    strategy: int
    battle: int
    admiral: bool = False
    african: bool = False
    aristocrat: bool = False


class House(Input, frozen=True):
    """H.table What a group replaces from its own copy of the game; what is left out stays as reconstructed."""

    title: str = ""
    siege: SiegeDice | None = None
    council: Grid | None = None
    corvus_row: int | None = None
    trident_row: int | None = None
    cards: tuple[int, ...] | None = None
    mercenary_price: tuple[int, ...] | None = None
    tactics: dict[str, int] = {}
    generals: dict[str, Ratings] = {}
    scoring: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Sheet:
    """The values in use: tables, generals, tactics cards, scoring provinces."""

    tables: Tables
    leaders: dict[str, Leader]
    deck: tuple[str, ...]
    copies: dict[str, int]
    scoring: frozenset[str]


def check(house: House) -> None:
    """H.table Raises BadInput for values that the game cannot be played with."""
    if house.siege is not None:
        for name in SiegeDice.__struct_fields__:
            check_row(getattr(house.siege, name), f"siege.{name}", DIE, 0, 3)
    if house.council is not None:
        size = TABLES.council.size
        for name in ("rows", "columns"):
            pictures: tuple[str, ...] = getattr(house.council, name)
            if len(pictures) != size or not set(pictures) <= {"cu", "general", ""}:
                raise BadInput(f"council.{name}", '%(size)s pictures, each "cu", "general" or ""', size=size)
        check_number(house.council.line, "council.line", 1, size)
    for name in ("corvus_row", "trident_row"):
        check_number(getattr(house, name), name, 1, DIE + 2)
    check_row(house.cards, "cards", TABLES.turns.last, 1, 15)
    check_row(house.mercenary_price, "mercenary_price", TABLES.turns.last, 1, 9)
    for name, copies in house.tactics.items():
        if name not in PRINTED.copies:
            raise BadInput(f"tactics.{name}", "there is no such card")
        check_number(copies, f"tactics.{name}", 0, 10)
    for name, ratings in house.generals.items():
        if name not in LEADERS:
            raise BadInput(f"generals.{name}", "there is no such general")
        check_number(ratings.strategy, f"generals.{name}.strategy", 1, 3)
        check_number(ratings.battle, f"generals.{name}.battle", 0, 5)
    for name in house.scoring or ():
        if name not in PROVINCES:
            raise BadInput("scoring", "there is no province called %(name)s", name=repr(name))


def _sheet_of(house: House) -> Sheet:
    tables = TABLES
    if house.siege is not None:
        own = {name: getattr(house.siege, name) for name in SiegeDice.__struct_fields__}
        tables = replace(tables, siege=replace(tables.siege, source="house", **own))
    if house.council is not None:
        grid = house.council
        council = replace(tables.council, rows=grid.rows, columns=grid.columns, line=grid.line, source="house")
        tables = replace(tables, council=council)
    naval = replacing(tables.naval, corvus_row=house.corvus_row, trident_row=house.trident_row)
    turns = replacing(tables.turns, cards=house.cards, mercenary_price=house.mercenary_price)
    tables = replace(tables, naval=naval, turns=turns)
    copies = {tactic.id: house.tactics.get(tactic.id, tactic.copies) for tactic in TABLES.tactic}
    leaders = dict(LEADERS)
    for name, own_ in house.generals.items():
        leaders[name] = replace(
            LEADERS[name],
            strategy=own_.strategy,
            battle=own_.battle,
            admiral=own_.admiral,
            african=own_.african,
            aristocrat=own_.aristocrat,
            source="house",
            strategy_source="house",
            battle_source="house",
        )
    scoring = house.scoring
    if scoring is None:
        scoring = tuple(province.id for province in PROVINCES.values() if province.scores)
    deck = tuple(name for name, count in copies.items() for _ in range(count))
    return Sheet(tables, leaders, deck, copies, frozenset(scoring))


sheet = sheets(House, _sheet_of)  # H.table the values in use
PRINTED = sheet(None)


def default_house() -> House:
    """H.table The program's own values as a group would write them."""
    siege = SiegeDice(**{name: getattr(TABLES.siege, name) for name in SiegeDice.__struct_fields__})
    return House(
        siege=siege,
        council=Grid(TABLES.council.rows, TABLES.council.columns, TABLES.council.line),
        corvus_row=TABLES.naval.corvus_row,
        trident_row=TABLES.naval.trident_row,
        cards=TABLES.turns.cards,
        mercenary_price=TABLES.turns.mercenary_price,
        tactics=PRINTED.copies,
        generals={
            name: Ratings(each.strategy, each.battle, each.admiral, each.african, each.aristocrat)
            for name, each in LEADERS.items()
        },
        scoring=tuple(sorted(PRINTED.scoring)),
    )


EXAMPLE = """trident_row = 5
[generals.xanthippus]
strategy = 3
battle = 5"""
HOUSE = HouseRules(House, "H.table", check, default_house, example=EXAMPLE)
