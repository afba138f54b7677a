"""Until when a seat must have acted, who is waited for and since when, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo

import msgspec
from flask_babel import format_datetime
from msgspec import Meta

from strategic.season import SEASON
from strategic.season.state import Season
from tactical.kernel.journal import Entry, knowers
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event
from tactical.kernel.record import BadInput, Record, decode, encode, plain, shape_reason
from webapp.api.serializers import events_for
from webapp.http.language import gettext as _
from webapp.post import orders
from webapp.post.people import Person, back_on, people
from webapp.presenting import calendars, naming
from webapp.presenting.campaign_labels import ACT, ROLL, command_title, phrase, seat_name
from webapp.presenting.presentation import is_asked_in_mid_rule, no_dispatch
from webapp.presenting.sentences import Several, fill, full_name
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store, touch
from webapp.storage.services.letters import words_of
from webapp.systems import PRESENTATIONS, presentation
from webapp.systems.messages import lines_of

# -- Deadlines in words: always with the zone whose clock is meant.

SHORT, LONG = "EEE d MMM, HH:mm", "EEEE d MMMM, HH:mm"
NEAR = 6  # days ahead within which the name of a day says which day is meant


def of_day(day: date, today: date) -> str:
    """How the moment of a day is written: by the day's name, with its date too as soon as that may mean another day."""
    return "EEEE, HH:mm" if 0 <= (day - today).days <= NEAR else LONG


def said_until(end: datetime, pattern: str = SHORT) -> str:
    """A moment by the clock of its own zone (`deadlines.in_zone`), with the zone's name."""
    zone = getattr(end.tzinfo, "key", "UTC")
    return f"{format_datetime(end.replace(tzinfo=None), pattern, rebase=False)} ({zone})"


# -- Who is waited for, and since when: told from the times of the journal.

REMEMBERED = 20_000  # entries of which it is known who was waited for after them


@dataclass(frozen=True)
class Wait:
    """A seat that must act, since the time of an entry; `is_reaction` when another's act has asked it in mid-rule."""

    seat: str
    since: str
    is_reaction: bool = False
    entry: int = 0


def waits(store: Store, table: Table) -> tuple[Wait, ...]:
    """Everybody who must act now, each since the entry after which he had to; not who has a standing order for it."""
    if table.game.over or not table.game.is_open:
        return ()
    waiting = table.game.waiting
    seats = (waiting.seat,) if waiting else table.waiting_for
    seats = tuple(seat for seat in seats if waiting or orders.answer_of(store, table, seat) is None)
    return tuple(table.kept.once(("wait", seat), partial(wait_of, store, table, seat)) for seat in seats)


def wait_of(store: Store, table: Table, seat: str) -> Wait:
    """Since when a seat that must act is waited for: the first of the last entries after all of which it was.

    An undo counts as an entry. However much others have done meanwhile, it stays the same: deadlines are counted
    from it. A turn of the game that begins while the seat is waited for is waited for anew.
    """
    turn = turn_of(table.state)
    number, found, is_own, begun = table.game.head, "", False, 0
    while True:
        entry = store.entry(table.game.id, number)
        if number != table.game.head and (turn, True) != asked_after(store, table, entry, seat):
            break
        found, begun = entry.time, number
        is_own = entry.seat == seat and knowers(table.system, entry) is None  # others must not hear of a secret one
        if number == 0 or is_own:
            break
        number = entry.parent
    is_reaction = not (is_own or table.game.waiting) and is_asked_in_mid_rule(table.game.system, table.state, seat)
    return Wait(seat, found or table.game.created, is_reaction, begun)


def stood_open(store: Store, table: Table, moment: datetime) -> bool:
    """O3.6 Was the turn before this one still open at a moment, so that no other has begun since then?

    Only where all sides give secret orders for a turn together; a seat that is asked by itself begins anew.
    """
    return bool(table.kept.once(("open", moment), partial(looked_up, store, table, moment)))


def looked_up(store: Store, table: Table, moment: datetime) -> bool:
    """The same, looked up in the journal."""
    at = moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    rows = store.file.rows("select max(number) as last from entries where game = ? and time <= ?", table.game.id, at)
    if rows[0]["last"] is None or not table.system.secret:
        return False
    then = decode(store.state_after(table.game.id, rows[0]["last"]), table.system.state)
    return turn_of(then) >= turn_of(table.state) - 1


