"""The cards, generals, tables and limits of Hamilcar, and a group's own values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from msgspec.structs import replace

import data
from strategic.atlas import Atlas, Connection, atlas
from strategic.point_to_point import state
from strategic.point_to_point.state import BattleCard, Retreat, Side, Table, enemy, provinces_of
from tactical.kernel.house_rules import HouseRules, replacing, sheets
from tactical.kernel.record import BadInput, Input, bounded, so_many

# -- The cards, generals, tables and limits of Hamilcar as typed records, and how a table is read.


class Card(Input, frozen=True):
    """A strategy card. `event`: what resolves it; `use`: added to an activation; `answer`: in the other's turn."""

    number: int
    title: str
    ops: int
    side: Literal["rome", "carthage", "both"]
    effect: str = ""
    source: str = "table"
    ships: int = 0
    campaign: int = 0
    event: str = ""
    use: str = ""
    answer: str = ""
    most_strategy: int = 3
    units: int = 0
    die: int = 0
    optional: bool = False

    def may_be_event_of(self, side: Side) -> bool:
        """strategy.3a Is the card of this side's colour?"""
        return self.side in (side, "both")


class Leader(state.Leader, frozen=True):
    """A general: his ratings and marks (6.5)."""

    strategy_source: str
    battle_source: str
    admiral: bool = False
    african: bool = False
    aristocrat: bool = False
    mercenary: bool = False
    arrives: int = 0


class Naval(Table, frozen=True):
    """The naval battle: hits by modified die and column, the rows with signs, the modifiers."""

    first_die: int
    hits: tuple[tuple[int, ...], ...]
    rounds: int
    prize_column: int
    corvus_row: int
    trident_row: int
    rows_source: str
    unskilled: int
    corvus: int
    corvus_interception: int
    supremacy_cards: int
    luck: int

    def read(self, die: int, column: int) -> int:
        """H.table Hits by modified die and column (1 to 5)."""
        row = min(max(die - self.first_die, 0), len(self.hits) - 1)
        return self.hits[row][column - 1]


class Sea(Table, frozen=True):
    """Limits of movement by sea, the levels of seamanship, naval reforms."""

    points: int
    units: int
    trains: int
    ships: int
    levels: tuple[str, ...]
    fall: int
    reform_repairs: int
    carthage_unit_for_ship: int


class Storm(Table, frozen=True):
    """Modifiers of a storm."""

    modifier: int
    corvus: int
    poor: int
    excellent: int


class Movement(state.Movement, frozen=True):
    """Points and limits of movement by land."""

    force_march: int
    burn: int


class Siege(state.Siege, frozen=True):
    """The red and the white die."""

    red_points: tuple[int, ...]
    red_losses: tuple[int, ...]
    white_points: tuple[int, ...]
    white_losses: tuple[int, ...]

    def read(self, colour: Literal["red", "white"], face: int) -> tuple[int, int]:
        """H.dice Siege points and CUs lost by a face of a die of this colour."""
        if colour == "red":
            return self.red_points[face - 1], self.red_losses[face - 1]
        return self.white_points[face - 1], self.white_losses[face - 1]


class BattleNumbers(state.BattleNumbers, frozen=True):
    """What makes a battle hand (14.1) and an elephant attack (17)."""

    unit_cards: int
    forgotten: int
    wild: int


class Council(Table, frozen=True):
    """19.5 The grid of the Council."""

    size: int
    centre: tuple[int, int]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    line: int
    war_footing: int


class Turns(Table, frozen=True):
    """The turn track."""

    last: int
    cards: tuple[int, ...]
    mercenary_price: tuple[int, ...]
    barca: int
    years: tuple[str, ...]


class Reinforcement(Table, frozen=True):
    """6.1, 6.2 Numbers of the reinforcements."""

    carthage_ships: int
    carthage_units: int
    rome_most: int
    rome_fixed: int
    rome_with_generals: int
    generals: int
    most_generals: int


class Budget(Table, frozen=True):
    """22.2 Prices of the war budget."""

    repair: int
    concede: int
    supply: int
    build: int
    recruit: int


class Victory(Table, frozen=True):
    """22.1 Points."""

    points: int
    point_space: str
    scoring_source: str


class Tactic(Input, frozen=True):
    """11.7.cards One of the ten tactics cards."""

    id: str
    name: str
    cite: str
    copies: int
    text: str
    source: str
    draw: int = 0
    rating: int = 0
    bonus: int = 0
    bonus_on_transports: int = 0
    next_bonus: int = 0
    draw_on_hit: int = 0


class Tables(Input, frozen=True):
    """All of tables.toml."""

    attrition: state.Attrition
    naval: Naval
    sea: Sea
    storm: Storm
    movement: Movement
    siege: Siege
    retreat: Retreat
    battle: BattleNumbers
    council: Council
    turns: Turns
    reinforcement: Reinforcement
    budget: Budget
    victory: Victory
    tactic: tuple[Tactic, ...]


class _Cards(Input, frozen=True):
    cite: str
    status: str
    card: tuple[Card, ...]
    battle_card: tuple[BattleCard, ...]


class _Leaders(Input, frozen=True):
    cite: str
    leader: tuple[Leader, ...]


