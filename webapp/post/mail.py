"""Mail: an outbox in the file of games, and the SMTP server that takes it. No Flask.

Each mail has a name made of what it is about, so that it is written once, whoever finds that it is due. A mail that the
server does not take is tried again, later and later, and then given up; both are shown. Its text, which may hold a link
to a seat, stands here until it has left or is given up. What a device is told goes the same way (see `push_sending`).
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import formataddr, make_msgid
from functools import partial
from urllib.parse import unquote, urlsplit

from tactical.kernel.proper_names import clean_name
from tactical.kernel.record import BadInput, Record
from webapp.post.mail_counts import Shares, count
from webapp.post.people import ADDRESS
from webapp.storage.journal.store import Store

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

    A mail that goes to no device counts for its `shares` (see `mail_counts`).
    """
    if not device:
        shares = Shares().of(game, address) if shares is None else shares
    with store.write() as db:
        if db.conn.execute("select 1 from outbox where name = ?", (name,)).fetchone():
            return False
        if shares and not count(db, store.now()[:10], shares):
            return False
        done = db.conn.execute(
            "insert or ignore into outbox (name, game, person, address, subject, body, stop, made, tries, device)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)",
            (name, game, person, address, subject, body, stop, store.now(), device),
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
    lasting = isinstance(fault, smtplib.SMTPRecipientsRefused | ValueError) and not _is_passing(fault)
    tries = len(WAITS) + 1 if lasting else mail.tries + 1
    wait = timedelta(minutes=WAITS[min(mail.tries, len(WAITS) - 1)])
    forgotten = FORGOTTEN if tries > len(WAITS) else ""
    with store.write() as db:
        db.conn.execute(
            f"update outbox set tries = ?, failure = ?, next_try = ?{forgotten} where id = ?",
            (tries, _failure_text(fault)[:300], _message(now + wait), mail.id),
        )


def _is_passing(fault: Exception) -> bool:
    """Does the server only want to be asked again later?"""
    refused = fault.recipients if isinstance(fault, smtplib.SMTPRecipientsRefused) else {}
    return any(400 <= code < 500 for code, _ in refused.values())


def _failure_text(fault: Exception) -> str:
    if isinstance(fault, smtplib.SMTPRecipientsRefused):
        return "; ".join(f"{code} {text.decode(errors='replace')}" for code, text in fault.recipients.values())
    return str(fault) or type(fault).__name__


def deliver(by: Server, mail: Mail) -> None:
    """Hand one mail to the server. Raises OSError, SMTPException, ValueError (it cannot be a mail)."""
    message = EmailMessage()
    message["Subject"] = clean_name(mail.subject)  # it has titles of games in it
    message["From"] = formataddr(("Navarch", by.sender))
    message["To"] = mail.address
    message["Message-ID"] = make_msgid(domain=by.sender.rpartition("@")[2])
    message["Date"] = datetime.fromisoformat(mail.made.replace("Z", "+00:00"))
    message["Auto-Submitted"] = "auto-generated"
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
