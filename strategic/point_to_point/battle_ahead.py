"""battle.5 The coming battle: how many battle cards each side would hold, and where they are from."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.point_to_point.battle import battle_facts
from strategic.point_to_point.movement import put
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.record import Record


class HandAhead(Record, frozen=True):
    """A side's hand before it is dealt: the cards, and their parts by what they are for."""

    side: Side
    cards: int
    parts: dict[str, int]


def meeting_there(state: Campaign, space: str, companions: tuple[str, ...], force: Troops) -> Campaign | None:
    """The position with the battle that begins if the army on the march comes to a space with these; None where it
    would not come to battle."""
    march = state.marching()
    moved = replace(march, companions=companions, detached=(), detached_size=0).with_force(force)  # type: ignore[type-var]
    after = put(state, moved, march.at, space)
    return meeting_here(replace(after, march=replace(moved, path=(*march.path, space))))  # type: ignore[type-var]


def meeting_here(state: Campaign) -> Campaign | None:
    """The position with the battle that begins where the army on the march stands, its cards not yet dealt; None where
    it does not come to battle, or where they have been dealt."""
    march, begun = state.march, state.battle
    if march is None:
        return None
    if begun is not None:
        return None if any(begun.hands.values()) else state
    place = state.spaces[march.at]
    if not place.outside(march.side).size or not place.outside(enemy(march.side)).size:
        return None
    return replace(state, battle=book_of(state).battle(state, battle_facts(state)))  # type: ignore[type-var]


def hands_of(meeting: Campaign | None) -> tuple[HandAhead, HandAhead] | None:
    """The hands of attacker and defender in a battle that is to begin."""
    if meeting is None:
        return None
    book, attacker = book_of(meeting), meeting.fighting().attacker
    hands = {side: HandAhead(side, *book.hand_size(meeting, side)) for side in SIDES}
    return hands[attacker], hands[enemy(attacker)]
