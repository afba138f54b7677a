"""The tables and pieces of the family, what the shared chapters read of a campaign, and its small changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, Literal, Protocol, Self, TypeVar, cast

import msgspec

from strategic.atlas import Atlas
from tactical.kernel.protocol import Event, Prompt, event
from tactical.kernel.record import Input, Record

# -- Sides, cards and tables that the games of the family have in common.

Side = Literal["rome", "carthage"]
SIDES: tuple[Side, Side] = ("rome", "carthage")
ROADS = ("road",)


def enemy(side: Side) -> Side:
    """The other side."""
    return "carthage" if side == "rome" else "rome"


def as_side(seat: str) -> Side:
    """A prompt's seat as a side."""
    return "rome" if seat == "rome" else "carthage"


class Table(Input, frozen=True):
    """A printed table says which paragraph it prints, and where it comes from."""

    cite: str
    source: str


class BattleCard(Input, frozen=True):
    """A kind of battle card: how many there are, and what a win by it adds to the retreat table."""

    id: str
    name: str
    count: int
    retreat: int
    wild: bool
    source: str


class Province(Input, frozen=True):
    """A province: the spaces needed to control it, whether it scores, and its allied battle cards."""

    id: str
    name: str
    region: str
    needed: int
    scores: bool
    ally_cards: int
    ally_scope: str
    spaces: tuple[str, ...]


def provinces_of(chart: Atlas) -> dict[str, Province]:
    """The provinces of a map, each with its spaces."""
    fields = [name for name in Province.__struct_fields__ if name != "spaces"]
    return {
        name: Province(**{field: raw[field] for field in fields}, spaces=chart.in_province(name))
        for name, raw in chart.provinces.items()
    }


class Retreat(Table, frozen=True):
    """The retreat table."""

    first_die: int
    columns: tuple[int, ...]
    all: int
    losses: tuple[tuple[int, ...], ...]
    spaces: int

    def read(self, die: int, force: int) -> int:
        """tables.retreat CUs lost by modified die and the force that began the battle; `all` for all."""
        row = min(max(die - self.first_die, 0), len(self.losses) - 1)
        return self.losses[row][max(bisect_right(self.columns, force) - 1, 0)]


class Ground(Input, frozen=True):
    """What the map says of a space besides its connections."""

    province: str
    region: str
    port: bool
    city: bool
    great: bool
    capital: str | None
    tribe: bool
    start: str


class Leader(Input, frozen=True):
    """A general as printed."""

    id: str
    name: str
    side: Side
    strategy: int
    battle: int
    source: str


class Attrition(Table, frozen=True):
    """The attrition table."""

    columns: tuple[int, ...]
    first_die: int
    losses: tuple[tuple[int, ...], ...]
    elephant_from: int

    def read(self, die: int, force: int) -> tuple[int, bool]:
        """tables.attrition.column CUs lost by modified die and force (or rounds); and must one be an elephant?

        check.3: four rounds and a die of 5 give 1.
        """
        if force <= 0:
            return 0, False
        row = min(max(die - self.first_die, 0), len(self.losses) - 1)
        return self.losses[row][bisect_right(self.columns, force) - 1], die >= self.elephant_from


class Movement(Table, frozen=True):
    """Points and limits of movement by land."""

    points: int
    units: int
    consular: int
    overrun: int


class Siege(Table, frozen=True):
    """What a siege needs and when it takes the city."""

    takes: int
    needs: int


class BattleNumbers(Table, frozen=True):
    """What makes a battle hand, and what else every battle of the family reads."""

    hand: int
    interception: int
    failed_avoid: int
    latium: int
    tribe: int
    roman_allies_in_italy: int
    change_of_command: int
    elephants_without_general: int


class Tables(Protocol):
    """The tables that the shared chapters read."""

    @property
    def attrition(self) -> Attrition: ...
    @property
    def movement(self) -> Movement: ...
    @property
    def siege(self) -> Siege: ...
    @property
    def retreat(self) -> Retreat: ...
    @property
    def battle(self) -> BattleNumbers: ...


# -- The pieces of the family: troops, and the spaces where they stand.

R = TypeVar("R")


def replace(record: R, /, **changes: Any) -> R:
    """The same record with other fields; for records that are known only by what the chapters read of them."""
    return cast(R, msgspec.structs.replace(cast(msgspec.Struct, record), **changes))


class Troops(Record, frozen=True):
    """2.2.6 CUs, ordinary ones and elephants, and the supply trains with them, in games that have trains.

    Trains have no size (8.2.1.size).
    """

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
    def is_counted(self) -> bool:
        """Are these numbers of things, none of them below zero?"""
        return min(self.units, self.elephants, self.trains) >= 0

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

    def shared_with(self, other: Troops) -> Troops:
        """What both have: of each kind the smaller number."""
        return Troops(
            min(self.units, other.units), min(self.elephants, other.elephants), min(self.trains, other.trains)
        )

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

    def only_trains(self) -> Troops:
        """The trains without the CUs."""
        return Troops(0, 0, self.trains)


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

    def without(self, side: Side, troops: Troops) -> Place:
        """The same without these troops, those outside the walls taken first."""
        first = troops.shared_with(self.outside(side))
        left, rest = self.with_outside(side, self.outside(side).minus(first)), troops.minus(first)
        return left if rest.is_nothing else replace(left, inside=left.inside.minus(rest))

    def besieged(self) -> bool:
        """siege.7 Is a siege point on it?"""
        return self.siege > 0


