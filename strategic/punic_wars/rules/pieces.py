"""The pieces of a Punic Wars position: stacks, leaders, groups, and what waits in mid-rule."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from strategic.naval.engagement import Deciding
from tactical.kernel.record import Record

Side = Literal["carthage", "rome"]
Kind = Literal["land", "naval"]
SIDES: tuple[Side, ...] = ("carthage", "rome")  # 4.2 Carthage is first
KINDS: tuple[Kind, ...] = ("land", "naval")
SYRACUSE = "syracuse"
SIRACUSA = "Siracusa"
ENEMY: dict[str, str] = {"carthage": "rome", "rome": "carthage"}


class Stack(Record, frozen=True):
    """3.2, 3.2 (combat strength) The points of one nation in a hex, the same in attack and defence.

    `inside` means inverted (10.0).

    `served_land`, `served_naval`: points that moved or fought under a leader this phase (5.24).
    """

    land: int = 0
    naval: int = 0
    land_inside: bool = False
    naval_inside: bool = False
    served_land: dict[str, int] = {}
    served_naval: dict[str, int] = {}

    def points(self, kind: str) -> int:
        """The points of one kind."""
        return self.land if kind == "land" else self.naval

    def inside(self, kind: str) -> bool:
        """7.34 The posture of all points of one kind."""
        return self.points(kind) > 0 and (self.land_inside if kind == "land" else self.naval_inside)

    def served(self, kind: str) -> dict[str, int]:
        """5.24 Points bound to a leader for this phase."""
        return self.served_land if kind == "land" else self.served_naval

    def with_points(self, kind: str, points: int) -> Stack:
        """So many points of a kind; none left is face up and free."""
        if kind == "land":
            return replace(self, land=points, land_inside=self.land_inside and points > 0)
        return replace(self, naval=points, naval_inside=self.naval_inside and points > 0)

    def turned(self, kind: str, inside: bool) -> Stack:
        """10.27 All points of a kind go in or come out."""
        inside = inside and self.points(kind) > 0
        return replace(self, land_inside=inside) if kind == "land" else replace(self, naval_inside=inside)

    def serving(self, kind: str, leader: str, points: int) -> Stack:
        """5.24 So many points of a kind are bound to the leader."""
        bound = {**self.served(kind), leader: points}
        if points <= 0:
            del bound[leader]
        return replace(self, served_land=bound) if kind == "land" else replace(self, served_naval=bound)

    def rested(self) -> Stack:
        """5.24 A new phase: nobody is bound."""
        return replace(self, served_land={}, served_naval={})


class Leader(Record, frozen=True):
    """8.11, 3.2 (leader value) A leader: where, in or out, its force, points spent; `fate` when off the map.

    fate: "pool" (not elected), "lost" (comes back, 8.32), "gone" (out for good, 19.24.C).
    """

    side: Side
    value: int
    letter: str = ""
    at: str | None = None
    inside: bool = False
    land: int = 0
    naval: int = 0
    spent: int = 0
    finished: bool = False
    fate: Literal["", "pool", "lost", "gone"] = ""

    def force(self, kind: str) -> int:
        """The points of a kind under its command."""
        return self.land if kind == "land" else self.naval

    def leading(self, land: int, naval: int) -> Leader:
        """5.13 The force that goes with it."""
        return replace(self, land=land, naval=naval)

    def placed(self, at: str) -> Leader:
        """On the map, face up."""
        return replace(self, at=at, inside=False, fate="", land=0, naval=0)

    def moved_to(self, at: str, cost: int) -> Leader:
        """5.12 In the next hex."""
        return replace(self, at=at, inside=False, spent=self.spent + cost)

    def paid(self, cost: int) -> Leader:
        """9.14 Movement points spent on an attack."""
        return replace(self, spent=self.spent + cost)

    def turned(self, inside: bool) -> Leader:
        """10.26."""
        return replace(self, inside=inside)

    def done(self) -> Leader:
        """5.0 (procedure) Finished and announced."""
        return replace(self, finished=True, land=0, naval=0)

    def rested(self) -> Leader:
        """5.0 Unused points are not saved."""
        return replace(self, spent=0, finished=False, land=0, naval=0)

    def removed(self, fate: Literal["pool", "lost", "gone"]) -> Leader:
        """8.31, 8.4 Off the map."""
        return replace(self, at=None, inside=False, land=0, naval=0, spent=0, finished=False, fate=fate)


class Group(Record, frozen=True):
    """19.0 (procedure) Units of the set-up list that still wait for their hex."""

    side: str
    where: str
    usual: str
    cite: str
    land: int = 0
    naval: int = 0
    leaders: tuple[str, ...] = ()


class Battle(Record, frozen=True):
    """9.0 An attack that has been declared: who leads, against whom, and what has been settled so far."""

    id: int
    hex: str
    leader: str
    kind: Kind
    side: Side
    answered: bool = False
    commander: str | None = None
    commander_named: bool = False


class Toll(Record, frozen=True):
    """11.0 Attrition still to be rolled: for one side's points in a hex, or for points beyond the treasury."""

    rule: str
    side: Side
    hex: str | None = None
    points: int = 0


class Pool(Record, frozen=True):
    """Points of one nation and kind in a hex, from which a loss may be taken."""

    hex: str
    nation: str
    kind: Kind
    points: int


class Owed(Record, frozen=True):
    """9.31, 11.13 Points that a side must lose, and where it may take them.

    `leader`: they are taken from the force under this leader.
    """

    side: Side
    rule: str
    cause: str
    amount: int
    pools: tuple[Pool, ...]
    leader: str | None = None


class Step(Record, frozen=True):
    """A move that waits for the choice of losses: leader and hex to enter."""

    leader: str
    to: str


class Election(Record, frozen=True):
    """8.4 An election under way: leaders still to remove, leaders drawn and still to place."""

    remove: int = 0
    to_draw: int = 0
    drawn: tuple[str, ...] = ()


class Ledger(Record, frozen=True):
    """For the account: points brought in and lost, by kind."""

    land_in: int = 0
    naval_in: int = 0
    land_lost: int = 0
    naval_lost: int = 0


class Account(Record, frozen=True):
    """15.0 For the account of a treasury: what it opened with, took in and paid."""

    opening: int = 0
    taxes: int = 0
    bids: int = 0
    supply: int = 0
    recruiting: int = 0

    @property
    def balance(self) -> int:
        """What the treasury must hold."""
        return self.opening + self.taxes - self.bids - self.supply - self.recruiting


class Result(Record, frozen=True):
    """18.0 How the game ended."""

    winner: Side | None
    level: Literal["draw", "marginal", "substantial", "decisive"]
    rule: str
    points: dict[str, int] = {}


class Options(Record, frozen=True):
    """What a game may set: see OPTIONS in setup.py."""

    open_stacks: bool = False
    naval_battles: Literal["ask", "table"] = "ask"
    turn_limit: int = 0
    sea_battles: Deciding = ""
