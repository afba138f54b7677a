"""H.table, H.dice, H.scoring A group's own values in place of the reconstructed ones, kept in the game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from msgspec.structs import replace

from strategic.hamilcar.tables import LEADERS, PROVINCES, TABLES, Leader, Tables
from tactical.kernel.record import BadInput, Input, decode, encode, read

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


def validate_house(raw: object) -> House:
    """H.table The values that a group typed in, checked; BadInput names the field that is wrong."""
    house: House = read(raw, House, "options.house")
    at = "options.house"
    if house.siege is not None:
        for name in SiegeDice.__struct_fields__:
            faces: tuple[int, ...] = getattr(house.siege, name)
            if len(faces) != DIE or not all(0 <= value <= 3 for value in faces):
                raise BadInput(f"{at}.siege.{name}", "six numbers of 0 to 3, for the faces 1 to 6")
    if house.council is not None:
        size = TABLES.council.size
        for name in ("rows", "columns"):
            pictures: tuple[str, ...] = getattr(house.council, name)
            if len(pictures) != size or not set(pictures) <= {"cu", "general", ""}:
                raise BadInput(f"{at}.council.{name}", f'{size} pictures, each "cu", "general" or ""')
        if not 1 <= house.council.line <= size:
            raise BadInput(f"{at}.council.line", f"1 to {size} PCs make a line count")
    for name in ("corvus_row", "trident_row"):
        row: int | None = getattr(house, name)
        if row is not None and not 1 <= row <= DIE + 2:
            raise BadInput(f"{at}.{name}", f"a modified die of 1 to {DIE + 2}")
    _check_track(house, at)
    for name, copies in house.tactics.items():
        if name not in PRINTED.copies or not 0 <= copies <= 10:
            raise BadInput(f"{at}.tactics.{name}", "one of the ten cards, with 0 to 10 copies")
    for name, ratings in house.generals.items():
        if name not in LEADERS:
            raise BadInput(f"{at}.generals.{name}", "there is no such general")
        if not (1 <= ratings.strategy <= 3 and 0 <= ratings.battle <= 5):
            raise BadInput(f"{at}.generals.{name}", "a strategy rating of 1 to 3 and a battle rating of 0 to 5")
    for name in house.scoring or ():
        if name not in PROVINCES:
            raise BadInput(f"{at}.scoring", f"there is no province {name!r}")
    return house


def _check_track(house: House, at: str) -> None:
    last = TABLES.turns.last
    if house.cards is not None and (len(house.cards) != last or not all(1 <= n <= 15 for n in house.cards)):
        raise BadInput(f"{at}.cards", f"{last} numbers of 1 to 15 cards, one a turn")
    price = house.mercenary_price
    if price is not None and (len(price) != last or not all(1 <= n <= 9 for n in price)):
        raise BadInput(f"{at}.mercenary_price", f"{last} prices of 1 to 9 PCs, one a turn")


def _sheet_of(house: House) -> Sheet:
    tables = TABLES
    if house.siege is not None:
        own = {name: getattr(house.siege, name) for name in SiegeDice.__struct_fields__}
        tables = replace(tables, siege=replace(tables.siege, source="house", **own))
    if house.council is not None:
        grid = house.council
        council = replace(tables.council, rows=grid.rows, columns=grid.columns, line=grid.line, source="house")
        tables = replace(tables, council=council)
    rows = {name: row for name in ("corvus_row", "trident_row") if (row := getattr(house, name)) is not None}
    tables = replace(tables, naval=replace(tables.naval, **rows))
    if house.cards is not None:
        tables = replace(tables, turns=replace(tables.turns, cards=house.cards))
    if house.mercenary_price is not None:
        tables = replace(tables, turns=replace(tables.turns, mercenary_price=house.mercenary_price))
    copies = {tactic.id: house.tactics.get(tactic.id, tactic.copies) for tactic in TABLES.tactic}
    leaders = dict(LEADERS)
    for name, own_ in house.generals.items():
        leaders[name] = replace(
            LEADERS[name], strategy=own_.strategy, battle=own_.battle, admiral=own_.admiral, african=own_.african,
            aristocrat=own_.aristocrat, source="house", strategy_source="house", battle_source="house",
        )  # fmt: skip
    scoring = house.scoring
    if scoring is None:
        scoring = tuple(province.id for province in PROVINCES.values() if province.scores)
    deck = tuple(name for name, count in copies.items() for _ in range(count))
    return Sheet(tables, leaders, deck, copies, frozenset(scoring))


PRINTED = _sheet_of(House())


@cache
def _sheet(raw: bytes) -> Sheet:
    return _sheet_of(decode(raw, House))


def sheet(house: House | None) -> Sheet:
    """H.table The values in use."""
    return PRINTED if house is None else _sheet(encode(house))
