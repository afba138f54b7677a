"""What players write into a campaign's chronicle: with the seat, and who may read it."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput
from webapp.storage.errors import Barred
from webapp.storage.games import Store

LONGEST = 4000  # letters
READERS = ("all", "side")


@dataclass(frozen=True)
class Jotting:
    """A note: written after which entry, and by whom; `seen_by` is "all" or "side" (the writer and the umpire)."""

    id: int
    seat: str
    entry: int
    time: str
    seen_by: str
    text: str

    def readable(self, seat: str) -> bool:
        """May this seat read it?"""
        return self.seen_by == "all" or seat in (self.seat, UMPIRE)


def write(store: Store, game: str, seat: str, text: str, seen_by: str) -> None:
    """Write a note after the newest entry. Raises BadInput, Barred."""
    if seat == SPECTATOR:
        raise Barred("A spectator looks on and writes nothing.")
    text = text.strip()
    if not text:
        raise BadInput("text", "there is nothing written")
    if len(text) > LONGEST:
        raise BadInput("text", f"a note has at most {LONGEST} letters")
    if seen_by not in READERS:
        raise BadInput("seen_by", "expected all or side")
    entry = store.game(game).version
    with store.write() as db:
        db.conn.execute(
            "insert into notes (game, seat, entry, time, seen_by, text) values (?, ?, ?, ?, ?, ?)",
            (game, seat, entry, store.now(), seen_by, text),
        )


def strike(store: Store, game: str, seat: str, id: int) -> None:
    """Remove a note; its writer may, and the umpire. Others' stay where they are."""
    with store.write() as db:
        if seat == UMPIRE:
            db.conn.execute("delete from notes where game = ? and id = ?", (game, id))
        else:
            db.conn.execute("delete from notes where game = ? and id = ? and seat = ?", (game, id, seat))


def jottings(store: Store, game: str, seat: str) -> tuple[Jotting, ...]:
    """The notes that a seat may read, the oldest first."""
    rows = store.file.rows("select id, seat, entry, time, seen_by, text from notes where game = ? order by id", game)
    found = (Jotting(**row) for row in rows)
    return tuple(note for note in found if note.readable(seat))