def turn_of(state: object) -> int:
    """The turn of a game, as its rules count them; 0 where they count none."""
    return int(getattr(state, "turn", 0))


_waited: dict[tuple[str, str, int, str], tuple[int, tuple[str, ...]]] = {}  # what stood after an entry never changes


def asked_after(store: Store, table: Table, entry: Entry, seat: str) -> tuple[int, bool]:
    """The turn after an entry, and whether the seat was waited for; each entry is read once."""
    key = (str(store.file.path), table.game.id, entry.number, entry.time)
    if key not in _waited:
        if len(_waited) >= REMEMBERED:
            _waited.clear()
        state = decode(store.state_after(table.game.id, entry.number), table.system.state)
        _waited[key] = turn_of(state), tuple(table.system.waiting_for(state))
    turn, seats = _waited[key]
    return turn, seat in seats


def when(moment: str, now: datetime | None = None) -> str:
    """A moment of a journal as people say it."""
    try:
        then = datetime.fromisoformat(moment.replace("Z", "+00:00"))
    except ValueError:
        return moment
    days = ((now or datetime.now(UTC)) - then).total_seconds() / 86400
    pattern = "HH:mm" if days < 0.75 else "EEEE" if days < 6.5 else "d MMMM y"
    return str(format_datetime(then, pattern))


# -- Until when a seat must have acted: so many days, or a fixed hour; pauses and absences count. No Flask.

Lapse = Literal["wait", "umpire", "orders", "captain"]
LAPSES: tuple[Lapse, ...] = get_args(Lapse)
Weekday = Annotated[int, Meta(ge=0, le=6)]  # Monday is 0
LONGEST_HOLIDAY = 400  # days within which a turn is due, whatever the holidays
LEAST = timedelta(hours=12)  # what is left of a week, however late the turn before has run
HOURS = Annotated[int, Meta(ge=0, le=24 * 30)]
ReactionHours = Annotated[int, Meta(ge=1, le=24 * 30)]


class Deadline(Record, frozen=True):
    """A game's rule for time. A seat has `days` of the calendar in `zone`: from when it is first waited for, or where
    an `hour` is set from the day on which the turn before was due (`first_day`), to that hour, on to the next of the
    days of the week that are set: one `weekday` ("Sundays 20:00") or several `weekdays` ("Mondays and Thursdays
    19:00"). With an hour and no days a turn is due the next time that it is this hour. A seat is reminded `remind`
    hours before and lapses `grace` hours after. `reaction` are the hours, at any time of the day, for a question that
    another seat's act asks in mid-rule; None gives it as long as a turn. On `holidays` no turn is due: dates, or two
    with "/" between, separated by commas ("2026-12-24/2027-01-06, 2027-03-28").

    What happens then: nothing but that all are told (`wait`), the umpire is called (`umpire`), its standing orders let
    the question pass (`orders`), or a captain answers it (`captain`). `pauses` are times at which the clock stood: from
    and until, the last one open while the game is paused. `more` are hours that the umpire gave a seat for one
    question, by seat and since when it is waited for. `changes` rises with each of a game's rules.
    """

    days: Annotated[int, Meta(ge=0, le=60)] = 3
    hour: Annotated[int, Meta(ge=0, le=23)] | None = None
    weekday: Weekday | None = None
    weekdays: tuple[Weekday, ...] = ()
    zone: Annotated[str, Meta(max_length=60)] = "UTC"
    remind: HOURS = 24
    grace: HOURS = 12
    lapse: Lapse = "umpire"
    reaction: ReactionHours | None = None
    holidays: Annotated[str, Meta(max_length=400)] = ""
    pauses: tuple[tuple[str, str], ...] = ()
    more: dict[str, int] = {}
    changes: int = 0

    @property
    def week(self) -> tuple[int, ...]:
        """The days of the week on which turns are due, from Monday (0) on; none where they are due on any day."""
        return tuple(sorted({*self.weekdays, *(() if self.weekday is None else (self.weekday,))}))

    @property
    def is_paused(self) -> bool:
        """Does the clock stand?"""
        return bool(self.pauses) and not self.pauses[-1][1]


