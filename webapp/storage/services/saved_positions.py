"""Positions that somebody drew and saved, so that others can load them; nothing in them is secret. No Flask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tactical.kernel.dice import Dice
from tactical.kernel.proper_names import TITLE_LETTERS, clean_name
from tactical.kernel.reason import because
from tactical.kernel.record import BadInput, Record, encode
from webapp.storage.errors import Refused, Unknown
from webapp.storage.journal import new_game, tokens
from webapp.storage.journal.store import Store
from webapp.storage.services.limits import most

MOST = most("shelf")  # saved positions of one server
SYSTEM = "galley"


class Saved(Record, frozen=True):
    """A saved position: its code, title, since when it is as it is, how many ships it has, whose rules it follows."""

    id: str
    title: str
    time: str
    ships: int
    system: str = SYSTEM


def save(store: Store, title: str, position: Mapping[str, Any], system: str = SYSTEM) -> Saved:
    """Save a position that its engine accepts, under a new code. Raises BadInput, Refused, Unknown."""
    title = clean_name(title)
    if not 1 <= len(title) <= TITLE_LETTERS:
        raise BadInput("title", "a title must have 1 to %(longest)s characters", longest=TITLE_LETTERS)
    check(store, position, system)
    if len(all_positions(store)) >= MOST:
        raise Refused(
            because(
                "This server already keeps %(most)s %(most|position|positions)s: its organizer must remove one first.",
                most=MOST,
            )
        )
    ships = position.get("ships") if system == SYSTEM else None
    found = Saved(tokens.code(), title, store.now(), len(ships) if isinstance(ships, Mapping) else 0, system)
    row = {**msgspec.structs.asdict(found), "text": encode(dict(position)).decode()}
    with store.write() as db:
        db.table("positions").insert(row)
    return found


def check(store: Store, position: Mapping[str, Any], system: str = SYSTEM) -> None:
    """BadInput, with the path to the field, unless a game can begin from the position."""
    source = Dice(source=lambda sides: 1, secret=lambda sides: 1)
    new_game.start(new_game.find_system(store.systems, system), None, position, {}, source, store.drawers.get(system))


def all_positions(store: Store) -> list[Saved]:
    """All of them, the newest first."""
    rows = store.file.rows("select id, title, time, ships, system from positions order by time desc, id")
    return [Saved(**row) for row in rows]


def load(store: Store, id: str, *, is_battle: bool | None = None) -> tuple[Saved, dict[str, Any]]:
    """One of them, with the position; a battle, a campaign, or either. Raises Unknown."""
    rows = store.file.rows("select id, title, time, ships, system, text from positions where id = ?", id)
    if not rows or is_battle not in (None, rows[0]["system"] == SYSTEM):
        raise Unknown("There is no such position.")
    text = rows[0].pop("text")
    return Saved(**rows[0]), msgspec.json.decode(text, type=dict[str, Any])


def remove(store: Store, id: str) -> None:
    """Forget one."""
    with store.write() as db:
        db.conn.execute("delete from positions where id = ?", (id,))
