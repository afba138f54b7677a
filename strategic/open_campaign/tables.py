"""The house numbers of the open campaign and its ready-made worlds."""

from __future__ import annotations

import data
from tactical.kernel.record import Input


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

    `value` is a ship's by type, times that of her `rowers` and her `corvus`, or as one `arriving` late; of a hundred
    ships lost so many are `taken`; one ship `sinks` so many at most. On the dice: a side `anchored`, the admirals'
    `rating` at most. It errs by `error_in_wins` points of a hundred in the chance to win, by `error_in_losses` in the
    share of ships lost.
    """

    few: int
    odds: float
    shift: tuple[float, ...]
    value: dict[str, float]
    rowers: dict[str, float]
    taken: int
    sinks: int
    corvus: float
    arriving: float
    anchored: int
    rating: int
    fitted_to_battles: int
    error_in_wins: float
    error_in_losses: float
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
TABLES: Tables = data.read("open_campaign/tables.toml", Tables)
WEATHER: Weather = data.read("open_campaign/weather.toml", Weather)
ALL_WORLDS: Worlds = data.read("open_campaign/worlds.toml", Worlds)
WORLDS = {world.id: world for world in ALL_WORLDS.world}