def deadline(store: Store, game: str) -> Deadline | None:
    """A game's rule for time; None when nobody has set one."""
    rows = store.file.rows("select rule from deadlines where game = ?", game)
    return msgspec.json.decode(rows[0]["rule"], type=Deadline) if rows else None


def keep(store: Store, game: str, rule: Deadline | None) -> None:
    """Set it, or with None do without. Raises BadInput."""
    with store.write() as db:
        if rule is None:
            db.conn.execute("delete from deadlines where game = ?", (game,))
        else:
            calendars.check_zone(rule.zone)
            if any(last < first for first, last in holidays_of(rule)):
                raise BadInput("holidays", "a holiday must begin before it ends: 2026-12-24/2027-01-06")
            if rule.days == 0 and rule.hour is None:
                raise BadInput("days", "give one or more days, or an hour of the day")
            old = deadline(store, game)
            rule = msgspec.structs.replace(rule, changes=old.changes + 1 if old else store.game(game).revision)
            db.table("deadlines").insert({"game": game, "rule": encode(rule).decode()}, replace=True)
        touch(store, game)


def pause(rule: Deadline, now: str) -> Deadline:
    """The clock stands from now on."""
    return rule if rule.is_paused else msgspec.structs.replace(rule, pauses=(*rule.pauses, (now, "")))


def resume(rule: Deadline, now: str) -> Deadline:
    """The clock goes on."""
    if not rule.is_paused:
        return rule
    return msgspec.structs.replace(rule, pauses=(*rule.pauses[:-1], (rule.pauses[-1][0], now)))


def extend(rule: Deadline, seat: str, since: str, hours: int) -> Deadline:
    """A seat gets more hours for what it is asked now."""
    key = f"{seat} {since}"
    return msgspec.structs.replace(rule, more={**rule.more, key: rule.more.get(key, 0) + hours})


def due_in(store: Store, table: Table, wait: Wait, rule: Deadline | None, people: Iterable[Person]) -> datetime | None:
    """When a seat of a game must have acted; None without a rule, or while the clock stands."""
    return due(rule, wait, people, partial(stood_open, store, table)) if rule else None


def due(
    rule: Deadline, wait: Wait, people: Iterable[Person] = (), stood_open: Callable[[datetime], bool] | None = None
) -> datetime | None:
    """When a seat that is waited for must have acted; None while the clock stands.

    `stood_open` says whether the turn before was still open at a moment (`turn_status.stood_open`); without it it was.
    """
    if rule.is_paused:
        return None
    begun, zone, hours = moment(wait.since), zone_of(rule), reaction_hours(rule, wait)
    local = begun.astimezone(zone)
    at_an_hour = rule.hour is not None and not hours
    if hours:
        end = (begun + timedelta(hours=hours)).astimezone(zone)
    elif rule.hour is None or not rule.days:
        end = local + timedelta(days=rule.days)
    else:
        end = datetime.combine(first_day(rule, local, stood_open) + timedelta(days=rule.days), time(rule.hour), zone)
    end = after_pauses(rule, begun, end, at_an_hour)
    those = tuple(people)
    there = back_on(those, wait.seat, end.date())
    if there > end.date():
        end = datetime.combine(there, end.time(), zone) + timedelta(days=1)
    end = end if hours else at_the_hour(rule, end)
    if at_an_hour and rule.days and rule.week and end.astimezone(UTC) - begun < LEAST:
        end = at_the_hour(rule, end + timedelta(days=1))
    return end.astimezone(UTC) + timedelta(hours=rule.more.get(f"{wait.seat} {wait.since}", 0))


def first_day(rule: Deadline, begun: datetime, stood_open: Callable[[datetime], bool] | None) -> date:
    """O3.6 The day from which the days of a turn count that begins then, by the clock of the rule's zone.

    It is the day on which the turn before was due. With days of the week that is the last of them, if that turn still
    stood open at its hour, however late it then ran; a turn that runs early counts from its own day. Without them it is
    the day whose hour is nearest, so that a turn which runs late by minutes or hours does not move the next one.
    """
    assert rule.hour is not None
    nearest = (begun.replace(tzinfo=None) - timedelta(hours=rule.hour) + timedelta(hours=12)).date()
    if not rule.week:
        return nearest
    passed = (begun.date() - timedelta(days=days) for days in range(8))
    last = next(
        day
        for day in passed
        if day.weekday() in rule.week and datetime.combine(day, time(rule.hour), begun.tzinfo) <= begun
    )
    if stood_open is None or stood_open(datetime.combine(last, time(rule.hour), begun.tzinfo)):
        return last
    return max(nearest, last)


