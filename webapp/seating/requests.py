"""Requests for a seat: told to the umpire and the organizer alone. No Flask.

Who asks holds a secret of his own. When the umpire says yes it becomes the token of a person in that seat, so that
nothing has to be handed over, an answer that is lost is asked for again, and only hashes are kept.
"""

from __future__ import annotations

from typing import Literal

from tactical.kernel.record import BadInput, Record
from webapp.post import people
from webapp.storage.errors import Refused, Unknown
from webapp.storage.journal import tokens
from webapp.storage.journal.revisions import touch
from webapp.storage.journal.store import Store
from webapp.storage.services.limits import most

MOST = most("seat requests")  # requests of a game that wait at once
KEPT = 60  # requests of a game that are remembered, with those that were answered
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


def ask(store: Store, game: str, seat: str, name: str, guest: Guest) -> tuple[Request, str]:
    """Ask for a seat, or for another instead; the request and the guest's secret. Raises BadInput, Refused, Unknown."""
    name = people.checked_name(name)
    if seat not in store.load(game).sides:
        raise BadInput("seat", "there is no such side")
    with store.write() as db:
        before = mine(store, game, guest.secret)
        waiting = [each for each in waiting_in(store, game) if before is None or each.id != before.id]
        if len(waiting) >= MOST:
            raise Refused("Too many people are already waiting for a seat; the umpire must answer them first.")
        secret = guest.secret if before is not None and before.state != "given" else tokens.token()
        row = {
            "game": game,
            "seat": seat,
            "name": name,
            "lang": guest.lang,
            "home": guest.home,
            "time": store.now(),
            "state": "open",
            "token": tokens.token_hash(secret),
        }
        db.conn.execute("delete from seat_requests where token = ?", (row["token"],))
        db.table("seat_requests").insert(row)
        db.conn.execute(
            "delete from seat_requests where game = ? and state != 'open' and id not in"
            " (select id from seat_requests where game = ? order by id desc limit ?)",
            (game, game, KEPT),
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
            (game, tokens.token_hash(secret)),
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
        f"select {FIELDS} from seat_requests where game = ? and token = ?", game, tokens.token_hash(secret)
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
