"""Who plays: people of a seat, their charges, who acted, which address has said yes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, get_args

from flask import g, has_request_context, request
from sqlite_utils import Database

from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Outcome, event
from tactical.kernel.record import NAME_LETTERS, BadInput, Record, clean_name
from webapp.http.forms import count
from webapp.storage.errors import Barred, Unknown
from webapp.storage.file.database import end_token, rows
from webapp.storage.journal import records
from webapp.storage.journal.records import Seat, Table
from webapp.storage.journal.store import Store, touch
from webapp.storage.journal.writing import Repository
from webapp.storage.services.archive import most

# -- Which address has said yes to mail from which game. No Flask.
#
# An address gets one invitation from a game, and nothing else until its owner has said yes by the link in it. The
# secret
# of that link is the address's own: it stands in its mails and nowhere else, so that who puts an address into a game
# cannot answer in its place. The same secret ends mail, and lets it come again.

Answer = Literal["asked", "yes", "no"]
ASKED, YES, NO = "asked", "yes", "no"


class Consent(Record, frozen=True):
    """What the owner of an address has answered to a game; `asked` as long as he has not."""

    game: str
    address: str
    answer: Answer


def ask(store: Store, game: str, address: str) -> bool:
    """Note that an address is asked; False where it has been asked from this game before."""
    with store.write() as db:
        done = db.conn.execute(
            "insert or ignore into addresses (game, address, secret, answer, asked) values (?, lower(?), ?, ?, ?)",
            (game, address, records.token(), ASKED, store.now()),
        )
    return done.rowcount > 0


def forget(store: Store, game: str, address: str) -> None:
    """An address was not asked after all: it may be asked another day."""
    with store.write() as db:
        db.conn.execute("delete from addresses where game = ? and address = lower(?)", (game, address))


def consent_of(store: Store, secret: str) -> Consent:
    """The consent to which the secret of a link belongs. Raises Unknown."""
    rows = store.file.rows("select game, address, answer from addresses where secret = ?", secret)
    if not rows:
        raise Unknown("This link is unknown: the game may have been deleted.")
    return Consent(**rows[0])


def accept(store: Store, secret: str) -> Consent:
    """Say yes to mail: it comes at once where it had been ended. Raises Unknown."""
    found = consent_of(store, secret)
    with store.write() as db:
        db.conn.execute("update addresses set answer = ? where secret = ?", (YES, secret))
        db.conn.execute(
            "update people set mails = 'at_once' where game = ? and lower(address) = ? and mails = 'never'",
            (found.game, found.address),
        )
    return consent_of(store, secret)


def refuse(store: Store, secret: str) -> Consent:
    """Say no to mail, which ends it; links of mails that earlier versions wrote do so too. Raises Unknown."""
    older = "select game, lower(address) as address from people where stop = ? and address != ''"
    named = store.file.rows("select game, address from addresses where secret = ?", secret)
    found = named or (store.file.rows(older, secret) if secret else [])
    if not found:
        raise Unknown("This link is unknown: the game may have been deleted.")
    game, address = found[0]["game"], found[0]["address"]
    with store.write() as db:
        db.conn.execute("update addresses set answer = ? where game = ? and address = ?", (NO, game, address))
        db.conn.execute("update people set mails = 'never' where game = ? and lower(address) = ?", (game, address))
        db.conn.execute(
            "delete from outbox where game = ? and lower(address) = ? and device = 0 and sent is null", (game, address)
        )
    return Consent(game, address, "no")


# -- Who plays: several people may share a seat, each with a name, an address, a duty and a link of his own. No Flask.

Role = Literal["player", "deputy"]
Mails = Literal["at_once", "daily", "never"]
ROLES: tuple[Role, ...] = get_args(Role)
MAILS: tuple[Mails, ...] = get_args(Mails)
MOST = most("people")  # people in one game
ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"\\]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*", re.IGNORECASE)
FIELDS = "id, people.game, seat, name, people.address, role, duty, charge, lang, mails, home, away_from, away_until"
CONSENT = "coalesce(addresses.secret, '') as stop, coalesce(addresses.answer, '') as consent"
ASKED_ADDRESSES = (
    "addresses on addresses.game = people.game and addresses.address = lower(people.address)"  # see `consents`
)


def box_of(address: str) -> str:
    """Whose box an address leads to: capitals and what follows a plus sign lead to the same one."""
    name, _, machine = address.lower().rpartition("@")
    return f"{name.partition('+')[0]}@{machine}"


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
        f"select {FIELDS}, {CONSENT} from people left join {ASKED_ADDRESSES} where people.game = ?"
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


def known_as(store: Store, address: str) -> tuple[Person, ...]:
    """Who has said yes to mail to this box from a game that is not over, the newest first."""
    rows = store.file.rows(
        f"select {FIELDS}, {CONSENT} from people left join {ASKED_ADDRESSES} where answer = 'yes'"
        " and lower(people.address) like ? and people.game in (select id from games where over = 0) order by id desc",
        f"%{address.lower().rpartition('@')[2]}",
    )
    those = (Person(**{**row, "charge": tuple(row["charge"].splitlines())}) for row in rows)
    return tuple(who for who in those if box_of(who.address) == box_of(address))


def has_refused(store: Store, address: str) -> bool:
    """Has the owner of an address said no to mail from any game?"""
    return bool(store.file.rows("select 1 from addresses where address = lower(?) and answer = 'no'", address))


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
    token = "" if hashed else records.token()
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
        "token": hashed or records.token_hash(token),
    }
    with store.write() as db:
        db.conn.execute("delete from wanted where game = ? and seat = ?", (game, new.seat))
        made = db.conn.execute(
            f"insert into people ({', '.join(row)}) values ({', '.join('?' * len(row))})", tuple(row.values())
        ).lastrowid
    return person(store, game, int(made or 0)), token


def new_link(store: Store, game: str, id: int) -> str:
    """A new token for somebody's link; the old one ends with all that hangs on it. Raises Unknown."""
    token = records.token()
    with store.write() as db:
        _end(db, game, id)
        db.conn.execute("update people set token = ? where game = ? and id = ?", (records.token_hash(token), game, id))
    return token


