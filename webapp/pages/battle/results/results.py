"""What befell ships, as cards that stay until they are read: the dice, the rule, before and after.

A card of one's own act is read by the next act; one of another seat's act, or of the end of a turn, stays until tapped.
How far a seat has read stands in the store beside its last look at the journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from tactical.ship import FIGURES, Ship
from webapp.api.serializers import entry_for
from webapp.http.language import gettext as _
from webapp.pages.battle.results.messages import Line, line
from webapp.presenting.battle_labels import figure_word, ship_name, status_word
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store

LOOKED_AT = 30  # entries that are searched for results
SHOWN = 3  # cards on the page
RESULTS = frozenset(
    (
        "ram",
        "bow_to_bow",
        "rake",
        "board",
        "fight",
        "captured",
        "thrown_back",
        "fight_over",
        "sunk",
        "flood",
        "withdrawn",
    )
)
MAY_BE_RESULTS = RESULTS | {"fire"}
BY_ITSELF = frozenset(("fight", "captured", "thrown_back", "fight_over", "flood"))  # nobody's act: the turn's end
Change = tuple[str, str, Any, Any]  # ship, field, before, after


@dataclass(frozen=True)
class Card:
    """One result: the journal's entry, its lines, what changed on each ship, and whether it struck one's own.

    `own` is a result of the seat's own act.
    """

    number: int
    lines: tuple[Line, ...]
    changes: tuple[tuple[str, str], ...]
    ships: tuple[str, ...]
    own: bool
    hurts: bool


def is_result(event: Mapping[str, Any], own: bool) -> bool:
    """Does an event belong on a card? Shots of others only when they did something, one's own always."""
    kind = event.get("type")
    return kind in RESULTS or (kind == "fire" and bool(own or event.get("hull") or event.get("kills")))


def cursor(seat: str, own: bool = False) -> str:
    """The name under which the store keeps how far a seat has read results."""
    return f"{seat}:own results" if own else f"{seat}:results"


def unread(table: Table, seat: str, looks: Mapping[str, int], late: Sequence[Entry]) -> list[Entry]:
    """Those of the journal's late entries with results that the seat has not read, the newest first."""
    version = table.game.version
    seen, seen_own = looks.get(cursor(seat), 0), looks.get(cursor(seat, True), 0)
    found = []
    for entry in reversed(late):
        if entry.number <= max(seen, version - LOOKED_AT):
            break
        if entry.taken_back is not None or (entry.number <= seen_own and is_own(entry, seat)):
            continue
        if not any(event.type in MAY_BE_RESULTS for event in entry.events):
            continue
        if any(is_result(event, is_own(entry, seat)) for event in entry_for(entry, seat).events):
            found.append(entry)
    return found


def is_own(entry: Entry, seat: str) -> bool:
    """Did this seat bring the result about, and is it no part of the end of the turn?"""
    return seat in (entry.seat, entry.on_behalf) and not any(event.type in BY_ITSELF for event in entry.events)


def cards(
    store: Store,
    table: Table,
    battle: Battle,
    seat: str,
    sides: list[str],
    looks: Mapping[str, int],
    late: Sequence[Entry],
) -> tuple[list[Card], int]:
    """The newest cards among the journal's late entries, and how many more there are."""
    entries = unread(table, seat, looks, late)
    return [card(store, table, battle, seat, sides, entry) for entry in entries[:SHOWN]], max(0, len(entries) - SHOWN)


def card(store: Store, table: Table, battle: Battle, seat: str, sides: list[str], entry: Entry) -> Card:
    """One entry as a card."""
    own = is_own(entry, seat)
    events = [event for event in entry_for(entry, seat).events if is_result(event, own)]
    found = changes(store, table.game.id, entry.number, entry.parent, seat)
    by_ship: dict[str, list[str]] = {}
    for name, field, before, after in found:
        by_ship.setdefault(name, []).append(change_word(battle, name, field, before, after))
    meant = (str(event.get("target") or event.get("ship")) for event in events if is_result(event, False))
    struck = tuple(by_ship) or tuple(meant)
    return Card(
        entry.number,
        tuple(line(battle, event) for event in events),
        tuple((ship_name(battle, name), "; ".join(said)) for name, said in by_ship.items()),
        tuple(name for name in struck if name in battle.ships),
        own,
        any(battle.ships[name].side in sides for name in by_ship if name in battle.ships),
    )


@lru_cache(maxsize=512)
def changes(store: Store, game: str, number: int, parent: int | None, seat: str) -> tuple[Change, ...]:
    """What an entry changed on the sheets, as the seat may see it. Entries never change, so this is remembered."""
    after: Battle = store.table_after(game, number).view(seat)
    before: Battle = store.table_after(game, parent if parent is not None else number - 1).view(seat)
    return tuple(
        (name, field, old, new)
        for name, ship in after.ships.items()
        if name in before.ships
        for field, old, new in differences(before.ships[name], ship)
    )


def differences(before: Ship, after: Ship) -> list[tuple[str, Any, Any]]:
    """The fields of a sheet that a result may change."""
    fields = ("damage", "breaches", *FIGURES, "oars_broken", "corvus", "status")
    pairs = [(field, getattr(before, field), getattr(after, field)) for field in fields]
    return [(field, old, new) for field, old, new in pairs if old != new]


def change_word(battle: Battle, name: str, field: str, before: Any, after: Any) -> str:
    """A change as players say it."""
    if field == "damage":
        whole = battle.kind(battle.ships[name]).hull
        left = f"{max(0, whole - before)} → {max(0, whole - after)}"
        return _("hull %(change)s of %(whole)s", change=left, whole=whole)
    if field == "breaches":
        return _("breaches %(before)s → %(after)s", before=before, after=after)
    if field == "oars_broken":
        return _("oars broken") if after else _("oars mended")
    if field == "corvus":
        return _("corvus lost") if before else _("corvus")
    if field == "status":
        return status_word(after)
    return f"{figure_word(field)} {before} → {after}"


def mark_read(store: Store, game: str, seat: str, upto: int) -> None:
    """The seat has read all results up to an entry."""
    store.looked(game, cursor(seat), max(upto, store.last_look(game, cursor(seat))))


def read(seat: str, seen: int) -> dict[str, int]:
    """The seat acts upon what it saw: the results of its own acts up to then are read."""
    return {cursor(seat, True): seen}
