"""The chronicle: the war told turn by turn, as a page, on paper, as a feed."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput, plain
from webapp.api.serializers import events_for
from webapp.http.addresses import root
from webapp.http.forms import read_photo, whole
from webapp.http.photos import Photo, strip_metadata
from webapp.http.rate_limit import slow_down
from webapp.http.seats import current_seat, seat_and_table, store
from webapp.pages.frame import campaign_blueprint, feed_file
from webapp.presenting.acts import Lost, add_lost
from webapp.presenting.map.drawing import drawing
from webapp.presenting.map.placement import level_of
from webapp.presenting.map.sheet import has_map
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.journal import records
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services.letters import Mark, marks
from webapp.systems import messages
from webapp.systems.messages import lines_of
from webapp.systems.presentations import presentation

# -- What players write into a campaign's chronicle: with the seat, who may read it, and a photo if they took one.

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


def note_photo(store: Store, game: str, seat: str, id: int) -> tuple[str, bytes] | None:
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


# -- The chronicle: the war told turn by turn from what a seat may know, in paragraphs that can be read aloud.
#
# Each turn has the map as it ended, its battles, and the players' own notes.

START, END = ("start", "hex"), ("to", "end")  # what a step of a march calls where it begins and ends
VARIES = frozenset((*START, *END, "cost", "kind", "rule"))  # what differs between the steps of one march
TOLD_APART = ("card", "flipped", "inside", "line", "out", "rule", "why")  # what no sentence of a list says
BATTLE = "battle"  # the link's event that names a battle on the table


@dataclass(frozen=True)
class Fought:
    """A battle on the table: its code, its title, and whether it is over."""

    game: str
    title: str
    over: bool


@dataclass
class Chapter:
    """A turn: what it is called (empty where nothing has begun), its sentences, battles and notes.

    It tells of the entries of the journal from `first` to `entry`, which was made at `time`; its map is the position
    after that.
    """

    turn: str
    first: int = 0
    entry: int = 0
    time: str = ""
    sentences: list[str] = field(default_factory=list)
    battles: list[Fought] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    lost: Lost = field(default_factory=dict)  # what each side lost in the turn, as far as the reader may know
    last: dict[str, Any] = field(default_factory=dict)  # the event told last, to which a march may go on

    def __bool__(self) -> bool:
        return bool(self.sentences or self.notes or self.battles or self.marks)

    @property
    def paragraph(self) -> str:
        """The turn as one paragraph."""
        return " ".join(self.sentences)

    def tell(self, system: str, event: Mapping[str, Any]) -> None:
        """Go on: what belongs together is told as one, and what was just said is not said again."""
        whole = as_one_march(self.last, event) or as_one_list(system, self.last, event)
        if whole is not None:
            self.sentences.pop()
        self.last = dict(whole or event)
        (line,) = lines_of(system, (self.last,))
        if not self.sentences or self.sentences[-1] != line.text:
            self.sentences.append(line.text)


def as_one_march(before: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    """Two steps of the same army, one after the other, as one event; None where they are not."""
    start, end = (next((name for name in names if name in event), "") for names in (START, END))
    if not start or not end or before.get("type") != event.get("type") or before.get(end) != event[start]:
        return None
    if before.get(start) == event[end] or {**before, **event}.keys() != before.keys():
        return None
    if any(before[name] != value for name, value in event.items() if name not in VARIES):
        return None
    return {**event, start: before[start]}


def as_one_list(system: str, before: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    """The same done twice in a row to different things, as one event with both; None where more differs than that."""
    name = presentation(system).together.get(str(event.get("type")), "")
    if not name or before.get("type") != event.get("type") or not before.get(name) or not event.get(name):
        return None
    if any(before.get(key) != event.get(key) for key in (before.keys() | event.keys()) - {name, *TOLD_APART}):
        return None
    once, again = (value if isinstance(value, list) else [value] for value in (before[name], event[name]))
    return {**event, name: [*once, *(each for each in again if each not in once)]}


def chapters(store: Store, table: Table, seat: str) -> tuple[Chapter, ...]:
    """The chapters of a campaign for a seat; what was taken back is not told."""
    game = table.game
    written, marked = list(notes(store, game.id, seat)), list(marks(store, game.id, seat))
    chapters = [Chapter("")]
    for entry in store.entries(game.id, seat=seat):
        if entry.taken_back is None and entry.command.get("type") != "undo":
            _tell(store, chapters, game.system, entry, seat)
        while written and written[0].entry <= entry.number:
            chapters[-1].notes.append(written.pop(0))
        while marked and marked[0].entry <= entry.number:
            chapters[-1].marks.append(marked.pop(0))
    chapters[-1].notes += written
    chapters[-1].marks += marked
    return tuple(chapter for chapter in chapters if chapter)


def _tell(store: Store, chapters: list[Chapter], system: str, entry: Entry, seat: str) -> None:
    begun = len(chapters) - 1
    for event in events_for(entry.events, seat):
        turn = event.get("turn")
        if isinstance(turn, int) and str(turn) != chapters[-1].turn:
            chapters.append(Chapter(str(turn), entry.number))
        chapter, kind = chapters[-1], str(event.get("type"))
        add_lost(chapter.lost, presentation(system).acts.lost((event,)))
        if messages.is_ours(event) and kind == BATTLE and (fought := battle(store, str(event.get("game")))) is not None:
            chapter.battles.append(fought)
        if is_told(system, event):
            chapter.tell(system, event)
    for chapter in chapters[begun:]:  # the one that this entry may have ended, and the one that it began
        chapter.entry, chapter.time = entry.number, entry.time


def battle(store: Store, code: str) -> Fought | None:
    """A battle by its code; None when it is gone."""
    found = store.find(code)
    return None if found is None else Fought(found.id, found.title, found.over)


def is_told(system: str, event: Mapping[str, Any]) -> bool:
    """Is this event told in the chronicle? Not what the server marks beside a command, which has no rule."""
    return bool(event.get("rule")) and is_worth(system, str(event.get("type")))


def is_worth(system: str, kind: str) -> bool:
    """Is this kind of event worth a line in the chronicle?"""
    return kind != "captain" and kind not in presentation(system).soft and kind not in messages.SOFT


def turn_title(store: Store, table: Table, chapter: Chapter, seat: str) -> str:
    """What a chapter's turn is called on the map's page (with its year, where there is one)."""
    if not chapter.turn:
        return ""
    strip = presentation(table.game.system).strip(plain(store.table_after(table.game.id, chapter.first).view(seat)))
    return strip.turn if strip.turn and strip.turn.split()[0] == chapter.turn else chapter.turn


# -- The chronicle as a page, for paper (from which a browser makes a PDF), its maps as pictures, and as an Atom feed.
#
# A feed's address holds a key of its own for each who holds a link to the seat: it shows what the seat may read, gives
# no
# command, and ends with that link.

bp = campaign_blueprint("chronicle")
FAULTS = (BadInput, Illegal, NotYours, Barred, Refused, Stale)
SCHEMES = ("day", "dark", "night")
PAPERS = ("a4", "letter")
SIZE = (900, 560)  # pixels that a chronicle has for its maps
OWN = Path(__file__).parent / "static"
STYLES = (Path(__file__).parents[2] / "static" / "app.css", OWN / "map.css", OWN / "march.css")
ALONE = "default-src 'none'; style-src 'unsafe-inline'"  # a picture brings its own styles and nothing else


@bp.get("/<game>/chronicle")
def chronicle(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """The war as it is told so far; with `paper`, for printing."""
    seat, table = seat_and_table(game)
    paper = request.args.get("paper", "")
    body = render_template(
        "campaign/chronicle.html",
        game=table.game,
        seat=seat,
        flash=flash,
        chapters=titles(table, seat),
        paper=paper if paper in PAPERS else "",
        has_map=has_map(table.game.system),
        is_public=False,
        picture=lambda chapter: url_for("chronicle.picture", game=game, number=chapter.entry, seat=seat),
        feed=url_for("chronicle.feed", game=game, seat=seat, key=key_of(game, seat, records.token_hash(g.token))),
        photo=lambda note: url_for("chronicle.photo", game=game, id=note.id, seat=seat),
    )
    return body, flash.status if flash else 200


def titles(table: Table, seat: str) -> list[tuple[str, Chapter]]:
    """The chapters, each with what its turn is called."""
    return [(turn_title(store(), table, each, seat), each) for each in chapters(store(), table, seat)]


@bp.post("/<game>/chronicle")
def jot(game: str) -> ResponseReturnValue:
    """Write a note, or strike one out."""
    seat = current_seat(game)
    try:
        if request.form.get("strike"):
            strike(store(), game, seat.id, whole(request.form["strike"], "strike"))
        else:
            slow_down("notes")
            text, seen_by = request.form.get("text", ""), request.form.get("seen_by", "all")
            write(store(), game, seat.id, text, seen_by, read_photo())
    except FAULTS as fault:
        return chronicle(game, flash_of(fault))
    return redirect(url_for("chronicle.chronicle", game=game, seat=seat.id), 303)


@bp.get("/<game>/photo/<int:id>")
def photo(game: str, id: int) -> Response:
    """A note's photo, for those who may read the note."""
    return photo_of(game, id, current_seat(game).id)


