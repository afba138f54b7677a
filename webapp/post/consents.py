"""Which address has said yes to mail from which game. No Flask.

An address gets one invitation from a game, and nothing else until its owner has said yes by the link in it. The secret
of that link is the address's own: it stands in its mails and nowhere else, so that who puts an address into a game
cannot answer in its place. The same secret ends mail, and lets it come again.
"""

from __future__ import annotations

from typing import Literal

from tactical.kernel.record import Record
from webapp.storage.errors import Unknown
from webapp.storage.journal import tokens
from webapp.storage.journal.store import Store

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
            (game, address, tokens.token(), ASKED, store.now()),
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
