"""Who is asking: sessions, bearer tokens, seats that this browser has joined, the organizer."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    g,
    has_request_context,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFProtect
from msgspec.structs import replace
from werkzeug.exceptions import ServiceUnavailable
from werkzeug.security import check_password_hash, generate_password_hash

from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput
from webapp.http.addresses import LOOPBACK, host_of, seat_path
from webapp.http.forms import count
from webapp.http.rate_limit import client_network, slow_down
from webapp.http.streams import PLACE as STREAM_PLACE
from webapp.http.streams import Hub, Stream
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.journal import records
from webapp.storage.journal.records import Seat, Table
from webapp.storage.journal.store import Store, battles_of, campaign_of, seat_in
from webapp.storage.services.backups import ON_THE_WAY, whereabouts

# -- Who is asking: a bearer token, or the seats that this browser has joined.
#
# A browser's session holds [game, seat, token] for each seat it has joined, so that several seats can share
# one tablet; `?seat=` says which of them is meant, else it is the one joined last. A seat taken by session
# needs a CSRF token to write.

bp = Blueprint("seats", __name__)
ASKING, HELD, GUESSES = (
    "navarch.asking",
    "navarch.held",
    "navarch.guesses",
)  # of one request, not of `g`, which an outer context may share
NOT_HERE = (401, 403, 404)  # what is answered about a game that has left in the meantime
READING = ("GET", "HEAD", "OPTIONS")
# What a person may do who has charge of single pieces; of a command `post.charges` asks which pieces it is about.
OF_A_CHARGE = frozenset(
    (
        "api.command",
        "api.looked",
        "devices_api.add",
        "devices_api.remove",
        "devices_api.trial",
        "game.command",
        "open_lines.read_or_give",
        "open_orders.give",
        "post.change",
        "post.change_device",
        "post.new_calendar",
        "post.send",
        "post_api.change",
        "post_api.new_calendar",
        "post_api.send",
        "post_api.trial",
        "seats.leave",
    )
)
ELSEWHERE = ("cross-site", "same-site")  # what a browser says of a link on another site's page
FORGOTTEN = "forgotten"  # of the session: the games whose umpire's seat found no more room in it
KEPT = 32  # seats a browser remembers: a cookie holds 4 KB


class Held(NamedTuple):
    """A seat of a game, the token that gives it, and whose token that is: in a battle, of its campaign's seat."""

    seat: Seat
    token: str
    holder: Seat


class NoSeat(Exception):
    """No token, or one that is nobody's."""


def store() -> Store:
    """The store of this application."""
    found: Store = current_app.extensions["navarch"].store
    return found


