"""Mail: an outbox in the file of games, what it says, and the SMTP server that takes it."""

from __future__ import annotations

import logging
import smtplib
import ssl
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import formataddr, make_msgid
from functools import partial
from urllib.parse import unquote, urlsplit

from flask_babel import force_locale
from sqlite_utils import Database

from strategic.season import SEASON
from strategic.season.state import Pairing, Round, Season
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal
from tactical.kernel.record import BadInput, Record, clean_name, plain
from webapp.api.seasons import begins, give, is_overdue, moment
from webapp.api.serializers import events_for
from webapp.http.addresses import seat_path
from webapp.http.language import LANGUAGES
from webapp.http.language import gettext as _
from webapp.post.deadlines import LONG, last_dispatch, said_until, turn_sentence
from webapp.post.order_mails import MARK, Unread, digests_of, how_to_answer, may_order, no_orders_text
from webapp.post.people import ADDRESS, YES, Person, box_of, in_charge
from webapp.presenting.campaign_labels import seat_name
from webapp.presenting.labels import translate
from webapp.presenting.meetings import pairing_reason, scenario_word
from webapp.presenting.presentation import Request
from webapp.storage.errors import Barred, Refused
from webapp.storage.file.database import rows
from webapp.storage.journal.records import Game, Table
from webapp.storage.journal.store import Store
from webapp.storage.services.letters import ALL, Letter
from webapp.systems import PRESENTATIONS, presentation
from webapp.systems.messages import lines_of

# -- How many mails were written on a day: to one address, from one game, in all. No Flask.
#
# The counts stand apart from the mails, so that to delete a game does not make room for more of them.


@dataclass(frozen=True)
class Shares:
    """How many mails may be written on a day; `invitations` are those that nobody has asked for.

    `unread` answers say that a mail could not be taken as orders: to a player, to an address that nobody knows, and to
    all of these together.
    """

    address: int = 60
    game: int = 600
    server: int = 6000
    invitations_to_address: int = 3
    invitations: int = 200
    unread_by_player: int = 20
    unread_by_stranger: int = 3
    unread: int = 200

    def of(self, game: str, address: str, is_invitation: bool = False) -> Mapping[str, int]:
        """What a mail counts for, each with how many may be."""
        whom = box_of(address)
        found = {f"to {whom}": self.address, f"from {game}": self.game, "all": self.server}
        if is_invitation:
            found |= {f"invitations to {whom}": self.invitations_to_address, "invitations": self.invitations}
        return found

    def of_unread(self, address: str, who: Person | None) -> Mapping[str, int]:
        """What the answer to a mail that was not read counts for: a player's, or a stranger's."""
        whom = f"unread of {box_of(address)}"
        if who is not None:
            return {**self.of(who.game, address), whom: self.unread_by_player}
        return {"all": self.server, whom: self.unread_by_stranger, "unread of strangers": self.unread}


def count(db: Database, day: str, shares: Mapping[str, int]) -> bool:
    """Count one more mail of a day in an open transaction; False, and nothing counted, where a share is used up."""
    marks = ", ".join("?" * len(shares))
    found = rows(db, f"select whose, many from mail_counts where day = ? and whose in ({marks})", day, *shares)
    if any(row["many"] >= shares[row["whose"]] for row in found):
        return False
    db.conn.execute("delete from mail_counts where day < ?", (day,))
    for whose in shares:
        db.conn.execute(
            "insert into mail_counts (day, whose, many) values (?, ?, 1)"
            " on conflict (day, whose) do update set many = many + 1",
            (day, whose),
        )
    return True


# -- Mail: an outbox in the file of games, and the SMTP server that takes it. No Flask.
#
# Each mail has a name made of what it is about, so that it is written once, whoever finds that it is due. A mail that
# the
# server does not take is tried again, later and later, and then given up; both are shown. Its text, which may hold a
# link
# to a seat, stands here until it has left or is given up. What a device is told goes the same way (see `push_sending`).

PATIENCE = 20.0  # seconds for each answer of the SMTP server
WAITS = (1, 5, 30, 120, 720)  # minutes until a mail is tried again
TAKEN = timedelta(minutes=5)  # after which somebody else may send what a process has begun to send
FORGOTTEN = ", body = '', stop = ''"  # what a mail holds of links and secrets, once it has left or was given up
OLD = timedelta(days=30)  # after which a mail that has left is forgotten
PORTS = {"smtp": 25, "smtps": 465}


