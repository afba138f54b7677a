"""The position of The Sword of Rome, and the small named changes that rules make to it."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from strategic.naval.engagement import Deciding, Engagement, NavalOutcome
from strategic.sword_of_rome.tables import LEADERS, House, Leader, Tables, home, printed_loyalty, sheet
from tactical.kernel.corrections import Wishes, Word
from tactical.kernel.protocol import Prompt
from tactical.kernel.record import Record

Purpose = Literal["move", "decline", "avoid", "retreat"]
Lane = Literal["clear", "appian", "rough", "strait", "sea"]


class Force(Record, frozen=True):
    """What a power has in a space. `units` CUs and `leaders` stand in the open, the commander first; `inside` CUs
    and `inside_leaders` are behind the walls of a city that an enemy stands before (9.3.1)."""

    units: int = 0
    leaders: tuple[str, ...] = ()
    inside: int = 0
    inside_leaders: tuple[str, ...] = ()

    @property
    def is_army(self) -> bool:
        """Glossary: CUs with a commander are an army."""
        return self.units > 0 and bool(self.leaders)

    @property
    def total(self) -> int:
        """All its CUs."""
        return self.units + self.inside

    @property
    def people(self) -> tuple[str, ...]:
        """All its leaders."""
        return (*self.leaders, *self.inside_leaders)

    def without(self, units: int, leaders: tuple[str, ...]) -> Force:
        """CUs and leaders leave from the open."""
        return replace(self, units=self.units - units, leaders=tuple(x for x in self.leaders if x not in leaders))

    def joined_by(self, units: int, leaders: tuple[str, ...]) -> Force:
        """CUs and leaders join in the open; the one who commands is first."""
        return replace(self, units=self.units + units, leaders=by_rank((*self.leaders, *leaders)))

    def sheltering(self, units: int, leaders: tuple[str, ...]) -> Force:
        """9.3.1 CUs and leaders go inside the walls."""
        out = self.without(units, leaders)
        return replace(out, inside=out.inside + units, inside_leaders=by_rank((*out.inside_leaders, *leaders)))

    def opened(self) -> Force:
        """9.3.1 The enemy is gone: everybody is in the open again."""
        return Force(self.total, by_rank(self.people))


class Move(Record, frozen=True):
    """An army on the move. It is in no space's forces until it is set down.

    `points` are left; `came_from` is the last space occupied and `by` how it came; `flank` a flanking army (9.5.6);
    `lent` the value of the card with which Carthage lends ships; `tried` the spaces whose armies have tried to
    intercept it (10.6); `steps` how many spaces it has entered.
    """

    power: str
    card: int
    points: int
    leader: str
    companions: tuple[str, ...]
    units: int
    at: str
    came_from: str | None = None
    by: Lane | None = None
    flank: bool = False
    lent: int = 0
    tried: tuple[str, ...] = ()
    steps: int = 0

    @property
    def leaders(self) -> tuple[str, ...]:
        """Commander and companions."""
        return (self.leader, *self.companions)


class Attempt(Record, frozen=True):
    """10.3 One army, or part of one, that tries to intercept; `result` once it is resolved."""

    power: str
    space: str
    leader: str
    companions: tuple[str, ...]
    units: int
    result: Literal["intercepted", "failed", "lapsed"] | None = None

    @property
    def leaders(self) -> tuple[str, ...]:
        """Who goes."""
        return (self.leader, *self.companions)


class Avoidance(Record, frozen=True):
    """11.1 What tries to avoid battle, what goes inside the walls; `port` and `card` when it leaves by sea."""

    power: str
    leaders: tuple[str, ...] = ()
    units: int = 0
    inside_leaders: tuple[str, ...] = ()
    inside: int = 0
    port: str | None = None
    card: int | None = None

    @property
    def leaves(self) -> bool:
        """Does anybody try to leave the space?"""
        return self.units > 0


class Reaction(Record, frozen=True):
    """10.3, 11.1 All that answers one step of a move. Declarations are secret until all who were asked are `ready`.

    `intercepted_by` the one power that has succeeded; `avoided` says that
    an army has slipped away, so that a pursuit is needed; `failed` that an attempt to avoid has failed, and `caught`
    the powers whose it was.
    """

    space: str
    asked: tuple[str, ...]
    ready: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    avoidances: tuple[Avoidance, ...] = ()
    closed: bool = False
    intercepted_by: str | None = None
    avoided: bool = False
    failed: bool = False
    caught: tuple[str, ...] = ()


class Crossing(Record, frozen=True):
    """9.6 (5p) An army at sea. `contest` is the card's value once Carthage has answered, 0 for a pass.

    `friendly` says that the destination is friendly. Here a naval battle may take the place of the table.
    """

    purpose: Purpose
    power: str
    units: int
    start: str
    end: str
    friendly: bool
    contest: int | None = None


class Modifier(Record, frozen=True):
    """12.2 What a card adds to one side's battle roll, entered by hand."""

    side: Literal["attacker", "defender"]
    amount: int
    why: str