def bearer() -> str | None:
    """The token of the Authorization header, if there is one."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def current_seat(game: str) -> Seat:
    """The seat that asks, looked up once a request. Raises Unknown (no such game), NoSeat, Barred (of another game)."""
    known: dict[str, Held] = request.environ.setdefault(ASKING, {})
    if game not in known:
        known[game] = _asking(game)
    found = known[game]
    if found.seat.charge and request.method not in READING and request.endpoint not in OF_A_CHARGE:
        raise Barred("Only the commander of your side can do this: you have charge of single fleets.")
    g.seat, g.token, g.holder = found.seat, found.token, found.holder
    return found.seat


def seat_and_table(game: str) -> tuple[str, Table]:
    """The seat that asks, and the game as it knows it. Raises as `current_seat` does."""
    seat = current_seat(game).id
    return seat, store().load(game).for_seat(seat)


def seat_and_knowledge(game: str) -> tuple[Seat, Table]:
    """The seat that asks, and the game with what it knows for its side (`Seat.side`). Raises as `current_seat` does."""
    seat = current_seat(game)
    return seat, store().load(game).for_seat(seat.side).knowledge_for(seat.side, seat.charge)


def acting_seat(game: str) -> Seat:
    """The seat that asks for a change; by session only with the page's CSRF token.

    Raises as `current_seat` does, and CSRFError.
    """
    seat = current_seat(game)
    if bearer() is None:
        protect: CSRFProtect = current_app.extensions["navarch"].csrf
        protect.protect()
    return seat


def _asking(game: str) -> Held:
    store().game(game)
    token = bearer()
    if token is not None:
        named = store().seat_of(token)
        if named is None:
            slow_down("tokens")
            raise NoSeat("This token is unknown: it may have been withdrawn.")
        seat = seat_in(store(), game, named)
        if seat is None:
            raise Barred("This token is for a seat in another game.")
        return Held(seat_to_look(seat), token, named)
    held = _held_of_request(game)
    if not held:
        raise NoSeat("Name your seat with 'Authorization: Bearer TOKEN', or open its join link.")
    wanted = request.args.get("seat")
    return next((one for one in held if one.seat.id == wanted), held[0])


def seat_or_none(game: str) -> Seat | None:
    """The seat that asks, or None for a stranger; for pages that greet both. Raises Unknown."""
    try:
        return current_seat(game)
    except (NoSeat, Barred):
        return None


def held_seats(game: str) -> list[Seat]:
    """The seats of the game that this browser has joined and that still stand, the newest first.

    A seat in a campaign is one in its battles too (L1.4).
    """
    return [one.seat for one in _held_of_request(game)]


def held_games() -> set[str]:
    """The games in which this browser may hold a seat: those it has joined, and the battles of these campaigns."""
    joined = {code for code, _seat, _token in session.get("seats", [])}
    battles = (link.battle for code in joined for link in battles_of(store(), code))
    return joined | {battle for battle in battles if held_seats(battle)}


def _held_of_request(game: str) -> list[Held]:
    """Those seats, each with the token that gives it; looked up once a request."""
    known: dict[str, list[Held]] = request.environ.setdefault(HELD, {})
    if game not in known:
        known[game] = _read_seats(game)
    return known[game]


def _read_seats(game: str) -> list[Held]:
    link = campaign_of(store(), game)
    games = {game, link.campaign} if link else {game}
    kept = [token for code, _, token in reversed(session.get("seats", [])) if code in games]
    named = [(known, token) for token in kept if (known := store().seat_of(token)) is not None]
    found = [
        Held(seat_to_look(seat), token, known)
        for known, token in named
        if (seat := seat_in(store(), game, known)) is not None
    ]
    return list({one.seat.id: one for one in reversed(found)}.values())[::-1]


def seat_to_look(seat: Seat) -> Seat:
    """The seat as it looks on: who has charge of single pieces and does not know what his side knows, as a spectator.

    What he knows besides stands on the pages that are made for him (`Table.knowledge_for`).
    """
    if not seat.charge:
        return seat
    table = store().load(seat.game)
    knows_all = table.knowledge_for(seat.id, seat.charge) is table
    return seat if knows_all else replace(seat, id=SPECTATOR, of=seat.id)


def listen(game: str, after: int | None, *, is_seated: bool = True) -> Response:
    """The stream of a game's versions for the seat that asks, or for a stranger who may look on.

    What the client has seen is its last event, or `after`, and `?revision=`.

    Raises NoSeat, Barred, Unknown, TooMany. A server with a loop takes the stream over (`streams.PLACE`).
    """
    if is_seated:
        seat = current_seat(game).id
    else:
        store().game(game)
        seat = SPECTATOR
    hub: Hub = current_app.extensions["navarch"].hub
    resumed = count(request.headers.get("Last-Event-ID", ""))
    after = after if resumed is None else resumed
    token = records.token_hash(g.token) if is_seated else None
    stream = Stream(hub, game, after, client_network(request.remote_addr or ""), token, seat)
    stream.seen = count(request.args.get("revision", ""))
    hub.open(stream)
    request.environ[STREAM_PLACE] = stream
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream, mimetype="text/event-stream", headers=headers)


def remember(seat: Seat, token: str) -> None:
    """Keep the seat in this browser's session, as the one last joined.

    Where there are too many the oldest one goes, an umpire's only when there are no others; the next page says so.
    """
    held = [each for each in session.get("seats", []) if each[:2] != [seat.game, seat.id]]
    while len(held) >= KEPT:
        oldest = next((each for each in held if each[1] != UMPIRE), held[0])
        held.remove(oldest)
        if oldest[1] == UMPIRE:
            session[FORGOTTEN] = [*session.get(FORGOTTEN, []), oldest[0]][-8:]
    session["seats"] = [*held, [seat.game, seat.id, token]]
    session.permanent = True


@bp.app_template_global()
def forgotten_seats() -> list[str]:
    """The games whose umpire's seat this browser has forgotten, each told once."""
    games: list[str] = session.pop(FORGOTTEN, []) if FORGOTTEN in session else []
    return games


