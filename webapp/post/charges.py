"""People of one side who each have charge of some of its pieces (O1.4): who has which, and what each may command."""

from __future__ import annotations

from collections.abc import Mapping

from flask import g, has_request_context, request

from tactical.kernel.protocol import Event, Outcome
from tactical.kernel.record import BadInput
from webapp.post.people import Person, person
from webapp.storage.errors import Barred
from webapp.storage.journal.records import Seat, Table
from webapp.storage.journal.repository import Repository
from webapp.storage.journal.store import Store


def pieces_of(table: Table, side: str) -> Mapping[str, str]:
    """The pieces of a side of which somebody may have charge, by id, with their names; none in most systems."""
    charges = table.system.charges
    return {} if charges is None or side not in table.sides else charges.pieces(table.state, side)


def entrust(store: Store, game: str, id: int, pieces: tuple[str, ...]) -> Person:
    """Give somebody charge of these pieces of his side alone, or of all (none named). Raises BadInput, Unknown."""
    who = person(store, game, id)
    if not set(pieces) <= {*pieces_of(store.load(game), who.seat), *who.charge}:
        raise BadInput("pieces", "these are not all fleets of this side")
    kept = "\n".join(sorted(set(pieces)))
    with store.write() as db:
        db.conn.execute("update people set charge = ? where game = ? and id = ?", (kept, game, id))
    return person(store, game, id)


def check_charge(table: Table, charge: tuple[str, ...], command: object) -> None:
    """Raises Barred for a command that is not for who has this charge to give."""
    charges = table.system.charges
    if charge and charges is not None and not charges.may_give(table.state, command, charge):
        raise Barred("You have charge of other fleets: the commander of your side can do this.")


def bar_others(
    store: Repository, table: Table, seat: str, command: object, outcome: Outcome[object]
) -> tuple[Event, ...]:
    """Within a command's transaction: who has charge of single pieces commands no others."""
    who: Seat | None = g.get("holder") if has_request_context() else None
    if who is not None and who.game == table.game.id == (request.view_args or {}).get("game") and who.id == seat:
        check_charge(table, who.charge, command)
    return ()
