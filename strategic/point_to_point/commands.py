"""What a seat may say in every game of the family, and what offers are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Literal, Protocol

from strategic.point_to_point.state import Troops
from tactical.kernel.protocol import commands_in
from tactical.kernel.record import Input

# -- What a seat may say in every game of the family. CUs are counted as ordinary `units` and `elephants`, with
# `trains` in games that have them; lists of generals are ids.

Party = tuple[str, ...]


class Counted(Protocol):
    """What says how many it takes along."""

    @property
    def units(self) -> int: ...
    @property
    def elephants(self) -> int: ...
    @property
    def trains(self) -> int: ...


class Taking(Input, frozen=True):
    """A command that takes troops along, counted by its `units`, `elephants` and `trains`."""

    @property
    def force(self: Counted) -> Troops:
        """What it takes along."""
        return Troops(self.units, self.elephants, self.trains)


class Step(Taking, frozen=True, tag="step"):
    """movement.land.1 Move one space by land with these CUs and companions."""

    to: str
    units: int
    elephants: int
    companions: Party = ()
    trains: int = 0


class Sortie(Taking, frozen=True, tag="sortie"):
    """siege.6 Come out of the city against the enemy before its walls."""

    units: int
    elephants: int
    companions: Party = ()
    trains: int = 0


class Besiege(Input, frozen=True, tag="besiege"):
    """siege.1 Roll against the city or tribe in the space; a companion may be detached to do it.

    Without a general the moving army besieges, with all that it has.
    """

    general: str | None = None
    units: int = 0
    elephants: int = 0


class Halt(Input, frozen=True, tag="halt"):
    """movement.land.1 End the move."""


class Done(Input, frozen=True, tag="done"):
    """strategy.ops Nothing more of this."""


class Pass(Input, frozen=True, tag="pass"):
    """strategy.event.2 Let the moment go by."""


class Arrange(Taking, frozen=True, tag="arrange"):
    """movement.general.4 Say which of the CUs and generals in a city's space are inside the walls."""

    space: str
    units: int
    elephants: int
    generals: Party
    trains: int = 0


class TakeCommand(Input, frozen=True, tag="take_command"):
    """movement.command.4 Name the commander among generals of equal standing."""

    general: str


class Intercept(Taking, frozen=True, tag="intercept"):
    """interception.1 Name generals and CUs of one space that will try.

    `general` in place of space and generals names the only one who tries.
    """

    space: str = ""
    generals: Party = ()
    units: int = 0
    elephants: int = 0
    trains: int = 0
    general: str | None = None


class GoBack(Input, frozen=True, tag="go_back"):
    """interception.3a The intercepted army goes back where it came from."""


class AcceptBattle(Input, frozen=True, tag="accept_battle"):
    """interception.3a The intercepted army fights."""


class Shelter(Taking, frozen=True, tag="shelter"):
    """avoid.1a Go inside the walls."""

    generals: Party = ()
    units: int = 0
    elephants: int = 0
    trains: int = 0


class Avoid(Taking, frozen=True, tag="avoid"):
    """avoid.2 Roll to slip away to a space next to this one.

    `general` in place of generals goes with all who may follow him.
    """

    to: str
    generals: Party = ()
    units: int = 0
    elephants: int = 0
    trains: int = 0
    general: str | None = None


class Stand(Input, frozen=True, tag="stand"):
    """avoid.1 Stay and fight."""


class Pursue(Input, frozen=True, tag="pursue"):
    """pursuit.2 Roll to go on after the army that slipped away."""


class Join(Input, frozen=True, tag="join"):
    """siege.6 Besieged troops under a general come out to join the battle of their friends before the walls."""

    generals: Party
    units: int
    elephants: int

    @property
    def force(self) -> Troops:
        """What comes out."""
        return Troops(self.units, self.elephants)


class ChangeCommand(Input, frozen=True, tag="change_command"):
    """battle.1 Carthage rolls whether the other consul commands."""


class Charge(Input, frozen=True, tag="charge"):
    """battle.4, 17 Declare the elephant attack."""


class Attack(Input, frozen=True, tag="attack"):
    """round.1 Play a battle card; `as_kind` for one that can stand for others."""

    card: str
    as_kind: str


class Match(Input, frozen=True, tag="match"):
    """round.2 Match the attack with this card."""

    card: str


class Concede(Input, frozen=True, tag="concede"):
    """round.2 Leave the attack unmatched and lose the battle."""


class CounterAttack(Input, frozen=True, tag="counter_attack"):
    """round.3 Roll for the initiative."""


class Withdraw(Input, frozen=True, tag="withdraw"):
    """round.1a Roll to leave the battle for a space next to it, or for the city."""

    to: str


