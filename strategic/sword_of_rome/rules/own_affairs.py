"""7 Which of what is set by hand is a player's own affair, and what waits for the word of the others."""

from __future__ import annotations

from typing import Any

from strategic.sword_of_rome.commands import BY_HAND, ByHand, SetModifier, TakeCard
from strategic.sword_of_rome.rules.survey import players, seat_of
from strategic.sword_of_rome.state import State

MAY_WAIT = BY_HAND - {"discard"}  # a card is laid away without anybody's word


def is_own(state: State, seat: str, command: Any) -> bool:
    """7 Is it the player's own affair? In his action what he sets is, but for points; at any time a note, an
    alliance that is wished or ended, and the order of his own leaders; cards that he types from his own hand; a card
    in a battle of his own. Victory points are never his to give."""
    if isinstance(command, TakeCard):
        return state.options.cards == "entered"
    if isinstance(command, SetModifier):
        return state.battle is None or seat in (
            seat_of(state, state.battle.attacker),
            seat_of(state, state.battle.defender),
        )
    changes = command.changes if isinstance(command, ByHand) else {}
    return all(is_own_field(state, seat, path, value) for path, value in changes.items())


def is_own_field(state: State, seat: str, path: str, value: Any) -> bool:
    """7 Is one field the player's own affair?"""
    head, *names = path.split(".")
    if head == "alliances" or (head == "forces" and is_same_company(state, names, value)):
        return True
    return head != "vp" and seat == state.active


def is_same_company(state: State, names: list[str], value: Any) -> bool:
    """8.2.1 Do the same leaders stand there afterwards, in another order at most?"""
    if len(names) != 3 or names[2] != "leaders" or not isinstance(value, list | tuple):
        return False
    return sorted(map(str, value)) == sorted(state.force(names[0], names[1]).leaders)


def others(state: State, seat: str) -> tuple[str, ...]:
    """The seats besides this one that are still in the game; none when it is not one of them."""
    seats = players(state)
    return tuple(each for each in seats if each != seat) if seat in seats else ()