bp.add_app_template_global(lambda: KEPT, "seats_kept")


@bp.get("/join/<token>")
def join(token: str) -> ResponseReturnValue:
    """Take the seat of a link and go to its game. Only by going there: no picture, frame or script does it.

    A link on another site's page is shown first, and taken by a tap.
    """
    if request.headers.get("Sec-Fetch-Dest", "document") != "document":
        abort(403, "A seat is taken by opening its link.")
    seat = seat_of_link(token)
    if request.headers.get("Sec-Fetch-Site") in ELSEWHERE:
        return render_template("join.html", seat=seat, game=store().game(seat.game))
    return take(seat, token)


@bp.post("/join/<token>")
def join_by_tap(token: str) -> ResponseReturnValue:
    """Take the seat of a link that another site has led to."""
    return take(seat_of_link(token), token)


def seat_of_link(token: str) -> Seat:
    """The seat that a link gives. Raises NotFound, and TooMany for an address that guesses."""
    seat = store().seat_of(token)
    if seat is None:
        slow_down("tokens")
        abort(404, "This link is unknown: ask the umpire for a new one.")
    return seat


def take(seat: Seat, token: str) -> ResponseReturnValue:
    """Sit down and go to the game."""
    remember(seat, token)
    looks = seat_to_look(seat).id
    return redirect(seat_path(seat.game, looks), 303 if request.method == "POST" else 302)


@bp.post("/leave/<game>")
def leave(game: str) -> ResponseReturnValue:
    """Forget the seats of a game on this browser, as on a tablet that is handed back."""
    session["seats"] = [held for held in session.get("seats", []) if held[0] != game]
    return redirect("/")


def count_guess(code: str) -> None:
    """Count a code that no game has, once in a request. Raises TooMany for an address that guesses on."""
    if has_request_context():
        guesses: set[str] = request.environ.setdefault(GUESSES, set())
        if code not in guesses:
            guesses.add(code)
            slow_down("codes")


def look_for_game() -> Any:
    """Ask the store for the game that the address names, whatever its page does, so that a guess counts.

    For one that has moved nginx asks its machine (docs/running.md); nothing else is answered then.
    """
    game = (request.view_args or {}).get("game")
    if game is None or store().find(game) is not None:
        return None
    sent_on = send_on(game)
    if sent_on is None:
        with suppress(Unknown):
            store().game(game)
    return sent_on


def follow_game(answer: Response) -> Response:
    """The answer, or that the game has moved: it may have left while this request was looking at it."""
    game = (request.view_args or {}).get("game")
    if game is None or answer.status_code not in NOT_HERE:
        return answer
    return send_on(game) or answer


def send_on(game: str) -> Response | None:
    """What a machine answers that a game has left: where it is, for nginx; None for one that did not leave."""
    machine = whereabouts(store(), game)
    if machine is None:
        return None
    if machine == ON_THE_WAY or not current_app.config["BEHIND_PROXY"]:
        moving = ServiceUnavailable("This game is moving to another machine: try again in a moment.")
        return current_app.make_response(current_app.handle_user_exception(moving))
    return Response(status=421, headers={"X-Accel-Redirect": f"@{machine}"})


