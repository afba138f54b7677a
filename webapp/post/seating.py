"""Asking for a seat: who knows a game's code asks, the umpire or the organizer answers; the API of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from flask import Blueprint, Response, make_response, render_template, request, session
from flask_babel import get_locale
from msgspec import Meta

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, Input, Record, plain
from webapp.api.errors import answer as json_answer
from webapp.api.errors import answer_in_json
from webapp.http import operations
from webapp.http.addresses import root
from webapp.http.forms import body
from webapp.http.language import gettext as _
from webapp.http.rate_limit import slow_down
from webapp.http.seats import NoSeat, acting_seat, bearer, current_seat, held_seats, store
from webapp.post import people
from webapp.presenting import campaign_labels
from webapp.presenting.battle_labels import seat_name
from webapp.presenting.labels import translate
from webapp.storage.errors import Barred, Refused, Unknown
from webapp.storage.journal import records
from webapp.storage.journal.store import Store, touch
from webapp.storage.services.archive import most

# -- Requests for a seat: told to the umpire and the organizer alone. No Flask.
#
# Who asks holds a secret of his own. When the umpire says yes it becomes the token of a person in that seat, so that
# nothing has to be handed over, an answer that is lost is asked for again, and only hashes are kept.

MOST = most("seat requests")  # requests of a game that wait at once
REQUESTS_KEPT = 60  # requests of a game that are remembered, with those that were answered
FIELDS = "id, game, seat, name, time, state"


class Request(Record, frozen=True):
    """Somebody who asks for a seat: which, by what name, since when, and what was answered."""

    id: int
    game: str
    seat: str
    name: str
    time: str
    state: Literal["open", "given", "refused"]


class Guest(Record, frozen=True):
    """Who asks: the language of his page, how links to this server begin for him, and his secret, if he has one."""

    lang: str = "en"
    home: str = ""
    secret: str = ""


def ask_for_seat(store: Store, game: str, seat: str, name: str, guest: Guest) -> tuple[Request, str]:
    """Ask for a seat, or for another instead; the request and the guest's secret. Raises BadInput, Refused, Unknown."""
    name = people.checked_name(name)
    if seat not in store.load(game).sides:
        raise BadInput("seat", "there is no such side")
    with store.write() as db:
        before = mine(store, game, guest.secret)
        waiting = [each for each in waiting_in(store, game) if before is None or each.id != before.id]
        if len(waiting) >= MOST:
            raise Refused("Too many people are already waiting for a seat; the umpire must answer them first.")
        secret = guest.secret if before is not None and before.state != "given" else records.token()
        row = {
            "game": game,
            "seat": seat,
            "name": name,
            "lang": guest.lang,
            "home": guest.home,
            "time": store.now(),
            "state": "open",
            "token": records.token_hash(secret),
        }
        db.conn.execute("delete from seat_requests where token = ?", (row["token"],))
        db.table("seat_requests").insert(row)
        db.conn.execute(
            "delete from seat_requests where game = ? and state != 'open' and id not in"
            " (select id from seat_requests where game = ? order by id desc limit ?)",
            (game, game, REQUESTS_KEPT),
        )
    refresh_pages(store, game)
    made = mine(store, game, secret)
    if made is None:
        raise Unknown("There is no such game.")
    return made, secret


def withdraw(store: Store, game: str, secret: str) -> None:
    """Ask no more; nothing happens where the request was answered."""
    with store.write() as db:
        gone = db.conn.execute(
            "delete from seat_requests where game = ? and token = ? and state = 'open'",
            (game, records.token_hash(secret)),
        ).rowcount
    if gone:
        refresh_pages(store, game)


def answer(store: Store, game: str, id: int, yes: bool) -> Request:
    """Say yes or no to a request; said twice it counts once. Raises BadInput, Refused, Unknown."""
    state = "given" if yes else "refused"
    with store.write() as db:
        sql = "update seat_requests set state = ? where game = ? and id = ? and state = 'open'"
        is_first = db.conn.execute(sql, (state, game, id)).rowcount == 1
        rows = store.file.rows(
            f"select {FIELDS}, lang, home, token from seat_requests where game = ? and id = ?", game, id
        )
        if not rows:
            raise Unknown("There is no such request in this game.")
        row = rows[0]
        if row["state"] != state:
            raise Refused("This request has already been answered.")
        if is_first and yes:
            new = people.Newcomer(row["seat"], row["name"], "", "player", "", row["lang"], row["home"])
            people.invite(store, game, new, row["token"])
    if is_first:
        refresh_pages(store, game)
    return Request(**{name: row[name] for name in FIELDS.split(", ")})


def waiting_in(store: Store, game: str) -> tuple[Request, ...]:
    """The requests that wait for an answer, the oldest first."""
    rows = store.file.rows(f"select {FIELDS} from seat_requests where game = ? and state = 'open' order by id", game)
    return tuple(Request(**row) for row in rows)


def mine(store: Store, game: str, secret: str) -> Request | None:
    """The request of whoever holds this secret."""
    rows = store.file.rows(
        f"select {FIELDS} from seat_requests where game = ? and token = ?", game, records.token_hash(secret)
    )
    return Request(**rows[0]) if rows else None


