"""What is under way: a move, a voyage, a card being played, a battle at sea or on land."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from strategic.point_to_point.pieces import NONE, Troops, Walked
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.record import Record


class March(Record, frozen=True):
    """The move of an activated general: points left, the way so far (`path` begins where he stood), who goes along.

    `sailed` counts points spent at sea (11.1.b), `escort` is the ships of the last lane (H11). The troops that move
    stand in their space like all others.
    """

    side: Side
    general: str
    points: int
    path: tuple[str, ...]
    legs: tuple[str, ...] = ()
    force: Troops = NONE
    companions: tuple[str, ...] = ()
    inside: bool = False
    stopped: bool = False
    sailed: int = 0
    africa: bool = False
    failed: tuple[str, ...] = ()
    intercepted: tuple[str, ...] = ()
    failed_avoid: bool = False
    chased: bool = False
    acted: bool = False
    escort: tuple[str, ...] = ()
    detached: tuple[str, ...] = ()
    detached_size: int = 0
    walked: tuple[Walked, ...] = ()
    led: dict[str, int] = {}

    @property
    def at(self) -> str:
        """Where the army is."""
        return self.path[-1]

    @property
    def generals(self) -> tuple[str, ...]:
        """All generals who move, the activated one first."""
        return (self.general, *self.companions)

    @property
    def weathered(self) -> bool:
        """Bad weather ends no move here; its card belongs to the older game."""
        return False

    def with_force(self, troops: Troops) -> March:
        """The same with other troops."""
        return replace(self, force=troops)

    def came_from(self) -> str | None:
        """The space from which it entered by land; None after a landing or before any step."""
        return self.path[-2] if self.legs and self.legs[-1] != "lane" else None

    def landed(self) -> bool:
        """Did its last leg come over the sea?"""
        return bool(self.legs) and self.legs[-1] == "lane"


class Attempt(Record, frozen=True):
    """11.6.2 A general who tries to intercept at sea, with what he takes along; `face` once rolled."""

    general: str
    space: str
    force: Troops = NONE
    face: int = 0
    succeeded: bool = False


class Voyage(Record, frozen=True):
    """H1 One lane: from the last port to the next, with these ships. The troops aboard are the march's.

    `back` is the way back over the last lane (H11). `catcher` is the interceptor's commander, `catching` his ships,
    `caught` says that an interception succeeded, `ended` that the mover has gone back to the last port.
    """

    start: str
    to: str
    inside: bool
    ships: tuple[str, ...]
    back: bool = False
    attempts: tuple[Attempt, ...] = ()
    catching: tuple[str, ...] = ()
    catcher: str | None = None
    caught: bool = False
    ended: bool = False


class SeaFleet(Record, frozen=True):
    """11.7 One side in a naval battle by the game's own table: what still fights, what is set aside, its hand.

    `ready` ships fight; `sunk` were hit; `taken` were made prizes by the corvus; `shoaled` are out by Shallows.
    """

    ready: tuple[str, ...] = ()
    sunk: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    shoaled: tuple[str, ...] = ()
    transports: int = 0
    transports_lost: int = 0
    hand: tuple[str, ...] = ()
    rating: int = 0
    admiral: bool = False
    general: str | None = None
    bonus: int = 0
    bonus_on_transports: int = 0
    next_bonus: int = 0
    draw_on_hit: int = 0
    skips: bool = False
    no_corvus: bool = False


class NavalBattle(Record, frozen=True):
    """11.7 A naval battle by the game's own table. `deck` and hands are hidden.

    `order` is who goes first in this round (H5); `turn` whose part of it is played, `step` which.
    """

    engagement: str
    fleets: dict[Side, SeaFleet]
    round: int = 1
    order: tuple[Side, ...] = ()
    turn: int = 0
    step: Literal["manoeuvre", "engage", "regroup", "pursuit", "hit", "fair_wind", "shallows"] = "manoeuvre"
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    retreat: Literal["", "evade", "flee", "card"] = ""

    @property
    def side(self) -> Side:
        """Whose part of the round is played."""
        return self.order[self.turn]


class Play(Record, frozen=True):
    """The card being played: its points left, what it adds (`use`), and what has been done on it.

    `lanes` is how many lanes by sea each general has gone on it (11.1.b).
    """

    card: int
    side: Side
    ops: int
    use: str = ""
    campaign: int = 0
    moved: tuple[str, ...] = ()
    rolled_at: tuple[str, ...] = ()
    fought: tuple[str, ...] = ()
    intercepted_from: tuple[str, ...] = ()
    walked: dict[str, tuple[Walked, ...]] = {}
    spent: dict[str, int | None] = {}
    lanes: dict[str, int] = {}


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
    interceptor: Side | None = None
    interceptor_from: str | None = None
    failed_avoid: Side | None = None
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    hands: dict[Side, tuple[str, ...]] = {}
    rounds: int = 0
    played: str | None = None
    winner: Side | None = None
    won_by: str | None = None
    lost: dict[Side, int] = {}
    fewer: dict[Side, int] = {}
    sortie: bool = False
    sortie_size: int = 0
    joined: tuple[str, ...] = ()
    charge: bool = False
    free_initiative: bool = True
    left: dict[Side, int] = {}

    @property
    def defender(self) -> Side:
        """The side that was attacked when the battle began."""
        return enemy(self.attacker)

    def with_lost(self, side: Side, count: int) -> Battle:
        """The same with more losses counted."""
        return replace(self, lost={**self.lost, side: self.lost.get(side, 0) + count})
