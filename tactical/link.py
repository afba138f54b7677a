"""L1.4 What a battle knows of the campaign that it belongs to."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from tactical.kernel.record import Record
from tactical.ship import Ship


class Arrival(Record, frozen=True):
    """L2.5 Ships of a side that come in over its own long edge at the beginning of this turn."""

    side: str
    turn: int
    ships: dict[str, Ship]


class Link(Record, frozen=True):
    """L1.4 The campaign that this battle belongs to: its game, its engagement, and what is special at sea.

    `wall_until` is the last turn in which the edge is a wall (L3.4); `supremacy` the side that may evade (L3.5);
    `evades` whether the system has evasion; `rerolls` re-rolls of dice left to each side (L2.5); `units` which
    campaign unit each ship is; `evaded` the side that has gone; `fled` the sides whose last warship went over the edge
    (L3.4; None in battles of version 0.1, which did not note it); `powers` the sides of the campaign in their order, by
    which a side has its colour and its sign (unset in battles of earlier versions); `turn_ended` the last turn whose
    fights, repairs and floods are over; `arrivals` who is still to come in.
    """

    game: str
    engagement: str
    system: str
    models_per_unit: int = 1
    wall_until: int = 4
    supremacy: str | None = None
    evades: bool = False
    evaded: str | None = None
    rerolls: dict[str, int] = {}
    rerolled: dict[str, int] = {}
    units: dict[str, str] = {}
    deploying: tuple[str, ...] = ()
    stakes: str = ""
    fled: tuple[str, ...] | None = None
    turn_ended: int = 0
    arrivals: tuple[Arrival, ...] | UnsetType = UNSET
    powers: tuple[str, ...] | UnsetType = UNSET
