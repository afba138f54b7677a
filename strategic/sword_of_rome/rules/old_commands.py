"""What was set by hand before there was the command `by_hand`: journals of earlier versions hold these."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tactical.kernel.record import Input

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Level = Annotated[int, msgspec.Meta(ge=0, le=9)]


class Pieces(Input, frozen=True):
    """CUs and leaders of a power in a space."""

    power: Name
    space: Name
    units: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    leaders: Annotated[tuple[Name, ...], msgspec.Meta(max_length=30)] = ()


class Place(Pieces, frozen=True, tag="place"):
    """5.10 They come into play."""


class Remove(Pieces, frozen=True, tag="remove"):
    """5.5 They go out of play."""


class MoveByHand(Input, frozen=True, tag="move_by_hand"):
    """7 They go from one space to another."""

    power: Name
    space: Name
    to: Name
    units: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    leaders: Annotated[tuple[Name, ...], msgspec.Meta(max_length=30)] = ()


class SetCommander(Input, frozen=True, tag="set_commander"):
    """8.2.1 Who commands in a space."""

    power: Name
    space: Name
    leader: Name


class SetControl(Input, frozen=True, tag="set_control"):
    """7.3 Who controls a space, and a city's loyalty."""

    space: Name
    power: Name
    loyalty: Level | None = None


class SetSiege(Input, frozen=True, tag="set_siege"):
    """13 The siege level of a space; none lifts the siege."""

    space: Name
    level: Level | None = None


class SetAlliance(Input, frozen=True, tag="set_alliance"):
    """15 Offer an alliance, agree to one, or end it."""

    power: Name
    other: Name
    allied: bool = True


class SetPoints(Input, frozen=True, tag="set_points"):
    """4 A power's victory points."""

    power: Name
    points: Annotated[int, msgspec.Meta(ge=0, le=12)]


class SetUnrest(Input, frozen=True, tag="set_unrest"):
    """20 Carthage's unrest."""

    level: Annotated[int, msgspec.Meta(ge=0, le=10)]


class SetEvent(Input, frozen=True, tag="set_event"):
    """7 An event is in force, or no more."""

    event: Name
    in_force: bool = True


class SetRunner(Input, frozen=True, tag="set_runner"):
    """16 Which seat decides for a power without a player."""

    power: Name
    runner: Name | None = None


class Note(Input, frozen=True, tag="note"):
    """7 A line for the log."""

    side: Name
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


OldCommand = (
    Place
    | Remove
    | MoveByHand
    | SetCommander
    | SetControl
    | SetSiege
    | SetAlliance
    | SetPoints
    | SetUnrest
    | SetEvent
    | SetRunner
    | Note
)
