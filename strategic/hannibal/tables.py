"""The printed cards, generals, tables and limits of Hannibal, and a group's own values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from msgspec.structs import replace

import data
from strategic.atlas import Atlas, atlas
from strategic.point_to_point import state
from strategic.point_to_point.state import BattleCard, Retreat, Side, Table, provinces_of
from tactical.kernel.house_rules import HouseRules, replacing, sheets
from tactical.kernel.record import BadInput, Input, bounded, so_many

# -- The printed cards, generals, tables and limits of Hannibal, as typed records, and how a table is read.


class Card(Input, frozen=True):
    """A strategy card. `event`: what resolves it; `use`: what it adds to the activation that it is played for."""

    number: int
    title: str
    ops: int
    side: Literal["rome", "carthage", "both"]
    effect: str
    source: str
    ship: bool = False
    counter: bool = False
    answer_only: bool = False
    battle: bool = False
    removed: str = ""
    breaks_truce: bool = False
    event: str = ""
    use: str = ""
    campaign: int = 0
    general: str = ""
    most_strategy: int = 3
    points: int = 4
    province: str = ""
    provinces: tuple[str, ...] = ()
    space: str = ""
    italian: int = 0
    units: int = 0
    walled: bool = False
    friendly: bool = False
    note: str = ""

    def may_be_event_of(self, side: Side) -> bool:
        """strategy.3a Is the card of this side's colour?"""
        return self.side in (side, "both")


class Leader(state.Leader, frozen=True):
    """A general: ratings as printed, abilities as numbers."""

    rank: Literal["consul", "proconsul", "general"]
    ability: str
    avoid: int = 0
    intercept: int = 0
    pursue: int = 0
    counter_as_attacker: int = 0
    counter_as_defender: int = 0
    naval: int = 0
    keeps_to: str = ""
    clears_pc: bool = False
    probe_as_other: bool = False
    outranks: bool = False
    displaced_pcs: int = 0
    dies: bool = False
    strategy_in: dict[str, int] = {}
    campaign_siege: int = 0
    campaign_points: int = 0
    force_march_siege_dice: int = 0
    arrives: int = 0
    arrives_with: int = 0


class Attrition(state.Attrition, frozen=True):
    """The attrition table and its modifiers."""

    tribes_force: int
    other_pass: int
    alpine_pass: int
    native_guide: int
    pestilence: int
    storms: int


class Siege(state.Siege, frozen=True):
    """The siege and subjugation table."""

    first_die: int
    points: tuple[int, ...]
    losses: tuple[int, ...]
    carthage: int
    great: int
    consul_needs: int

    def read(self, die: int) -> tuple[int, int]:
        """tables.siege Points won and CUs lost by modified die."""
        row = min(max(die - self.first_die, 0), len(self.points) - 1)
        return self.points[row], self.losses[row]


class Naval(Table, frozen=True):
    """The naval combat table and its modifiers."""

    passes: int
    returns: int
    roman_port: int
    alone: int
    syracuse: int
    macedon: int
    naval_victory: int


class Movement(state.Movement, frozen=True):
    """Points and limits of movement."""

    sea_units: int
    campaign_sea_units: int
    pirates_units: int
    sea: int


class Cities(Table, frozen=True):
    """Room inside the walls."""

    inside: int
    capital_inside: int


class BattleNumbers(state.BattleNumbers, frozen=True):
    """What makes a battle hand, and a fright of elephants."""

    fright: int


class Turns(Table, frozen=True):
    """The turn track."""

    last: int
    cards: tuple[int, ...]
    years: tuple[str, ...]


class Reinforcement(Input, frozen=True):
    """One line of the reinforcements: units, and the spaces or the regions of generals where they may go."""

    id: str
    side: Side
    cite: str
    units: int
    spaces: tuple[str, ...]
    regions: tuple[str, ...] = ()
    holds: str = ""
    controls: str = ""


