"""What players write into a campaign's chronicle: with the seat, who may read it, and a photo if they took one."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.photos import Photo, strip_metadata
from webapp.storage.errors import Barred
from webapp.storage.journal.store import Store

LONGEST = 4000  # letters
LARGEST = 64 * 1024 * 1024  # bytes of all notes and photos of a game
READERS = ("all", "side")


@dataclass(frozen=True)
class Note:
    """A note: written after which entry, and by whom; `seen_by` is "all" or "side" (the writer and the umpire)."""

    id: int
    seat: str
    entry: int
    time: str
    seen_by: str
    text: str
    has_photo: bool = False

    def readable(self, seat: str) -> bool:
        """May this seat read it?"""
        return self.seen_by == "all" or seat in (self.seat, UMPIRE)


def check(store: Store, game: str, text: str, photo: bytes = b"") -> tuple[str, Photo | None]:
    """A note's text and its photo, rid of what the camera wrote beside it; one does without the other.

    Raises BadInput, also for what is more than a game may have of notes, and NoRoom.
    """
    text, picture = text.strip(), strip_metadata(photo) if photo else None
    if not text and picture is None:
        raise BadInput("text", "nothing is written here")
    if len(text) > LONGEST:
        raise BadInput("text", "a note may have at most %(most)s characters", most=LONGEST)
    store.file.check_room()
    if size(store, game) + len(text.encode()) + (len(picture.data) if picture else 0) > LARGEST:
        raise BadInput("photo", "the notes and photos of a game may take at most %(most)s MB", most=LARGEST >> 20)
    return text, picture


def size(store: Store, game: str) -> int:
    """The bytes of a game's notes and photos."""
    found = store.file.rows(
        "select (select coalesce(sum(length(cast(text as blob))), 0) from notes where game = ?1)"
        " + (select coalesce(sum(length(data)), 0) from photos where game = ?1) as many",
        game,
    )
    return int(found[0]["many"])


def write(store: Store, game: str, seat: str, text: str, seen_by: str, photo: bytes = b"") -> None:
    """Write a note after the newest entry, with a photo where one was taken. Raises BadInput, Barred, NoRoom."""
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot point, draw or leave notes.")
    text, picture = check(store, game, text, photo)
    if seen_by not in READERS:
        raise BadInput("seen_by", "choose all or side")
    entry = store.game(game).newest(SPECTATOR)
    with store.write() as db:
        made = db.conn.execute(
            "insert into notes (game, seat, entry, time, seen_by, text) values (?, ?, ?, ?, ?, ?)",
            (game, seat, entry, store.now(), seen_by, text),
        ).lastrowid
        if picture:
            row = (made, game, picture.kind, picture.data)
            db.conn.execute("insert into photos (note, game, kind, data) values (?, ?, ?, ?)", row)


def photo(store: Store, game: str, seat: str, id: int) -> tuple[str, bytes] | None:
    """The kind and the bytes of a note's photo; None where there is none that the seat may see."""
    if not any(note.id == id and note.has_photo for note in notes(store, game, seat)):
        return None
    found = store.file.rows("select kind, data from photos where note = ? and game = ?", id, game)
    return (found[0]["kind"], found[0]["data"]) if found else None


def strike(store: Store, game: str, seat: str, id: int) -> None:
    """Remove a note; its writer may, and the umpire. Others' stay where they are."""
    with store.write() as db:
        if seat == UMPIRE:
            db.conn.execute("delete from notes where game = ? and id = ?", (game, id))
        else:
            db.conn.execute("delete from notes where game = ? and id = ? and seat = ?", (game, id, seat))
        db.conn.execute("delete from photos where game = ? and note not in (select id from notes)", (game,))


def notes(store: Store, game: str, seat: str) -> tuple[Note, ...]:
    """The notes that a seat may read, the oldest first."""
    rows = store.file.rows(
        "select id, seat, entry, time, seen_by, text, photos.note is not null as has_photo from notes"
        " left join photos on photos.note = notes.id where notes.game = ? order by id",
        game,
    )
    found = (Note(**row) for row in rows)
    return tuple(note for note in found if note.readable(seat))
