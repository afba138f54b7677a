"""The Punic Wars position: stacks, leaders, treasuries, regions; and its small named changes."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import field
from msgspec.structs import replace

from strategic.punic_wars import house as own_tables
from strategic.punic_wars.charts import Chart
from strategic.punic_wars.house import House
from strategic.punic_wars.tables import SCENARIOS, Scenario, Sheet
from tactical.kernel.play import Prompt
from tactical.kernel.record import Record

Side = Literal["carthage", "rome"]
Kind = Literal["land", "naval"]
SIDES: tuple[Side, ...] = ("carthage", "rome")  # 4.2 Carthage is first
KINDS: tuple[Kind, ...] = ("land", "naval")
SYRACUSE = "syracuse"
SIRACUSA = "Siracusa"
ENEMY: dict[str, str] = {"carthage": "rome", "rome": "carthage"}


class Stack(Record, frozen=True):
    """3.2 The points of one nation in a hex; `inside` means inverted (10.0).

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
    """8.11 A leader: where, in or out, the force under it, points spent; `fate` when it is not on the map.

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
    naval_battles: Literal["table", "ask"] = "table"
    turn_limit: int = 0


class Campaign(Record, frozen=True):
    """The whole position. `begun`: the automatic part of the phase is over. Markers: 16.41."""

    scenario: str
    turn: int = 1
    phase: str = "setup"
    phasing: Side = "carthage"
    begun: bool = False
    options: Options = Options()
    house: House | None = None
    stacks: dict[str, dict[str, Stack]] = {}
    leaders: dict[str, Leader] = {}
    treasury: dict[str, int] = field(default_factory=lambda: {"carthage": 0, "rome": 0})
    alignment: dict[str, str] = {}
    syracuse_bound: bool = False  # 17.12
    defected: tuple[str, ...] = ()  # 16.36: once a game
    markers: dict[str, str] = {}
    war: bool = False  # 16.34
    holders: dict[str, str] = {}  # 10.11, by nation
    last_control: dict[str, str] = {}  # 10.12, by side
    losses: dict[str, int] = field(default_factory=lambda: {"carthage": 0, "rome": 0})  # 16.21
    bids: dict[str, int] = {}
    shipbuilding: bool = True  # 19.14.D
    roman_leaders: int = 0  # 8.41
    consuls_lost: int = 0  # 8.43
    election: Election = Election()
    returning: tuple[str, ...] = ()
    active: str | None = None
    must_attack: str | None = None
    attacked: tuple[str, ...] = ()  # 10.28
    step: Step | None = None
    battle: Battle | None = None
    battles: int = 0
    tolls: tuple[Toll, ...] = ()
    owed: tuple[Owed, ...] = ()
    pending: Prompt | None = None
    recruit_control: dict[str, str] = {}  # 13.21
    recruited: dict[str, int] = {}
    groups: tuple[Group, ...] = ()
    agreed: tuple[str, ...] = ()
    result: Result | None = None
    ledger: dict[str, Ledger] = {}
    accounts: dict[str, Account] = {}
    settled: tuple[str, ...] = ()  # L1.4 engagements already settled

    # What stands where -------------------------------------------------------------------------------------

    @cached_property
    def chart(self) -> Chart:
        """3.1 The map in use."""
        return own_tables.chart(self.house)

    @cached_property
    def sheet(self) -> Sheet:
        """3.3 The tables in use."""
        return own_tables.sheet(self.house)

    @cached_property
    def war_rules(self) -> Scenario:
        """The scenario."""
        return SCENARIOS[self.scenario]

    def owner(self, nation: str) -> str | None:
        """17.21 Who runs a nation's units: Syracusans follow their alignment, and nobody while neutral."""
        if nation != SYRACUSE:
            return nation
        side = self.alignment.get(SIRACUSA)
        return side if side in SIDES else None

    def nations(self, at: str, side: str) -> dict[str, Stack]:
        """The stacks in a hex that a side runs, its own first."""
        here = self.stacks.get(at, {})
        own = {side: here[side]} if side in here else {}
        if SYRACUSE in here and self.owner(SYRACUSE) == side:
            own[SYRACUSE] = here[SYRACUSE]
        return own

    def stack(self, at: str, nation: str) -> Stack:
        """A nation's stack in a hex; an empty one where there is none."""
        return self.stacks.get(at, {}).get(nation, Stack())

    def points(self, at: str, side: str, kind: str) -> int:
        """The points of a kind that a side has in a hex."""
        return sum(stack.points(kind) for stack in self.nations(at, side).values())

    def total(self, at: str, side: str) -> int:
        """All points that a side has in a hex."""
        return self.points(at, side, "land") + self.points(at, side, "naval")

    def inside(self, at: str, side: str, kind: str) -> int:
        """10.0 Points of a kind inside the settlement."""
        return sum(stack.points(kind) for stack in self.nations(at, side).values() if stack.inside(kind))

    def outside(self, at: str, side: str, kind: str) -> int:
        """Points of a kind face up."""
        return self.points(at, side, kind) - self.inside(at, side, kind)

    def hexes_of(self, side: str) -> tuple[str, ...]:
        """The hexes with combat points of a side, in order."""
        return tuple(at for at in sorted(self.stacks) if self.total(at, side) > 0)

    def leaders_at(self, at: str, side: str) -> tuple[str, ...]:
        """A side's leaders in a hex, the best first."""
        here = [id for id, leader in self.leaders.items() if leader.at == at and leader.side == side]
        return tuple(sorted(here, key=lambda id: (-self.leaders[id].value, id)))

    def occupied(self, at: str, side: str) -> bool:
        """Has the side any unit in the hex?"""
        return self.total(at, side) > 0 or bool(self.leaders_at(at, side))

    def in_play(self, nation: str, kind: str) -> int:
        """7.35 The points of a nation and kind on the map."""
        return sum(here[nation].points(kind) for here in self.stacks.values() if nation in here)

    # Named changes -----------------------------------------------------------------------------------------

    def with_stack(self, at: str, nation: str, stack: Stack) -> Campaign:
        """The hex with that stack; an empty stack is taken away."""
        here = {**self.stacks.get(at, {}), nation: stack}
        if stack.land <= 0 and stack.naval <= 0:
            del here[nation]
        stacks = {**self.stacks, at: here}
        if not here:
            del stacks[at]
        return replace(self, stacks=stacks)

    def with_leader(self, id: str, leader: Leader) -> Campaign:
        """The leader as it now is."""
        return replace(self, leaders={**self.leaders, id: leader})

    def raised(self, at: str, nation: str, kind: Kind, points: int) -> Campaign:
        """13.31 New points; they take the posture of their kind in the hex (7.34)."""
        stack = self.stack(at, nation)
        book = self.ledger.get(nation, Ledger())
        if kind == "land":
            book = replace(book, land_in=book.land_in + points)
        else:
            book = replace(book, naval_in=book.naval_in + points)
        new = self.with_stack(at, nation, stack.with_points(kind, stack.points(kind) + points))
        return replace(new, ledger={**self.ledger, nation: book})

    def fallen(self, at: str, nation: str, kind: str, points: int) -> Campaign:
        """16.21 Points lost by combat or attrition, counted for the side that runs them."""
        stack = self.stack(at, nation)
        book = self.ledger.get(nation, Ledger())
        if kind == "land":
            book = replace(book, land_lost=book.land_lost + points)
        else:
            book = replace(book, naval_lost=book.naval_lost + points)
        side = self.owner(nation)
        losses = {**self.losses, side: self.losses[side] + points} if side else self.losses
        new = self.with_stack(at, nation, stack.with_points(kind, stack.points(kind) - points))
        return replace(new, ledger={**self.ledger, nation: book}, losses=losses)

    def turned(self, at: str, side: str, kind: str, inside: bool) -> Campaign:
        """7.34, 10.27 All of a side's points of a kind in a hex go in or come out."""
        state = self
        for nation, stack in self.nations(at, side).items():
            state = state.with_stack(at, nation, stack.turned(kind, inside))
        return state

    def paid(self, side: str, points: int, purpose: Literal["bids", "supply", "recruiting"]) -> Campaign:
        """15.0 Treasury points spent."""
        book = self.accounts[side]
        spent: int = getattr(book, purpose)
        changed = replace(book, **{purpose: spent + points})
        return replace(
            self,
            treasury={**self.treasury, side: self.treasury[side] - points},
            accounts={**self.accounts, side: changed},
        )

    def taxed(self, side: str, points: int) -> Campaign:
        """15.0 Treasury points received; they may pass 99 (15.12)."""
        book = self.accounts[side]
        return replace(
            self,
            treasury={**self.treasury, side: self.treasury[side] + points},
            accounts={**self.accounts, side: replace(book, taxes=book.taxes + points)},
        )

    def aligned(self, region: str, to: str) -> Campaign:
        """14.11 A region changes its alignment."""
        return replace(self, alignment={**self.alignment, region: to})

    def asking(self, prompt: Prompt | None) -> Campaign:
        """The question that must be answered next."""
        return replace(self, pending=prompt)

    def having_begun(self) -> Campaign:
        """The automatic part of the phase is over."""
        return replace(self, begun=True)

    def ended(self, result: Result) -> Campaign:
        """18.1 The game is over."""
        return replace(self, result=result, phase="over", pending=None, battle=None, step=None, tolls=(), owed=())

    def with_tolls(self, tolls: tuple[Toll, ...]) -> Campaign:
        """11.0 Attrition rolls to come."""
        return replace(self, tolls=tolls)

    def in_phase(self, phase: str, phasing: Side, turn: int) -> Campaign:
        """4.1 The next box of the sequence; what belonged to the last phase is cleared."""
        return replace(
            self,
            phase=phase,
            phasing=phasing,
            turn=turn,
            begun=False,
            active=None,
            must_attack=None,
            attacked=(),
            recruited={},
            recruit_control={},
            leaders={id: leader.rested() for id, leader in self.leaders.items()},
            stacks={at: {nation: stack.rested() for nation, stack in here.items()} for at, here in self.stacks.items()},
        )
