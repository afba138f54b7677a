"""The records of a campaign of Hamilcar and their small named changes.

Everything that must be decided next stands in `agenda`: its last prompt is the current one. A prompt without a
seat is a step that the engine takes by itself; the seat "both" waits for either side. With an empty agenda the
`phase` of the turn goes on.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from strategic.engagement import Engagement, NavalOutcome
from strategic.hamilcar.tables import NAMES, TABLES, Card, Side, enemy, ground
from tactical.kernel.play import Prompt
from tactical.kernel.record import Record

Phase = Literal[
    "reinforcements", "deal", "first", "strategy", "winter", "isolation", "victory", "budget", "next", "over"
]
NO_CARD = 0  # a card in a hand that is not tracked (cards on the table)
BOTH = "both"


class Troops(Record, frozen=True):
    """2.2.6 CUs, ordinary ones and elephants, and the trains with them. Trains have no size (8.2.1.size)."""

    units: int = 0
    elephants: int = 0
    trains: int = 0

    @property
    def size(self) -> int:
        """All CUs."""
        return self.units + self.elephants

    @property
    def is_nothing(self) -> bool:
        """Neither CUs nor trains?"""
        return not (self.units or self.elephants or self.trains)

    @property
    def transports(self) -> int:
        """11.1.1 Transports needed: each carries 1 CU and 1 train."""
        return max(self.size, self.trains)

    def plus(self, other: Troops) -> Troops:
        """Both together."""
        return Troops(self.units + other.units, self.elephants + other.elephants, self.trains + other.trains)

    def minus(self, other: Troops) -> Troops:
        """What is left; callers see to it that nothing becomes negative."""
        return Troops(self.units - other.units, self.elephants - other.elephants, self.trains - other.trains)

    def holds(self, other: Troops) -> bool:
        """Are the others all here?"""
        return other.units <= self.units and other.elephants <= self.elephants and other.trains <= self.trains

    def after_losses(self, lost: int, elephant_first: bool = False) -> Troops:
        """tables.attrition.elephant What remains: an elephant first if the table says so, else ordinary CUs first."""
        left, elephants = min(lost, self.size), self.elephants
        if elephant_first and left and elephants:
            elephants, left = elephants - 1, left - 1
        units = max(self.units - left, 0)
        return Troops(units, elephants - max(left - self.units, 0), self.trains)

    def without_transports(self, lost: int) -> Troops:
        """11.7.engage.c Each transport lost takes 1 CU and its train, if any, with it."""
        left = self.after_losses(min(lost, self.size))
        return replace(left, trains=max(self.trains - lost, 0))

    def only_units(self) -> Troops:
        """The CUs without the trains."""
        return replace(self, trains=0)


NONE = Troops()


class Place(Record, frozen=True):
    """A space: whose marker it bears, whether a tribe's marker stands, troops outside and inside the walls, a siege.

    `inside` belongs to the side in control of the city. `besieger` is whose points `siege` counts.
    """

    control: Side | None = None
    tribe: bool = False
    rome: Troops = NONE
    carthage: Troops = NONE
    inside: Troops = NONE
    siege: int = 0
    besieger: Side | None = None

    def outside(self, side: Side) -> Troops:
        """Troops of a side outside the walls."""
        return self.rome if side == "rome" else self.carthage

    def within(self, side: Side) -> Troops:
        """Troops of a side inside the walls."""
        return self.inside if self.control == side else NONE

    def all_of(self, side: Side) -> Troops:
        """Troops of a side in the space."""
        return self.outside(side).plus(self.within(side))

    def with_outside(self, side: Side, troops: Troops) -> Place:
        """The same with other troops outside."""
        return replace(self, rome=troops) if side == "rome" else replace(self, carthage=troops)

    def besieged(self) -> bool:
        """siege.7 Is a siege point on it?"""
        return self.siege > 0


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
    failed_avoid: bool = False
    acted: bool = False
    escort: tuple[str, ...] = ()

    @property
    def at(self) -> str:
        """Where the army is."""
        return self.path[-1]

    @property
    def generals(self) -> tuple[str, ...]:
        """All generals who move, the activated one first."""
        return (self.general, *self.companions)

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
    """The card being played: its points left, what it adds (`use`), and what has been done on it."""

    card: int
    side: Side
    ops: int
    use: str = ""
    campaign: int = 0
    moved: tuple[str, ...] = ()
    rolled_at: tuple[str, ...] = ()
    intercepted_from: tuple[str, ...] = ()


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
    hands: dict[Side, tuple[str, ...]] = {}
    rounds: int = 0
    played: str | None = None
    winner: Side | None = None
    won_by: str | None = None
    lost: dict[Side, int] = {}
    fewer: dict[Side, int] = {}
    sortie: bool = False
    left: dict[Side, int] = {}

    @property
    def defender(self) -> Side:
        """The side that was attacked when the battle began."""
        return enemy(self.attacker)

    def with_lost(self, side: Side, count: int) -> Battle:
        """The same with more losses counted."""
        return replace(self, lost={**self.lost, side: self.lost.get(side, 0) + count})


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
    cards: Literal["deck", "table"] = "deck"
    commander_rerolls: bool = False


class Result(Record, frozen=True):
    """How it ended."""

    winner: Side
    why: str


def by_side(value: Any) -> Any:  # a field default, whose type msgspec infers
    """A field with the same start for both sides."""
    return msgspec.field(default_factory=lambda: {"rome": value, "carthage": value})


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
    result: Result | None = None

    # the agenda

    def asks(self) -> Prompt | None:
        """The prompt that is next; None when the phase goes on by itself."""
        return self.agenda[-1] if self.agenda else None

    def then(self, *prompts: Prompt) -> State:
        """Put prompts on the agenda, in the order in which they will come."""
        return replace(self, agenda=(*self.agenda, *reversed(prompts)))

    def answered(self) -> State:
        """Take the current prompt off."""
        return replace(self, agenda=self.agenda[:-1])

    def asking(self, **about: Any) -> State:
        """The current prompt with other facts."""
        prompt = self.agenda[-1]
        return replace(self, agenda=(*self.agenda[:-1], replace(prompt, about={**prompt.about, **about})))

    # places and people

    def with_place(self, space: str, place: Place) -> State:
        """The same with another record of a space."""
        return replace(self, spaces={**self.spaces, space: place})

    def with_general(self, name: str, general: General) -> State:
        """The same with another record of a general."""
        return replace(self, generals={**self.generals, name: general})

    def move_generals(self, names: tuple[str, ...], space: str, inside: bool = False) -> State:
        """Put generals into a space."""
        moved = {name: replace(self.generals[name], space=space, inside=inside) for name in names}
        return replace(self, generals={**self.generals, **moved})

    def add(self, space: str, side: Side, troops: Troops, inside: bool = False) -> State:
        """Put troops into a space, outside or inside its walls."""
        place = self.spaces[space]
        if inside:
            return self.with_place(space, replace(place, inside=place.inside.plus(troops)))
        return self.with_place(space, place.with_outside(side, place.outside(side).plus(troops)))

    def take(self, space: str, side: Side, troops: Troops, inside: bool = False) -> State:
        """Take troops out of a space, from outside or from inside its walls."""
        return self.add(space, side, Troops(-troops.units, -troops.elephants, -troops.trains), inside)

    def with_troops(self, space: str, side: Side, troops: Troops, inside: bool = False) -> State:
        """Let exactly these troops of a side be outside (or inside) the walls."""
        place = self.spaces[space]
        if inside:
            return self.with_place(space, replace(place, inside=troops))
        return self.with_place(space, place.with_outside(side, troops))

    def troops(self, space: str, side: Side, inside: bool = False) -> Troops:
        """The troops of a side outside (or inside) the walls."""
        place = self.spaces[space]
        return place.within(side) if inside else place.outside(side)

    def room_left(self, space: str) -> int:
        """cities.2 How many more CUs fit inside the walls."""
        return ground(space).inside - self.spaces[space].inside.size

    def train_room(self, space: str) -> int:
        """8.2.1.limit How many more trains fit inside the walls."""
        return ground(space).inside - self.spaces[space].inside.trains

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
        """L2.4 A new ship in port, under the side's next name."""
        number = self.named[side]
        names = NAMES.of(side)
        again = number // len(names)
        name = names[number % len(names)] + (f" {again + 1}" if again else "")
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