def photo_of(game: str, id: int, seat: str) -> Response:
    """The same for a seat. Aborts with 404 where there is none that it may see."""
    found = note_photo(store(), game, seat, id)
    if found is None:
        abort(404)
    kind, data = found
    return Response(data, mimetype=kind, headers={"Content-Security-Policy": "default-src 'none'"})


# Maps --------------------------------------------------------------------------------------------------


@bp.get("/<game>/chronicle/<int:number>.svg")
def picture(game: str, number: int) -> Response:
    """The map as the seat may know it after an entry, as a picture."""
    return picture_of(game, number, current_seat(game).id)


def picture_of(game: str, number: int, seat: str) -> Response:
    """The same for a seat. Aborts with 404 for an entry that is not there, and where there is no map."""
    record = store().game(game)
    if number > record.newest(seat) or not has_map(record.system):
        abort(404)
    table = store().table_after(game, number)
    drawn = drawing(record.system, presentation(record.system).picture(plain(table.view(seat))))
    near = level_of(drawn.in_play, *SIZE)
    scheme = request.args.get("scheme", "")
    svg = render_template("campaign/_map.html", drawing=drawn, near=near, still=True).strip()
    head, _close, rest = svg[svg.index("<svg") + 4 :].partition(">")
    shown = scheme if scheme in SCHEMES else "day"
    begin = '<svg xmlns="http://www.w3.org/2000/svg" data-scheme="' + shown + '"'
    text = begin + head + "><style><![CDATA[" + styles() + "]]></style>" + rest  # all of it escaped where it was drawn
    answer = Response(text, mimetype="image/svg+xml")
    answer.headers["Content-Security-Policy"] = ALONE
    return answer


