"""10.3 What a seat may see: everything but other hands, and declarations before all are in.

Of a card that another seat takes by hand and that waits for a word, nobody sees the value.
"""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.rules.by_hand import seen_wishes, takes_it
from strategic.sword_of_rome.rules.survey import powers_of
from strategic.sword_of_rome.state import Reaction, State
from tactical.kernel.protocol import UMPIRE, Seats, Secret, its_own


def declarations(state: State, stars: tuple[str, ...]) -> Seats:
    """10.3 What is declared lies open once all are in; until then it is whole in nobody's hand but the umpire's."""
    return None if state.reaction is None or state.reaction.closed else ()


HIDDEN: tuple[Secret[State], ...] = (
    Secret("hands.*", its_own),
    Secret("reaction.attempts", declarations),
    Secret("reaction.avoidances", declarations),
    Secret("wishes.*.command", takes_it),
)


def view(state: State, seat: str) -> State:
    """6.1, 10.3 The position as the seat may see it: a card of another hand is 0; open declarations are one's own.

    Who has answered is public, what he has declared is not.
    """
    if seat == UMPIRE:
        return state
    hands = {owner: hand if owner == seat else tuple(0 for _ in hand) for owner, hand in state.hands.items()}
    return replace(state, hands=hands, reaction=seen_reaction(state, seat), wishes=seen_wishes(state, seat))


def seen_reaction(state: State, seat: str) -> Reaction | None:
    """10.3 Until all are in, a seat sees its own declarations only."""
    reaction = state.reaction
    if reaction is None or reaction.closed:
        return reaction
    mine = powers_of(state, seat)
    return replace(
        reaction,
        attempts=tuple(each for each in reaction.attempts if each.power in mine),
        avoidances=tuple(each for each in reaction.avoidances if each.power in mine),
    )
