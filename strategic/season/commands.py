"""O10 What the organizer and the players of a season may say."""

from __future__ import annotations

from strategic.season.state import Result
from tactical.kernel.adjusting import Adjust as Adjust
from tactical.kernel.record import Input


class Entry(Input, frozen=True):
    """A ship that a player enters."""

    type: str
    name: str = ""
    crew: str = "average"
    corvus: bool = False


class Enroll(Input, frozen=True, tag="enroll"):
    """O10.1 The organizer enters a player, from the next round that is paired; with a fleet, or without."""

    name: str
    navy: str = "hellenistic"
    ships: tuple[Entry, ...] = ()


class Withdraw(Input, frozen=True, tag="withdraw"):
    """O10.1 A player leaves the season after the round that is paired now."""

    player: str


class Return(Input, frozen=True, tag="return"):
    """O10.1 The organizer takes a player who withdrew in again, from the next round."""

    player: str


class SetFleet(Input, frozen=True, tag="set_fleet"):
    """O10.1 A player enters his fleet, until his first battle; the organizer at any time."""

    player: str
    navy: str
    ships: tuple[Entry, ...]


class Pair(Input, frozen=True, tag="pair"):
    """O10.1 Pair the next round; players who are named in `byes` sit it out."""

    date: str = ""


class Rearrange(Input, frozen=True, tag="rearrange"):
    """O10.1 The organizer puts other pairings in place of those of the round that is not published yet."""

    round: int
    pairings: tuple[tuple[str, ...], ...]


class Publish(Input, frozen=True, tag="publish"):
    """O10.1 The pairings of the round stand, and may be played."""

    round: int


class Open(Input, frozen=True, tag="open"):
    """O10.1 The battle of a pairing stands on the table here, under this code."""

    pairing: str
    game: str


class Report(Input, frozen=True, tag="report"):
    """O10.1 How a pairing ended. A player's report waits for the other's word; the organizer's stands."""

    pairing: str
    result: Result
    side: str = ""


class Agree(Input, frozen=True, tag="agree"):
    """O10.1 The other player's word on a report; `agrees` False lets the report fall."""

    pairing: str
    side: str
    agrees: bool = True


class Repair(Input, frozen=True, tag="repair"):
    """O10.1 Between rounds: a player spends points on a ship's hull, or on a new one for a lost one."""

    player: str
    ship: str
    points: int


class End(Input, frozen=True, tag="end"):
    """O10.1 The season is over."""


Command = (
    Enroll | Withdraw | Return | SetFleet | Pair | Rearrange | Publish | Open | Report | Agree | Repair | End | Adjust
)