@cache
def styles() -> str:
    """The map's own styles, for a picture that stands alone."""
    return "\n".join(path.read_text() for path in STYLES)


# The feed ----------------------------------------------------------------------------------------------


def key_of(game: str, seat: str, token: str) -> str:
    """The secret of a feed for who holds a token of the seat: it follows from its hash and says nothing of it."""
    text = f"{game} {seat} by {token}"
    return hmac.new(store().secret("feeds").encode(), text.encode(), "sha256").hexdigest()[:40]


@bp.get("/<game>/feed/<seat>/<key>.atom")
def feed(game: str, seat: str, key: str) -> Response:
    """The chronicle of a seat as a feed, by its key. A wrong one counts as a guess."""
    if not any([hmac.compare_digest(key_of(game, seat, token), key) for token in store().tokens_of(game, seat)]):
        slow_down("tokens")
        abort(404)
    return feed_of(
        game,
        seat,
        link=url_for("game.page", game=game, seat=seat),
        own=request.path,
        page=url_for("chronicle.chronicle", game=game, seat=seat),
    )


def feed_of(
    game: str, seat: str, *, link: str, own: str, page: str, picture: Callable[[Chapter], str] | None = None
) -> Response:
    """The chapters as an Atom feed, the newest first; addresses are paths of this server."""
    table = store().load(game).for_seat(seat)
    text = render_template(
        "campaign/feed.atom.xml",
        game=table.game,
        chapters=titles(table, seat)[::-1],
        root=root(),
        link=link,
        own=own,
        page=page,
        picture=picture,
        seat=seat,
    )
    return feed_file(text)
