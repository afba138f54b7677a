"""The Punic Wars position, and its small named changes."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import field
from msgspec.structs import replace

from strategic.naval.engagement import Engagement, NavalOutcome
from strategic.punic_wars.rules import charts
from strategic.punic_wars.rules.charts import Chart, House
from strategic.punic_wars.rules.pieces import (
    SIDES,
    SIRACUSA,
    SYRACUSE,
    Account,
    Battle,
    Election,
    Group,
    Kind,
    Leader,
    Ledger,
    Options,
    Owed,
    Result,
    Side,
    Stack,
    Step,
    Toll,
)
from strategic.punic_wars.tables import SCENARIOS, Scenario, Sheet
from tactical.kernel.protocol import Event, Prompt
from tactical.kernel.record import Record


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
    engagement: Engagement | None = None  # L1.1
    settled: dict[str, NavalOutcome] = {}  # L1.4

    # What stands where -------------------------------------------------------------------------------------

    @cached_property
    def chart(self) -> Chart:
        """3.1 The map in use."""
        return charts.chart(self.house)

    @cached_property
    def sheet(self) -> Sheet:
        """3.3 The tables in use."""
        return charts.sheet(self.house)

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
        here = self.stacks.get(at)
        if here is None:
            return 0
        found = here[side].points(kind) if side in here else 0
        return found + here[SYRACUSE].points(kind) if SYRACUSE in here and self.owner(SYRACUSE) == side else found

    def total(self, at: str, side: str) -> int:
        """All points that a side has in a hex."""
        if at not in self.stacks:
            return 0
        return self.points(at, side, "land") + self.points(at, side, "naval")

    def inside(self, at: str, side: str, kind: str) -> int:
        """10.0 Points of a kind inside the settlement."""
        if at not in self.stacks:
            return 0
        return sum(stack.points(kind) for stack in self.nations(at, side).values() if stack.inside(kind))

    def outside(self, at: str, side: str, kind: str) -> int:
        """Points of a kind face up."""
        return self.points(at, side, kind) - self.inside(at, side, kind)

    def hexes_of(self, side: str) -> tuple[str, ...]:
        """The hexes with combat points of a side, in order."""
        return tuple(at for at in sorted(self.stacks) if self.total(at, side) > 0)

    @cached_property
    def led(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """By hex and side, the leaders there, the best first."""
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        for id in sorted(self.leaders, key=lambda id: (-self.leaders[id].value, id)):
            leader = self.leaders[id]
            if leader.at is not None:
                found[leader.at, leader.side] = (*found.get((leader.at, leader.side), ()), id)
        return found

    def leaders_at(self, at: str, side: str) -> tuple[str, ...]:
        """A side's leaders in a hex, the best first."""
        return self.led.get((at, side), ())

    def occupied(self, at: str, side: str) -> bool:
        """Has the side any unit in the hex?"""
        return (at, side) in self.led or self.total(at, side) > 0

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

    def taken_off(self, at: str, nation: str, kind: str, points: int) -> Campaign:
        """Points that leave the map for good."""
        stack = self.stack(at, nation)
        book = self.ledger.get(nation, Ledger())
        if kind == "land":
            book = replace(book, land_lost=book.land_lost + points)
        else:
            book = replace(book, naval_lost=book.naval_lost + points)
        new = self.with_stack(at, nation, stack.with_points(kind, stack.points(kind) - points))
        return replace(new, ledger={**self.ledger, nation: book})

    def fallen(self, at: str, nation: str, kind: str, points: int) -> Campaign:
        """16.21 Points lost by combat or attrition, counted for the side that runs them."""
        side = self.owner(nation)
        losses = {**self.losses, side: self.losses[side] + points} if side else self.losses
        return replace(self.taken_off(at, nation, kind, points), losses=losses)

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
        return replace(
            self, result=result, phase="over", pending=None, battle=None, step=None, tolls=(), owed=(), engagement=None
        )

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
            agreed=(),
            active=None,
            must_attack=None,
            attacked=(),
            recruited={},
            recruit_control={},
            leaders={id: leader.rested() for id, leader in self.leaders.items()},
            stacks={at: {nation: stack.rested() for nation, stack in here.items()} for at, here in self.stacks.items()},
        )


Handled = tuple[Campaign, tuple[Event, ...]]  # what a command comes to: the position after it, and what happened