class Walked(Record, frozen=True):
    """movement.command.5 CUs that have moved on this card: how many, the points they have spent, and whether they
    have moved under an earlier general. `spent` is None for those that move no more on this card; `lanes` is how many
    of those points were lanes by sea, where a game counts them (11.1.b).
    """

    units: int
    spent: int | None
    again: bool = False
    lanes: int = 0


class Result(Record, frozen=True):
    """How it ended."""

    winner: Side
    why: str


# -- What the shared chapters read of a campaign, and the small changes they ask of it.
#
# Each game of the family keeps records of its own, with fields of its own; these protocols name what all have.


class General(Protocol):
    """A general and where he stands."""

    @property
    def status(self) -> str: ...
    @property
    def space(self) -> str | None: ...
    @property
    def inside(self) -> bool: ...
    @property
    def rank(self) -> str: ...


class March(Protocol):
    """The move of an activated general: points left, the way so far (`path` begins where he stood), who goes along.

    `failed` are the generals who tried in vain to intercept it, `bound` their troops by space (interception.general.6),
    `intercepted` those who did; `chased` says that somebody has slipped away from it; `walked` says how far the CUs
    along have moved on this card, `led` how far each general along has in this move.
    """

    @property
    def side(self) -> Side: ...
    @property
    def general(self) -> str: ...
    @property
    def points(self) -> int: ...
    @property
    def path(self) -> tuple[str, ...]: ...
    @property
    def legs(self) -> tuple[str, ...]: ...
    @property
    def force(self) -> Troops: ...
    @property
    def companions(self) -> tuple[str, ...]: ...
    @property
    def generals(self) -> tuple[str, ...]: ...
    @property
    def inside(self) -> bool: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def failed(self) -> tuple[str, ...]: ...
    @property
    def bound(self) -> Mapping[str, Troops]: ...
    @property
    def intercepted(self) -> tuple[str, ...]: ...
    @property
    def chased(self) -> bool: ...
    @property
    def weathered(self) -> bool: ...
    @property
    def detached(self) -> tuple[str, ...]: ...
    @property
    def detached_size(self) -> int: ...
    @property
    def walked(self) -> tuple[Walked, ...]: ...
    @property
    def led(self) -> Mapping[str, int]: ...
    @property
    def at(self) -> str: ...

    def with_force(self, troops: Troops) -> Self: ...
    def came_from(self) -> str | None: ...
    def landed(self) -> bool: ...


class Play(Protocol):
    """The card being played, and what has been done on it: among it how far the CUs left in a space have `walked`, and
    the points that each general has `spent` in moves that are over, None when he moves no more.
    """

    @property
    def card(self) -> int: ...
    @property
    def side(self) -> Side: ...
    @property
    def rolled_at(self) -> tuple[str, ...]: ...
    @property
    def fought(self) -> tuple[str, ...]: ...
    @property
    def intercepted_from(self) -> tuple[str, ...]: ...
    @property
    def walked(self) -> Mapping[str, tuple[Walked, ...]]: ...
    @property
    def spent(self) -> Mapping[str, int | None]: ...


class Battle(Protocol):
    """A battle in a space: the CUs outside the walls there fight.

    `sortie_size` are the CUs of the attacker that came out of the city, `joined` the generals who led them.
    """

    @property
    def space(self) -> str: ...
    @property
    def attacker(self) -> Side: ...
    @property
    def defender(self) -> Side: ...
    @property
    def initiative(self) -> Side: ...
    @property
    def generals(self) -> Mapping[Side, tuple[str, ...]]: ...
    @property
    def commanders(self) -> Mapping[Side, str | None]: ...
    @property
    def start(self) -> Mapping[Side, int]: ...
    @property
    def came_from(self) -> str | None: ...
    @property
    def landed(self) -> bool: ...
    @property
    def sortie(self) -> bool: ...
    @property
    def sortie_size(self) -> int: ...
    @property
    def charge(self) -> bool: ...
    @property
    def free_initiative(self) -> bool: ...
    @property
    def joined(self) -> tuple[str, ...]: ...
    @property
    def discard(self) -> tuple[str, ...]: ...
    @property
    def hands(self) -> Mapping[Side, tuple[str, ...]]: ...
    @property
    def fewer(self) -> Mapping[Side, int]: ...
    @property
    def rounds(self) -> int: ...
    @property
    def played(self) -> str | None: ...
    @property
    def winner(self) -> Side | None: ...
    @property
    def won_by(self) -> str | None: ...
    @property
    def lost(self) -> Mapping[Side, int]: ...

    def with_lost(self, side: Side, count: int) -> Self: ...


