"""The postman and the notifier: who is told what, and when."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from flask import Flask
from flask_babel import force_locale

from strategic.season import SEASON
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import UMPIRE, Event, Outcome
from webapp.api.serializers import events_for
from webapp.captains import seats
from webapp.captains.seats import turn_of
from webapp.http.addresses import OutgoingCalls, seat_path
from webapp.post import deadlines, devices, mail, order_mails, orders
from webapp.post import people as post_people
from webapp.post.deadlines import Deadline, Wait, turn_sentence, waits
from webapp.post.devices import Device, send_push
from webapp.post.mail import Question, Shares, question_text, questions
from webapp.post.people import Person, in_charge, person
from webapp.post.people import people as people_of
from webapp.post.webhooks import Call, Failed, calls, post, was_not_told, was_told
from webapp.storage.errors import Unknown
from webapp.storage.file.database import attempt
from webapp.storage.journal import records
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.journal.writing import Repository
from webapp.storage.services.letters import ALL, Letter
from webapp.storage.services.worker import Worker
from webapp.systems.messages import lines_of

# -- The notifier: it tells seats when it is their turn or another asks for their word, at once or once a day.
#
# It looks at every game that has changed, and every minute for seats that are due for their daily digest. Its worker
# starts when the first call is set up (or when the program starts and there are some). Of several processes over one
# file
# the elected one calls.

AGAIN = 2.0  # seconds until a call is tried again whose other end was busy with another
DIGEST_LOOK = 60.0  # seconds between two looks for digests
DAY = timedelta(hours=23, minutes=30)
LINES = 12  # events that a call tells of


@dataclass(frozen=True)
class Told:
    """What a call is about: the turn of its seat, if it is told of that, and the requests that it is told of.

    `asked` are all open requests to the seat, of which it knows afterwards, one a line.
    """

    wait: Wait | None
    requests: tuple[Question, ...]
    asked: str


Do = Callable[[Call, Table, Told], None]


class Notifier:
    """Calls the seats of one file of games."""

    def __init__(self, app: Flask, store: Store) -> None:
        self.app, self.store = app, store
        self._calls = OutgoingCalls(app, store, "navarch-call")
        self._worker = Worker(
            "navarch-calls",
            lambda game: self.run(game, do=self._tell_apart),
            lambda: self.run(None, do=self._tell_apart),
            DIGEST_LOOK,
            end=store.file.close,
        )
        self._worker.follow(store, "calls", lambda: {call.game for call in calls(store)}, at_first=False)
        store.election.when_ours(self._begin)

    def _begin(self) -> None:
        """Be there for what is set up already, and for what other processes may set up."""
        if not self.store.election.is_alone or calls(self.store):
            self.start()

    @property
    def near(self) -> bool:
        """Does the organizer allow calls within the server's own network?"""
        return bool(self.app.config.get("CALLS_MAY_STAY_HOME"))

    def start(self) -> None:
        """Let the worker run, if no other process calls."""
        if self.store.election.is_ours:
            self._worker.start()

    def _tell_apart(self, call: Call, table: Table, told: Told) -> None:
        """Make a call in a thread of its own, one at a time for each other end, so that none waits for another."""
        if not self._calls.run(call.host, partial(self.tell, call, table, told)):
            self._worker.put(call.game, after=AGAIN)

    def run(self, game: str | None, now: datetime | None = None, do: Do | None = None) -> None:
        """Call those of a game who are newly waited for or asked; without a game, those whose day is over."""
        do = do or self.tell
        with self.app.app_context():
            for call in calls(self.store, game):
                attempt("a call", partial(self._look_at, call, game is not None, now, do))

    def _look_at(self, call: Call, has_changed: bool, now: datetime | None, do: Do) -> None:
        """Make one call if it is due, or if its game has changed and its seat is newly waited for or asked."""
        table = self.store.load(call.game)
        wait = next((wait for wait in waits(self.store, table) if wait.seat == call.seat), None)
        if wait is not None and not (at_once(self.store, call, table) if has_changed else due(call, wait.since, now)):
            wait = None
        asked = tuple(each for each in questions(self.store, table) if each.seat == call.seat)
        if has_changed:
            open_now = tuple(each for each in asked if call.at_once and name_of(each) not in call.asked.split("\n"))
        else:
            open_now = tuple(each for each in asked if due(call, each.since, now))
        if wait is not None or open_now:
            do(call, table, Told(wait, open_now, "\n".join(map(name_of, asked))))

    def tell(self, call: Call, table: Table, told: Told) -> None:
        """Make one call and keep how it went."""
        with force_locale(call.lang):
            said = message(self.store, call, table, told)
        try:
            post(call.url, said, self.near)
        except Failed as fault:
            was_not_told(self.store, call, table.game.newest(call.seat), told.asked, str(fault))
        else:
            was_told(self.store, call, table.game.newest(call.seat), told.asked)


def name_of(asked: Question) -> str:
    """What a request is known by."""
    return f"{asked.kind} {asked.by} {asked.entry}"


