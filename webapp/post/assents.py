"""Who is asked for a word that the game does not wait for: on a change by hand, a free order, a treaty, an undo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactical.kernel.journal import Entry
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_name
from webapp.presenting.presentation import Request
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.systems.presentations import PRESENTATIONS, presentation

FAR = 200  # entries back within which a question is looked for; an older one is put to nobody again


@dataclass(frozen=True)
class Question:
    """A request that waits: whom it asks, who made it, its kind, and the entry by which it was made, with its time."""

    seat: str
    by: str
    kind: str
    entry: int
    since: str


def questions(store: Store, table: Table) -> tuple[Question, ...]:
    """What waits for somebody's word; of several of one kind from one seat to another only the oldest."""
    if table.game.over or not table.game.is_open:
        return ()
    found: dict[tuple[str, str, str], Question] = {}
    for each in sorted(
        (*table.kept.once("questions", lambda: tuple(find_questions(store, table))), *undos(store, table)),
        key=lambda question: question.entry,
    ):
        found.setdefault((each.seat, each.by, each.kind), each)
    return tuple(found.values())


def find_questions(store: Store, table: Table) -> Iterator[Question]:
    """The requests of the position, each with the entry by which it was made."""
    waiting = [*changes(table)]
    if table.game.system in PRESENTATIONS:
        waiting += presentation(table.game.system).requests(plain(table.view(UMPIRE)))
    if not waiting:
        return
    entries = [each for each in store.entries(table.game.id, table.game.head - FAR) if each.taken_back is None]
    for request in waiting:
        entry = next((each for each in reversed(entries) if has_made(each, request)), None)
        if entry is not None:
            yield Question(request.seat, request.by, request.kind, entry.number, entry.time)


def has_made(entry: Entry, request: Request) -> bool:
    """Is this the entry that tells of the request?"""
    fields = request.fields.items()
    return any(
        each.type == request.kind and all(each.data.get(name) == value for name, value in fields)
        for each in entry.events
    )


def changes(table: Table) -> Iterator[Request]:
    """The changes by hand that wait; the umpire is asked where no side may agree (see kernel/approval.py)."""
    wishes = getattr(table.state, "wishes", None) or {}
    for number, wish in wishes.items():
        able = [seat for seat in (*table.sides, UMPIRE) if seat != wish.seat and may_agree(table, seat, int(number))]
        for seat in [each for each in able if each != UMPIRE] or able:
            yield Request(seat, wish.seat, "wished", {"seat": wish.seat, "wish": int(number)})


def may_agree(table: Table, seat: str, wish: int) -> bool:
    """Is the seat offered to agree to this change?"""
    return any(
        offer.type == "approve" and offer.fields["wish"] == wish and offer.fields["allow"] is not False
        for offer in table.offers(seat)
    )


def undos(store: Store, table: Table) -> Iterator[Question]:
    """The sides that have still to agree that the last action is taken back."""
    agreed = table.game.consents
    if agreed:
        last = store.entry(table.game.id, table.game.head)
        for side in table.sides:
            if side not in agreed:
                yield Question(side, agreed[0], "undo", last.number, last.time)


def question_text(table: Table, question: Question) -> str:
    """What is asked, as a sentence in the reader's language; not more than that, for it is read over shoulders."""
    by = seat_name(table.state, question.by)
    return {
        "wished": _("A change by hand from %(seat)s is waiting for your agreement.", seat=by),
        "letter": _("A free order from %(seat)s is waiting for your answer.", seat=by),
        "proposed": _("A treaty from %(seat)s is waiting for your answer.", seat=by),
        "undo": _("A request from %(seat)s to take the last action back is waiting for your agreement.", seat=by),
    }[question.kind]
