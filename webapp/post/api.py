"""The API of groups by post, and of pausing, ending, copying and showing a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

from flask import Blueprint, Response, current_app, g, request
from flask_babel import get_locale
from msgspec import UNSET, Meta, UnsetType

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, Input, Title, plain
from webapp.api.errors import answer, answer_in_json
from webapp.api.seasons import bar_missing_hours
from webapp.api.views import created_answer
from webapp.http.addresses import link, root
from webapp.http.forms import body, read_input
from webapp.http.rate_limit import slow_down
from webapp.http.seats import acting_seat, allow_new_game, current_seat, held_seats, is_organizer, store
from webapp.post import deadlines, devices, mail, orders, people
from webapp.post.deadlines import turn_sentence, waits
from webapp.post.devices import Device
from webapp.post.mail import Shares
from webapp.post.people import Person
from webapp.post.postman import Postman
from webapp.presenting import calendars
from webapp.storage.errors import Barred
from webapp.storage.journal import records
from webapp.storage.journal.records import Game
from webapp.storage.journal.store import Store
from webapp.storage.services import archive, letters

# -- Pausing, ending, archiving, copying and showing a campaign, with its deadlines; the API of all that.

archive_bp = Blueprint("keeping_api", __name__, url_prefix="/api/v1/games/<game>")
answer_in_json(archive_bp)
ORGANIZER = "organizer"  # who acted without a seat of the game


class Kept(Input, frozen=True):
    """What is to be done about a game."""

    act: Annotated[str, Meta(max_length=20)]


class Copied(Input, frozen=True):
    """A copy as it stood after an entry of the journal; the newest where none is named."""

    entry: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    title: Title = ""


def perform(store: Store, game: str, act: str, by: str) -> Game:
    """Do it; while nobody may command, the clock of the deadlines stands. Raises BadInput, Refused, Unknown."""
    was_open = store.game(game).is_open
    found = archive.perform(store, game, act, by)
    rule = deadlines.deadline(store, game)
    if rule is not None and was_open != found.is_open:
        turn = deadlines.resume if found.is_open else deadlines.pause
        deadlines.keep(store, game, turn(rule, store.now()))
    return store.game(game)


def by_whom(game: str) -> str:
    """Who asks on a page: the game's umpire, or the organizer of this server. Raises Barred for everybody else."""
    if any(seat.id == UMPIRE for seat in held_seats(game)):
        return UMPIRE
    if is_organizer():
        return ORGANIZER
    raise Barred("Only the umpire or the organizer can pause, end or archive a game.")


def umpire(game: str) -> str:
    """The umpire's seat, which alone changes this by the API. Raises Barred."""
    if acting_seat(game).id != UMPIRE:
        raise Barred("Only the umpire or the organizer can pause, end or archive a game.")
    return UMPIRE


@archive_bp.get("/keeping")
def show(game: str) -> Response:
    """Whether the game is paused, ended, archived or shown to everybody, and who made it so when."""
    seat, found = current_seat(game).id, store().game(game)
    acts = [plain(act) for act in archive.acts(store(), game)]
    if seat != UMPIRE:  # which game is a copy, and of what, is the umpire's to know
        acts = [{**act, "about": ""} for act in acts if act["act"] not in (archive.COPIED, archive.COPY)]
    return answer({"halted": found.halted, "archived": found.archived, "is_public": found.is_public, "acts": acts})


@archive_bp.post("/keeping")
def act(game: str) -> Response:
    """Pause, go_on, end, archive, open_again, publish or hide; the umpire's alone."""
    by = umpire(game)
    perform(store(), game, body(Kept).act, by)
    return show(game)


@archive_bp.post("/copy")
def copy(game: str) -> Response:
    """A new game from this one as it stood after an entry; the umpire's alone."""
    by, wanted = umpire(game), body(Copied)
    allow_new_game("imports")
    return created_answer(*archive.copy(store(), game, by, wanted.entry, wanted.title))


# -- The API of groups by post: people, deadlines, standing orders, letters. The pages' forms go to the same functions.

bp = Blueprint("post_api", __name__, url_prefix="/api/v1/games/<game>")
answer_in_json(bp)
Short = Annotated[str, Meta(max_length=300)]


class Invited(Input, frozen=True):
    """Somebody for a seat."""

    seat: Short
    name: Short
    address: Short = ""
    role: Short = "player"
    duty: Short = ""


