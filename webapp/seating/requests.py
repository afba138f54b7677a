"""Requests for a seat: told to the umpire and the organizer alone. No Flask.

Who asks holds a secret of his own. When the umpire says yes it becomes the token of a person in that seat, so that
nothing has to be handed over, an answer that is lost is asked for again, and only hashes are kept.
"""

from __future__ import annotations

from typing import Literal

from tactical.kernel.record import BadInput, Record
from webapp.post import people
from webapp.storage import tokens
from webapp.storage.errors import Refused, Unknown
from webapp.storage.games import Store
from webapp.storage.telling import touch

MOST = 12  # requests of a game that wait at once
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
        raise BadInput("seat", "there is no such side to sit with")
    before = mine(store, game, guest.secret)
    again = before is not None and before.state != "given"
    waiting = [each for each in waiting_in(store, game) if before is None or each.id != before.id]
    if len(waiting) >= MOST:
        raise Refused("So many wait for a seat already: the umpire must answer them first.")
    secret = guest.secret if again else tokens.token()
    row = {
        "game": game, "seat": seat, "name": name, "lang": guest.lang, "home": guest.home, "time": store.now(),
        "state": "open", "token": tokens.hashed(secret),
    }  # fmt: skip
    with store.write() as db:
        db.conn.execute("delete from seat_requests where token = ?", (row["token"],))
        db.table("seat_requests").insert(row)
        db.conn.execute(
            "delete from seat_requests where game = ? and state != 'open' and id not in"
            " (select id from seat_requests where game = ? order by id desc limit ?)",
            (game, game, KEPT),
        )
    changed(store, game)
    made = mine(store, game, secret)
    if made is None:
        raise Unknown("There is no such game.")
    return made, secret


def withdraw(store: Store, game: str, secret: str) -> None:
    """Ask no more; nothing happens where the request was answered."""
    found = mine(store, game, secret)
    if found is not None and found.state == "open":
        with store.write() as db:
            db.conn.execute("delete from seat_requests where id = ?", (found.id,))
        changed(store, game)


def answer(store: Store, game: str, id: int, yes: bool) -> Request:
    """Say yes or no to a request; said twice it counts once. Raises BadInput, Refused, Unknown."""
    rows = store.file.rows(
        f"select {FIELDS}, lang, home, token from seat_requests where game = ? and id = ?", game, id
    )
    if not rows:
        raise Unknown("There is no such request in this game.")
    row, state = rows[0], "given" if yes else "refused"
    if row["state"] not in ("open", state):
        raise Refused("This request was answered before.")
    if row["state"] == "open":
        with store.write() as db:
            db.conn.execute("update seat_requests set state = ? where id = ?", (state, id))
            if yes:
                new = people.Newcomer(row["seat"], row["name"], "", "player", "", row["lang"], row["home"])
                people.invite(store, game, new, row["token"])
        changed(store, game)
    found = {name: row[name] for name in FIELDS.split(", ")} | {"state": state}
    return Request(**found)


def waiting_in(store: Store, game: str) -> tuple[Request, ...]:
    """The requests that wait for an answer, the oldest first."""
    rows = store.file.rows(f"select {FIELDS} from seat_requests where game = ? and state = 'open' order by id", game)
    return tuple(Request(**row) for row in rows)


def mine(store: Store, game: str, secret: str) -> Request | None:
    """The request of whoever holds this secret."""
    rows = store.file.rows(
        f"select {FIELDS} from seat_requests where game = ? and token = ?", game, tokens.hashed(secret)
    )
    return Request(**rows[0]) if rows else None


def changed(store: Store, game: str) -> None:
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
