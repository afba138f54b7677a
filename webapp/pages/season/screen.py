"""O10 What a season's page shows: standings, rounds and players in the reader's words, and what this seat may do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from flask_babel import format_datetime, ngettext

from strategic.season.rules.pairing import why_not_pair
from strategic.season.rules.records import records
from strategic.season.rules.ships import is_fighting
from strategic.season.rules.standings import Line, Row, count_prizes, points_of, standings
from strategic.season.rules.worth import worth
from strategic.season.state import Pairing, Player, Round, Season, Ship
from strategic.season.tables import SETTINGS
from strategic.season.view import planned_rounds, season_seen_by
from tactical.kernel import vocabulary
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import UMPIRE
from webapp.http.language import gettext as _
from webapp.presenting.labels import crew_word, rowers_word, type_word
from webapp.presenting.names import full_name
from webapp.presenting.refusals import refusal_text
from webapp.presenting.season_words import (
    pairing_reason,
    part_words,
    record_words,
    result_text,
    result_word,
    scenario_word,
    tie_break_word,
)
from webapp.presenting.sentences import Several, sentences
from webapp.seasons.dates import begins, is_overdue, moment
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.journal.writing import sentence

KINDS = vocabulary.kinds("kernel", "season")
SHORT, LONG = "EEE d MMM HH:mm", "EEEE d MMMM y, HH:mm"
MOST_HULLS = 8  # on the small picture of a fleet


class Place(NamedTuple):
    """A row of the standings as it is shown; `moved` is by how many places since the round before."""

    row: Row
    name: str
    navy: str
    moved: int
    is_out: bool
    sums: list[str]
    break_sums: dict[str, list[str]]


class Meeting(NamedTuple):
    """A pairing as it is shown."""

    id: str
    players: tuple[str, ...]
    names: tuple[str, ...]
    why: str
    said: str
    score: str
    pairing: Pairing
    is_own: bool
    when: str
    is_late: bool
    scenario: str


class Screen:
    """Everything on the page of a season for one seat, "" for somebody without one."""

    def __init__(self, table: Table, seat: str) -> None:
        self.table, self.seat = table, seat
        self.season: Season = season_seen_by(table.state, seat)
        self.game, self.version = table.game, table.game.version
        self.is_organizer = seat == UMPIRE
        self.player: Player | None = self.season.players.get(seat)
        self.planned = planned_rounds(self.season)
        self.round: Round | None = self.season.now
        wrong = why_not_pair(self.season)
        self.why_not_pair = "" if wrong is None else sentence(refusal_text("", wrong.why))
        self.is_fighting = is_fighting(self.season, seat)

    @property
    def name(self) -> str:
        """Who looks."""
        if self.player is not None:
            return self.player.name
        return _("Organizer") if self.is_organizer else ""

    @property
    def way(self) -> str:
        """How the rounds are paired."""
        return _("Swiss") if self.season.pairing == "swiss" else _("Round robin")

    @property
    def standings(self) -> list[Place]:
        """The table."""
        before = (
            {row.player: row.place for row in standings(self.without_last())} if len(self.season.played) > 1 else {}
        )
        return [
            Place(
                row,
                self.season.players[row.player].name,
                _("Roman") if self.season.players[row.player].navy == "roman" else _("Hellenistic"),
                before.get(row.player, row.place) - row.place,
                self.season.players[row.player].until is not None,
                [self.line(line) for line in row.sum],
                {name: [self.line(line) for line in added] for name, added in row.break_sums.items()},
            )
            for row in standings(self.season)
        ]

    def without_last(self) -> Season:
        """The season before its last published round, to see who has risen."""
        return msgspec.structs.replace(self.season, played=self.season.played[:-1])

    def line(self, line: Line) -> str:
        """An addend of a number of the table in words."""
        against = self.season.players[line.against].name if line.against else ""
        said = result_word(line.how)
        named_round = _("Round %(number)s", number=line.round)
        return f"{named_round}: {said}{', ' if against else ''}{against}, {line.points}"

    @property
    def breaks(self) -> list[tuple[str, str]]:
        """The tie-breaks in their order, with their names."""
        return [(name, tie_break_word(name)) for name in self.season.settings.tie_breaks]

    def meetings(self, number: int | None = None) -> list[Meeting]:
        """The pairings of a round, of the last one unless said; the reader's own first."""
        rounds = self.season.played
        if not rounds:
            return []
        now = rounds[(number or len(rounds)) - 1]
        found = [self.meeting(now, id, each) for id, each in now.pairings.items()]
        return sorted(found, key=lambda meeting: not meeting.is_own)

    def meeting(self, now: Round, id: str, pairing: Pairing) -> Meeting:
        """One of them."""
        names = tuple(self.season.players[player].name for player in pairing.players)
        result = pairing.result
        score = ""
        if result is not None and (result.points or result.outcome):
            taken = (count_prizes(result, player, pairing.other(player)) for player in pairing.players)
            score = " : ".join(map(str, taken))
        return Meeting(
            id,
            pairing.players,
            names,
            pairing_reason(pairing.why),
            result_text(self.season, pairing),
            score,
            pairing,
            self.seat in pairing.players,
            self.when(now, pairing),
            is_overdue(self.season, now, datetime.now(UTC)),
            now.scenario,
        )

    def when(self, now: Round, pairing: Pairing) -> str:
        """When a pairing is played, by the clock of the season's zone; or the organizer's own words."""
        at = begins(self.season, now, pairing)
        return now.date if at is None else str(format_datetime(at, SHORT, rebase=False))

    @property
    def due(self) -> str:
        """Until when the results of the round are to be reported; empty when all are there."""
        end = moment(self.season, self.round.due) if self.round and self.round.open() else None
        return "" if end is None else _("Results due by %(when)s", when=format_datetime(end, SHORT, rebase=False))

    @property
    def after(self) -> str:
        """The head of the standings: after which round they stand so."""
        done = [now.number for now in self.season.played if now.published and not now.open()]
        return _("Standings after round %(number)s", number=done[-1]) if done else _("Standings")

    def dates(self, now: Round) -> str:
        """A round's date and scenario."""
        at = moment(self.season, now.starts)
        said = now.date if at is None else str(format_datetime(at, LONG, rebase=False))
        return " · ".join(filter(None, (said, scenario_word(now.scenario))))

    def coast(self, meeting: Meeting) -> str:
        """The coast of the scenario, for the small picture."""
        return SETTINGS.scenario[meeting.scenario].coast

    def lines(self, meeting: Meeting) -> list[tuple[str, list[tuple[int, int]]]]:
        """Where the small picture draws the hulls of each fleet: at most eight, in two columns that face each other."""
        found = []
        for number, player in enumerate(meeting.players):
            afloat = sum(ship.status == "afloat" for ship in self.season.players[player].ships.values())
            rows = range(min(afloat, MOST_HULLS))
            places = [(14 + 64 * number + (row % 2) * 9, 6 + row * 8) for row in rows]
            found.append(("hull other-side" if number else "hull", places))
        return found

    @property
    def own(self) -> Meeting | None:
        """The reader's pairing that waits for a result."""
        found = (each for each in self.meetings() if each.is_own and each.pairing.result is None)
        return next((each for each in found if len(each.players) == 2), None)

    @property
    def records(self) -> list[tuple[str, list[str]]]:
        """The records of the season, each with what it is the sum of."""
        return [
            (record_words(self.season, best), [part_words(self.season, part) for part in best.parts])
            for best in records(self.season)
        ]

    def fleet(self, player: Player) -> str:
        """A fleet in a few words: how many ships float, and what they are worth."""
        afloat = [ship.type for ship in player.ships.values() if ship.status == "afloat"]
        if not player.ships:
            return _("No fleet entered")
        return _(
            "%(afloat)s of %(count)s ships, %(points)s points",
            afloat=len(afloat),
            count=len(player.ships),
            points=worth(self.season, afloat),
        )

    def ship(self, ship: Ship) -> str:
        """A ship in a few words."""
        return f"{ship.name}, {type_word(ship.type)}, {rowers_word(ship.crew)}"

    def state(self, ship: Ship) -> str:
        """Her hull, and how many battles she has survived; or how she was lost."""
        if ship.status != "afloat":
            return _("sunk") if ship.status == "sunk" else _("captured")
        whole = self.season.kinds[ship.type].hull
        said = _("hull %(left)s of %(whole)s", left=whole - ship.damage, whole=whole)
        many = len(ship.rounds)
        fought = [ngettext("%(num)d battle", "%(num)d battles", many)] if many else []
        return ", ".join([said, *fought])

    def cost(self, ship: Ship) -> int:
        """The most repair points that the player can spend on the ship now."""
        assert self.player is not None
        if ship.status == "afloat":
            return min(ship.damage, self.player.repairs)
        price = self.season.settings.replace
        return price if self.player.repairs >= price else 0

    @property
    def points(self) -> dict[str, int]:
        """Everybody's points."""
        return points_of(self.season)


def journal(store: Store, table: Table) -> list[tuple[Entry, list[str]]]:
    """What has happened, newest first, in sentences; entries that were taken back are left out."""
    season: Season = table.state

    def say(word: str, field: str, value: Any) -> Any:
        if word == "side":
            return full_name(season.players[value].name if value in season.players else "")
        if word == "sides":
            return Several(season.players[each].name if each in season.players else each for each in value or ())
        if word in ("number", "flag"):
            return value or 0
        return crew_word(value) if field == "crew" else str(value or "")

    told = sentences(KINDS, say, {})
    found = []
    for entry in reversed(store.entries(table.game.id)[1:]):
        said = [told[event.type](event.data) for event in entry.events if event.type in told]
        if said and entry.taken_back is None:
            found.append((entry, said))
    return found