@dataclass(frozen=True)
class Server:
    """An SMTP server: smtp://, with TLS as soon as it is offered, or smtps://; with or without a user."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""
    sender: str = ""


class Mail(Record, frozen=True):
    """A mail of the outbox; `tries` were made in vain, the last with `failure`.

    With a `device` it goes to that browser, `address` is the service between, and `stop` the page it leads to.
    """

    id: int
    name: str
    game: str
    person: int
    address: str
    subject: str
    body: str
    stop: str
    made: str
    sent: str | None
    tries: int
    failure: str | None
    next_try: str | None
    device: int
    digests: str


Knock = Callable[[Mail], None]  # tells a device; raises Failed


def server(url: str, sender: str) -> Server:
    """The server that a URL names. Raises BadInput."""
    parts = urlsplit(url)
    try:
        port = parts.port or PORTS[parts.scheme]
    except (KeyError, ValueError):
        raise BadInput("--mail", "give it in the form smtp://user:password@mail.example:587 or smtps://…") from None
    if not parts.hostname:
        raise BadInput("--mail", "give it in the form smtp://user:password@mail.example:587 or smtps://…")
    if not ADDRESS.fullmatch(sender):
        raise BadInput("--mail-from", "give the address that mail comes from, such as navarch@club.example")
    return Server(
        parts.scheme, parts.hostname, port, unquote(parts.username or ""), unquote(parts.password or ""), sender
    )


def put(
    store: Store,
    name: str,
    game: str,
    person: int,
    address: str,
    subject: str,
    body: str,
    stop: str,
    device: int = 0,
    shares: Mapping[str, int] | None = None,
) -> bool:
    """Lay a mail into the outbox; False when one of this name was laid there before, or a share of the day is used up.

    A mail that goes to no device counts for its `shares` (see `mail_counts`). Of one that may be answered with orders
    digests of its words stay (`order_mails.digests_of`), by which its lines are known again.
    """
    if not device:
        shares = Shares().of(game, address) if shares is None else shares
    with store.write() as db:
        if db.conn.execute("select 1 from outbox where name = ?", (name,)).fetchone():
            return False
        if shares and not count(db, store.now()[:10], shares):
            return False
        done = db.conn.execute(
            "insert or ignore into outbox"
            " (name, game, person, address, subject, body, stop, made, tries, device, digests)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)",
            (
                name,
                game,
                person,
                address,
                subject,
                body,
                stop,
                store.now(),
                device,
                digests_of(body) if MARK in body else "",
            ),
        )
    return done.rowcount > 0


def outgoing(store: Store, now: datetime) -> list[Mail]:
    """What is to be sent now."""
    moment = _message(now)
    rows = store.file.rows(
        "select * from outbox where sent is null and tries <= ? and (next_try is null or next_try <= ?) order by id",
        len(WAITS),
        moment,
    )
    return [Mail(**row) for row in rows]


def last_of(store: Store, game: str, person: int) -> Mail | None:
    """The newest mail to somebody, for the page that says how it went."""
    rows = store.file.rows(
        "select * from outbox where game = ? and person = ? and device = 0 order by id desc limit 1", game, person
    )
    return Mail(**rows[0]) if rows else None


def failures(store: Store, game: str) -> list[Mail]:
    """The mails of a game that have not been taken."""
    rows = store.file.rows(
        "select * from outbox where game = ? and sent is null and failure is not null order by id", game
    )
    return [Mail(**row) for row in rows]


def send_all(store: Store, by: Server, now: datetime | None = None) -> int:
    """Send the mails that are to be sent; how many were taken."""
    now = now or datetime.now(UTC)
    return sum(_send(store, mail, now, partial(deliver, by)) for mail in outgoing(store, now) if not mail.device)


def tell_all(store: Store, those: Iterable[Mail], now: datetime, knock: Knock) -> None:
    """Tell devices what waits for them."""
    for mail in those:
        _send(store, mail, now, knock)


def _send(store: Store, mail: Mail, now: datetime, act: Callable[[Mail], None]) -> bool:
    """Was it this process that sent it, and was it taken?"""
    if not _claim(store, mail, now):
        return False
    try:
        act(mail)
    except Exception as fault:  # whatever it is, it is this mail's alone
        _note_failure(store, mail, now, fault)
        return False
    with store.write() as db:
        db.conn.execute(
            f"update outbox set sent = ?, failure = null, next_try = null{FORGOTTEN} where id = ?",
            (store.now(), mail.id),
        )
    return True


def _claim(store: Store, mail: Mail, now: datetime) -> bool:
    """Is it this process that sends it?"""
    with store.write() as db:
        done = db.conn.execute(
            "update outbox set next_try = ? where id = ? and sent is null and next_try is ?",
            (_message(now + TAKEN), mail.id, mail.next_try),
        )
    return done.rowcount > 0


def _note_failure(store: Store, mail: Mail, now: datetime, fault: Exception) -> None:
    refused = fault.recipients if isinstance(fault, smtplib.SMTPRecipientsRefused) else {}
    is_passing = any(400 <= code < 500 for code, _text in refused.values())  # the server wants to be asked again later
    is_lasting = isinstance(fault, smtplib.SMTPRecipientsRefused | ValueError) and not is_passing
    tries = len(WAITS) + 1 if is_lasting else mail.tries + 1
    why = "; ".join(f"{code} {text.decode(errors='replace')}" for code, text in refused.values()) or str(fault)
    wait = timedelta(minutes=WAITS[min(mail.tries, len(WAITS) - 1)])
    forgotten = FORGOTTEN if tries > len(WAITS) else ""
    with store.write() as db:
        db.conn.execute(
            f"update outbox set tries = ?, failure = ?, next_try = ?{forgotten} where id = ?",
            (tries, (why or type(fault).__name__)[:300], _message(now + wait), mail.id),
        )


def deliver(by: Server, mail: Mail) -> None:
    """Hand one mail to the server. Raises OSError, SMTPException, ValueError (it cannot be a mail)."""
    message = EmailMessage()
    message["Subject"] = clean_name(mail.subject)  # it has titles of games in it
    message["From"] = formataddr(("Navarch", by.sender))
    message["To"] = mail.address
    message["Message-ID"] = make_msgid(domain=by.sender.rpartition("@")[2])
    message["Date"] = datetime.fromisoformat(mail.made.replace("Z", "+00:00"))
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"  # Exchange does not know the head before
    if mail.stop:
        message["List-Unsubscribe"] = f"<{mail.stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.body)
    context = ssl.create_default_context()
    if by.scheme == "smtps":
        with smtplib.SMTP_SSL(by.host, by.port, timeout=PATIENCE, context=context) as talk:
            _log_in_and_send(talk, by, message)
        return
    with smtplib.SMTP(by.host, by.port, timeout=PATIENCE) as talk:
        talk.ehlo()
        if talk.has_extn("starttls"):
            talk.starttls(context=context)
            talk.ehlo()
        elif by.user:
            raise OSError("the mail server offers no TLS, and a password is not sent in the open")
        _log_in_and_send(talk, by, message)


def _log_in_and_send(talk: smtplib.SMTP, by: Server, message: EmailMessage) -> None:
    if by.user:
        talk.login(by.user, by.password)
    talk.send_message(message)


def forget_old(store: Store, now: datetime) -> None:
    """Mails that left a month ago are forgotten."""
    if store.file.rows("select id from outbox where made < ? limit 1", _message(now - OLD)):
        with store.write() as db:
            db.conn.execute("delete from outbox where made < ?", (_message(now - OLD),))


def _message(now: datetime) -> str:
    return now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# -- Who is asked for a word that the game does not wait for: on a change by hand, a free order, a treaty, an undo.

FAR = 200  # entries back within which a question is looked for; an older one is put to nobody again


@dataclass(frozen=True)
class Question:
    """A request that waits: whom it asks, who made it, its kind, and the entry by which it was made, with its time."""

    seat: str
    by: str
    kind: str
    entry: int
    since: str


def questions(store: Store, table: Table) -> tuple[Question, ...]:
    """What waits for somebody's word; of several of one kind from one seat to another only the oldest."""
    if table.game.over or not table.game.is_open:
        return ()
    found: dict[tuple[str, str, str], Question] = {}
    for each in sorted(
        (*table.kept.once("questions", lambda: tuple(find_questions(store, table))), *undos(store, table)),
        key=lambda question: question.entry,
    ):
        found.setdefault((each.seat, each.by, each.kind), each)
    return tuple(found.values())