def after_pauses(rule: Deadline, begun: datetime, end: datetime, at_an_hour: bool) -> datetime:
    """The end of a time in which the clock may have stood; a turn that is due at an hour is put off by whole days."""
    for stopped, resumed in ((moment(first), moment(last).astimezone(end.tzinfo)) for first, last in rule.pauses):
        if stopped < end.astimezone(UTC) and resumed.astimezone(UTC) > begun:
            stood = max(begun, stopped)
            if at_an_hour:
                days = (resumed.date() - stood.astimezone(end.tzinfo).date()).days
                end = max(end + timedelta(days=days), resumed)
            else:
                end = (end.astimezone(UTC) + (resumed - stood)).astimezone(end.tzinfo)
    return end


def reaction_hours(rule: Deadline, wait: Wait) -> int:
    """The hours for a question in mid-rule; 0 where a seat has the time of a turn."""
    return (rule.reaction or 0) if wait.is_reaction else 0


def at_the_hour(rule: Deadline, end: datetime) -> datetime:
    """O3.6 The next time that it is the rule's hour in its zone, on one of its days of the week, and on no holiday."""
    zone, free = zone_of(rule), holidays_of(rule)
    local = end.astimezone(zone)
    at = local.time() if rule.hour is None else time(rule.hour)
    day = local.date() + timedelta(days=datetime.combine(local.date(), at, zone) < local)
    days = (day + timedelta(days=later) for later in range(LONGEST_HOLIDAY))
    if rule.hour is not None and rule.week:
        days = (each for each in days if each.weekday() in rule.week)
    day = next((each for each in days if not any(first <= each <= last for first, last in free)), day)
    return local if day == local.date() and rule.hour is None else datetime.combine(day, at, zone)


def holidays_of(rule: Deadline) -> list[tuple[date, date]]:
    """O3.6 The first and the last day of each holiday. Raises BadInput."""
    found = []
    for part in filter(None, (each.strip() for each in rule.holidays.split(","))):
        first, _, last = part.partition("/")
        try:
            found.append((date.fromisoformat(first.strip()), date.fromisoformat((last or first).strip())))
        except ValueError:
            raise BadInput("holidays", "write holidays as 2026-12-24/2027-01-06, 2027-03-28") from None
    return found


def in_zone(end: datetime, rule: Deadline | None) -> datetime:
    """A moment by the clock of the rule's zone; by UTC where there is no rule."""
    return end.astimezone(zone_of(rule) if rule is not None else ZoneInfo("UTC"))


def zone_of(rule: Deadline) -> ZoneInfo:
    """The time zone. Raises BadInput."""
    return calendars.zone_of(rule.zone)


def moment(text: str) -> datetime:
    """A time of the journal."""
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def is_reminded(rule: Deadline, wait: Wait, end: datetime, now: datetime) -> bool:
    """Is it time for a reminder? Of a question in mid-rule not before half of its time is over."""
    hours = reaction_hours(rule, wait)
    before = min(rule.remind, hours / 2) if hours else rule.remind
    return bool(before) and end - timedelta(hours=before) <= now < end


def has_lapsed(rule: Deadline, end: datetime, now: datetime) -> bool:
    """Are the deadline and the grace over?"""
    return now >= end + timedelta(hours=rule.grace)


def rule_of(raw: Mapping[str, object], old: Deadline | None) -> Deadline:
    """The rule from what an umpire has typed; pauses and extensions stay. Raises BadInput."""
    kept = {"pauses": old.pauses, "more": old.more} if old else {}
    try:
        return msgspec.convert({**raw, **kept}, Deadline)
    except msgspec.ValidationError as fault:
        told, _, path = str(fault).partition(" - at `$.")
        raise BadInput(path.rstrip("`") or "deadline", shape_reason(told)) from None