def at_once(store: Store, call: Call, table: Table) -> bool:
    """Was the seat not waited for when it was last told, or has it acted since?"""
    if not call.at_once or call.told >= table.game.newest(call.seat):
        return False
    return (
        call.told < 0
        or any(entry.seat == call.seat for entry in store.entries(call.game, call.told))
        or (call.seat not in _waiting_then(store, call))
    )


def _waiting_then(store: Store, call: Call) -> tuple[str, ...]:
    try:
        then = store.table_after(call.game, call.told)
    except Unknown:
        return ()
    return tuple(then.system.waiting_for(then.state))


def due(call: Call, since: str, now: datetime | None = None) -> bool:
    """Has the seat been waited for a day, or asked, and not been told within one?"""
    if not call.daily:
        return False
    moments = [since] + [moment for moment in (call.told_at, call.failed_at) if moment]
    newest = max(datetime.fromisoformat(moment.replace("Z", "+00:00")) for moment in moments)
    return (now or datetime.now(UTC)) - newest >= DAY


def message(store: Store, call: Call, table: Table, told: Told) -> dict[str, Any]:
    """What a call says: that it is the seat's turn or who asks for its word, since when, and what has happened."""
    game = table.game
    entries = [entry for entry in store.entries(game.id, max(call.told, 0)) if entry.taken_back is None]
    known = set[Hashable]()
    happened = [
        line.text for entry in entries for line in lines_of(game.system, events_for(entry.events, call.seat), known)
    ]
    said = [turn_sentence(store, table, call.seat).text] if told.wait is not None else []
    text = f"{game.title}: {' '.join((*said, *(question_text(table, each) for each in told.requests)))}"
    link = call.home + seat_path(game.id, call.seat)
    return {
        "game": game.id,
        "title": game.title,
        "system": game.system,
        "seat": call.seat,
        "version": game.newest(call.seat),
        "waiting_since": told.wait.since if told.wait is not None else told.requests[0].since,
        "happened": happened[-LINES:],
        "link": link,
        "text": f"{text} {link}",
        "content": f"{text} {link}",
    }


# -- The postman serves groups by post: he answers by standing order, writes mail that is due, and keeps the time.
#
# He looks at every game that has changed, and at all games with people or deadlines twice a minute. Of several
# processes
# over one file the elected one does so; the others only send what they have written themselves. What is done is named
# in
# the file of games, so that two processes do nothing twice and a restart goes on where it was.