class Cancel(Input, frozen=True, tag="cancel"):
    """round.1b Roll to stop the withdrawal."""


class RetreatTo(Input, frozen=True, tag="retreat"):
    """retreat.1 Where the loser goes, "city" for inside the walls; some may go into the city first."""

    to: str
    units_inside: int = 0
    elephants_inside: int = 0
    generals_inside: Party = ()

    @property
    def inside(self) -> Troops:
        """The CUs that go into the city."""
        return Troops(self.units_inside, self.elephants_inside)


class Remove(Input, frozen=True, tag="remove"):
    """losses.5 Take one of the own PCs off."""

    space: str


class CampaignMove(Input, frozen=True, tag="campaign_move"):
    """strategy.3 Move the next general of the campaign."""

    general: str


class FirstPlayer(Input, frozen=True, tag="first_player"):
    """strategy.2, 7.3 Say who plays first."""

    side: Literal["rome", "carthage"]


class Proconsul(Input, frozen=True, tag="proconsul"):
    """reinforcements.3, 6.4 Name a proconsul."""

    general: str


class OpenCampaign(Input, frozen=True, tag="open"):
    """strategy.1, 7.3 Open the turn with this campaign card."""

    card: int


class Campaign(Input, frozen=True, tag="campaign"):
    """strategy.3, 11.1.1.c Play a campaign card to move several generals."""

    card: int


class Put(Input, frozen=True, tag="put"):
    """strategy.ops.2a, 8.2 Place or flip one PC on the map."""

    space: str


class RaiseUnit(Input, frozen=True, tag="raise_unit"):
    """strategy.ops.3 Play a 3 to add a CU to a general."""

    card: int
    general: str


class Discard(Input, frozen=True, tag="discard"):
    """strategy.4 Discard a card instead of playing it."""

    card: int


class Resign(Input, frozen=True, tag="resign"):
    """victory.4 Sue for peace."""

    side: Literal["rome", "carthage"]


# what every game of the family takes
Shared = commands_in(globals())


# -- What offers are made of: groups of generals, and the runs of numbers that are legal together.


def ranges(start: int, stop: int, allowed: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """The unbroken runs of allowed numbers from start to stop."""
    low: int | None = None
    for number in range(start, stop + 2):
        good = number <= stop and allowed(number)
        if good and low is None:
            low = number
        if not good and low is not None:
            yield low, number - 1
            low = None


def forces(here: Troops, most: int, may: Callable[[Troops], bool]) -> Iterator[dict[str, Any]]:
    """Every force that may be taken of the troops here, at most so many CUs, as fields of offers.

    For each number of elephants the runs of ordinary units; where trains are, the numbers of trains that may go with
    each run. A force without CUs stands apart, for it may do less.
    """
    for elephants in range(min(here.elephants, most) + 1):
        top = min(here.units, most - elephants)
        for trains, low, high in _runs(here, elephants, top, may):
            for first, last in [(0, 0), (1, high)] if elephants == 0 and low == 0 else [(low, high)]:
                if first <= last:
                    fields: dict[str, Any] = {"elephants": elephants, "units": {"from": first, "to": last}}
                    if here.trains:
                        fields["trains"] = list(trains)
                    yield fields


def _runs(
    here: Troops, elephants: int, top: int, may: Callable[[Troops], bool]
) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Runs of units with the numbers of trains that all of them may have along."""
    start: tuple[tuple[int, ...], int] | None = None
    for units in range(top + 2):
        trains = () if units > top else _trains(here, units, elephants, may)
        if start is not None and trains != start[0]:
            yield start[0], start[1], units - 1
            start = None
        if start is None and trains:
            start = (trains, units)


def _trains(here: Troops, units: int, elephants: int, may: Callable[[Troops], bool]) -> tuple[int, ...]:
    return tuple(trains for trains in range(here.trains + 1) if may(Troops(units, elephants, trains)))


def least(fields: dict[str, Any]) -> Troops:
    """The smallest force of an offer's fields, with as many trains as it may have."""
    return Troops(fields["units"]["from"], fields["elephants"], max(fields.get("trains", (0,))))


def companies(
    name: str, groups: Iterable[Party], here: Troops, most: int, why_not: Callable[[Party, Troops], object]
) -> Iterator[dict[str, Any]]:
    """Every group with every force of the troops here that nothing forbids, as fields of offers.

    `name` is the field of the group; `why_not` says what forbids a group with a force, None when nothing does.
    """
    for group in groups:
        for fields in forces(here, most, partial(_is_free, why_not, group)):
            yield {name: [list(group)], **fields}


def _is_free(why_not: Callable[[Party, Troops], object], group: Party, force: Troops) -> bool:
    return why_not(group, force) is None
