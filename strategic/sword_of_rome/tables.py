"""The tables of The Sword of Rome, typed, and a group's own values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec.structs import replace

import data
from strategic.atlas import Connection, Space, atlas
from tactical.kernel.house_rules import OPTION, HouseRules, replacing, sheets
from tactical.kernel.record import BadInput, Input, bounded

# -- The tables of data/sword_of_rome, typed: powers, leaders, movement, sea, battle, cards.

SYSTEM = "sword_of_rome"
INDEPENDENT = "independent"
MOST = 99  # CUs of one power in any position: what two digits can write
CARTHAGE = "carthaginians"


class Table(Input, frozen=True, kw_only=True):
    """A table says which paragraph it prints, where it comes from, and what in it is ours."""

    cite: str
    source: str
    reconstructed: tuple[str, ...] = ()


class Seat(Input, frozen=True):
    """A player and the powers that he plays."""

    id: str
    name: str
    powers: tuple[str, ...]


class Ties(Table, frozen=True):
    """10.3 Who wins ties, first to last."""

    order: tuple[str, ...]


class BoxWay(Input, frozen=True, rename={"start": "from", "end": "to"}):
    """2.2 The one-way connection from a box to the map."""

    start: str
    end: str
    kind: str


class Movement(Table, frozen=True):
    """9.2 Points, the limit of CUs, and the ground that a power knows."""

    points: int
    by_card: dict[str, tuple[int, int, int]]
    always: dict[str, int]
    limit: int
    own_ground: dict[str, tuple[str, ...]]
    box: tuple[BoxWay, ...]


class Sea(Table, frozen=True):
    """9.6.3 Who may sail, with which card and how many CUs."""

    carthage: tuple[int, int, int]
    card: int
    small: int
    greek_syracusae: int
    greek_lilybaeum: int
    needs: dict[str, str]
    any_card: tuple[str, ...]
    closed_to_others: dict[str, str]


class NavalCombat(Table, frozen=True):
    """9.6.4, 9.6 (5p) The naval combat table and its modifiers."""

    success: int
    back: int
    friendly_port: int
    first_point: int
    each_point: int
    attrition_divisor: int


class Interception(Table, frozen=True):
    """10.2, 10.3 The numbers of interception."""

    over: tuple[str, ...]
    enemy_space: int
    surprise: int
    commander_keeps: int


class Avoiding(Table, frozen=True):
    """11.1 The numbers of avoiding battle."""

    over: tuple[str, ...]
    limit: int
    in_city: int
    spaces: int
    failed: int


class Ratio(Input, frozen=True, rename={"least": "from"}):
    """12.2 The modifier of the larger army from this ratio on."""

    least: float
    modifier: int


class BattleTable(Table, frozen=True):
    """12.2 Dice, modifiers, force ratio."""

    dice: int
    friendly_space: int
    across: dict[str, int]
    no_friend: tuple[str, ...]
    automatic: float
    ratio: tuple[Ratio, ...]


class Losses(Table, frozen=True):
    """12.3 CUs lost by face, and by the size of the side that rolled it."""

    columns: tuple[int, ...]
    to_loser: dict[int, tuple[int, ...]]
    to_winner: dict[int, tuple[int, ...]]


class RetreatTable(Table, frozen=True):
    """12.4 How far, over what, and at which price."""

    over: tuple[str, ...]
    spaces: int
    enemy_space: int
    enemy_unit: int


class Turn(Table, frozen=True):
    """5 Rounds of a turn, turns of a game."""

    rounds: int
    turns: int


class Cards(Table, frozen=True):
    """6.2 Values and hands."""

    values: tuple[int, ...]
    hand: dict[str, int]
    for_each_port: tuple[str, ...]
    unrest_for_each: int
    discards_all: tuple[str, ...]


class EventInfo(Input, frozen=True):
    """An event in force that a rule here asks about."""

    id: str
    name: str
    meaning: str


class Tables(Input, frozen=True):
    """data/sword_of_rome/tables.toml."""

    seat: tuple[Seat, ...]
    ties: Ties
    movement: Movement
    sea: Sea
    naval_combat: NavalCombat
    interception: Interception
    avoidance: Avoiding
    battle: BattleTable
    losses: Losses
    retreat: RetreatTable
    turn: Turn
    cards: Cards
    event: tuple[EventInfo, ...]


class Leader(Table, frozen=True):
    """8.1 A leader: the least card that activates him (none: any), and his tactics."""

    id: str
    name: str
    power: str
    tactics: int
    initiative: int | None = None
    loyalty_penalty: int = 0
    minor: bool = False


class LeaderTable(Input, frozen=True):
    """data/sword_of_rome/leaders.toml."""

    leader: tuple[Leader, ...]


TABLES: Tables = data.read("sword_of_rome/tables.toml", Tables)
LEADERS: dict[str, Leader] = {
    leader.id: leader for leader in data.read("sword_of_rome/leaders.toml", LeaderTable).leader
}
CHART = atlas(SYSTEM)
SPACES: dict[str, Space] = CHART.spaces
SEATS: dict[str, Seat] = {seat.id: seat for seat in TABLES.seat}
POWERS: tuple[str, ...] = TABLES.ties.order
PLAYED: dict[str, str] = {power: seat.id for seat in TABLES.seat for power in seat.powers}
EVENTS: dict[str, EventInfo] = {event.id: event for event in TABLES.event}
BOX_WAYS: dict[str, tuple[Connection, ...]] = {
    box.start: (Connection(box.start, box.end, box.kind, CHART.costs[box.kind], {"one_way": True}),)
    for box in TABLES.movement.box
}


def home(space: str) -> str:
    """2.2 Whose home space it is; `independent` where it is nobody's."""
    return str(SPACES[space].about["owner"])