# -- The one sentence of a campaign: who must do what at which place, since when or until when.
#
# Page, television, mail, webhook, the organizer's list and the API take it from here. It is made of what a spectator
# may
# know, so that it is the same for everybody; only who must act himself reads "you".

NOWHERE = frozenset(  # what is done all over the map, or at no place of it
    ("budget", "campaign", "card", "choose", "impulse", "open", "points", "put", "reinforce", "remove")
)
HELD_PHASE, MEETING = "held", "engagement"  # O3.7: whom the umpire does not wait for himself must settle a meeting
ORDERS, RUN = "orders", "run"  # O3.4: all orders stand, and the turn waits for the umpire (nobody is told why)
GALLEY = "galley"  # a battle has its own pages, which say who must do what ship by ship


@dataclass(frozen=True)
class Doing:
    """What a seat must do, as everybody may know: the question's kind, its place, who comes, the card played."""

    kind: str
    space: str = ""
    enemy: str = ""
    card: str = ""


@dataclass(frozen=True)
class TurnSentence:
    """The sentence, and the seats that must act; `is_own` when it is told to one of them."""

    text: str
    seats: tuple[str, ...] = ()
    is_own: bool = False


def turn_sentence(
    store: Store, table: Table, reader: str = "", waiting: tuple[Wait, ...] | None = None
) -> TurnSentence:
    """Who must do what at which place, since when; with a deadline until when. Empty when nobody must act."""
    waiting = waits(store, table) if waiting is None else waiting
    if table.game.consents and table.game.is_open and not table.game.over:
        return take_back_sentence(store, table, reader)
    if not waiting:
        return TurnSentence("")
    if table.game.system == SEASON.name:
        return season_sentence(table.state, waiting)
    own = next((wait for wait in waiting if wait.seat == reader), None)
    first = own or waiting[0]
    doing = doing_of(table, first.seat)
    those = [first] if own else [wait for wait in waiting if doing_of(table, wait.seat) == doing]
    seats = tuple(wait.seat for wait in those)
    since = min(wait.since for wait in those)
    return TurnSentence(
        sentence_text(table, doing, seats, since, limit(store, table, first), bool(own)), seats, bool(own)
    )


def season_sentence(season: Season, waiting: tuple[Wait, ...]) -> TurnSentence:
    """O10.1 How many results of the round are missing; everybody who owes one must act."""
    now = season.now
    assert now is not None  # without a round nobody is waited for
    text = _(
        "Results of round %(number)s that are still missing: %(count)s.",
        number=now.number,
        count=len(now.open()),
    )
    return TurnSentence(text, tuple(wait.seat for wait in waiting))


def take_back_sentence(store: Store, table: Table, reader: str) -> TurnSentence:
    """Who asks to take the last act back or to lay the ships as photographed, and whose word on it is missing."""
    game, state = table.game, table.state
    missing = tuple(side for side in table.sides if side not in game.consents)
    is_own = reader in missing
    texts = {
        True: _("%(side)s asks to take back “%(act)s”: agree or refuse."),
        False: _("%(side)s asks to take back “%(act)s”. An answer is still missing from: %(others)s."),
    }
    if game.proposed:
        texts = {
            True: _("%(side)s proposes to lay the ships as photographed: agree or refuse."),
            False: _(
                "%(side)s proposes to lay the ships as photographed. An answer is still missing from: %(others)s."
            ),
        }
    values = {
        "side": full_name(seat_name(state, game.consents[0])),
        "act": last_act_title(store, table),
        "others": ", ".join(seat_name(state, side) for side in missing),
    }
    return TurnSentence(fill(texts[is_own], values.__getitem__), missing, is_own)


def take_back_text(store: Store, table: Table, reader: str) -> str:
    """That somebody asks to take the last act back, or that it was refused; empty where nobody has asked."""
    if table.game.consents:
        return take_back_sentence(store, table, reader).text
    if not table.game.refused:
        return ""
    by = _("the umpire") if table.game.refused == UMPIRE else seat_name(table.state, table.game.refused)
    values = {"side": full_name(by), "act": last_act_title(store, table)}
    return fill(_("%(side)s has refused to take back “%(act)s”."), values.__getitem__)