class Changed(Input, frozen=True):
    """What a person says of himself; what is left out stays."""

    mails: Short | UnsetType = UNSET
    address: Short | UnsetType = UNSET
    away_from: Short | UnsetType = UNSET
    away_until: Short | UnsetType = UNSET


class Entrusted(Input, frozen=True):
    """The pieces of his side that somebody alone commands, by id; none: all of them."""

    pieces: Annotated[tuple[Short, ...], Meta(max_length=64)] = ()


class Timed(Input, frozen=True):
    """A game's rule for time (see `deadlines.Deadline`)."""

    days: Annotated[int, Meta(ge=0, le=60)] = 3
    hour: Annotated[int, Meta(ge=0, le=23)] | None = None
    weekday: deadlines.Weekday | None = None
    weekdays: tuple[deadlines.Weekday, ...] = ()
    zone: Short = "UTC"
    remind: deadlines.HOURS = 24
    grace: deadlines.HOURS = 12
    lapse: deadlines.Lapse = "umpire"
    reaction: deadlines.ReactionHours | None = None
    holidays: Annotated[str, Meta(max_length=400)] = ""
    is_paused: bool = False


class More(Input, frozen=True):
    """More hours for a seat that is waited for."""

    seat: Short
    hours: Annotated[int, Meta(ge=1, le=24 * 60)]


class Ordered(Input, frozen=True):
    """A seat's standing orders by question: ask, empty, pass, do, do:50 (at 50 % or better)."""

    orders: dict[Short, Short]


class Written(Input, frozen=True):
    """A letter; the same `key` again writes none, and is answered with the first."""

    to: Short
    text: Annotated[str, Meta(max_length=letters.LONGEST)]
    key: Annotated[str, Meta(max_length=200)] = ""


@bp.record_once
def install(state: Any) -> None:
    """The application gets its postman; a command by standing order is marked as such."""
    app = state.app
    known = app.extensions["navarch"].store
    known.transaction_hooks += [orders.mark_order, people.mark_actor, people.bar_others, bar_missing_hours]
    url, sender = app.config.setdefault("MAIL", None), app.config.setdefault("MAIL_FROM", None)
    server = mail.server(url, sender or "") if url else None
    app.config.setdefault("MAIL_SHARES", Shares())
    by_itself = bool(app.config.setdefault("POST_BY_ITSELF", not app.config.get("TESTING")))
    app.extensions["navarch"].postman = Postman(app, known, server, by_itself)


def postman() -> Postman:
    """The postman of this application."""
    found: Postman = current_app.extensions["navarch"].postman
    return found


# People ----------------------------------------------------------------------------------------------


@bp.get("/people")
def group(game: str) -> Response:
    """Who plays in which seat, and for which seats somebody is wanted; addresses only to the seat and the umpire."""
    seat = current_seat(game).id
    those = [person_json(each, seat) for each in people.people(store(), game)]
    return answer({"people": those, "wanted": list(people.wanted(store(), game))})


def person_json(who: Person, seat: str) -> dict[str, Any]:
    """A person as a seat may see him."""
    found = {name: getattr(who, name) for name in ("id", "seat", "name", "role", "duty", "away_from", "away_until")}
    if seat in (who.seat, UMPIRE):
        found["charge"] = list(who.charge)
    if people.may_change(seat, who):
        last = mail.last_of(store(), who.game, who.id)
        found |= {"address": who.address, "mails": who.mails, "consent": who.consent}
        found["last_mail"] = {"subject": last.subject, "sent": last.sent, "failure": last.failure} if last else None
    return found


@bp.post("/people")
def invite(game: str) -> Response:
    """Put somebody into a seat, and mail him his own link; the umpire's alone."""
    seat, wanted = acting_seat(game).id, read_input(Invited)
    people.must_be_umpire(seat)
    slow_down("mails")
    who, link = seat_person(game, wanted.seat, wanted.name, wanted.address, wanted.role, wanted.duty)
    return answer({**person_json(who, seat), "link": link}, 201)


def seat_person(
    game: str, seat: str, name: str, address: str, role: str = "player", duty: str = ""
) -> tuple[Person, str]:
    """Put somebody into a seat; he and his own link, which is mailed to him. Raises BadInput, Unknown."""
    new = people.Newcomer(seat, name, address, role, duty, str(get_locale() or "en"), root())
    who, token = people.invite(store(), game, new)
    return who, give_link(who, token)


