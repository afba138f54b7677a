"""Who plays: several people may share a seat, each with a name, an address, a duty and a link of his own. No Flask."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Literal, get_args

from sqlite_utils import Database

from tactical.kernel.proper_names import NAME_LETTERS, clean_name
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, Record
from webapp.storage.errors import Barred, Unknown
from webapp.storage.file.database import rows
from webapp.storage.file.tables import end_token
from webapp.storage.journal import tokens
from webapp.storage.journal.store import Store
from webapp.storage.services.limits import most

Role = Literal["player", "deputy"]
Mails = Literal["at_once", "daily", "never"]
ROLES: tuple[Role, ...] = get_args(Role)
MAILS: tuple[Mails, ...] = get_args(Mails)
MOST = most("people")  # people in one game
ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"\\]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*", re.IGNORECASE)
FIELDS = "id, people.game, seat, name, people.address, role, duty, charge, lang, mails, home, away_from, away_until"
CONSENT = "coalesce(addresses.secret, '') as stop, coalesce(addresses.answer, '') as consent"
ASKED = "addresses on addresses.game = people.game and addresses.address = lower(people.address)"  # see `consents`


class Person(Record, frozen=True):
    """Somebody who plays in a seat. `duty` is what he has charge of, in words ("admiral of the western fleet").

    `charge`: the pieces of his side that he commands alone (see `charges`); none where he commands them all.

    A deputy plays while every player of the seat is away. `home` is how links to this server begin, `stop` the
    secret of the links by which the owner of his address says yes or no to mail, `consent` what he has answered (see
    `consents`; empty while he was not asked); `away_from` and `away_until` are days, both included.
    """

    id: int
    game: str
    seat: str
    name: str
    address: str
    role: Role
    duty: str
    lang: str
    mails: Mails
    home: str
    away_from: str
    away_until: str
    stop: str
    consent: str
    charge: tuple[str, ...] = ()

    def is_away(self, day: date) -> bool:
        """Is this one of the days on which he does not play?"""
        return bool(self.away_from and self.away_until) and self.away_from <= day.isoformat() <= self.away_until


def people(store: Store, game: str) -> tuple[Person, ...]:
    """Everybody in a game, by seat, players before deputies."""
    rows = store.file.rows(
        f"select {FIELDS}, {CONSENT} from people left join {ASKED} where people.game = ?"
        " order by seat, role = 'deputy', id",
        game,
    )
    return tuple(Person(**{**row, "charge": tuple(row["charge"].splitlines())}) for row in rows)


def person(store: Store, game: str, id: int) -> Person:
    """One of them. Raises Unknown."""
    found = next((each for each in people(store, game) if each.id == id), None)
    if found is None:
        raise Unknown("There is no such person in this game.")
    return found


def in_charge(those: Iterable[Person], seat: str, day: date | None = None) -> tuple[Person, ...]:
    """Who plays a seat on a day: its players who are there, else its deputies who are, else nobody."""
    day = day or datetime.now(UTC).date()
    there = [each for each in those if each.seat == seat and not each.is_away(day)]
    players = tuple(each for each in there if each.role == "player")
    return players or tuple(each for each in there if each.role == "deputy")


def back_on(those: Iterable[Person], seat: str, day: date) -> date:
    """The first day from `day` on which somebody plays the seat; `day` itself for a seat without people."""
    of_seat = [each for each in those if each.seat == seat]
    while of_seat and not in_charge(of_seat, seat, day):
        day += timedelta(days=1)
    return day


class Newcomer(Record, frozen=True):
    """Somebody who is put into a seat."""

    seat: str
    name: str
    address: str
    role: str
    duty: str
    lang: str
    home: str


def invite(store: Store, game: str, new: Newcomer, hashed: str = "") -> tuple[Person, str]:
    """Put somebody into a seat; he and the token of his own link. Raises BadInput, Unknown.

    `hashed` is the hash of a secret that he holds already and that becomes his token; none is drawn then.
    """
    if new.seat not in {each.id for each in store.seats(game)} or new.seat == SPECTATOR:
        raise BadInput("seat", "there is no such seat for a player")
    if len(people(store, game)) >= MOST:
        raise BadInput("name", "a game may have at most %(most)s people", most=MOST)
    if new.role not in ROLES:
        raise BadInput("role", "expected player or deputy")
    token = "" if hashed else tokens.token()
    row = {
        "game": game,
        "seat": new.seat,
        "name": checked_name(new.name),
        "address": checked_address(new.address),
        "role": new.role,
        "duty": checked_duty(new.duty),
        "lang": new.lang,
        "mails": "at_once",
        "home": new.home,
        "away_from": "",
        "away_until": "",
        "stop": "",
        "token": hashed or tokens.token_hash(token),
    }
    with store.write() as db:
        made = db.conn.execute(
            f"insert into people ({', '.join(row)}) values ({', '.join('?' * len(row))})", tuple(row.values())
        ).lastrowid
    return person(store, game, int(made or 0)), token


def new_link(store: Store, game: str, id: int) -> str:
    """A new token for somebody's link; the old one ends with all that hangs on it. Raises Unknown."""
    token = tokens.token()
    with store.write() as db:
        _end(db, game, id)
        db.conn.execute("update people set token = ? where game = ? and id = ?", (tokens.token_hash(token), game, id))
    return token


