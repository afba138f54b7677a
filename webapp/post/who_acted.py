"""Who of several people in one seat gave a command: by the link that he opened, marked in the command's entry."""

from __future__ import annotations

from typing import Any

from flask import g, has_request_context

from tactical.kernel.protocol import Event, Outcome, event
from webapp.storage.journal.records import Seat, Table
from webapp.storage.journal.repository import Repository

ACTED = "acted"  # the event


def mark_actor(store: Repository, table: Table, seat: str, command: Any, outcome: Outcome[Any]) -> tuple[Event, ...]:
    """His name and what he has charge of, where his seat has others too; nothing for a seat's own link."""
    who: Seat | None = g.get("holder") if has_request_context() else None
    if who is None or who.duty is None or who.id != seat:
        return ()
    several = store.file.rows("select count(*) as many from people where game = ? and seat = ?", who.game, seat)
    if several[0]["many"] < 2:
        return ()
    return (event("", ACTED, side=seat, name=who.name, duty=who.duty),)
