"""The pages of groups by post: who plays, until when, by what orders; letters; the calendar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date, format_datetime, ngettext
from flask_babel import lazy_gettext as _l

from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.addresses import root, seat_path
from webapp.http.language import gettext as _
from webapp.http.rate_limit import TooMany, slow_down
from webapp.http.seats import REFUSALS, NoSeat, acting_seat, current_seat, is_organizer, store
from webapp.post import api, deadlines, mail, orders, people, postman
from webapp.post.deadlines import Deadline, Wait, said_until, turn_sentence, waits
from webapp.post.seating import no_seat, unknown
from webapp.presenting import calendars
from webapp.presenting.calendars import calendar_file
from webapp.presenting.campaign_labels import command_title, seat_name, seat_word
from webapp.presenting.labels import translate
from webapp.presenting.refusals import Flash, flash_of, rule_words
from webapp.presenting.sides import side_number
from webapp.storage.errors import Unknown
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services import letters

# -- Who, when, due: what a group's page shows first: the deadline in words and as a ring, the week, and each seat.

ROUND = 100.5  # the ring's length on the page: 2 π 16


@dataclass(frozen=True)
class Row:
    """A seat: its people, what it did last, whether it must act now, and who is away.

    Of a seat that must act it is told only what it has done since it is waited for.
    """

    seat: str
    tone: int
    who: str
    did: str
    when: str
    must: bool
    away: str = ""


@dataclass(frozen=True)
class Due:
    """The deadline that ends first: in words, how long it is to it, what share of the time is left, its week."""

    text: str
    left: str
    hours: str
    share: float
    is_late: bool
    week: tuple[tuple[str, str, bool, bool], ...]  # weekday, day, is it today, is it the deadline's day

    @property
    def arc(self) -> float:
        """The part of the ring that stands for the time that is left."""
        return ROUND * self.share


def first_due(store: Store, table: Table, now: datetime | None = None) -> Due | None:
    """The deadline that ends first; None where nobody must act, or there is no deadline."""
    rule = deadlines.deadline(store, table.game.id)
    if rule is None:
        return None
    those, now = people.people(store, table.game.id), now or datetime.now(UTC)
    ends = [(deadlines.due_in(store, table, wait, rule, those), wait) for wait in waits(store, table)]
    found = min(((end, wait) for end, wait in ends if end is not None), key=lambda each: each[0], default=None)
    return None if found is None else due_by_clock(rule, found[0], found[1], now)


def due_by_clock(rule: Deadline, end: datetime, wait: Wait, now: datetime) -> Due:
    """A deadline by the clock of the group's zone."""
    begun = deadlines.moment(wait.since)
    left = end - now
    whole = max((end - begun).total_seconds(), 1.0)
    local, today = deadlines.in_zone(end, rule), deadlines.in_zone(now, rule).date()
    pattern = deadlines.of_day(local.date(), today)
    hours = max(0, round(left.total_seconds() / 3600))
    days = ngettext("%(num)d day", "%(num)d days", hours // 24) if hours >= 24 else ""
    rest = ngettext("%(num)d hour", "%(num)d hours", hours % 24)
    in_words = _("in %(time)s", time=", ".join(part for part in (days, rest) if part))
    return Due(
        _("Due %(when)s", when=format_datetime(local.replace(tzinfo=None), pattern, rebase=False)),
        in_words if left > timedelta() else _("late"),
        _("%(hours)s h", hours=hours),
        min(max(left.total_seconds() / whole, 0.0), 1.0),
        left <= timedelta(),
        week(local.date(), today),
    )


def week(end: date, today: date) -> tuple[tuple[str, str, bool, bool], ...]:
    """The seven days of the week in which the deadline lies, from Monday on."""
    first = end - timedelta(days=end.weekday())
    days = (first + timedelta(days=number) for number in range(7))
    return tuple((format_date(day, "EEE"), str(day.day), day == today, day == end) for day in days)


def rows(store: Store, table: Table, day: date | None = None) -> tuple[Row, ...]:
    """Each side of a game, and the umpire while he must act: those who must act come first."""
    game, those = table.game, people.people(store, table.game.id)
    must = {wait.seat: wait.entry for wait in waits(store, table)}
    last: dict[str, Entry] = {}
    today = day or datetime.now(UTC).date()
    for entry in store.entries(game.id, max(-1, game.newest(SPECTATOR) - 200), seat=SPECTATOR):
        if entry.taken_back is None and entry.command:
            last[entry.seat] = entry
    found = []
    for seat in (*table.sides, *(must.keys() & {UMPIRE})):
        done = last.get(seat)
        done = done if done and done.number > must.get(seat, -1) else None
        is_open = done is not None and any(it.rule and it.seen_by(SPECTATOR) for it in done.events)
        did = command_title(game.system, str(done.command.get("type"))) if done and is_open else ""
        when = said_short(done.time, today) if done else ""
        own = [who for who in those if who.seat == seat and who.role != "deputy"]
        away = next((it.away_until for it in own if it.away_from and it.away_from <= f"{today}" <= it.away_until), "")
        tone = side_number(game.system, table.sides, seat)
        found.append(Row(seat, tone, ", ".join(who.name for who in own), did, when, seat in must, away))
    return tuple(sorted(found, key=lambda row: not row.must))


def said_short(moment: str, today: date) -> str:
    """A moment of the journal: its day of the week, or its date as soon as that may mean another day."""
    then = deadlines.moment(moment)
    is_near = (today - then.date()).days <= deadlines.NEAR
    return str(format_datetime(then, "EEE HH:mm" if is_near else "d MMM HH:mm"))


def time_words(rule: Deadline) -> str:
    """A rule for time in a few words: its days, its days of the week with their hour and zone."""
    days = [ngettext("%(num)d day", "%(num)d days", rule.days)] if rule.days else []
    if rule.hour is not None:
        at = [f"{rule.hour:02}:00", rule.zone]
        *first, last = [weekdays()[day] for day in rule.week] or [""]
        days += [*first, " ".join(filter(None, [last, *at]))]
    return ", ".join(days)


def weekdays() -> tuple[str, ...]:
    """The days of the week in the reader's language, from Monday on."""
    monday = date(2024, 1, 1)
    return tuple(format_date(monday + timedelta(days=number), "EEEE") for number in range(7))


# -- The pages of groups by post: who plays, until when, by what orders; letters; the calendar; the end of mail.

bp = Blueprint("post", __name__, template_folder="templates")
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)
QUESTIONS = {
    "counter": _l("May I play a counter-event?"),
    "counter_at_sea": _l("Play a counter-event at sea?"),
    "battle_event": _l("Play a battle event?"),
    "open": _l("Open the turn with a campaign card?"),
    "intercept": _l("Intercept an army that passes?"),
    "sea_intercept": _l("Intercept at sea?"),
    "avoid": _l("Avoid battle, or go inside the walls?"),
    "elephants": _l("Shall the elephants charge?"),
    "tactic": _l("Play a tactics card?"),
    "spend_train": _l("Spend a supply train?"),
    "declare": _l("Intercept the army that is coming, or avoid battle?"),
    "contest": _l("Contest the crossing?"),
    "fight": _l("Fight, or decline battle?"),
    "retire": _l("Relieve a leader?"),
    "recruit": _l("Recruit?"),
}
ANSWERS = {
    "ask": _l("Ask me"),
    "empty": _l("Let it pass when I can do nothing else"),
    "pass": _l("Always let it pass"),
    "do": _l("Always do it"),
}
DOES = {"declare": _l("Always intercept")}  # what the order to do it means, where the question has two answers
SIXTHS = (17, 33, 50, 67, 83)  # percent: one face of six, two, ...
LAPSES = {
    "wait": _l("everybody is notified, and the game waits"),
    "umpire": _l("the umpire decides what to do"),
    "orders": _l("every question that can be passed is passed"),
    "captain": _l("a captain answers in the seat's place"),
}
MAILS = {"at_once": _l("At once"), "daily": _l("Once a day"), "never": _l("Never")}
ROLES = {"player": _l("player"), "deputy": _l("deputy")}