def listed(seats: Mapping[str, str] | None = None, with_rating: bool = False) -> tuple[people.Listed, ...]:
    """The people of a page's form: whom the organizer has ticked in the address book, then those of the pasted list.

    `seats` and `with_rating` as for `people.read_list`. Raises BadInput, also for a form without anybody, and TooMany.
    """
    ticked = set(request.form.getlist("book")) if is_organizer() else set()
    from_book = [each for each in people.address_book(store()) if str(each.id) in ticked]
    found = (*from_book, *people.read_list(request.form.get("list", ""), seats, with_rating))
    if not found:
        raise BadInput("list", "write a line for each person")
    slow_down("mails")
    return found


def give_link(who: Person, token: str) -> str:
    """A person's own link; it is mailed to him too, unless his address has been asked and has not said yes."""
    link = f"{who.home}/join/{token}"
    postman().invite(who, link)
    return link


def person_of(game: str, id: int) -> tuple[str, Person]:
    """The seat that asks for a change, and the person whom it may change. Raises Barred, Unknown."""
    seat, who = acting_seat(game).side, people.person(store(), game, id)
    if not people.may_change(seat, who):
        raise Barred("A seat may change only its own people; only the umpire may change everybody's.")
    return seat, who


@bp.patch("/people/<int:id>")
def change(game: str, id: int) -> Response:
    """When and where a person is written to, and when he is away; his seat's and the umpire's."""
    (seat, who), wanted = person_of(game, id), read_input(Changed)
    now = {name: now for name in Changed.__struct_fields__ if (now := getattr(wanted, name)) is not UNSET}
    if now.get("address", who.address) != who.address:
        slow_down("mails")
    before = {name: getattr(who, name) for name in Changed.__struct_fields__}
    people.change(store(), game, id, **{**before, **now})
    postman().invite(people.person(store(), game, id))
    return answer(person_json(people.person(store(), game, id), seat))


@bp.put("/people/<int:id>/charge")
def entrust(game: str, id: int) -> Response:
    """Give somebody charge of single pieces of his side, or of them all; his side's commander's and the umpire's."""
    seat, who = person_of(game, id)
    if current_seat(game).charge:
        raise Barred("Only the commander of your side and the umpire can say who has charge of which fleets.")
    return answer(person_json(people.entrust(store(), game, who.id, read_input(Entrusted).pieces), seat))


@bp.delete("/people/<int:id>")
def part(game: str, id: int) -> Response:
    """Somebody leaves the game; his link and his mail end. The umpire's alone."""
    people.must_be_umpire(acting_seat(game).id)
    people.part(store(), game, id)
    return answer({"done": True})


@bp.post("/people/<int:id>/link")
def new_link(game: str, id: int) -> Response:
    """A new link for somebody, mailed to him; the old one is good no more. The umpire's alone."""
    people.must_be_umpire(acting_seat(game).id)
    slow_down("mails")
    return answer({"link": give_link(people.person(store(), game, id), people.new_link(store(), game, id))})


@bp.post("/people/<int:id>/trial")
def trial(game: str, id: int) -> Response:
    """Write a mail to somebody to see whether it comes through."""
    _seat, who = person_of(game, id)
    if postman().server is None:
        raise BadInput("address", "this server sends no mail: whoever runs it can set up a mail server")
    if not who.address:
        raise BadInput("address", "there is no address to write to")
    if who.consent != people.YES:
        raise BadInput("address", "nothing is sent to this address until its owner has said yes to the invitation")
    slow_down("mails")
    if not postman().write(who, f"trial {store().now()}", partial(mail.trial, store().game(game), who)):
        raise BadInput("address", "this address, or this game, has reached its limit of mail for today")
    return answer({"done": True})


# Time ------------------------------------------------------------------------------------------------


@bp.get("/deadline")
def time(game: str) -> Response:
    """The rule for time, and until when who is waited for must have acted."""
    current_seat(game)
    rule = deadlines.deadline(store(), game)
    week = rule.week if rule else ()
    of_week = {"weekday": week[0] if len(week) == 1 else None, "weekdays": list(week)}
    told = {**plain(rule), **of_week, "is_paused": rule.is_paused} if rule else None
    return answer({"deadline": told, "waits": due_now(game)})


