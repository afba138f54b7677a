"""An open campaign: all that there is, frozen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import UNSET, UnsetType, field
from msgspec.structs import replace

from strategic.naval.engagement import Engagement, NavalOutcome
from strategic.open_campaign.rules.house_rules import House, sheet
from strategic.open_campaign.tables import Tables
from tactical.kernel.record import Record

TurnLength = Literal["day", "week", "month"]
Status = Literal["afloat", "sunk", "captured", "lost"]


class Options(Record, frozen=True):
    """What an organizer chooses before it begins."""

    small_battles: bool = True
    provisions: bool = True
    dispatches: Literal["run", "hold"] = "run"


class Side(Record, frozen=True):
    """O1.4 A side, with whom it does not fight, and whether it has given up."""

    name: str
    allies: tuple[str, ...] = ()
    resigned: bool = False


class OnLane(Record, frozen=True):
    """O2.2 A place on a lane, so many miles from its first end."""

    lane: str
    miles: int


At = str | OnLane


class Ship(Record, frozen=True):
    """O2.1 A ship's sheet: `pips` are her rowers' (1 to 9), `weeks` since she was hauled out."""

    side: str
    type: str
    name: str = ""
    status: Status = "afloat"
    pips: int = 5
    damage: int = 0
    corvus: bool = False
    weeks: int = 0
    captured_by: str | None = None

    @property
    def is_warship(self) -> bool:
        """Everything but a transport."""
        return self.type != "transport"


class Fleet(Record, frozen=True, kw_only=True):
    """O2.2 Ships under an admiral, with `provisions` in days; `course` is where the beaten run to this turn."""

    provisions: int = 3
    seamanship: int = 0
    fight: int = 0
    weary: int = 0
    hungry: int = 0
    side: str
    name: str
    admiral: str = ""
    at: At
    ships: tuple[str, ...] = ()
    shy: bool = False
    course: str = ""


class Order(Record, frozen=True):
    """O3.3 What a fleet is to do, and in which turn."""

    do: str
    turn: int = 1
    to: str = ""
    way: tuple[str, ...] = ()
    stance: str = "accept"
    pace: str = "cruise"
    more_than: int = 0
    note: str = ""


class Letter(Record, frozen=True):
    """O3.4 A free order, and what the umpire answered."""

    turn: int
    text: str
    answer: str = ""


class Sighting(Record, frozen=True):
    """O5.1 What was seen: whose, about how many sail, near which space, where and when."""

    side: str
    number: int
    near: str
    lon: float
    lat: float
    turn: int
    day: int


class Goal(Record, frozen=True):
    """O9.1 Points for warships or transports in a space at the end, or for no enemy being there (cleared)."""

    side: str
    what: Literal["warships", "transports", "cleared"]
    space: str
    points: int


class Result(Record, frozen=True):
    """O9.1 How it ended."""

    winner: str | None
    points: dict[str, int]
    why: str


class State(Record, frozen=True):
    """All that there is. `day` and `watch` count within the turn, `pairs` are meetings of this watch still to come."""

    world: str | dict[str, Any]
    sides: dict[str, Side]
    fleets: dict[str, Fleet]
    ships: dict[str, Ship]
    turn: int = 1
    date: str = "-260-03-01"
    turn_length: TurnLength = "week"
    turns: int = 20
    scenario: str | None = None
    step: Literal["orders", "running", "engagement", "held"] = "orders"
    day: int = 0
    watch: int = 0
    pairs: tuple[tuple[str, str], ...] = ()
    met: tuple[tuple[str, str], ...] = ()
    ports: dict[str, str] = {}
    orders: dict[str, dict[str, Order]] = {}
    ready: dict[str, bool] = {}
    letters: dict[str, tuple[Letter, ...]] = {}
    known: dict[str, tuple[Sighting, ...]] = {}
    goals: tuple[Goal, ...] = ()
    engagement: Engagement | None = None
    settled: dict[str, NavalOutcome] = {}
    options: Options = field(default_factory=Options)
    result: Result | None = None
    house: House | UnsetType = UNSET

    @property
    def tables(self) -> Tables:
        """The house numbers in use: the program's, or the group's own."""
        return sheet(self.house)

    @property
    def playing(self) -> tuple[str, ...]:
        """The sides that have not given up."""
        return tuple(name for name, side in self.sides.items() if not side.resigned)

    def are_hostile(self, one: str, other: str) -> bool:
        """O5.4 Do two sides fight each other?"""
        if one == other or self.sides[one].resigned or self.sides[other].resigned:
            return False
        return other not in self.sides[one].allies and one not in self.sides[other].allies

    def is_friendly(self, space: str, side: str) -> bool:
        """O4.4 Is a port the side's own or an ally's?"""
        holder = self.ports.get(space)
        return holder is not None and (holder == side or holder in self.sides[side].allies)

    def afloat(self, fleet: str) -> tuple[str, ...]:
        """The ships of a fleet."""
        return self.fleets[fleet].ships

    def warships(self, fleet: str) -> int:
        """How many ships of a fleet fight."""
        return sum(self.ships[each].is_warship for each in self.afloat(fleet))

    def at_sea(self) -> Iterator[str]:
        """The fleets that have ships, by id."""
        return (name for name in sorted(self.fleets) if self.fleets[name].ships)

    def order_of(self, fleet: str) -> Order | None:
        """O3.3 A fleet's order of this turn."""
        return self.orders.get(self.fleets[fleet].side, {}).get(fleet)

    def with_fleet(self, name: str, **changes: Any) -> State:
        """The position with a fleet changed."""
        return replace(self, fleets={**self.fleets, name: replace(self.fleets[name], **changes)})

    def with_ships(self, ships: dict[str, Ship]) -> State:
        """The position with these ships' sheets changed."""
        return replace(self, ships={**self.ships, **ships})