class Campaign(Protocol):
    """A campaign of the family."""

    @property
    def turn(self) -> int: ...
    @property
    def spaces(self) -> Mapping[str, Place]: ...
    @property
    def generals(self) -> Mapping[str, General]: ...
    @property
    def agenda(self) -> tuple[Prompt, ...]: ...
    @property
    def march(self) -> March | None: ...
    @property
    def play(self) -> Play | None: ...
    @property
    def battle(self) -> Battle | None: ...
    @property
    def preferred(self) -> tuple[str, ...]: ...
    @property
    def leaders(self) -> Mapping[str, Leader]: ...
    @property
    def tables(self) -> Tables: ...

    def asks(self) -> Prompt | None: ...
    def then(self, *prompts: Prompt) -> Self: ...
    def answered(self) -> Self: ...
    def asking(self, **about: Any) -> Self: ...
    def with_place(self, space: str, place: Place) -> Self: ...
    def move_generals(self, names: tuple[str, ...], space: str, inside: bool = False) -> Self: ...
    def add(self, space: str, side: Side, troops: Troops, inside: bool = False) -> Self: ...
    def take(self, space: str, side: Side, troops: Troops) -> Self: ...
    def set_outside(self, space: str, side: Side, troops: Troops) -> Self: ...
    def enter_walls(self, space: str, side: Side, troops: Troops) -> Self: ...
    def room_left(self, space: str) -> int: ...
    def marching(self) -> March: ...
    def playing(self) -> Play: ...
    def fighting(self) -> Battle: ...


S = TypeVar("S", bound=Campaign)
Handled = tuple[S, tuple[Event, ...]]


# -- The small named changes that the campaigns of both games make: the agenda, places, people, troops.
#
# A campaign's record takes them as its methods (`then = changes.then`): each stands once, and nothing is inherited.

# the agenda


def asks(state: S) -> Prompt | None:
    """The prompt that is next; None when the phase goes on by itself."""
    return state.agenda[-1] if state.agenda else None


def then(state: S, *prompts: Prompt) -> S:
    """Put prompts on the agenda, in the order in which they will come."""
    return replace(state, agenda=(*state.agenda, *reversed(prompts)))


def pop_prompt(state: S) -> S:
    """Take the current prompt off."""
    return replace(state, agenda=state.agenda[:-1])


def asking(state: S, **about: Any) -> S:
    """The current prompt with other facts."""
    prompt = state.agenda[-1]
    return replace(state, agenda=(*state.agenda[:-1], replace(prompt, about={**prompt.about, **about})))


# places and people


def with_place(state: S, space: str, place: Place) -> S:
    """The same with another record of a space."""
    return replace(state, spaces={**state.spaces, space: place})


def with_general(state: S, name: str, general: General) -> S:
    """The same with another record of a general."""
    return replace(state, generals={**state.generals, name: general})


def move_generals(state: S, names: tuple[str, ...], space: str, inside: bool = False) -> S:
    """Put generals into a space."""
    moved = {name: replace(state.generals[name], space=space, inside=inside) for name in names}
    return replace(state, generals={**state.generals, **moved})


def add(state: S, space: str, side: Side, troops: Troops, inside: bool = False) -> S:
    """Put troops into a space, outside or inside its walls."""
    place = state.spaces[space]
    if inside:
        return state.with_place(space, replace(place, inside=place.inside.plus(troops)))
    return state.with_place(space, place.with_outside(side, place.outside(side).plus(troops)))


def take(state: S, space: str, side: Side, troops: Troops, inside: bool = False) -> S:
    """Take troops out of a space: those outside the walls first, or only from inside."""
    place = state.spaces[space]
    if inside:
        return state.with_place(space, replace(place, inside=place.inside.minus(troops)))
    return state.with_place(space, place.without(side, troops))


def set_outside(state: S, space: str, side: Side, troops: Troops) -> S:
    """Let exactly these troops of a side be outside the walls."""
    return state.with_place(space, state.spaces[space].with_outside(side, troops))


def enter_walls(state: S, space: str, side: Side, troops: Troops) -> S:
    """Move troops from outside to inside the walls."""
    place = state.spaces[space]
    out = place.with_outside(side, place.outside(side).minus(troops))
    return state.with_place(space, replace(out, inside=out.inside.plus(troops)))


# the end


def over(state: S, winner: Side, rule: str, why: str, **under_way: None) -> Handled[S]:
    """victory.5 The campaign is over; a battle or a meeting at sea that was going on is over, too."""
    gone = dict.fromkeys(("play", "march", "battle", "engagement", "active"))
    state = replace(state, result=Result(winner, why), phase="over", agenda=(), **gone, **under_way)
    return state, (event(rule, "over", winner=winner, why=why),)