LOOK = 30.0  # seconds between two looks at the clock
AT_HAND = timedelta(minutes=2)  # who has acted within this need not be told on his device
NOBODY = "mailto:nobody@localhost.localdomain"  # for push services, where the organizer names nobody
SITTING = timedelta(minutes=15)  # who has acted within this and must act again sits at the game and is not called to it
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
        if self.server is not None and self.inbox:
            own, answer = self.server.sender, (self._read_back, self._turn_down)
            self._worker.attempt("incoming mail", partial(order_mails.receive, self.store, self.inbox, own, *answer))

    def _read_back(self, who: Person, name: str, read: Callable[[], tuple[str, list[str]]]) -> None:
        with mail.for_reader(who):
            title, lines = read()
        self._lay(who, name, partial(mail.orders_read, who, title, lines))

    def _turn_down(self, sender: str, key: str, why: order_mails.Unread) -> None:
        """Say why a mail was not read, to a player or to whoever has sent a mark; to nobody who wants no mail."""
        those = post_people.known_as(self.store, sender) if sender else ()
        shares: Shares = self.app.config["MAIL_SHARES"]
        if those:
            able = [who for who in those if order_mails.may_order(self.store.load(who.game), who)]
            who = (able or those)[0]
            text = partial(mail.unread, self.store.load(who.game), who, why, len(able) == 1)
            self._lay(who, f"unread {key}", text, shares=shares.of_unread(sender, who))
        elif sender and why == "wrong_mark" and not post_people.has_refused(self.store, sender):
            subject, body = mail.unread_by_stranger(why)
            counts = shares.of_unread(sender, None)
            mail.put(self.store, f"unread {key}", "", 0, sender, subject, body, "", shares=counts)

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
        those, rule = people_of(self.store, game), deadlines.deadline(self.store, game)
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
        those = people_of(self.store, table.game.id)

        def tell(seat: str, name: str, text: Callable[[], str]) -> None:
            self._tell_seat(table, seat, name, text, those)

        mail.serve(self.store, table, those, now, partial(self._put, table), tell)

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

        def text(who: Person) -> mail.Text:
            return mail.turn(self.store, table, who, end, since, bool(self.inbox))

        device = partial(devices.turn, table, wait.seat, end)
        self._call(table, those, wait.seat, wait.entry, wait.since, "turn", "daily", device, text, now)

    def _write_question(self, table: Table, those: tuple[Person, ...], asked: Question, now: datetime) -> None:
        """Tell a seat that another asks for its word."""
        name = f"{asked.kind} {asked.seat} {asked.entry}"
        device = partial(devices.question, table, asked)
        text = partial(mail.question, table, asked=asked)
        those = tuple(each for each in those if not each.charge)  # who has charge of single pieces answers for no side
        self._call(table, those, asked.seat, asked.entry, asked.since, name, f"daily {name}", device, text, now)

    def _call(
        self,
        table: Table,
        those: tuple[Person, ...],
        seat: str,
        entry: int,
        since: str,
        at_once: str,
        daily: str,
        device: Callable[[], str],
        text: Callable[[Person], mail.Text],
        now: datetime,
    ) -> None:
        """Call a seat to what has waited for it since an entry: its devices, and its people as each of them wishes.

        `at_once` and `daily` name the calls, each of which is made once. Nobody is written to for the next quarter of
        an hour whose own act has made it his turn again; whom another person's act calls is written to at once.
        """
        begun = self.store.entry(table.game.id, entry)
        acted = last_act(self.store, table, seat)
        idle = now - deadlines.moment(self.store.entry(table.game.id, acted).time) if acted else DAY
        if idle >= AT_HAND:
            self._tell_seat(table, seat, f"{at_once} {since}", device, those)
        for who in in_charge(those, seat, now.date()):
            if idle < SITTING and has_acted(begun, who):
                continue
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
            self._put(table, who, name, partial(mail.reminder, table, who, local))
        name = f"reminder {wait.since} {end.isoformat()}"
        self._tell_seat(table, wait.seat, name, partial(devices.reminder, table, wait.seat, local), those)

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
            self._tell(table, each, name, partial(devices.time_over, table, wait.seat, act))
        for who in those:
            self._put(table, who, name, partial(mail.time_over, table, who, wait.seat, act))

    def write_letter(self, game: str, letter: Letter) -> None:
        """Tell those to whom a letter is written."""
        table = self.store.load(game)
        for who in people_of(self.store, game):
            is_his = letter.receiver == ALL or (
                letter.receiver == who.seat and table.knowledge_for(who.seat, who.charge) is table
            )
            if who.seat != letter.sender and is_his:
                name = f"letter {letter.id}"
                self._put(table, who, name, partial(mail.letter, table, who, letter))
        for each in devices.devices(self.store, game):
            if each.seat != letter.sender and letter.receiver in (ALL, each.seat):
                self._tell(table, each, f"letter {letter.id}", partial(devices.letter, table, letter))
        self.look_soon(game)

    def try_device(self, device: Device) -> None:
        """Tell a device something now, to see whether it comes through."""
        self._tell(self.store.load(device.game), device, f"trial {self.store.now()}", devices.trial)
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
        with devices.for_reader(device):
            title, body = devices.title(table.game), text()
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

    def write(self, who: Person, name: str, text: Callable[[], mail.Text]) -> bool:
        """Write one mail to somebody, now; False where he has not said yes, or has had his mails of the day."""
        done = self._put(self.store.load(who.game), who, name, text, always=True)
        self.look_soon(who.game)
        return done

    def invite(self, who: Person, link: str = "") -> None:
        """Write the one invitation that an address gets from a game; a new link also to who has said yes to mail."""
        text = partial(mail.invitation, self.store.load(who.game))
        name = f"invitation {records.token_hash(link)[:16]}"
        if who.consent == post_people.YES and link:
            self.write(who, name, lambda: text(who, link))
        elif not who.consent and who.address and self.server is not None:
            with self.store.write():
                post_people.ask(self.store, who.game, who.address)
                asked = person(self.store, who.game, who.id)
                if not self._lay(asked, name, lambda: text(asked, link), is_invitation=True):
                    post_people.forget(self.store, who.game, who.address)
            self.look_soon(who.game)

    def _put(self, table: Table, who: Person, name: str, text: Callable[[], mail.Text], always: bool = False) -> bool:
        if who.consent != post_people.YES or (who.mails == "never" and not always):
            return False
        return self._lay(who, name, text)

    def _lay(
        self,
        who: Person,
        name: str,
        text: Callable[[], mail.Text],
        is_invitation: bool = False,
        shares: Mapping[str, int] | None = None,
    ) -> bool:
        """Lay a mail into the outbox, once, as long as the shares of the day last: those of his game unless given."""
        if self.server is None or not who.address:
            return False
        name = f"{who.game} {who.id} {name}"
        if self.store.file.rows("select id from outbox where name = ?", name):
            return False
        with mail.for_reader(who):
            subject, body = text()
        of_day: Shares = self.app.config["MAIL_SHARES"]
        return mail.put(
            self.store,
            name,
            who.game,
            who.id,
            who.address,
            " ".join(subject.split()),
            body,
            f"{who.home}/post/stop/{who.stop}",
            shares=of_day.of(who.game, who.address, is_invitation) if shares is None else shares,
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


def has_acted(entry: Entry, who: Person) -> bool:
    """Was it this person's act, as far as the journal tells? Where several share his seat it names who it was."""
    named = next((it.data["name"] for it in entry.events if it.type == post_people.ACTED), who.name)
    return entry.seat == who.seat and named == who.name


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
