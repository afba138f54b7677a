"""What a device says, in its reader's language: a title and a line. It is read over shoulders: no move is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from flask_babel import force_locale

from webapp.http.language import gettext as _
from webapp.post.assents import Question, question_text
from webapp.post.devices import Device
from webapp.post.mail_texts import followed_by, until
from webapp.presenting.campaign_labels import seat_name
from webapp.presenting.labels import translate
from webapp.storage.journal.records import Game, Table
from webapp.storage.services.letters import ALL, Letter

LONGEST = 300  # letters of a title


@contextmanager
def for_reader(device: Device) -> Iterator[None]:
    """Texts within are in the language of the page on which the device asked."""
    with force_locale(device.lang):
        yield


def title(game: Game) -> str:
    """The game."""
    return " ".join(translate(game.title).split())[:LONGEST]


def turn(table: Table, seat: str, end: datetime | None) -> str:
    """The seat is waited for."""
    return " ".join([_("It is your turn as %(seat)s.", seat=seat_name(table.state, seat)), *until(end)])


def reminder(table: Table, seat: str, end: datetime) -> str:
    """The seat's time will soon be over."""
    return " ".join(
        [_("The game is still waiting for you as %(seat)s.", seat=seat_name(table.state, seat)), *until(end)]
    )


def time_over(table: Table, seat: str, act: str) -> str:
    """A seat's time is over, and what follows."""
    return " ".join([_("The time of %(seat)s has run out.", seat=seat_name(table.state, seat)), followed_by(act)])


def question(table: Table, asked: Question) -> str:
    """Somebody asks for the seat's word."""
    return question_text(table, asked)


def letter(table: Table, sent: Letter) -> str:
    """Somebody has written; what, is read on the page."""
    to = _("all") if sent.receiver == ALL else seat_name(table.state, sent.receiver)
    return _("A letter from %(seat)s to %(to)s has come.", seat=seat_name(table.state, sent.sender), to=to)


def trial() -> str:
    """Only to see whether it comes through."""
    return _("This is a test: this device will be notified when it is your turn.")