def due_now(game: str) -> list[dict[str, Any]]:
    """Who is waited for since when and until when, and whether that is over."""
    table, rule, those = store().load(game), deadlines.deadline(store(), game), people.people(store(), game)
    found, sentence = [], turn_sentence(store(), table).text
    for wait in waits(store(), table):
        end = deadlines.due_in(store(), table, wait, rule, those)
        late = end is not None and end < datetime.now(UTC)
        said = {"seat": wait.seat, "since": wait.since, "until": end and end.isoformat(), "is_late": late}
        found.append({**said, "is_reaction": wait.is_reaction, "sentence": sentence})
    return found


@bp.get("/calendar")
def calendar(game: str) -> Response:
    """The address of who asks to which a calendar program subscribes: it shows the deadlines of his seat."""
    return answer({"address": calendar_address(game)})


@bp.delete("/calendar")
def new_calendar(game: str) -> Response:
    """That address ends; the answer holds another."""
    acting_seat(game)
    calendars.end_key(store(), records.token_hash(g.token))
    return calendar(game)


def calendar_address(game: str) -> str:
    """The same as text; empty for a seat of a battle that somebody holds by his campaign's."""
    seat = current_seat(game).side
    key = calendars.key_of(store(), game, seat, records.token_hash(g.token))
    lang = str(get_locale() or "en")
    return link("post.subscribed", game=game, seat=seat, key=key, lang=lang) if key else ""


@bp.put("/deadline")
def set_time(game: str) -> Response:
    """Set the rule for time, pause the clock or let it go on; the umpire's alone."""
    seat, wanted = acting_seat(game).id, read_input(Timed)
    people.must_be_umpire(seat)
    rule = deadlines.rule_of(
        {name: value for name, value in plain(wanted).items() if name != "is_paused"}, deadlines.deadline(store(), game)
    )
    rule = (deadlines.pause if wanted.is_paused else deadlines.resume)(rule, store().now())
    deadlines.keep(store(), game, rule)
    postman().start()
    return time(game)


@bp.delete("/deadline")
def no_time(game: str) -> Response:
    """Do without a deadline; the umpire's alone."""
    people.must_be_umpire(acting_seat(game).id)
    deadlines.keep(store(), game, None)
    return answer({"done": True})


@bp.post("/deadline/more")
def more_time(game: str) -> Response:
    """Give a seat that is waited for more hours; the umpire's alone."""
    seat, wanted = acting_seat(game).id, read_input(More)
    people.must_be_umpire(seat)
    rule = deadlines.deadline(store(), game)
    if rule is None:
        raise BadInput("hours", "this game has no deadline")
    wait = next((wait for wait in waits(store(), store().load(game)) if wait.seat == wanted.seat), None)
    if wait is None:
        raise BadInput("seat", "the game is not waiting for this seat")
    deadlines.keep(store(), game, deadlines.extend(rule, wait.seat, wait.since, wanted.hours))
    return time(game)


@bp.post("/seats/<seat>/wanted")
def call_for_substitute(game: str, seat: str) -> Response:
    """Call for somebody who goes on with a seat: the people of all other seats are written to. The umpire's alone.

    The call stands on the group's page until somebody is put into the seat, or it is called off.
    """
    people.must_be_umpire(acting_seat(game).id)
    table = store().load(game)
    if seat not in table.sides:
        raise BadInput("seat", "there is no such side")
    slow_down("mails")
    people.call_for_substitute(store(), game, seat)
    day = store().now()[:10]
    for who in people.people(store(), game):
        if who.seat != seat:
            postman().write(who, f"wanted {seat} {day}", partial(mail.substitute_search, table, who, seat))
    return answer({"done": True})


@bp.delete("/seats/<seat>/wanted")
def call_off(game: str, seat: str) -> Response:
    """Nobody is wanted for a seat any more; the umpire's alone."""
    people.must_be_umpire(acting_seat(game).id)
    people.call_off(store(), game, seat)
    return answer({"done": True})


# Standing orders -------------------------------------------------------------------------------------


@bp.get("/orders")
def standing(game: str) -> Response:
    """The questions that a standing order may answer, and what this seat has ordered."""
    seat = current_seat(game).id
    ordered = orders.orders(store(), game, seat)
    known = orders.questions(store().game(game).system)
    return answer(
        {
            "seat": seat,
            "orders": {each.id: ordered.get(each.id, orders.Order()).written for each in known},
            "answers": {each.id: [a for a in orders.ANSWERS if a != "do" or each.does] for each in known},
            "least": [each.id for each in known if each.rolls],
        }
    )


