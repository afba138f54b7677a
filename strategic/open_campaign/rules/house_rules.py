"""O3.1 A campaign's own house numbers in place of the program's, kept in the game."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.open_campaign.tables import TABLES, Tables
from tactical.kernel.house_rules import HouseRules, check_number, check_row, replacing, sheets
from tactical.kernel.record import BadInput, Input

MOST_MILES = 400
MOST_VALUE = 100


class OwnType(Input, frozen=True):
    """O4.1 The miles that a ship makes in a day at each pace, and what she counts in battle (O6.2)."""

    easy: int
    cruise: int
    hard: int
    value: float


class House(Input, frozen=True):
    """What an organizer replaces of the house numbers; what is left out stays."""

    title: str = ""
    types: dict[str, OwnType] = {}
    yard: dict[str, int] = {}
    food: int | None = None
    market: int | None = None
    sight: int | None = None
    sighted: int | None = None
    forgotten: int | None = None
    chased: int | None = None
    few: int | None = None
    losses: tuple[int, ...] | None = None


def check(house: House) -> None:
    """O3.1 Raises BadInput for numbers with which no campaign can be played."""
    for name, own in house.types.items():
        if name not in TABLES.type:
            raise BadInput(f"types.{name}", "there is no such type of ship")
        for pace in ("easy", "cruise", "hard"):
            check_number(getattr(own, pace), f"types.{name}.{pace}", 1, MOST_MILES)
        if not 0 < own.value <= MOST_VALUE:
            raise BadInput(
                f"types.{name}.value", "this must be a number from %(least)s to %(most)s", least=0, most=MOST_VALUE
            )
    for rank, points in house.yard.items():
        if rank not in TABLES.yard:
            raise BadInput(f"yard.{rank}", "no yard has this rank")
        check_number(points, f"yard.{rank}", 0, 1000)
    check_number(house.food, "food", 1, 60)
    check_number(house.market, "market", 0, 100)
    check_number(house.sight, "sight", 1, 30)
    check_number(house.sighted, "sighted", 2, 12)
    check_number(house.forgotten, "forgotten", 1, 365)
    check_number(house.chased, "chased", 1, 14)
    check_number(house.few, "few", 0, 1000)
    check_row(house.losses, "losses", len(TABLES.quick.result), 0, 100)


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
