"""G2.0, G2.1 A group's own ship types, beside those of the table or in their place, kept in the battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tactical.kernel.house_rules import HouseRules, check_number
from tactical.kernel.record import BadInput, Input
from tactical.ship import FASTEST, TYPES, ShipType

LONGEST = 5  # base lengths


class House(Input, frozen=True):
    """G2.1 Ship types by name: new ones, and those of the table with other figures."""

    title: str = ""
    types: dict[str, ShipType] = {}


def check_types(types: Mapping[str, ShipType], at: str = "types") -> None:
    """G2.0 Raises BadInput for figures with which no ship can be rowed."""
    for name, kind in types.items():
        path = f"{at}.{name}"
        check_number(kind.hull, f"{path}.hull", 1, 99)
        check_number(kind.maximum, f"{path}.maximum", 0, FASTEST)
        check_number(kind.cruise, f"{path}.cruise", 0, FASTEST)
        check_number(kind.turn_cycle, f"{path}.turn_cycle", 0, 9)
        check_number(kind.acceleration, f"{path}.acceleration", 0, 9)
        check_number(kind.ram, f"{path}.ram", -9, 9)
        for field in ("length", "beam"):
            if not 0 < getattr(kind, field) <= LONGEST:
                raise BadInput(
                    f"{path}.{field}", "the size must be above 0 and at most %(most)s base lengths", most=LONGEST
                )
        for navy, crew in kind.crew.items():
            for figure in crew.__struct_fields__:
                check_number(getattr(crew, figure), f"{path}.crew.{navy}.{figure}", 0, 99)


def check(house: House) -> None:
    """G2.1 Raises BadInput for types with which nothing can be played."""
    check_types(house.types)


def house_of(battle: Any) -> House | None:
    """G2.1 The types of its own that a battle is played with."""
    return House(types=battle.types) if battle.types else None


EXAMPLE = """[types.trireme]
hull = 5
maximum = 6
cruise = 4
turn_cycle = 1
acceleration = 3
ram = 0
crew.hellenistic = {medium = 2, archers = 1}"""
HOUSE = HouseRules(House, "G2.1", check, lambda: House(types=TYPES), house_of, EXAMPLE)
