"""6.1 A card that a seat takes by hand, while it waits for the word of the others: its value is the seat's own."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.commands import AnyCommand, TakeCard
from strategic.sword_of_rome.state import State
from tactical.kernel.approval import Wish, Wishes, kind_of, wishes_in, with_wishes
from tactical.kernel.hidden import Seats
from tactical.kernel.protocol import tag_of

TAKING = tag_of(TakeCard)


def takes_it(state: State, stars: tuple[str, ...]) -> Seats:
    """6.1 The seat that takes the card of this wish; everybody where it is not about a card."""
    wish = wishes_in(state).get(stars[0])
    return (wish.seat,) if wish is not None and is_taking(wish) else None


def is_taking(wish: Wish) -> bool:
    """6.1 Does it take a card, however its JSON is written?"""
    return kind_of(wish.command, AnyCommand) == TAKING


def seen_wishes(state: State, seat: str) -> Wishes:
    """6.1 What waits, as the seat may see it: without the command by which another takes a card."""
    found = {number: of_seat(wish, seat) for number, wish in wishes_in(state).items()}
    return with_wishes(state, found).wishes


def of_seat(wish: Wish, seat: str) -> Wish:
    """One wish as the seat may see it."""
    return wish if wish.seat == seat or not is_taking(wish) else replace(wish, command="")
