"""Taking back: an entry of its own, which strikes the entry whose position stands."""

from __future__ import annotations

from sqlite_utils import Database

from tactical.kernel.journal import Entry, is_known_to, knowers, may_undo
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.reason import because
from tactical.kernel.record import encode
from webapp.storage.errors import Barred, Refused
from webapp.storage.journal.entries import behind_column, change, insert_entry
from webapp.storage.journal.records import Game, Table, TakenBack, dice_first
from webapp.storage.journal.repository import Repository
from webapp.storage.journal.writing import check_open, check_version

OTHERS = because("Others may have acted since then: give another command, or ask the umpire to take this one back.")


def undo(store: Repository, game: str, seen: int, seat: str, consent: bool) -> TakenBack:
    """Take back the entry that stands last: at once when the seat may, else when all sides have consented.

    Raises Barred (with the sides whose consent is missing), Refused, Stale, Unknown.
    """
    while True:
        answer = _attempt(store, store.load(game), seen, seat, consent)
        if answer is not None:
            return answer


def _attempt(store: Repository, table: Table, seen: int, seat: str, consent: bool) -> TakenBack | None:
    game = table.game
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot take anything back.")
    check_version(game, seat, seen)
    check_open(game)
    if game.waiting is not None:
        raise dice_first(game.waiting, seat)
    if game.head == 0:
        raise Refused("There is nothing to take back.")
    last = store.entry(game.id, game.head)
    if not is_known_to(table.system, last, seat):
        raise Refused(OTHERS)
    for bar in store.bars:
        if (moved_on := bar(store, game.id, last)) is not None:
            is_told = all(each.seen_by(seat) for each in last.events if "game" in each.data)
            raise Refused(moved_on if is_told else OTHERS, "L1.5")
    barred = may_undo(last, seat)
    if barred is None:
        return _take_back(store, table, last, seat, ())
    if not consent:
        raise Barred(barred, tuple(side for side in table.sides if side not in game.consents))
    consents = tuple(side for side in table.sides if side in game.consents or side == seat)
    missing = tuple(side for side in table.sides if side not in consents)
    if not missing:
        return _take_back(store, table, last, seat, consents)
    return _consent(store, table, consents, missing)


def _consent(store: Repository, table: Table, consents: tuple[str, ...], missing: tuple[str, ...]) -> TakenBack | None:
    game = table.game
    with store.write(is_move=True) as db:
        if not change(db, table, consents=encode(consents).decode()):
            return None
    store.announce(game.id, game.version, game.revision + 1)
    return TakenBack(game.version, False, None, missing)


def _take_back(store: Repository, table: Table, last: Entry, seat: str, consents: tuple[str, ...]) -> TakenBack | None:
    game = table.game
    before = store.table_after(game.id, last.parent)
    over = before.system.is_over(before.state)
    number = game.version + 1
    known = knowers(table.system, last)
    command = {"type": "undo", "entry": last.number, "consents": list(consents)}
    if known is not None:
        command["only"] = list(known)
    behind = game.behind_after(known, table.observers)
    column = behind_column(behind)
    with store.write(is_move=True) as db:
        if not change(db, table, version=number, head=last.parent, consents=None, over=int(over), behind=column):
            return None
        entry = Entry(number, last.parent, seat, store.now(), command, engine=table.system.version)
        insert_entry(db, game.id, entry, None, None, before=table.tail)
        _strike(db, game, last, number)
    store.announce(game.id, number, game.revision + (not behind))
    return TakenBack(number, True, last.number)


def _strike(db: Database, game: Game, last: Entry, number: int) -> None:
    db.conn.execute("update entries set taken_back = ? where game = ? and number = ?", (number, game.id, last.number))


def umpire_only(seat: str) -> None:
    """Barred unless it is the umpire, who gives out seats."""
    if seat != UMPIRE:
        raise Barred("Only the umpire can give out seats.")
