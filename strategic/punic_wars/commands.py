"""What a seat may tell the Punic Wars engine to do."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from strategic.naval.settling import LinkCommand
from tactical.kernel.corrections import Adjust
from tactical.kernel.protocol import commands_in
from tactical.kernel.record import Input

Points = Annotated[int, msgspec.Meta(ge=0)]
AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]
SideName = Literal["carthage", "rome"]
KindName = Literal["land", "naval"]


class Deploy(Input, frozen=True, tag="deploy"):
    """19.0 (procedure) Set up units of a group in a hex; left out means all that the group still has."""

    group: Points
    hex: str
    land: Points | None = None
    naval: Points | None = None
    leaders: bool = True


class Bid(Input, frozen=True, tag="bid"):
    """16.11 Treasury points written down in secret for diplomacy."""

    side: SideName
    points: Points


class Retire(Input, frozen=True, tag="retire"):
    """8.42 A Roman leader leaves the map before the election."""

    leader: str


class Place(Input, frozen=True, tag="place"):
    """8.32, 8.4 A leader comes (back) into play beside a friendly combat point."""

    leader: str
    hex: str


class ComeOut(Input, frozen=True, tag="come_out"):
    """10.25 All own points of a kind in a hex turn face up."""

    hex: str
    kind: KindName


class Turn(Input, frozen=True, tag="turn"):
    """10.26 A leader goes inside or comes out."""

    leader: str
    inside: bool


class Take(Input, frozen=True, tag="take"):
    """5.13 From here the leader takes exactly this force along; the rest stays behind."""

    leader: str
    land: Points
    naval: Points


class Move(Input, frozen=True, tag="move"):
    """5.12 The leader and its force enter a neighbouring hex."""

    leader: str
    to: str


class March(Input, frozen=True, tag="march"):
    """5.0 (procedure) Move hex by hex, with a force to take first if it is named.

    It halts after a loss, at an enemy, and at a question.
    """

    leader: str
    path: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=20)]
    land: Points | None = None
    naval: Points | None = None


class Attack(Input, frozen=True, tag="attack"):
    """9.13 The leader's units of one kind attack the enemy's in their hex."""

    leader: str
    kind: KindName


class Finish(Input, frozen=True, tag="finish"):
    """5.0 (procedure) The force has finished its movement."""

    leader: str


class Invert(Input, frozen=True, tag="invert"):
    """9.16 The threatened side's answer: go inside, or stand."""

    inside: bool


class Command(Input, frozen=True, tag="command"):
    """8.22 The leader who commands the defence."""

    leader: str


class Lose(Input, frozen=True, tag="lose"):
    """11.13 Which points are lost: of whom, where and of what kind."""

    hex: str
    nation: Literal["carthage", "rome", "syracuse"]
    kind: KindName
    points: AtLeastOne


class Accept(Input, frozen=True, tag="accept"):
    """Take the proposal: for the set-up, for the losses, for the commander, for the place of a leader."""

    side: SideName


class Recruit(Input, frozen=True, tag="recruit"):
    """13.11 Add points of a kind in a settlement's hex."""

    hex: str
    kind: KindName
    points: AtLeastOne


class Done(Input, frozen=True, tag="done"):
    """4.1 The side has finished its phase."""

    side: SideName


class Resign(Input, frozen=True, tag="resign"):
    """The side gives the game up."""

    side: SideName


class Agree(Input, frozen=True, tag="agree"):
    """18.1 The side agrees to end the game here; it ends when both do. `agreed` false takes the word back."""

    side: SideName
    agreed: bool = True


AnyCommand = commands_in(globals()) | LinkCommand | Adjust
