"""What decided a battle, moment by moment: to jump to in the replay, and as small pictures in the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from tactical.battle import Battle
from tactical.hexes import distance
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import UMPIRE
from tactical.places import Place
from tactical.ship import Ship
from webapp.api.serializers import events_for
from webapp.http.seats import store
from webapp.pages.battle.results.messages import LOUD, Line, lines
from webapp.pages.reference.picture import Picture, picture
from webapp.storage.journal.records import Table

BEST = 6  # moments with a picture
AROUND = 2  # hexes or base lengths around what happened
WEIGHT = {"over": 6, "sunk": 5, "captured": 4, "ram": 3, "bow_to_bow": 3, "rake": 2, "thrown_back": 1}


@dataclass(frozen=True)
class Moment:
    """An entry with something of weight in it, in words; `picture` is the sea around it, where that is drawn."""

    number: int
    turn: int
    lines: tuple[Line, ...]
    picture: Picture | None = None


def knows(table: Table, seat: str, turn: int) -> str:
    """As which seat a moment of a turn is seen: after the battle everybody knows all that was shown in it.

    What was plotted in the last turn may never have been shown, and a campaign's secrets outlast its battle.
    """
    battle: Battle = table.state
    return UMPIRE if table.game.over and battle.link is None and turn < battle.turn else seat


def of_weight(battle: Battle, entries: Iterable[Entry], seat: str) -> list[Moment]:
    """The entries in which something of weight happened that the seat may know, the oldest first."""
    found, turn = [], 1
    for entry in entries:
        if entry.taken_back is not None or entry.number == 0:
            continue
        if any(event.type in LOUD for event in entry.events):
            said = [line for line in lines(battle, events_for(entry.events, seat)) if line.weight == "loud"]
            found += [Moment(entry.number, turn, tuple(said))] if said else []
        for event in entry.events:
            turn = int(event.data["turn"]) if event.type == "turn" else turn
    return found


def beside(moments: Sequence[Moment], number: int) -> tuple[int | None, int | None]:
    """The entries of the moments before and after an entry."""
    before = [each.number for each in moments if each.number < number]
    after = [each.number for each in moments if each.number > number]
    return (before[-1] if before else None), (after[0] if after else None)


def best(table: Table, seat: str, entries: Sequence[Entry]) -> list[Moment]:
    """The weightiest moments in the order in which they came, each with its picture."""
    known = {entry.number: entry for entry in entries}
    found = of_weight(table.view(seat), entries, seat)
    chosen = sorted(found, key=lambda each: (-max(WEIGHT.get(line.kind, 0) for line in each.lines), each.number))[:BEST]
    return [
        Moment(each.number, each.turn, each.lines, draw(table, seat, known[each.number]))
        for each in sorted(chosen, key=lambda each: each.number)
    ]


def best_ram(entries: Sequence[Entry], seat: str) -> int | None:
    """The entry of the ram that did most: one that sank its target, else the most damage; None without a ram."""
    found = {}
    for entry in entries:
        events = events_for(entry.events, seat) if entry.taken_back is None else []
        hulls = [int(event.get("damage") or 0) for event in events if event["type"] == "ram"]
        if hulls:
            found[entry.number] = (any(event["type"] == "sunk" for event in events), max(hulls))
    return max(found, key=lambda number: found[number], default=None)


def draw(table: Table, seat: str, entry: Entry) -> Picture | None:
    """The sea around what happened in an entry, as the seat saw it; None where the program knows no places."""
    if not table.state.has_places:
        return None
    after: Battle = store().table_after(table.game.id, entry.number).view(seat)
    before: Battle = store().table_after(table.game.id, entry.parent).view(seat)
    names = [
        str(event[field])
        for event in events_for(entry.events, seat)
        if event["type"] in LOUD
        for field in ("ship", "target")
        if event.get(field)
    ]
    spots = [place_of(name, after, before) for name in names]
    there = [spot for spot in spots if spot is not None]
    if not there:
        return None
    there = [spot for spot in there if far(after, spot, there[0]) <= 2 * AROUND]  # one picture shows one place
    ships = {
        name: ship
        for name, ship in (dict(after.ships) | ships_lying(after, before)).items()
        if ship.at is not None and any(far(after, ship.at, spot) <= AROUND for spot in there)
    }
    return picture(msgspec.structs.replace(after, ships=ships), labels=False, also=there)


def ships_lying(after: Battle, before: Battle) -> dict[str, Ship]:
    """The ships that went down in a moment, where they lay, with no hull left."""
    return {
        name: msgspec.structs.replace(ship, damage=before.kind(ship).hull)
        for name, ship in before.ships.items()
        if ship.at is not None and after.ships[name].at is None
    }


def place_of(name: str, after: Battle, before: Battle) -> Place | None:
    """Where a ship lies, or lay until she sank."""
    for battle in (after, before):
        ship = battle.ships.get(name)
        if ship is not None and ship.at is not None:
            return ship.at
    return None


def far(battle: Battle, one: Place, other: Place) -> float:
    """How far apart two places are, in hexes or base lengths."""
    if battle.has_hexes:
        return distance((int(one[0]), int(one[1])), (int(other[0]), int(other[1])))
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)