# Who plays -------------------------------------------------------------------------------------------


@bp.get("/g/<game>/group")
def group(game: str, flash: Flash | None = None, links: Sequence[tuple[str, str, str]] = ()) -> ResponseReturnValue:
    """Who plays in which seat, until when, and by what orders; `links` of people who were put into seats just now."""
    holder = current_seat(game)
    seat, table = holder.id, store().load(game).for_seat(holder.id)
    record = table.game
    those = people.people(store(), game)
    pieces = {} if holder.charge else {each: people.pieces_of(table, each) for each in table.sides}
    given = orders.orders(store(), game, seat)
    body = render_template(
        "post/group.html",
        game=record,
        seat=seat,
        flash=flash,
        links=links,
        book=people.address_book(store()) if is_organizer() and seat == UMPIRE else (),
        is_umpire=seat == UMPIRE,
        looks_on=seat == SPECTATOR,
        people=[(each, api.person_json(each, holder.side)) for each in those],
        may_change=lambda who: people.may_change(holder.side, who),
        pieces_of=lambda who: pieces.get(who.seat, {}) if people.may_change(seat, who) else {},
        charge_words=lambda who: ", ".join(pieces.get(who.seat, {}).get(each, each) for each in who.charge),
        seats=[each.id for each in store().seats(game) if each.id != SPECTATOR],
        rule=deadlines.deadline(store(), game),
        waits=said_waits(game),
        sentence=turn_sentence(store(), table, seat).text,
        due=first_due(store(), table),
        rows=rows(store(), table),
        weekdays=weekdays(),
        quiet_minutes=int(postman.SITTING.total_seconds() // 60),
        time_words=time_words,
        has_mail=api.postman().server is not None,
        questions=[
            (each, QUESTIONS[each.id], rule_words(record.system, each.rule), answers(each, given.get(each.id)))
            for each in questions(game, seat)
        ],
        told=api.devices_json(game, seat),
        when=said_when,
        lapses=LAPSES,
        mails=MAILS,
        roles=ROLES,
        zones=calendars.zones(),
        calendar_address="" if holder.side == SPECTATOR else api.calendar_address(game),
        failures=mail.failures(store(), game) if seat == UMPIRE else [],
        wanted=people.wanted(store(), game),
        lapsed=postman.lapses(store(), game),
    )
    return body, flash.status if flash else 200


def questions(game: str, seat: str) -> tuple[orders.Question, ...]:
    """The questions that this seat may answer beforehand."""
    return orders.questions(store().game(game).system) if seat in store().load(game).sides else ()


def answers(question: orders.Question, given: orders.Order | None) -> list[tuple[str, str, bool]]:
    """What may be ordered for a question: as it is written, in words, and whether it is ordered now."""
    found = {id: str(text) for id, text in ANSWERS.items() if id != "do" or question.does}
    if "do" in found:
        found["do"] = str(DOES.get(question.id, found["do"]))
    if question.rolls:
        for least in sorted({*SIXTHS, *([given.least] if given and given.least else ())}):
            found[f"do:{least}"] = at_or_better(question.id, least)
    now = (given or orders.Order()).written
    return [(written, text, written == now) for written, text in found.items()]


def at_or_better(question: str, least: int) -> str:
    """An order with a least chance, in words; as a roll too where it is a number of a die's faces."""
    faces = SIXTHS.index(least) + 1 if least in SIXTHS else 0
    if question == "declare":
        said = _("Intercept at %(chance)s%% or better", chance=least)
    else:
        said = _("Do it at %(chance)s%% or better", chance=least)
    return said if not faces else _("%(order)s (on a roll of %(face)s or less)", order=said, face=faces)


def said_waits(game: str) -> list[dict[str, Any]]:
    """Who is waited for, by seat and by name, and until when, in words."""
    rule, those = deadlines.deadline(store(), game), people.people(store(), game)
    return [
        {
            **wait,
            "said": said_until(deadlines.in_zone(datetime.fromisoformat(wait["until"]), rule)) if wait["until"] else "",
            "who": ", ".join(who.name for who in those if who.seat == wait["seat"] and who.role != "deputy"),
        }
        for wait in api.due_now(game)
    ]


def do(
    game: str, act: Callable[[], Response], sentence: Callable[[dict[str, Any]], str] | None = None
) -> ResponseReturnValue:
    """Let the API's function act by this page's form, and show the page again, with a sentence about its answer.

    A refusal is said on the page.
    """
    try:
        answer = act()
    except (*REFUSALS, TooMany) as fault:
        return group(game, flash_of(fault))
    if sentence is not None:
        return group(game, Flash(sentence(answer.json or {}), status=200))
    return redirect(url_for("post.group", game=game, seat=current_seat(game).id), 303)


@bp.post("/g/<game>/group/invite")
def invite(game: str) -> ResponseReturnValue:
    """Put somebody into a seat; his link is shown once, and mailed to him."""

    def sentence(made: dict[str, Any]) -> str:
        who = made["name"]
        return _("%(name)s plays now. The link of %(name)s, shown only here: %(link)s", name=who, link=made["link"])

    return do(game, lambda: api.invite(game), sentence)


@bp.post("/g/<game>/group/list")
def invite_list(game: str) -> ResponseReturnValue:
    """Put the people of a list into seats: the one that a line names, else the next that has nobody yet."""
    try:
        people.must_be_umpire(acting_seat(game).id)
        table = store().load(game)
        taken = {who.seat for who in people.people(store(), game)}
        free = [side for side in table.sides if side not in taken]
        named = {word.casefold(): side for side in table.sides for word in (side, seat_name(table.state, side))}
        those = api.listed(named)
        free = [side for side in free if side not in {each.seat for each in those}]
        if sum(not each.seat for each in those) > len(free):
            raise BadInput("list", "there are more people than free seats: write the seat before the name")
        with store().write():
            made = [api.seat_person(game, each.seat or free.pop(0), each.name, each.address) for each in those]
    except (*REFUSALS, TooMany) as fault:
        return group(game, flash_of(fault))
    return group(game, links=[(who.name, seat_name(table.state, who.seat), link) for who, link in made])


@bp.post("/g/<game>/group/people/<int:id>")
def change(game: str, id: int) -> ResponseReturnValue:
    """What a person says of himself, a trial mail, a new link, or his leave."""
    match request.form.get("act"):
        case "part":
            return do(game, lambda: api.part(game, id))
        case "link":
            sentence = _("The new link, shown only here: %(link)s")
            return do(game, lambda: api.new_link(game, id), lambda made: sentence % made)
        case "charge":
            return do(game, lambda: api.entrust(game, id))
        case "trial":
            sent = _("A test e-mail is on its way; this page will show whether the mail server accepted it.")
            return do(game, lambda: api.trial(game, id), lambda made: sent)
    return do(game, lambda: api.change(game, id))


@bp.post("/g/<game>/group/devices/<int:id>")
def change_device(game: str, id: int) -> ResponseReturnValue:
    """Try one of this seat's devices, or do without it; one is added by the page's script (see `devices_api`)."""
    if request.form.get("act") == "trial":
        sent = _("A notification is on its way to this device.")
        return do(game, lambda: api.try_device(game, id), lambda made: sent)
    return do(game, lambda: api.remove(game, id))


@bp.post("/g/<game>/group/deadline")
def set_time(game: str) -> ResponseReturnValue:
    """Set the rule for time, pause it, give more time, or do without."""
    acts = {"none": api.no_time, "more": api.more_time}
    return do(game, lambda: acts.get(request.form.get("act", ""), api.set_time)(game))


@bp.post("/g/<game>/group/wanted")
def call_for_substitute(game: str) -> ResponseReturnValue:
    """Call for a substitute, or call it off."""
    act = api.call_off if request.form.get("act") == "off" else api.call_for_substitute
    return do(game, lambda: act(game, request.form.get("seat", "")))


@bp.post("/g/<game>/group/orders")
def order(game: str) -> ResponseReturnValue:
    """Set this seat's standing orders."""
    return do(game, lambda: api.order(game))


# Letters ---------------------------------------------------------------------------------------------


@bp.get("/g/<game>/letters")
def post(game: str, flash: Flash | None = None, text: str = "") -> ResponseReturnValue:
    """The letters that this seat may read; opening the page opens them."""
    seat = current_seat(game).id
    known = letters.last_read(store(), game, seat)
    found = letters.letters(store(), game, seat)
    if seat != SPECTATOR:
        letters.mark_read(store(), game, seat)
    body = render_template(
        "post/letters.html",
        game=store().game(game),
        seat=seat,
        flash=flash,
        letters=found,
        known=known,
        text=text,
        to=api.receivers(game, seat),
        all=letters.ALL,
        when=said_when,
        longest=letters.LONGEST,
    )
    return body, flash.status if flash else 200


@bp.post("/g/<game>/letters")
def send(game: str) -> ResponseReturnValue:
    """Write a letter."""
    try:
        api.send(game)
    except (*REFUSALS, TooMany) as fault:
        return post(game, flash_of(fault), request.form.get("text", ""))
    return redirect(url_for("post.post", game=game, seat=current_seat(game).id), 303)


def said_when(moment: str) -> str:
    """A letter's time."""
    return str(format_datetime(deadlines.moment(moment), "d MMM y, HH:mm"))


@bp.app_template_global()
def letters_unread(game: str, seat: str) -> int:
    """How many letters a seat has not opened, for the menu."""
    return letters.unread(store(), game, seat)


# Calendar, end of mail -------------------------------------------------------------------------------


@bp.get("/g/<game>/deadlines.ics")
def calendar(game: str) -> Response:
    """Until when who must act, as a calendar file."""
    return calendar_of(game, current_seat(game).side)


@bp.get("/g/<game>/calendar/<seat>/<key>.ics")
def subscribed(game: str, seat: str, key: str) -> Response:
    """The same for a calendar program, by its address. A wrong one counts as a guess."""
    if not calendars.is_key(store(), game, seat, key):
        slow_down("tokens")
        abort(404)
    return calendar_of(game, seat)


@bp.post("/g/<game>/group/calendar")
def new_calendar(game: str) -> ResponseReturnValue:
    """Another address for the calendar program of who asks."""
    sentence = _("The old address of your calendar has stopped working. The new one: %(address)s")
    return do(game, lambda: api.new_calendar(game), lambda made: sentence % made)


def calendar_of(game: str, seat: str) -> Response:
    """The deadlines of a seat, the umpire's with those of all: one entry for those that are at the same moment."""
    record, rule = store().game(game), deadlines.deadline(store(), game)
    told = [wait for wait in api.due_now(game) if wait["until"] is not None and seat in (UMPIRE, wait["seat"])]
    told.sort(key=itemgetter("until"))
    zone = deadlines.zone_of(rule) if rule else ZoneInfo("UTC")
    title = str(translate(record.title))
    entries = (entry(title, game, seat, [*those], rule) for _end, those in groupby(told, itemgetter("until")))
    return calendar_file(f"navarch-{game}", title, zone, entries)


def entry(title: str, game: str, reader: str, those: list[dict[str, Any]], rule: Deadline | None) -> calendars.Entry:
    """The deadline of one seat, or of several that must act by the same moment, as one entry of a reader's calendar."""
    seats, since = [seat_word(wait["seat"]) for wait in those], min(wait["since"] for wait in those)
    name = f"{game}-{since}" if len(those) > 1 else f"{game}-{those[0]['seat']}-{since}"
    return calendars.Entry(
        name,
        _("%(game)s: deadline of %(seat)s", game=title, seat=", ".join(seats)),
        datetime.fromisoformat(those[0]["until"]),
        link=root() + seat_path(game, reader),
        changes=rule.changes if rule else 0,
        remind=rule.remind if rule else 0,
    )


@bp.get("/post/stop/<stop>")
def ask_stop(stop: str) -> str:
    """Ask before mail ends: a program that follows links must not end it."""
    return render_template("post/stop.html", stop=stop, consent=None)


@bp.post("/post/stop/<stop>")
def end_mail(stop: str) -> str:
    """No more mail from this game to this address."""
    return render_template("post/stop.html", stop=stop, consent=consent_of(people.refuse, stop))


@bp.get("/post/yes/<secret>")
def ask_yes(secret: str) -> str:
    """Ask before mail comes: a program that follows links must not say yes for its reader."""
    found = consent_of(people.consent_of, secret)
    return render_template("post/yes.html", secret=secret, consent=found, game=store().game(found.game))


@bp.post("/post/yes/<secret>")
def let_mail_come(secret: str) -> str:
    """Mail from this game comes to this address."""
    found = consent_of(people.accept, secret)
    api.postman().look_soon(found.game)
    return render_template("post/yes.html", secret=secret, consent=found, game=store().game(found.game))


def consent_of(act: Callable[[Store, str], people.Consent], secret: str) -> people.Consent:
    """The consent of a link; a secret that is nobody's counts as a guess. Raises TooMany, Unknown."""
    try:
        return act(store(), secret)
    except Unknown:
        slow_down("tokens")
        raise
