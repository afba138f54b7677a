"""O10 The season: what it begins with; players, rounds, results."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import data
from strategic.naval.engagement import NavalOutcome
from tactical.kernel.record import Input, Record
from tactical.setup import Coast
from tactical.ship import TYPES, ShipType

# -- The numbers that a season begins with.


class StandingsRow(Record, frozen=True):
    """O10.1 What a result is worth in the standings."""

    win: int
    draw: int
    loss: int
    bye: int
    unplayed: int


class BetweenRow(Record, frozen=True):
    """O10.1 Repair and drill between two rounds."""

    repair: int
    replace: int
    drill: int
    shaken: int


class BattleRow(Record, frozen=True):
    """O10.1 The battle that is opened here, and how many hours before a round is due its players are reminded."""

    turn_limit: int
    remind: int


class Waters(Record, frozen=True):
    """O10.1 The sea of a round's battles: hexes, measured, or the players' own table; its coast."""

    kind: Literal["hexes", "open", "table"]
    coast: Coast = "open"


class SettingsTable(Record, frozen=True):
    """data/season/settings.toml."""

    cite: str
    standings: StandingsRow
    between: BetweenRow
    battle: BattleRow
    scenario: dict[str, Waters]


SETTINGS: SettingsTable = data.read("season/settings.toml", SettingsTable)


# -- O10 The season: players with their fleets, rounds with their pairings, results. All of it is open to everybody.

Way = Literal["swiss", "round_robin"]
TieBreak = Literal["opponents", "ships", "head_to_head"]
Crew = Literal["poor", "average", "elite"]
Status = Literal["afloat", "sunk", "captured"]
Overdue = Literal["wait", "report", "unplayed"]
AskedKind = Literal["half", "full", "zero"]
Bye = Literal["", "half", "full", "zero"]
CREWS: tuple[Crew, ...] = ("poor", "average", "elite")


class Settings(Record, frozen=True):
    """O10.1 What the organizer has chosen: points of a result, tie-breaks in order, what happens between rounds.

    `damage` False: every fleet is whole again in each round, and crews stay as they are. `overdue` is what becomes of a
    pairing without a result when its round is due: it waits; a report that waits for the other's word stands; or that,
    and what nobody has reported was not played. Players are reminded `remind` hours before (0: never).
    """

    win: int = SETTINGS.standings.win
    draw: int = SETTINGS.standings.draw
    loss: int = SETTINGS.standings.loss
    bye: int = SETTINGS.standings.bye
    unplayed: int = SETTINGS.standings.unplayed
    tie_breaks: tuple[TieBreak, ...] = ("opponents", "ships", "head_to_head")
    damage: bool = True
    repair: int = SETTINGS.between.repair
    replace: int = SETTINGS.between.replace
    drill: int = SETTINGS.between.drill
    shaken: int = SETTINGS.between.shaken
    turn_limit: int = SETTINGS.battle.turn_limit
    overdue: Overdue = "wait"
    remind: int = SETTINGS.battle.remind


class Ship(Record, frozen=True):
    """A named ship of a player's fleet; `battles` counts those since her crew's last step of drill.

    `rounds` are those whose battles she has survived since she was launched.
    """

    name: str
    type: str
    crew: Crew = "average"
    corvus: bool = False
    damage: int = 0
    status: Status = "afloat"
    battles: int = 0
    rounds: tuple[int, ...] = ()


class AskedBye(Record, frozen=True):
    """A round that a player sits out: with the points of a draw (half) or a win (full), or absent, with none (zero)."""

    round: int
    kind: AskedKind


class Apart(Record, frozen=True):
    """Players of whom no two are paired in the rounds from `first` to `last` (None: to the end)."""

    players: tuple[str, ...]
    first: int = 1
    last: int | None = None


class Player(Record, frozen=True):
    """A player. `since` is the first round that he is paired in, `until` the last one before he withdrew.

    `repairs` are the points that he may still spend on his ships before the next round. `rating` (0: none) and `club`
    are for tournament files and lists. `byes` are the rounds that he has asked to sit out.
    """

    name: str
    since: int = 1
    until: int | None = None
    navy: str = "hellenistic"
    ships: dict[str, Ship] = {}
    repairs: int = 0
    rating: int = 0
    club: str = ""
    byes: tuple[AskedBye, ...] = ()

    def is_in(self, number: int) -> bool:
        """Has he entered, and not left, in this round?"""
        return self.since <= number and (self.until is None or number <= self.until)

    def bye_in(self, number: int) -> AskedBye | None:
        """The bye that he has asked for in this round."""
        return next((bye for bye in self.byes if bye.round == number), None)


class Deeds(Input, frozen=True):
    """What the journal of a battle fought here counts for a player: rams, and ships whose oars were broken."""

    rams: int = 0
    oars: int = 0


class Result(Input, frozen=True):
    """How a pairing ended: who has won (None: a draw), battle points by player, ships, or that it was not played.

    With a winner one that was not played is won by forfeit.
    """

    winner: str | None = None
    points: dict[str, int] = {}
    outcome: NavalOutcome | None = None
    played: bool = True
    deeds: dict[str, Deeds] = {}


class Why(Record, frozen=True):
    """Why two players meet: a kind of reason, and the scores or the round that its sentence names."""

    kind: str
    values: dict[str, int] = {}


class Pairing(Record, frozen=True):
    """Two players, or one who has a bye; the first named deploys first. `proposed` waits for the other's word.

    `bye` is the kind of bye that a player has asked for; "" is one that the pairing gives. `at` is when it is played
    (without it, when its round is), `place` where, `substitutes` who plays for a player.
    """

    players: tuple[str, ...]
    why: Why = Why("organizer")
    game: str | None = None
    proposed: Result | None = None
    proposed_by: str | None = None
    result: Result | None = None
    at: str = ""
    place: str = ""
    substitutes: dict[str, str] = {}
    bye: Bye = ""

    def other(self, player: str) -> str:
        """The opponent."""
        return self.players[self.players[0] == player]

    @property
    def is_bye(self) -> bool:
        """Does one player have a bye?"""
        return len(self.players) == 1


class Round(Record, frozen=True):
    """The pairings of a round by their ids; the organizer may change them until they are published.

    `starts` and `due` are moments by the clock of the season's zone (2026-12-03T19:30): when it is played, and until
    when results are reported. `date` says so in the organizer's own words. `scenario` is one of the season's table.
    """

    number: int
    pairings: dict[str, Pairing]
    published: bool = False
    date: str = ""
    starts: str = ""
    due: str = ""
    scenario: str = "open_sea"

    def open(self) -> tuple[str, ...]:
        """The pairings without a result."""
        return tuple(name for name, each in self.pairings.items() if each.result is None and not each.is_bye)


class Season(Record, frozen=True):
    """The whole season. `rounds` is how many there are to be; None: as many as the way of pairing needs.

    `types` are ship types of the club's own (G2.1), `prices` the points of a type where the organizer has said so;
    `apart` are the players who are not to meet.
    """

    title: str = "Season"
    pairing: Way = "swiss"
    rounds: int | None = None
    points: int = 0
    settings: Settings = Settings()
    players: dict[str, Player] = {}
    played: tuple[Round, ...] = ()
    ended: bool = False
    zone: str = "UTC"
    types: dict[str, ShipType] = {}
    prices: dict[str, int] = {}
    apart: tuple[Apart, ...] = ()

    @property
    def kinds(self) -> dict[str, ShipType]:
        """The ship types of this season by name."""
        return {**TYPES, **self.types}

    @property
    def now(self) -> Round | None:
        """The round that was paired last."""
        return self.played[-1] if self.played else None

    def paired(self) -> dict[str, tuple[Round, Pairing]]:
        """Every pairing of the season with its round, by id."""
        return {name: (each, pairing) for each in self.played for name, pairing in each.pairings.items()}

    def entered(self, number: int) -> tuple[str, ...]:
        """The players who are paired in a round, in the order in which they came."""
        return tuple(name for name, each in self.players.items() if each.is_in(number) and not each.bye_in(number))

    def kept_apart(self, number: int) -> frozenset[frozenset[str]]:
        """The pairs that may not meet in a round."""
        now = (each for each in self.apart if each.first <= number and (each.last is None or number <= each.last))
        return frozenset(frozenset(pair) for each in now for pair in combinations(each.players, 2))
