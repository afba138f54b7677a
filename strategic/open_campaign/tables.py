"""The house numbers of the open campaign, a campaign's own in their place, its calendar and its worlds."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec.structs import replace

import data
from tactical.captains.worth import WORTH
from tactical.kernel.house_rules import HouseRules, replacing, sheets
from tactical.kernel.record import BadInput, Input, bounded, so_many

# -- O3.6 The game's own date, before and after Christ: years as historians count them, without leap days.

MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
YEAR = sum(MONTHS)


def parts(date: str) -> tuple[int, int, int]:
    """Year (negative before Christ), month and day. Raises BadInput for what is no date."""
    found = re.fullmatch(r"(-?\d{1,4})-(\d{2})-(\d{2})", date)
    if found:
        year, month, day = map(int, found.groups())
        if year and 1 <= month <= 12 and 1 <= day <= MONTHS[month - 1]:
            return year, month, day
    raise BadInput("date", "a date must be written as -260-03-01 (year, month, day)")


def after(date: str, days: int) -> str:
    """The date so many days later; after the year -1 comes the year 1."""
    year, month, day = parts(date)
    day += days
    while day > MONTHS[month - 1]:
        day -= MONTHS[month - 1]
        month += 1
        if month > 12:
            month, year = 1, year + 1 or 1
    return f"{year}-{month:02}-{day:02}"


# -- The house numbers of the open campaign and its ready-made worlds.


class Food(Input, frozen=True):
    """O4.4 Days of food, the rank of a market, and the reach of the hungry."""

    galley: int
    transport: int
    market: int
    hungry: float
    water: int
    water_in_winter: int
    thirsty: float


class Type(Input, frozen=True):
    """O4.1, O5.3, O9.1 Miles a day at each pace, knots in a chase, what a ship is worth at the end."""

    easy: int
    cruise: int
    hard: int
    knots: float
    value: float
    source: str


class Rowers(Input, frozen=True):
    """O2.3 A quality: up to how many pips, and what it does to reach and knots."""

    most: int
    reach: float
    knots: float


class Number(Input, frozen=True):
    """O5.1 Up to so many sail, so much on the dice."""

    most: int
    more: int


class Sight(Input, frozen=True):
    """O5.1 Miles, what the dice must reach, days until a sighting is dropped."""

    miles: float
    needed: int
    forgotten: int
    watched: float
    gale: int
    number: tuple[Number, ...]


class Chase(Input, frozen=True):
    """O5.3 Miles at which one is caught or free, miles a pip of the die, hours."""

    caught: float
    free: float
    die: float
    accept_hours: int
    watch_hours: int
    port: float
    late: float


class QuickResult(Input, frozen=True):
    """O6.2 From this total on the stronger has won by so much; losses in percent."""

    total: int
    name: str
    loser: int
    winner: int


class Quick(Input, frozen=True):
    """O6.1, O6.2 What is settled without asking, and the table of quick dice, `fitted_to_battles` so many.

    `value` is a ship's by type, with average rowers (tactical/captains/worth.py has what rowers, navy and corvus
    multiply it by), times that of one `arriving` late; of a hundred ships lost so many are `taken`; one ship `sinks` so
    many at most. On the dice: a side `anchored`, the admirals' `rating` at most. Against battles of captains of this
    `level` it errs by `error_in_wins` points of a hundred in the chance to win, by `error_in_losses` in the share of
    ships lost; `errors` has both by the kind of meeting, with the number of battles.
    """

    few: int
    odds: float
    shift: tuple[float, ...]
    value: dict[str, float]
    taken: int
    sinks: int
    arriving: float
    anchored: int
    rating: int
    fitted_to_battles: int
    error_in_wins: float
    error_in_losses: float
    errors: dict[str, tuple[int, float, float]]
    level: str
    result: tuple[QuickResult, ...]


class Prize(Input, frozen=True):
    """O6.3 The face from which on a prize floats, and the pips of her rowers."""

    floats: int
    pips: int


class Admiral(Input, frozen=True):
    """O2.4 The faces of his fate when his flagship is lost, and the rating to which praise brings him at most."""

    drowned: int
    captured: int
    best: int


class Land(Input, frozen=True):
    """O7.1 Totals of a landing, and what a port's rank is worth."""

    taken: int
    ashore: int
    company: int
    falls: int
    fewest: int


