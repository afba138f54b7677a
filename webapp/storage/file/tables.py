"""Every table of the file of games, and what ends its rows: a token that is withdrawn, or the game.

Whatever somebody gets by a token ends with it. A seat has a token and so has each person in it; each is kept by its
hash. A test goes through the tables of a file and fails for one that is not listed here.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlite_utils import Database

from webapp.storage.errors import Barred
from webapp.storage.file.database import rows

HOLDERS = ("seats", "people")  # whose column `token` says who is somebody
FOLLOWING = (  # rows of a seat, also in a battle of its campaign, of which nobody can tell by whose token they came
    "token = '' and seat = :seat and (game = :game or game in (select battle from links where campaign = :game))"
)
WITH_TOKEN: Mapping[str, str] = {  # which rows end with a token, a person's (:person) or the seat's own (0); in order
    "outbox": "sent is null and ((name like '% invitation %' and person = :person and game = :game)"
    f" or device in (select id from devices where token = :token or ({FOLLOWING})))",
    "devices": f"token = :token or ({FOLLOWING})",
    "calls": f"token = :token or ({FOLLOWING})",
    "seat_requests": "token = :token",
}
WITHOUT: Mapping[str, str] = {  # why the rows of a table stay when a token ends
    "games": "a game is everybody's",
    "entries": "the journal is the game's",
    "keys": "first answers of a seat, which only a token of it is given again",
    "cursors": "how far a seat has read",
    "secrets": "the server's own; feeds' addresses are made of one of them and of the token that they end with",
    "links": "a campaign's battles",
    "notes": "what a seat has written, with its photos",
    "photos": "what a seat has written, with its photos",
    "captains": "a seat's own; the umpire takes it back",
    "captain_moves": "belongs to the journal",
    "hints_off": "the game's",
    "forecasts": "held by their own code, for who has asked",
    "letters": "written between seats",
    "letters_read": "how far a seat has read",
    "deadlines": "the game's",
    "lapses": "the game's",
    "orders": "a seat's own: whoever plays it next changes them",
    "addresses": "what the owner of an address has answered: he is not asked twice",
    "mail_counts": "counts of the server",
    "acts": "what was done about the game",
    "courses": "a seat's own: whoever plays it next changes them",
    "positions": "saved for everybody",
    "table_photos": "the game's",
    "table_lines": "the game's",
    "pings": "gone within seconds",
    "clocks": "the game's",
    "umpire_words": "the umpire's, read with a dispatch",
    "moved": "where a game went that is no longer here",
}
OF_A_GAME = (  # whose rows go with their game
    "seats",
    "entries",
    "keys",
    "cursors",
    "calls",
    "notes",
    "captains",
    "captain_moves",
    "hints_off",
    "people",
    "letters",
    "letters_read",
    "deadlines",
    "lapses",
    "orders",
    "outbox",
    "acts",
    "photos",
    "courses",
    "seat_requests",
    "table_photos",
    "table_lines",
    "devices",
    "pings",
    "clocks",
    "addresses",
    "umpire_words",
)


def end_token(db: Database, game: str, seat: str, token: str, person: int = 0) -> None:
    """End all that came by a token, named by its hash, in the transaction that takes it from its seat or person.

    Streams and sessions need no row: they ask whose the token is (`Store.standing`, `Store.seat_of`).
    """
    given = {"game": game, "seat": seat, "token": token, "person": person}
    for table, which in WITH_TOKEN.items():
        db.conn.execute(f"delete from {table} where {which}", given)


def check_stands(db: Database, token: str) -> None:
    """Raises Barred for the hash of a token that was withdrawn before this transaction; none is nobody's."""
    held = " union all ".join(f"select 1 from {table} where token = ?1" for table in HOLDERS)
    if token and not rows(db, held, token):
        raise Barred("This token is unknown: it may have been withdrawn.")