def part(store: Store, game: str, id: int) -> None:
    """Somebody leaves the game: his mail ends, his link and all that hangs on it (see `tables`). Raises Unknown."""
    with store.write() as db:
        _end(db, game, id)
        db.conn.execute("delete from people where game = ? and id = ?", (game, id))
        db.conn.execute("delete from outbox where game = ? and person = ? and sent is null", (game, id))


def call_for_substitute(store: Store, game: str, seat: str) -> None:
    """Note that somebody is wanted for a seat, until one is put into it or `call_off`."""
    with store.write() as db:
        row = {"game": game, "seat": seat, "time": store.now()}
        db.table("wanted").insert(row, replace=True)
        touch(store, game)


def call_off(store: Store, game: str, seat: str) -> None:
    """Nobody is wanted for a seat any more."""
    with store.write() as db:
        db.conn.execute("delete from wanted where game = ? and seat = ?", (game, seat))
        touch(store, game)


def wanted(store: Store, game: str) -> tuple[str, ...]:
    """The seats for which a substitute is wanted, the oldest call first."""
    return tuple(row["seat"] for row in store.file.rows("select seat from wanted where game = ? order by time", game))


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


# -- Lists of people: pasted, a person a line, or out of the club's address book. No Flask.
#
# The book is kept in the file of games beside them. What stands in it leaves to the organizer alone.

MOST_LISTED, MOST_IN_BOOK = 40, 500
COUNTED = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•–])\s+")  # what numbers the lines of a list
NEXT = re.compile(r"(?<=>)\s*[,;]")  # what parts the people of one line


class Listed(Record, frozen=True):
    """Somebody of a list: his name, his address (or none), and the seat that is meant for him (or none).

    `id`: his place in the address book; 0 for who was pasted. `rating` (0: none) and `club` are for a season's players.
    """

    name: str
    address: str = ""
    seat: str = ""
    id: int = 0
    rating: int = 0
    club: str = ""