class Money(Input, frozen=True):
    """O8.1 Income, upkeep, prices in hundredths of a talent; weeks to build; places on the stocks.

    `loan` are the months of income that are lent, `interest` percent a month; a ransom is more by an admiral's ratings.
    Upkeep is divided by `laid_up` in a port of one's own; a new ship's rowers have so many `pips`.
    """

    mend: int
    loan: int
    interest: int
    ransom: int
    ransom_rating: int
    laid_up: int
    pips: int
    income: dict[str, int]
    upkeep: dict[str, int]
    price: dict[str, int]
    weeks: dict[str, int]
    stocks: dict[str, int]


class Letters(Input, frozen=True):
    """O1.1, O11.2 Miles a day of a boat and of a rider; two dice that lose a letter, a die that delays it by days."""

    boat: int
    rider: int
    lost: int
    late: int
    delay: int


class End(Input, frozen=True):
    """O9.1 How far a side must be ahead of the next to win."""

    ahead: float


class Tables(Input, frozen=True):
    """data/open_campaign/tables.toml."""

    days: dict[str, int]
    food: Food
    type: dict[str, Type]
    rowers: dict[str, Rowers]
    hull: dict[str, float]
    sight: Sight
    chase: Chase
    quick: Quick
    prize: Prize
    admiral: Admiral
    yard: dict[str, int]
    harbour: dict[str, int]
    land: Land
    money: Money
    letters: Letters
    end: End


class Region(Input, frozen=True):
    """O4.2 A region of the sea: its boxes (west, south, east, north), its winds by season and the red die."""

    name: str
    boxes: tuple[tuple[float, float, float, float], ...]
    winter: tuple[str, ...]
    spring: tuple[str, ...]
    summer: tuple[str, ...]
    autumn: tuple[str, ...]
    more: dict[str, int] = {}


class Weather(Input, frozen=True):
    """data/open_campaign/weather.toml."""

    closed: tuple[int, ...]
    daylight: tuple[float, ...]
    months: tuple[int, ...]
    fresh: int
    gale: int
    storm: int
    warned: int
    sheltered: int
    hours: dict[str, int]
    galley: dict[str, tuple[float, float, float]]
    sail: dict[str, tuple[float, float, float]]
    types: dict[str, int]
    region: tuple[Region, ...]


class World(Input, frozen=True):
    """O1.2 A ready-made world: a cut of the great map."""

    id: str
    title: str
    corners: tuple[tuple[float, float], tuple[float, float]]
    rank: int


class Worlds(Input, frozen=True):
    """data/open_campaign/worlds.toml: ready-made worlds, and the printed campaigns whose boards are worlds."""

    printed: tuple[str, ...]
    world: tuple[World, ...]


class Captains(Input, frozen=True):
    """data/open_campaign/captains.toml: names by the side that they serve."""

    names: dict[str, tuple[str, ...]]

    def of(self, side: str, number: int) -> str:
        """O2.1 The name of the captain of a side's ship of this number."""
        names = self.names.get(side, self.names["default"])
        return names[number % len(names)]


CAPTAINS: Captains = data.read("open_campaign/captains.toml", Captains)
READ: Tables = data.read("open_campaign/tables.toml", Tables)
FIVE = 0.5  # a quinquereme of ten points counts five here, as in every house's own numbers
VALUES = {kind: round(FIVE * row.points, 2) for kind, row in WORTH.ships.items()}
TABLES: Tables = replace(READ, quick=replace(READ.quick, value=VALUES | READ.quick.value))
WEATHER: Weather = data.read("open_campaign/weather.toml", Weather)
ALL_WORLDS: Worlds = data.read("open_campaign/worlds.toml", Worlds)
WORLDS = {world.id: world for world in ALL_WORLDS.world}


