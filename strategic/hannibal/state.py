"""The records of a campaign of Hannibal and their small named changes.

Everything that must be decided next stands in `agenda`: its last prompt is the current one. A prompt without a
seat is a step that the engine takes by itself. With an empty agenda the `phase` of the turn goes on.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from strategic.hannibal.tables import House, Leader, Tables, room, sheet
from strategic.naval.engagement import Deciding, Engagement, NavalOutcome
from strategic.point_to_point import state
from strategic.point_to_point.state import Place, Result, Side, Troops, Walked, enemy
from tactical.kernel.protocol import Event, Prompt
from tactical.kernel.record import Record

Phase = Literal["reinforcements", "deal", "first", "strategy", "winter", "isolation", "victory", "over"]
NO_CARD = 0  # a card in a hand that is not tracked (cards on the table)


class General(Record, frozen=True):
    """A general. status: board; pool (Romans to be drawn); displaced; waiting (arrives later); dead."""

    status: Literal["board", "pool", "displaced", "waiting", "dead"]
    space: str | None = None
    inside: bool = False
    rank: Literal["consul", "proconsul", "general"] = "general"


class Crossing(Record, frozen=True):
    """A voyage begun: where to, into the walls or not, with what. `back` when it flees an interception."""

    to: str
    inside: bool
    units: int
    elephants: int
    companions: tuple[str, ...]
    back: bool = False

    @property
    def force(self) -> Troops:
        """The CUs aboard."""
        return Troops(self.units, self.elephants)


class March(Record, frozen=True):
    """The move of an activated general: points left, the way so far (`path` begins where he stood), who goes along."""

    side: Side
    general: str
    points: int
    path: tuple[str, ...]
    legs: tuple[str, ...] = ()
    units: int = 0
    elephants: int = 0
    companions: tuple[str, ...] = ()
    inside: bool = False
    stopped: bool = False
    failed: tuple[str, ...] = ()
    intercepted: tuple[str, ...] = ()
    failed_avoid: bool = False
    chased: bool = False
    weathered: bool = False
    detached: tuple[str, ...] = ()
    detached_size: int = 0
    crossing: Crossing | None = None
    sailed: int = 0
    walked: tuple[Walked, ...] = ()
    led: dict[str, int] = {}
    bound: dict[str, Troops] = {}

    @property
    def at(self) -> str:
        """Where the army is."""
        return self.path[-1]

    @property
    def force(self) -> Troops:
        """The CUs that move."""
        return Troops(self.units, self.elephants)

    @property
    def generals(self) -> tuple[str, ...]:
        """All generals who move, the activated one first."""
        return (self.general, *self.companions)

    def with_force(self, troops: Troops) -> March:
        """The same with other CUs."""
        return replace(self, units=troops.units, elephants=troops.elephants)

    def came_from(self) -> str | None:
        """The space from which it entered by land; None after a landing or before any step."""
        return self.path[-2] if self.legs and self.legs[-1] != "sea" else None

    def landed(self) -> bool:
        """Did its last leg come over the sea?"""
        return bool(self.legs) and self.legs[-1] == "sea"


class Play(Record, frozen=True):
    """The card being played: its points, what it adds (`use`), and what has been done on it."""

    card: int
    side: Side
    ops: int
    use: str = ""
    campaign: bool = False
    moved: tuple[str, ...] = ()
    sailed: str | None = None
    rolled_at: tuple[str, ...] = ()
    fought: tuple[str, ...] = ()
    intercepted_from: tuple[str, ...] = ()
    walked: dict[str, tuple[Walked, ...]] = {}
    spent: dict[str, int | None] = {}


class Battle(Record, frozen=True):
    """A battle in a space: the CUs outside the walls there fight. `deck` and `hands` are hidden."""

    space: str
    attacker: Side
    initiative: Side
    generals: dict[Side, tuple[str, ...]]
    commanders: dict[Side, str | None]
    start: dict[Side, int]
    came_from: str | None = None
    landed: bool = False
    sortie: bool = False
    sortie_size: int = 0
    joined: tuple[str, ...] = ()
    interceptor: bool = False
    failed_avoid: bool = False
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    hands: dict[Side, tuple[str, ...]] = {}
    shown: dict[Side, tuple[str, ...]] = {}
    fewer: dict[Side, int] = {}
    charge: bool = False
    fright: bool = False
    no_allies: dict[Side, tuple[str, ...]] = {}
    spies: tuple[Side, ...] = ()
    deserters: tuple[Side, ...] = ()
    rounds: int = 0
    played: str | None = None
    free_initiative: bool = True
    probe_used: bool = False
    winner: Side | None = None
    won_by: str | None = None
    lost: dict[Side, int] = {}

    @property
    def defender(self) -> Side:
        """The side that was attacked when the battle began."""
        return enemy(self.attacker)

    def with_lost(self, side: Side, count: int) -> Battle:
        """The same with more losses counted."""
        return replace(self, lost={**self.lost, side: self.lost.get(side, 0) + count})


class Lasting(Record, frozen=True):
    """What cards leave behind: alliances, truce, bans, the siege train."""

    macedon: Literal["none", "allied", "ended"] = "none"
    naval_victory: bool = False
    truce: bool = False
    reshuffle: bool = False
    hanno_counsels: bool = False
    cato_counsels: bool = False
    siege_train: str | None = None


class Options(Record, frozen=True):
    """Where editions differ, and how a group plays; see setup.OPTIONS."""

    cards_on_table: bool = False
    counter_prompts: Literal["always", "held"] = "always"
    isolation_straits: Literal["open", "blocked"] = "open"
    island_allies: Literal["province", "island"] = "province"
    cancelled_withdrawal: Literal["defender_attacks", "defender_chooses"] = "defender_attacks"
    gallic_allies: Literal["none", "province"] = "none"
    card_32_ops: Literal[1, 2] = 1
    siege_train_survives: bool = True
    battles_at_sea: bool = False
    sea_battles: Deciding = ""


class State(Record, frozen=True):
    """A campaign. `deck`, `hands` and a battle's cards are hidden; all else is open."""

    turn: int
    phase: Phase
    spaces: dict[str, Place]
    generals: dict[str, General]
    active: Side | None = None
    first: Side | None = None
    opening: int | None = None
    consuls: tuple[str, ...] = ()
    deck: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    hands: dict[Side, tuple[int, ...]] = msgspec.field(default_factory=lambda: {"rome": (), "carthage": ()})
    agenda: tuple[Prompt, ...] = ()
    play: Play | None = None
    march: March | None = None
    battle: Battle | None = None
    lasting: Lasting = Lasting()
    preferred: tuple[str, ...] = ()
    options: Options = Options()
    result: Result | None = None
    engagement: Engagement | None = None
    settled: dict[str, NavalOutcome] = {}
    house: House | msgspec.UnsetType = msgspec.UNSET  # left out where there is none: positions of before are the same

    # the values in use

    @property
    def tables(self) -> Tables:
        """The tables in use: a group's own, else the published ones."""
        return sheet(self.house).tables

    @property
    def leaders(self) -> dict[str, Leader]:
        """The generals in use."""
        return sheet(self.house).leaders

    # the agenda, places and people: as the other game of the family

    asks, then, answered, asking = state.asks, state.then, state.pop_prompt, state.asking
    with_place, with_general, move_generals = state.with_place, state.with_general, state.move_generals
    add, take, set_outside, enter_walls = state.add, state.take, state.set_outside, state.enter_walls

    def room_left(self, space: str) -> int:
        """cities.2 How many more CUs fit inside the walls."""
        return room(space) - self.spaces[space].inside.size

    # cards

    def holds(self, side: Side, card: int) -> bool:
        """Does the side hold the card, or may it, when hands are not tracked?"""
        hand = self.hands[side]
        if card in hand:
            return True
        return NO_CARD in hand and card not in self.discard and card not in self.removed

    def without_card(self, side: Side, card: int) -> State:
        """The card out of the hand."""
        hand = list(self.hands[side])
        hand.remove(card if card in hand else NO_CARD)
        return replace(self, hands={**self.hands, side: tuple(hand)})

    def discarded(self, card: int) -> State:
        """The card face up on the discard pile."""
        return replace(self, discard=(*self.discard, card))

    def now(self, **changes: Any) -> State:
        """The same with other lasting effects."""
        return replace(self, lasting=replace(self.lasting, **changes))

    # the things in hand

    def marching(self) -> March:
        """The move being made."""
        assert self.march is not None, "no move is being made"
        return self.march

    def playing(self) -> Play:
        """The card being played."""
        assert self.play is not None, "no card is being played"
        return self.play

    def fighting(self) -> Battle:
        """The battle being fought."""
        assert self.battle is not None, "no battle is being fought"
        return self.battle


Handled = tuple[State, tuple[Event, ...]]  # what a command comes to: the position after it, and what happened