def last_act_title(store: Store, table: Table) -> str:
    """The act that would be taken back, as a heading; no more than that it is the last one where it is secret."""
    last = store.entry(table.game.id, table.game.head)
    is_open = any(each.rule and each.seen_by(SPECTATOR) for each in last.events)
    return command_title(table.game.system, str(last.command["type"])) if is_open else _("the last action")


def doing_of(table: Table, seat: str) -> Doing:
    """What a seat must do; found once for each position."""
    return table.kept.once(("doing", seat), partial(found, table, seat))


def found(table: Table, seat: str) -> Doing:
    """The same, looked up in what a spectator may know."""
    system = table.game.system
    if table.game.waiting:
        return Doing(ROLL)
    if system == GALLEY:
        return Doing(ACT)
    view = plain(table.view(SPECTATOR))
    asked = presentation(system).asked(view, seat)
    inner = view.get("view") or view
    kind = asked.kind if asked and asked.seat in (seat, "both") else str(inner.get("phase") or inner.get("step") or "")
    kind = MEETING if kind == HELD_PHASE and seat != UMPIRE else RUN if kind == ORDERS and seat == UMPIRE else kind
    moving = inner.get("march") or inner.get("move") or {}
    battle = inner.get("battle") or {}
    about = asked.about if asked else {}
    space = "" if kind in NOWHERE else place(inner, battle, moving, about)
    led = str(moving.get("general") or moving.get("leader") or "")
    if kind in ("march", "move"):
        return Doing("march_of" if led else kind, space, led)
    return Doing(
        kind, space, led or str(moving.get("side") or moving.get("power") or ""), str(battle.get("played") or "")
    )


def place(
    view: Mapping[str, Any], battle: Mapping[str, Any], moving: Mapping[str, Any], about: Mapping[str, Any]
) -> str:
    """Where it is done: where the battle is, the fleets have met, the march stands, or what is asked says."""
    met = view.get("engagement")
    path = moving.get("path") or ()
    named = next((about[name] for name in ("space", "hex", "at") if isinstance(about.get(name), str)), "")
    spaces = (
        met.get("place") if isinstance(met, Mapping) else "",
        battle.get("space") or battle.get("at"),
        path[-1] if path else moving.get("at"),
        named,
    )
    return next((str(space) for space in spaces if space and isinstance(space, str)), "")


def limit(store: Store, table: Table, wait: Wait) -> datetime | None:
    """Until when a seat has time, by the clock of the group's zone; None without a deadline."""
    rule = deadline(store, table.game.id)
    end = due_in(store, table, wait, rule, people(store, table.game.id))
    return in_zone(end, rule) if end else None


def sentence_text(
    table: Table, doing: Doing, seats: tuple[str, ...], since: str, end: datetime | None, is_own: bool
) -> str:
    """The sentence in the reader's language."""
    system = table.game.system
    names = [
        full_name(_("the umpire") if seat == UMPIRE and not is_own else seat_name(table.state, seat)) for seat in seats
    ]
    find = {
        "side": names[0] if len(names) == 1 else Joined(names),
        "enemy": naming.general(system, doing.enemy),
        "card": naming.say(system, "battle_card", "card", doing.card),
        "place": naming.space(system, doing.space),
        "when": said_until(end, of_day(end.date(), datetime.now(end.tzinfo).date())) if end else when(since),
    }.__getitem__
    must = _("%(side)s, you must %(deed)s") if is_own else _("%(side)s must %(deed)s")
    there = _("%(must)s at %(place)s") if doing.space else "%(must)s"
    then = _("%(what)s, by %(when)s.") if end else _("%(what)s, since %(when)s.")
    done = fill_within(phrase(system, doing.kind), find)
    said = fill(must, {"deed": done, "side": find("side")}.__getitem__)
    said = fill(there, {"must": said, "place": find("place")}.__getitem__)
    text = fill(then, {"what": said, "when": find("when")}.__getitem__)
    return text[:1].upper() + text[1:]


class Joined(Several):
    """A list that reads as its parts with commas and "and"."""

    def __str__(self) -> str:
        return _("%(some)s and %(last)s", some=", ".join(map(str, self[:-1])), last=self[-1])