def find_questions(store: Store, table: Table) -> Iterator[Question]:
    """The requests of the position, each with the entry by which it was made."""
    waiting = [*changes(table)]
    if table.game.system in PRESENTATIONS:
        waiting += presentation(table.game.system).requests(plain(table.view(UMPIRE)))
    if not waiting:
        return
    entries = [each for each in store.entries(table.game.id, table.game.head - FAR) if each.taken_back is None]
    for request in waiting:
        entry = next((each for each in reversed(entries) if has_made(each, request)), None)
        if entry is not None:
            yield Question(request.seat, request.by, request.kind, entry.number, entry.time)


def has_made(entry: Entry, request: Request) -> bool:
    """Is this the entry that tells of the request?"""
    fields = request.fields.items()
    return any(
        each.type == request.kind and all(each.data.get(name) == value for name, value in fields)
        for each in entry.events
    )


def changes(table: Table) -> Iterator[Request]:
    """The changes by hand that wait; the umpire is asked where no side may agree (see kernel/corrections.py)."""
    wishes = getattr(table.state, "wishes", None) or {}
    for number, wish in wishes.items():
        able = [seat for seat in (*table.sides, UMPIRE) if seat != wish.seat and may_agree(table, seat, int(number))]
        for seat in [each for each in able if each != UMPIRE] or able:
            yield Request(seat, wish.seat, "wished", {"seat": wish.seat, "wish": int(number)})


