"""The records of a campaign of Hamilcar: pieces, what is under way, and small named changes."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from strategic.hamilcar.tables import NAMES, TABLES, Card, House, Leader, Tables, ground, sheet
from strategic.naval.engagement import Deciding, Engagement, NavalOutcome
from strategic.point_to_point import state
from strategic.point_to_point.state import NONE, Place, Result, Side, Troops, Walked, enemy
from tactical.kernel.protocol import Event, Prompt
from tactical.kernel.record import Record

# -- The pieces of Hamilcar besides those of the whole family: generals, ships.


class General(Record, frozen=True):
    """A general. status: board; pool (Romans to be drawn, Carthage's reserve); track; mercenary; out."""

    status: Literal["board", "pool", "track", "mercenary", "out"]
    space: str | None = None
    inside: bool = False
    rank: Literal["consul", "proconsul", "general"] = "general"


class Ship(Record, frozen=True):
    """2.2.7 A ship: its name (L2.4), ready or not, in port or at sea, and the hull damage that it carries."""

    name: str
    ready: bool = True
    at_sea: bool = False
    damage: int = 0
    built_by: Side | None = None


# -- What is under way: a move, a voyage, a card being played, a battle at sea or on land.


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
    bound: dict[str, Troops] = {}

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


# -- The records of a campaign of Hamilcar and their small named changes.
#
# Everything that must be decided next stands in `agenda`: its last prompt is the current one. A prompt without a
# seat is a step that the engine takes by itself; the seat "both" waits for either side. With an empty agenda the
# `phase` of the turn goes on.

Phase = Literal[
    "reinforcements", "deal", "first", "strategy", "winter", "isolation", "victory", "budget", "next", "over"
]
NO_CARD = 0  # a card in a hand that is not tracked (cards on the table)
BOTH = "both"


class Options(Record, frozen=True):
    """H.options The optional rules of 26.7 to 26.15, all off, and how a group plays."""

    naval_stores: bool = False
    crews_at_sea: bool = False
    war_in_numidia: bool = False
    carthaginian_militia: bool = False
    fixed_roman_reinforcements: bool = False
    more_allies: bool = False
    epic_battles: bool = False
    elected_consuls: Literal[0, 1, 2] = 0
    extended_contract: bool = False
    flaccus_leaves: bool = True
    lone_consul_fleet: bool = False
    island_allies: Literal["province", "island"] = "province"
    cards: Literal["deck", "table"] = "deck"
    commander_rerolls: bool = False
    sea_battles: Deciding = ""


def by_side(value: Any) -> Any:  # a field default, whose type msgspec infers
    """A field with the same start for both sides."""
    return msgspec.field(default_factory=lambda: {"rome": value, "carthage": value})


def name_of_number(names: tuple[str, ...], number: int) -> str:
    """L2.4 The name of this number; when the list is through it begins again with "2" behind each name."""
    again, place = divmod(number, len(names))
    return names[place] + (f" {again + 1}" if again else "")


class State(Record, frozen=True):
    """A campaign. `deck`, `hands`, a battle's cards and a naval battle's cards are hidden; all else is open.

    2.2.a `supremacy` is the side that the one marker shows.
    """

    turn: int
    phase: Phase
    spaces: dict[str, Place]
    generals: dict[str, General]
    ships: dict[Side, tuple[Ship, ...]] = by_side(())
    named: dict[Side, int] = by_side(0)
    supremacy: Side = "carthage"
    seamanship: int = 0
    corvus: bool = False
    forgotten: bool = True
    council: tuple[tuple[int, int], ...] = ()
    active: Side | None = None
    first: Side | None = None
    opening: int | None = None
    consuls: tuple[str, ...] = ()
    deck: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    hands: dict[Side, tuple[int, ...]] = by_side(())
    declared: dict[int, Card] = {}
    spent: dict[Side, int] = by_side(0)
    lost_ships: int = 0
    seamanship_fell: bool = False
    xanthippus_came: int = 0
    agenda: tuple[Prompt, ...] = ()
    play: Play | None = None
    march: March | None = None
    voyage: Voyage | None = None
    engagement: Engagement | None = None
    settled: dict[str, NavalOutcome] = {}
    naval: NavalBattle | None = None
    battle: Battle | None = None
    preferred: tuple[str, ...] = ()
    options: Options = Options()
    scenario: str | None = None
    house: House | None = None
    result: Result | None = None

    # the values in use

    @property
    def tables(self) -> Tables:
        """H.table The tables, with the group's own values."""
        return sheet(self.house).tables

    @property
    def leaders(self) -> dict[str, Leader]:
        """6.5 The generals, with the group's own ratings."""
        return sheet(self.house).leaders

    @property
    def tactics_deck(self) -> tuple[str, ...]:
        """11.7.cards The tactics cards, each as often as it is there."""
        return sheet(self.house).deck

    @property
    def scoring(self) -> frozenset[str]:
        """H.scoring The provinces that score."""
        return sheet(self.house).scoring

    # the agenda, places and people: as the other game of the family

    asks, then, answered, asking = state.asks, state.then, state.pop_prompt, state.asking
    with_place, with_general, move_generals = state.with_place, state.with_general, state.move_generals
    add, take, set_outside, enter_walls = state.add, state.take, state.set_outside, state.enter_walls

    def troops(self, space: str, side: Side, inside: bool = False) -> Troops:
        """The troops of a side outside (or inside) the walls."""
        place = self.spaces[space]
        return place.within(side) if inside else place.outside(side)

    def room_left(self, space: str) -> int:
        """cities.2 How many more CUs fit inside the walls."""
        return ground(space).inside - self.spaces[space].inside.size

    # ships

    def fleet(self, side: Side) -> tuple[Ship, ...]:
        """All ships of a side."""
        return self.ships[side]

    def with_fleet(self, side: Side, ships: tuple[Ship, ...]) -> State:
        """The same with other ships of a side."""
        return replace(self, ships={**self.ships, side: ships})

    def ready(self, side: Side) -> tuple[str, ...]:
        """2.2.7.b The ready ships of a side in port, the soundest first."""
        found = [ship for ship in self.ships[side] if ship.ready and not ship.at_sea]
        return tuple(ship.name for ship in sorted(found, key=lambda ship: ship.damage))

    def unready(self, side: Side) -> tuple[str, ...]:
        """2.2.7.b The ships of a side that need repair."""
        return tuple(ship.name for ship in self.ships[side] if not ship.ready)

    def ship(self, side: Side, name: str) -> Ship | None:
        """A ship of a side by its name."""
        return next((ship for ship in self.ships[side] if ship.name == name), None)

    def _each(self, side: Side, names: tuple[str, ...], **changes: Any) -> State:
        ships = (replace(ship, **changes) if ship.name in names else ship for ship in self.ships[side])
        return self.with_fleet(side, tuple(ships))

    def put_to_sea(self, side: Side, names: tuple[str, ...]) -> State:
        """2.2.7.a Ships leave the port box."""
        return self._each(side, names, at_sea=True)

    def put_into_port(self, side: Side, names: tuple[str, ...]) -> State:
        """2.2.7.a Ships come back to the port box."""
        return self._each(side, names, at_sea=False)

    def made_ready(self, side: Side, names: tuple[str, ...]) -> State:
        """2.2.7.c Repaired ships; their hull damage is cleared (L2.4)."""
        return self._each(side, names, ready=True, damage=0)

    def made_unready(self, side: Side, names: tuple[str, ...]) -> State:
        """2.2.7.b Ships that need repair."""
        return self._each(side, names, ready=False)

    def damaged(self, side: Side, damage: dict[str, int]) -> State:
        """L2.4 Hull damage that ships bring home."""
        ships = (replace(ship, damage=damage.get(ship.name, ship.damage)) for ship in self.ships[side])
        return self.with_fleet(side, tuple(ships))

    def without_ships(self, side: Side, names: tuple[str, ...]) -> State:
        """Ships leave the game."""
        return self.with_fleet(side, tuple(ship for ship in self.ships[side] if ship.name not in names))

    def berths(self, side: Side) -> int:
        """2.2.7 How many more ships the side may have."""
        most: int = TABLES.sea.ships
        return most - len(self.ships[side])

    def built(self, side: Side, ready: bool = True) -> State:
        """L2.4 A new ship in port, under the side's next name that no ship bears."""
        number, names = self.named[side], NAMES.of(side)
        taken = {ship.name for fleet in self.ships.values() for ship in fleet}
        while (name := name_of_number(names, number)) in taken:
            number += 1
        state = replace(self, named={**self.named, side: number + 1})
        return state.with_fleet(side, (*state.ships[side], Ship(name, ready, built_by=side)))

    # cards

    def without_card(self, side: Side, card: int) -> State:
        """The card out of the hand."""
        hand = list(self.hands[side])
        hand.remove(card)
        return replace(self, hands={**self.hands, side: tuple(hand)})

    # the things in hand

    def marching(self) -> March:
        """The move being made."""
        assert self.march is not None, "no move is being made"
        return self.march

    def sailing(self) -> Voyage:
        """The lane being sailed."""
        assert self.voyage is not None, "nobody is at sea"
        return self.voyage

    def playing(self) -> Play:
        """The card being played."""
        assert self.play is not None, "no card is being played"
        return self.play

    def fighting(self) -> Battle:
        """The battle being fought."""
        assert self.battle is not None, "no battle is being fought"
        return self.battle

    def at_sea(self) -> NavalBattle:
        """The naval battle being fought by the game's own table."""
        assert self.naval is not None, "no naval battle is being fought"
        return self.naval

    def engaged(self) -> Engagement:
        """The engagement that waits to be settled."""
        assert self.engagement is not None, "no fleets have met"
        return self.engagement


Handled = tuple[State, tuple[Event, ...]]  # what a command comes to: the position after it, and what happened
