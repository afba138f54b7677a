"""O10 What the organizer and the players of a season may say."""

from __future__ import annotations

from strategic.season.state import Bye, Result
from tactical.kernel.corrections import Adjust as Adjust
from tactical.kernel.record import Input
from tactical.ship import ShipType


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
    rating: int = 0
    club: str = ""


class Withdraw(Input, frozen=True, tag="withdraw"):
    """O10.1 A player leaves the season after the round that is paired now."""

    player: str


class Return(Input, frozen=True, tag="return"):
    """O10.1 The organizer takes a player who withdrew in again, from the next round."""

    player: str


class AskBye(Input, frozen=True, tag="ask_bye"):
    """O10.1 A player sits a round out that is not paired yet; with "" he plays after all.

    A player may say himself that he is absent (zero) or comes after all; a bye with points is the organizer's to give.
    """

    player: str
    round: int
    bye: Bye = ""


class KeepApart(Input, frozen=True, tag="keep_apart"):
    """O10.1 No two of these players are to meet from the round `first` to `last`; `apart` False: they may again."""

    players: tuple[str, ...]
    first: int = 1
    last: int | None = None
    apart: bool = True


class SetFleet(Input, frozen=True, tag="set_fleet"):
    """O10.1 A player enters his fleet, until his first battle; the organizer at any time."""

    player: str
    navy: str
    ships: tuple[Entry, ...]


class Pair(Input, frozen=True, tag="pair"):
    """O10.1 Pair the next round: when it is played, until when results are due, and on which scenario."""

    date: str = ""
    starts: str = ""
    due: str = ""
    scenario: str = "open_sea"


class Schedule(Input, frozen=True, tag="schedule"):
    """O10.1 The organizer gives the last round other dates or another scenario."""

    round: int
    date: str = ""
    starts: str = ""
    due: str = ""
    scenario: str = "open_sea"


class Arrange(Input, frozen=True, tag="arrange"):
    """O10.1 Two players settle when and where they play; either says so, or the organizer."""

    pairing: str
    side: str = ""
    at: str = ""
    place: str = ""


class Substitute(Input, frozen=True, tag="substitute"):
    """O10.1 Somebody plays for a player in one pairing; with an empty name the player does so himself."""

    pairing: str
    player: str
    name: str


class Lapse(Input, frozen=True, tag="lapse"):
    """O10.1 The time of a pairing is over; what the season has laid down for this happens."""

    pairing: str


class SetTypes(Input, frozen=True, tag="set_types"):
    """O10.1, G2.1 The club's own ship types and the points of types, until the first battle."""

    types: dict[str, ShipType]
    prices: dict[str, int] = {}


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
    Enroll
    | Withdraw
    | Return
    | AskBye
    | KeepApart
    | SetFleet
    | SetTypes
    | Pair
    | Rearrange
    | Schedule
    | Publish
    | Arrange
    | Substitute
    | Open
    | Report
    | Agree
    | Lapse
    | Repair
    | End
    | Adjust
)