class ShipNames(Input, frozen=True):
    """L2.4 Names for ships: those of each side of a campaign, from the linking data."""

    cite: str
    names: dict[str, tuple[str, ...]]

    def of(self, side: Side) -> tuple[str, ...]:
        """The names of a side, in the order in which they are given; each name belongs to one side only."""
        other = self.names[enemy(side)]
        return tuple(name for name in self.names[side] if side == "rome" or name not in other)


class Ground(state.Ground, frozen=True):
    """What the map says of a space besides its connections."""

    inside: int


TABLES = data.read("hamilcar/tables.toml", Tables)
CARDS: dict[int, Card] = {card.number: card for card in data.read("hamilcar/cards.toml", _Cards).card}
BATTLE_CARDS: dict[str, BattleCard] = {card.id: card for card in data.read("hamilcar/cards.toml", _Cards).battle_card}
BATTLE_DECK: tuple[str, ...] = tuple(card.id for card in BATTLE_CARDS.values() for _ in range(card.count))
TACTICS: dict[str, Tactic] = {tactic.id: tactic for tactic in TABLES.tactic}
TACTICS_DECK: tuple[str, ...] = tuple(tactic.id for tactic in TABLES.tactic for _ in range(tactic.copies))
LEADERS: dict[str, Leader] = {leader.id: leader for leader in data.read("hamilcar/leaders.toml", _Leaders).leader}
NAMES = data.read("linking/names.toml", ShipNames)
CHART: Atlas = atlas("hamilcar")
STORM_LANES: frozenset[frozenset[str]] = frozenset(
    frozenset((way.start, way.end)) for way in CHART.connections if way.about.get("storm")
)
ALL_CELLS: tuple[tuple[int, int], ...] = tuple(
    (row, column) for row in range(1, TABLES.council.size + 1) for column in range(1, TABLES.council.size + 1)
)


@cache
def ground(space: str) -> Ground:
    """The map's record of a space."""
    about = CHART.spaces[space].about
    return Ground(**{name: about[name] for name in Ground.__struct_fields__})


PROVINCES = provinces_of(CHART)
ITALIAN: tuple[str, ...] = tuple(p.id for p in PROVINCES.values() if p.region == "italia")


def room(space: str) -> int:
    """cities.2 How many CUs fit inside the walls of a space; 0 without walls."""
    return ground(space).inside


def lanes(space: str) -> tuple[Connection, ...]:
    """11.1 The sea lanes from a space."""
    return CHART.water[space]


def ports_beside(space: str) -> tuple[str, ...]:
    """11.6.2 The ports one lane from a space."""
    return tuple(way.other(space) for way in lanes(space))


def is_lane(start: str, end: str) -> bool:
    """11.1 Is there a sea lane between the two?"""
    return end in ports_beside(start)


def is_stormy(start: str, end: str) -> bool:
    """4.c Is the lane marked with lightning?"""
    return frozenset((start, end)) in STORM_LANES


# -- H.table, H.dice, H.scoring A group's own values in place of the reconstructed ones, kept in the game.

DIE = 6
ByFace = Annotated[tuple[Annotated[int, bounded(0, 3)], ...], so_many(DIE)]
Row = Annotated[int, bounded(1, DIE + 2)]


class SiegeDice(Input, frozen=True):
    """H.dice Points and losses by face 1 to 6 of the red and the white die."""

    red_points: ByFace
    red_losses: ByFace
    white_points: ByFace
    white_losses: ByFace


class Grid(Input, frozen=True):
    """H.council What each row and column of the Council shows: "cu", "general" or nothing."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    line: Annotated[int, bounded(1, TABLES.council.size)] = 2


class Ratings(Input, frozen=True):
    """6.5 A general's ratings and marks."""

    strategy: Annotated[int, bounded(1, 3)]
    battle: Annotated[int, bounded(0, 5)]
    admiral: bool = False
    african: bool = False
    aristocrat: bool = False


class House(Input, frozen=True):
    """H.table What a group replaces from its own copy of the game; what is left out stays as reconstructed."""

    title: str = ""
    siege: SiegeDice | None = None
    council: Grid | None = None
    corvus_row: Row | None = None
    trident_row: Row | None = None
    cards: Annotated[tuple[Annotated[int, bounded(1, 15)], ...], so_many(TABLES.turns.last)] | None = None
    mercenary_price: Annotated[tuple[Annotated[int, bounded(1, 9)], ...], so_many(TABLES.turns.last)] | None = None
    tactics: dict[str, Annotated[int, bounded(0, 10)]] = {}
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
    if house.council is not None:
        size = TABLES.council.size
        for name in ("rows", "columns"):
            pictures: tuple[str, ...] = getattr(house.council, name)
            if len(pictures) != size or not set(pictures) <= {"cu", "general", ""}:
                raise BadInput(f"council.{name}", '%(size)s pictures, each "cu", "general" or ""', size=size)
    for name in house.tactics:
        if name not in PRINTED.copies:
            raise BadInput(f"tactics.{name}", "there is no such card")
    for name in house.generals:
        if name not in LEADERS:
            raise BadInput(f"generals.{name}", "there is no such general")
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
