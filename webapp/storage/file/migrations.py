"""The tables, built up step by step; a file knows by PRAGMA user_version how many steps it has taken."""

from __future__ import annotations

from collections.abc import Callable

from sqlite_utils import Database

from webapp.storage.file.database import HOLDERS, File


class TooNew(Exception):
    """The file was written by a newer program."""


def first_tables(db: Database) -> None:
    """Games, their seats and journals, first answers, cursors and the server's own secrets."""
    db.table("games").create(
        {
            "id": str,
            "system": str,
            "engine": str,
            "title": str,
            "scenario": str,
            "options": str,
            "dice": str,
            "hash": str,
            "created": str,
            "version": int,
            "head": int,
            "pulse": int,
            "waiting": str,
            "consents": str,
            "over": int,
        },
        pk="id",
        not_null={"system", "version", "head", "pulse"},
    )
    db.table("seats").create(
        {"game": str, "seat": str, "name": str, "token": str, "position": int}, pk=("game", "seat")
    )
    db.table("seats").create_index(["token"], unique=True)
    db.table("entries").create(
        {
            "game": str,
            "number": int,
            "parent": int,
            "seat": str,
            "time": str,
            "command": str,
            "rolls": str,
            "draws": str,
            "events": str,
            "on_behalf": str,
            "taken_back": int,
            "choice": str,
            "state": bytes,
        },
        pk=("game", "number"),
    )
    db.table("entries").create_index(["game", "choice"])
    db.table("keys").create({"game": str, "seat": str, "key": str, "answer": bytes}, pk=("game", "seat", "key"))
    db.table("cursors").create({"game": str, "seat": str, "version": int}, pk=("game", "seat"))
    db.table("secrets").create({"name": str, "value": str}, pk="name")


def links(db: Database) -> None:
    """L1.4 Which battle settles which engagement of which campaign."""
    db.table("links").create({"battle": str, "campaign": str, "engagement": str}, pk="battle")
    db.table("links").create_index(["campaign"])


def campaign_life(db: Database) -> None:
    """Whom to call when it is a seat's turn, and what players write into a campaign's chronicle."""
    db.table("calls").create(
        {
            "game": str,
            "seat": str,
            "url": str,
            "at_once": int,
            "daily": int,
            "home": str,
            "told": int,
            "told_at": str,
            "failure": str,
            "failed_at": str,
        },
        pk=("game", "seat"),
    )
    db.table("notes").create(
        {"id": int, "game": str, "seat": str, "entry": int, "time": str, "seen_by": str, "text": str}, pk="id"
    )
    db.table("notes").create_index(["game"])


def language_of_calls(db: Database) -> None:
    """The language in which a seat is called: that of the page on which it asked for it."""
    db.table("calls").add_column("lang", str, not_null_default="en")


def engines(db: Database) -> None:
    """By which version of the rules each entry was made; those from before have that of their game."""
    db.table("entries").add_column("engine", str, not_null_default="")
    db.conn.execute("update entries set engine = (select engine from games where games.id = entries.game)")


def captains(db: Database) -> None:
    """Which seats captains hold, why they moved as they did, where hints are off, and the forecasts."""
    db.table("captains").create(
        {
            "game": str,
            "seat": str,
            "level": str,
            "until": str,
            "turn": str,
            "roles": str,
            "given_by": str,
            "since": str,
            "fault": str,
            "pending": str,
        },
        pk=("game", "seat"),
    )
    db.table("captain_moves").create(
        {"game": str, "entry": int, "seat": str, "level": str, "choice": str}, pk=("game", "entry")
    )
    db.table("hints_off").create({"game": str}, pk="game")
    db.table("forecasts").create(
        {"id": str, "made": str, "asked": str, "start": bytes, "results": bytes, "status": str}, pk="id"
    )


def growth(db: Database) -> None:
    """Positions that stand beside earlier ones; choices taken back are found without reading the others."""
    db.table("entries").add_column("beside", int)
    db.conn.execute("drop index if exists idx_entries_game_choice")
    db.conn.execute(
        "create index idx_entries_taken_back on entries (game, choice, number) where taken_back is not null"
    )


def chains(db: Database) -> None:
    """Each entry's hash, which covers its predecessor's; entries of earlier versions have none."""
    db.table("entries").add_column("chain", str)


