"""The postman serves groups by post: he answers by standing order, writes mail that is due, and keeps the time.

He looks at every game that has changed, and at all games with people or deadlines twice a minute. Of several processes
over one file the elected one does so; the others only send what they have written themselves. What is done is named in
the file of games, so that two processes do nothing twice and a restart goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from flask import Flask

from strategic.season import SEASON
from tactical.kernel.protocol import UMPIRE, Event, Outcome
from webapp.captains import seats
from webapp.captains.runner import turn_of
from webapp.http.addresses import seat_path
from webapp.http.outgoing_calls import OutgoingCalls
from webapp.post import consents, deadlines, devices, mail, mail_texts, order_mails, orders, push_texts, season_mails
from webapp.post.assents import Question, questions
from webapp.post.deadlines import Deadline
from webapp.post.devices import Device
from webapp.post.mail_counts import Shares
from webapp.post.people import Person, in_charge, people, person
from webapp.post.push_sending import send_push
from webapp.post.turn_status import Wait, waits
from webapp.storage.journal import tokens
from webapp.storage.journal.records import Table
from webapp.storage.journal.repository import Repository
from webapp.storage.journal.store import Store
from webapp.storage.services.letters import ALL, Letter
from webapp.storage.services.worker import Worker

LOOK = 30.0  # seconds between two looks at the clock
DAY = timedelta(hours=23, minutes=30)
AT_HAND = timedelta(minutes=2)  # who has acted within this need not be told on his device
NOBODY = "mailto:nobody@localhost.localdomain"  # for push services, where the organizer names nobody
SITTING = timedelta(minutes=15)  # who has acted within this sits at the game and need not be called to it
INBOX = "the inbox"  # in the queue, before the games: orders that came in time count
OUTBOX = "the outbox"  # in the queue, behind the games that have changed


class Postman:
    """Serves the groups of one file of games. Without a mail server mail is not written.

    `by_itself`: in the background; else whoever made it calls `round`.
    """

    def __init__(self, app: Flask, store: Store, server: mail.Server | None, by_itself: bool) -> None:
        self.app, self.store, self.server, self.by_itself = app, store, server, by_itself
        self._services = OutgoingCalls(app, store, "navarch-push")
        self._worker = Worker("navarch-post", self._work, self._tick, LOOK, end=store.file.close)
        self._worker.follow(store, "post", lambda: by_post(store))
        store.transaction_hooks.append(self._begin_with_season)
        store.election.when_ours(self._begin)

    def _begin(self) -> None:
        """Be there for what is set up already, and for what other processes may set up."""
        if not self.store.election.is_alone or by_post(self.store):
            self.start()

    def start(self) -> None:
        """Let the worker run, if this postman works by himself."""
        if self.by_itself:
            self._worker.start()

    def look_soon(self, game: str) -> None:
        """Look at a game soon, and send what is to be sent."""
        self.start()
        self._worker.put(game)

    def _work(self, game: str) -> None:
        with self.app.app_context():
            if game == OUTBOX:
                self._send(datetime.now(UTC))
                return
            if game == INBOX:
                self._receive()
                return
            self._worker.put(OUTBOX)
            self.look_at(game, datetime.now(UTC))

    def _tick(self) -> None:
        if self.store.election.is_ours:
            for game in (*([INBOX] if self.inbox else []), *by_post(self.store), OUTBOX):
                self._worker.put(game)

    def round(self, games: list[str], now: datetime | None = None) -> None:
        """Look at these games once, and send what is to be sent."""
        now = now or datetime.now(UTC)
        with self.app.app_context():
            self._receive()
            for game in games:
                self.look_at(game, now)
            self._send(now)

    @property
    def inbox(self) -> str:
        """The Maildir into which the organizer's mail server lays what comes to the sender's address; empty: none."""
        return str(self.app.config.get("MAIL_IN") or "") if self.server is not None else ""

    def _receive(self) -> None:
        """Orders that came by mail; each is read back to its writer (O3.3.a)."""
        if self.inbox:
            self._worker.attempt("incoming mail", partial(order_mails.receive, self.store, self.inbox, self._read_back))

    def _read_back(self, who: Person, name: str, read: Callable[[], tuple[str, list[str]]]) -> None:
        with mail_texts.for_reader(who):
            title, lines = read()
        self._lay(who, name, partial(mail_texts.orders_read, who, title, lines))

    def _send(self, now: datetime) -> None:
        if self.server is not None:
            self._worker.attempt("mail", partial(mail.send_all, self.store, self.server, now))
        self._worker.attempt("notifications", partial(self._tell_devices, now))
        self._worker.attempt("old mail", partial(mail.forget_old, self.store, now))

    def _tell_devices(self, now: datetime) -> None:
        """Tell devices what waits for them; who has named a slow push service holds up nobody but its own."""
        services: dict[str, list[mail.Mail]] = {}
        for each in mail.outgoing(self.store, now):
            if each.device:
                services.setdefault(each.address, []).append(each)
        for service, those in services.items():
            work = partial(mail.tell_all, self.store, those, now, self._send_push)
            if self.by_itself:
                self._services.run(service, work)  # what finds it busy is told in a later round
            else:
                work()

    def _send_push(self, each: mail.Mail) -> None:
        """Tell a device."""
        sender = self.server.sender if self.server else ""
        contact = f"mailto:{sender}" if sender else self.app.config.get("PUBLIC_URL") or NOBODY
        send_push(self.store, each, self.near, contact)

    @property
    def near(self) -> bool:
        """Does the organizer allow push services within the server's own network?"""
        return bool(self.app.config.get("CALLS_MAY_STAY_HOME"))

    def look_at(self, game: str, now: datetime) -> None:
        """Do what is due in one game."""
        orders.answer_all(self.store, game)
        table = self.store.load(game)
        if table.game.system == SEASON.name:
            self._look_at_season(table, now)
            return
        those, rule = people(self.store, game), deadlines.deadline(self.store, game)
        held = {each.seat for each in seats.held_in(self.store, game) if not each.fault}
        for wait in waits(self.store, table):
            if wait.seat in held:
                continue
            end = deadlines.due_in(self.store, table, wait, rule, those)
            local = deadlines.in_zone(end, rule) if end else None
            self._write_turn(table, those, wait, local, now)
            if rule and end and deadlines.is_reminded(rule, wait, end, now):
                self._remind(table, those, wait, end, deadlines.in_zone(end, rule))
            if rule and end and deadlines.has_lapsed(rule, end, now):
                self._lapse(table, those, wait, rule)
        for asked in questions(self.store, table):
            if asked.seat not in held:
                self._write_question(table, those, asked, now)

    def _look_at_season(self, table: Table, now: datetime) -> None:
        """Tell the players of a season what is due (O10.1)."""
        those = people(self.store, table.game.id)

        def tell(seat: str, name: str, text: Callable[[], str]) -> None:
            self._tell_seat(table, seat, name, text, those)

        season_mails.serve(self.store, table, those, now, partial(self._put, table), tell)

    def _begin_with_season(
        self, store: Repository, table: Table, seat: str, command: Any, outcome: Outcome[Any]
    ) -> tuple[Event, ...]:
        """Within a command's transaction: a season has dates even where nobody has an address."""
        if table.game.system == SEASON.name:
            self.start()
        return ()

    def _write_turn(
        self, table: Table, those: tuple[Person, ...], wait: Wait, end: datetime | None, now: datetime
    ) -> None:
        since = last_act(self.store, table, wait.seat)

        def text(who: Person) -> mail_texts.Text:
            return mail_texts.turn(self.store, table, who, end, since, bool(self.inbox))

        device = partial(push_texts.turn, table, wait.seat, end)
        self._call(table, those, wait.seat, wait.since, "turn", "daily", device, text, now)

    def _write_question(self, table: Table, those: tuple[Person, ...], asked: Question, now: datetime) -> None:
        """Tell a seat that another asks for its word."""
        name = f"{asked.kind} {asked.seat} {asked.entry}"
        device = partial(push_texts.question, table, asked)
        text = partial(mail_texts.question, table, asked=asked)
        those = tuple(each for each in those if not each.charge)  # who has charge of single pieces answers for no side
        self._call(table, those, asked.seat, asked.since, name, f"daily {name}", device, text, now)

    def _call(
        self,
        table: Table,
        those: tuple[Person, ...],
        seat: str,
        since: str,
        at_once: str,
        daily: str,
        device: Callable[[], str],
        text: Callable[[Person], mail_texts.Text],
        now: datetime,
    ) -> None:
        """Call a seat to what has waited for it since a time: its devices, and its people as each of them wishes.

        `at_once` and `daily` name the calls, each of which is made once. Nobody is called who has just acted.
        """
        acted = last_act(self.store, table, seat)
        idle = now - deadlines.moment(self.store.entry(table.game.id, acted).time) if acted else DAY
        if idle >= AT_HAND:
            self._tell_seat(table, seat, f"{at_once} {since}", device, those)
        if idle < SITTING:
            return
        for who in in_charge(those, seat, now.date()):
            if who.mails == "at_once":
                name = f"{at_once} {since}"
            elif who.mails == "daily" and now - deadlines.moment(since) >= DAY:
                name = f"{daily} {since} {(now - deadlines.moment(since)) // DAY}"
            else:
                continue
            self._put(table, who, name, partial(text, who))

    def _remind(self, table: Table, those: tuple[Person, ...], wait: Wait, end: datetime, local: datetime) -> None:
        for who in in_charge(those, wait.seat):
            name = f"reminder {wait.since} {end.isoformat()}"
            self._put(table, who, name, partial(mail_texts.reminder, table, who, local))
        name = f"reminder {wait.since} {end.isoformat()}"
        self._tell_seat(table, wait.seat, name, partial(push_texts.reminder, table, wait.seat, local), those)

    def _lapse(self, table: Table, those: tuple[Person, ...], wait: Wait, rule: Deadline) -> None:
        """A seat's time is over: once for each question, do what the game has laid down and tell everybody."""
        if not lapse_once(self.store, table.game.id, f"{wait.seat} {wait.since}"):
            return
        act = "umpire" if wait.seat == UMPIRE and rule.lapse != "wait" else rule.lapse
        if act == "orders":
            command = orders.answer_of(self.store, table, wait.seat, lapsed=True)
            if command is None or not orders.give(self.store, table.game.id, table.game.version, wait.seat, command):
                act = "umpire"
        elif act == "captain":
            held = seats.Held(table.game.id, wait.seat, "able", "prompt", turn_of(table), {}, UMPIRE, self.store.now())
            seats.hand_over(self.store, held)
        name = f"lapse {wait.seat} {wait.since}"
        for each in devices.devices(self.store, table.game.id):
            self._tell(table, each, name, partial(push_texts.time_over, table, wait.seat, act))
        for who in those:
            self._put(table, who, name, partial(mail_texts.time_over, table, who, wait.seat, act))

    def write_letter(self, game: str, letter: Letter) -> None:
        """Tell those to whom a letter is written."""
        table = self.store.load(game)
        for who in people(self.store, game):
            is_his = letter.receiver == ALL or (
                letter.receiver == who.seat and table.knowledge_for(who.seat, who.charge) is table
            )
            if who.seat != letter.sender and is_his:
                name = f"letter {letter.id}"
                self._put(table, who, name, partial(mail_texts.letter, table, who, letter))
        for each in devices.devices(self.store, game):
            if each.seat != letter.sender and letter.receiver in (ALL, each.seat):
                self._tell(table, each, f"letter {letter.id}", partial(push_texts.letter, table, letter))
        self.look_soon(game)

    def try_device(self, device: Device) -> None:
        """Tell a device something now, to see whether it comes through."""
        self._tell(self.store.load(device.game), device, f"trial {self.store.now()}", push_texts.trial)
        self.look_soon(device.game)

    def _tell_seat(
        self, table: Table, seat: str, name: str, text: Callable[[], str], those: tuple[Person, ...]
    ) -> None:
        """Tell the devices of a seat, but not those of a person who is away."""
        there = {0, *(who.id for who in in_charge(those, seat))}
        for each in devices.devices(self.store, table.game.id, seat):
            if each.person in there:
                self._tell(table, each, name, text)

    def _tell(self, table: Table, device: Device, name: str, text: Callable[[], str]) -> None:
        name = f"{device.game} device {device.id} {name}"
        if self.store.file.rows("select id from outbox where name = ?", name):
            return
        with push_texts.for_reader(device):
            title, body = push_texts.title(table.game), text()
        mail.put(
            self.store,
            name,
            device.game,
            device.person,
            device.service,
            title,
            body,
            seat_path(device.game, device.seat),
            device.id,
        )

    def write(self, who: Person, name: str, text: Callable[[], mail_texts.Text]) -> bool:
        """Write one mail to somebody, now; False where he has not said yes, or has had his mails of the day."""
        done = self._put(self.store.load(who.game), who, name, text, always=True)
        self.look_soon(who.game)
        return done

    def invite(self, who: Person, link: str = "") -> None:
        """Write the one invitation that an address gets from a game; a new link also to who has said yes to mail."""
        text = partial(mail_texts.invitation, self.store.load(who.game))
        name = f"invitation {tokens.token_hash(link)[:16]}"
        if who.consent == consents.YES and link:
            self.write(who, name, lambda: text(who, link))
        elif not who.consent and who.address and self.server is not None:
            with self.store.write():
                consents.ask(self.store, who.game, who.address)
                asked = person(self.store, who.game, who.id)
                if not self._lay(asked, name, lambda: text(asked, link), is_invitation=True):
                    consents.forget(self.store, who.game, who.address)
            self.look_soon(who.game)

    def _put(
        self, table: Table, who: Person, name: str, text: Callable[[], mail_texts.Text], always: bool = False
    ) -> bool:
        if who.consent != consents.YES or (who.mails == "never" and not always):
            return False
        return self._lay(who, name, text)

    def _lay(self, who: Person, name: str, text: Callable[[], mail_texts.Text], is_invitation: bool = False) -> bool:
        """Lay a mail into the outbox, once, as long as the shares of the day last."""
        if self.server is None or not who.address:
            return False
        name = f"{who.game} {who.id} {name}"
        if self.store.file.rows("select id from outbox where name = ?", name):
            return False
        with mail_texts.for_reader(who):
            subject, body = text()
        shares: Shares = self.app.config["MAIL_SHARES"]
        return mail.put(
            self.store,
            name,
            who.game,
            who.id,
            who.address,
            " ".join(subject.split()),
            body,
            f"{who.home}/post/stop/{who.stop}",
            shares=shares.of(who.game, who.address, is_invitation),
        )


def by_post(store: Store) -> list[str]:
    """The games that are not over and have any of these, and all seasons."""
    rows = store.file.rows(
        "select id from games where over = 0 and (system = ? or id in (select game from people"
        " union select game from deadlines union select game from orders union select game from devices))",
        SEASON.name,
    )
    return [row["id"] for row in rows]


def last_act(store: Store, table: Table, seat: str) -> int:
    """The last entry that a seat has made."""
    rows = store.file.rows("select max(number) as number from entries where game = ? and seat = ?", table.game.id, seat)
    return int(rows[0]["number"] or 0)


def lapse_once(store: Store, game: str, name: str) -> bool:
    """Note that a seat's time is over for a question; False when that was noted before."""
    with store.write() as db:
        done = db.conn.execute(
            "insert or ignore into lapses (game, name, time) values (?, ?, ?)", (game, name, store.now())
        )
    return done.rowcount > 0


def lapses(store: Store, game: str) -> int:
    """How many times a seat of a game has let its time pass."""
    return int(store.file.rows("select count(*) as many from lapses where game = ?", game)[0]["many"])