class Battle(Record, frozen=True):
    """12.2 A battle that is to be rolled: the moving army attacks."""

    space: str
    attacker: str
    defender: str
    intercepted: bool = False
    failed_avoidance: bool = False
    caudine: bool = False
    modifiers: tuple[Modifier, ...] = ()


class Fleeing(Record, frozen=True):
    """12.4 A beaten force that must retreat; `attacker` when it is the moving army, else it stands in the space.

    `came_from` and `by` tell how the attacker came: he goes back there first, and the defender never.
    """

    power: str
    space: str
    attacker: bool
    came_from: str | None = None
    by: Lane | None = None


class Tally(Record, frozen=True):
    """CUs of a power that have come into play and gone out of it: what is on the map is the difference."""

    placed: int = 0
    removed: int = 0


class Result(Record, frozen=True):
    """4 How the game ended."""

    winner: str | None
    why: str


class Options(Record, frozen=True):
    """The rule options of data/sword_of_rome/options.toml, as this game is played."""

    cards: Literal["dealt", "entered"] = "dealt"
    turns: int = 9
    battles_at_sea: bool = False
    sea_battles: Deciding = ""
    by_hand: Word = "at_once"


class State(Record, frozen=True):
    """One game as it stands.

    `control` and `loyalty` hold what differs from the map. `forces` are by space and power. `hands` are card values;
    in another seat's view a card is 0. `alliances` are pairs in tie order, `proposals` those that one side has
    offered as (from, to). `runners` says which seat decides for a power without a player. `wishes` are what was set by
    hand and waits for the word of the others.
    """

    turn: int = 1
    round: int = 1
    order: tuple[str, ...] = ()
    active: str | None = None
    acted: bool = False
    forces: dict[str, dict[str, Force]] = {}
    displaced: tuple[str, ...] = ()
    control: dict[str, str] = {}
    loyalty: dict[str, int] = {}
    sieges: dict[str, int] = {}
    alliances: tuple[tuple[str, str], ...] = ()
    proposals: tuple[tuple[str, str], ...] = ()
    runners: dict[str, str] = {}
    hands: dict[str, tuple[int, ...]] = {}
    discards: dict[str, tuple[int, ...]] = {}
    vp: dict[str, int] = {}
    unrest: int = 0
    events: tuple[str, ...] = ()
    tallies: dict[str, Tally] = {}
    resigned: tuple[str, ...] = ()
    move: Move | None = None
    reaction: Reaction | None = None
    crossing: Crossing | None = None
    battle: Battle | None = None
    fleeing: Fleeing | None = None
    pending: tuple[Prompt, ...] = ()
    result: Result | None = None
    engagement: Engagement | None = None
    settled: dict[str, NavalOutcome] = {}
    options: Options = Options()
    scenario: str | None = None
    house: House | UnsetType = UNSET  # left out where there is none: positions of before are the same
    wishes: Wishes = UNSET  # left out where none waits

    @property
    def tables(self) -> Tables:
        """The tables in use: a group's own, else the program's."""
        return sheet(self.house).tables

    @property
    def leaders(self) -> dict[str, Leader]:
        """The leaders in use."""
        return sheet(self.house).leaders

    @property
    def army(self) -> Move:
        """9 The army on the move, where there must be one."""
        assert self.move is not None
        return self.move

    @property
    def answers(self) -> Reaction:
        """10.3 The answers to its step, where there must be some."""
        assert self.reaction is not None
        return self.reaction

    @property
    def voyage(self) -> Crossing:
        """9.6 The army at sea, where there must be one."""
        assert self.crossing is not None
        return self.crossing

    @property
    def fight(self) -> Battle:
        """12.2 The battle, where there must be one."""
        assert self.battle is not None
        return self.battle

    @property
    def flight(self) -> Fleeing:
        """12.4 The beaten force, where there must be one."""
        assert self.fleeing is not None
        return self.fleeing

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return self.result is not None

    def force(self, space: str, power: str) -> Force:
        """What the power has in the space; an empty force when nothing."""
        return self.forces.get(space, {}).get(power, Force())

    def controller(self, space: str) -> str:
        """2.2 Who controls the space."""
        return self.control.get(space, home(space))

    def loyalty_of(self, space: str) -> int:
        """7.3 The loyalty of a city."""
        return self.loyalty.get(space, printed_loyalty(space))

    def asks(self, kind: str) -> Prompt | None:
        """The open question of this kind."""
        return next((prompt for prompt in self.pending if prompt.kind == kind), None)

    def asking(self, *prompts: Prompt) -> State:
        """The position waits for these answers, and for nothing else."""
        return replace(self, pending=prompts)

    def with_force(self, space: str, power: str, force: Force) -> State:
        """The position with one force changed; an empty one is taken off."""
        here = {**self.forces.get(space, {}), power: force}
        if not force.total and not force.people:
            del here[power]
        forces = {**self.forces, space: here}
        if not here:
            del forces[space]
        return replace(self, forces=forces)

    def moved_out(self, space: str, power: str, units: int, leaders: tuple[str, ...]) -> State:
        """CUs and leaders leave the open of a space."""
        return self.with_force(space, power, self.force(space, power).without(units, leaders))

    def moved_in(self, space: str, power: str, units: int, leaders: tuple[str, ...]) -> State:
        """CUs and leaders come into the open of a space."""
        return self.with_force(space, power, self.force(space, power).joined_by(units, leaders))

    def counted(self, power: str, placed: int = 0, removed: int = 0) -> State:
        """CUs have come into play or gone out of it."""
        old = self.tallies.get(power, Tally())
        new = Tally(old.placed + placed, old.removed + removed)
        return replace(self, tallies={**self.tallies, power: new}) if placed or removed else self

    def displacing(self, leaders: tuple[str, ...]) -> State:
        """8.4 Leaders go to the box of the displaced; minor ones are only set aside."""
        named = tuple(name for name in leaders if not LEADERS[name].minor and name not in self.displaced)
        return replace(self, displaced=(*self.displaced, *named)) if named else self

    def with_move(self, move: Move | None) -> State:
        """The position with the moving army changed."""
        return replace(self, move=move)

    def with_reaction(self, reaction: Reaction | None) -> State:
        """The position with the reactions to the step changed."""
        return replace(self, reaction=reaction)

    def discarding(self, seat: str, card: int) -> State:
        """A card leaves a hand, face up."""
        hand = list(self.hands.get(seat, ()))
        hand.remove(card)
        return replace(
            self,
            hands={**self.hands, seat: tuple(hand)},
            discards={**self.discards, seat: (*self.discards.get(seat, ()), card)},
        )


def by_rank(leaders: tuple[str, ...]) -> tuple[str, ...]:
    """8.2.1 The leaders as they stand, but a named leader is never under a minor one."""
    if leaders and LEADERS[leaders[0]].minor:
        named = [name for name in leaders if not LEADERS[name].minor]
        if named:
            return (named[0], *(name for name in leaders if name != named[0]))
    return leaders