def fill_within(text: str, find: Any) -> str:
    """A part of a sentence with its gaps filled: its first letter stays as it is."""
    filled = fill(text, find)
    return filled if text[:1].isupper() else filled[:1].lower() + filled[1:]


# -- The turns of a campaign whose events say where a turn begins: what a seat saw before, within and after each.

BEGINS, HELD, OVER = "turn_begins", "held", "over"  # kinds of events
View = dict[str, Any]


@dataclass(frozen=True)
class Turn:
    """A turn that has run: its number, the entries between which it lies, and whether the umpire still holds it."""

    number: int
    first: int
    last: int
    is_held: bool = False


@dataclass(frozen=True)
class TurnSeen:
    """A turn as a seat saw it: the views before and after it, and the events that it may see, in their order."""

    turn: Turn
    before: View
    after: View
    events: tuple[Mapping[str, Any], ...]


def turns(store: Store, game: str) -> tuple[Turn, ...]:
    """The turns that have run, the oldest first; the last of them may still be held."""
    found: list[Turn] = []
    begun, is_held, last = Turn(1, 0, 0), False, 0
    for entry in store.entries(game):
        if entry.taken_back is not None or entry.command.get("type") == "undo":
            continue
        last = entry.number
        for event in entry.events:
            if event.type == HELD:
                is_held = True
            if event.type in (BEGINS, OVER):
                found.append(replace(begun, last=entry.number))
                begun, is_held = Turn(begun.number + 1, entry.number, 0), False
    if is_held:
        found.append(replace(begun, last=last, is_held=True))
    return tuple(found)


def turn_view(store: Store, table: Table, seat: str, turn: Turn, charge: tuple[str, ...] = ()) -> TurnSeen:
    """A turn as this seat saw it, or will see it once it is sent; somebody in it with a charge may know less."""
    game, number, events = table.game.id, 1, list[Mapping[str, Any]]()
    for entry in store.entries(game, -1):
        if entry.number > turn.last:
            break
        if entry.taken_back is not None or entry.command.get("type") == "undo":
            continue
        for event in events_for(events_of(table, entry.events, seat, charge), seat):
            if event["type"] in (BEGINS, OVER):
                number += event["type"] == BEGINS
                if event["type"] == OVER and number == turn.number:
                    events.append(event)
            elif number == turn.number:
                events.append(event)
    after = store.table_after(game, turn.last)
    if turn.is_held:
        events += events_for(events_of(table, table.system.unsent(after.state).events, seat, charge), seat)
    return TurnSeen(
        turn,
        plain(store.table_after(game, turn.first).knowledge_for(seat, charge).view(seat)),
        plain(after.after_sending().knowledge_for(seat, charge).view(seat)),
        tuple(events),
    )


def events_of(table: Table, events: tuple[Event, ...], side: str, charge: tuple[str, ...]) -> tuple[Event, ...]:
    """Of these events those of which somebody with this charge hears; all where he knows what his side knows."""
    charges = table.system.charges
    if charges is None or table.knowledge_for(side, charge) is table:
        return events
    return tuple(each for each in events if charges.concerns(table.state, each, side, charge))


def last_dispatch(store: Store, table: Table, seat: str, charge: tuple[str, ...] = ()) -> list[str]:
    """The newest turn that was sent as lines of a mail to this side; none where the system has no such mail.

    `charge`: the pieces of who reads it (see `turn_view`).
    """
    how = presentation(table.game.system) if table.game.system in PRESENTATIONS else None
    if how is None or how.dispatch is no_dispatch or seat not in table.sides:
        return []
    sent = [turn for turn in turns(store, table.game.id) if not turn.is_held]
    if not sent:
        return []
    seen = turn_view(store, table, seat, sent[-1], charge)
    known = table.knowledge_for(seat, charge)
    system, now = table.game.system, plain(known.view(seat))
    lines = how.dispatch(
        seen.before, seen.after, now, seen.events, seat, lambda each: lines_of(system, (each,))[0].text
    )
    added = words_of(store, table.game.id, seat, sent[-1].number) if known is table else ""
    return [*lines, "", _("A message from the umpire") + ":", added] if added else lines