def part(store: Store, game: str, id: int) -> None:
    """Somebody leaves the game: his mail ends, his link and all that hangs on it (see `tables`). Raises Unknown."""
    with store.write() as db:
        _end(db, game, id)
        db.conn.execute("delete from people where game = ? and id = ?", (game, id))
        db.conn.execute("delete from outbox where game = ? and person = ? and sent is null", (game, id))


def _end(db: Database, game: str, id: int) -> None:
    """End what hangs on a person's token; his address, if its invitation has not left, is not asked. Raises Unknown."""
    found = rows(db, "select seat, token, address from people where game = ? and id = ?", game, id)
    if not found:
        raise Unknown("There is no such person in this game.")
    waits = "sent is null and tries = 0 and next_try is null and device = 0 and name like '% invitation %'"
    db.conn.execute(
        "delete from addresses where game = ?1 and address = lower(?2) and answer = 'asked'"
        f" and exists (select 1 from outbox where game = ?1 and person = ?3 and {waits})",
        (game, found[0]["address"], id),
    )
    end_token(db, game, found[0]["seat"], found[0]["token"], id)


def change(store: Store, game: str, id: int, *, mails: str, address: str, away_from: str, away_until: str) -> None:
    """What a person says of himself: where and when he is written to, and when he is away. Raises BadInput, Unknown."""
    person(store, game, id)
    if mails not in MAILS:
        raise BadInput("mails", "choose at once, daily or never")
    first, last = checked_day(away_from, "away_from"), checked_day(away_until, "away_until")
    if bool(first) != bool(last) or first > last:
        raise BadInput("away_until", "give the first and the last day on which you are away, in this order")
    with store.write() as db:
        db.conn.execute(
            "update people set mails = ?, address = ?, away_from = ?, away_until = ? where game = ? and id = ?",
            (mails, checked_address(address), first, last, game, id),
        )


def may_change(seat: str, who: Person) -> bool:
    "A seat may change only its own people; only the umpire may change everybody's."
    return seat in (who.seat, UMPIRE)


def must_be_umpire(seat: str) -> None:
    """Barred for everybody else."""
    if seat != UMPIRE:
        raise Barred("Only the umpire can say who plays and until when.")


def checked_name(text: str) -> str:
    """A name. Raises BadInput."""
    text = clean_name(text)
    if not 1 <= len(text) <= NAME_LETTERS:
        raise BadInput("name", "a name must have 1 to 60 characters")
    return text


def checked_duty(text: str) -> str:
    """What somebody has charge of. Raises BadInput."""
    text = clean_name(text)
    if len(text) > NAME_LETTERS:
        raise BadInput("duty", "it may have at most 60 characters")
    return text


def checked_address(text: str) -> str:
    """A mail address, or none. Raises BadInput."""
    text = text.strip()
    if text and (len(text) > 254 or not ADDRESS.fullmatch(text)):
        raise BadInput("address", "this is not an address that mail can be sent to")
    return text


def checked_day(text: str, field: str) -> str:
    """A day as YYYY-MM-DD, or none. Raises BadInput."""
    text = text.strip()
    if not text:
        return ""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise BadInput(field, "give the day in the form 2026-12-31") from None