def read_list(text: str, seats: Mapping[str, str] | None = None, with_rating: bool = False) -> tuple[Listed, ...]:
    """The people of a pasted list: "Anna Rossi", "Anna Rossi, anna@club.example", "Anna <anna@club.example>".

    Lines may be numbered, and one that was copied from a mail may have several people. `with_rating`: a rating and a
    club may follow the name ("Anna Rossi, 1850, C.N. Ostia"); where semicolons or tabs part them, the name may have a
    comma, as it may in quotes. `seats`: what a line may begin with ("Rhodes: Anna"), by its casefolded word, each with
    its seat. Raises BadInput, which names the line.
    """
    found = []
    pieces = ((number, each) for number, line in enumerate(text.splitlines(), 1) for each in NEXT.split(line))
    for number, line in ((number, COUNTED.sub("", each)) for number, each in pieces):
        if not line.strip():
            continue
        before, colon, after = line.partition(":")
        seat = (seats or {}).get(before.strip().casefold(), "") if colon else ""
        if colon and seats and not seat:
            raise BadInput("list", "line %(line)s: there is no seat called %(seat)s", line=number, seat=before.strip())
        rest = after if seat else line
        address = ADDRESS.search(rest)
        rest = rest[: address.start()] + rest[address.end() :] if address else rest
        sign = next((sign for sign in "\t;" if sign in rest), ",") if with_rating else "\0"
        parts = next(csv.reader([rest.strip(" \t,;<>")], delimiter=sign, skipinitialspace=True)) or [""]
        name, *more = (clean_name(part.strip(" \t,;<>")) for part in parts)
        rating = next((told for part in more if len(part) <= 4 and (told := count(part)) is not None), 0)
        club = next((part for part in more if part and not part.isdigit()), "")
        if not 1 <= len(name) <= NAME_LETTERS or "@" in name:
            raise BadInput(
                "list", "line %(line)s: write a name, or a name, a comma and an address for mail", line=number
            )
        found.append(Listed(name, checked_address(address[0]) if address else "", seat, rating=rating, club=club))
    if len(found) > MOST_LISTED:
        raise BadInput("list", "a list may have at most %(most)s people", most=MOST_LISTED)
    return tuple(found)


def address_book(store: Store) -> tuple[Listed, ...]:
    """The people of the club's address book, by name."""
    rows = store.file.rows("select id, name, address from club_people order by name collate nocase, id")
    return tuple(Listed(**row) for row in rows)


def write_down(store: Store, those: Iterable[Listed]) -> None:
    """Put people into the book; who stands in it under the same name gets the new address. Raises BadInput."""
    known = {each.name.casefold(): each.id for each in address_book(store)}
    with store.write() as db:
        for each in those:
            row = {"name": each.name, "address": each.address}
            if (id := known.get(each.name.casefold())) is not None:
                db.table("club_people").update(id, row)
            else:
                known[each.name.casefold()] = int(db.table("club_people").insert(row).last_pk or 0)
        if len(known) > MOST_IN_BOOK:
            raise BadInput("list", "the address book may have at most %(most)s people", most=MOST_IN_BOOK)


def cross_out(store: Store, id: int) -> None:
    """Take somebody out of the book."""
    with store.write() as db:
        db.conn.execute("delete from club_people where id = ?", (id,))


# -- People of one side who each have charge of some of its pieces (O1.4): who has which, and what each may command.


def pieces_of(table: Table, side: str) -> Mapping[str, str]:
    """The pieces of a side of which somebody may have charge, by id, with their names; none in most systems."""
    charges = table.system.charges
    return {} if charges is None or side not in table.sides else charges.pieces(table.state, side)


def entrust(store: Store, game: str, id: int, pieces: tuple[str, ...]) -> Person:
    """Give somebody charge of these pieces of his side alone, or of all (none named). Raises BadInput, Unknown."""
    who = person(store, game, id)
    if not set(pieces) <= {*pieces_of(store.load(game), who.seat), *who.charge}:
        raise BadInput("pieces", "these are not all fleets of this side")
    kept = "\n".join(sorted(set(pieces)))
    with store.write() as db:
        db.conn.execute("update people set charge = ? where game = ? and id = ?", (kept, game, id))
    return person(store, game, id)


def check_charge(table: Table, charge: tuple[str, ...], command: object) -> None:
    """Raises Barred for a command that is not for who has this charge to give."""
    charges = table.system.charges
    if charge and charges is not None and not charges.may_give(table.state, command, charge):
        raise Barred("You have charge of other fleets: the commander of your side can do this.")


def bar_others(
    store: Repository, table: Table, seat: str, command: object, outcome: Outcome[object]
) -> tuple[Event, ...]:
    """Within a command's transaction: who has charge of single pieces commands no others."""
    who: Seat | None = g.get("holder") if has_request_context() else None
    if who is not None and who.game == table.game.id == (request.view_args or {}).get("game") and who.id == seat:
        check_charge(table, who.charge, command)
    return ()


# -- Who of several people in one seat gave a command: by the link that he opened, marked in the command's entry.

ACTED = "acted"  # the event


def mark_actor(store: Repository, table: Table, seat: str, command: Any, outcome: Outcome[Any]) -> tuple[Event, ...]:
    """His name and what he has charge of, where his seat has others too; nothing for a seat's own link."""
    who: Seat | None = g.get("holder") if has_request_context() else None
    if who is None or who.duty is None or who.id != seat:
        return ()
    several = store.file.rows("select count(*) as many from people where game = ? and seat = ?", who.game, seat)
    if several[0]["many"] < 2:
        return ()
    return (event("", ACTED, side=seat, name=who.name, duty=who.duty),)
