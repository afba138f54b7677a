"""A change that no command makes, such as a letter or a clock: pages that show the game look again."""

from __future__ import annotations

from webapp.storage.journal.repository import Repository


def touch(store: Repository, game: str) -> None:
    """Count one more change that pages may show, and tell of it once it is on the disk; the version stays.

    It takes part in the transaction that is open, if one is: nothing is told of what did not end well.
    """
    with store.write() as db:
        db.conn.execute("update games set revision = revision + 1 where id = ?", (game,))
        db.then.append(lambda: _tell(store, game))


def _tell(store: Repository, game: str) -> None:
    now = store.game(game)
    store.announce(game, now.version, now.revision)