class Tables(Input, frozen=True):
    """All of tables.toml."""

    attrition: Attrition
    siege: Siege
    retreat: Retreat
    naval: Naval
    movement: Movement
    cities: Cities
    battle: BattleNumbers
    turns: Turns
    reinforcement: tuple[Reinforcement, ...]


class _Cards(Input, frozen=True):
    cite: str
    card: tuple[Card, ...]
    battle_card: tuple[BattleCard, ...]


class _Leaders(Input, frozen=True):
    cite: str
    leader: tuple[Leader, ...]


class Ground(state.Ground, frozen=True):
    """What the map says of a space besides its connections."""

    port_modifier: int


TABLES: Tables = data.read("hannibal/tables.toml", Tables)
CARDS: dict[int, Card] = {card.number: card for card in data.read("hannibal/cards.toml", _Cards).card}
BATTLE_CARDS: dict[str, BattleCard] = {card.id: card for card in data.read("hannibal/cards.toml", _Cards).battle_card}
LEADERS: dict[str, Leader] = {leader.id: leader for leader in data.read("hannibal/leaders.toml", _Leaders).leader}
CHART: Atlas = atlas("hannibal")
BATTLE_DECK: tuple[str, ...] = tuple(card.id for card in BATTLE_CARDS.values() for _ in range(card.count))


@cache
def ground(space: str) -> Ground:
    """The map's record of a space."""
    about = CHART.spaces[space].about
    same = {name: about[name] for name in ("province", "region", "port", "great", "capital", "start")}
    city, tribe = about["walls"] is not None, about["tribe"] is not None
    return Ground(**same, city=city, tribe=tribe, port_modifier=about["port_modifier"] or 0)


PROVINCES = provinces_of(CHART)
ITALIAN: tuple[str, ...] = tuple(p.id for p in PROVINCES.values() if p.region == "italia")


def room(space: str) -> int:
    """cities.2 How many CUs fit inside the walls of a space; 0 without walls."""
    place = ground(space)
    if not place.city:
        return 0
    return TABLES.cities.capital_inside if place.capital else TABLES.cities.inside


def is_pass(kind: str) -> bool:
    """Is this kind of connection a mountain pass?"""
    return kind in ("pass", "alpine_pass")


# -- reading.1 A group's own values where editions differ from the published tables, kept in the game.

DIE = 6
ByDie = tuple[Annotated[int, bounded(0, 3)], ...]
Lost = Annotated[tuple[Annotated[int, bounded(0, 9)], ...], so_many(len(TABLES.attrition.columns))]
Fled = Annotated[tuple[Annotated[int, bounded(0, TABLES.retreat.all)], ...], so_many(len(TABLES.retreat.columns))]


class Ratings(Input, frozen=True):
    """A general's strategy and battle ratings."""

    strategy: Annotated[int, bounded(1, 3)]
    battle: Annotated[int, bounded(0, 5)]


class House(Input, frozen=True):
    """What a group replaces from its own copy of the game; what is left out stays as published."""

    title: str = ""
    generals: dict[str, Ratings] = {}
    cards: Annotated[tuple[Annotated[int, bounded(1, 15)], ...], so_many(TABLES.turns.last)] | None = None
    siege_points: Annotated[ByDie, so_many(len(TABLES.siege.points))] | None = None
    siege_losses: Annotated[ByDie, so_many(len(TABLES.siege.losses))] | None = None
    attrition: Annotated[tuple[Lost, ...], so_many(len(TABLES.attrition.losses))] | None = None
    retreat: Annotated[tuple[Fled, ...], so_many(len(TABLES.retreat.losses))] | None = None
    passes: Annotated[int, bounded(0, 2 * DIE)] | None = None
    returns: Annotated[int, bounded(0, 2 * DIE)] | None = None


@dataclass(frozen=True)
class Sheet:
    """The values in use: tables and generals."""

    tables: Tables
    leaders: dict[str, Leader]


def check(house: House) -> None:
    """reading.1 Raises BadInput for values that the game cannot be played with."""
    for name in house.generals:
        if name not in LEADERS:
            raise BadInput(f"generals.{name}", "there is no such general")


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