def groups_by_post(db: Database) -> None:
    """People in seats, letters, deadlines, standing orders, and the outbox of mail."""
    db.table("people").create(
        {
            "id": int,
            "game": str,
            "seat": str,
            "name": str,
            "address": str,
            "role": str,
            "duty": str,
            "lang": str,
            "mails": str,
            "home": str,
            "away_from": str,
            "away_until": str,
            "stop": str,
            "token": str,
        },
        pk="id",
    )
    db.table("people").create_index(["game"])
    db.table("people").create_index(["token"], unique=True)
    db.table("letters").create(
        {"id": int, "game": str, "sender": str, "receiver": str, "time": str, "entry": int, "text": str}, pk="id"
    )
    db.table("letters").create_index(["game"])
    db.table("letters_read").create({"game": str, "seat": str, "letter": int}, pk=("game", "seat"))
    db.table("deadlines").create({"game": str, "rule": str}, pk="game")
    db.table("lapses").create({"game": str, "name": str, "time": str}, pk=("game", "name"))
    db.table("orders").create(
        {"game": str, "seat": str, "question": str, "answer": str}, pk=("game", "seat", "question")
    )
    db.table("outbox").create(
        {
            "id": int,
            "name": str,
            "game": str,
            "person": int,
            "address": str,
            "subject": str,
            "body": str,
            "stop": str,
            "made": str,
            "sent": str,
            "tries": int,
            "failure": str,
            "next_try": str,
        },
        pk="id",
    )
    db.table("outbox").create_index(["name"], unique=True)
    db.table("outbox").create_index(["game"])


def revisions(db: Database) -> None:
    """What counts everything that may change a page is called what it is."""
    db.conn.execute("alter table games rename column pulse to revision")


def keeping(db: Database) -> None:
    """Games that are paused, ended, archived or shown to the public, with who did it; orders with a least chance."""
    db.table("games").add_column("halted", str, not_null_default="")
    db.table("games").add_column("archived", int, not_null_default=0)
    db.table("games").add_column("is_public", int, not_null_default=0)
    db.table("acts").create({"id": int, "game": str, "time": str, "act": str, "by": str, "about": str}, pk="id")
    db.table("acts").create_index(["game"])
    db.table("orders").add_column("least", int, not_null_default=0)


def courses(db: Database) -> None:
    """What players have planned for ships for the rest of a turn."""
    db.table("courses").create({"game": str, "ship": str, "course": str}, pk=("game", "ship"))


def photos(db: Database) -> None:
    """A note may carry a photo; its kind is a media type."""
    db.table("photos").create({"note": int, "game": str, "kind": str, "data": bytes}, pk="note")
    db.table("photos").create_index(["game"])


def seat_requests(db: Database) -> None:
    """Who asks for a seat; `token` is the hash of his own secret, which opens the seat once he has it."""
    db.table("seat_requests").create(
        {
            "id": int,
            "game": str,
            "seat": str,
            "name": str,
            "lang": str,
            "home": str,
            "time": str,
            "state": str,
            "token": str,
        },
        pk="id",
    )
    db.table("seat_requests").create_index(["game"])
    db.table("seat_requests").create_index(["token"], unique=True)


def saved_positions(db: Database) -> None:
    """Positions that people drew by hand, for others to load."""
    db.table("positions").create({"id": str, "title": str, "time": str, "ships": int, "text": str}, pk="id")


def table_photos(db: Database) -> None:
    """G1.5 A photograph of the players' own table, and the lines that are drawn on it."""
    columns = {"game": str, "number": int, "kind": str, "width": int, "height": int, "data": bytes}
    db.table("table_photos").create(columns, pk="game")
    db.table("table_lines").create({"id": int, "game": str, "seat": str, "points": str}, pk="id")
    db.table("table_lines").create_index(["game"])


def devices(db: Database) -> None:
    """The browsers that a seat has asked to tell by web push; what is sent to them waits in the outbox."""
    db.table("devices").create(
        {
            "id": int,
            "game": str,
            "seat": str,
            "person": int,
            "endpoint": str,
            "browser": str,
            "secret": str,
            "lang": str,
            "home": str,
            "made": str,
        },
        pk="id",
    )
    db.table("devices").create_index(["game"])
    db.table("outbox").add_column("device", int, not_null_default=0)


def pings(db: Database) -> None:
    """Who points at a place of the board in these seconds."""
    db.table("pings").create(
        {"id": int, "game": str, "seat": str, "x": float, "y": float, "is_open": int, "time": float}, pk="id"
    )
    db.table("pings").create_index(["game"])


def positions_of_campaigns(db: Database) -> None:
    """Whose rules a saved position follows: battles were first."""
    db.table("positions").add_column("system", str, not_null_default="galley")


def clocks(db: Database) -> None:
    """How long each side of a game has been awaited."""
    db.table("clocks").create({"game": str, "state": str}, pk="game")


