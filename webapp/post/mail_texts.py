"""What mail says, in its reader's language: subject and text. Needs an application's context."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from datetime import datetime

from flask_babel import force_locale

from strategic.season import SEASON
from tactical.kernel.protocol import SPECTATOR
from webapp.api.serializers import events_for
from webapp.http.addresses import seat_path
from webapp.http.language import gettext as _
from webapp.post.assents import Question, question_text
from webapp.post.clock_words import said_until
from webapp.post.consents import YES
from webapp.post.order_mails import how_to_answer
from webapp.post.people import Person
from webapp.post.turn_sentence import turn_sentence
from webapp.post.turns_told import last_dispatch
from webapp.presenting.campaign_labels import seat_name
from webapp.presenting.labels import translate
from webapp.storage.journal.records import Game, Table
from webapp.storage.journal.store import Store
from webapp.storage.services.letters import ALL, Letter
from webapp.systems.messages import lines_of

LINES = 15  # of what has happened

Text = tuple[str, str]  # subject and text


@contextmanager
def for_reader(who: Person) -> Iterator[None]:
    """Texts within are in his language."""
    with force_locale(who.lang):
        yield


def turn(store: Store, table: Table, who: Person, end: datetime | None, since: int, may_answer: bool = False) -> Text:
    """It is his turn; what has happened after the entry `since`, until when he has time; whether he may answer it."""
    game = table.game
    said = turn_sentence(store, table, who.seat).text or _(
        "It is your turn as %(seat)s.", seat=seat_name(table.state, who.seat)
    )
    lines = [said, *until(end)]
    dispatch = last_dispatch(store, table, who.seat, who.charge)
    looks_as = who.seat if table.knowledge_for(who.seat, who.charge) is table else SPECTATOR
    happened = [] if dispatch else happening(store, game, looks_as, since)
    lines += ["", *dispatch] if dispatch else []
    if happened:
        lines += ["", _("Since you last acted:")]
        if len(happened) > LINES:
            link = f"{who.home}/campaign/{game.id}/replay/{since + 1}?seat={who.seat}"
            lines.append(
                _(
                    "(The last %(count)s of %(all)s lines; all of them: %(link)s)",
                    count=LINES,
                    all=len(happened),
                    link=link,
                )
            )
        lines += [f"- {line}" for line in happened[-LINES:]]
    lines += how_to_answer(table, who) if may_answer else []
    return _("%(game)s: your turn", game=title(game)), letter_text(who, lines)


def orders_read(who: Person, game: str, lines: list[str]) -> Text:
    """How the lines of his mail were understood."""
    return _("%(game)s: your orders as they were read", game=translate(game)), letter_text(who, lines)


def reminder(table: Table, who: Person, end: datetime) -> Text:
    """His time will soon be over."""
    lines = [_("The game is still waiting for you as %(seat)s.", seat=seat_name(table.state, who.seat)), *until(end)]
    return _("%(game)s: your time ends soon", game=title(table.game)), letter_text(who, lines)


def time_over(table: Table, who: Person, seat: str, act: str) -> Text:
    """A seat's time is over; what follows is said (see `Deadline.lapse`)."""
    name = seat_name(table.state, seat)
    lines = [_("The time of %(seat)s has run out.", seat=name), followed_by(act)]
    return _("%(game)s: the time of %(seat)s has run out", game=title(table.game), seat=name), letter_text(who, lines)


def followed_by(act: str) -> str:
    """What happens because a seat's time is over, as a sentence."""
    return {
        "wait": _("The game keeps waiting."),
        "umpire": _("The umpire should decide what happens now."),
        "orders": _("Every question that could be passed was passed, as if by a standing order."),
        "captain": _("A captain answers this question for the seat."),
    }[act]


def question(table: Table, who: Person, asked: Question) -> Text:
    """Another seat asks for his word."""
    subject = _("%(game)s: a question from %(seat)s", game=title(table.game), seat=seat_name(table.state, asked.by))
    return subject, letter_text(who, [question_text(table, asked)])


def letter(table: Table, who: Person, sent: Letter) -> Text:
    """A letter from another seat."""
    to = _("all") if sent.receiver == ALL else seat_name(table.state, sent.receiver)
    sender = seat_name(table.state, sent.sender)
    lines = [_("%(seat)s writes to %(to)s:", seat=sender, to=to), "", sent.text]
    return _("%(game)s: a letter from %(seat)s", game=title(table.game), seat=sender), letter_text(who, lines)


def invitation(table: Table, who: Person, link: str) -> Text:
    """His own link, where there is one to tell: whoever holds it sits in the seat. Who has not said yes to mail may."""
    game = title(table.game)
    if table.game.system == SEASON.name:
        lines = [_("You are invited to the season %(game)s.", game=game)]
    else:
        lines = [_("You play %(seat)s in %(game)s.", seat=seat_name(table.state, who.seat), game=game)]
    if link:
        lines.append(_("Your own link, which you should show to nobody: %(link)s", link=link))
    if who.consent != YES:
        yes = f"{who.home}/post/yes/{who.stop}"
        lines += ["", _("Nothing else is sent to this address until you say yes to it here: %(link)s", link=yes)]
    return _("%(game)s: your seat", game=game), letter_text(who, lines)


def substitute_search(table: Table, who: Person, seat: str) -> Text:
    """Somebody is looked for."""
    name = seat_name(table.state, seat)
    lines = [_("A substitute is wanted for %(seat)s. If you can take over, tell the umpire.", seat=name)]
    return _("%(game)s: a substitute is wanted", game=title(table.game)), letter_text(who, lines)


def trial(game: Game, who: Person) -> Text:
    """Only to see whether mail comes through."""
    lines = [_("This is a test: mail from your campaign reaches you.")]
    return _("%(game)s: test message", game=title(game)), letter_text(who, lines)


def title(game: Game) -> str:
    """What the game is called in the reader's language."""
    return translate(game.title)


def until(end: datetime | None) -> list[str]:
    """Until when somebody has time by the clock of the group's zone, as a line; none without a deadline."""
    if end is None:
        return []
    return [_("Please act by %(when)s.", when=said_until(end, "EEEE d MMMM, HH:mm"))]


def happening(store: Store, game: Game, seat: str, since: int) -> list[str]:
    """What a seat has seen happen after an entry."""
    entries = [entry for entry in store.entries(game.id, since) if entry.taken_back is None]
    if game.system == "galley":
        return []
    told = set[Hashable]()
    return [line.text for entry in entries for line in lines_of(game.system, events_for(entry.events, seat), told)]


def letter_text(who: Person, lines: list[str]) -> str:
    """The lines with greeting and the way to the game."""
    link = who.home + seat_path(who.game, who.seat)
    stop = _("No more mail from this game: %(link)s", link=f"{who.home}/post/stop/{who.stop}")
    return "\n".join([_("%(name)s,", name=who.name), "", *lines, "", link, "", "-- ", stop, ""])
