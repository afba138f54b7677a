"""Calls: where a seat wants to be told that it is its turn, at once or once a day, and how the last call went."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import BadInput
from webapp.post.http_post import NotAllowed, read_address
from webapp.storage.errors import Barred
from webapp.storage.file.tables import check_stands
from webapp.storage.journal.store import Store

FIELDS = "game, seat, url, at_once, daily, home, told, told_at, failure, failed_at, lang, asked"


@dataclass(frozen=True)
class Call:
    """A seat's webhook. `home` is this server's own address for links; `told` the version it was told of last, in the
    language `lang`, and `asked` the open requests that it was told of, one a line."""

    game: str
    seat: str
    url: str
    at_once: int
    daily: int
    home: str
    told: int
    told_at: str | None
    failure: str | None
    failed_at: str | None
    lang: str
    asked: str

    @property
    def host(self) -> str:
        """Whom it calls; the whole address may hold a secret."""
        return urlsplit(self.url).netloc


def call_of(store: Store, game: str, seat: str) -> Call | None:
    """The call of a seat, if it has one."""
    rows = store.file.rows(f"select {FIELDS} from calls where game = ? and seat = ?", game, seat)
    return Call(**rows[0]) if rows else None


def calls(store: Store, game: str | None = None) -> list[Call]:
    """All calls, or those of a game."""
    if game is None:
        return [Call(**row) for row in store.file.rows(f"select {FIELDS} from calls")]
    return [Call(**row) for row in store.file.rows(f"select {FIELDS} from calls where game = ?", game)]


def keep(
    store: Store,
    game: str,
    seat: str,
    url: str,
    at_once: bool,
    daily: bool,
    home: str,
    near: bool,
    lang: str = "en",
    token: str = "",
) -> None:
    """Keep where and in which language a seat is called; an empty address ends it. Raises BadInput, Barred.

    `token`: the hash of the one by which it is asked for, and with which it ends.

    The address is read and not looked up (see `http_post`). `near`: the organizer allows addresses of this machine and
    its network.
    """
    if seat == SPECTATOR:
        raise Barred("The game never waits for a spectator.")
    url = url.strip()
    if not url:
        with store.write() as db:
            db.conn.execute("delete from calls where game = ? and seat = ?", (game, seat))
        return
    try:
        read_address(url, near)
    except NotAllowed as fault:
        raise BadInput("url", fault.why) from None
    row = {
        "game": game,
        "seat": seat,
        "url": url,
        "at_once": int(at_once),
        "daily": int(daily),
        "home": home,
        "told": -1,
        "told_at": None,
        "failure": None,
        "failed_at": None,
        "lang": lang,
        "asked": "",
        "token": token,
    }
    with store.write() as db:
        check_stands(db, token)
        db.table("calls").insert(row, replace=True)


def was_told(store: Store, call: Call, version: int, asked: str) -> None:
    """The call got through."""
    with store.write() as db:
        db.conn.execute(
            "update calls set told = ?, asked = ?, told_at = ?, failure = null, failed_at = null"
            " where game = ? and seat = ?",
            (version, asked, store.now(), call.game, call.seat),
        )


def was_not_told(store: Store, call: Call, version: int, asked: str, why: str) -> None:
    """The call failed: it is kept and shown. It is not tried again for the same version and requests."""
    with store.write() as db:
        db.conn.execute(
            "update calls set told = ?, asked = ?, failure = ?, failed_at = ? where game = ? and seat = ?",
            (version, asked, why[:300], store.now(), call.game, call.seat),
        )
