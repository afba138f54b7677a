"""What an umpire adds to a side's dispatch of a turn; the side reads it with the dispatch, and not before. No Flask."""

from __future__ import annotations

from tactical.kernel.record import BadInput
from webapp.storage.journal.store import Store

LONGEST = 1200  # letters, so that a dispatch remains two pages


def put(store: Store, game: str, side: str, turn: int, text: str) -> None:
    """Write the paragraph of a side's dispatch of a turn, in place of an earlier one; none for an empty text.

    Raises BadInput for one that is too long.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise BadInput("text", "a paragraph may have at most %(most)s characters", most=LONGEST)
    with store.write() as db:
        db.conn.execute("delete from umpire_words where game = ? and side = ? and turn = ?", (game, side, turn))
        if text:
            db.table("umpire_words").insert({"game": game, "side": side, "turn": turn, "text": text})


def words_of(store: Store, game: str, side: str, turn: int) -> str:
    """The paragraph of a side's dispatch of a turn; empty where there is none."""
    sql = "select text from umpire_words where game = ? and side = ? and turn = ?"
    found = store.file.rows(sql, game, side, turn)
    return str(found[0]["text"]) if found else ""