def may_agree(table: Table, seat: str, wish: int) -> bool:
    """Is the seat offered to agree to this change?"""
    return any(
        offer.type == "approve" and offer.fields["wish"] == wish and offer.fields["allow"] is not False
        for offer in table.offers(seat)
    )


def undos(store: Store, table: Table) -> Iterator[Question]:
    """The sides that have still to agree that the last action is taken back."""
    agreed = table.game.consents
    if agreed:
        last = store.entry(table.game.id, table.game.head)
        for side in table.sides:
            if side not in agreed:
                yield Question(side, agreed[0], "reading" if table.game.proposed else "undo", last.number, last.time)


def question_text(table: Table, question: Question) -> str:
    """What is asked, as a sentence in the reader's language; not more than that, for it is read over shoulders."""
    by = seat_name(table.state, question.by)
    return {
        "wished": _("A change by hand from %(seat)s is waiting for your agreement.", seat=by),
        "letter": _("A free order from %(seat)s is waiting for your answer.", seat=by),
        "proposed": _("A treaty from %(seat)s is waiting for your answer.", seat=by),
        "undo": _("A request from %(seat)s to take the last action back is waiting for your agreement.", seat=by),
        "reading": _("A photograph of the table from %(seat)s is waiting for your agreement.", seat=by),
    }[question.kind]


# -- What mail says, in its reader's language: subject and text. Needs an application's context.

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
    lines = [said, *until_lines(end)]
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


def unread(table: Table, who: Person, why: Unread, has_one_game: bool) -> Text:
    """Why no order of his mail was read; where he has one game that takes some, how to answer this mail instead."""
    said = unread_text(why) if may_order(table, who) else no_orders_text()
    lines = [said, *(how_to_answer(table, who) if has_one_game else [])]
    return _("%(game)s: your e-mail was not read", game=title(table.game)), letter_text(who, lines)


def unread_by_stranger(why: Unread) -> Text:
    """The same for an address that nobody plays from, in every language; nothing of the mail stands in it."""
    found = []
    for language in LANGUAGES:
        with force_locale(language):
            found += [unread_text(why), ""]
    return "Navarch", "\n".join(found)


def unread_text(why: Unread) -> str:
    """Why no order of a mail was read."""
    return {
        "no_mark": _(
            "Your e-mail was not read as orders: it has no line “navarch-orders: …” in it. Reply to the newest "
            "dispatch of your game, and leave that line in your reply. Letters are written on the game's own page."
        ),
        "wrong_mark": _(
            "Your e-mail was not read as orders: the line “navarch-orders: …” in it is not whole, or is not good any "
            "more. Reply to the newest dispatch of your game, and leave that line in your reply as it is."
        ),
        "too_large": _(
            "Your e-mail was not read as orders: it is too large. Reply to the newest dispatch of your game without "
            "pictures and other files."
        ),
    }[why]


def reminder(table: Table, who: Person, end: datetime) -> Text:
    """His time will soon be over."""
    lines = [
        _("The game is still waiting for you as %(seat)s.", seat=seat_name(table.state, who.seat)),
        *until_lines(end),
    ]
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
    """Somebody is looked for; the page where he asks for the seat."""
    name = seat_name(table.state, seat)
    link = f"{who.home}/g/{who.game}/ask"
    lines = [
        _(
            "A substitute is wanted for %(seat)s. If you can take over, ask for the seat here: %(link)s",
            seat=name,
            link=link,
        )
    ]
    return _("%(game)s: a substitute is wanted", game=title(table.game)), letter_text(who, lines)


def trial(game: Game, who: Person) -> Text:
    """Only to see whether mail comes through."""
    lines = [_("This is a test: mail from your campaign reaches you.")]
    return _("%(game)s: test message", game=title(game)), letter_text(who, lines)


def title(game: Game) -> str:
    """What the game is called in the reader's language."""
    return translate(game.title)


def until_lines(end: datetime | None) -> list[str]:
    """Until when somebody has time by the clock of the group's zone, as a line; none without a deadline."""
    if end is None:
        return []
    return [_("Please act by %(when)s.", when=said_until(end, LONG))]


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


# -- O10.1 What a season's players are told: their pairing, a report that waits, a reminder; and what is overdue.
#
# Each is named by what it is about, so that it is written once, whoever finds that it is due.

LOG = logging.getLogger("navarch")
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
        found.append((f"reminder {about} {part.now.due}", partial(round_reminder, part), partial(reminder_line, part)))
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


def round_reminder(part: Part) -> list[str]:
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