def consents(db: Database) -> None:
    """Which address has said yes to mail from which game, and how many mails were written on a day.

    Whom earlier versions wrote to is written to as before. No text is left of mails that have left or were given up.
    """
    db.table("addresses").create(
        {"game": str, "address": str, "secret": str, "answer": str, "asked": str}, pk=("game", "address")
    )
    db.table("addresses").create_index(["secret"])
    db.conn.execute(
        "insert or ignore into addresses (game, address, secret, answer, asked)"
        " select game, lower(address), stop, 'yes', '' from people where address != '' order by id"
    )
    db.table("mail_counts").create({"day": str, "whose": str, "many": int}, pk=("day", "whose"))
    db.conn.execute(
        "update outbox set name = 'of old ' || id, body = '', stop = '' where sent is not null or tries > 5"
    )


def tokens_of_calls(db: Database) -> None:
    """By which token a call or a device came, and with which it ends; empty where nobody can tell any more."""
    for table in ("calls", "devices"):
        db.table(table).add_column("token", str, not_null_default="")
    db.conn.execute(
        "update devices set token = coalesce((select token from people where people.id = devices.person"
        " and people.game = devices.game), '') where person > 0"
    )
    db.conn.execute(
        "update devices set token = coalesce((select token from seats where seats.game = devices.game"
        " and seats.seat = devices.seat), '') where person = 0 and game not in (select battle from links)"
    )


def umpire_words(db: Database) -> None:
    """What an umpire adds to a side's dispatch of a turn."""
    db.table("umpire_words").create({"game": str, "side": str, "turn": int, "text": str}, pk=("game", "side", "turn"))


def departures(db: Database) -> None:
    """Where games went that left this file; a battle goes with its campaign, which is `along`."""
    db.table("moved").create({"code": str, "along": str, "machine": str}, pk="code", not_null={"along", "machine"})


def behind(db: Database) -> None:
    """The newest entry that a seat knows of, by seat, while others are secret from it."""
    db.table("games").add_column("behind", str)


def charges(db: Database) -> None:
    """Of which pieces of his side a person has charge, and of which requests a webhook has told, one a line."""
    db.table("people").add_column("charge", str, not_null_default="")
    db.table("calls").add_column("asked", str, not_null_default="")


def clubs(db: Database) -> None:
    """Who has refused to take an act back; named marks in a journal, calls for substitutes, the club's addresses."""
    db.table("games").add_column("refused", str, not_null_default="")
    db.table("marks").create(
        {"id": int, "game": str, "entry": int, "seat": str, "seen_by": str, "name": str, "time": str}, pk="id"
    )
    db.table("marks").create_index(["game"])
    db.table("wanted").create({"game": str, "seat": str, "time": str}, pk=("game", "seat"))
    db.table("club_people").create({"id": int, "name": str, "address": str}, pk="id")


def keys_of_letters(db: Database) -> None:
    """By which key a letter was sent, so that it is not written twice."""
    db.table("letters").add_column("key", str, not_null_default="")


def calendars(db: Database) -> None:
    """How many addresses of a calendar who holds a token has had before."""
    for table in HOLDERS:
        db.table(table).add_column("calendars", int, not_null_default=0)


def table_layouts(db: Database) -> None:
    """G1.5 Where the tags of a battle's models sit, as the sheet was printed."""
    db.table("table_layouts").create({"game": str, "layout": bytes}, pk="game")


def readings(db: Database) -> None:
    """What the others are asked for their word on, and what a photograph measured on the players' own table."""
    db.table("games").add_column("proposed", str)
    db.table("table_layouts").add_column("tape", bytes)


def tempers(db: Database) -> None:
    """The temper of a captain who holds a seat."""
    db.table("captains").add_column("temper", str)


def digests_of_mails(db: Database) -> None:
    """By which the lines of a mail are known again in the answer to it."""
    db.table("outbox").add_column("digests", str, not_null_default="")


STEPS: tuple[Callable[[Database], None], ...] = (
    first_tables,
    links,
    campaign_life,
    language_of_calls,
    engines,
    captains,
    growth,
    chains,
    groups_by_post,
    revisions,
    keeping,
    courses,
    photos,
    seat_requests,
    saved_positions,
    table_photos,
    devices,
    pings,
    positions_of_campaigns,
    clocks,
    consents,
    tokens_of_calls,
    umpire_words,
    departures,
    behind,
    charges,
    clubs,
    keys_of_letters,
    calendars,
    table_layouts,
    readings,
    tempers,
    digests_of_mails,
)


def migrate(file: File) -> None:
    """Take the steps that the file has not taken; two processes may start at once. Raises TooNew."""
    if _count_steps(file.db) == len(STEPS):
        return
    with file.write() as db:
        taken = _count_steps(db)
        if taken > len(STEPS):
            raise TooNew(f"{file.path} was written by a newer Navarch: update this one before you open it.")
        for number, step in enumerate(STEPS[taken:], taken + 1):
            step(db)
            db.conn.execute(f"PRAGMA user_version = {number}")


def _count_steps(db: Database) -> int:
    return int(db.conn.execute("PRAGMA user_version").fetchone()[0])