def name_of(who: str) -> str:
    """A power, a seat or a leader as a sentence names it: the Gauls, Claudius."""
    if who in LEADERS:
        return LEADERS[who].name
    if who in SEATS:
        return f"the {SEATS[who].name}"
    return f"the {who.replace('_', ' ').title()}" if who in POWERS else who


def is_city(space: str) -> bool:
    """2.2 Is it a walled city?"""
    return SPACES[space].kind == "walled"


def printed_loyalty(space: str) -> int:
    """2.2 The loyalty with which a space begins."""
    return int(SPACES[space].about["loyalty"])


def ways(space: str) -> tuple[Connection, ...]:
    """9.2 The connections by land from a space, the one-way road of a box included."""
    return (*CHART.land[space], *BOX_WAYS.get(space, ()))


def way_between(start: str, end: str) -> Connection | None:
    """9.2 The connection from one space to another."""
    found = [way for way in ways(start) if way.other(start) == end]
    return min(found, key=lambda way: way.cost) if found else None


def is_clear(power: str, way: Connection, kinds: tuple[str, ...]) -> bool:
    """9.2, 10.2.a Does the connection count as one of these easy kinds for the power?

    The Samnites know their own mountains: for them every connection of Bovianum and Aufidena is clear.
    """
    own = TABLES.movement.own_ground.get(power, ())
    return way.kind in kinds or way.start in own or way.end in own


def cost(power: str, way: Connection) -> int:
    """9.2 What the connection costs the power, in movement points."""
    return CHART.costs["clear"] if is_clear(power, way, ("clear",)) else way.cost


def tie_rank(power: str) -> int:
    """10.3 The lower, the earlier in winning ties."""
    return POWERS.index(power)


# -- 2.2 A group's own values in place of the reconstructed ones, kept in the game.


class Ratings(Input, frozen=True):
    """8.1 A leader's tactics, and the least card that activates him (none: any)."""

    tactics: Annotated[int, bounded(0, 6)]
    initiative: Annotated[int, bounded(1, 3)] | None = None


class House(Input, frozen=True):
    """What a group replaces from its own copy of the game; what is left out stays as reconstructed.

    `hand` are cards by seat (6.2), `automatic` the ratio from which no battle is fought (12.2), `success` and `back`
    the bounds of the naval combat table, `attrition_divisor` the part of an army that it takes (9.6.4).
    """

    title: str = ""
    leaders: dict[str, Ratings] = {}
    hand: dict[str, Annotated[int, bounded(1, 15)]] = {}
    automatic: float | None = None
    success: Annotated[int, bounded(0, 12)] | None = None
    back: Annotated[int, bounded(0, 12)] | None = None
    attrition_divisor: Annotated[int, bounded(1, 10)] | None = None


@dataclass(frozen=True)
class Sheet:
    """The values in use: tables and leaders."""

    tables: Tables
    leaders: dict[str, Leader]


def check(house: House) -> None:
    """2.2 Raises BadInput for values that the game cannot be played with."""
    for name in house.leaders:
        if name not in LEADERS:
            raise BadInput(f"leaders.{name}", "there is no leader called %(leader)s", leader=repr(name))
    for seat in house.hand:
        if seat not in SEATS:
            raise BadInput(f"hand.{seat}", "there is no such seat")
    if house.automatic is not None and not 1 < house.automatic <= 99:
        raise BadInput("automatic", "the ratio must be above 1 and at most 99")


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