def refresh_pages(store: Store, game: str) -> None:
    """Pages that are open look again: the umpire's, and the guest's."""
    touch(store, game)


def sitters(store: Store, game: str, seat: str) -> str:
    """Who plays in a seat: its name, and the people in it."""
    names = [known.name for known in store.seats(game) if known.id == seat and known.name]
    return ", ".join(dict.fromkeys((*names, *(who.name for who in people.people(store, game) if who.seat == seat))))


def games_waiting(store: Store) -> tuple[str, ...]:
    """The games in which somebody waits for an answer."""
    rows = store.file.rows("select distinct game from seat_requests where state = 'open' order by game")
    return tuple(row["game"] for row in rows)


# -- The page of whoever knows a game's code and has no seat: look on, or ask for one and see what is answered.

PLACE = "asked"  # of the session: [game, secret] for each game in which this browser has asked
KEPT = 6  # of them


def secret_of(game: str) -> str:
    """The secret with which this browser has asked for a seat of the game; empty when it never did."""
    return next((secret for code, secret in reversed(session.get(PLACE, [])) if code == game), "")


def remember_secret(game: str, secret: str) -> None:
    """Keep what this browser has asked with."""
    others = [pair for pair in session.get(PLACE, []) if pair[0] != game]
    session[PLACE] = [*others, [game, secret]][-KEPT:]
    session.permanent = True


def guest(game: str) -> Guest:
    """Who asks in this request."""
    return Guest(str(get_locale() or "en"), root(), secret_of(game))


def page_values(game: str, problem: str = "") -> dict[str, Any]:
    """What the page shows: the game, its sides and who sits there, and how the own request stands."""
    table = store().load(game).for_seat(SPECTATOR)
    secret = secret_of(game)
    request = mine(store(), game, secret) if secret else None
    return {
        "game": table.game,
        "title": translate(table.game.title),
        "problem": problem,
        "request": request,
        "seat": title_of(game, request.seat) if request else "",
        "sides": [(side, title_of(game, side), sitters(store(), game, side)) for side in table.sides],
        "held": [(seat.id, title_of(game, seat.id)) for seat in held_seats(game)],
        "name": request.name if request else "",
    }


def page(game: str, problem: str = "") -> str:
    """The whole page."""
    return render_template("seating/ask.html", **page_values(game, problem))


def title_of(game: str, seat: str) -> str:
    """What a seat is called on pages."""
    table = store().load(game)
    if table.game.system == "galley":
        return seat_name(table.view(SPECTATOR), seat)
    return campaign_labels.seat_name(table.state, seat)


def request_sentence(request: Request) -> str:
    """A request in words, for who answers it."""
    return _("%(name)s asks for the seat %(seat)s.", name=request.name, seat=title_of(request.game, request.seat))


# -- Who comes without a seat, or to a game that does not exist: how to get in.


def no_seat(fault: NoSeat) -> Any:
    """Nobody's page: say how to get a seat. A page that was open is sent there."""
    game = (request.view_args or {}).get("game", "")
    if request.headers.get("HX-Request"):
        answer = make_response("", 204)
        answer.headers["HX-Redirect"] = f"/g/{game}"
        return answer
    return page(game), 401


def unknown(fault: Unknown) -> Any:
    """No such game, ship or entry."""
    return operations.not_found(fault)


# -- The API of asking for a seat: who knows the code asks; the umpire looks and answers; the guest looks again.

bp = Blueprint("seating_api", __name__, url_prefix="/api/v1/games/<game>")
answer_in_json(bp)


class Asked(Input, frozen=True):
    """A seat that somebody asks for, and his name; `token` is that of an earlier request, which this one replaces."""

    seat: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=300)]
    token: Annotated[str, Meta(max_length=200)] = ""


class Answered(Input, frozen=True):
    """Yes or no."""

    yes: bool


@bp.post("/requests")
def ask(game: str) -> Response:
    """Ask for a seat by its side and a name; the `token` in the answer is the seat's once the umpire says yes."""
    wanted = body(Asked)
    store().game(game)
    slow_down("seats")
    guest = Guest(str(get_locale() or "en"), root(), wanted.token)
    made, secret = ask_for_seat(store(), game, wanted.seat, wanted.name, guest)
    return json_answer({**request_json(made), "token": secret}, 201)


@bp.get("/requests")
def index(game: str) -> Response:
    """The requests that wait, for the umpire; for whoever has asked (by his token) his own, with its answer."""
    store().game(game)
    token = bearer()
    own = mine(store(), game, token) if token else None
    if own is not None:
        return json_answer({"requests": [request_json(own)]})
    if current_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can give out seats.")
    return json_answer({"requests": [request_json(each) for each in waiting_in(store(), game)]})


@bp.post("/requests/<int:id>")
def say(game: str, id: int) -> Response:
    """Say yes or no to a request; the umpire's alone."""
    if acting_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can give out seats.")
    return json_answer(request_json(answer(store(), game, id, body(Answered).yes)))


def request_json(request: Request) -> dict[str, Any]:
    """A request as those see it whom it concerns; its state is `open`, `given` or `refused`."""
    return {name: value for name, value in plain(request).items() if name != "game"}