@bp.put("/orders")
def order(game: str) -> Response:
    """Set standing orders of this seat; what is not named stays."""
    seat, wanted = acting_seat(game).id, read_input(Ordered)
    orders.keep(store(), game, seat, wanted.orders)
    postman().start()
    if store().election.is_ours:  # else the elected process looks at it within half a minute
        postman().look_soon(game)
    return standing(game)


# Letters ---------------------------------------------------------------------------------------------


@bp.get("/letters")
def post(game: str) -> Response:
    """The letters that this seat may read, and how many it has not opened."""
    seat = current_seat(game).id
    found = [plain(each) for each in letters.letters(store(), game, seat)]
    return answer({"letters": found, "unread": letters.unread(store(), game, seat), "to": receivers(game, seat)})


def receivers(game: str, seat: str) -> tuple[str, ...]:
    """Whom a seat may write to."""
    return () if seat == SPECTATOR else letters.receivers(store(), game, seat)


@bp.post("/letters")
def send(game: str) -> Response:
    """Write a letter to all or to one seat; nobody else reads it. The same `key` again returns the first letter."""
    seat, wanted = acting_seat(game).id, read_input(Written)
    slow_down("letters")
    letter, is_new = letters.send(store(), game, seat, wanted.to, wanted.text, wanted.key)
    if is_new:
        postman().write_letter(game, letter)
    return answer(plain(letter), 201)


# -- The API of devices: a browser asks to be told when its seat is waited for. The page's script uses it too.

devices_bp = Blueprint("devices_api", __name__, url_prefix="/api/v1/games/<game>/devices")
answer_in_json(devices_bp)


class Keys(Input, frozen=True):
    """What seals messages to a browser, as `PushSubscription.toJSON` gives it (base64url)."""

    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class Asked(Input, frozen=True):
    """A browser that asks to be told: the address at its push service and its keys."""

    endpoint: Annotated[str, Meta(max_length=2000)]
    keys: Keys


def device_json(device: Device) -> dict[str, Any]:
    """A device as its seat may see it: never its address, which is as good as a key."""
    return {"id": device.id, "service": device.service, "made": device.made}


def devices_json(game: str, seat: str) -> dict[str, Any]:
    """The devices of a seat, and the key to which a browser ties its consent."""
    key = devices.encode(devices.public(devices.own_key(store())))
    those = () if seat == SPECTATOR else devices.devices(store(), game, seat)
    return {"key": key, "devices": [device_json(each) for each in those]}


@devices_bp.get("")
def index(game: str) -> Response:
    """The devices of this seat, and the server's public key."""
    return answer(devices_json(game, current_seat(game).side))


@devices_bp.post("")
def add(game: str) -> Response:
    """A browser of this seat asks to be told, by web push, when the seat is waited for or written to."""
    seat, wanted = acting_seat(game), body(Asked)
    slow_down("mails")
    near = bool(current_app.config.get("CALLS_MAY_STAY_HOME"))
    made = devices.add(
        store(),
        game,
        seat.side,
        _person(game, seat.side),
        wanted.endpoint,
        wanted.keys.p256dh,
        wanted.keys.auth,
        str(get_locale() or "en"),
        root(),
        near,
        records.token_hash(g.token),
    )
    postman().start()
    return answer(device_json(made), 201)


@devices_bp.delete("/<int:id>")
def remove(game: str, id: int) -> Response:
    """This seat does without a device."""
    devices.remove(store(), game, acting_seat(game).side, id)
    return answer({"done": True})


@devices_bp.post("/<int:id>/trial", endpoint="trial")
def try_device(game: str, id: int) -> Response:
    """Tell a device something now, to see whether it comes through."""
    device = devices.device_of(store(), game, id, acting_seat(game).side)
    slow_down("mails")
    postman().try_device(device)
    return answer({"done": True})


def _person(game: str, seat: str) -> int:
    """Whose own link the browser came by; 0 for the seat's."""
    token = g.get("token")
    if not token:
        return 0
    known = store().file.rows(
        "select id from people where game = ? and seat = ? and token = ?", game, seat, records.token_hash(token)
    )
    return int(known[0]["id"]) if known else 0