def must_exist(seat: str, game: str) -> None:
    """Unknown unless the game has that seat."""
    if seat not in {known.id for known in store().seats(game)}:
        raise Unknown("There is no such seat in this game.")


# -- Who is the organizer, and who may begin a game.
#
# With a password (--organizer-password-file) the organizer is whoever has given it in this browser. Without one it is
# whoever sits at the machine itself: a request from a loopback address, under a loopback name, that no proxy has
# carried.

CARRIED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via")
PLACE = "organizer"  # of the session


def password_hash(password: str) -> str:
    """What the server keeps of a password while it runs."""
    return generate_password_hash(password)


def has_password() -> bool:
    """Is a password asked of the organizer?"""
    return bool(current_app.config.get("ORGANIZER_PASSWORD"))


def is_organizer() -> bool:
    """Does the organizer ask?"""
    if has_password():
        return hmac.compare_digest(str(session.get(PLACE, "")), _mark())
    return (
        request.remote_addr in LOOPBACK
        and host_of(request.host) in LOOPBACK
        and not current_app.config.get("BEHIND_PROXY")
        and not any(name in request.headers for name in CARRIED)
    )


def log_in(password: str) -> bool:
    """Make this browser the organizer's, if the password is right. Raises TooMany for one that guesses.

    A try is counted before it is looked at: to look costs a tenth of a second of the processor.
    """
    slow_down("tokens")
    if not check_password_hash(current_app.config["ORGANIZER_PASSWORD"], password):
        return False
    session[PLACE] = _mark()
    session.permanent = True
    return True


def log_out() -> None:
    """Make it nobody's again."""
    session.pop(PLACE, None)


def _mark() -> str:
    """What the session of the organizer holds: another password, or another start of the server, ends it."""
    return hashlib.sha256(str(current_app.config["ORGANIZER_PASSWORD"]).encode()).hexdigest()[:32]


def allow_new_game(kind: str = "games") -> None:
    """Raises Barred where only the organizer begins games, TooMany for an address that begins too many, and NoRoom
    when the file of games has grown to its limit. `kind` is `games` or `imports`."""
    mine = is_organizer()
    if current_app.config.get("ONLY_ORGANIZER_BEGINS") and not mine:
        raise Barred("On this server only the organizer can begin games.")
    slow_down("own games" if mine else kind)
    store().file.check_room()


# -- How one kind of game answers under /g/<game>: given by the battle's and the campaign's folders.

REFUSALS = (Illegal, NotYours, Refused, Stale, BadInput, Barred)


def table_of(game: str) -> str:
    """The address of the game's own page for the seat that asks."""
    return url_for("game.page", game=game, seat=current_seat(game).id)


@dataclass(frozen=True)
class GamePages:
    """How one kind of game answers.

    `page(game)` the whole page; `table(game)` the part that a live update or a tap swaps in; `again(game)` the answer
    after a change; `refused(game, fault)` the same with the sentence of a refusal; `log(game)` the journal;
    `display(game)` the television's page and `display_table(game)` what of it changes; `read(seat, seen)` says what a
    seat has read that gives a command, by its cursors; `is_still_shown(game, seat, seen, command)` whether a command
    that was sent from the page of version `seen` would stand on today's page as it stood there; `home(game)` where a
    seat's link leads.
    """

    page: Callable[[str], Any]
    table: Callable[[str], Any]
    again: Callable[[str], Any]
    refused: Callable[[str, Exception], Any]
    log: Callable[[str], Any]
    display: Callable[[str], Any]
    display_table: Callable[[str], Any]
    read: Callable[[str, int], Mapping[str, int]] = lambda seat, seen: {}
    is_still_shown: Callable[[str, str, int, Mapping[str, Any]], bool] = lambda game, seat, seen, command: False
    home: Callable[[str], str] = table_of
