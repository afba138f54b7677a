"""O10.1 What a season's players are told: their pairing, a report that waits, a reminder; and what is overdue.

Each is named by what it is about, so that it is written once, whoever finds that it is due.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from strategic.season.state import Pairing, Round, Season
from tactical.kernel.protocol import UMPIRE, Illegal
from webapp.http.language import gettext as _
from webapp.post.clock_words import said_until
from webapp.post.mail_texts import Text, letter_text, title
from webapp.post.people import Person, in_charge
from webapp.presenting.season_words import pairing_reason, scenario_word
from webapp.seasons.battles import give
from webapp.seasons.dates import begins, is_overdue, moment
from webapp.storage.errors import Barred, Refused
from webapp.storage.journal.records import Game, Table
from webapp.storage.journal.store import Store

LOG = logging.getLogger("navarch")
LONG = "EEEE d MMMM, HH:mm"
Write = Callable[[Person, str, Callable[[], Text]], object]  # a mail to somebody, under its name, once
News = tuple[str, Callable[[], list[str]], Callable[[], str]]  # its name, the lines of a mail, the line of a device
Tell = Callable[[str, str, Callable[[], str]], object]  # a line to the devices of a seat, under its name, once


@dataclass(frozen=True)
class Part:
    """A player's part in a pairing of the round that is under way."""

    game: Game
    season: Season
    now: Round
    name: str
    pairing: Pairing
    player: str

    @property
    def against(self) -> str:
        """The opponent's name, or his substitute's; empty for a bye."""
        if self.pairing.is_bye:
            return ""
        other = self.pairing.other(self.player)
        return self.pairing.substitutes.get(other) or self.season.players[other].name


def serve(store: Store, table: Table, those: tuple[Person, ...], now: datetime, write: Write, tell: Tell) -> None:
    """Write what is due in a season, and settle what is overdue."""
    season: Season = table.state
    latest = season.now
    if latest is None or not latest.published or season.ended:
        return
    for name, pairing in latest.pairings.items():
        for player in pairing.players:
            part = Part(table.game, season, latest, name, pairing, player)
            for about, lines, line in due(part, now):
                for who in in_charge(those, player, now.date()):
                    write(who, about, partial(text, part, who, lines))
                tell(player, about, line)
    if is_overdue(season, latest, now):
        settle_overdue(store, table.game.id, latest)


def due(part: Part, now: datetime) -> list[News]:
    """What a player is to be told now: its name, the lines of a mail, the line of a device."""
    pairing, player = part.pairing, part.player
    about = f"round {part.now.number} {'-'.join(pairing.players)} {player}"
    found: list[News] = [(about, partial(pairing_lines, part), partial(subject, part))]
    if pairing.result is not None or pairing.is_bye:
        return found
    if pairing.proposed is not None and pairing.proposed_by != player:
        winner = pairing.proposed.winner or "draw"
        found.append((f"report {about} {winner}", partial(report_lines, part), partial(report_line, part)))
    end, hours = moment(part.season, part.now.due), part.season.settings.remind
    if end is not None and hours and end - timedelta(hours=hours) <= now < end and pairing.proposed_by != player:
        found.append((f"reminder {about} {part.now.due}", partial(reminder, part), partial(reminder_line, part)))
    return found


def text(part: Part, who: Person, lines: Callable[[], list[str]]) -> Text:
    """A mail of these lines."""
    return f"{title(part.game)}: {subject(part)}", letter_text(who, lines())


def subject(part: Part) -> str:
    """The pairing in a few words."""
    if part.pairing.is_bye:
        return _("you have a bye in round %(number)s", number=part.now.number)
    return _("round %(number)s, you against %(other)s", number=part.now.number, other=part.against)


def pairing_lines(part: Part) -> list[str]:
    """The pairing, why, when, where, on what sea, until when."""
    if part.pairing.is_bye:
        return [
            _("Round %(number)s is paired: you have a bye.", number=part.now.number),
            pairing_reason(part.pairing.why),
        ]
    against = _("Round %(number)s is paired: you play against %(other)s.", number=part.now.number, other=part.against)
    return [against, pairing_reason(part.pairing.why), *when_and_where(part)]


def when_and_where(part: Part) -> list[str]:
    """The lines of a date, a place, a scenario and a deadline, as far as they are set."""
    at, end = begins(part.season, part.now, part.pairing), moment(part.season, part.now.due)
    found = []
    if at is not None:
        found.append(_("It will be played on %(when)s.", when=said_until(at, LONG)))
    elif part.now.date:
        found.append(_("It will be played: %(when)s.", when=part.now.date))
    if part.pairing.place:
        found.append(_("Place: %(place)s", place=part.pairing.place))
    found.append(_("Scenario: %(scenario)s", scenario=scenario_word(part.now.scenario)))
    if end is not None:
        found.append(_("Report the result by %(when)s.", when=said_until(end, LONG)))
    return found


def report_line(part: Part) -> str:
    """Who has reported what."""
    assert part.pairing.proposed is not None and part.pairing.proposed_by is not None
    by = part.season.players[part.pairing.proposed_by].name
    winner = part.pairing.proposed.winner
    if winner is None:
        return _("%(other)s reports a draw.", other=by)
    return _("%(other)s reports: %(winner)s won.", other=by, winner=part.season.players[winner].name)


def report_lines(part: Part) -> list[str]:
    """A report waits for the reader's word, and what happens without it."""
    found = [report_line(part), _("Agree with the report or reject it on the season's page.")]
    end = moment(part.season, part.now.due)
    if end is not None and part.season.settings.overdue != "wait":
        found.append(_("If you do not answer, the report counts as agreed from %(when)s.", when=said_until(end, LONG)))
    return found


def reminder_line(part: Part) -> str:
    """Until when the result is to be reported."""
    end = moment(part.season, part.now.due)
    assert end is not None
    return _("Your battle against %(other)s has no result yet.", other=part.against) + " " + until(end)


def until(end: datetime) -> str:
    """The deadline as a sentence."""
    return _("Report the result by %(when)s.", when=said_until(end, LONG))


def reminder(part: Part) -> list[str]:
    """The time of the round ends soon, and what happens then."""
    then = {
        "wait": _("After that the organizer decides."),
        "report": _(
            "After that a report that is waiting for an answer counts as agreed, and the organizer decides the rest."
        ),
        "unplayed": _(
            "After that a report that is waiting for an answer counts as agreed; without a report the "
            "battle counts as not played."
        ),
    }
    return [reminder_line(part), then[part.season.settings.overdue]]


def settle_overdue(store: Store, game: str, now: Round) -> None:
    """The time of a round is over: what the season lays down happens to each pairing without a result."""
    for name in now.open():
        try:
            give(store, game, UMPIRE, {"type": "lapse", "pairing": name})
        except (Illegal, Refused, Barred) as waits:
            LOG.debug("the pairing %s of %s waits on: %s", name, game, waits)