# -- O3.1 A campaign's own house numbers in place of the program's, kept in the game.

Miles = Annotated[int, bounded(1, 400)]
MOST_VALUE = 100


class OwnType(Input, frozen=True):
    """O4.1 The miles that a ship makes in a day at each pace, and what she counts in battle (O6.2)."""

    easy: Miles
    cruise: Miles
    hard: Miles
    value: float


class House(Input, frozen=True):
    """What an organizer replaces of the house numbers; what is left out stays."""

    title: str = ""
    types: dict[str, OwnType] = {}
    yard: dict[str, Annotated[int, bounded(0, 1000)]] = {}
    food: Annotated[int, bounded(1, 60)] | None = None
    market: Annotated[int, bounded(0, 100)] | None = None
    sight: Annotated[int, bounded(1, 30)] | None = None
    sighted: Annotated[int, bounded(2, 12)] | None = None
    forgotten: Annotated[int, bounded(1, 365)] | None = None
    chased: Annotated[int, bounded(1, 14)] | None = None
    few: Annotated[int, bounded(0, 1000)] | None = None
    losses: Annotated[tuple[Annotated[int, bounded(0, 100)], ...], so_many(len(TABLES.quick.result))] | None = None


def check(house: House) -> None:
    """O3.1 Raises BadInput for numbers with which no campaign can be played."""
    for name, own in house.types.items():
        if name not in TABLES.type:
            raise BadInput(f"types.{name}", "there is no such type of ship")
        if not 0 < own.value <= MOST_VALUE:
            raise BadInput(
                f"types.{name}.value", "this must be a number from %(least)s to %(most)s", least=0, most=MOST_VALUE
            )
    for rank in house.yard:
        if rank not in TABLES.yard:
            raise BadInput(f"yard.{rank}", "no yard has this rank")


def _tables(house: House) -> Tables:
    types = {
        name: replacing(row, easy=own.easy, cruise=own.cruise, hard=own.hard) if (own := house.types.get(name)) else row
        for name, row in TABLES.type.items()
    }
    value = TABLES.quick.value | {name: own.value for name, own in house.types.items()}
    losses = house.losses or tuple(row.loser for row in TABLES.quick.result)
    results = tuple(replace(row, loser=share) for row, share in zip(TABLES.quick.result, losses, strict=True))
    return replace(
        TABLES,
        type=types,
        yard=TABLES.yard | house.yard,
        food=replacing(TABLES.food, galley=house.food, market=house.market),
        sight=replacing(TABLES.sight, miles=house.sight, needed=house.sighted, forgotten=house.forgotten),
        chase=replacing(TABLES.chase, accept_hours=house.chased),
        quick=replacing(replace(TABLES.quick, result=results, value=value), few=house.few),
    )


def default_house() -> House:
    """The house numbers of the program as an organizer would write them."""
    return House(
        types={
            name: OwnType(row.easy, row.cruise, row.hard, TABLES.quick.value[name]) for name, row in TABLES.type.items()
        },
        yard=TABLES.yard,
        food=TABLES.food.galley,
        market=TABLES.food.market,
        sight=round(TABLES.sight.miles),
        sighted=TABLES.sight.needed,
        forgotten=TABLES.sight.forgotten,
        chased=TABLES.chase.accept_hours,
        few=TABLES.quick.few,
        losses=tuple(row.loser for row in TABLES.quick.result),
    )


EXAMPLE = """food = 5
sight = 12
[types.quinquereme]
easy = 30
cruise = 45
hard = 70
value = 6.0"""
sheet = sheets(House, _tables)
HOUSE = HouseRules(House, "O3.1", check, default_house, example=EXAMPLE)
