"""A moment of a replay as a page shows it: the board, the words beside it, and the timeline with what decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from webapp.api.serializers import entry_for
from webapp.http.seats import store
from webapp.pages.battle.board.board import Picture, board
from webapp.pages.battle.replay import moments
from webapp.pages.battle.results.happenings import happenings
from webapp.pages.battle.results.messages import LOUD, Line, lines
from webapp.pages.battle.roster.ship_list import rows
from webapp.pages.battle.roster.strip import chips
from webapp.presenting.battle_labels import seat_name
from webapp.presenting.labels import translate
from webapp.storage.journal.records import Table

WIDE = 1000  # units of the timeline
BESIDE = 6  # earlier acts of the turn that stand beside the board
MARKS = {"ram": "ram", "bow_to_bow": "ram", "sunk": "sunk", "captured": "captured", "over": "over"}
SEEN = LOUD | {"step", "contact", "fire", "board", "fight", "fight_over", "flood", "follow", "reveal", "turn"}


@dataclass(frozen=True)
class Mark:
    """A moment on the timeline: its entry, where it stands, what kind it is, and its sentence."""

    number: int
    x: int
    kind: str
    text: str


def film(game: str, table: Table, number: int, seat: str) -> dict[str, Any]:
    """What the page shows of a moment as a seat may know it; after the battle, all that was shown in it.

    Raises Unknown for an entry that is not there.
    """
    last = table.game.version
    then = store().table_after(game, number)
    knower = moments.knows(table, seat, then.state.turn)
    battle: Battle = then.view(knower)
    entries = store().entries(game)
    entry = next((each for each in entries if each.number == number), None) or store().entry(game, number)
    weighty = moments.of_weight(table.view(seat), entries, seat)
    earlier, later = moments.beside(weighty, number)
    events = entry_for(entry, knower).events
    moved = {str(event["ship"]) for event in events if event.get("ship")}
    picture = board(battle, Picture(still=True, moved=moved)) if battle.has_places else None
    turns = turn_starts(entries)
    return {
        "b": battle,
        "number": number,
        "last": last,
        "following": next((each.number for each in entries if each.number > number and is_seen(each)), last),
        "said": lines(battle, events),
        "before": earlier_acts(battle, entries, turns, number, knower),
        "picture": picture,
        "happenings": happenings(battle, [entry], knower),
        "rows": rows(battle, chips(battle, list(battle.ships), ()), None) if picture is None else [],
        "who": seat_name(battle, entry.on_behalf or entry.seat),
        "struck": entry.taken_back is not None,
        "turns": turns,
        "places": {start: WIDE * start // max(1, last) for _turn, start in turns},
        "marks": [mark(each, last) for each in weighty],
        "at_now": WIDE * number // max(1, last),
        "title": translate(table.game.title),
        "earlier": earlier,
        "later": later,
    }


def is_seen(entry: Entry) -> bool:
    """Does a film stop at an entry? What is plotted and said in between goes by."""
    return entry.taken_back is None and any(event.type in SEEN for event in entry.events)


def mark(moment: moments.Moment, last: int) -> Mark:
    """A moment on the timeline, by the weightiest thing that happened in it."""
    line = max(moment.lines, key=lambda each: moments.WEIGHT.get(each.kind, 0))
    kind = MARKS.get(line.kind, "other")
    return Mark(moment.number, WIDE * moment.number // max(1, last), kind, line.text)


def earlier_acts(
    battle: Battle, entries: Sequence[Entry], turns: Sequence[tuple[int, int]], number: int, seat: str
) -> list[Line]:
    """What happened in the same turn before an entry, the oldest first; book-keeping is left out."""
    start = max((entry for _turn, entry in turns if entry <= number), default=0)
    found: list[Line] = []
    for entry in reversed(entries):
        if start < entry.number < number and entry.taken_back is None:
            said = lines(battle, entry_for(entry, seat).events)
            found = [line for line in said if line.weight != "soft"] + found
            if len(found) >= BESIDE:
                break
    return found[-BESIDE:]


def turn_starts(entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """The turns with the entry after which each stands open."""
    found = [(1, 0)]
    for entry in entries:
        if entry.taken_back is None:
            found += [(int(event.data["turn"]), entry.number) for event in entry.events if event.type == "turn"]
    return found
