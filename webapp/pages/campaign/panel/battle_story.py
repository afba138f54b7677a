"""What the journal tells of the last battle or siege: its rounds card by card, who won, what it cost, what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.api.serializers import events_for
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.systems.messages import lines_of

LOOKED_AT = 80  # entries: a battle by cards of twenty rounds
SHOWN = 4  # so many acts after its end the result stays in the panel
FOLLOW = 4  # sentences of what follows
BEGUN = frozenset(("battle", "attack", "engagement"))
ENDED = frozenset(("battle_ended", "battle_rolled", "city_taken", "combat", "settled", "siege_roll"))
ALONE = frozenset(("fleets_taken", "relief", "relief_failed", "went_inside"))  # a siege that begins, goes on or ends
TOLLS = frozenset(("sea", "siege"))  # for which attrition is a result: storms, and hunger within walls
COSTS = frozenset(
    ("attrition", "casualties", "combat", "battle_rolled", "eliminated", "losses", "lost", "retreat_losses", "settled")
)

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Round:
    """A round of a battle by cards: who attacked with what, and whether it was matched."""

    side: str
    card: str
    is_matched: bool = False


@dataclass(frozen=True)
class Result:
    """How a battle or siege ended: the sentence, who won, what each side lost in all, what follows, its entry."""

    title: str
    winner: str
    lost: tuple[tuple[str, int], ...]
    follows: tuple[str, ...]
    number: int


def recent(store: Store, table: Table, seat: str) -> list[tuple[int, Data]]:
    """The events of the last entries that a seat may know, each with its entry's number; none that was taken back."""
    after = max(-1, table.game.version - LOOKED_AT)
    entries = [entry for entry in store.entries(table.game.id, after, seat=seat) if entry.taken_back is None]
    return [(entry.number, it) for entry in entries for it in events_for(entry.events, seat)]


def rounds(events: list[tuple[int, Data]]) -> tuple[Round, ...]:
    """The rounds of the battle by cards that is being fought."""
    found: list[Round] = []
    for _number, it in events:
        if it["type"] == "battle":
            found = []
        elif it["type"] == "attack" and it.get("card"):
            found.append(Round(str(it.get("side")), str(it.get("kind") or it["card"])))
        elif it["type"] == "matched" and found:
            found[-1] = Round(found[-1].side, found[-1].card, True)
    return tuple(found)


def result(system: str, events: list[tuple[int, Data]], version: int) -> Result | None:
    """The end of the last battle or siege, while it is news; None when there is none, or the next has begun."""
    last = next((place for place in reversed(range(len(events))) if ends(events[place][1])), None)
    if last is None or version - events[last][0] > SHOWN:
        return None
    number, end = events[last]
    if any(it["type"] in BEGUN for _number, it in events[last + 1 :]):
        return None
    before = () if end["type"] not in ENDED else reversed(range(last))
    begun = next((place for place in before if events[place][1]["type"] in BEGUN), last)
    lines = lines_of(system, [end])
    if not lines:
        return None
    costs: dict[str, int] = {}
    for _number, it in events[begun:]:
        for side, count in lost_in(it).items():
            costs[side] = costs.get(side, 0) + count
    after = [line.text for line in lines_of(system, [dict(it) for _number, it in events[last + 1 :]])]
    return Result(lines[0].text, winner(events[begun : last + 1]), tuple(costs.items()), tuple(after[:FOLLOW]), number)


def ends(it: Data) -> bool:
    """Is it the end of a battle, what becomes of a siege, or what storms and hunger took?"""
    return it["type"] in ENDED | ALONE or (it["type"] == "attrition" and it.get("cause") in TOLLS)


def winner(events: list[tuple[int, Data]]) -> str:
    """Who has won, or who has taken the city."""
    for _number, it in reversed(events):
        if it.get("winner"):
            return str(it["winner"])
        if it["type"] == "city_taken":
            return str(it.get("side") or "")
    return ""


def lost_in(it: Data) -> dict[str, int]:
    """What each side loses by an event: units, points or ships."""
    if it["type"] not in COSTS:
        return {}
    if it["type"] == "settled":
        sides = it.get("sides") or {}
        if not isinstance(sides, Mapping):  # some systems count ships, in the order of their sides
            return dict(zip(sides, it.get("losses") or (), strict=False))
        return {side: int(one.get("sunk") or 0) + int(one.get("captured") or 0) for side, one in sides.items()}
    if it["type"] == "attrition":
        return {str(it["side"]): int(it["points"])} if it.get("cause") in TOLLS and it.get("points") else {}
    table = it.get("losses") or it.get("lost")
    if isinstance(table, Mapping):
        return {str(side): count for side, count in table.items() if isinstance(count, int)}
    side = it.get("side") or it.get("nation")
    count = it.get("lost") if it["type"] == "retreat_losses" else it.get("units")
    return {str(side): count} if side and isinstance(count, int) else {}
